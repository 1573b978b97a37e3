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
