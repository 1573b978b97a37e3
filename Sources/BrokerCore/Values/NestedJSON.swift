import Foundation
import Mapping
import ObjectStore

/// `Codable` values of attributes, which the store keeps as JSON text.
enum NestedJSON {
  /// The value as the store keeps it; null if it cannot be encoded.
  static func stored(_ value: some Encodable) -> SQLValue {
    (try? Exporter.text(of: value)).map(SQLValue.text) ?? .null
  }

  static func encoded(_ value: some Encodable) throws -> SQLValue { .text(try Exporter.text(of: value)) }

  static func value<Value: Decodable>(_ text: UnsafeBufferPointer<UInt8>, as type: Value.Type) throws -> Value
  {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      guard let date = Date(json: try container.decode(JSONDate.self)) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "This is no date.")
      }
      return date
    }
    return try decoder.decode(type, from: Data(buffer: text))
  }

  /// Stored JSON text after it was read as a type and saved again; nil if it is not a value of the type.
  static func restored<Value: Codable>(_ stored: SQLValue, as type: Value.Type) -> SQLValue? {
    guard case .text(var text) = stored else { return nil }
    return text.withUTF8 { try? value($0, as: type) }.map { Self.stored($0) }
  }

  /// Whether stored JSON text is a value of a type.
  static func accepts<Value: Decodable>(_ stored: SQLValue, as type: Value.Type) -> Bool {
    guard case .text(var text) = stored else { return false }
    return text.withUTF8 { (try? value($0, as: type)) != nil }
  }
}

/// A date in nested JSON: an ISO 8601 text, or a number of seconds since 1970.
private enum JSONDate: Decodable {
  case text(String)
  case seconds(Double)

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let seconds = try? container.decode(Double.self) {
      self = .seconds(seconds)
    } else {
      self = .text(try container.decode(String.self))
    }
  }
}

extension Date {
  fileprivate init?(json: JSONDate) {
    switch json {
    case .seconds(let seconds): self.init(timeIntervalSince1970: seconds)
    case .text(var text):
      guard var time = text.withUTF8({ ISODate.read($0) }), time.normalize(defaultOffset: 0) else {
        return nil
      }
      self.init(time)
    }
  }
}

/// An optional of any type.
protocol AnyOptional {
  static var none: Self { get }
  var isNil: Bool { get }
}

extension Optional: AnyOptional {
  var isNil: Bool {
    if case .none = self { true } else { false }
  }
}

/// Type names as people write them.
enum AnyType {
  /// `[String]` for `Optional<Array<String>>`, since messages say separately whether a value may be missing.
  static func name(of type: Any.Type) -> String {
    var name = "\(type)"
    for (prefix, open, close) in [("Optional<", "", ""), ("Array<", "[", "]")] where name.hasPrefix(prefix) {
      name = open + name.dropFirst(prefix.count).dropLast() + close
    }
    return name
  }
}
