import Bytes
import Foundation
import GRDB

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
