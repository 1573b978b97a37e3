package import ObjectModel

extension SQLiteTransaction {
  package func journal() throws -> Journal? {
    try SQLiteJournalTable(self).map { Journal(layout.schema, $0) }
  }

  /// The local changes that an import has to heed; nil if there are none.
  ///
  /// - Parameter isProtective: Whether the import leaves unsent changes as they are.
  func unsyncedChanges(isProtective: Bool) throws -> UnsyncedChanges? {
    try journal().flatMap {
      try UnsyncedChanges($0.entries(), layout, isProtective: isProtective, row: row(of:key:))
    }
  }

  /// The row of the object with an identity, as text; for an entity without identity, that is the row.
  package func row(of entity: SchemaEntity, identity: String) throws -> Int64? {
    try row(of: entity, key: layout.keyText(ofIdentity: identity, of: entity))
  }

  /// The row of the object with a key, as text; for an entity without identity, the key is the row.
  package func row(of entity: SchemaEntity, key: String) throws -> Int64? {
    let table = layout.table(of: entity.index)
    guard let parts = KeyText.split(key, count: table.key.count) else { return nil }
    let statement = try cached(
      "SELECT rowid FROM \(SQL.quoted(table.name)) WHERE \(SQL.equal(table.key.map { table.columns[$0].name }))"
    )
    for (index, part) in parts.enumerated() { statement.bind(part, at: index + 1) }
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return statement.integer(0)
  }
}
