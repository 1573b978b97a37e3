package import Foundation
package import JSONStream

/// A JSON value of Broker's form of a model.
///
/// Unlike `JSONValue`, it keeps the order of an object's members, so that the same model always gives the same text. Its
/// text has a layout of its own, a line for each attribute, which `JSONWriter` does not have: it would have to know how
/// long a value is before it writes it.
package indirect enum FormValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// Any other number, in its own digits, so that decimals stay exact.
  case number(String)
  case string(String)
  case array([FormValue])
  case object([Member])

  package struct Member: Equatable, Sendable {
    package var key: String
    package var value: FormValue

    package init(_ key: String, _ value: FormValue) {
      self.key = key
      self.value = value
    }
  }

  /// The name in messages.
  package var summary: String {
    switch self {
    case .null: "null"
    case .bool(let value): String(value)
    case .integer(let value): String(value)
    case .number(let digits): digits
    case .string(let value): value
    case .array: "[…]"
    case .object: "{…}"
    }
  }
}

extension FormValue: ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral {
  package init(stringLiteral value: String) { self = .string(value) }

  package init(dictionaryLiteral elements: (String, FormValue)...) {
    self = .object(elements.map { Member($0, $1) })
  }
}

extension FormValue {
  /// No form of a model nests deeper by far.
  package static let maximumDepth = 64

  package init(json data: Data, maximumDepth: Int = Self.maximumDepth) throws(JSONError) {
    let options = JSONReader.Options(maximumDepth: maximumDepth, allowsSequence: false)
    var reader = JSONReader(MemorySource([UInt8](data)), options: options)
    self = try Self.value(from: reader.next(), &reader)
    _ = try reader.next()
  }

  /// The value that a token begins.
  private static func value(
    from token: JSONToken, _ reader: inout JSONReader
  ) throws(JSONError) -> FormValue {
    switch token {
    case .true: return .bool(true)
    case .false: return .bool(false)
    case .string: return .string(String(decoding: reader.text, as: UTF8.self))
    case .number: return shortest(String(decoding: reader.text, as: UTF8.self))
    case .beginArray:
      var elements: [FormValue] = []
      var next = try reader.next()
      while next != .endArray {
        elements.append(try value(from: next, &reader))
        next = try reader.next()
      }
      return .array(elements)
    case .beginObject:
      var members: [Member] = []
      while try reader.next() == .key {
        let key = String(decoding: reader.text, as: UTF8.self)
        members.append(Member(key, try value(from: reader.next(), &reader)))
      }
      return .object(members)
    case .null, .key, .endObject, .endArray, .end: return .null
    }
  }

  /// A number in its shortest digits.
  static func shortest(_ digits: String) -> FormValue {
    if let integer = Int64(digits) { return .integer(integer) }
    if let decimal = Decimal(string: digits), !decimal.isNaN { return .number(decimal.description) }
    return .number(Double(digits).map { String($0) } ?? digits)
  }
}

extension FormValue {
  /// The value of a member; nil if it is no object or has no such key. It takes time in proportion to the members.
  package subscript(key: String) -> FormValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.key == key }?.value
  }

  package var text: String? { if case .string(let text) = self { text } else { nil } }

  package var members: [Member]? { if case .object(let members) = self { members } else { nil } }

  package var elements: [FormValue]? { if case .array(let elements) = self { elements } else { nil } }
}

extension FormValue {
  /// JSON for people: what fits on a line stays on one, so that an attribute is a line.
  package func document() -> String {
    var text = ""
    write(to: &text, indentation: 0, column: 0)
    return text + "\n"
  }

  private static let width = 100

  private func write(to text: inout String, indentation: Int, column: Int) {
    if !hasListOfObjects {
      var line = ""
      writeOnOneLine(to: &line)
      if column + line.count <= Self.width || isScalar {
        text += line
        return
      }
    }
    let inner = indentation + 2
    let margin = String(repeating: " ", count: inner)
    switch self {
    case .array(let elements):
      text += "[\n"
      for (index, element) in elements.enumerated() {
        text += margin
        element.write(to: &text, indentation: inner, column: inner)
        text += index == elements.count - 1 ? "\n" : ",\n"
      }
      text += String(repeating: " ", count: indentation) + "]"
    case .object(let members):
      text += "{\n"
      for (index, member) in members.enumerated() {
        let key = Self.quoted(member.key) + ": "
        text += margin + key
        member.value.write(to: &text, indentation: inner, column: inner + key.count)
        text += index == members.count - 1 ? "\n" : ",\n"
      }
      text += String(repeating: " ", count: indentation) + "}"
    default:
      writeOnOneLine(to: &text)
    }
  }

  private var isScalar: Bool {
    switch self {
    case .array(let elements): elements.isEmpty
    case .object(let members): members.isEmpty
    default: true
    }
  }

  /// Whether there is a list of objects in it, however short: those are written a line each.
  private var hasListOfObjects: Bool {
    switch self {
    case .array(let elements):
      elements.contains { if case .object = $0 { true } else { $0.hasListOfObjects } }
    case .object(let members): members.contains { $0.value.hasListOfObjects }
    default: false
    }
  }

  func writeOnOneLine(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .number(let digits): text += digits
    case .string(let value): text += Self.quoted(value)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += ", " }
        element.writeOnOneLine(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += ", " }
        text += Self.quoted(member.key) + ": "
        member.value.writeOnOneLine(to: &text)
      }
      text += "}"
    }
  }

  static func quoted(_ string: String) -> String {
    let escaped = string.replacingScalars { scalar in
      switch scalar {
      case "\"": return "\\\""
      case "\\": return "\\\\"
      case "\n": return "\\n"
      case "\r": return "\\r"
      case "\t": return "\\t"
      case "\0"..<" ", "\u{7F}":
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: return nil
      }
    }
    return "\"\(escaped)\""
  }
}

/// The words of Broker's JSON form.
enum FormNames {
  static let types: [(name: String, type: AttributeType)] = [
    ("boolean", .boolean), ("integer16", .integer16), ("integer32", .integer32), ("integer64", .integer64),
    ("float", .float), ("double", .double), ("decimal", .decimal), ("string", .string), ("date", .date),
    ("uuid", .uuid), ("uri", .uri), ("binary", .binary), ("transformable", .transformable),
    ("undefined", .undefined),
  ]

  static let composite = "composite"

  /// Other spellings, for suggestions.
  private static let synonyms = [
    "int": "integer64", "integer": "integer64", "long": "integer64", "int16": "integer16",
    "int32": "integer32", "int64": "integer64", "short": "integer16", "bool": "boolean", "number": "double",
    "text": "string", "datetime": "date", "timestamp": "date", "url": "uri", "data": "binary",
    "blob": "binary", "json": "transformable", "object": "transformable",
  ]

  /// Names that short forms have besides.
  static let shortTypes = [
    "bool": "boolean", "int": "integer64", "int16": "integer16", "int32": "integer32", "int64": "integer64",
    "text": "string", "url": "uri", "data": "binary", "json": "transformable",
  ]

  static func name(of type: AttributeType) -> String {
    if case .composite = type { return composite }
    return types.first { $0.type == type }?.name ?? "undefined"
  }

  /// The short name of a type that has one, else its own.
  static func shortName(of type: AttributeType) -> String {
    let name = name(of: type)
    return ["int16", "int32", "int", "bool", "url", "data", "json"].first { shortTypes[$0] == name } ?? name
  }

  static func nearestType(to name: String) -> String? {
    synonyms[name.lowercased()] ?? nearestName(to: name, in: types.map(\.name) + [composite])
  }
}

extension AttributeType {
  /// The type's name in Broker's JSON form: `integer64`; a composite's is its own name.
  public var name: String {
    if case .composite(let name) = self { return name }
    return FormNames.name(of: self)
  }
}
