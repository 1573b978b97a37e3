#if PostgreSQL
  import Foundation
  import PostgreSQLClient
  import PostgreSQLServer
  import Testing

  /// `broker doctor`
  @Suite("The doctor", .enabled(if: PostgreSQLServer.isWanted, "no PostgreSQL server"))
  struct DoctorTests {
    private let folder: Folder
    private let url: String

    init() throws {
      folder = try Folder()
      url = try PostgreSQLServer.required().makeDatabase()
    }

    private func schemas() throws -> Int64 {
      try PostgreSQLConnection.open(url).query(
        "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'broker%'"
      ).value { try $0.anyInteger() }
    }

    @Test("finds that a server can keep stores, and leaves nothing there")
    func usable() throws {
      let outcome = try broker("doctor", url, in: folder)
      #expect(outcome.status == 0, "\(outcome.output)\(outcome.error)")
      #expect(outcome.output.contains("works    advisory locks"), "\(outcome.output)")
      #expect(outcome.output.contains("missing  tables on several servers (Citus)"))
      #expect(outcome.output.contains("Stores can be kept there."))
      #expect(!outcome.output.contains("FAILS"))
      #expect(try schemas() == 0)
      let json = try broker("doctor", url, "--format", "json", in: folder)
      #expect(json.output.contains(#""isUsable" : true"#), "\(json.output)")
    }

    @Test("removes what an earlier one has left that was killed, and nothing that may be somebody's")
    func remains() throws {
      let link = try PostgreSQLConnection.open(url)
      _ = try link.execute(
        """
        CREATE SCHEMA broker_doctor_0123abcd; CREATE TABLE broker_doctor_0123abcd.broker_doctor_0123abcd_t (k bigint PRIMARY KEY);
        CREATE SCHEMA broker_doctor_11111111; CREATE TABLE broker_doctor_11111111.bands (k bigint);
        CREATE SCHEMA broker_doctor_22222222; CREATE TABLE broker_doctor_22222222.broker_doctor_22222222_t (k bigint);
        CREATE SCHEMA broker_doctor_bands;
        SELECT pg_advisory_lock(hashtextextended('broker_doctor_at_work_22222222', 0))
        """)
      let outcome = try broker("doctor", url, in: folder)
      #expect(outcome.status == 0, "\(outcome.output)\(outcome.error)")
      #expect(
        outcome.output.contains("since an earlier doctor was ended before it could: broker_doctor_0123abcd."),
        "\(outcome.output)")
      let left = try link.query(
        "SELECT string_agg(nspname, ' ' ORDER BY nspname) FROM pg_namespace WHERE nspname LIKE 'broker%'")
      #expect(
        try left.field(0, 0).string() == "broker_doctor_11111111 broker_doctor_22222222 broker_doctor_bands")
    }

    @Test("a server whose advisory locks do nothing is refused")
    func locksThatDoNothing() throws {
      // Functions of the server's own are replaced in this database only.
      let link = try PostgreSQLConnection.open(url)
      _ = try link.execute(
        """
        SET allow_system_table_mods = on;
        ALTER FUNCTION pg_catalog.pg_advisory_xact_lock(bigint) RENAME TO former_advisory_xact_lock;
        CREATE FUNCTION pg_catalog.pg_advisory_xact_lock(bigint) RETURNS void LANGUAGE sql AS ''
        """)
      let outcome = try broker("doctor", url, in: folder)
      #expect(outcome.status == 1)
      #expect(outcome.output.contains("FAILS    advisory locks"), "\(outcome.output)")
      #expect(outcome.output.contains("two transactions have the same lock"), "\(outcome.output)")
      #expect(outcome.output.contains("No store can be kept there: 1 trial failed."), "\(outcome.output)")
    }

    @Test(
      "says what a role without the right to make temporary tables lacks, and a role without a schema of its own"
    )
    func rights() throws {
      let role = "weak_\(UUID().uuidString.prefix(8).lowercased())"
      let link = try PostgreSQLConnection.open(url)
      let database = try link.query("SELECT quote_ident(current_database())").value { try $0.string() }
      _ = try link.execute(
        "CREATE ROLE \(role) LOGIN; REVOKE TEMPORARY ON DATABASE \(database) FROM PUBLIC; CREATE SCHEMA bands AUTHORIZATION \(role)"
      )
      let weak = url.replacing("broker@", with: "\(role)@") + "&schema=bands"
      let outcome = try broker("doctor", weak, in: folder)
      #expect(outcome.status == 1)
      #expect(outcome.output.contains("works    making tables"), "\(outcome.output)\(outcome.error)")
      #expect(outcome.output.contains("FAILS    temporary tables"), "\(outcome.output)")
      let left = try link.query("SELECT count(*) FROM pg_class WHERE relname LIKE 'broker_doctor%'")
      #expect(try left.field(0, 0).anyInteger() == 0)
    }

    @Test("says only once that a role may make no tables")
    func noTables() throws {
      let role = "weak_\(UUID().uuidString.prefix(8).lowercased())"
      _ = try PostgreSQLConnection.open(url).execute("CREATE ROLE \(role) LOGIN")
      let weak = url.replacing("broker@", with: "\(role)@") + "&schema=nowhere"
      let outcome = try broker("doctor", weak, in: folder)
      #expect(outcome.status == 1)
      #expect(
        outcome.output.contains("or another that the address names by ?schema=NAME"), "\(outcome.output)")
      #expect(outcome.output.contains("untried  binary COPY"), "\(outcome.output)")
      #expect(outcome.output.contains("No store can be kept there: 1 trial failed."), "\(outcome.output)")
    }

    @Test("a server that is away")
    func away() throws {
      let away = try broker("doctor", "postgresql://me:hunter2@127.0.0.1:9/bands", in: folder)
      #expect(away.status == 1)
      #expect(
        away.error.contains("There is no connection to postgresql://me@127.0.0.1:9/bands"), "\(away.error)")
    }

    @Test("a file is no server", .onSQLite("about a file"))
    func file() throws {
      let file = try broker("doctor", "bands.sqlite", in: folder)
      #expect(file.status != 0)
      #expect(file.error.contains("postgresql://"), "\(file.error)")
    }
  }
#endif
