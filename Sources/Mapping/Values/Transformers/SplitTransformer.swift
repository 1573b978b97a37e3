import JSONStream
import ObjectModel

extension Transformer {
  /// A list in one text, with a separator between its elements: `"rock;pop"` for `["rock", "pop"]`.
  static func split(_ separator: String) -> Transformer {
    Transformer(
      read: { value in
        guard case .string(let text) = value else { return value }
        return .array(parts(of: text, separator).map(JSONValue.string))
      },
      write: { value in
        switch value {
        case .array(let elements): return joined(elements, separator)
        case .string(let text):
          // A string attribute keeps a list as JSON text.
          guard case .array(let elements)? = JSONValue(text: text) else { return value }
          return joined(elements, separator)
        default: return value
        }
      })
  }

  /// An empty text is an empty list.
  private static func parts(of text: String, _ separator: String) -> [String] {
    if text.isEmpty { return [] }
    // Compared byte by byte, since a separator and a combining mark behind it are one character.
    let parts = text.utf8.split(separator: Array(separator.utf8), omittingEmptySubsequences: false)
    return parts.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The elements in one text. If the text could not be split into the same elements again, the list itself.
  private static func joined(_ elements: [JSONValue], _ separator: String) -> JSONValue {
    var texts: [String] = []
    for element in elements {
      switch element {
      case .number(let digits): texts.append(digits)
      case .string(let text): texts.append(text)
      default: return .array(elements)
      }
    }
    let text = texts.joined(separator: separator)
    return parts(of: text, separator) == texts ? .string(text) : .array(elements)
  }
}
