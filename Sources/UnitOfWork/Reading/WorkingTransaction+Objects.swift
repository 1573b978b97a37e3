package import ObjectModel
package import ObjectStore

/// Objects by their rows and keys.
extension WorkingTransaction {
  package func row(of entity: SchemaEntity, key: String) throws -> Int64? {
    let table = layout.table(of: entity.index)
    return RowKey(text: key, of: table).flatMap { state.tables[state.tableIndex(of: entity.index)].find($0) }
  }

  package func cells(ofRow row: Int64, in table: Table) throws -> [SQLValue] {
    state.tables[state.tableIndex(of: table.root)][row]?.values.map(\.sql) ?? []
  }
}
