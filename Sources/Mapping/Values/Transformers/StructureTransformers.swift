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
      case .array(let elements): return separated(elements)
      case .string(let text):
        // A string attribute keeps a list as JSON text.
        guard case .array(let elements)? = JSONValue(text: text) else { return value }
        return separated(elements)
      default: return value
      }
    })

  /// The elements in one string. If the string could not be split into the same elements again, the list itself.
  private static func separated(_ elements: [JSONValue]) -> JSONValue {
    var texts: [String] = []
    for element in elements {
      switch element {
      case .number(let digits): texts.append(digits)
      case .string(let text)
      where !text.isEmpty && !text.utf8.contains(UInt8(ascii: ",")) && text == text.withoutSpaceAround:
        texts.append(text)
      default: return .array(elements)
      }
    }
    return .string(texts.joined(separator: ", "))
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
