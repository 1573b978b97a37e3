import Foundation
import GRDBSQLite
import ObjectModel
import ObjectStore

/// A store in memory for a model in the JSON form, with its tables made.
func store(_ json: String) throws -> Store {
  let store = try Place.open(":memory:", Model(json: Data(json.utf8)))
  try store.transaction { _ in ((), .commit) }
  return store
}

/// The SQL of the tables and indexes that a model in the JSON form gets, by name.
func tables(_ json: String) throws -> [String: String] {
  let store = try store(json)
  let names = try store.rows("SELECT name FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
  let statements = try store.rows("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
  return Dictionary(zip(names, statements), uniquingKeysWith: { first, _ in first })
}

extension StoreTransaction {
  /// The first column of the first row that a query gives.
  func number(_ sql: String) throws -> Int64 {
    let statement = try cached(sql)
    guard try statement.step() else { return -1 }
    return statement.integer(0)
  }
}

extension Store {
  /// The first column of the first row that a query gives.
  func number(_ sql: String) throws -> Int64 { try read { try $0.number(sql) } }

  /// Runs statements in a transaction.
  func write(_ statements: String...) throws {
    try transaction { transaction in
      for statement in statements { try transaction.execute(statement) }
      return ((), .commit)
    }
  }
}

/// Runs a statement on a connection of its own, as another program does, and `body` before that is closed.
func sqlite(_ path: String, _ sql: String, _ body: () throws -> Void = {}) throws {
  var connection: OpaquePointer?
  defer { sqlite3_close(connection) }
  guard sqlite3_open(path, &connection) == SQLITE_OK,
    sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK
  else { throw StoreError.invalid("SQLite refuses \(sql)") }
  try body()
}
