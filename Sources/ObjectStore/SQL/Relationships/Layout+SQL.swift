import ObjectModel

extension Layout {
  /// The condition that a row of an entity's table is of the entity or one of its sub-entities; nil where all
  /// rows are.
  package func kindCondition(of entity: Int, alias: String? = nil) -> String? {
    let table = table(of: entity)
    guard let kind = table.kindColumn, table.root != entity else { return nil }
    let names = schema.family(of: entity).map { SQL.literal(schema.entities[$0].name) }
    return (alias.map { $0 + "." } ?? "") + "\(SQL.quoted(kind)) IN (\(names.joined(separator: ", ")))"
  }

  /// Whether a statement reads an index of elements.
  func readsElementIndex(_ sql: String) -> Bool {
    tables.contains { $0.elementIndexes.contains { sql.contains(SQL.quoted($0.name)) } }
  }

  /// Whether triggers of the file write more than a statement says.
  var hasTriggers: Bool { hasSearch || tables.contains { !$0.elementIndexes.isEmpty } }
}
