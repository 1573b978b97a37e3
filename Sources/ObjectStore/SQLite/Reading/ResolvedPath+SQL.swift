import ObjectModel

extension ResolvedPath {
  /// SQL for the value, or the parts of the identity, at the end, from SQL for its columns.
  func identity(_ columns: [String], _ layout: Layout) -> [String] {
    guard case .relationship(let relationship) = end else { return columns }
    return layout.identity(fromColumns: columns, of: layout.schema.entities[relationship.destination])
  }
}
