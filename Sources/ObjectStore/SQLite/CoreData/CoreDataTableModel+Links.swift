import ObjectModel

/// Links that a column of an entity's table has.
extension CoreDataTableModel {
  // MARK: - To one

  /// What shows that a column of numbers has keys.
  private struct Evidence {
    /// The column of the targets' entity numbers: `Z2_MEDIA`, with the number of the destination.
    var entityColumn: (name: String, number: Int64)?
    /// The column of places in the list that leads back: `Z_FOK_MEDIA`.
    var orderColumn: String?
    var isIndexed = false

    /// Whether there is a column that only links have.
    var isLink: Bool { entityColumn != nil || orderColumn != nil }
  }

  /// The entity that a column of keys leads to, if its name and its values prove it.
  mutating func destination(
    of column: String, in table: String, _ owner: Int64
  ) throws -> CoreDataTables.Entity? {
    let evidence = evidence(for: column, in: table)
    let named = entity(namedLike: column.dropFirst().uppercased())
    let wanted = evidence.entityColumn.flatMap { names[$0.number] } ?? named
    var found: CoreDataTables.Entity?
    if let wanted {
      if try isProven(column, table, wanted, evidence) { found = wanted }
    } else if evidence.isLink {
      found = try onlyEntity(withKeysOf: column, in: table)
    }
    if let found {
      if let name = evidence.entityColumn?.name { used[table]?.insert(name) }
      return found
    }
    guard evidence.isLink || named != nil, try hasValues(column, table) else { return nil }
    let property = "\(names[owner]?.name ?? table).\(column.dropFirst().lowercased())"
    if evidence.isLink {
      notes.append("\(property) is a number, not a link: nothing proves which entity \(column) leads to")
    } else if let named {
      notes.append("\(property) is a number, not a link: not all of its values are keys of \(named.name)")
    }
    return nil
  }

  private func evidence(for column: String, in table: String) -> Evidence {
    let name = column.dropFirst()
    var evidence = Evidence(isIndexed: tables.indexed.contains("\(table).\(column)"))
    evidence.orderColumn = tables.column("Z_FOK_\(name)", of: table)
    for other in tables.columns[table] ?? [] {
      let rest = other.name.uppercased().dropFirst()
      let digits = rest.prefix { $0.isNumber }
      guard let number = Int64(digits), rest.dropFirst(digits.count) == "_\(name.uppercased())" else {
        continue
      }
      evidence.entityColumn = (other.name, number)
    }
    return evidence
  }

  /// The entity with a name in capitals. A digit that tells columns of one name apart is no part of it.
  private func entity(namedLike name: String) -> CoreDataTables.Entity? {
    if let found = tables.entities.first(where: { $0.name.uppercased() == name }) { return found }
    let plain = name.reversed().drop { $0.isNumber }.reversed()
    return tables.entities.first { $0.name.uppercased() == String(plain) }
  }

  /// Whether the values are keys of an entity's rows. Where another column shows that they are keys, some may lead to
  /// nothing.
  private func isProven(
    _ column: String, _ table: String, _ entity: CoreDataTables.Entity, _ evidence: Evidence
  ) throws -> Bool {
    guard try hasValues(column, table) else { return evidence.isLink || evidence.isIndexed }
    return evidence.isLink
      ? try hasKey(of: entity, column, table, isKnown: true)
      : try !hasKey(of: entity, column, table, isKnown: false)
  }

  /// The only entity without a parent and sub-entities that has rows with all keys of a column. Of links to others there is
  /// a column with the number of the entity.
  private func onlyEntity(withKeysOf column: String, in table: String) throws -> CoreDataTables.Entity? {
    guard try hasValues(column, table) else { return nil }
    var found: CoreDataTables.Entity?
    for entity in roots where family(of: entity).count == 1 && self.table(of: entity) != nil {
      guard try !hasKey(of: entity, column, table, isKnown: false) else { continue }
      guard found == nil else { return nil }
      found = entity
    }
    return found
  }

  private func hasValues(_ column: String, _ table: String) throws -> Bool {
    let sql = "SELECT 1 FROM \(SQL.quoted(table)) WHERE \(SQL.quoted(column)) IS NOT NULL LIMIT 1"
    return try PreparedStatement(sql, on: handle).step()
  }

  /// Whether a column has a value that is the key of one of an entity's rows, or one that is none.
  private func hasKey(
    of entity: CoreDataTables.Entity, _ column: String, _ table: String, isKnown: Bool
  ) throws -> Bool {
    guard let target = self.table(of: entity) else { return !isKnown }
    let numbers = family(of: entity).map { String($0.number) }.joined(separator: ", ")
    let value = "t.\(SQL.quoted(column))"
    let statement = try PreparedStatement(
      """
      SELECT 1 FROM \(SQL.quoted(table)) t WHERE \(value) IS NOT NULL AND \(isKnown ? "" : "NOT ")EXISTS (
        SELECT 1 FROM \(SQL.quoted(target)) r WHERE r.Z_PK = \(value) AND r.Z_ENT IN (\(numbers)))
      LIMIT 1
      """, on: handle)
    return try statement.step()
  }

  // MARK: - Lists

  /// Notes that the other end of a to-one relationship is a list with an order, if there is a column of it.
  mutating func noteOrder(
    beside column: String, in table: String, _ name: String, _ owner: Int64,
    _ destination: CoreDataTables.Entity
  ) {
    guard let order = tables.column("Z_FOK_\(column.dropFirst())", of: table) else { return }
    used[table]?.insert(order)
    orderedLists.append(OrderedList(owner: owner, relationship: name, destination: destination.number))
  }

  /// Adds the list that leads back to a to-one relationship. The file does not have its name: it is called after the
  /// entity of its objects.
  mutating func addInverse(_ list: OrderedList) {
    guard let owner = names[list.owner], let destination = names[list.destination],
      let index = entities[list.owner]?.relationships.firstIndex(where: { $0.name == list.relationship })
    else { return }
    let plain = owner.name.lowercased() + "s"
    let other = "\(plain)_\(list.relationship)"
    let name = isTaken(plain, list.destination) ? other : plain
    guard !isTaken(name, list.destination) else {
      notes.append("the order of the list that leads to \(owner.name).\(list.relationship) is left out")
      return
    }
    entities[list.owner]?.relationships[index].inverse = name
    entities[list.destination]?.relationships.append(
      Relationship(
        name: name, destination: owner.name, inverse: list.relationship, isToMany: true, isOrdered: true))
    notes.append(
      "\(destination.name).\(name) is the ordered list that leads to \(owner.name).\(list.relationship);"
        + " its name is not in the file")
  }

  /// Adds the list of a column `Z3PHOTOS`, which has the keys of the owners of a list without an inverse, and the number of
  /// their entity in its name.
  mutating func addList(
    _ column: CoreDataTables.Column, of table: String, _ root: CoreDataTables.Entity
  ) throws {
    let rest = column.name.uppercased().dropFirst()
    let digits = rest.prefix { $0.isNumber }
    let plain = rest.dropFirst(digits.count)
    guard column.name.uppercased().hasPrefix("Z"), let number = Int64(digits), names[number] != nil,
      let first = plain.first, first.isLetter, !isTaken(plain.lowercased(), number),
      let target = names[try self.owner(of: column.name, table, root)]
    else { return }
    let order = tables.column("Z_FOK_\(column.name.dropFirst())", of: table)
    entities[number]?.relationships.append(
      Relationship(
        name: plain.lowercased(), destination: target.name, isToMany: true, isOrdered: order != nil))
    used[table, default: []].formUnion([column.name, order].compactMap(\.self))
  }
}
