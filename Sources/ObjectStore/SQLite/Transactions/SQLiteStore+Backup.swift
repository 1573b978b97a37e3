import Foundation
import GRDB

extension SQLiteStore {
  package func backup(
    to path: String, progress: (@Sendable (Double) -> Void)?
  ) async throws {
    let copy = StoreFile(path)
    try Self.checkIsFree(copy, path)
    let partial = copy.path + ".partial-" + UUID().uuidString
    defer { StoreFile.removeAll(at: partial) }
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
      } catch let error as DatabaseError {
        throw StoreError(.unreadable(path: path, why: error.message ?? "\(error.resultCode)"))
      }
      try Task.checkCancellation()
    }
    // A link fails where there is a file by now, which a move might replace.
    guard link(partial, copy.path) == 0 else {
      try Self.checkIsFree(copy, path)
      throw StoreError(.unreadable(path: path, why: String(cString: strerror(errno))))
    }
  }

  private static func checkIsFree(_ file: StoreFile, _ path: String) throws {
    if file.isThere { throw StoreError.invalid("\(path) is there already: a backup needs a new file.") }
  }
}

extension StoreFile {
  /// Removes a database and what SQLite keeps beside it.
  static func removeAll(at path: String) {
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
  }
}
