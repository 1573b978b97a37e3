#if PostgreSQL
  import Mapping
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient
  import PostgreSQLServer
  import PostgreSQLStore
  import Testing

  /// Connection poolers, and servers that do less than they say.
  @Suite("What stands between", .enabled(if: PostgreSQLServer.isWanted, "no PostgreSQL server"))
  struct PoolerTests {
    private static let notation = "Band\n  id: integer64\n  name: string"

    private func database(_ pooler: Pooler) throws -> String {
      let url = try PostgreSQLServer.required().makeDatabase()
      let name = try PostgreSQLConnection.open(url).query("SELECT current_database()").value {
        try $0.string()
      }
      return pooler.url(database: name)
    }

    @Test func aPoolerOfSessionsMayStandBetween() throws {
      let pooler = try Pooler(to: PostgreSQLServer.required(), pooling: .sessions)
      let store = try PostgreSQLStore(DatabaseAddress(database(pooler)), model: model(Self.notation))
      var options = ImportOptions()
      options.entity = "Band"
      for _ in 1...2 {
        _ = try Importer(store, options).run([.string(#"[{"id": 1, "name": "Japan"}, {"id": 2}]"#)])
      }
      #expect(try store.read { try $0.count(Query("Band")) } == 2)
      try store.close()
    }

    @Test func aPoolerOfTransactionsIsRefused() throws {
      let pooler = try Pooler(to: PostgreSQLServer.required(), pooling: .transactions)
      let url = try database(pooler)
      let error = #expect(throws: StoreError.self) {
        try PostgreSQLStore(DatabaseAddress(url), model: model(Self.notation))
      }
      #expect(error?.description.contains("gives each transaction another session") == true)
      let report = try ServerDoctor(DatabaseAddress(url)) { false }.run()
      #expect(!report.isUsable)
      #expect(report.trials.first?.outcome == .fails)
    }

    @Test func aServerWhoseLocksDoNothingIsRefused() throws {
      let url = try PostgreSQLServer.required().makeDatabase()
      _ = try PostgreSQLConnection.open(url).execute(
        """
        SET allow_system_table_mods = on;
        ALTER FUNCTION pg_catalog.pg_advisory_xact_lock(bigint) RENAME TO former_advisory_xact_lock;
        CREATE FUNCTION pg_catalog.pg_advisory_xact_lock(bigint) RETURNS void LANGUAGE sql AS ''
        """)
      let store = try PostgreSQLStore(DatabaseAddress(url), model: model(Self.notation))
      let error = #expect(throws: StoreError.self) {
        try store.transaction(isCancelled: nil) { _ in ((), TransactionEnding.commit) }
      }
      #expect(
        error?.description.contains("advisory locks do nothing") == true, "\(String(describing: error))")
    }

    @Test func aServerThatLacksAFunctionIsRefusedWhateverItsVersion() throws {
      let url = try PostgreSQLServer.required().makeDatabase()
      _ = try PostgreSQLConnection.open(url).execute(
        """
        SET allow_system_table_mods = on;
        ALTER FUNCTION pg_catalog.trim_scale(numeric) RENAME TO former_trim_scale
        """)
      let error = #expect(throws: StoreError.self) {
        try PostgreSQLStore(DatabaseAddress(url), model: try model(BandCollection.notation))
      }
      #expect("\(try #require(error))".contains("has no trim_scale"), "\(String(describing: error))")
    }

    @Test func schemasThatAreThereNeedNoRightToMakeSchemas() throws {
      let url = try PostgreSQLServer.required().makeDatabase()
      let role = "owner_\(url.hashValue.magnitude)"
      _ = try PostgreSQLConnection.open(url).execute(
        "CREATE ROLE \(role) LOGIN; CREATE SCHEMA bands AUTHORIZATION \(role)")
      let own = url.replacing("broker@", with: "\(role)@")
      let store = try PostgreSQLStore(DatabaseAddress(own, schema: "bands"), model: model(Self.notation))
      try store.transaction(isCancelled: nil) { _ in ((), TransactionEnding.commit) }
      #expect(try store.read { try $0.count(Query("Band")) } == 0)
      let other = try PostgreSQLStore(DatabaseAddress(own, schema: "other"), model: model(Self.notation))
      let error = #expect(throws: StoreError.self) {
        try other.transaction(isCancelled: nil) { _ in ((), TransactionEnding.commit) }
      }
      #expect(error?.description.contains("It needs CREATE on the database to make the schema") == true)
    }

    @Test func probesOfASilentServer() throws {
      let url = try PostgreSQLServer.required().makeDatabase()
      let link = try PostgreSQLConnection.open(url)
      let address = try DatabaseAddress(url)
      try ServerProbe(address, process: link.processID).check(silence: .seconds(30))
      #expect(throws: CancellationError.self) {
        try ServerProbe(address, process: link.processID).check(silence: .seconds(30)) { true }
      }
      let unknown = #expect(throws: PostgreSQLError.self) {
        try ServerProbe(address, process: 1).check(silence: .seconds(30))
      }
      #expect(unknown?.message == "the server has sent nothing for 30 seconds, and knows the session no more")
      let away = try DatabaseAddress("postgresql://me@127.0.0.1:\(PostgreSQLServer.freePort())/x")
      let gone = #expect(throws: PostgreSQLError.self) {
        try ServerProbe(away, process: link.processID).check(silence: .seconds(30))
      }
      #expect(gone?.isConnectionLost == true && gone?.message.contains("takes no other connection") == true)
      let limited = try DatabaseAddress(url + "&silence_timeout=5")
      #expect(throws: PostgreSQLError.self) {
        try ServerProbe(limited, process: link.processID).check(silence: .seconds(5))
      }
    }
  }
#endif
