import Foundation
import GRDB
import GRDBSQLite

extension Store {
  /// How a transaction ends.
  package enum Ending: Sendable {
    case commit
    case rollback
  }

  /// Runs `body` in a transaction that no other writer can come between.
  ///
  /// Everything is undone if `body` throws or asks for it.
  ///
  /// - Throws: What `body` throws; ``StoreError`` if the store cannot be written, or within another transaction
  ///   of the store, or within a read of a store that has one connection only.
  package func transaction<Result>(
    _ body: (StoreTransaction) throws -> (Result, Ending)
  ) throws -> Result {
    try checkWriterIsFree()
    let connection = try writer.take()
    let result: Result
    do {
      defer { writer.giveBack(connection) }
      result = try write(on: connection, nil, body)
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
  package func read<Result>(_ body: (StoreTransaction) throws -> Result) throws -> Result {
    let ongoing = OngoingAccess.all(of: self)
    search: for access in ongoing {
      switch access.kind {
      case .reading(let transaction): return try body(transaction)
      case .writing: continue
      // An observer wants to see what was committed, not what this thread was reading before.
      case .delivering: break search
      }
    }
    guard state.hasReaders else {
      try checkWriterIsFree()
      let connection = try writer.take()
      defer { writer.giveBack(connection) }
      return try readOnWriter(connection, nil, body)
    }
    // All readers may be waiting for the transaction that this thread is in.
    let connection = try readers.take(isUrgent: !ongoing.isEmpty)
    defer { readers.giveBack(connection) }
    return try read(on: connection, nil, body)
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
    on connection: Connection, _ cancellation: Cancellation?,
    _ body: (StoreTransaction) throws -> (Result, Ending)
  ) throws -> Result {
    try described {
      try connection.access(cancellation) { database in
        let handle = try Self.handle(database)
        if try state.hasTables(database) { try prepareRecording(handle, connection.cache) }
        var changes: ObjectChanges?
        var hasCommitted = false
        let result = try connection.transaction("BEGIN IMMEDIATE", on: handle, cancellation) {
          let isFresh = try createTablesIfNeeded(database)
          if journalsLocalChanges { try database.execute(sql: Journal.definition) }
          if isChanged { try StoreOpening.remember(description, database) }
          let transaction = StoreTransaction(handle, connection.cache, layout, isFresh: isFresh)
          let mark = connection.cache.log.begin(on: handle)
          defer {
            connection.cache.log.end()
            transaction.end()
          }
          let (result, ending) = try OngoingAccess.run(self, .writing, usesWriter: true) {
            try body(transaction)
          }
          hasCommitted = ending == .commit
          if hasCommitted {
            try transaction.makeIndexes()
            changes = try self.changes(of: transaction, since: mark)
          }
          return (result, ending)
        }
        if let changes { delivery.post(changes) }
        if hasCommitted { state.switchToWAL(database, connection) }
        return result
      }
    }
  }

  func read<Result>(
    on connection: Connection, _ cancellation: Cancellation?, usesWriter: Bool = false,
    _ body: (StoreTransaction) throws -> Result
  ) throws -> Result {
    try described {
      try connection.access(cancellation) { database in
        let handle = try Self.handle(database)
        let transaction = StoreTransaction(handle, connection.cache, layout, isReadOnly: usesWriter)
        return try connection.transaction("BEGIN", on: handle, cancellation) {
          defer { transaction.end() }
          let result = try OngoingAccess.run(self, .reading(transaction), usesWriter: usesWriter) {
            try body(transaction)
          }
          return (result, .rollback)
        }
      }
    }
  }

  func readOnWriter<Result>(
    _ connection: Connection, _ cancellation: Cancellation?, _ body: (StoreTransaction) throws -> Result
  ) throws -> Result {
    let hasTables = try described { try connection.access(cancellation) { try state.hasTables($0) } }
    guard hasTables else {
      // A store that nothing was ever written to reads as an empty one.
      let empty = try Store(path: ":memory:", model: model)
      _ = try empty.transaction { _ in ((), .commit) }
      return try empty.read { transaction in
        try OngoingAccess.run(self, .reading(transaction), usesWriter: true) { try body(transaction) }
      }
    }
    return try read(on: connection, cancellation, usesWriter: true, body)
  }

  private static func handle(_ database: Database) throws -> OpaquePointer {
    guard let handle = database.sqliteConnection else { throw StoreError.closed }
    return handle
  }

  /// Runs `body` and turns the errors of SQLite into the store's.
  private func described<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as StoreError where error.isReadOnly {
      throw StoreError(.readOnly(path: path))
    } catch let error as DatabaseError {
      if error.resultCode == .SQLITE_READONLY { throw StoreError(.readOnly(path: path)) }
      throw StoreError.sqlite(
        error.extendedResultCode.rawValue, message: error.message ?? "", sql: error.sql ?? "")
    }
  }

  // MARK: - Tables

  /// Creates the tables of a new store; the indexes follow. True if there were none.
  private func createTablesIfNeeded(_ database: Database) throws -> Bool {
    guard try !state.hasTables(database) else { return false }
    try checkFileIsInPlace(database)
    for statement in TableDefinitions(layout: layout).tables {
      try database.execute(sql: statement)
    }
    try StoreOpening.remember(description, database)
    return true
  }

  /// Someone else may have removed the file after its first import failed, while this one was waiting to
  /// write to it. What is written to a removed file is lost.
  private func checkFileIsInPlace(_ database: Database) throws {
    var hasMoved: Int32 = 0
    sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    guard hasMoved == 0 else {
      throw StoreError(.unreadable(path: path, why: "another program has just removed it; try again"))
    }
  }
}
