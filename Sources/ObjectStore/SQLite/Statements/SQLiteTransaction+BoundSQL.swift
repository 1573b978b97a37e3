extension SQLiteTransaction {
  /// Prepares a statement with its arguments.
  func prepare(_ statement: BoundSQL) throws -> PreparedStatement {
    let prepared = try prepare(statement.sql)
    prepared.bind(all: statement.values)
    return prepared
  }

  /// A statement that the connection keeps, with its arguments.
  func cached(_ statement: BoundSQL) throws -> PreparedStatement {
    try fillIndexes(for: statement.sql)
    let prepared = try cached(statement.sql)
    prepared.bind(all: statement.values)
    return prepared
  }
}
