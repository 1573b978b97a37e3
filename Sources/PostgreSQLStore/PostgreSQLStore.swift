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
    private let longestWait: Duration?
    private let changesTogether: Int
    private let tables: ServerTables
    private let idle = Guarded<[PostgreSQLConnection]>([])

    /// - Parameters:
    ///   - url: Where the database is, as libpq takes it.
    ///   - schema: The schema of the store. It is made if it is not there.
    ///   - batchSize: How much of an import is written at once.
    ///   - longestWait: How long a transaction waits for others; nil for as long as it takes.
    ///   - changesTogether: From how many changes on a batch is written by a statement for each table.
    package init(
      url: String, schema: String = "broker", model: Model, mapping: JSONMapping? = nil,
      batchSize: BatchSize? = nil, longestWait: Duration? = nil, changesTogether: Int = 200
    ) throws {
      (self.longestWait, self.changesTogether) = (longestWait, changesTogether)
      (self.url, self.schema, self.batchSize) = (url, schema, batchSize ?? .server)
      layout = Layout(try Schema(try mapping?.applied(to: model) ?? model), names: .server)
      try layout.checkServerLimits()
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
      // Memory for temporary tables can only be asked for before the first of them.
      _ = try connection.execute(
        "SET client_min_messages = warning; SET temp_buffers = '64MB'; SET search_path = \(SQL.quoted(schema))"
      )
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
        let areNew = try prepareTables(connection)
        let session = ServerSession(
          connection, tables, ServerLocks(schema: schema, longestWait: longestWait), tablesAreNew: areNew)
        session.changesTogether = changesTogether
        let transaction = PostgreSQLTransaction(session, isReadOnly: false)
        defer { transaction.abandon() }
        let (result, ending) = try body(transaction)
        if isCancelled?() ?? false { throw CancellationError() }
        if ending == .commit { try transaction.finish() }
        _ = try connection.execute(ending == .commit ? "COMMIT" : "ROLLBACK")
        return result
      } catch {
        connection.isCancelled = { false }
        _ = try? connection.execute("ROLLBACK")
        throw Self.explained(error)
      }
    }

    /// What to throw for an error of the server that ends a transaction only because of what others do.
    private static func explained(_ error: any Error) -> any Error {
      let found = (error as? PostgreSQLPipelineError)?.error ?? error as? PostgreSQLError
      guard let found, found.isDeadlock || found.isSerializationFailure else { return error }
      return StoreError.invalid(
        "Others wrote the same objects, and the server gave way to them. Nothing was changed; try again.")
    }

    /// Makes the tables if they are not there. Others wait for that, and nobody else.
    ///
    /// - Returns: Whether they are new. Their keys are missing then.
    private func prepareTables(_ connection: PostgreSQLConnection) throws -> Bool {
      if try areThere(connection) { return false }
      let locks = ServerLocks(schema: schema, longestWait: longestWait)
      try locks.take([locks.key("")], connection)
      guard try !areThere(connection) else { return false }
      _ = try connection.execute("CREATE SCHEMA IF NOT EXISTS \(SQL.quoted(schema))")
      _ = try connection.execute(tables.statements.joined(separator: ";\n"))
      return true
    }

    /// Asks the catalog itself: what a session knows of it may be older than the lock that it just got.
    private func areThere(_ connection: PostgreSQLConnection) throws -> Bool {
      try connection.query(
        prepared: """
          SELECT EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND c.relname = $2)
          """, .text(schema), .text(StoreTable.metadata)
      ).field(0, 0).bool()
    }

    package func read<Result>(_ body: (PostgreSQLTransaction) throws -> Result) throws -> Result {
      let connection = try connect()
      defer { idle.withLock { $0.append(connection) } }
      _ = try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      defer { _ = try? connection.execute("ROLLBACK") }
      let session = ServerSession(connection, tables, nil, tablesAreNew: false)
      let transaction = PostgreSQLTransaction(session, isReadOnly: true, isEmpty: try !areThere(connection))
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
    private let session: ServerSession
    private let stored: ServerRows?
    private let plain: ServerPlainRows?
    private let isReadOnly: Bool
    /// The connection, for what does not look for objects.
    private var connection: PostgreSQLConnection { get throws { try session.idle() } }
    private var savepoints = 0

    /// - Parameter isEmpty: Whether the store has no tables yet.
    init(_ session: ServerSession, isReadOnly: Bool, isEmpty: Bool = false) {
      layout = session.tables.layout
      self.isReadOnly = isReadOnly
      self.session = session
      stored = isEmpty ? nil : ServerRows(session)
      plain = isReadOnly ? nil : stored.map { ServerPlainRows(session, $0) }
      state = WorkingState(layout, stored)
    }

    func checkReading() throws { if let failure = stored?.failure { throw failure } }

    // MARK: - Fetching and writing

    package var plainRows: (any PlainRows)? { plain }
    package var fetchesTogether: Bool { stored != nil }
    package func fetch(_ rows: NeededRows) throws { try stored?.fetch(rows) }

    /// Writes what was changed.
    package func recordsWereWritten() throws {
      try checkReading()
      guard let stored else { return }
      // What was read for one batch is not kept for the next, so that it does not fill the memory.
      defer { stored.forget() }
      guard state.hasChanges else { return }
      try ServerChanges(session: session, stored: stored).write(state)
      state.forgetChanges()
    }

    func finish() throws {
      try plain?.settle(checksReferences: false)
      try recordsWereWritten()
      // Tables that were made get their keys.
      _ = try session.lookingUp()
    }

    /// Ends what holds the connection.
    func abandon() { session.abandonCopy() }

    package func noteObjects() throws -> any NotedObjects { try ServerObjects(session) }

    package var hasValueLimits: Bool { true }

    package func lock(_ entities: Set<Int>) throws {
      // What was read before may have been changed by others until the lock was there.
      let locked = try session.lock(entities)
      if !locked.isEmpty { stored?.forget(numbersOf: locked) }
    }

    // MARK: - What is remembered

    package func remembered(under key: String) throws -> String? {
      guard stored != nil else { return nil }
      let rows = try connection.query(
        prepared: "SELECT value FROM \(ServerTables.metadata) WHERE key = $1", .text(key))
      return rows.count == 0 ? nil : try rows.field(0, 0).string()
    }

    package func remember(_ text: String, under key: String) throws {
      try checkWriting()
      try session.lockHistory()
      _ = try connection.query(
        prepared:
          "INSERT INTO \(ServerTables.metadata) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = $2",
        .text(key), .text(text))
    }

    package func remember(_ record: ImportRecord, number: Int64?) throws -> Int64 {
      try checkWriting()
      try session.lockHistory()
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
      try plain?.settle(checksReferences: false)
      try recordsWereWritten()
      let (before, known) = (state, session.savedState)
      _ = try connection.execute("SAVEPOINT \(name)")
      do {
        let result = try body()
        try plain?.settle(checksReferences: false)
        _ = try connection.execute("RELEASE SAVEPOINT \(name)")
        return result
      } catch {
        session.abandonCopy()
        _ = try connection.execute("ROLLBACK TO SAVEPOINT \(name)")
        state = before
        session.restore(known)
        plain?.forgetStaging()
        stored?.forget()
        stored?.forgetWaitingLinks()
        throw error
      }
    }

    package func batchWriter(
      _ policy: WritePolicy, continuing former: (any UnfinishedBatches)?
    ) throws -> any BatchWriter {
      try checkWriting()
      try plain?.settle(checksReferences: false)
      try recordsWereWritten()
      plain?.begin()
      return WorkingWriter(self, policy, continuing: former as? UnfinishedWork)
    }

    private func checkWriting() throws {
      if isReadOnly { throw StoreError.readOnlyTransaction }
    }
  }

  extension BatchSize {
    /// Some ten thousand rows, so that each statement is worth its journey.
    static var server: BatchSize {
      var size = BatchSize()
      (size.bytes, size.cells) = (4 << 20, 1 << 18)
      return size
    }
  }
#endif
