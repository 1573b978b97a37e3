import JSONStream
import ObjectModel

extension Transformer {
  /// Texts that JSON begins with another text, which is not a part of the value: `"Patient/123"`.
  static func prefix(_ prefix: String) -> Transformer {
    let count = prefix.utf8.count
    return ofReferences(expected: "a text that begins with \(quoted(prefix))") { text in
      guard text.utf8.starts(with: prefix.utf8) else { return nil }
      return String(decoding: text.utf8.dropFirst(count), as: UTF8.self)
    } write: {
      prefix + $0
    }
  }

  /// Texts that JSON ends with another text, which is not a part of the value.
  static func suffix(_ suffix: String) -> Transformer {
    let count = suffix.utf8.count
    return ofReferences(expected: "a text that ends with \(quoted(suffix))") { text in
      guard text.utf8.reversed().starts(with: suffix.utf8.reversed()) else { return nil }
      return String(decoding: text.utf8.dropLast(count), as: UTF8.self)
    } write: {
      $0 + suffix
    }
  }

  /// A transformer of values that stand inside texts. It leaves null, lists and objects as they are.
  ///
  /// - Parameters:
  ///   - read: The value inside a text; nil if there is none.
  ///   - write: The text around a value.
  static func ofReferences(
    expected: String, read: @escaping @Sendable (String) throws -> String?,
    write: @escaping @Sendable (String) -> String
  ) -> Transformer {
    Transformer(
      read: { value in
        switch value {
        case .null, .array, .object: return value
        case .string(let text):
          guard let inner = try read(text) else { throw TransformerError(expected: expected) }
          return .string(inner)
        case .bool, .number: throw TransformerError(expected: expected)
        }
      },
      write: { value in value.scalarText.map { .string(write($0)) } ?? value })
  }

  static func quoted(_ text: String) -> String { "“\(ModelError.shortened(text))”" }
}

extension JSONValue {
  /// The text of a string, a number or a boolean.
  var scalarText: String? {
    switch self {
    case .string(let text): text
    case .number(let digits): digits
    case .bool(let value): value ? "true" : "false"
    case .null, .array, .object: nil
    }
  }
}
