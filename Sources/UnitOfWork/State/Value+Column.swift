package import ObjectStore

extension Value {
  /// The value of a column that is given as text, as a part of a key.
  package init(stored text: String, in column: Column) {
    self.init(text: text)
    switch column.storage {
    case .integer: if let value = Int64(text) { self = .integer(value) }
    case .real: if let value = Double(text) { self = .real(value) }
    case .text: if column.holdsMixedKeys, let value = Int64(text) { self = .integer(value) }
    case .blob: break
    }
  }
}

extension RowKey {
  /// The key of a row of a table, which is given as text; nil if that has other parts.
  package init?(text: String, of table: Table) { self.init(text: text, in: table.key, of: table) }

  /// The values of columns of a table, which are given as text; nil if that has other parts.
  package init?(text: String, in columns: [Int], of table: Table) {
    guard let parts = KeyText.split(text, count: columns.count) else { return nil }
    self.init(zip(columns, parts).map { Value(stored: $1, in: table.columns[$0]) })
  }
}
