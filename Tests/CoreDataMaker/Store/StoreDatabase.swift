import Foundation
import GRDBSQLite

/// An SQLite file that is written by SQLite's own functions.
final class StoreDatabase {
  private var connection: OpaquePointer?

  init(path: String) throws {
    let code = sqlite3_open(path, &connection)
    guard code == SQLITE_OK else { throw StoreMakingError("cannot open \(path): \(code)") }
  }

  deinit { sqlite3_close(connection) }

  func run(_ sql: String, _ values: [SQLiteValue] = []) throws {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { throw error(sql) }
    defer { sqlite3_finalize(statement) }
    for (index, value) in values.enumerated() { bind(value, to: Int32(index + 1), of: statement) }
    let code = sqlite3_step(statement)
    guard code == SQLITE_DONE || code == SQLITE_ROW else { throw error(sql) }
  }

  private func error(_ sql: String) -> StoreMakingError {
    StoreMakingError("\(String(cString: sqlite3_errmsg(connection))): \(sql)")
  }

  private func bind(_ value: SQLiteValue, to index: Int32, of statement: OpaquePointer?) {
    // SQLite copies what it is given.
    let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch value {
    case .null: sqlite3_bind_null(statement, index)
    case .integer(let number): sqlite3_bind_int64(statement, index, number)
    case .real(let number): sqlite3_bind_double(statement, index, number)
    case .text(let text): sqlite3_bind_text(statement, index, text, -1, copies)
    case .blob(let bytes):
      if bytes.isEmpty {
        sqlite3_bind_zeroblob(statement, index, 0)
      } else {
        _ = bytes.withUnsafeBytes {
          sqlite3_bind_blob(statement, index, $0.baseAddress, Int32(bytes.count), copies)
        }
      }
    }
  }
}

/// A value of a column.
package enum SQLiteValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

/// A store that could not be made.
package struct StoreMakingError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}
