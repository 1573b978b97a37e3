import ObjectModel

/// Tables of links, and what is left out.
extension CoreDataTableModel {
  /// A column of keys in a table of links.
  private struct End {
    let column: String
    let entity: CoreDataTables.Entity
    /// The relationship that leads to the entity.
    let relationship: String
    /// Whether there is a column of the targets' places.
    let order: String?
  }

  /// Adds the relationships of all tables of links.
  mutating func addJoins() throws {
    for table in tables.columns.keys.sorted() where Self.end(table) != nil {
      if let why = addJoin(table) { try note(table, leftOut: why) }
    }
  }

  /// Adds the relationships of a table of links. If it cannot, it says why.
  private mutating func addJoin(_ table: String) -> String? {
    let columns = (tables.columns[table] ?? []).map(\.name)
    let parts = columns.compactMap { column in Self.end(column).map { (column, $0.number, $0.name) } }
    var ends: [End] = []
    for (column, number, name) in parts {
      guard let entity = names[number] else { return "the file has no entity \(number)" }
      ends.append(
        End(
          column: column, entity: entity, relationship: name.lowercased(),
          order: tables.column("Z_FOK_\(column.dropFirst(2))", of: table)))
    }
    let reflexive = columns.first { $0.uppercased() == CoreDataJoinSearch.reflexive }
    if ends.count == 1, let reflexive { return addReflexive(ends[0], reflexive, table) }
    guard ends.count == 2, reflexive == nil else { return "its columns are not those of two relationships" }
    return addPair(ends[0], ends[1], table)
  }

  /// A column is named after the relationship that leads to the entity whose keys it has.
  private mutating func addPair(_ first: End, _ second: End, _ table: String) -> String? {
    for (end, owner) in [(first, second.entity), (second, first.entity)]
    where isTaken(end.relationship, owner.number) {
      return "\(owner.name) has another property \(end.relationship)"
    }
    guard root(of: first.entity) != root(of: second.entity) || first.relationship != second.relationship
    else { return "its columns have the same name" }
    add(first, of: second.entity, inverse: second.relationship, table)
    add(second, of: first.entity, inverse: first.relationship, table)
    return nil
  }

  private mutating func add(
    _ end: End, of owner: CoreDataTables.Entity, inverse: String, _ table: String
  ) {
    entities[owner.number]?.relationships.append(
      Relationship(
        name: end.relationship, destination: end.entity.name, inverse: inverse, isToMany: true,
        isOrdered: end.order != nil))
    used[table, default: []].formUnion([end.column, end.order].compactMap(\.self))
  }

  /// A relationship that is its own inverse. It has no order of its own here, since each link holds in both directions.
  private mutating func addReflexive(_ end: End, _ reflexive: String, _ table: String) -> String? {
    guard !isTaken(end.relationship, end.entity.number) else {
      return "\(end.entity.name) has another property \(end.relationship)"
    }
    entities[end.entity.number]?.relationships.append(
      Relationship(
        name: end.relationship, destination: end.entity.name, inverse: end.relationship, isToMany: true))
    used[table, default: []].formUnion([end.column, reflexive])
    return nil
  }

  /// The number and the name in `Z_3ARTWORKS`.
  private static func end(_ name: String) -> (number: Int64, name: String)? {
    let upper = name.uppercased()
    guard upper.hasPrefix("Z_") else { return nil }
    let digits = upper.dropFirst(2).prefix { $0.isNumber }
    let rest = upper.dropFirst(2 + digits.count)
    guard let number = Int64(digits), let first = rest.first, first.isLetter else { return nil }
    return (number, String(rest))
  }

  // MARK: - What is left out

  private static let ownTables: Set = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]
  private static let ownColumns: Set = ["Z_PK", "Z_ENT", "Z_OPT"]

  /// Notes the tables and columns that hold something and have no place in the model.
  mutating func recordUnmappedTables() throws {
    let ofEntities = Set(roots.compactMap { tables.table(ofRoot: $0.name) })
    for table in tables.columns.keys.sorted() where !Self.ownTables.contains(table.uppercased()) {
      guard ofEntities.contains(table) || used[table] != nil else {
        // Tables of links have been noted with the reason.
        if Self.end(table) == nil { try note(table, leftOut: "no entity has it") }
        continue
      }
      for column in tables.columns[table] ?? [] where !Self.ownColumns.contains(column.name.uppercased()) {
        guard used[table]?.contains(column.name) != true else { continue }
        let name = SQL.quoted(column.name)
        let count = try count("SELECT count(\(name)) FROM \(SQL.quoted(table))")
        guard count > 0 else { continue }
        notes.append(
          "the column \(column.name) of \(table), with \(count) \(count == 1 ? "value" : "values"), is left out"
        )
      }
    }
  }

  private mutating func note(_ table: String, leftOut why: String) throws {
    let count = try count("SELECT count(*) FROM \(SQL.quoted(table))")
    guard count > 0 else { return }
    notes.append("the table \(table), with \(count) \(count == 1 ? "row" : "rows"), is left out: \(why)")
  }

  private func count(_ sql: String) throws -> Int64 {
    let statement = try PreparedStatement(sql, on: handle)
    return try statement.step() ? statement.integer(0) : 0
  }
}
