package import ObjectModel

extension RowWriter {
  /// Deletes rows of an entity and all links to them by a statement for each table, where that is all that the model
  /// asks for: nothing cascades, denies, requires, waits or is named.
  ///
  /// - Returns: False if it is not; then nothing is deleted.
  package func deleteTogether(_ rows: [Int64], of entity: SchemaEntity) throws -> Bool {
    let layout = context.layout
    let kinds = layout.schema.entities.filter { $0.ancestry.contains(entity.index) }
    guard !context.policy.namesAllDeleted, !self.rows.hasPending, kinds.allSatisfy(layout.goesAlone) else {
      return false
    }
    let table = layout.entities[entity.index].table
    let list = ListedValues.list(rows)
    try transaction.makeIndexes()
    for sql in BatchDeletion(layout: layout, table: layout.tables[table]).statements(kinds) {
      let statement = try transaction.cached(sql)
      statement.bind(list, at: 1)
      try statement.run()
    }
    for row in rows {
      context.tally.countDeleted(row: row, entity: entity.index, table: table)
      context.claims.drop(ofDeleted: row, inTable: table)
    }
    context.repetitions.forget(inTable: table)
    return true
  }
}

extension Layout {
  /// Whether an object of an entity can be deleted without a look at others.
  fileprivate func goesAlone(_ entity: SchemaEntity) -> Bool {
    let isRequired = schema.relationships.contains { self.isRequired($0, of: entity) }
    return !isRequired
      && entity.relationships.map { schema.relationships[$0] }.allSatisfy { relationship in
        ![.cascade, .deny].contains(relationship.relationship.deleteRule) && !leadsToParts(relationship)
      }
  }
}

/// The statements that take away the rows of a table, whose row ids are listed in `?1`, and the links to them.
private struct BatchDeletion {
  let layout: Layout
  let table: Table

  /// - Parameter kinds: The entities that the rows may be of.
  func statements(_ kinds: [SchemaEntity]) -> [String] {
    var result: [String] = []
    for relationship in layout.schema.relationships {
      if kinds.contains(where: { $0.ancestry.contains(relationship.destination) }) {
        result += unlinking(targetsOf: relationship)
      }
      if kinds.contains(where: { $0.relationships.contains(relationship.index) }) {
        result += removingLinks(of: relationship, fromOwner: true)
      }
    }
    return result + ["DELETE FROM \(SQL.quoted(table.name)) WHERE rowid IN (\(Self.rows))"]
  }

  private static let rows = "SELECT value FROM json_each(?1)"

  private func unlinking(targetsOf relationship: SchemaRelationship) -> [String] {
    let rule = relationship.inverse.map { layout.schema.relationships[$0].relationship.deleteRule }
    guard case .foreignKey(let columns) = layout.relationships[relationship.index] else {
      return removingLinks(of: relationship, fromOwner: false)
    }
    // The rule "no action" leaves links as they are.
    guard rule != .noAction else { return [] }
    let owner = layout.table(of: relationship.owner)
    let names = columns.map { owner.columns[$0].name }
    let settings = names.map { "\(SQL.quoted($0)) = NULL" }.joined(separator: ", ")
    return ["UPDATE \(SQL.quoted(owner.name)) SET \(settings) WHERE \(leading(names))"]
  }

  /// Removes links from a join table; nothing for other relationships.
  private func removingLinks(of relationship: SchemaRelationship, fromOwner: Bool) -> [String] {
    guard case .join(let index, let isForward) = layout.relationships[relationship.index] else { return [] }
    let sql = JoinSQL(join: layout.joins[index], isForward: isForward)
    let columns = fromOwner ? sql.owner : sql.target
    return ["DELETE FROM \(SQL.quoted(layout.joins[index].name)) WHERE \(leading(columns))"]
  }

  /// `"band" IN (SELECT "name" FROM "Band" WHERE rowid IN (…))`
  private func leading(_ columns: [String]) -> String {
    if table.keyIsRowID { return "\(SQL.list(columns)) IN (\(Self.rows))" }
    let key = SQL.list(table.key.map { table.columns[$0].name })
    let names = columns.count == 1 ? SQL.list(columns) : "(\(SQL.list(columns)))"
    return "\(names) IN (SELECT \(key) FROM \(SQL.quoted(table.name)) WHERE rowid IN (\(Self.rows)))"
  }
}

extension Layout {
  /// Whether attributes of all objects of an entity can be given values by one statement: they say nothing of which
  /// objects these are, and may have the same value several times.
  package func canUpdateTogether(_ attributes: [Int], of entity: SchemaEntity) -> Bool {
    let table = table(of: entity.index)
    var special = Set(table.key.map { table.columns[$0].name })
    for index in table.indexes where index.uniqueFor != nil {
      special.formUnion(index.columns.map { table.columns[$0.column].name })
    }
    let kinds = schema.entities.filter { $0.ancestry.contains(entity.index) }
    for kind in kinds { special.formUnion(kind.identityAttributes.map { column(of: $0, in: kind).name }) }
    return attributes.allSatisfy { !special.contains(column(of: $0, in: entity).name) }
  }
}

extension RowWriter {
  /// Gives attributes of the objects of a query values, by one statement.
  ///
  /// - Parameters:
  ///   - values: The attributes by their indexes, and the values in the form of the store, of which only some may be
  ///     other than those that are there.
  /// - Returns: How many objects are changed by it.
  package func updateTogether(
    _ query: Query, _ values: [(attribute: Int, value: SQLValue)]
  ) throws -> Int {
    let layout = context.layout
    let isOrdered = query.hasRange
    let query = try QueryBuilder(query, layout, SQLiteDialect())
    let table = layout.entities[query.entity.index].table
    let condition = query.changeCondition(isOrdered: isOrdered)
    let arguments = condition.values
    var settings: [String] = []
    var differences: [String] = []
    for (index, value) in values.enumerated() {
      let column = SQL.quoted(layout.column(of: value.attribute, in: query.entity).name)
      settings.append("\(column) = ?\(arguments.count + index + 1)")
      differences.append("t0.\(column) IS NOT ?\(arguments.count + index + 1)")
    }
    let sql = """
      UPDATE \(SQL.quoted(layout.tables[table].name)) AS t0 SET \(settings.joined(separator: ", "))
      WHERE \(condition.sql) AND (\(differences.joined(separator: " OR ")))
      """
    let statement = try transaction.prepare(sql)
    for (index, argument) in (arguments + values.map(\.value)).enumerated() {
      statement.bind(argument, at: index + 1)
    }
    try statement.run()
    context.repetitions.forget(inTable: table)
    return statement.changes
  }
}
