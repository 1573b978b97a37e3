import JSONStream
import ObjectModel

extension Transformer {
  /// A list in one string: `"rock, pop"` for `["rock", "pop"]`.
  static let commaSeparated = Transformer(
    read: { value in
      guard case .string(let text) = value else { return value }
      let parts = text.unicodeScalars.split(separator: ",").map { String($0).withoutSpaceAround }
      return .array(parts.filter { !$0.isEmpty }.map(JSONValue.string))
    },
    write: { value in
      switch value {
      case .array(let elements):
        return .string(try elements.map(separable).joined(separator: ", "))
      case .string(let text):
        // A string attribute keeps a list as JSON text.
        guard case .array(let elements)? = JSONValue(text: text) else { return value }
        return .string(try elements.map(separable).joined(separator: ", "))
      default: return value
      }
    })

  /// The text of an element that will come back from between two commas.
  private static func separable(_ element: JSONValue) throws -> String {
    switch element {
    case .number(let digits): return digits
    case .string(let text) where !text.isEmpty && !text.utf8.contains(UInt8(ascii: ",")):
      if text == text.withoutSpaceAround { return text }
      fallthrough
    default: throw TransformerError(expected: "texts without commas")
    }
  }

  /// JSON in a string: `"{\"x\":1}"` for `{"x": 1}`.
  static let embeddedJSON = Transformer(
    read: { value in
      guard case .string(let text) = value else { return value }
      guard let inner = JSONValue(text: text) else { throw TransformerError(expected: "JSON in a string") }
      return inner
    },
    write: { $0 == .null ? .null : .string($0.text) })
}
