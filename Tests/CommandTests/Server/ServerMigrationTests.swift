#if PostgreSQL
  import Foundation
  import PostgreSQLClient
  import PostgreSQLServer
  import Testing

  /// `broker migrate` with a store in a PostgreSQL database, and what the server has after it.
  @Suite(.enabled(if: PostgreSQLServer.isWanted, "no PostgreSQL server"))
  struct ServerMigrationTests {
    private let folder: Folder
    private let url: String
    private let link: PostgreSQLConnection

    init() throws {
      folder = try Folder()
      url = try PostgreSQLServer.required().makeDatabase()
      link = try PostgreSQLConnection.open(url)
      try folder.write(Self.model(), to: "old.json")
      try folder.write(
        #"""
        {"Shop": [{"id": 1, "name": "A", "floors": 2, "opened": "1981-11-13T00:00:00Z", "records": [7, 8]},
                  {"id": 2, "name": "B", "floors": 1, "records": [8, 9]}],
         "Record": [{"id": 7, "title": "x"}, {"id": 8, "title": "y"}]}
        """#, to: "shops.json")
      let imported = try broker(
        "import", "shops.json", "--model", "old.json", "--store", store(), in: folder)
      #expect(imported.status == 0, "\(imported.error)")
    }

    private func store(_ schema: String = "shops") -> String { url + "&schema=\(schema)" }

    /// A model of shops and records; nil leaves an attribute out.
    private static func model(
      name: String = #""name""#, floors: String? = #""type": "integer16""#, opened: String = "date",
      more: String = "",
      recordsAreMany: Bool = true, record: String = #""name": "Record""#
    ) -> String {
      let floors = floors.map { #"{"name": "floors", \#($0), "optional": true},"# } ?? ""
      let target = record.contains("Disc") ? "Disc" : "Record"
      return #"""
        {"entities": [
          {"name": "Shop", "attributes": [{"name": "id", "type": "integer64"},
            {"name": \#(name), "type": "string", "optional": true, "indexed": true}, \#(floors) \#(more)
            {"name": "opened", "type": "\#(opened)", "optional": true}],
           "relationships": [{"name": "records", "destination": "\#(target)", "toMany": \#(recordsAreMany), "optional": true}]},
          {\#(record), "attributes": [{"name": "id", "type": "integer64"},
            {"name": "title", "type": "string", "optional": true}]}]}
        """#
    }

    private func migrate(_ arguments: String...) throws -> Outcome {
      try broker(["migrate", "--store", store(), "--model", "new.json"] + arguments, in: folder)
    }

    private func export() throws -> String { try broker("export", "--store", store(), in: folder).output }

    private func rows(_ sql: String) throws -> [String] {
      let rows = try link.query(sql)
      return try (0..<rows.count).map { row in
        try (0..<rows.columnCount).map { try rows.field(row, $0).string() }.joined(separator: " ")
      }
    }

    // MARK: - Tables

    /// The columns, keys and indexes of a schema, without the names that the server gives.
    private func shape(of schema: String) throws -> [String] {
      try rows(
        """
        SELECT format('%s %s %s %s %s', table_name, column_name, data_type, coalesce(collation_name, ''), is_nullable)
        FROM information_schema.columns WHERE table_schema = '\(schema)' AND coalesce(column_default, '') = '' ORDER BY 1
        """)
        + rows(
          """
          SELECT format('%s %s %s %s', t.relname, x.indisunique, x.indisprimary,
            (SELECT string_agg(a.attname, ',' ORDER BY k.place) FROM unnest(x.indkey::int2[]) WITH ORDINALITY k (number, place)
              JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number))
          FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
          WHERE t.relnamespace = '\(schema)'::regnamespace ORDER BY 1
          """)
        + rows(
          "SELECT relname::text FROM pg_class WHERE relnamespace = '\(schema)'::regnamespace AND relname LIKE '%_index' ORDER BY 1"
        )
    }

    @Test(
      "afterwards the tables are those of a new store",
      arguments: [
        model(more: #"{"name": "city", "type": "string", "optional": true},"#),
        model(name: #""title", "renamingIdentifier": "name""#), model(floors: nil), model(opened: "string"),
        model(floors: #""type": "string""#), model(floors: #""type": "decimal""#),
        model(recordsAreMany: false), model(record: #""name": "Disc", "renamingIdentifier": "Record""#),
        model(
          name: #""title", "renamingIdentifier": "name""#, floors: nil, opened: "string",
          recordsAreMany: false),
      ]) func shapes(_ model: String) throws
    {
      try folder.write(model, to: "new.json")
      let outcome = try migrate("--allow-removals")
      #expect(outcome.status == 0, "\(outcome.output)\(outcome.error)")
      let fresh = try broker(
        "import", "-", "--entity", "Shop", "--model", "new.json", "--store", store("fresh"), input: "[]",
        in: folder)
      #expect(fresh.status == 0, "\(fresh.error)")
      #expect(try shape(of: "shops") == shape(of: "fresh"))
      // And the next import works with them.
      let next = try broker(
        "import", "-", "--entity", "Shop", "--store", store(), input: #"[{"id": 2, "name": "B"}, {"id": 3}]"#,
        in: folder)
      #expect(next.status == 0, "\(next.error)")
    }

    private func file(of name: String) throws -> [String] {
      try rows("SELECT pg_relation_filenode('shops.\"\(name)\"'::regclass)::text")
    }

    @Test("attributes that come, go and get other names leave rows and indexes where they are")
    func inPlace() throws {
      let before = try (file(of: "Shop"), file(of: "Shop_name_index"), file(of: "Shop_records"))
      try folder.write(
        Self.model(
          name: #""title", "renamingIdentifier": "name""#, floors: nil,
          more:
            #"{"name": "city", "type": "string", "optional": true}, {"name": "staff", "type": "integer16", "default": "4"},"#
        ), to: "new.json")
      let outcome = try migrate("--allow-removals")
      #expect(outcome.status == 0, "\(outcome.error)")
      #expect(!outcome.output.contains("anew"))
      #expect(try file(of: "Shop") == before.0)
      #expect(try file(of: "Shop_title_index") == before.1)
      #expect(try file(of: "Shop_records") == before.2)
      let text = try export()
      #expect(text.contains(#""title":"A""#) && text.contains(#""city":null,"staff":4"#), "\(text)")
    }

    @Test("a table that has no room for more columns, since removed ones count, is written anew")
    func columnsAreUsedUp() throws {
      _ = try link.execute(
        """
        DO $$ BEGIN FOR i IN 1..1588 LOOP
          EXECUTE 'ALTER TABLE shops."Shop" ADD COLUMN x int'; EXECUTE 'ALTER TABLE shops."Shop" DROP COLUMN x';
        END LOOP; END $$
        """)
      try folder.write(
        Self.model(more: #"{"name": "city", "type": "string", "optional": true},"#), to: "new.json")
      let outcome = try migrate()
      #expect(outcome.status == 0, "\(outcome.error)")
      #expect(outcome.output.contains("Wrote anew: Shop"))
      #expect(try rows("SELECT relnatts::text FROM pg_class WHERE oid = 'shops.\"Shop\"'::regclass") == ["5"])
    }

    /// A role that owns the store's tables, and no more.
    private func makeOwner() throws -> String {
      let role = "owner_\(UUID().uuidString.prefix(8).lowercased())"
      _ = try link.execute(
        """
        CREATE ROLE \(role) LOGIN; GRANT ALL ON SCHEMA shops TO \(role);
        DO $$ DECLARE t record; BEGIN FOR t IN SELECT c.oid::regclass AS name FROM pg_class c
          WHERE relnamespace = 'shops'::regnamespace AND relkind IN ('r', 'S') LOOP
            EXECUTE format('ALTER TABLE %s OWNER TO \(role)', t.name); END LOOP; END $$
        """)
      return role
    }

    // MARK: - What others have added

    @Test("rights, indexes and triggers of others stay where a table is written anew")
    func othersObjects() throws {
      let role = "reader_\(UUID().uuidString.prefix(8).lowercased())"
      _ = try link.execute(
        """
        CREATE ROLE \(role); GRANT SELECT ON shops."Shop" TO \(role) WITH GRANT OPTION; GRANT UPDATE ON shops."Shop" TO PUBLIC;
        CREATE INDEX own_index ON shops."Shop" (floors) WHERE floors > 1;
        CREATE FUNCTION shops.own_function() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
        CREATE TRIGGER own_trigger BEFORE DELETE ON shops."Shop" FOR EACH ROW EXECUTE FUNCTION shops.own_function();
        CREATE TABLE shops.broker_journal_x (a int);
        ALTER TABLE shops."Shop" ENABLE ROW LEVEL SECURITY;
        CREATE POLICY few ON shops."Shop" FOR SELECT TO \(role) USING (floors > 1);
        GRANT INSERT (name, floors) ON shops."Shop" TO \(role); ALTER TABLE shops."Shop" SET (fillfactor = 70);
        COMMENT ON TABLE shops."Shop" IS 'It''s ours'; COMMENT ON COLUMN shops."Shop".floors IS 'of them';
        CREATE PUBLICATION own_publication FOR TABLE shops."Shop"
        """)
      try folder.write(Self.model(opened: "string"), to: "new.json")
      let outcome = try migrate()
      #expect(outcome.status == 0, "\(outcome.error)")
      #expect(outcome.output.contains("Wrote anew: Shop"))
      #expect(
        try rows(
          "SELECT has_table_privilege('\(role)', 'shops.\"Shop\"', 'SELECT WITH GRANT OPTION')::text, has_table_privilege('\(role)', 'shops.\"Shop\"', 'UPDATE')::text"
        ) == ["true true"])
      #expect(
        try rows(
          "SELECT format('%s %s %s', policyname, cmd, qual), (SELECT relrowsecurity::text FROM pg_class WHERE oid = 'shops.\"Shop\"'::regclass) FROM pg_policies WHERE schemaname = 'shops'"
        ) == ["few SELECT (floors > 1) true"])
      #expect(try rows("SELECT indexname::text FROM pg_indexes WHERE indexname = 'own_index'").count == 1)
      #expect(
        try rows("SELECT tgname::text FROM pg_trigger WHERE tgrelid = 'shops.\"Shop\"'::regclass") == [
          "own_trigger"
        ])
      #expect(try rows("SELECT to_regclass('shops.broker_journal_x')::text").count == 1)
      let shop = #"'shops."Shop"'"#
      #expect(
        try rows(
          """
          SELECT concat_ws(' ', has_column_privilege('\(role)', \(shop), 'name', 'INSERT'),
            has_column_privilege('\(role)', \(shop), 'id', 'INSERT'), c.reloptions, obj_description(c.oid),
            col_description(c.oid, (SELECT attnum FROM pg_attribute WHERE attrelid = c.oid AND attname = 'floors')),
            (SELECT count(*) FROM pg_publication_tables WHERE pubname = 'own_publication' AND tablename = 'Shop'))
          FROM pg_class c WHERE c.oid = \(shop)::regclass
          """) == ["t f {fillfactor=70} It's ours of them 1"])
      _ = try link.execute("DROP OWNED BY \(role); DROP ROLE \(role)")
    }

    @Test("a view on a table that is written anew is named, and nothing is changed")
    func views() throws {
      let before = try export()
      _ = try link.execute(#"CREATE VIEW shops.names AS SELECT name FROM shops."Shop""#)
      try folder.write(Self.model(opened: "string"), to: "new.json")
      let outcome = try migrate()
      #expect(outcome.status == 1)
      #expect(outcome.error.contains("Others have built on what has to change"), "\(outcome.error)")
      #expect(outcome.error.contains("view shops.names depends on"), "\(outcome.error)")
      #expect(try export() == before)
    }

    @Test("a publication that the role may not change is named, and nothing is changed")
    func publications() throws {
      let role = try makeOwner()
      _ = try link.execute(#"CREATE PUBLICATION others FOR TABLE shops."Shop""#)
      let before = try export()
      try folder.write(Self.model(opened: "string"), to: "new.json")
      let outcome = try broker(
        "migrate", "--store", store().replacing("broker@", with: "\(role)@"), "--model", "new.json",
        in: folder)
      #expect(outcome.status == 1)
      #expect(outcome.error.contains("cannot be published again"), "\(outcome.error)")
      #expect(outcome.error.contains("ALTER PUBLICATION others ADD TABLE"), "\(outcome.error)")
      #expect(try export() == before)
      _ = try link.execute("DROP OWNED BY \(role); DROP ROLE \(role)")
    }

    // MARK: - What goes wrong

    @Test("a role that does not own the tables is told so, and nothing is changed")
    func rights() throws {
      let role = "weak_\(UUID().uuidString.prefix(8).lowercased())"
      _ = try link.execute(
        "CREATE ROLE \(role) LOGIN; GRANT USAGE, CREATE ON SCHEMA shops TO \(role); GRANT ALL ON ALL TABLES IN SCHEMA shops TO \(role)"
      )
      let before = try export()
      try folder.write(
        Self.model(more: #"{"name": "city", "type": "string", "optional": true},"#), to: "new.json")
      let outcome = try broker(
        "migrate", "--store", store().replacing("broker@", with: "\(role)@"), "--model", "new.json",
        in: folder)
      #expect(outcome.status == 1)
      #expect(outcome.error.contains("Shop.city is new. Only their owner may do that"), "\(outcome.error)")
      #expect(try export() == before)
      _ = try link.execute("DROP OWNED BY \(role); DROP ROLE \(role)")
    }

    @Test("rows that a policy hides from the owner of the tables are not lost")
    func hiddenRows() throws {
      let role = try makeOwner()
      _ = try link.execute(
        """
        ALTER TABLE shops."Shop" FORCE ROW LEVEL SECURITY; ALTER TABLE shops."Shop" ENABLE ROW LEVEL SECURITY;
        CREATE POLICY few ON shops."Shop" USING (floors > 1)
        """)
      let before = try export()
      try folder.write(Self.model(opened: "string"), to: "new.json")
      let outcome = try broker(
        "migrate", "--store", store().replacing("broker@", with: "\(role)@"), "--model", "new.json",
        in: folder)
      #expect(outcome.status == 1)
      #expect(outcome.error.contains("row-level security"), "\(outcome.error)")
      #expect(try export() == before)
      _ = try link.execute("DROP OWNED BY \(role); DROP ROLE \(role)")
    }

    /// Begins a migration that has already changed a table when it waits for the lock on another one.
    private func waitingMigration() throws -> RunningBroker {
      try folder.write(
        Self.model(opened: "string", record: #""name": "Disc", "renamingIdentifier": "Record""#),
        to: "new.json")
      _ = try link.execute(#"BEGIN; LOCK TABLE shops."Record" IN ACCESS SHARE MODE"#)
      let running = try RunningBroker(
        ["migrate", "--store", store(), "--model", "new.json"], in: folder, input: .file(""))
      let deadline = Date(timeIntervalSinceNow: 60)
      var isWaiting = false
      while !isWaiting, running.isRunning, Date() < deadline {
        isWaiting =
          try rows(
            "SELECT pid::text FROM pg_locks WHERE NOT granted AND relation = 'shops.\"Record\"'::regclass"
          ).count > 0
        if !isWaiting { Thread.sleep(forTimeInterval: 0.02) }
      }
      #expect(isWaiting)
      return running
    }

    @Test("a session that ends in the middle of a migration leaves the store as it was")
    func endedSession() throws {
      let before = try export()
      let running = try waitingMigration()
      _ = try link.query(
        """
        SELECT pg_terminate_backend(pid) FROM pg_locks
        WHERE NOT granted AND relation = 'shops."Record"'::regclass
        """)
      let outcome = try running.finish()
      _ = try link.execute("COMMIT")
      #expect(outcome.status == 1)
      #expect(outcome.error.contains("Nothing was changed"), "\(outcome.error)")
      #expect(try export() == before)
      #expect(try migrate().status == 0)
    }

    @Test("Ctrl-C in the middle of a migration leaves the store as it was")
    func interrupted() throws {
      let before = try export()
      let running = try waitingMigration()
      running.interrupt()
      let outcome = try running.finish()
      _ = try link.execute("COMMIT")
      #expect(outcome.status == 130, "\(outcome.error)")
      #expect(try export() == before)
      #expect(try migrate().status == 0)
    }
  }
#endif
