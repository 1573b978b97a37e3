import ObjectStore

/// What only a transaction in SQLite has, for tests that look at tables.
extension StoreTransaction {
  /// The transaction as SQLite's; an error of the test if it is another engine's.
  var sqlite: SQLiteTransaction {
    get throws {
      guard let sqlite = self as? SQLiteTransaction else {
        throw StoreError.invalid("no transaction in SQLite")
      }
      return sqlite
    }
  }

  func prepare(_ sql: String) throws -> PreparedStatement { try sqlite.prepare(sql) }

  func execute(_ sql: String) throws { try sqlite.execute(sql) }

  func cached(_ sql: String) throws -> PreparedStatement { try sqlite.cached(sql) }

  func execute(rawSQL sql: String, _ arguments: [SQLValue]) throws -> Int {
    try sqlite.execute(rawSQL: sql, arguments)
  }
}
