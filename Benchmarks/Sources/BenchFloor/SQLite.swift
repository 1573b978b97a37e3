import GRDBSQLite

/// What SQLite had to say.
struct SQLiteFailure: Error, CustomStringConvertible {
  var description: String
}

/// A connection, with nothing between it and the C interface that could cost time.
struct Connection {
  let handle: OpaquePointer

  init(path: String) throws(SQLiteFailure) {
    var handle: OpaquePointer?
    guard sqlite3_open(path, &handle) == SQLITE_OK, let handle else {
      throw SQLiteFailure(description: "cannot open \(path)")
    }
    self.handle = handle
  }

  func execute(_ sql: String) throws(SQLiteFailure) {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
  }

  func prepare(_ sql: String) throws(SQLiteFailure) -> Statement {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
      throw failure
    }
    return Statement(handle: statement, connection: self)
  }

  func close() {
    sqlite3_close(handle)
  }

  var failure: SQLiteFailure {
    SQLiteFailure(description: String(cString: sqlite3_errmsg(handle)))
  }
}

/// A prepared statement. Text is bound where it lies, so it must stay there until ``run()`` returns.
struct Statement {
  let handle: OpaquePointer
  let connection: Connection

  @inline(__always)
  func bind(_ index: Int32, _ value: Int) {
    sqlite3_bind_int64(handle, index, Int64(value))
  }

  @inline(__always)
  func bind(_ index: Int32, _ value: Double) {
    sqlite3_bind_double(handle, index, value)
  }

  @inline(__always)
  func bind(_ index: Int32, _ text: UnsafeRawBufferPointer) {
    sqlite3_bind_text(
      handle, index, text.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(text.count), nil)
  }

  @inline(__always)
  func run() throws(SQLiteFailure) {
    guard sqlite3_step(handle) == SQLITE_DONE else { throw connection.failure }
    sqlite3_reset(handle)
  }

  func finalize() {
    sqlite3_finalize(handle)
  }
}
