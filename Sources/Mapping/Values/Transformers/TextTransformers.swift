import JSONStream
import ObjectModel

extension Transformer {
  /// Strings without white space at either end.
  static let trimmed = ofStrings { .string($0.withoutSpaceAround) }

  /// Strings in lower case.
  static let lowercase = ofStrings { .string($0.lowercased()) }

  /// Strings in upper case.
  static let uppercase = ofStrings { .string($0.uppercased()) }

  /// An empty string in JSON means no value.
  static let emptyIsNull = Transformer(
    read: { $0 == .string("") ? .null : $0 }, write: { $0 == .null ? .string("") : $0 })

  /// Strings in which JSON writes `&amp;` for `&`.
  static let htmlEntities = ofStrings(
    read: { .string(HTMLEntities.decoded($0)) }, write: { .string(HTMLEntities.encoded($0)) })

  /// A transformer of strings, which leaves other values as they are.
  static func ofStrings(
    read: @escaping @Sendable (String) throws -> JSONValue,
    write: @escaping @Sendable (String) throws -> JSONValue = { .string($0) }
  ) -> Transformer {
    Transformer(
      read: { if case .string(let text) = $0 { try read(text) } else { $0 } },
      write: { if case .string(let text) = $0 { try write(text) } else { $0 } })
  }
}

extension String {
  /// The text without the white space at its ends.
  var withoutSpaceAround: String {
    // Compared as scalars, since a space and the combining mark behind it are one character.
    var text = unicodeScalars[...]
    while text.first?.properties.isWhitespace == true { text.removeFirst() }
    while text.last?.properties.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
