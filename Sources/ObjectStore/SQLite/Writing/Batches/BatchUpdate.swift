package import ObjectModel

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
    let query = try QueryBuilder(query, layout)
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
    let statement = try context.transaction.prepare(sql)
    for (index, argument) in (arguments + values.map(\.value)).enumerated() {
      statement.bind(argument, at: index + 1)
    }
    try statement.run()
    context.repetitions.forget(inTable: table)
    return statement.changes
  }
}
