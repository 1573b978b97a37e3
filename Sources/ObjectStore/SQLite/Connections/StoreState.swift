import GRDB
import GRDBSQLite
import Synchronization

/// What a store finds out about its file.
final class StoreState: Sendable {
  /// Nil for a store in memory or in a temporary file.
  let file: StoreFile?
  private let tables: Atomic<Bool>
  private let wal = Atomic(false)
  /// The version of the tables that the store's model was last compared with.
  private let version: Locked<Int?>
  /// Held from before the file is opened until there are tables in it.
  private let creation = Locked<CreationLock?>(nil)

  /// How what the store remembers differs from what it was opened with.
  private let difference: Locked<StoreDifference>
  /// Whether the next transaction may give the store another version of its model: it was found to be of another one when
  /// it was opened, and nothing was committed since. A difference that shows later comes from another program.
  private let mayMigrate: Atomic<Bool>
  private let committed = Atomic(false)

  init(_ file: StoreFile?, version: Int?, _ difference: StoreDifference, mayMigrate: Bool) {
    self.file = file
    self.difference = Locked(difference)
    self.mayMigrate = Atomic(mayMigrate)
    self.version = Locked(version)
    tables = Atomic(version != nil)
  }

  /// Whether there are connections that only read, beside the one that writes: in a file in WAL mode, nobody
  /// disturbs the other.
  var hasReaders: Bool { file != nil && wal.load(ordering: .relaxed) }

  // MARK: - Tables

  /// Whether nothing was ever committed to the file, as far as can be told without waiting for who does so now.
  var isBlank: Bool { !tables.load(ordering: .relaxed) && file?.isBlank ?? false }

  /// Whether there are tables; nobody takes them away again.
  func hasTables(_ database: Database) throws -> Bool {
    if tables.load(ordering: .relaxed) { return true }
    guard try StoreOpening.hasTables(database) else { return false }
    try noteTables(database)
    return true
  }

  /// To be called once tables are committed.
  func noteTables(_ database: Database) throws {
    tables.store(true, ordering: .relaxed)
    creation.withLock { $0 = nil }
    try noteWAL(database)
  }

  /// Whether the model was compared with the tables of a version.
  func isCompared(with version: Int) -> Bool { self.version.withLock { $0 == version } }

  func noteComparison(with version: Int, _ difference: StoreDifference) {
    self.version.withLock { $0 = version }
    self.difference.withLock { $0 = difference }
  }

  func noteVersion(_ version: Int) { self.version.withLock { $0 = version } }

  /// Whether the store has to remember another model or mapping.
  var needsMemory: Bool { difference.withLock { $0 == .words } }

  var needsMigration: Bool { difference.withLock { $0 == .version } }

  var canMigrate: Bool { mayMigrate.load(ordering: .relaxed) }

  /// To be called once a transaction is committed.
  func noteCommit() {
    mayMigrate.store(false, ordering: .relaxed)
    committed.store(true, ordering: .relaxed)
  }

  /// Whether this store has committed a transaction.
  var hasCommitted: Bool { committed.load(ordering: .relaxed) }

  // MARK: - Creation

  /// Says that the file, which has no tables yet, is about to be opened.
  func beginCreation() {
    guard let file, !tables.load(ordering: .relaxed) else { return }
    creation.withLock { if $0 == nil { $0 = CreationLock(file) } }
  }

  /// Removes a file that this store made and nothing was written to. To be called once all connections are closed.
  func endCreation() {
    creation.withLock { lock in
      lock?.removeEmptyFile()
      lock = nil
    }
  }

  // MARK: - WAL mode

  /// Finds out the mode of a file that was just opened, and sees to it that it is the right one.
  func chooseJournalMode(_ connection: Connection, mayWrite: Bool) throws {
    guard file != nil else { return }
    try connection.access { database in
      if connection.frozen != nil { return wal.store(true, ordering: .relaxed) }
      try noteWAL(database)
      if mayWrite { switchToWAL(database, connection) }
    }
  }

  private func noteWAL(_ database: Database) throws {
    guard file != nil, !wal.load(ordering: .relaxed) else { return }
    wal.store(try String.fetchOne(database, sql: "PRAGMA journal_mode") == "wal", ordering: .relaxed)
  }

  /// Puts the file in WAL mode, unless another connection uses it.
  ///
  /// A new store is filled with an ordinary journal, which writes each page once; WAL would write it twice.
  func switchToWAL(_ database: Database, _ connection: Connection) {
    guard file != nil, !wal.load(ordering: .relaxed) else { return }
    // While another connection uses the file, the switch fails. Then the next one makes it; to wait could be for
    // ever, if the other one waits for the same.
    connection.withoutWaiting {
      // try?: the file keeps its mode, which works too; the next connection tries again.
      guard let mode = try? String.fetchOne(database, sql: "PRAGMA journal_mode = WAL") else { return }
      // Only who has looked into the file in this mode clears away what is beside it in the end.
      // try?: as above.
      guard (try? StoreOpening.hasTables(database)) == true else { return }
      wal.store(mode == "wal", ordering: .relaxed)
    }
  }

  // MARK: - The first transaction

  /// Keeps the lock on the file beyond the commit of the transaction that goes on, so that the file is in WAL mode before
  /// anybody else finds tables in it.
  func keepLock(_ handle: OpaquePointer) {
    guard file != nil else { return }
    sqlite3_exec(handle, "PRAGMA locking_mode = EXCLUSIVE", nil, nil, nil)
  }

  /// Undoes a commit that failed, where SQLite does not, and gives the error that says what is so.
  ///
  /// An ordinary journal is ended before its end is synced: where that sync fails, SQLite takes the commit for failed,
  /// and who opens the file next takes it for done. In a file that held nothing, it is undone by emptying the file, as
  /// long as this connection has it alone.
  ///
  /// - Parameter wasEmpty: Whether the file had no bytes when the transaction began.
  func failedCommit(_ error: StoreError, _ handle: OpaquePointer, wasEmpty: Bool) -> StoreError {
    if file == nil || wal.load(ordering: .relaxed) || !error.isDiskFailure { return error }
    if wasEmpty, Self.empty(handle) { return error }
    return StoreError.uncertainCommit(
      "\(error) That was while the transaction was committed. Whether it is in the store is not known: the same again makes"
        + " sure.")
  }

  /// Removes all bytes of the file that a connection has locked alone; false if it has not, or the disk fails.
  private static func empty(_ handle: OpaquePointer) -> Bool {
    var lock: Int32 = 0
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_LOCKSTATE, &lock) == SQLITE_OK,
      lock == SQLITE_LOCK_EXCLUSIVE,
      sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
      let truncate = file?.pointee.pMethods?.pointee.xTruncate
    else { return false }
    return truncate(file, 0) == SQLITE_OK
  }

  /// Lets the lock go with the end of the next transaction.
  func releaseLock(_ handle: OpaquePointer) {
    guard file != nil else { return }
    sqlite3_exec(handle, "PRAGMA locking_mode = NORMAL", nil, nil, nil)
  }
}
