import Bytes
import ObjectModel

/// The values that new rows of an entity get where their cells say nothing.
final class DefaultCells {
  /// By slot; absent where there is no default.
  private(set) var cells: [Cell]
  private var bytes = ByteBuffer()

  init(_ layout: EntityLayout) {
    cells = Array(repeating: .absent, count: layout.slots.count)
    for (index, attribute) in layout.entity.attributes.enumerated() {
      cells[layout.attributeSlots[index]] = cell(for: attribute.attribute)
    }
  }

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
      let text = UnsafeBufferPointer(start: bytes.base + cell.offset, count: Int(cell.count))
      return statement.storage(column) == .text && statement.text(column).elementsEqual(text)
    default: return statement.isNull(column)
    }
  }

  private func cell(for attribute: Attribute) -> Cell {
    switch attribute.storedDefault {
    case nil, .null, .blob: return .absent
    case .integer(let value): return .integer(value)
    case .real(let value): return .real(value)
    case .text(let text):
      let offset = bytes.count
      bytes.append(utf8: text)
      return .text(at: offset, count: bytes.count - offset)
    }
  }
}
