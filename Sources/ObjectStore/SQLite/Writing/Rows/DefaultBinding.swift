import Bytes

/// Defaults as values of statements.
extension DefaultCells {
  func bind(_ slot: Int, to statement: PreparedStatement, at index: Int) {
    let cell = cells[slot]
    switch cell.kind {
    case .integer: statement.bind(cell.integerValue, at: index)
    case .real: statement.bind(cell.realValue, at: index)
    case .text: statement.bind(text: bytes.base + cell.offset, count: Int(cell.count), at: index)
    default: statement.bindNull(at: index)
    }
  }

  /// Whether a column of a statement's row holds the default, or null where there is none.
  func equals(_ slot: Int, _ statement: PreparedStatement, column: Int) -> Bool {
    let cell = cells[slot]
    switch cell.kind {
    case .integer:
      return statement.storage(column) == .integer && statement.integer(column) == cell.integerValue
    case .real: return statement.storage(column) == .real && statement.double(column) == cell.realValue
    case .text:
      return statement.storage(column) == .text && statement.text(column).elementsEqual(text(of: cell))
    default: return statement.isNull(column)
    }
  }
}
