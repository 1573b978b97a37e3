import Bytes
import ObjectModel

/// The values that new rows of an entity get where their cells say nothing.
package final class DefaultCells {
  /// By slot; absent where there is no default.
  package private(set) var cells: [Cell]
  private(set) var bytes = ByteBuffer()

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

  /// The default in the form of the store; absent if there is none or it cannot be read as its type.
  private func cell(for attribute: Attribute) -> Cell {
    let annotated = attribute.annotations.defaultValue
    if attribute.type == .date {
      if let annotated { return text(annotated) }
      return attribute.defaultDate.flatMap(DateText.init(secondsSince2001:)).map { text($0.text) } ?? .absent
    }
    guard let value = annotated ?? attribute.defaultValue else { return .absent }
    switch attribute.type {
    case .boolean, .integer16, .integer32, .integer64:
      return Self.integer(value).map(Cell.integer) ?? .absent
    case .float, .double: return Double(value).map(Cell.real) ?? .absent
    case .string, .uri, .transformable, .undefined: return text(value)
    case .decimal: return canonical(value) { DecimalNumber($0)?.append(to: &$1) ?? false }
    case .uuid: return canonical(value) { UUIDText.append($0, to: &$1) }
    case .binary, .composite, .date: return .absent
    }
  }

  /// Model files write integers and booleans as `0`, `0.0`, `NO`, `YES`, `true`.
  private static func integer(_ text: String) -> Int64? {
    if let value = Int64(text) { return value }
    if let value = Double(text) { return Int64(exactly: value) }
    switch text.uppercased() {
    case "YES", "TRUE": return 1
    case "NO", "FALSE": return 0
    default: return nil
    }
  }

  /// A text in the one form that the store has for it.
  private func canonical(
    _ text: String, _ append: (UnsafeBufferPointer<UInt8>, inout ByteBuffer) -> Bool
  ) -> Cell {
    let offset = bytes.count
    var text = text
    guard text.withUTF8({ append($0, &bytes) }) else {
      bytes.truncate(to: offset)
      return .absent
    }
    return .text(at: offset, count: bytes.count - offset)
  }

  private func text(_ text: String) -> Cell {
    let offset = bytes.count
    bytes.append(utf8: text)
    return .text(at: offset, count: bytes.count - offset)
  }
}
