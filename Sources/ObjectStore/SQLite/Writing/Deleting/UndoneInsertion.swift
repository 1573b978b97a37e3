import ObjectModel

/// Rows that go, or lose their links, without a deletion.
extension ObjectDeleter {
  /// Removes the row of an object that should not have been inserted, and counts it as skipped. What refers to it waits
  /// for it.
  ///
  /// - Parameter lists: The relationships whose lists have it.
  func deleteInserted(_ row: Int64, of entity: Int, listedBy lists: [Int] = []) throws {
    let place = RowLocation(table: layout.entities[entity].table, row: row)
    try context.transaction.makeIndexes()
    if let plan = try plan(for: place) { try deleteInserted(place, plan, listedBy: lists) }
    context.tally.countInsertionUndone(row: row, entity: entity, table: place.table)
  }

  private func deleteInserted(_ place: RowLocation, _ plan: DeletionPlan, listedBy lists: [Int]) throws {
    try dropLinks(of: place.row, a: plan.entity, keeping: nil)
    if pendingLinks.hasStored {
      try pendingLinks.forgetAll(of: plan.entity, owner: try key(of: place, plan))
    }
    let sql = DeletionSQL(layout: layout, table: layout.tables[place.table])
    for relationship in layout.schema.relationships
    where plan.entity.ancestry.contains(relationship.destination) {
      if lists.contains(relationship.index) { try keepPending(for: place, plan, relationship) }
      guard let links = sql.linksFromOwners(of: relationship) else { continue }
      let statement = try rareStatement(links)
      statement.bind(place.row, at: 1)
      while try statement.step() { references.add(relationship, row: statement.integer(0)) }
    }
    try run(plan.removal, place.row)
    noteGone(place)
  }

  /// Has the owner of a list, which is told by columns of a row that goes, wait for it.
  private func keepPending(
    for place: RowLocation, _ plan: DeletionPlan, _ relationship: SchemaRelationship
  ) throws {
    guard case .inverse(let columns, let order) = layout.relationships[relationship.index] else { return }
    let table = layout.tables[place.table]
    let names = (columns + (order.map { [$0] } ?? [])).map { table.columns[$0].name }
    let link = try rareStatement("SELECT \(SQL.list(names)) FROM \(SQL.quoted(table.name)) WHERE rowid = ?1")
    link.bind(place.row, at: 1)
    guard try link.step() else { return }
    defer { link.reset() }
    guard !columns.indices.contains(where: { link.isNull($0) }) else { return }
    try pendingLinks.store(
      relationship, owner: KeyText.ofColumns(0..<columns.count, link), target: key(of: place, plan),
      place: order == nil || link.isNull(columns.count) ? nil : link.integer(columns.count))
  }

  /// Takes from an object, which turned into another kind, the links that only its former kind has.
  func dropLinks(of row: Int64, formerly kind: Int, now entity: SchemaEntity) throws {
    try context.transaction.makeIndexes()
    try dropLinks(of: row, a: layout.schema.entities[kind], keeping: entity)
  }

  /// Takes away the links that start at a row by relationships which another entity does not have, and the
  /// parts that they lead to.
  private func dropLinks(of row: Int64, a entity: SchemaEntity, keeping other: SchemaEntity?) throws {
    let sql = DeletionSQL(layout: layout, table: layout.table(of: entity.index))
    for index in entity.relationships where !(other?.relationships.contains(index) ?? false) {
      let relationship = layout.schema.relationships[index]
      if layout.leadsToParts(relationship) {
        let link = DeletionPlan.Link(
          relationship: relationship, table: layout.entities[relationship.destination].table,
          targets: try rareStatement(sql.targets(of: relationship)))
        for part in try targets(of: link, row) { _ = try deleteByRules(part, sparing: []) }
      }
      // The foreign keys that lead to an object whose insertion is undone stay: they wait for it.
      let isIdentity = relationship.inverse.map { layout.schema.relationships[$0].isIdentity } ?? false
      if other != nil, !isIdentity, case .inverse(let columns, _) = layout.relationships[index] {
        try run(rareStatement(sql.clearing(columns, of: layout.table(of: relationship.destination))), row)
      }
      for removal in sql.removingLinks(of: relationship, fromOwner: true) {
        try run(rareStatement(removal), row)
      }
    }
  }
}
