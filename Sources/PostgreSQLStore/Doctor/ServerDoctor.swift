#if PostgreSQL
  import Foundation
  package import ObjectStore
  import PostgreSQLClient
  import UnitOfWork

  /// Tries on a server, by two connections and in a schema of its own, what a store needs.
  package final class ServerDoctor {
    private let address: DatabaseAddress
    private let isCancelled: @Sendable () -> Bool
    private var first: PostgreSQLConnection
    private var second: PostgreSQLConnection
    private var report: ServerReport
    /// The schema of the trials, and whether it was made for them.
    private let schema: String
    private var isOwnSchema = true
    private let mark = UUID().uuidString.prefix(8).lowercased()
    /// Whether a table could be made, which most of the trials need.
    private var hasTables = false
    /// What earlier doctors had left that were ended before they could remove it.
    private var removed: [String] = []
    /// Whether the server could not be reached again.
    private var isAway = false
    /// Whether a lock of a session stays with it.
    private var hasOneSession = false

    /// Opens two connections.
    ///
    /// - Throws: ``StoreError`` if the server cannot be reached.
    package init(_ address: DatabaseAddress, isCancelled: @escaping @Sendable () -> Bool) throws {
      (self.address, self.isCancelled) = (address, isCancelled)
      do {
        first = try Self.open(address, isCancelled)
        second = try Self.open(address, isCancelled)
        let link = first
        report = ServerReport(
          server: try link.expectingFirstAnswer {
            try link.query("SELECT version()").value { try $0.string() }
          })
        let mayMakeSchemas = try link.expectingFirstAnswer {
          try link.query("SELECT has_database_privilege(current_database(), 'CREATE')").value {
            try $0.bool()
          }
        }
        isOwnSchema = mayMakeSchemas
        schema = mayMakeSchemas ? "broker_doctor_\(mark)" : address.schema
      } catch {
        throw ServerFailure(address).described(error)
      }
    }

    private static func open(
      _ address: DatabaseAddress, _ isCancelled: @escaping @Sendable () -> Bool
    ) throws -> PostgreSQLConnection {
      var options = PostgreSQLConnectionOptions(applicationName: "broker doctor")
      if let silence = address.settings.silence {
        options.connectTimeout = min(options.connectTimeout, Int(silence.components.seconds))
      }
      let link = try PostgreSQLConnection.open(
        of: address, options: options, isCancelled: isCancelled)
      try link.expectingFirstAnswer { _ = try link.execute("SET client_min_messages = warning") }
      // A pooler may tell another number of the process than the server has.
      link.silenceCheck = ServerProbe(address, process: nil).silenceCheck
      return link
    }

    /// The name of a table of the trials.
    private func table(_ name: String) -> String {
      "\(SQL.quoted(schema)).\(SQL.quoted("broker_doctor_\(mark)_\(name)"))"
    }

    // MARK: - Running

    /// - Throws: `CancellationError`; ``StoreError`` where no table can be made at all.
    package func run() throws -> ServerReport {
      defer {
        first.close()
        second.close()
      }
      do {
        try sessions()
        try encoding()
        try definitions()
        try transactions()
        try locks()
        try values()
        try others()
      } catch {
        if !isAway { _ = remove() }
        throw error
      }
      let left = remove().map { "\(remains) Found: \($0)." }
      let former =
        removed.isEmpty
        ? nil
        : "Removed too, since an earlier doctor was ended before it could: \(removed.joined(separator: ", "))."
      let words = [left, former].compactMap(\.self)
      report.trials.append(
        .init(
          "removing what was tried", left == nil ? .works : .missing,
          words.isEmpty ? nil : words.joined(separator: " ")))
      return report
    }

    /// Notes the result of a trial. A transaction that it leaves open is undone.
    ///
    /// - Parameters:
    ///   - without: The meaning for stores if it does not work.
    ///   - isNeeded: Whether no store can be kept without it.
    ///   - body: Gives what was found instead, or nil if it works.
    private func `try`(
      _ name: String, without: String, isNeeded: Bool = true, makesTables: Bool = false,
      _ body: () throws -> String?
    ) throws {
      var found: String?
      var isUntried = false
      do {
        found = try body()
      } catch let error as PostgreSQLError {
        found = "\(error)"
        isUntried = !makesTables && !hasTables && (error.isMissingTable || error.isMissingSchema)
      } catch let error as PostgreSQLDataError {
        found = "\(error)"
      }
      if isCancelled() { throw CancellationError() }
      try settle()
      guard !isUntried else {
        report.trials.append(.init(name, .untried, "It takes a table, and none could be made."))
        return
      }
      let meaning = found.map { "\(without) Found: \($0.replacing("\n", with: "; "))." }
      report.trials.append(.init(name, found == nil ? .works : isNeeded ? .fails : .missing, meaning))
    }

    private func settle() throws {
      do {
        for link in [first, second] where !link.isBroken && link.transactionStatus != .idle {
          _ = try link.execute("ROLLBACK")
        }
        if first.isBroken { first = try Self.open(address, isCancelled) }
        if second.isBroken { second = try Self.open(address, isCancelled) }
      } catch {
        isAway = true
        throw ServerFailure(address).described(error)
      }
    }

    /// The words for trials that stay on the server.
    private var remains: String {
      isOwnSchema
        ? "The schema \(schema) is left: remove it."
        : "Tables called broker_doctor_\(mark)_… are left: remove them."
    }

    /// Removes the tables of the trials, and gives the error if they stay.
    private func remove() -> String? {
      first.isCancelled = { false }
      second.isCancelled = { false }
      do {
        // Whoever has interrupted the doctor does not wait for a server that is silent.
        let time = Duration.seconds(isCancelled() ? 2 : 600)
        let links = (first, second)
        try links.0.expectingAnswer(within: time) {
          try links.1.expectingAnswer(within: time) { try settle() }
        }
        let statement =
          isOwnSchema
          ? "DROP SCHEMA IF EXISTS \(SQL.quoted(schema)) CASCADE"
          : "DROP TABLE IF EXISTS \(Self.parts.map { table($0) }.joined(separator: ", "))"
        let link = first
        _ = try link.expectingAnswer(within: time) { try link.execute(statement) }
        return nil
      } catch {
        return "\(error)".replacing("\n", with: "; ")
      }
    }

    // MARK: - What others have left

    /// The tables of the trials.
    private static let parts = ["t", "u", "large"]

    /// The key of the lock that a doctor has as long as it is at work.
    private static func lock(_ mark: some StringProtocol) -> String { "broker_doctor_at_work_\(mark)" }

    /// Removes what is certainly a doctor's that was ended before it could do so: it has such a name, is the role's own, has
    /// nothing in it but tables of trials, and no doctor that is at work has its lock.
    private func removeRemains() throws {
      let link = first
      // Tells other doctors that this one is at work, until its session ends.
      _ = try second.query("SELECT pg_advisory_lock(hashtextextended($1, 0))", .text(Self.lock(mark)))
      // A server whose locks do nothing does not tell who is at work.
      guard try !isFree(Self.lock(mark), link) else { return }
      let found = try link.query(
        isOwnSchema
          ? """
          SELECT right(n.nspname, 8) FROM pg_namespace n
          WHERE n.nspname ~ '^broker_doctor_[0-9a-f]{8}$'
            AND n.nspowner = (SELECT oid FROM pg_roles WHERE rolname = current_user)
            AND NOT EXISTS (SELECT FROM pg_class c WHERE c.relnamespace = n.oid
              AND (c.relkind NOT IN ('r', 'i') OR NOT starts_with(c.relname, n.nspname || '_')))
            AND NOT EXISTS (SELECT FROM pg_proc p WHERE p.pronamespace = n.oid) ORDER BY 1
          """
          : """
          SELECT DISTINCT substr(c.relname, 15, 8) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
          WHERE n.nspname = \(SQL.literal(schema)) AND c.relkind = 'r'
            AND c.relname ~ '^broker_doctor_[0-9a-f]{8}_(t|u|large)$'
            AND c.relowner = (SELECT oid FROM pg_roles WHERE rolname = current_user) ORDER BY 1
          """)
      let marks = try (0..<found.count).map { try found.field($0, 0).string() }
      for mark in marks where try mark != self.mark && isFree(Self.lock(mark), link) {
        let name = "broker_doctor_\(mark)"
        let place = SQL.quoted(isOwnSchema ? name : schema)
        let tables = Self.parts.map { "\(place).\(SQL.quoted("\(name)_\($0)"))" }.joined(separator: ", ")
        do {
          // Others may depend on it: then it stays.
          _ = try link.execute(
            "DROP TABLE IF EXISTS \(tables)" + (isOwnSchema ? "; DROP SCHEMA \(place)" : ""))
          removed.append(name)
        } catch let error as PostgreSQLError where !error.isConnectionLost {
          continue
        }
      }
    }

    /// Whether no other session has a lock.
    private func isFree(_ key: String, _ link: PostgreSQLConnection) throws -> Bool {
      let isFree = try link.query("SELECT pg_try_advisory_lock(hashtextextended($1, 0))", .text(key)).value {
        try $0.bool()
      }
      if isFree { _ = try link.query("SELECT pg_advisory_unlock(hashtextextended($1, 0))", .text(key)) }
      return isFree
    }

    private func number(_ link: PostgreSQLConnection, _ sql: String) throws -> Int64 {
      try link.query(sql).value { try $0.anyInteger() }
    }

    private func unless(_ holds: Bool, _ found: String) -> String? { holds ? nil : found }

    // MARK: - Trials

    private func sessions() throws {
      try self.try(
        "one session for each connection",
        without:
          "A pooler gives each transaction another session: connect to the server itself, or pool sessions."
      ) {
        var processes: Set<Int64> = []
        for _ in 0..<3 {
          _ = try first.execute("BEGIN")
          processes.insert(try number(second, "SELECT pg_backend_pid()::bigint"))
          _ = try first.execute("COMMIT")
          processes.insert(try number(second, "SELECT pg_backend_pid()::bigint"))
        }
        hasOneSession = processes.count == 1
        return unless(hasOneSession, "\(processes.count) sessions of one connection")
      }
      try self.try(
        "statements that are prepared", without: "Broker prepares statements and executes them again."
      ) {
        let sum = try first.query(prepared: "SELECT $1::bigint + 1", .int8(1)).value { try $0.int8() }
        let again = try first.query(prepared: "SELECT $1::bigint + 1", .int8(2)).value { try $0.int8() }
        return unless(sum == 2 && again == 3, "another result")
      }
    }

    private func encoding() throws {
      try self.try("texts in UTF-8", without: "Not all texts fit: create a database with ENCODING 'UTF8'.") {
        let name = first.parameter("server_encoding") ?? "none"
        return unless(name == "UTF8", name)
      }
      try self.try(
        "letters of all scripts (ICU)",
        without: "Conditions that ignore case are evaluated by Broker, on the rows that come.",
        isNeeded: false
      ) {
        try unless(
          number(
            first,
            "SELECT count(*) FROM pg_collation WHERE collname = '\(ServerFolding.collation)'") > 0,
          "no collation \(ServerFolding.collation)")
      }
    }

    private func definitions() throws {
      let right =
        isOwnSchema
        ? ""
        : " The role may make no schemas. So the schema \(SQL.quoted(schema)), or another that the address names by"
          + " ?schema=NAME, has to be there and to let it make tables."
      try self.try("making tables", without: "No store can be made.\(right)", makesTables: true) {
        if hasOneSession { try removeRemains() }
        if isOwnSchema { _ = try first.execute("CREATE SCHEMA \(SQL.quoted(schema))") }
        _ = try first.execute(
          """
          CREATE TABLE \(table("t")) (k bigint PRIMARY KEY, v text COLLATE "C", n numeric, d timestamptz, b bytea, u uuid);
          CREATE INDEX ON \(table("t")) (v)
          """)
        hasTables = true
        return nil
      }
      try self.try(
        "making tables in a transaction", without: "Stores are made and migrated whole, or not at all."
      ) {
        _ = try first.execute(
          "BEGIN; CREATE TABLE \(table("u")) (k bigint); ALTER TABLE \(table("t")) ADD COLUMN w bigint; ROLLBACK"
        )
        let rows = try number(
          first,
          """
          SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
          LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'w' AND NOT a.attisdropped
          WHERE n.nspname = \(SQL.literal(schema)) AND (c.relname LIKE '%\(mark)!_u' ESCAPE '!' OR a.attname IS NOT NULL)
          """)
        return unless(rows == 0, "a table is left of what was rolled back")
      }
      try self.try("temporary tables", without: "Imports stage their rows there.") {
        _ = try first.execute(
          "BEGIN; CREATE TEMP TABLE broker_stage (k bigint) ON COMMIT DROP; INSERT INTO broker_stage VALUES (1)"
        )
        let count = try number(first, "SELECT count(*) FROM pg_temp.broker_stage")
        _ = try first.execute("COMMIT")
        return unless(count == 1, "\(count) rows of one")
      }
    }

    private func transactions() throws {
      try self.try("savepoints", without: "What goes wrong within an import could not be undone alone.") {
        _ = try first.execute(
          """
          BEGIN; INSERT INTO \(table("t")) (k) VALUES (1); SAVEPOINT s; INSERT INTO \(table("t")) (k) VALUES (2);
          ROLLBACK TO SAVEPOINT s; RELEASE SAVEPOINT s; COMMIT
          """)
        let count = try number(first, "SELECT count(*) FROM \(table("t"))")
        return unless(count == 1, "\(count) rows of one")
      }
      try self.try("reading the state of one moment", without: "An export could show half of an import.") {
        _ = try first.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        let before = try number(first, "SELECT count(*) FROM \(table("t"))")
        _ = try second.execute("INSERT INTO \(table("t")) (k) VALUES (3)")
        let after = try number(first, "SELECT count(*) FROM \(table("t"))")
        return unless(before == after, "what another session committed meanwhile")
      }
      try self.try("cursors", without: "Exports could not run in constant memory.") {
        _ = try first.execute(
          "BEGIN; DECLARE broker_cursor NO SCROLL CURSOR FOR SELECT i FROM generate_series(1, 1000) i")
        let page = try first.query("FETCH 10 FROM broker_cursor", PostgreSQLParameters())
        let next = try first.query("FETCH 10 FROM broker_cursor", PostgreSQLParameters())
        return try unless(
          page.count == 10 && next.field(0, 0).anyInteger() == 11, "other rows than were asked for")
      }
      try self.try("one transaction of 50 MB", without: "An import is one transaction, however large.") {
        _ = try first.execute("BEGIN; CREATE TABLE \(table("large")) (k bigint, v text)")
        let writer = try first.copyIn("COPY \(table("large")) FROM STDIN (FORMAT binary)")
        let block = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
        for key in 0..<500 as Range<Int64> {
          writer.beginRow()
          writer.append(int8: key)
          try block.withUnsafeBufferPointer { try writer.append(text: $0) }
          try writer.endRow()
        }
        _ = try writer.finish()
        _ = try first.execute("COMMIT")
        let count = try number(second, "SELECT count(*) FROM \(table("large"))")
        return unless(count == 500, "\(count) rows of 500")
      }
    }

    private func locks() throws {
      try self.try(
        "advisory locks",
        without: "Writers would not wait for each other, and two imports could write the same objects."
      ) { try isExcluded { "SELECT pg_advisory_xact_lock(hashtextextended('broker_doctor_\(mark)', 0))" } }
      try self.try("locks of tables", without: "A migration could not have the store alone.") {
        _ = try first.execute("BEGIN; LOCK TABLE \(table("t")) IN ACCESS SHARE MODE")
        return try waits { "LOCK TABLE \(table("t")) IN ACCESS EXCLUSIVE MODE" }
      }
      try self.try("who has a lock", without: "Messages cannot say who is waited for.", isNeeded: false) {
        _ = try first.execute("BEGIN; LOCK TABLE \(table("t")) IN ACCESS EXCLUSIVE MODE")
        let count = try number(
          second,
          "SELECT count(*) FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE l.granted AND a.pid = \(first.processID)"
        )
        return unless(count > 0, "nobody")
      }
      try self.try("cancelling a statement", without: "Ctrl-C would wait until a statement has ended.") {
        let start = ContinuousClock.now
        let former = first.isCancelled
        first.isCancelled = { ContinuousClock.now - start > .milliseconds(200) }
        defer { first.isCancelled = former }
        do {
          _ = try first.execute("SELECT pg_sleep(10)")
        } catch is CancellationError {}
        return unless(ContinuousClock.now - start < .seconds(5), "it ran on")
      }
    }

    /// Whether a statement that locks keeps another transaction from the same until it ends.
    private func isExcluded(_ statement: () -> String) throws -> String? {
      _ = try first.execute("BEGIN")
      _ = try first.query(statement())
      if let found = try waits(statement) { return found }
      _ = try second.execute("ROLLBACK")
      _ = try first.execute("ROLLBACK")
      _ = try second.execute("BEGIN; SET LOCAL lock_timeout = '5s'")
      _ = try second.query(statement())
      return nil
    }

    /// Whether the other session waits for a lock, until its time is up.
    private func waits(_ statement: () -> String) throws -> String? {
      _ = try second.execute("BEGIN; SET LOCAL lock_timeout = '200ms'")
      do {
        _ = try second.query(statement())
        return "two transactions have the same lock"
      } catch let error as PostgreSQLError where error.isLockTimeout {
        return nil
      }
    }

    private func values() throws {
      try self.try("binary COPY", without: "Imports and large changes are sent so.") {
        _ = try first.execute("BEGIN; DELETE FROM \(table("t"))")
        let writer = try first.copyIn("COPY \(table("t")) (k, v, n, d) FROM STDIN (FORMAT binary)")
        writer.beginRow()
        writer.append(int8: 7)
        try writer.append(text: "Straße")
        try ColumnForm.decimal.append(Value(text: "1.10"), to: writer)
        try ColumnForm.date.append(Value(text: "1981-11-13 20:15:00.5"), to: writer)
        try writer.endRow()
        _ = try writer.finish()
        let rows = try first.query(
          "SELECT v, n::text, to_char(d AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') FROM \(table("t")) WHERE k = 7"
        )
        let found = try (0..<3).map { try rows.field(0, $0).string() }
        return unless(found == ["Straße", "1.10", "1981-11-13 20:15:00.500"], found.joined(separator: ", "))
      }
      try self.try(
        "INSERT … ON CONFLICT, and lists as arguments",
        without: "What is remembered of a store is written so."
      ) {
        _ = try first.execute("BEGIN; DELETE FROM \(table("t"))")
        for value in ["a", "b"] {
          _ = try first.query(
            "INSERT INTO \(table("t")) (k, v) VALUES (1, $1) ON CONFLICT (k) DO UPDATE SET v = $1",
            .text(value))
        }
        let count = try first.query(
          "SELECT count(*) FROM \(table("t")) WHERE v = 'b' AND k = ANY ($1)",
          PostgreSQLParameters(array: [1, 2])
        ).value { try $0.anyInteger() }
        return unless(count == 1, "\(count) rows of one")
      }
      try self.try("texts in the order of their bytes", without: "Exports would have another order.") {
        let order = try first.query(
          #"SELECT string_agg(v, '' ORDER BY v COLLATE "C") FROM unnest(ARRAY['b', 'B', 'á', 'a']) v"#
        ).value { try $0.string() }
        return unless(order == "Babá", order)
      }
    }

    private func others() throws {
      try self.try(
        "LISTEN and NOTIFY", without: "Observers are not told of what other programs commit.", isNeeded: false
      ) {
        _ = try first.execute("LISTEN broker_doctor_\(mark)")
        _ = try second.query("SELECT pg_notify($1, 'news')", .text("broker_doctor_\(mark)"))
        let found = try first.waitForNotifications(timeout: .seconds(5))
        _ = try first.execute("UNLISTEN *")
        return unless(found.contains { $0.payload == "news" }, "no notification within 5 seconds")
      }
      try self.try("MERGE", without: "Broker does without it today.", isNeeded: false) {
        _ = try first.execute(
          """
          BEGIN; MERGE INTO \(table("t")) t USING (SELECT 1::bigint AS k) s ON t.k = s.k
          WHEN NOT MATCHED THEN INSERT (k) VALUES (s.k)
          """)
        return nil
      }
      try self.try(
        "the place in the server's log", without: "Reads cannot go to replicas (reads:).", isNeeded: false
      ) {
        _ = try first.query("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint")
        return nil
      }
      try self.try(
        "tables on several servers (Citus)", without: "broker distribute cannot be used.", isNeeded: false
      ) {
        let catalog = CitusCatalog(connection: first, schema: schema)
        return try unless(catalog.isThere(), "no extension citus in this database")
      }
    }
  }
#endif
