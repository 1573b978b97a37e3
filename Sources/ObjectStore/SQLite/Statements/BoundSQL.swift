/// A statement of SQL with its arguments.
struct BoundSQL {
  var sql: String
  var arguments: [SQLValue]

  init(_ sql: String, _ arguments: [SQLValue] = []) {
    self.sql = sql
    self.arguments = arguments
  }
}

extension SQLiteTransaction {
  /// Prepares a statement with its arguments.
  func prepare(_ statement: BoundSQL) throws -> PreparedStatement {
    let prepared = try prepare(statement.sql)
    prepared.bind(all: statement.arguments)
    return prepared
  }

  /// A statement that the connection keeps, with its arguments.
  func cached(_ statement: BoundSQL) throws -> PreparedStatement {
    try fillIndexes(for: statement.sql)
    let prepared = try cached(statement.sql)
    prepared.bind(all: statement.arguments)
    return prepared
  }
}
