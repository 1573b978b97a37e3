import Foundation
import GRDB
import GRDBSQLite

extension SQLiteStore {
  /// Runs `body` in a transaction that no other writer can come between.
  ///
  /// Everything is undone if `body` throws or asks for it.
  ///
  /// - Parameter isCancelled: Asked now and then; once it says true, or the task that this is called in is cancelled,
  ///   neither is waited for others nor written.
  /// - Throws: What `body` throws; ``StoreError`` if the store cannot be written, or within another transaction
  ///   of the store, or within a read of a store that has one connection only; `CancellationError`.
  package func transaction<Result>(
    isCancelled: (@Sendable () -> Bool)? = nil,
    _ body: (SQLiteTransaction) throws -> (Result, TransactionEnding)
  ) throws -> Result {
    try checkWriterIsFree()
    let pending = AccessRequest(options, suspension: suspension) {
      Task.isCancelled || isCancelled?() ?? false
    }
    let connection = try writer.take(pending)
    let result: Result
    do {
      defer { writer.giveBack(connection) }
      result = try write(on: connection, pending, body)
    }
    delivery.deliver(self)
    return result
  }

  /// Runs `body` on what the store holds now, whatever others write meanwhile.
  ///
  /// Within another read on the same thread it sees what that one sees; within a transaction, what was committed
  /// before.
  ///
  /// - Throws: What `body` throws; ``StoreError`` if the store cannot be read, or within a transaction of a store
  ///   that has one connection only, as one in memory has.
  package func read<Result>(_ body: (SQLiteTransaction) throws -> Result) throws -> Result {
    let ongoing = OngoingAccess.all(of: self)
    search: for access in ongoing {
      switch access.kind {
      case .reading(let transaction):
        if let transaction = transaction as? SQLiteTransaction { return try body(transaction) }
      case .writing: continue
      // An observer wants to see what was committed, not what this thread was reading before.
      case .delivering: break search
      }
    }
    if state.isBlank { return try readEmpty(body) }
    let pending = AccessRequest(options, suspension: suspension) { Task.isCancelled }
    guard state.hasReaders else {
      try checkWriterIsFree()
      let connection = try writer.take(pending)
      defer { writer.giveBack(connection) }
      return try readOnWriter(connection, pending, body)
    }
    // All readers may be waiting for the transaction that this thread is in.
    let need = ongoing.isEmpty ? ConnectionPurpose.usual : .urgent
    let connection = try readers.take(pending, for: need)
    defer { readers.giveBack(connection, for: need) }
    return try read(on: connection, pending, body)
  }

  /// - Throws: ``StoreError`` if this thread has the connection that writes, and so would wait for itself.
  private func checkWriterIsFree() throws {
    for access in OngoingAccess.all(of: self) where access.usesWriter {
      switch access.kind {
      case .writing:
        throw StoreError.invalid("The store is in a transaction here; use that one, or wait until it ends.")
      case .reading, .delivering:
        throw StoreError.invalid("The store, which has one connection only, is being read here.")
      }
    }
  }

  // MARK: - On a connection

  func write<Result>(
    on connection: Connection, _ pending: AccessRequest,
    _ body: (SQLiteTransaction) throws -> (Result, TransactionEnding)
  ) throws -> Result {
    try described(pending) {
      try connection.access(pending) { database in
        let handle = try Self.handle(database)
        if try state.hasTables(database) { try prepareRecording(handle, connection.cache) }
        var changes: ObjectChanges?
        var (isFresh, wasEmpty, hasCommitted) = (false, false, false)
        // If the commit itself failed, the lock is still there.
        defer { if isFresh, !hasCommitted { state.releaseLock(handle) } }
        let result = try connection.transaction(
          "BEGIN IMMEDIATE", on: handle, pending,
          failedCommit: { state.failedCommit($0, handle, wasEmpty: isFresh && wasEmpty) }
        ) {
          wasEmpty = state.file?.size == 0
          isFresh = try prepareTables(database)
          if !isFresh { try outside.note(handle, connection.cache, self) }
          do {
            if isFresh { state.keepLock(handle) }
            let (result, ending) = try run(body, on: connection, handle, database, isFresh: isFresh, &changes)
            try pending.check()
            if ending == .rollback { state.releaseLock(handle) }
            hasCommitted = ending == .commit
            return (result, ending)
          } catch {
            state.releaseLock(handle)
            throw error
          }
        }
        if let changes, hasCommitted { delivery.post(changes) }
        if hasCommitted { noteCommit(database, connection, handle, isFresh: isFresh) }
        return result
      }
    }
  }

  /// Runs `body` in the transaction that is open.
  private func run<Result>(
    _ body: (SQLiteTransaction) throws -> (Result, TransactionEnding), on connection: Connection,
    _ handle: OpaquePointer,
    _ database: Database, isFresh: Bool, _ changes: inout ObjectChanges?
  ) throws -> (Result, TransactionEnding) {
    let transaction = SQLiteTransaction(handle, database, connection.cache, layout, isFresh: isFresh)
    let mark = connection.cache.log.begin(on: handle)
    defer {
      connection.cache.log.end()
      transaction.end()
    }
    let (result, ending) = try OngoingAccess.run(self, .writing, usesWriter: true) { try body(transaction) }
    if ending == .commit {
      try transaction.makeIndexes()
      try transaction.makeSearch()
      changes = try self.changes(of: transaction, since: mark)
    }
    return (result, ending)
  }

  func read<Result>(
    on connection: Connection, _ pending: AccessRequest, usesWriter: Bool = false,
    _ body: (SQLiteTransaction) throws -> Result
  ) throws -> Result {
    try described(pending) {
      try connection.access(pending) { database in
        let handle = try Self.handle(database)
        let transaction = SQLiteTransaction(
          handle, database, connection.cache, layout, isReadOnly: usesWriter)
        return try connection.transaction("BEGIN", on: handle, pending) {
          defer { transaction.end() }
          try checkVersion(database, handle, connection.cache)
          let result = try OngoingAccess.run(self, .reading(transaction), usesWriter: usesWriter) {
            try body(transaction)
          }
          return (result, .rollback)
        }
      }
    }
  }

  func readOnWriter<Result>(
    _ connection: Connection, _ pending: AccessRequest, _ body: (SQLiteTransaction) throws -> Result
  ) throws -> Result {
    let hasTables = try described(pending) { try connection.access(pending) { try state.hasTables($0) } }
    guard hasTables else { return try readEmpty(body) }
    return try read(on: connection, pending, usesWriter: true, body)
  }

  /// Reads a store that nothing was ever written to.
  func readEmpty<Result>(_ body: (SQLiteTransaction) throws -> Result) throws -> Result {
    let empty = try SQLiteStore(path: ":memory:", model: model)
    _ = try empty.transaction { _ in ((), .commit) }
    return try empty.read { transaction in
      try OngoingAccess.run(self, .reading(transaction), usesWriter: false) { try body(transaction) }
    }
  }

  private static func handle(_ database: Database) throws -> OpaquePointer {
    guard let handle = database.sqliteConnection else { throw StoreError.closed }
    return handle
  }

  /// Runs `body` and turns the errors of SQLite into the store's.
  private func described<Result>(_ pending: AccessRequest, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw described(
        StoreError.sqlite(
          error.extendedResultCode.rawValue, message: error.message ?? "", sql: error.sql ?? ""), pending)
    } catch let error as StoreError {
      throw described(error, pending)
    }
  }

  private func described(_ error: StoreError, _ pending: AccessRequest) -> any Error {
    if error.isReadOnly { return StoreError(.readOnly(path: path)) }
    guard error.isGivingUp else { return error }
    do {
      try pending.checkWait(for: path)
      return error
    } catch {
      return error
    }
  }
}

extension SQLiteStore {
  package func asyncTransaction<Result: Sendable>(
    isolation: isolated (any Actor)?,
    _ body: @Sendable (SQLiteTransaction) throws -> (Result, TransactionEnding)
  ) async throws -> Result {
    try await lend(writer, delivers: true) { try write(on: $0, $1, body) }
  }

  package func asyncRead<Result: Sendable>(
    isLong: Bool, isolation: isolated (any Actor)?,
    _ body: @Sendable (SQLiteTransaction) throws -> Result
  ) async throws -> Result {
    if state.isBlank { return try readEmpty(body) }
    guard state.hasReaders else {
      return try await lend(writer) { try readOnWriter($0, $1, body) }
    }
    return try await lend(readers, for: isLong ? .urgent : .usual) { try read(on: $0, $1, body) }
  }

  /// Runs `body` with the connection that writes, outside a transaction.
  func lendWriter<Result: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: @Sendable (Connection, AccessRequest) throws -> Result
  ) async throws -> Result {
    try await lend(writer, body)
  }

  private func lend<Result: Sendable>(
    _ pool: ConnectionPool<Connection>, delivers: Bool = false, for need: ConnectionPurpose = .usual,
    isolation: isolated (any Actor)? = #isolation,
    _ body: @Sendable (Connection, AccessRequest) throws -> Result
  ) async throws -> Result {
    let access = AccessRequest(options, suspension: suspension)
    return try await withTaskCancellationHandler {
      do {
        try access.check()
        return try await TaskAccess(pool, access, for: need).run { connection in
          let result: Result
          do {
            defer { pool.giveBack(connection, for: need) }
            try access.check()
            result = try body(connection, access)
          }
          if delivers { delivery.deliver(self) }
          return result
        }
      } catch {
        // An interrupted statement says so in SQLite's words.
        try access.check()
        throw error
      }
    } onCancel: {
      access.cancel()
      pool.wake(access)
    }
  }
}

/// How a store finds out what its own transactions change.
extension SQLiteStore {
  /// Makes or takes away the triggers and the hook that tell what is written, so that they are there only while somebody
  /// observes. To be called between transactions.
  func prepareRecording(_ handle: OpaquePointer, _ cache: ConnectionCache) throws {
    let isWanted = delivery.observers.areThere
    guard isWanted != cache.log.isRecording else { return }
    let triggers = ChangeTriggers(layout: layout)
    if isWanted { try ChangeFunction.register(on: handle, cache.log, layout) }
    try cache.statement("BEGIN", on: handle).run()
    do {
      for statement in isWanted ? triggers.creations : triggers.removals {
        try PreparedStatement(statement, on: handle).run()
      }
      try cache.statement("COMMIT", on: handle).run()
    } catch {
      try? cache.statement("ROLLBACK", on: handle).run()
      throw error
    }
    if isWanted {
      cache.log.record(layout)
      ChangeHook.set(on: handle, cache.log)
    } else {
      ChangeHook.remove(from: handle)
      cache.log.stopRecording()
    }
  }

  /// The changes of a transaction at its end; nil if there are none or nobody observes.
  ///
  /// - Parameter mark: The log's mark when it began.
  func changes(of transaction: SQLiteTransaction, since mark: Int64) throws -> ObjectChanges? {
    let log = transaction.cache.log
    guard delivery.observers.areThere, log.hasChanges(since: mark) else { return nil }
    var changes = ObjectChanges(isImport: transaction.isImport)
    let summary = ChangeSummary(transaction: transaction)
    if transaction.isFresh {
      changes.tables = try summary.everything()
    } else if log.isRecording, !log.isUncertain {
      changes.tables = try summary.changes(of: log)
    } else {
      changes.isComplete = false
    }
    return changes.isEmpty ? nil : changes
  }
}
