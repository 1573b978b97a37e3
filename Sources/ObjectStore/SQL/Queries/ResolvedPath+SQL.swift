package import ObjectModel

extension ResolvedPath {
  /// SQL for the value, or the parts of the identity, at the end, from SQL for its columns.
  func identity(_ columns: [String], _ layout: Layout, _ dialect: any SQLDialect) -> [String] {
    guard case .relationship(let relationship) = end else { return columns }
    return layout.identity(
      fromColumns: columns, of: layout.schema.entities[relationship.destination], dialect)
  }

  /// How the value, or the parts of the identity, at the end are kept.
  package func forms(_ layout: Layout, from entity: SchemaEntity) -> [SQLForm] {
    if case .relationship(let relationship) = end,
      !layout.schema.entities[relationship.destination].isIdentifiedBelowRoot
    {
      return columns(layout).map { SQLForm($0) }
    }
    return types(layout, from: entity).map { SQLForm($0) }
  }

  /// SQL for what a path that passes a relationship to many gives of the object in the row that the first parameter says,
  /// in the order of the lists.
  package func elementsSQL(
    of entity: SchemaEntity, _ layout: Layout, _ dialect: any SQLDialect
  ) -> String {
    let table = layout.table(of: entity.index)
    var tables = CommonTables(dialect)
    let isMeant = "t0.\(dialect.rowColumn(of: table)) = \(dialect.parameter(1))"
    var sql = "FROM \(tables.source(TableColumns(table, dialect), as: "t0", where: isMeant))"
    var ordering: [String] = []
    var alias = "t0"
    for (index, relationship) in relationships.enumerated() {
      let relationship = layout.schema.relationships[relationship]
      let step = RelationshipSQL(layout: layout, relationship: relationship, dialect)
      let next = "t\(index + 1)"
      sql += " " + step.joins(owner: alias, target: next, reading: &tables)
      if relationship.isToMany {
        ordering.append(String(step.ordering(owner: alias, target: next).dropFirst(" ORDER BY ".count)))
      }
      alias = next
    }
    let columns = identity(columns(layout).map { "\(alias).\(SQL.quoted($0.name))" }, layout, dialect)
    sql = "SELECT \(columns.joined(separator: ", ")) \(sql) WHERE \(isMeant)"
    if !ordering.isEmpty { sql += " ORDER BY \(ordering.joined(separator: ", "))" }
    return tables.statement(sql)
  }
}
