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
