import Foundation
import JSONStream
import ObjectModel

/// A schema of a single value as an attribute.
struct SchemaValues {
  let schema: FormValue

  /// The attribute's type; `type` is the schema's, if it says one.
  func type(_ type: String?) -> AttributeType {
    let format = schema["format"]?.text
    switch type ?? typeOfValues {
    case "boolean": return .boolean
    case "integer":
      return switch format {
      case "int8", "int16", "uint8": .integer16
      case "int32", "uint16": .integer32
      default: .integer64
      }
    case "number": return number(format)
    case "string": return string(format)
    default: return .transformable
    }
  }

  private func number(_ format: String?) -> AttributeType {
    switch format {
    case "float": .float
    case "decimal": .decimal
    default: .double
    }
  }

  private func string(_ format: String?) -> AttributeType {
    switch format {
    case "date-time", "date", "full-date", "rfc3339": .date
    case "uuid", "guid": .uuid
    case "uri", "url", "iri": .uri
    case "byte", "binary": .binary
    case "decimal": .decimal
    case "int64": .integer64
    default: schema["contentEncoding"] == .string("base64") ? .binary : .string
    }
  }

  /// The type of the values that are listed, if they are all of one.
  private var typeOfValues: String? {
    let values = schema["enum"]?.elements?.filter { $0 != .null } ?? [schema["const"]].compactMap(\.self)
    let names = Set(
      values.map { value -> String in
        switch value {
        case .string: "string"
        case .integer: "integer"
        case .number: "number"
        case .bool: "boolean"
        default: ""
        }
      })
    return names.count == 1 ? names.first : nil
  }

  /// Says what the schema says of its values.
  func describe(_ property: inout DraftProperty, _ type: AttributeType) {
    let isText = type == .string
    property.minimum = text(isText ? "minLength" : "minimum", for: type)
    property.maximum = text(isText ? "maxLength" : "maximum", for: type)
    if isText, let pattern = schema["pattern"]?.text { property.pattern = Self.whole(pattern) }
    let values = schema["enum"]?.elements?.filter { $0 != .null } ?? []
    let isListed = values.count > 1 && [.string, .integer16, .integer32, .integer64].contains(type)
    if isListed, values.allSatisfy({ $0.isValue(of: type) }) {
      property.values = JSONValue.array(values.compactMap(\.json)).text
    }
    if let value = schema["default"], value.isValue(of: type) || type == .double || type == .boolean {
      property.defaultValue = value.scalarText
    }
  }

  private func text(_ key: String, for type: AttributeType) -> String? {
    switch type {
    case .string, .integer16, .integer32, .integer64, .float, .double, .decimal:
      switch schema[key] {
      case .integer(let number)?: String(number)
      case .number(let digits)?: type == .string ? nil : digits
      default: nil
      }
    default: nil
    }
  }

  /// A schema's pattern matches a part of the text, a model's the whole.
  private static func whole(_ pattern: String) -> String? {
    guard (try? NSRegularExpression(pattern: pattern)) != nil else { return nil }
    var text = pattern
    let isAtStart = text.hasPrefix("^")
    let isAtEnd = text.hasSuffix("$") && !text.hasSuffix("\\$")
    if isAtStart { text.removeFirst() }
    if isAtEnd { text.removeLast() }
    // An expression with alternatives has its signs at each of them.
    guard !text.contains("|") || (!isAtStart && !isAtEnd) else {
      return "(?:[\\s\\S]*)(?:\(pattern))(?:[\\s\\S]*)"
    }
    return (isAtStart ? "" : "[\\s\\S]*") + (text.contains("|") ? "(?:\(text))" : text)
      + (isAtEnd ? "" : "[\\s\\S]*")
  }
}

extension FormValue {
  fileprivate func isValue(of type: AttributeType) -> Bool {
    switch (self, type) {
    case (.string, .string), (.bool, .boolean), (.integer, .integer16), (.integer, .integer32),
      (.integer, .integer64),
      (.integer, .double), (.integer, .float), (.number, .double), (.number, .float), (.number, .decimal),
      (.integer, .decimal):
      true
    default: false
    }
  }

  fileprivate var json: JSONValue? {
    switch self {
    case .string(let text): .string(text)
    case .integer(let number): .number(String(number))
    default: nil
    }
  }

  fileprivate var scalarText: String? {
    switch self {
    case .string(let text): text
    case .integer(let number): String(number)
    case .number(let digits): digits
    case .bool(let value): value ? "YES" : "NO"
    default: nil
    }
  }
}
