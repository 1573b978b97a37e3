import Bytes
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension PreparedStatement {
  /// Binds a cell of a batch, which must stay as it is until the statement has run.
  @inline(__always)
  func bind(_ cell: Cell, of batch: borrowing RowBatch, at index: Int) {
    switch cell.kind {
    case .integer: bind(cell.integerValue, at: index)
    case .text: bind(text: batch.bytes.base + cell.offset, count: Int(cell.count), at: index)
    case .real: bind(cell.realValue, at: index)
    case .blob: bind(blob: batch.bytes.base + cell.offset, count: Int(cell.count), at: index)
    case .null, .absent, .row: bindNull(at: index)
    }
  }

}

extension Cursor {
  /// Whether a column of the current row holds exactly what a cell says.
  @inline(__always)
  package func column(_ column: Int, equals cell: Cell, of batch: borrowing RowBatch) -> Bool {
    switch cell.kind {
    case .integer: storage(column) == .integer && integer(column) == cell.integerValue
    case .real: storage(column) == .real && double(column) == cell.realValue
    case .text:
      storage(column) == .text && haveSameBytes(UnsafeRawBufferPointer(text(column)), batch.bytes(of: cell))
    case .blob: storage(column) == .blob && haveSameBytes(blob(column), batch.bytes(of: cell))
    case .null: isNull(column)
    case .absent, .row: false
    }
  }
}

@inline(__always)
private func haveSameBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
  guard left.count == right.count else { return false }
  guard left.count > 0, let first = left.baseAddress, let second = right.baseAddress else { return true }
  return memcmp(first, second, left.count) == 0
}
