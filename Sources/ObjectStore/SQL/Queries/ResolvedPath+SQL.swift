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
}
