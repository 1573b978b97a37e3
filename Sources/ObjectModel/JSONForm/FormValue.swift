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

    package init(key: String, value: FormValue) {
      self.key = key
      self.value = value
    }
  }

  /// What a message calls it.
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

extension FormValue {
  /// No form of a model nests deeper by far.
  package static let maximumDepth = 64

  /// Reads a JSON document.
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
        members.append(Member(key: key, value: try value(from: reader.next(), &reader)))
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
