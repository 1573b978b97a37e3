package import Bytes
package import ObjectModel

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

extension Attribute {
  /// The default in the form of the store; nil if there is none or it cannot be read as its type.
  package var storedDefault: SQLValue? { storedDefault(annotations.defaultValue ?? defaultValue) }

  /// The value of a text for the attribute, in the form of the store; nil if it is none.
  package func stored(_ text: String) -> SQLValue? {
    guard type == .date else { return storedDefault(text) }
    return ComparedType.date(.string(text)).map(SQLValue.text)
  }

  private func storedDefault(_ text: String?) -> SQLValue? {
    if type == .date {
      if let annotated = annotations.defaultValue { return .text(annotated) }
      return defaultDate.flatMap(DateText.init(secondsSince2001:)).map { .text($0.text) }
    }
    guard let text else { return nil }
    switch type {
    case .boolean, .integer16, .integer32, .integer64: return Self.integer(text).map(SQLValue.integer)
    case .float, .double: return Double(text).map(SQLValue.real)
    case .string, .uri, .transformable, .undefined: return .text(text)
    case .decimal: return StoredText.decimal(text).map(SQLValue.text)
    case .uuid: return StoredText.uuid(text).map(SQLValue.text)
    case .binary, .composite, .date: return nil
    }
  }
}

/// Texts in the one form that the store has for them.
enum StoredText {
  static func decimal(_ text: String) -> String? {
    canonical(text) { DecimalNumber($0)?.append(to: &$1) ?? false }
  }

  static func uuid(_ text: String) -> String? { canonical(text) { UUIDText.append($0, to: &$1) } }

  private static func canonical(
    _ text: String, _ append: (UnsafeBufferPointer<UInt8>, inout ByteBuffer) -> Bool
  ) -> String? {
    var bytes = ByteBuffer()
    var text = text
    guard text.withUTF8({ append($0, &bytes) }) else { return nil }
    return String(decoding: UnsafeBufferPointer(start: bytes.base, count: bytes.count), as: UTF8.self)
  }
}
