#if PostgreSQL
  import Mapping
  import ObjectModel
  import ObjectStore
  import PostgreSQLServer
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
