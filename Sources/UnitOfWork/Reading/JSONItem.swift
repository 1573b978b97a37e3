import JSONStream
import ObjectStore

/// A value in JSON that the store keeps, whose type differs from object to object; nil where there is none.
struct JSONItem {
  let value: JSONValue?

  init(_ value: JSONValue?) { self.value = value }

  /// The JSON in a column.
  init(column: Value) {
    guard case .text(let bytes) = column else {
      value = nil
      return
    }
    value = JSONValue(text: String(decoding: bytes, as: UTF8.self))
  }

  /// The member at the end of keys.
  func member(_ keys: some Sequence<String>) -> JSONItem {
    JSONItem(keys.reduce(value) { value, key in value?[key] })
  }

  /// The elements; nil if it is no list.
  var elements: [JSONItem]? {
    guard case .array(let elements)? = value else { return nil }
    return elements.map(JSONItem.init)
  }

  /// The value whatever its type, lists and objects as JSON.
  var plain: Value {
    switch value {
    case nil, .null: .null
    case .bool(let isTrue): .integer(isTrue ? 1 : 0)
    case .number(let digits): Self.number(digits)
    case .string(let text): Value(text: text)
    case .array, .object: Value(text: value?.text ?? "")
    }
  }

  private static func number(_ digits: String) -> Value {
    // Whole numbers of more than 64 bits are reals too.
    if let integer = Int64(digits) { return .integer(integer) }
    return .real(Double(digits) ?? 0)
  }

  /// Whether it is of a type; nil stands for null.
  func isOf(_ type: ComparedType?) -> Bool {
    switch (value, type) {
    case (.null?, nil): true
    case (.bool?, .boolean?): true
    case (.number?, .integer?), (.number?, .real?), (.number?, .date?): true
    case (.string?, let type?): ![.boolean, .integer, .real].contains(type)
    default: false
    }
  }

  /// The value as one of a type, null if it is of another.
  func value(as type: ComparedType) -> Value {
    guard isOf(type) else { return .null }
    switch (type, value) {
    case (.uuid, .string(let text)?): return Value(text: text.asciiLowercased)
    case (.date, .string(let text)?): return Self.date(.string(text))
    case (.date, .number?):
      let secondsFrom1970To2001 = 978_307_200.0
      return DateText(secondsSince2001: plain.number - secondsFrom1970To2001).map { Value(text: $0.text) }
        ?? .null
    default: return plain
    }
  }

  private static func date(_ constant: PredicateConstant) -> Value {
    ComparedType.date.value(of: constant).map { Value($0.value) } ?? .null
  }
}

extension String {
  /// The text with small letters for the capitals of ASCII.
  var asciiLowercased: String {
    String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
