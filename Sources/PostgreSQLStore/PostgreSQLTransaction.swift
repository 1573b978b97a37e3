#if PostgreSQL
  import Foundation
  import ObjectModel
  package import ObjectStore
  import PostgreSQLClient
  package import UnitOfWork

  /// A transaction on a server, with a working copy of the rows that it needs.
  package final class PostgreSQLTransaction: WorkingTransaction {
    package let layout: Layout
    package var isImport = false
    package let state: IdentityMap
    let session: ServerSession
    let portals: ServerPortals
    let upcoming = ReadAhead()
    /// How many times anything was written or undone.
    private(set) var writeCount = 0
    /// Another number once a row was written.
    package var changeCount: Int64 { otherChanges + session.changes.total }
    /// How many times something was written that is no object.
    private var otherChanges: Int64 = 0
    /// What layers above keep; it goes with the transaction.
    package var keptObjects: [ObjectIdentifier: AnyObject] = [:]
    let stored: ServerRows
    private let bulk: ServerBulkRows?
    private var isOver = false
    private let isReadOnly: Bool
    /// The connection, for what does not look for objects.
    var connection: PostgreSQLConnection { get throws { try session.idle() } }
    private var savepoints = 0

    init(_ session: ServerSession, isReadOnly: Bool) {
      layout = session.tables.layout
      self.isReadOnly = isReadOnly
      self.session = session
      portals = ServerPortals(session)
      let stored = ServerRows(session)
      self.stored = stored
      bulk = isReadOnly ? nil : ServerBulkRows(session, stored)
      state = IdentityMap(layout, stored)
    }

    package func checkIsOngoing() throws {
      if isOver {
        throw StoreError.invalid("The transaction has ended; it is there for its closure only.")
      }
    }

    func checkReading() throws { if let failure = stored.failure { throw failure } }

    // MARK: - Fetching and writing

    package var bulkRows: (any BulkRows)? { bulk }
    package var fetchesTogether: Bool { true }
    package var ruledBatchSize: BatchSize? { session.sizes.ruledBatch }
    package func fetch(_ rows: PrefetchRequest) { stored.fetch(rows) }

    /// Writes what was changed.
    package func recordsWereWritten() throws {
      try checkReading()
      // What was read for one batch is not kept for the next, so that it does not fill the memory, but for small tables.
      defer { stored.forgetBatch() }
      guard state.hasChanges else { return }
      writeCount += 1
      otherChanges += 1
      do {
        try ServerChanges(session: session, stored: stored).write(state)
      } catch {
        stored.forget()
        throw error
      }
      state.forgetChanges()
    }

    func finish() throws {
      try bulk?.settle(checksReferences: false)
      try recordsWereWritten()
      // Tables that were made get their keys.
      _ = try session.lookingUp()
      try session.dropStaging()
    }

    /// Writes what was changed, so that statements find it.
    func writeChanges() throws {
      try checkReading()
      try bulk?.settle(checksReferences: false)
      if state.hasChanges { try recordsWereWritten() }
      _ = try session.lookingUp()
    }

    /// Ends what holds the connection. Who kept the transaction can do nothing more with it.
    func end() {
      session.end()
      isOver = true
      keptObjects = [:]
    }

    package func noteObjects() throws -> any ObjectSetSnapshot { try ServerObjectSetSnapshot(session) }

    package var hasValueLimits: Bool { true }

    package func lock(_ entities: Set<Int>) throws {
      let locked = try session.lock(entities)
      guard !locked.isEmpty else { return }
      // What was read before may have been changed by others until the lock was there. What was changed here was changed of
      // what was read, so it is written first.
      if state.hasChanges { try recordsWereWritten() }
      stored.forget(numbersOf: locked)
    }

    // MARK: - What is remembered

    package func remembered(under key: String) throws -> String? {
      let rows = try connection.query(
        prepared: "SELECT value FROM \(session.tables.metadata) WHERE key = $1", .text(key))
      return rows.count == 0 ? nil : try rows.field(0, 0).string()
    }

    package func remember(_ text: String, under key: String) throws {
      try checkWriting()
      try session.lockHistory()
      _ = try connection.query(
        prepared:
          "INSERT INTO \(session.tables.metadata) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = $2",
        .text(key), .text(text))
    }

    package func remember(_ record: ImportRecord, number: Int64?) throws -> Int64 {
      try checkWriting()
      try session.lockHistory()
      let last = try connection.query("SELECT max(number) FROM \(session.tables.imports)").value {
        $0.isNull ? 0 : try $0.int8()
      }
      let written = number ?? last + 1
      let text = try JSONEncoder().encode(record)
      _ = try connection.query(
        prepared:
          "INSERT INTO \(session.tables.imports) VALUES ($1, $2) ON CONFLICT (number) DO UPDATE SET record = $2",
        .int8(written), .text(String(decoding: text, as: UTF8.self)))
      _ = try connection.query(
        prepared: "DELETE FROM \(session.tables.imports) WHERE number <= $1",
        .int8(written - Int64(ImportRecord.most)))
      return written
    }

    package func importHistory() throws -> [ImportRecord] {
      let rows = try connection.query("SELECT record FROM \(session.tables.imports) ORDER BY number DESC")
      return try (0..<rows.count).map { row in
        try JSONDecoder().decode(ImportRecord.self, from: Data(try rows.field(row, 0).text()))
      }
    }

    package func forgetImports() throws {
      try checkWriting()
      try session.lockHistory()
      _ = try connection.execute("DELETE FROM \(session.tables.imports)")
    }

    // MARK: - Writing

    package func atomically<Result>(_ body: () throws -> Result) throws -> Result {
      savepoints += 1
      let name = "broker_\(savepoints)"
      try bulk?.settle(checksReferences: false)
      try recordsWereWritten()
      _ = try session.idle()
      let (before, known, lastPortal) = (state.contents, session.savedState, portals.last)
      _ = try connection.execute("SAVEPOINT \(name)")
      do {
        let result = try body()
        try bulk?.settle(checksReferences: false)
        _ = try connection.execute("RELEASE SAVEPOINT \(name)")
        return result
      } catch {
        session.abandonCopy()
        _ = try connection.execute("ROLLBACK TO SAVEPOINT \(name)")
        state.restore(before)
        session.restore(known)
        bulk?.forgetStaging()
        stored.forget()
        stored.forgetPendingLinks()
        portals.forget(after: lastPortal)
        writeCount += 1
        throw error
      }
    }

    package func batchWriter(
      _ policy: WritePolicy, continuing former: (any ChunkState)?
    ) throws -> any BatchWriter {
      try checkWriting()
      try bulk?.settle(checksReferences: false)
      try recordsWereWritten()
      bulk?.begin()
      return WorkingWriter(self, policy, continuing: former as? WorkingWriterState)
    }

    func checkWriting() throws {
      if isReadOnly { throw StoreError.readOnlyTransaction }
    }
  }
#endif
