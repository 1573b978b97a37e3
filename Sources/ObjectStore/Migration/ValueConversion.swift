import Foundation
package import ObjectModel

/// The conversion of an attribute's values to the type that it has in the new version of a model.
///
/// It gives what an import into the new version makes of an export from the old one. What would lose something is no
/// value: nil, so that it can be counted before anything changes.
package struct ValueConversion: Sendable, Hashable {
  package let old: AttributeType
  package let new: AttributeType

  package init(_ old: AttributeType, to new: AttributeType) {
    self.old = old
    self.new = new
  }

  /// Whether all values stay as the store keeps them.
  package var keepsAll: Bool {
    if old == new { return true }
    switch (old, new) {
    case (.boolean, .integer16), (.boolean, .integer32), (.boolean, .integer64): return true
    case (.integer16, .integer32), (.integer16, .integer64), (.integer32, .integer64): return true
    case (.float, .double): return true
    case (.uri, .string), (.uuid, .string), (.decimal, .string), (.uuid, .uri): return true
    case (.transformable, .undefined), (.undefined, .transformable): return true
    default: return false
    }
  }

  /// Whether every value has another form, and none can be lost: a whole number as a text, for example.
  package var isTotal: Bool {
    switch (old, new) {
    case (.boolean, .string), (.date, .string), (.binary, .string): true
    case (.integer16, .string), (.integer32, .string), (.integer64, .string): true
    case (.integer16, .decimal), (.integer32, .decimal), (.integer64, .decimal): true
    case (.integer16, .double), (.integer32, .double), (.integer16, .float): true
    case (.boolean, .double), (.boolean, .float), (.boolean, .decimal): true
    case (_, .transformable), (_, .undefined): true
    default: keepsAll
    }
  }

  /// The value in the store's form; nil if there is none without a loss.
  package func convert(_ value: SQLValue) -> SQLValue? {
    if keepsAll { return value }
    if value == .null { return .null }
    guard let plain = UntypedValue(value, old) else { return nil }
    return plain.stored(as: new)
  }
}

/// A stored value without its type: what JSON would say.
private enum UntypedValue {
  case bool(Bool)
  case number(String)
  case text(String)
  case bytes([UInt8])
  /// A list or an object, as JSON text.
  case json(String)

  init?(_ value: SQLValue, _ type: AttributeType) {
    switch (value, type) {
    case (.integer(let integer), .boolean): self = .bool(integer != 0)
    case (.integer(let integer), _): self = .number(String(integer))
    case (.real(let double), _): self = .number(Self.text(of: double))
    case (.blob(let bytes), _): self = .bytes(bytes)
    case (.text(let text), .decimal): self = .number(text)
    case (.text(let text), .date): self = .text(text.replacing(" ", with: "T") + "Z")
    case (.text(let text), .transformable), (.text(let text), .undefined): self.init(json: text)
    case (.text(let text), _): self = .text(text)
    case (.null, _): return nil
    }
  }

  private init?(json: String) {
    switch json.first {
    case "\"":
      guard let text = try? JSONDecoder().decode(String.self, from: Data(json.utf8)) else { return nil }
      self = .text(text)
    case "t": self = .bool(true)
    case "f": self = .bool(false)
    case "{", "[": self = .json(json)
    case "n", nil: return nil
    default: self = .number(json)
    }
  }

  private static func text(of double: Double) -> String {
    let isWhole = abs(double) < 1e15 && (double != 0 || double.sign == .plus)
    return isWhole ? Int64(exactly: double).map(String.init) ?? double.description : double.description
  }

  func stored(as type: AttributeType) -> SQLValue? {
    switch type {
    case .boolean: truth.map { .integer($0 ? 1 : 0) }
    case .integer16: integer.flatMap { Int16(exactly: $0) }.map { .integer(Int64($0)) }
    case .integer32: integer.flatMap { Int32(exactly: $0) }.map { .integer(Int64($0)) }
    case .integer64: integer.map { .integer($0) }
    case .float, .double: double(isSingle: type == .float).map { .real($0) }
    case .decimal: numeral.flatMap(StoredText.decimal).map { .text($0) }
    case .string: .text(string)
    case .date: word.flatMap { ComparedType.date(.string($0)) }.map { .text($0) }
    case .uuid: word.flatMap(StoredText.uuid).map { .text($0) }
    case .uri: word.flatMap { $0.isEmpty || $0.contains(where: \.isWhitespace) ? nil : .text($0) }
    // A text that reads as Base64 may be any word: what it means has to be said.
    case .binary: bytes.map { .blob($0) }
    case .transformable, .undefined: .text(json)
    case .composite: nil
    }
  }

  // MARK: - Forms

  private var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }

  private var word: String? { if case .text(let text) = self { text } else { nil } }

  private var numeral: String? {
    switch self {
    case .number(let text), .text(let text): text
    case .bool(let bool): bool ? "1" : "0"
    case .bytes, .json: nil
    }
  }

  private var truth: Bool? {
    switch self {
    case .bool(let bool): return bool
    case .number(let text): return text == "1" ? true : text == "0" ? false : nil
    case .text(let text):
      switch text.lowercased() {
      case "true", "yes", "y", "on", "t", "1": return true
      case "false", "no", "n", "off", "f", "0": return false
      default: return nil
      }
    case .bytes, .json: return nil
    }
  }

  private var integer: Int64? {
    if case .bool(let bool) = self { return bool ? 1 : 0 }
    guard let numeral else { return nil }
    return Int64(numeral) ?? StoredText.decimal(numeral).flatMap { Int64($0) }
  }

  /// A number that reads as the same decimal number again.
  private func double(isSingle: Bool) -> Double? {
    guard let numeral, let number = Double(numeral), number.isFinite else { return nil }
    if let whole = Int64(numeral) {
      let exact = isSingle ? Float(exactly: whole).map(Double.init) : Double(exactly: whole)
      // A number beyond those that a double tells apart may come from a real, and is its shortest text then.
      if exact != nil || isSingle || whole.magnitude <= 1 << 53 { return exact }
    }
    let nearest = isSingle ? Double(Float(number)) : number
    guard nearest.isFinite else { return nil }
    if nearest == number, isSingle { return nearest }
    let text = isSingle ? Float(number).description : number.description
    return StoredText.decimal(text) == StoredText.decimal(numeral) ? nearest : nil
  }

  private var string: String {
    switch self {
    case .bool(let bool): bool ? "true" : "false"
    case .number(let text), .text(let text), .json(let text): text
    case .bytes(let bytes): Base64.text(of: bytes)
    }
  }

  private var json: String {
    switch self {
    case .bool, .number, .json: string
    case .text, .bytes: Self.quoted(string)
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\u{8}": result += "\\b"
      case "\u{C}": result += "\\f"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
