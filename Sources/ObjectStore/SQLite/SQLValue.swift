/// A value that is bound to a parameter of a statement.
public enum SQLValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

extension PreparedStatement {
  /// Binds a copy of a value.
  package func bind(_ value: SQLValue, at index: Int) {
    switch value {
    case .null: bindNull(at: index)
    case .integer(let value): bind(value, at: index)
    case .real(let value): bind(value, at: index)
    case .text(let value): bind(value, at: index)
    case .blob(let value): bind(copyOf: value, at: index)
    }
  }
}

extension PreparedStatement {
  /// A copy of the value of a column.
  package func value(_ column: Int) -> SQLValue { SQLValue(self, column) }
}
