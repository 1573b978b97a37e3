import GRDBSQLite

extension SQLiteTransaction {
  /// Runs `body`, a step of the transaction: all that it does, or if it throws, nothing.
  package func atomically<Result>(_ body: () throws -> Result) throws -> Result {
    let savepoint = try setSavepoint()
    do {
      let result = try body()
      try release(savepoint)
      return result
    } catch {
      // After some errors SQLite has rolled back all of it already; then this does not matter.
      try? undo(to: savepoint)
      throw error
    }
  }

  /// The key of the object in a row, as reports write it; nil if there is none.
  package func key(ofRow row: Int64, in table: Table) throws -> String? {
    let existence = try cached("SELECT 1 FROM \(SQL.quoted(table.name)) WHERE rowid = ?1")
    existence.bind(row, at: 1)
    guard try existence.step() else { return nil }
    existence.reset()
    return try KeyText.ofRow(row, in: table, self)
  }
}

extension SQLiteTransaction {
  package func cells(ofRow row: Int64, in table: Table) throws -> [SQLValue] {
    let statement = try cached(
      "SELECT \(SQL.list(table.columns.map(\.name))) FROM \(SQL.quoted(table.name)) WHERE rowid = ?1")
    statement.bind(row, at: 1)
    guard try statement.step() else { return [] }
    defer { statement.reset() }
    return table.columns.indices.map { statement.value($0) }
  }

  /// How many rows were written by the connection, which is another number once one more is.
  package var changeCount: Int64 { sqlite3_total_changes64(connection) }
}
