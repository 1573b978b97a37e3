import Foundation
import ObjectModel
import ObjectStore

/// A store in memory for a model in the JSON form, with its tables made.
func store(_ json: String) throws -> Store {
  let store = try Store(path: ":memory:", model: Model(json: Data(json.utf8)))
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

extension Store {
  /// The rows that a query gives, their columns separated by spaces; null is `-`.
  func rows(_ sql: String) throws -> [String] {
    try read { transaction in
      let statement = try transaction.prepare(sql)
      var rows: [String] = []
      while try statement.step() {
        let columns = (0..<statement.columnCount).map { statement.isNull($0) ? "-" : statement.string($0) }
        rows.append(columns.joined(separator: " "))
      }
      return rows
    }
  }
}
