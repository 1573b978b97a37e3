import GRDBSQLite

/// A connection to a file, for what a test does to it.
final class SQLiteFile {
  private var handle: OpaquePointer?

  struct Failure: Error { var message: String }

  init(_ path: String) throws {
    guard sqlite3_open(path, &handle) == SQLITE_OK else { throw Failure(message: "cannot open \(path)") }
    sqlite3_busy_timeout(handle, 10_000)
  }

  deinit { sqlite3_close_v2(handle) }

  func run(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      throw Failure(message: sqlite3_errmsg(handle).map { String(cString: $0) } ?? "")
    }
  }
}
