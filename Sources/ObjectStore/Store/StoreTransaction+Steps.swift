extension StoreTransaction {
  /// Runs `body`, a step of the transaction: all that it does, or if it throws, nothing.
  package func atomically<Result>(_ body: () throws -> Result) throws -> Result {
    try cached("SAVEPOINT step").run()
    do {
      let result = try body()
      try cached("RELEASE step").run()
      return result
    } catch {
      // After some errors SQLite has rolled back all of it already; then these do not matter.
      try? cached("ROLLBACK TO step").run()
      try? cached("RELEASE step").run()
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
