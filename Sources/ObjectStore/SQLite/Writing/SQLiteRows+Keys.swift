package import ObjectModel

extension RowWriter {
  package func rename(_ row: Int64, of entity: SchemaEntity, to identity: [SQLValue]) throws -> RenameOutcome
  {
    try transaction.makeIndexes()
    return try Renaming(rows, records.pendingLinks).rename(row, of: entity, to: identity)
  }

  package func merge(
    _ row: Int64, of entity: SchemaEntity, into identity: [SQLValue], taking properties: Set<String>
  ) throws {
    try transaction.makeIndexes()
    try Renaming(rows, records.pendingLinks).merge(row, of: entity, into: identity, taking: properties)
  }
}

/// The keys of SQLite's rows, and what leads to them.
extension SQLiteRows {
  private func keyNames(_ table: Table) -> [String] { names(table.key, table) }

  private func names(_ columns: [Int], _ table: Table) -> [String] { columns.map { table.columns[$0].name } }

  private func bind(_ values: [SQLValue], to statement: PreparedStatement, from first: Int = 1) {
    for (index, value) in values.enumerated() { statement.bind(value, at: first + index) }
  }

  // MARK: - Finding

  package func key(of place: RowLocation) throws -> [SQLValue]? {
    let key = try keyStatement(place)
    guard try key.step() else { return nil }
    defer { key.reset() }
    return (0..<key.columnCount).map { key.value($0) }
  }

  package func row(withKey key: [SQLValue], inTable table: Int) throws -> Int64? {
    let table = layout.tables[table]
    let statement = try transaction.cached(keyLookup(table))
    bind(key, to: statement)
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return statement.integer(0)
  }

  /// Finds the row with a key.
  func keyLookup(_ table: Table) -> String {
    "SELECT rowid FROM \(SQL.quoted(table.name)) WHERE \(SQL.equal(keyNames(table)))"
  }

  package func objects(
    inTable table: Int, naming key: [SQLValue], at places: KeyPlaces
  ) throws -> [(row: Int64, key: [SQLValue])] {
    let table = layout.tables[table]
    let columns = keyNames(table)
    let statement = try find(
      "rowid, \(SQL.list(columns))", in: table.name, columns, key, places, order: " ORDER BY rowid")
    var result: [(row: Int64, key: [SQLValue])] = []
    while try statement.step() {
      result.append((statement.integer(0), columns.indices.map { statement.value($0 + 1) }))
    }
    return result
  }

  package func targetKeys(
    of relationship: SchemaRelationship, naming key: [SQLValue], at places: KeyPlaces
  ) throws -> [[SQLValue]] {
    let (name, columns): (String, [String])
    switch layout.relationships[relationship.index] {
    case .inverse: return []
    case .foreignKey(let own):
      let owner = layout.table(of: relationship.owner)
      (name, columns) = (owner.name, names(own, owner))
    case .join(let index, let isForward):
      (name, columns) = (
        layout.joins[index].name, JoinSQL(join: layout.joins[index], isForward: isForward).target
      )
    }
    let statement = try find("DISTINCT \(SQL.list(columns))", in: name, columns, key, places)
    var result: [[SQLValue]] = []
    while try statement.step() { result.append(columns.indices.map { statement.value($0) }) }
    return result
  }

  /// A statement that finds a key among columns.
  private func find(
    _ selection: String, in table: String, _ columns: [String], _ key: [SQLValue], _ places: KeyPlaces,
    order: String = ""
  ) throws -> PreparedStatement {
    let conditions = places.groups.map { SQL.equal($0.map { columns[$0] }) }
    let statement = try transaction.cached(
      "SELECT \(selection) FROM \(SQL.quoted(table)) WHERE \(conditions.joined(separator: " OR "))\(order)")
    bind(key, to: statement)
    return statement
  }

  package func awaitedKeys(of root: SchemaEntity) throws -> [String] {
    let statement = try transaction.cached(
      "SELECT DISTINCT \"target\" FROM \(SQL.quoted(StoreTable.pending)) WHERE \"entity\" = ?1")
    statement.bind(root.name, at: 1)
    var result: [String] = []
    while try statement.step() { result.append(statement.string(0)) }
    return result
  }

  package func journal() throws -> Journal? { try transaction.journal() }

  // MARK: - Changing

  package func setKey(of place: RowLocation, to key: [SQLValue]) throws -> Int64 {
    let table = layout.tables[place.table]
    try setValues(key, of: table.key, in: place)
    guard table.keyIsRowID, case .integer(let row)? = key.first else { return place.row }
    return row
  }

  package func values(of columns: [Int], in place: RowLocation) throws -> [SQLValue] {
    guard !columns.isEmpty else { return [] }
    let table = layout.tables[place.table]
    let statement = try transaction.cached(
      "SELECT \(SQL.list(names(columns, table))) FROM \(SQL.quoted(table.name)) WHERE rowid = ?1")
    statement.bind(place.row, at: 1)
    guard try statement.step() else { return columns.map { _ in .null } }
    defer { statement.reset() }
    return columns.indices.map { statement.value($0) }
  }

  package func setValues(_ values: [SQLValue], of columns: [Int], in place: RowLocation) throws {
    guard !columns.isEmpty else { return }
    let table = layout.tables[place.table]
    let settings = names(columns, table).enumerated().map { "\(SQL.quoted($1)) = ?\($0 + 2)" }
    let update = try transaction.cached(
      "UPDATE \(SQL.quoted(table.name)) SET \(settings.joined(separator: ", ")) WHERE rowid = ?1")
    update.bind(place.row, at: 1)
    bind(values, to: update, from: 2)
    try update.run()
  }

  package func removeRow(_ place: RowLocation) throws {
    try run(transaction.cached(sql(place).removal), place.row)
  }

  // MARK: - What leads to a key

  package func moveLinks(_ change: KeyChange) throws {
    for relationship in layout.schema.relationships where !relationship.isIdentity {
      let leadsHere = layout.schema.entities[relationship.destination].root == change.root.index
      switch layout.relationships[relationship.index] {
      case .foreignKey(let columns) where leadsHere:
        let owner = layout.table(of: relationship.owner)
        if let inverse = relationship.inverse, !layout.schema.relationships[inverse].isToMany {
          try releaseWaiting(names(columns, owner), in: owner.name, change)
        }
        try move(names(columns, owner), in: owner.name, change)
      case .join(let index, let isForward):
        let join = JoinSQL(join: layout.joins[index], isForward: isForward)
        if leadsHere { try move(join.target, in: layout.joins[index].name, change, mayBeThere: true) }
        if layout.schema.entities[relationship.owner].root == change.root.index {
          try move(join.owner, in: layout.joins[index].name, change, mayBeThere: true)
        }
      case .foreignKey, .inverse: break
      }
    }
  }

  /// Of a one-to-one, has the object that waited for the new key give way.
  private func releaseWaiting(_ names: [String], in table: String, _ change: KeyChange) throws {
    let nulls = names.map { "\(SQL.quoted($0)) = NULL" }.joined(separator: ", ")
    let release = try transaction.cached(
      "UPDATE \(SQL.quoted(table)) SET \(nulls) WHERE \(SQL.equal(names)) AND EXISTS (SELECT 1 FROM"
        + " \(SQL.quoted(table)) WHERE \(SQL.equal(names, from: names.count + 1)))")
    bind(change.new + change.old, to: release)
    try release.run()
  }

  /// - Parameter mayBeThere: Whether rows with the new key may be there already; then the old ones go.
  private func move(
    _ names: [String], in table: String, _ change: KeyChange, mayBeThere: Bool = false
  ) throws {
    let settings = names.enumerated().map { "\(SQL.quoted($1)) = ?\($0 + 1)" }.joined(separator: ", ")
    let update = try transaction.cached(
      "UPDATE \(mayBeThere ? "OR IGNORE " : "")\(SQL.quoted(table)) SET \(settings)"
        + " WHERE \(SQL.equal(names, from: names.count + 1))")
    bind(change.new + change.old, to: update)
    try update.run()
    guard mayBeThere else { return }
    let rest = try transaction.cached("DELETE FROM \(SQL.quoted(table)) WHERE \(SQL.equal(names))")
    bind(change.old, to: rest)
    try rest.run()
  }

  package func movePending(_ change: KeyChange) throws {
    let pending = SQL.quoted(StoreTable.pending)
    let names = layout.schema.relationships
      .filter { layout.schema.entities[$0.owner].root == change.root.index }
      .map { SQL.literal(PendingLinkStore.name(of: $0, layout)) }
    if !names.isEmpty {
      try move(
        "UPDATE OR REPLACE \(pending) SET \"owner\" = ?1"
          + " WHERE \"owner\" = ?2 AND \"relationship\" IN (\(names.joined(separator: ", ")))", change)
    }
    let root = SQL.literal(change.root.name)
    try move(
      "UPDATE OR REPLACE \(pending) SET \"target\" = ?1 WHERE \"target\" = ?2 AND \"entity\" = \(root)",
      change)
  }

  private func move(_ sql: String, _ change: KeyChange) throws {
    let statement = try transaction.cached(sql)
    statement.bind(change.newText, at: 1)
    statement.bind(change.oldText, at: 2)
    try statement.run()
  }
}
