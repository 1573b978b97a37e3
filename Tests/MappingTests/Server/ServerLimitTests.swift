#if PostgreSQL
  import Foundation
  import Mapping
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient
  import PostgreSQLServer
  import PostgreSQLStore
  import Testing

  /// What a server does not keep is told, and nothing else is lost.
  @Suite("Limits of a server", .enabled(if: PostgreSQLServer.isWanted))
  struct ServerLimitTests {
    @Test func textsWithZero() throws {
      let server = try ServerFixture(
        "Band\n  id: string\n  name: string\n  leader: Band", entity: "Band")
      let report = try server.load(
        #"[{"id": "a", "name": "x\u0000y"}, {"id": "b\u0000", "name": "b"}, {"id": "c", "leader": "d\u0000"}]"#
      )
      #expect(report.inserted == ["Band": 2])
      #expect(report.skipped == ["Band": 1])
      #expect(
        report.problems == [
          "$[0].name: expected a text without U+0000, which the server does not keep, found one with it; value left out",
          "$[1].id: expected a text without U+0000, which the server does not keep, found one with it; object skipped",
          "$[2].leader: expected a text without U+0000, which the server does not keep, found one with it; left out",
        ])
      #expect(try server.exported("Band").count == 2)
    }

    @Test func digitsOfSeconds() throws {
      let server = try ServerFixture("Band\n  id: integer64\n  born: date", entity: "Band")
      let json =
        #"[{"id": 1, "born": "2014-08-31T00:29:15.1234567Z"}, {"id": 2, "born": "2014-08-31T00:29:15.0000001Z"}]"#
      let report = try server.load(json)
      #expect(report.inserted == ["Band": 2])
      #expect(
        report.problems.first
          == "$[0].born: expected at most six digits of a second, which the server keeps, found more; the others cut off"
      )
      #expect(try server.load(json).unchanged == ["Band": 2])
      #expect(
        try server.exported("Band") == [
          #"{"id":1,"born":"2014-08-31T00:29:15.1234560Z"}"#,
          #"{"id":2,"born":"2014-08-31T00:29:15.0000000Z"}"#,
        ])
    }

    @Test func longIdentities() throws {
      let server = try ServerFixture("Band\n  id: string\n  name: string", entity: "Band")
      let long = String(repeating: "x", count: 2_601)
      let report = try server.load(#"[{"id": "\#(long)"}, {"id": "\#(long.dropLast())"}]"#)
      #expect(report.inserted == ["Band": 1])
      #expect(
        report.problems == [
          "$[0].id: expected an identity of at most 2,600 bytes, which the server keeps, found 2601 bytes; object skipped"
        ])
    }

    @Test(
      "a store with tables of another form is left alone",
      arguments: [("1", "before the first"), ("3", "newer")])
    func otherForms(_ format: String, _ words: String) throws {
      let (notation, schema) = ("Band\n  id: string", "s\(UUID().uuidString.prefix(12))")
      _ = try ServerFixture(notation, entity: "Band", schema: schema).load(#"[{"id": "a"}]"#)
      let link = try PostgreSQLConnection.open(ServerFixture.database.get()) { false }
      _ = try link.execute("UPDATE \"\(schema)\".broker_store SET value = '\(format)' WHERE key = 'format'")
      let error = #expect(throws: StoreError.self) {
        try ServerFixture(notation, entity: "Band", schema: schema).load(#"[{"id": "b"}]"#)
      }
      #expect(error?.description.contains(words) ?? false)
      #expect(
        try link.query("SELECT count(*) FROM \"\(schema)\".\"Band\"", PostgreSQLParameters())
          .value { try $0.int8() } == 1)
    }

    @Test("1, 1.0 and 1.00 are one, from both ends of its links")
    func linksOfIdentitiesInSeveralForms() throws {
      let server = try ServerFixture(
        """
        Band
          id: decimal
          tags: [Tag] <- bands
        Tag
          word: string
          bands: [Band] <- tags
        """, entity: "Band")
      // The reports and the exports have to be those of a file.
      #expect(
        try server.fixture.load(#"[{"id": 1.0, "tags": ["a", "b"]}, {"id": 2, "tags": ["a"]}]"#).counts
          == "Band +2")
      let report = try server.fixture.load(
        #"""
        [{"id": "1.00", "tags": ["b"]}, {"id": 1, "tags": ["b", "c"]},
          {"id": 2, "tags": [{"word": "a", "bands": ["2.0", "1"]}]}]
        """#
      )
      #expect(report.inserted == ["Tag": 1])
    }

    @Test func linksBetweenLongIdentities() throws {
      let server = try ServerFixture(
        """
        Band
          id: string
          members: [Person] | inverse=bands
        Person
          id: string
          bands: [Band] | inverse=members
        """, entity: "Band")
      let long = { (first: String) in first + String(repeating: "x", count: 1_999) }
      let report = try server.load(
        #"[{"id": "\#(long("a"))", "members": ["\#(long("b"))"]}, {"id": "\#(long("c"))", "members": [{"id": "\#(long("d"))"}, "e"]}]"#
      )
      #expect(report.inserted == ["Band": 2, "Person": 1])
      let words =
        "expected an identity of at most 2,600 bytes, which the server keeps, found 4000 bytes; left out"
      #expect(report.problems == ["$[0].members: \(words)", "$[1].members: \(words)"])
    }

    /// Such a text does not compress, so that no index with an order has room for it.
    private static func text(_ count: Int) -> String {
      var seed: UInt32 = 7
      return String(
        String.UnicodeScalarView(
          (0..<count).compactMap { _ in
            seed = seed &* 1_664_525 &+ 1_013_904_223
            return Unicode.Scalar(0x4E00 + seed >> 18)
          }))
    }

    @Test(arguments: [4, 1_000], [1, 300])
    func longTextsWithAnIndex(_ changesTogether: Int, _ others: Int) throws {
      let server = try ServerFixture(
        """
        Band | index=motto,name
          id: integer64
          name: string | indexed
          motto: string
        """, entity: "Band", changesTogether: changesTogether)
      let long = Self.text(3_000)
      let short = (10..<10 + others).map { #"{"id": \#($0), "name": "n\#($0)"}"# }
      // The tables are new, then they have a row, then they keep hashes already.
      for number in 0..<3 {
        try server.fixture.load(
          "[\((short + [#"{"id": \#(number), "name": "\#(long)\#(number)", "motto": "m"}"#]).joined(separator: ","))]"
        )
      }
      var query = Query("Band")
      query.predicate = try ObjectPredicate(format: "name == '\(long)1'")
      #expect(try server.store.read { try $0.count(query) } == 1)
    }

    @Test func aLongTextAfterTheIndexWasMade() throws {
      let server = try ServerFixture(
        "Band\n  id: integer64\n  name: string | indexed", entity: "Band")
      try server.fixture.load(#"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#)
      try server.fixture.load(#"[{"id": 2, "name": "\#(Self.text(3_000))"}]"#)
      try server.fixture.load(#"[{"id": 3, "name": "\#(Self.text(3_001))"}, {"id": 1, "name": "c"}]"#)
    }

    @Test func longNames() throws {
      let name = String(repeating: "VeryLongName", count: 8)
      let server = try ServerFixture(
        """
        \(name)
          id: integer64
          \(name)A: string
          \(name)B: string
          ctid: string
          a\(name): [\(name)] <- b\(name)
          b\(name): [\(name)] <- a\(name)
        """, entity: name)
      try server.fixture.load(
        #"[{"id": 1, "\#(name)A": "a", "\#(name)B": "b", "ctid": "c", "a\#(name)": [1, 2]}]"#)
      try server.fixture.load(#"[{"id": 1, "\#(name)B": "c"}]"#)
    }

    @Test func wideEntities() throws {
      let model = "Wide\n  id: integer64\n" + (0..<1_600).map { "  a\($0): string\n" }.joined()
      let error = #expect(throws: StoreError.self) { try ServerFixture(model, entity: "Wide") }
      #expect(
        error?.description
          == "Wide has 1601 attributes and to-one relationships. A PostgreSQL server has room for 1598. Split the entity."
      )
      let numbers = "Wide\n  id: integer64\n" + (0..<1_100).map { "  a\($0): double\n" }.joined()
      let other = #expect(throws: StoreError.self) { try ServerFixture(numbers, entity: "Wide") }
      #expect(other?.description.hasPrefix("An object of Wide can need 8808 bytes") == true)
    }
  }
#endif
