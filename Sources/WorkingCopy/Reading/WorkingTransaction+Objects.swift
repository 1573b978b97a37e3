package import ObjectModel
package import ObjectStore

/// Objects by their rows and keys.
extension WorkingTransaction {
  package func row(of entity: SchemaEntity, key: String) throws -> Int64? {
    let table = layout.table(of: entity.index)
    guard let parts = KeyText.split(key, count: table.key.count) else { return nil }
    let values = zip(table.key, parts).map { Value(stored: $1, in: table.columns[$0]) }
    return state.tables[state.tableIndex(of: entity.index)].find(values)
  }

  package func cells(ofRow row: Int64, in table: Table) throws -> [SQLValue] {
    state.tables[state.tableIndex(of: table.root)][row]?.values.map(\.sql) ?? []
  }
}
