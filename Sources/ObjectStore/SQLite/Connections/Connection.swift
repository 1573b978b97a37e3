@preconcurrency package import Dispatch
import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// A connection to the store's file, and what lives as long as it.
///
/// `@unchecked`, since ``cache`` is no value. Its guard: it is touched only inside ``access(_:_:)``, which
/// ``ConnectionPool`` grants to one at a time, and when nothing else has the connection any more.
package final class Connection: PooledConnection, @unchecked Sendable {
  private let database: DatabaseQueue
  private let busyHandler: BusyHandler
  let cache = ConnectionCache()
  /// Where the accesses of tasks run.
  package let queue = DispatchQueue(label: "broker")
  /// The file as it was when this connection began to take it for unchangeable; nil if it looks for changes itself.
  let frozen: ImmutableFile?

  init(_ database: DatabaseQueue, _ busyHandler: BusyHandler, frozen: ImmutableFile? = nil) {
    self.database = database
    self.busyHandler = busyHandler
    self.frozen = frozen
    database.writeWithoutTransaction { database in
      guard let handle = database.sqliteConnection else { return }
      cache.authorizer.register(on: handle)
    }
  }

  /// Whether it may hold what the file held once.
  package var isOutdated: Bool { frozen?.isOutdated ?? false }

  /// Whether the file says that it is in WAL mode.
  ///
  /// It is read by SQLite's own handle: to close another would end the locks of this process.
  var isFileInWAL: Bool {
    database.writeWithoutTransaction { database in
      var file: UnsafeMutablePointer<sqlite3_file>?
      guard
        sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
          == SQLITE_OK,
        let file, let methods = file.pointee.pMethods
      else { return false }
      // The version that is needed to read the file; 2 is WAL.
      var version: UInt8 = 0
      return methods.pointee.xRead(file, &version, 1, 19) == SQLITE_OK && version == 2
    }
  }

  deinit {
    cache.removeAll()
  }

  package func close() throws {
    database.writeWithoutTransaction { _ in cache.removeAll() }
    try database.close()
  }

  /// Runs `body` where the connection may be used. Waiting for the file ends as `access` says.
  func access<Result>(_ access: AccessRequest? = nil, _ body: (Database) throws -> Result) throws -> Result {
    try database.writeWithoutTransaction { database in
      busyHandler.serve(access)
      defer { busyHandler.serve(nil) }
      return try body(database)
    }
  }

  /// Runs `body`, which had better fail than wait for others that hold the file.
  func withoutWaiting(_ body: () -> Void) { busyHandler.withoutWaiting(body) }

  // MARK: - Transactions

  /// Runs `body` between `opening` and the ending that it asks for; to be called inside an access.
  ///
  /// - Parameter failedCommit: Called with the error of a commit, before anything else is done; it gives the error to
  ///   throw.
  /// - Throws: What `body` throws, after everything was undone; `CancellationError` if it was cancelled before
  ///   the end.
  func transaction<Result>(
    _ opening: String, on handle: OpaquePointer, _ access: AccessRequest?,
    failedCommit: (StoreError) -> StoreError = { $0 },
    _ body: () throws -> (Result, TransactionEnding)
  ) throws -> Result {
    try cache.statement(opening, on: handle).run()
    do {
      let (result, ending) = try Self.guarded(handle, access, body)
      try access?.check()
      Self.resetStatements(of: handle)
      try frozen?.check()
      let statement = try cache.statement(ending == .commit ? "COMMIT" : "ROLLBACK", on: handle)
      do {
        try statement.run()
      } catch let error as StoreError where ending == .commit {
        throw failedCommit(error)
      }
      cache.recycle()
      return result
    } catch {
      Self.resetStatements(of: handle)
      // After some errors SQLite has rolled back itself.
      if sqlite3_get_autocommit(handle) == 0 { try? cache.statement("ROLLBACK", on: handle).run() }
      cache.recycle()
      // A page that was half written may read as a damaged file.
      try frozen?.check()
      throw error
    }
  }

  /// Runs the part of a transaction that may be interrupted, and in which nothing can be committed: SQLite
  /// rolls back by itself after some errors, and what is written after that would be there for good.
  private static func guarded<Result>(
    _ handle: OpaquePointer, _ access: AccessRequest?, _ body: () throws -> Result
  ) throws -> Result {
    sqlite3_commit_hook(handle, { _ in 1 }, nil)
    defer { sqlite3_commit_hook(handle, nil, nil) }
    return try interruptible(handle, access, body)
  }

  /// Runs what the access may be cancelled in.
  static func interruptible<Result>(
    _ handle: OpaquePointer, _ access: AccessRequest?, _ body: () throws -> Result
  ) throws -> Result {
    guard let access else { return try body() }
    // Unlike sqlite3_interrupt, it can neither come between two statements nor hit what runs next.
    sqlite3_progress_handler(
      handle, 1_000,
      { context in
        guard let context else { return 0 }
        return Unmanaged<AccessRequest>.fromOpaque(context).takeUnretainedValue().isCancelled ? 1 : 0
      }, Unmanaged.passUnretained(access).toOpaque())
    defer { sqlite3_progress_handler(handle, 0, nil, nil) }
    return try withExtendedLifetime(access) { try body() }
  }

  /// A statement that was not run to its end would keep the snapshot that it reads.
  private static func resetStatements(of handle: OpaquePointer) {
    var statement = sqlite3_next_stmt(handle, nil)
    while let current = statement {
      // Statements without SQL are those with which the extension FTS5 reads its own tables. It expects them as they were.
      if sqlite3_stmt_busy(current) != 0, sqlite3_sql(current) != nil { sqlite3_reset(current) }
      statement = sqlite3_next_stmt(handle, current)
    }
  }
}

/// A cache that lives as long as a connection: statements, and values of the layers above.
///
/// It belongs to its connection and must be used where that is accessed.
package final class ConnectionCache {
  /// The objects that layers above keep for the connection, each by a type of its own. Statements in them must be reset after
  /// use, or they are when the transaction ends.
  package var objects: [ObjectIdentifier: AnyObject] = [:]

  /// The log of changes, if somebody observes.
  let log = ChangeLog()

  /// Tells what statements read and write.
  let authorizer = StatementAuthorizer()

  /// The numbers of temporary tables that nobody needs any more; see ``SQLiteObjectSetSnapshot``.
  let leftovers = Locked<[Int]>([])

  private struct Entry {
    var statement: PreparedStatement
    /// Whether it was given out since ``recycle()``.
    var isLent: Bool
  }

  private var entries: [Entry] = []
  private var places: [String: Int] = [:]
  private var lent: [Int] = []

  /// More statements than any program has; one that writes values into its SQL must not fill the memory.
  private static let limit = 500

  /// A statement, compiled once. It is the caller's for as long as something refers to it: who asks meanwhile
  /// gets another.
  func statement(_ sql: String, on connection: OpaquePointer) throws -> PreparedStatement {
    if let place = places[sql] {
      guard isKnownUniquelyReferenced(&entries[place].statement) else {
        return try PreparedStatement(sql, on: connection, log)
      }
      if entries[place].isLent { entries[place].statement.clear() }
      lend(place)
      return entries[place].statement
    }
    if entries.count >= Self.limit { forgetStatements() }
    let statement = try PreparedStatement(sql, on: connection, log)
    places[sql] = entries.count
    entries.append(Entry(statement: statement, isLent: false))
    lend(entries.count - 1)
    return statement
  }

  private func lend(_ place: Int) {
    guard !entries[place].isLent else { return }
    entries[place].isLent = true
    lent.append(place)
  }

  /// Makes the statements that were given out ready for the next transaction, without their arguments.
  func recycle() {
    for place in lent {
      entries[place].statement.clear()
      entries[place].isLent = false
    }
    lent.removeAll(keepingCapacity: true)
  }

  private func forgetStatements() {
    entries = []
    places = [:]
    lent = []
  }

  /// To be called before the connection closes: SQLite wants its statements gone first.
  func removeAll() {
    objects = [:]
    forgetStatements()
  }
}

/// Decides whether a connection waits for others that have locked the file.
final class BusyHandler: Sendable {
  private let isPatient = Atomic<Bool>(true)
  /// The work that goes on.
  private let access = Locked<AccessRequest?>(nil)

  /// Waits a little. False if it is to be waited no longer.
  func wait(attempt: Int) -> Bool {
    guard isPatient.load(ordering: .relaxed) else { return false }
    let access = access.withLock { $0 }
    guard access?.waitsOn() ?? true else { return false }
    // A signal ends this early.
    // Soon again at first: who imports in chunks leaves the lock to others for a few milliseconds between them.
    usleep(attempt < 10 ? 1_000 : attempt < 1_000 ? 2_000 : 10_000)
    return true
  }

  /// Runs `body`, which had better fail than wait.
  func withoutWaiting(_ body: () -> Void) {
    isPatient.store(false, ordering: .relaxed)
    body()
    isPatient.store(true, ordering: .relaxed)
  }

  /// From now on, what is waited for is waited for on behalf of `access`.
  func serve(_ access: AccessRequest?) {
    self.access.withLock { $0 = access }
  }
}
