package import Bytes
import ObjectModel

/// The values that new rows of an entity get where their cells say nothing.
package final class DefaultCells {
  /// By slot; absent where there is no default.
  package private(set) var cells: [Cell]
  package private(set) var bytes = ByteBuffer()

  package init(_ layout: EntityLayout) {
    cells = Array(repeating: .absent, count: layout.slots.count)
    for (index, attribute) in layout.entity.attributes.enumerated() {
      cells[layout.attributeSlots[index]] = cell(for: attribute.attribute)
    }
  }

  /// The default of a slot; null where there is none.
  package func value(_ slot: Int) -> SQLValue {
    let cell = cells[slot]
    return switch cell.kind {
    case .integer: .integer(cell.integerValue)
    case .real: .real(cell.realValue)
    case .text: .text(String(decoding: text(of: cell), as: UTF8.self))
    default: .null
    }
  }

  /// The bytes of a default that is a text.
  func text(of cell: Cell) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: bytes.base + cell.offset, count: Int(cell.count))
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
