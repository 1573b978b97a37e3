import Bytes
import Foundation
import GRDB
import GRDBSQLite

extension SQLiteStore {
  package func size() async throws -> Store.Size {
    let log = logBytes
    return try await asyncRead(isLong: false, isolation: nil) { transaction in
      let bytes = try transaction.pageBytes()
      return Store.Size(pages: bytes.all, free: bytes.free, log: log)
    }
  }

  package func vacuum() async throws {
    if state.isBlank { return }
    try await lendWriter { connection, access in
      try connection.access(access) { database in
        guard try state.hasTables(database), let handle = database.sqliteConnection else { return }
        try Connection.interruptible(handle, access) { try database.execute(sql: "VACUUM") }
        // A reader keeps the log; then it is moved later.
        // try?: the log only stays longer; a transaction that writes finds a disk that fails.
        connection.withoutWaiting { try? database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
      }
    }
  }

  /// Removes the file of a store; see ``Store/remove(at:)``.
  package static func remove(at path: String) throws {
    guard !path.isEmpty, path != ":memory:" else {
      throw StoreError.invalid("A store in memory goes when nobody has it any more.")
    }
    let file = StoreFile(path)
    let opening = StoreOpening(path: path, access: .readWrite, options: Store.Options())
    try opening.checkPath()
    if !file.isBlank {
      let database: DatabaseQueue
      do {
        database = try DatabaseQueue(path: file.path)
        defer { try? database.close() }
        try database.writeWithoutTransaction { database in
          guard try StoreOpening.hasTables(database) else {
            throw StoreError(.notAStore(path: path, why: "it is an SQLite database that Broker did not make"))
          }
          // To leave WAL mode, one has to be alone.
          let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = DELETE")
          guard mode == "delete" else { throw inUse(path) }
          try database.execute(sql: "BEGIN EXCLUSIVE; ROLLBACK")
        }
      } catch let error as DatabaseError {
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: throw inUse(path)
        case .SQLITE_NOTADB: throw StoreError(.notAStore(path: path, why: "it is not an SQLite database"))
        case .SQLITE_READONLY: throw StoreError(.readOnly(path: path))
        default: throw StoreError(.unreadable(path: path, why: error.reason))
        }
      }
    }
    StoreFile.removeAll(at: file.path)
    if file.isThere { throw StoreError(.readOnly(path: path)) }
  }

  private static func inUse(_ path: String) -> StoreError {
    StoreError.invalid("\(path) is in use: close the store before you remove it.")
  }
}

extension SQLiteTransaction {
  package func removeAll() throws {
    try noteForeignWrites()
    let tables = layout.joins.map(\.name) + layout.tables.map(\.name)
    for name in tables { try execute("DELETE FROM \(SQL.quoted(name))") }
    let existence = try cached("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1")
    for name in [StoreTable.pending, StoreTable.journal] {
      existence.bind(name, at: 1)
      let isThere = try existence.step()
      existence.reset()
      if isThere { try execute("DELETE FROM \(SQL.quoted(name))") }
    }
    try forgetImports()
  }
}

extension SQLiteStore {
  package func backup(
    to path: String, progress: (@Sendable (Double) -> Void)?
  ) async throws {
    let copy = StoreFile(path)
    try Self.checkIsFree(copy, path)
    let unfinished: UnfinishedFile
    do {
      unfinished = try UnfinishedFile(beside: copy.path)
    } catch {
      throw StoreError(.unreadable(path: path, why: error.message))
    }
    let partial = unfinished.path
    defer { StoreFile.removeSidecars(at: partial) }
    try await asyncRead(isLong: true, isolation: nil) { transaction in
      guard let source = transaction.database else { throw StoreError.closed }
      do {
        let target = try DatabaseQueue(path: partial)
        defer { try? target.close() }
        try target.writeWithoutTransaction { target in
          try source.backup(to: target, pagesPerStep: 512) { state in
            if Task.isCancelled { throw CancellationError() }
            progress?(Double(state.completedPageCount) / Double(max(1, state.totalPageCount)))
          }
        }
        try target.close()
      } catch let error as DatabaseError {
        throw StoreError(.unreadable(path: path, why: error.reason))
      }
      try Task.checkCancellation()
    }
    try unfinished.finishBackup(at: copy, path, of: opening.file)
  }

  private static func checkIsFree(_ file: StoreFile, _ path: String) throws {
    if file.isThere { throw StoreError.isNoNewFile(path) }
  }
}

extension StoreError {
  fileprivate static func isNoNewFile(_ path: String) -> StoreError {
    .invalid("\(path) is there already: a backup needs a new file. Nothing was changed.")
  }
}

extension UnfinishedFile {
  /// Puts a backup that is whole in its place, once it is on the disk.
  ///
  /// A file that is there already and has the same bytes is this backup: whoever made it was killed before he had use of
  /// it. Any other file stays.
  ///
  /// - Parameter store: The file that it is a backup of, whose permissions it gets.
  func finishBackup(at place: StoreFile, _ path: String, of store: StoreFile?) throws {
    do {
      var status = stat()
      if let store, stat(store.path, &status) == 0 { fchmod(descriptor, status.st_mode & 0o777) }
      try DurableFile.synchronize(descriptor)
      // A link fails where there is a file by now, which a move might replace.
      if try !moveUnlessThere(place.path), try !hasSameBytes(as: place.path) {
        throw StoreError.isNoNewFile(path)
      }
      try DurableFile.synchronizeFolder(of: place.path)
    } catch let error as SystemError {
      throw StoreError(.unreadable(path: path, why: error.message))
    }
  }
}

extension StoreFile {
  /// Removes a database and what SQLite keeps beside it.
  static func removeAll(at path: String) {
    unlink(path)
    removeSidecars(at: path)
  }

  /// Removes what SQLite keeps beside a database.
  static func removeSidecars(at path: String) {
    for suffix in ["-wal", "-shm", "-journal"] { unlink(path + suffix) }
  }
}
