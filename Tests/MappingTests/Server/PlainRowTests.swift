#if PostgreSQL
  import Mapping
  import ObjectModel
  import ObjectStore
  import PostgreSQLServer
  import PostgreSQLStore
  import Testing

  /// Rows that go to the server without the writer come to the same as with it. Each import is compared with SQLite's.
  @Suite("Plain rows on a server", .enabled(if: PostgreSQLServer.isWanted))
  struct PlainRowTests {
    static let bands = """
      Band
        id: integer64
        name: string!
        formed: integer16 | default=1970
        rating: double
        price: decimal
        born: date
        key: uuid
        active: boolean
        photo: binary
      """

    static func band(_ id: Int, _ rest: String = "") -> String {
      #"{"id": \#(id), "name": "Band \#(id)"\#(rest.isEmpty ? "" : ", " + rest)}"#
    }

    static func list(_ objects: [String]) -> String { "[\(objects.joined(separator: ","))]" }

    @Test(arguments: [4, 200]) func newUnchangedAndChanged(_ changesTogether: Int) throws {
      let server = try ServerFixture(Self.bands, entity: "Band", changesTogether: changesTogether)
      let values =
        #""rating": 1.5, "price": "1.10", "born": "1981-11-13T20:15:00.5Z", "active": true, "photo": "QUJD", "key": "6F9619FF-8B86-D011-B42D-00CF4FC964FF""#
      let first = Self.list((1...300).map { Self.band($0, $0 % 3 == 0 ? values : "") })
      #expect(try server.fixture.load(first).counts == "Band +300")
      #expect(try server.fixture.load(first).counts == "Band =300")
      let second = Self.list((1...400).map { Self.band($0, $0 % 100 == 0 ? #""rating": 2"# : "") })
      #expect(try server.fixture.load(second).counts == "Band +100 ~3 =297")
      let third = Self.list((1...400).map { Self.band($0, #""price": "1.1\#($0 % 10)", "formed": null"#) })
      #expect(try server.fixture.load(third).counts == "Band ~400")
      #expect(try server.fixture.load(third).counts == "Band =400")
    }

    @Test func repeatedKeysAndUnusableRowsBetween() throws {
      let server = try ServerFixture(Self.bands, entity: "Band")
      var rows = (1...50).map { Self.band($0) }
      rows.insert(#"{"id": 51}"#, at: 10)
      rows.insert(Self.band(3, #""formed": 1980"#), at: 20)
      rows.insert(#"{"name": "without identity"}"#, at: 30)
      rows.insert(#"{"id": 4, "formed": "soon", "name": "other"}"#, at: 40)
      rows.append(#"{"id": 51, "name": "late"}"#)
      for _ in 0..<2 { try server.fixture.load(Self.list(rows)) }
      try server.fixture.load(Self.list([Self.band(3), Self.band(60), Self.band(60, #""formed": 1"#)]))
      try server.fixture.load(Self.list([#"{"id": 7, "formed": 1990}"#, #"{"id": 8, "name": null}"#]))
    }

    @Test(arguments: ["string", "uuid", "integer64"]) func identities(_ type: String) throws {
      let server = try ServerFixture("Band\n  id: \(type)\n  name: string", entity: "Band")
      func object(_ number: Int, _ name: String) -> String {
        let digits = String(number + 1000)
        let id =
          type == "uuid"
          ? "\"00000000-0000-0000-0000-00000000\(digits)\"" : type == "string" ? "\"\(digits)\"" : digits
        return #"{"id": \#(id), "name": "\#(name)"}"#
      }
      try server.fixture.load(Self.list((0..<200).map { object($0, "a") }))
      try server.fixture.load(Self.list((0..<300).map { object($0, $0 % 7 == 0 ? "b" : "a") })) {
        $0.listsObjects = true
      }
      // Most differ, some are new.
      let most = Self.list((0..<320).map { object($0, $0 % 10 == 0 ? "a" : "z") })
      for _ in 0..<2 { try server.fixture.load(most) { $0.listsObjects = true } }
      try server.fixture.load(Self.list([object(1, "c"), object(1, "d"), object(2, "a")])) {
        $0.prunes = true
      }
    }

    /// The last that is told of an object counts, nested or not.
    @Test(arguments: [4, 200]) func nestedObjectsAndPlainOnesInTurn(_ changesTogether: Int) throws {
      let server = try ServerFixture(
        """
        Band
          id: integer64
          labels: [Label] | inverse=bands
        Label
          id: integer64
          name: string
          bands: [Band] | inverse=labels
        """, entity: "Band", changesTogether: changesTogether)
      let bands = { (ids: Range<Int>) in
        #"{"Band": [\#(ids.map { #"{"id": \#($0), "labels": [{"id": 7, "name": "nested"}]}"# }.joined(separator: ","))]}"#
      }
      let labels =
        #"{"Label": [\#((1..<300).map { #"{"id": \#($0), "name": "plain"}"# }.joined(separator: ","))]}"#
      for sources in [
        [bands(0..<10), labels], [bands(0..<10), labels, bands(5..<15)], [labels, bands(0..<10), labels],
      ] {
        let stores: [any StoreEngine] = [server.fixture.store.backend, server.store]
        let reports = try stores.map { try Importer($0).run(sources.map { .string($0) }) }
        #expect(reports[0].inserted == reports[1].inserted && reports[0].updated == reports[1].updated)
        #expect(try server.exported("Label") == exported("Label", server.fixture.store.backend))
        #expect(try server.exported("Label").contains { $0.contains("nested") } == (sources.last != labels))
      }
    }

    private func exported(_ entity: String, _ store: any StoreEngine) throws -> [String] {
      var options = ExportOptions()
      options.form = .lines
      return try Exporter(store, options).text(of: entity).split(separator: "\n").map(String.init)
    }

    /// What an earlier import of the transaction brought is found, whichever way it went.
    @Test func severalImportsIntoNewTables() throws {
      let server = try ServerFixture(
        "Band\n  id: integer64\n  name: string\n  rivals: [Band] | ordered", entity: "Band")
      let plain = Self.list((0..<50).map { #"{"id": \#($0), "name": "a"}"# })
      let again = Self.list((0..<90).map { #"{"id": \#($0), "name": "b"}"# })
      let linked = Self.list(
        (0..<99).map { #"{"id": \#($0), "rivals": [\#($0 + 1), {"id": \#(($0 * 7) % 120)}]}"# })
      var options = ImportOptions()
      options.entity = "Band"
      func load(_ store: some StoreEngine) throws {
        try store.transaction(isCancelled: nil) { transaction in
          for json in [plain, again, linked, again] {
            _ = try Importer(store, options).execute([.string(json)], in: transaction)
          }
          return ((), .commit)
        }
      }
      try load(server.fixture.store.backend)
      try load(server.store)
      #expect(try server.exported("Band") == exported("Band", server.fixture.store.backend))
      #expect(try server.exported("Band").count >= 99)
    }

    @Test func referencesThatLeadNowhere() throws {
      let model = """
        Album
          id: integer64
          title: string
          band: Band <- albums
        Band
          id: integer64
          name: string
          albums: [Album] <- band
        """
      let server = try ServerFixture(model, entity: "Album")
      func album(_ id: Int, _ band: Int) -> String { #"{"id": \#(id), "title": "t", "band": \#(band)}"# }
      let albums = Self.list((1...40).map { album($0, $0 % 5) })
      try server.fixture.load(albums)
      try server.fixture.load(Self.list((1...3).map { Self.band($0) }), as: "Band")
      try server.fixture.load(albums)
      try server.fixture.load(Self.list((1...50).map { album($0, $0 % 4) }))
      try server.fixture.load(Self.list([#"{"id": 1, "name": "x", "albums": [1, 2, 90]}"#]), as: "Band")
      try server.fixture.load(Self.list((1...90).map { album($0, 2) }))
      try server.fixture.load(Self.list((80...95).map { album($0, 77) })) { $0.references = .stub }
    }

    @Test func chunks() throws {
      let server = try ServerFixture(Self.bands, entity: "Band")
      for step in [1, 2] {
        let bands = Self.list((1...500).map { Self.band($0, $0 % step == 1 ? #""formed": 1"# : "") })
        try server.fixture.load(bands) { $0.chunks = .objects(64) }
      }
    }
  }
#endif
