/// Texts that the store remembers for the layers above, each under a key of its own.
extension SQLiteTransaction {
  /// The text under a key; nil if there is none.
  package func remembered(under key: String) throws -> String? {
    let statement = try cached(
      "SELECT \"value\" FROM \(SQL.quoted(StoreTable.metadata)) WHERE \"key\" = ?1")
    statement.bind(key, at: 1)
    defer { statement.reset() }
    return try statement.step() ? statement.string(0) : nil
  }

  /// Has the store remember a text under a key.
  package func remember(_ text: String, under key: String) throws {
    let statement = try cached(
      """
      INSERT INTO \(SQL.quoted(StoreTable.metadata)) VALUES (?1, ?2)
      ON CONFLICT ("key") DO UPDATE SET "value" = excluded."value"
      """)
    statement.bind(key, at: 1)
    statement.bind(text, at: 2)
    try statement.run()
  }
}
