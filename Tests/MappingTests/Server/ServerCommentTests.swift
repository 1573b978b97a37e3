#if PostgreSQL
  import Foundation
  import Mapping
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient
  import PostgreSQLServer
  import PostgreSQLStore
  import Testing

  /// What people and tools see of a store that look at the database: comments, and what a session is called.
  @Suite("What others see of a store on a server", .enabled(if: PostgreSQLServer.isWanted))
  struct ServerCommentTests {
    private static let notation = """
      Band | documentation=A group of people who play together.
        name: string! | broker.identity=true | documentation=As it stands on the cover; it's unique.
        formed: integer16
        albums: [Album] <- band
        likes: [Band] | documentation=Bands of the same taste.
      Album
        number: integer64 | broker.identity=true
        title: string | documentation=The whole title.
        band: Band <- albums | documentation=Who made it.
        cover: Cover
      Cover | identityAttributes=artist,year
        artist: string
        year: integer16
      Single : Album | documentation=An album of one song.
      """

    private let url: String
    private var address: DatabaseAddress { get throws { try DatabaseAddress(url, schema: "bands") } }

    init() throws { url = try PostgreSQLServer.required().makeDatabase() }

    private func store(_ notation: String, _ options: Store.Options = Store.Options()) throws
      -> PostgreSQLStore
    {
      let store = try PostgreSQLStore(address, model: model(notation), options: options)
      try store.transaction(isCancelled: nil) { _ in ((), .commit) }
      return store
    }

    private static let removals: Store.Options = {
      var options = Store.Options()
      options.migration = .automatic.allowing(.removals)
      return options
    }()

    /// `Band: text`, `Band.name: text`
    private func comments() throws -> [String] {
      let rows = try PostgreSQLConnection.open(url).query(
        """
        SELECT concat_ws('.', c.relname, a.attname) || ': ' || replace(d.description, E'\\n', ' | ')
        FROM pg_description d JOIN pg_class c ON c.oid = d.objoid
        LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.objsubid AND a.attnum > 0
        WHERE c.relnamespace = 'bands'::regnamespace AND d.classoid = 'pg_class'::regclass ORDER BY 1
        """)
      return try (0..<rows.count).map { try rows.field($0, 0).string() }.sorted()
    }

    private func execute(_ sql: String) throws { _ = try PostgreSQLConnection.open(url).execute(sql) }

    private static let expected = [
      "Album.band: Who made it. | references \"Band\".\"name\"",
      "Album.cover_artist: references \"Cover\".\"artist\"",
      "Album.cover_year: references \"Cover\".\"year\"",
      "Album.title: The whole title.",
      "Album: Single: An album of one song.",
      "Band.name: As it stands on the cover; it's unique.",
      "Band: A group of people who play together.",
      "Band_likes.Band: references \"Band\".\"name\"",
      "Band_likes.likes: references \"Band\".\"name\"",
      "Band_likes: The links of Band.likes | Bands of the same taste.",
    ]

    @Test("tables and columns say what the model says, and where references lead")
    func comment() throws {
      _ = try store(Self.notation)
      #expect(try comments() == Self.expected)
    }

    @Test("references may still come before their objects, and are declared as no constraint")
    func pendingReferences() throws {
      let store = try store(Self.notation)
      var options = ImportOptions()
      options.entity = "Album"
      let report = try Importer(store, options).run([
        .string(#"[{"number": 1, "band": "Japan", "cover": "x,1"}]"#)
      ])
      #expect(report.pendingCount == 2)
      let keys = try PostgreSQLConnection.open(url).query(
        "SELECT count(*) FROM pg_constraint WHERE contype = 'f'")
      #expect(try keys.field(0, 0).int8() == 0)
    }

    @Test("other words of the model come into the comments, and those of others stay")
    func words() throws {
      _ = try store(Self.notation)
      try execute(
        #"""
        COMMENT ON TABLE bands."Cover" IS 'ours';
        COMMENT ON COLUMN bands."Album".title IS 'ours too';
        COMMENT ON COLUMN bands."Band".formed IS NULL
        """#)
      let other = Self.notation.replacing("A group of", with: "Some").replacing("The whole", with: "All the")
        .replacing(" | documentation=Who made it.", with: "")
        .replacing("formed: integer16", with: "formed: integer16 | documentation=The year.")
      _ = try store(other)
      var expected = Set(Self.expected)
      expected.subtract([Self.expected[0], Self.expected[3], Self.expected[6]])
      expected.formUnion([
        "Album.band: references \"Band\".\"name\"", "Album.title: ours too", "Cover: ours",
        "Band.formed: The year.", "Band: Some people who play together.",
      ])
      #expect(try comments() == expected.sorted())
      _ = try store(Self.notation)
      #expect(try comments().contains("Album.title: ours too"))
      #expect(try !comments().contains { $0.hasPrefix("Band.formed") })
    }

    @Test("another version of the model has its own: names, targets, tables that are written anew")
    func migrations() throws {
      _ = try store(Self.notation)
      try execute(#"COMMENT ON COLUMN bands."Band".formed IS 'ours'"#)
      let renamed = Self.notation.replacing("Band |", with: "Group | was=Band |")
        .replacing("[Band]", with: "[Group]").replacing("band: Band <-", with: "band: Group <-")
        .replacing("formed: integer16", with: "founded: string | was=formed")
      _ = try store(renamed, Self.removals)
      let found = try comments()
      #expect(found.contains("Album.band: Who made it. | references \"Group\".\"name\""), "\(found)")
      #expect(found.contains("Group: A group of people who play together."), "\(found)")
      #expect(found.contains("Group_likes.likes: references \"Group\".\"name\""), "\(found)")
      #expect(!found.contains { $0.contains("\"Band\"") || $0.hasPrefix("Band") }, "\(found)")
      _ = try store(Self.notation.replacing("Band |", with: "Band | was=Group |"), Self.removals)
      #expect(try Set(comments()).isSuperset(of: Self.expected))
    }

    @Test("a role that does not own the tables imports other words all the same")
    func otherRole() throws {
      _ = try store(Self.notation)
      let name = "writer_\(UUID().uuidString.prefix(8).lowercased())"
      try execute(
        """
        CREATE ROLE \(name) LOGIN; GRANT USAGE ON SCHEMA bands TO \(name);
        GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON ALL TABLES IN SCHEMA bands TO \(name);
        GRANT USAGE ON ALL SEQUENCES IN SCHEMA bands TO \(name)
        """)
      defer { try? execute("DROP OWNED BY \(name); DROP ROLE \(name)") }
      let other = try PostgreSQLStore(
        DatabaseAddress(url.replacing("broker@", with: "\(name)@"), schema: "bands"),
        model: model(Self.notation.replacing("A group of", with: "Some")))
      try other.transaction(isCancelled: nil) { _ in ((), .commit) }
      #expect(try comments() == Self.expected)
    }

    @Test("texts of any kind, and very long ones")
    func unusualTexts() throws {
      let long = String(repeating: "é'\\\"", count: 3_000)
      var odd = try model("Band\n  id: integer64")
      odd.entities[0].userInfo["documentation"] = "$$ ; DROP TABLE x; -- \u{0}'\\n"
      odd.entities[0].attributes[0].userInfo["documentation"] = long
      let store = try PostgreSQLStore(address, model: odd)
      try store.transaction(isCancelled: nil) { _ in ((), .commit) }
      let found = try comments()
      #expect(found.contains("Band: $$ ; DROP TABLE x; -- '\\n"), "\(found)")
      #expect(found.contains { $0.hasPrefix("Band.id: é'") && $0.count < 4_020 })
    }

    // MARK: - Sessions

    private func sessionNames() throws -> [String] {
      let rows = try PostgreSQLConnection.open(url).query(
        """
        SELECT application_name FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
        """)
      return try (0..<rows.count).map { try rows.field($0, 0).string() }.sorted()
    }

    @Test("a session is called after what it imports, without the folder, and only until the end")
    func applicationName() throws {
      let store = try store(Self.notation)
      var options = ImportOptions()
      options.entity = "Band"
      let sources: [ImportSource] = [
        .string(#"{"name": "Japan"}"#).named("/home/secret/bands.json?token=x"),
        .string(#"{"name": "Can"}"#).named("more.json"),
      ]
      let names = try store.transaction(isCancelled: nil) { transaction in
        for source in sources {
          _ = try Importer(store, options).execute([source], in: transaction)
        }
        let last = try sessionNames()
        _ = try Importer(store, options).execute(sources, in: transaction)
        return (last + (try sessionNames()), TransactionEnding.commit)
      }
      #expect(names == ["broker: import more.json", "broker: import bands.json and 1 more"])
      #expect(try sessionNames() == ["broker"])
    }

    @Test("the name of the address stays before it, and a long one is cut at a letter")
    func longNames() throws {
      let named = try PostgreSQLStore(
        DatabaseAddress(url + "&application_name=mirror", schema: "bands"), model: model(Self.notation))
      var options = ImportOptions()
      options.entity = "Band"
      let source = ImportSource.string(#"{"name": "Japan"}"#).named(String(repeating: "a", count: 100))
      let names = try named.transaction(isCancelled: nil) { transaction in
        _ = try Importer(named, options).execute([source], in: transaction)
        return (try sessionNames(), TransactionEnding.commit)
      }
      #expect(names == ["mirror: import " + String(repeating: "a", count: 48)])
    }
  }
#endif
