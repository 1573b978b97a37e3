import ObjectModel

/// Makes of a log what has changed in the end.
struct ChangeSummary {
  let transaction: SQLiteTransaction

  /// - Throws: ``StoreError`` if SQLite cannot look up what was linked.
  func changes(of log: ChangeLog) throws -> [Int: ObjectChanges.InTable] {
    var result: [Int: ObjectChanges.InTable] = [:]
    for (table, log) in log.tables.enumerated() where log.count > 0 {
      var changes = ObjectChanges.InTable()
      var lookup: PreparedStatement?
      for logged in LoggedObjects(log).all {
        let key = log.key(Int(logged.entry))
        if !logged.fate.isTouched {
          changes.add(ObjectChanges.Object(key: key, entity: Int(logged.entity)), logged.fate)
        } else {
          let found = try lookup ?? self.lookup(transaction.layout.tables[table])
          lookup = found
          // A link may lead to an object that is not there.
          guard let entity = try entity(of: key, transaction.layout.tables[table], found) else { continue }
          changes.updated.append(ObjectChanges.Object(key: key, entity: entity))
        }
      }
      if !changes.isEmpty { result[table] = changes }
    }
    return result
  }

  // MARK: - The tables

  /// Gives the entity's name, if rows have one, of the object with a key.
  private func lookup(_ table: Table) throws -> PreparedStatement {
    try transaction.cached(
      "SELECT \(kind(table)) FROM \(SQL.quoted(table.name))"
        + " WHERE \(SQL.equal(table.key.map { table.columns[$0].name }))")
  }

  /// The entity of an object; nil if it is not there.
  private func entity(of key: ObjectKey, _ table: Table, _ lookup: PreparedStatement) throws -> Int? {
    for (place, part) in key.parts.enumerated() { lookup.bind(part, at: place + 1) }
    guard try lookup.step() else { return nil }
    defer { lookup.reset() }
    return entity(lookup, 0, table)
  }

  /// All objects, which are inserted if the store is new.
  func everything() throws -> [Int: ObjectChanges.InTable] {
    var result: [Int: ObjectChanges.InTable] = [:]
    for (index, table) in transaction.layout.tables.enumerated() {
      let key = SQL.list(table.key.map { table.columns[$0].name })
      let statement = try transaction.cached("SELECT \(kind(table)), \(key) FROM \(SQL.quoted(table.name))")
      var changes = ObjectChanges.InTable()
      while try statement.step() {
        changes.inserted.append(
          ObjectChanges.Object(
            key: ObjectKey(statement, 1..<table.key.count + 1), entity: entity(statement, 0, table)))
      }
      if !changes.isEmpty { result[index] = changes }
    }
    return result
  }

  private func kind(_ table: Table) -> String { table.kindColumn.map(SQL.quoted) ?? "NULL" }

  private func entity(_ statement: PreparedStatement, _ column: Int, _ table: Table) -> Int {
    guard table.kindColumn != nil else { return table.root }
    return transaction.layout.schema.index(of: statement.string(column)) ?? table.root
  }
}
