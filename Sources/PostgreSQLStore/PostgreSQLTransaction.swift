#if PostgreSQL
  import Foundation
  import ObjectModel
  package import ObjectStore
  import PostgreSQLClient
  package import WorkingCopy

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
    let tables: ServerTables
    let stored: ServerRows?
    /// Another number once a row was written.
    package var changeCount: Int64 = 0
    /// What layers above keep; it goes with the transaction.
    package var keptObjects: [ObjectIdentifier: AnyObject] = [:]
    private var isOver = false
    private let isReadOnly: Bool
    private var savepoints = 0

    /// - Parameter tablesAreNew: Whether the tables were made just now.
    init(
      _ connection: PostgreSQLConnection, _ tables: ServerTables, isReadOnly: Bool, tablesAreNew: Bool
    ) {
      layout = tables.layout
      (self.connection, self.tables, self.isReadOnly) = (connection, tables, isReadOnly)
      portals = ServerPortals(connection)
      let stored = ServerRows(connection, tables)
      self.stored = stored
      state = WorkingState(layout, stored)
    }

    func end() {
      isOver = true
      keptObjects = [:]
    }

    package func checkIsOngoing() throws {
      if isOver {
        throw StoreError.invalid("The transaction has ended; it is there for its closure only.")
      }
    }

    func checkReading() throws { if let failure = stored?.failure { throw failure } }

    /// Writes what was changed.
    package func recordsWereWritten() throws {
      try checkReading()
      if !state.isUnchanged { changeCount += 1 }
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
      let rows = try connection.query("SELECT record FROM \(ServerTables.imports) ORDER BY number DESC")
      return try (0..<rows.count).map { row in
        try JSONDecoder().decode(ImportRecord.self, from: Data(try rows.field(row, 0).text()))
      }
    }

    // MARK: - Writing

    package func atomically<Result>(_ body: () throws -> Result) throws -> Result {
      savepoints += 1
      let name = "broker_\(savepoints)"
      let before = state
      _ = try connection.execute("SAVEPOINT \(name)")
      do {
        let result = try body()
        _ = try connection.execute("RELEASE SAVEPOINT \(name)")
        return result
      } catch {
        _ = try connection.execute("ROLLBACK TO SAVEPOINT \(name)")
        state = before
        stored?.forget()
        portals.forgetOutdated()
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

    func checkWriting() throws {
      if isReadOnly { throw StoreError.readOnlyTransaction }
    }
  }

  private struct AllObjects: NotedObjects {
    func contains(_ place: Place, _ state: WorkingState) throws -> Bool { true }
  }
#endif
