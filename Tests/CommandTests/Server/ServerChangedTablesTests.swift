#if PostgreSQL
  import Foundation
  import PostgreSQLClient
  import PostgreSQLServer
  import Testing

  /// A store whose tables others have changed, or that does not get its names.
  @Suite(.enabled(if: PostgreSQLServer.isWanted, "no PostgreSQL server"))
  struct ServerChangedTablesTests {
    private let folder: Folder
    private let store: String
    private let link: PostgreSQLConnection

    init() throws {
      folder = try Folder()
      let url = try PostgreSQLServer.required().makeDatabase()
      store = url + "&schema=bands"
      link = try PostgreSQLConnection.open(url)
      for (file, more) in [("bands.yaml", ""), ("new.yaml", "  city: string?\n")] {
        try folder.write(
          """
          Band:
            name: string
            formed: integer64?
            albums: [Album]
            $identity: name
          \(more)Album:
            id: integer64
            band: Band?
          """, to: file)
      }
      try folder.write(
        #"{"Band": [{"name": "Japan", "formed": 1974, "albums": [{"id": 1}]}]}"#, to: "bands.json")
    }

    private func make() throws -> Outcome {
      try broker("import", "bands.json", "--model", "bands.yaml", "--store", store, in: folder)
    }

    /// Expects that every command refuses the store with some words.
    private func expectRefusal(_ words: String) throws {
      for command in [
        ["import", "bands.json"], ["export"], ["query", "Band"], ["migrate", "--model", "new.yaml"],
      ] {
        let outcome = try broker(command + ["--store", store], in: folder)
        #expect(outcome.status == 1 && outcome.output.isEmpty, "\(command): \(outcome.output)")
        #expect(outcome.error.contains(words), "\(command): \(outcome.error)")
      }
    }

    @Test(
      "a column of another type is named, with the type that it should have", arguments: ["text", "numeric"])
    func type(_ type: String) throws {
      #expect(try make().status == 0)
      _ = try link.execute("ALTER TABLE bands.\"Band\" ALTER COLUMN formed TYPE \(type)")
      try expectRefusal(
        "The column \"formed\" of the table \"bands\".\"Band\" of \(shown) has the type \(type), and the store needs bigint"
      )
      _ = try link.execute(
        "ALTER TABLE \"bands\".\"Band\" ALTER COLUMN \"formed\" TYPE bigint USING \"formed\"::bigint")
      #expect(try broker("export", "--store", store, in: folder).output.contains("\"formed\":1974"))
    }

    /// The store as messages name it.
    private var shown: String {
      let end = store.firstIndex(of: "?") ?? store.endIndex
      return "\(store[..<end]), schema bands"
    }

    @Test("a column that is gone is named")
    func column() throws {
      #expect(try make().status == 0)
      _ = try link.execute("ALTER TABLE bands.\"Band\" DROP COLUMN formed")
      try expectRefusal("The column \"formed\" of the table \"bands\".\"Band\" of \(shown) is missing")
    }

    @Test("a table that is gone is named")
    func table() throws {
      #expect(try make().status == 0)
      _ = try link.execute("DROP TABLE bands.\"Album\"")
      try expectRefusal("The table \"bands\".\"Album\" of \(shown) is missing")
    }

    @Test("texts of a limited length are texts")
    func limitedTexts() throws {
      #expect(try make().status == 0)
      _ = try link.execute("ALTER TABLE bands.\"Band\" ALTER COLUMN name TYPE varchar(100) COLLATE \"C\"")
      #expect(try broker("export", "--store", store, in: folder).status == 0)
    }

    @Test(
      "a store whose own row is broken is named",
      arguments: [
        ("model", "", "the model in its table broker_store cannot be read"),
        ("model", "99", "the model in its table broker_store cannot be read"),
        ("format", "", "its table broker_store has no number as the format"),
      ])
    func memory(_ key: String, _ value: String, _ words: String) throws {
      #expect(try make().status == 0)
      _ = try link.query("UPDATE bands.broker_store SET value = $1 WHERE key = $2", .text(value), .text(key))
      try expectRefusal("\(shown) is not a Broker store: \(words)")
    }

    @Test(
      "what others have made under the names of a new store is told",
      arguments: [
        "CREATE SCHEMA bands; CREATE TYPE bands.\"Band\" AS ENUM ('a')",
        "CREATE SCHEMA bands; CREATE TABLE bands.\"Album_band_index\" (k bigint)",
      ])
    func names(_ statement: String) throws {
      _ = try link.execute(statement)
      let outcome = try make()
      #expect(outcome.status == 1)
      #expect(
        outcome.error.contains("Something that Broker did not make has a name that \(shown) needs"),
        "\(outcome.error)")
    }

    @Test(
      "rows that a trigger or a rule takes are missed",
      arguments: [
        """
        CREATE FUNCTION bands.nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
        CREATE TRIGGER t BEFORE INSERT ON bands."Band" FOR EACH ROW EXECUTE FUNCTION bands.nothing()
        """, "CREATE RULE r AS ON INSERT TO bands.\"Band\" DO INSTEAD NOTHING",
      ], [1, 300, 5_000])
    func takenRows(_ statement: String, _ count: Int) throws {
      #expect(try make().status == 0)
      _ = try link.execute(statement)
      let bands = (0..<count).map { #"{"name": "New \#($0)", "formed": \#($0)}"# }
      try folder.write("[\(bands.joined(separator: ","))]", to: "new.json")
      let outcome = try broker("import", "new.json", "--entity", "Band", "--store", store, in: folder)
      let left = try link.query("SELECT count(*) FROM bands.\"Band\"").value { try $0.anyInteger() }
      // COPY follows no rules.
      guard left == 1 else { return #expect(outcome.status == 0 && left == Int64(count) + 1) }
      #expect(outcome.status == 1, "\(outcome.output)")
      #expect(outcome.error.contains("a trigger or a rule of the table has taken"), "\(outcome.error)")
    }
  }
#endif
