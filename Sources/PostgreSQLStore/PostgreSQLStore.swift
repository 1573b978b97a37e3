#if PostgreSQL
  import Foundation
  package import ObjectModel
  package import ObjectStore
  import PostgreSQLClient
  package import WorkingCopy

  /// A store in a schema of a PostgreSQL database.
  package final class PostgreSQLStore: StoreEngine {
    package let layout: Layout
    package let functions: MappingFunctions
    package let checks: [ValueCheck.Place: ValueCheck] = [:]
    package let mayBeShared = true
    package let batchSize: BatchSize
    private let url: String
    private let schema: String
    private let tables: ServerTables
    private let idle = Guarded<[PostgreSQLConnection]>([])

    /// - Parameters:
    ///   - url: Where the database is, as libpq takes it.
    ///   - schema: The schema of the store. It is made if it is not there.
    package init(
      url: String, schema: String = "broker", model: Model, mapping: JSONMapping? = nil,
      batchSize: BatchSize = BatchSize()
    ) throws {
      (self.url, self.schema, self.batchSize) = (url, schema, batchSize)
      layout = Layout(try Schema(try mapping?.applied(to: model) ?? model))
      guard layout.tables.allSatisfy({ $0.search == nil }) else {
        throw WorkingRefusal.error("full-text search")
      }
      functions = mapping?.functions ?? MappingFunctions()
      tables = ServerTables(layout)
    }

    private func connect() throws -> PostgreSQLConnection {
      let known = idle.withLock { $0.popLast() }
      if let known, !known.isBroken { return known }
      let connection = try PostgreSQLConnection.open(url)
      _ = try connection.execute("SET client_min_messages = warning")
      // Cursors are read to their end. What conditions look for in other tables is found by hashes where there is room.
      _ = try connection.execute("SET cursor_tuple_fraction = 1; SET work_mem = '64MB'")
      _ = try connection.execute("SET search_path = \(SQL.quoted(schema))")
      return connection
    }

    package func transaction<Result>(
      isCancelled: (@Sendable () -> Bool)?,
      _ body: (PostgreSQLTransaction) throws -> (Result, TransactionEnding)
    ) throws -> Result {
      let connection = try connect()
      defer { idle.withLock { $0.append(connection) } }
      if let isCancelled { connection.isCancelled = isCancelled }
      defer { connection.isCancelled = { false } }
      _ = try connection.execute("BEGIN")
      do {
        try prepareTables(connection)
        let transaction = PostgreSQLTransaction(connection, tables, isReadOnly: false)
        let (result, ending) = try body(transaction)
        if isCancelled?() ?? false { throw CancellationError() }
        if ending == .commit { try transaction.finish() }
        _ = try connection.execute(ending == .commit ? "COMMIT" : "ROLLBACK")
        return result
      } catch {
        connection.isCancelled = { false }
        _ = try? connection.execute("ROLLBACK")
        throw error
      }
    }

    /// Makes the tables if they are not there, and locks them: one writes at a time.
    private func prepareTables(_ connection: PostgreSQLConnection) throws {
      _ = try connection.query(
        "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", .text("broker:\(schema)"))
      guard try !areThere(connection) else { return }
      _ = try connection.execute("CREATE SCHEMA IF NOT EXISTS \(SQL.quoted(schema))")
      for statement in tables.statements { _ = try connection.execute(statement) }
    }

    private func areThere(_ connection: PostgreSQLConnection) throws -> Bool {
      !(try connection.query("SELECT to_regclass($1)::text", .text(ServerTables.metadata)).field(0, 0).isNull)
    }

    package func read<Result>(_ body: (PostgreSQLTransaction) throws -> Result) throws -> Result {
      let connection = try connect()
      defer { idle.withLock { $0.append(connection) } }
      _ = try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      defer { _ = try? connection.execute("ROLLBACK") }
      let transaction = PostgreSQLTransaction(
        connection, tables, isReadOnly: true, isEmpty: try !areThere(connection))
      let result = try body(transaction)
      try transaction.checkReading()
      return result
    }
  }

  /// A transaction on a server, with a working copy of the rows that it needs.
  package final class PostgreSQLTransaction: WorkingTransaction {
    package let layout: Layout
    package var isImport = false
    package var state: WorkingState
    let connection: PostgreSQLConnection
    let portals: ServerPortals
    let upcoming = UpcomingRows()
    /// How many times anything was written or undone.
    private(set) var writeCount = 0
    private let tables: ServerTables
    let stored: ServerRows?
    private let isReadOnly: Bool
    private var savepoints = 0

    /// - Parameter isEmpty: Whether the store has no tables yet.
    init(_ connection: PostgreSQLConnection, _ tables: ServerTables, isReadOnly: Bool, isEmpty: Bool = false)
    {
      layout = tables.layout
      (self.connection, self.tables, self.isReadOnly) = (connection, tables, isReadOnly)
      portals = ServerPortals(connection)
      stored = isEmpty ? nil : ServerRows(connection, tables)
      state = WorkingState(layout, stored)
    }

    func checkReading() throws { if let failure = stored?.failure { throw failure } }

    /// Writes what was changed.
    package func recordsWereWritten() throws {
      try checkReading()
      try ServerChanges(connection, tables).write(state)
      state.forgetChanges()
      stored?.forget()
      writeCount += 1
    }

    /// Writes what was changed, if anything was.
    func writeChanges() throws {
      try checkReading()
      if !state.isUnchanged { try recordsWereWritten() }
    }

    func finish() throws { try recordsWereWritten() }

    package func noteObjects() throws -> any NotedObjects { AllObjects() }

    // MARK: - What is remembered

    package func remembered(under key: String) throws -> String? {
      guard stored != nil else { return nil }
      let rows = try connection.query(
        prepared: "SELECT value FROM \(ServerTables.metadata) WHERE key = $1", .text(key))
      return rows.count == 0 ? nil : try rows.field(0, 0).string()
    }

    package func remember(_ text: String, under key: String) throws {
      try checkWriting()
      _ = try connection.query(
        prepared:
          "INSERT INTO \(ServerTables.metadata) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = $2",
        .text(key), .text(text))
    }

    package func remember(_ record: ImportRecord, number: Int64?) throws -> Int64 {
      try checkWriting()
      let field = try connection.query("SELECT max(number) FROM \(ServerTables.imports)").field(0, 0)
      let last = field.isNull ? 0 : try field.int8()
      let written = number ?? last + 1
      let text = try JSONEncoder().encode(record)
      _ = try connection.query(
        prepared:
          "INSERT INTO \(ServerTables.imports) VALUES ($1, $2) ON CONFLICT (number) DO UPDATE SET record = $2",
        .int8(written), .text(String(decoding: text, as: UTF8.self)))
      _ = try connection.query(
        prepared: "DELETE FROM \(ServerTables.imports) WHERE number <= $1",
        .int8(written - Int64(ImportRecord.most)))
      return written
    }

    package func importHistory() throws -> [ImportRecord] {
      guard stored != nil else { return [] }
      let rows = try connection.query("SELECT record FROM \(ServerTables.imports) ORDER BY number DESC")
      return try (0..<rows.count).map { row in
        try JSONDecoder().decode(ImportRecord.self, from: Data(try rows.field(row, 0).text()))
      }
    }

    // MARK: - Writing

    package func atomically<Result>(_ body: () throws -> Result) throws -> Result {
      savepoints += 1
      let name = "broker_\(savepoints)"
      let (before, lastPortal) = (state, portals.last)
      _ = try connection.execute("SAVEPOINT \(name)")
      do {
        let result = try body()
        _ = try connection.execute("RELEASE SAVEPOINT \(name)")
        return result
      } catch {
        _ = try connection.execute("ROLLBACK TO SAVEPOINT \(name)")
        state = before
        stored?.forget()
        portals.forget(after: lastPortal)
        writeCount += 1
        throw error
      }
    }

    package func batchWriter(
      _ policy: WritePolicy, continuing former: (any UnfinishedBatches)?
    ) throws -> any BatchWriter {
      try checkWriting()
      return WorkingWriter(self, policy, continuing: former as? UnfinishedWork)
    }

    private func checkWriting() throws {
      if isReadOnly { throw StoreError.readOnlyTransaction }
    }
  }

  private struct AllObjects: NotedObjects {
    func contains(_ place: Place, _ state: WorkingState) throws -> Bool { true }
  }
#endif
