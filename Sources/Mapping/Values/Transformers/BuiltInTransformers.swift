import Bytes
import JSONStream
public import ObjectModel
import ObjectStore

extension Transformer {
  /// The transformers that come with Broker, by the names that annotations give them.
  package static let builtIn: [String: Transformer] = [
    "trimmed": .trimmed,
    "lowercase": .lowercase,
    "uppercase": .uppercase,
    emptyIsNullName: .emptyIsNull,
    "zeroIsNull": .zeroIsNull,
    "htmlEntities": .htmlEntities,
    "numberAsString": .numberAsString,
    "stringAsNumber": .stringAsNumber,
    "milliseconds": .milliseconds,
    "yesNo": .yesNo,
    "onOff": .onOff,
    "zeroOne": .zeroOne,
    "not": .not,
    "commaSeparated": .commaSeparated,
    "embeddedJSON": .embeddedJSON,
  ]

  /// The names of the transformers that come with Broker, in alphabetical order.
  public static var builtInNames: [String] { builtIn.keys.sorted() }
}

extension Transformer {
  /// The steps that a list passes through element by element.
  private static let forElements: Set<String> = ["trimmed", "lowercase", "uppercase", "htmlEntities"]

  /// The transformer that a call is for; nil if there is none.
  static func of(_ call: TransformerCall) -> Transformer? {
    switch call.kind {
    case .named(let name): builtIn[name]
    case .prefix(let text): prefix(text)
    case .suffix(let text): suffix(text)
    case .split(let separator): split(separator)
    case .regex(let pattern, let write): regex(pattern, write: write)
    case .table(let pairs, let otherwise): table(pairs, otherwise: otherwise)
    case .unreadable: nil
    }
  }

  /// Whether it is applied to each scalar of a list, not to the list.
  static func isForElements(_ call: TransformerCall) -> Bool {
    switch call.kind {
    case .named(let name): forElements.contains(name)
    case .prefix, .suffix, .regex, .table: true
    case .split, .unreadable: false
    }
  }
}

extension Transformer {
  static let trimmed = ofStrings { .string($0.withoutSpaceAround) }

  static let lowercase = ofStrings { .string($0.lowercased()) }

  static let uppercase = ofStrings { .string($0.uppercased()) }

  static let emptyIsNullName = "emptyIsNull"

  /// An empty string in JSON means no value.
  static let emptyIsNull = Transformer(
    read: { $0 == .string("") ? .null : $0 }, write: { $0 == .null ? .string("") : $0 })

  /// The number 0 in JSON means no value, as of a key that names no object.
  static let zeroIsNull = Transformer(
    read: { $0 == .number("0") ? .null : $0 }, write: { $0 == .null ? .number("0") : $0 })

  /// Strings in which JSON writes `&amp;` for `&`.
  static let htmlEntities = ofStrings(
    read: { .string(HTMLEntities.decoded($0)) }, write: { .string(HTMLEntities.encoded($0)) })

  /// A transformer of strings, which leaves other values as they are.
  private static func ofStrings(
    read: @escaping @Sendable (String) throws -> JSONValue,
    write: @escaping @Sendable (String) throws -> JSONValue = { .string($0) }
  ) -> Transformer {
    Transformer(
      read: { if case .string(let text) = $0 { try read(text) } else { $0 } },
      write: { if case .string(let text) = $0 { try write(text) } else { $0 } })
  }
}

extension String {
  fileprivate var withoutSpaceAround: String {
    // Compared as scalars, since a space and the combining mark behind it are one character.
    var text = unicodeScalars[...]
    while text.first?.properties.isWhitespace == true { text.removeFirst() }
    while text.last?.properties.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}

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

extension Transformer {
  static let yesNo = ofWords(true: "yes", false: "no")

  static let onOff = ofWords(true: "on", false: "off")

  /// True and false as 1 and 0.
  static let zeroOne = Transformer(
    read: { value in
      switch value {
      case .number, .string:
        guard let truth = truth(of: value) else { throw TransformerError(expected: "0 or 1") }
        return .bool(truth)
      default: return value
      }
    },
    write: { if case .bool(let truth) = $0 { .integer(truth ? 1 : 0) } else { $0 } })

  /// The opposite: JSON says `hidden` and the model says `isVisible`.
  static let not = Transformer(
    read: { value in
      guard value != .null else { return .null }
      guard let truth = truth(of: value) else { throw TransformerError(expected: "true or false") }
      return .bool(!truth)
    },
    write: { if case .bool(let truth) = $0 { .bool(!truth) } else { $0 } })

  private static func ofWords(true yes: String, false no: String) -> Transformer {
    Transformer(
      read: { value in
        guard case .string = value else { return value }
        guard let truth = truth(of: value) else { throw TransformerError(expected: "\(yes) or \(no)") }
        return .bool(truth)
      },
      write: { if case .bool(let truth) = $0 { .string(truth ? yes : no) } else { $0 } })
  }

  /// Whether a value means yes or no, in any of the usual forms.
  private static func truth(of value: JSONValue) -> Bool? {
    switch value {
    case .bool(let truth): truth
    case .number:
      switch value.integerValue {
      case 0: false
      case 1: true
      default: nil
      }
    case .string(let word): words[word.withoutSpaceAround.lowercased()]
    case .null, .array, .object: nil
    }
  }

  private static let words: [String: Bool] = {
    let yes = ["yes", "y", "true", "t", "1", "on", "enabled", "active"]
    let no = ["no", "n", "false", "f", "0", "off", "disabled", "inactive"]
    return Dictionary(uniqueKeysWithValues: yes.map { ($0, true) } + no.map { ($0, false) })
  }()
}

extension Transformer {
  /// Numbers that JSON writes as strings: `"42"`.
  static let numberAsString = Transformer(
    read: { value in
      guard case .string(let text) = value else { return value }
      let digits = text.withoutSpaceAround
      guard JSONValue.number(digits).isWellFormed else {
        throw TransformerError(expected: "a number in a string")
      }
      return .number(digits)
    },
    write: { if case .number(let digits) = $0 { .string(digits) } else { $0 } })

  /// Strings that JSON writes as numbers where it can: `94107` for `"94107"`.
  static let stringAsNumber = Transformer(
    read: { if case .number(let digits) = $0 { .string(digits) } else { $0 } },
    write: { value in
      guard case .string(let text) = value else { return value }
      // A string such as "007" would be another one when it came back.
      return JSONValue.number(text).isWellFormed ? .number(text) : value
    })

  /// Seconds that JSON has as milliseconds.
  static let milliseconds = Transformer(read: { try scaled($0, by: -3) }, write: { try scaled($0, by: 3) })

  /// A number, or a string that is one, times a power of ten. Only its point moves, so no digit is lost.
  private static func scaled(_ value: JSONValue, by power: Int) throws -> JSONValue {
    let text: String
    switch value {
    case .number(let digits): text = digits
    case .string(let digits) where JSONValue.number(digits).isWellFormed: text = digits
    default: return value
    }
    var bytes = ByteBuffer()
    let isWritten = Array(text.utf8).withUnsafeBufferPointer { digits in
      guard var number = DecimalNumber(digits) else { return false }
      number.exponent += power
      return number.append(to: &bytes)
    }
    guard isWritten else { throw TransformerError(expected: "a number of at most 200 places") }
    return .number(String(decoding: bytes.elements, as: UTF8.self))
  }
}

extension Transformer {
  /// A list in one text, with a separator between its elements: `"rock;pop"` for `["rock", "pop"]`.
  static func split(_ separator: String) -> Transformer {
    ofLists {
      parts(of: $0, separator)
    } write: {
      joined($0, separator)
    }
  }

  /// A transformer of lists that stand in one text. It leaves other values as they are.
  private static func ofLists(
    read: @escaping @Sendable (String) -> [String],
    write: @escaping @Sendable ([JSONValue]) -> JSONValue
  ) -> Transformer {
    Transformer(
      read: { value in
        guard case .string(let text) = value else { return value }
        return .array(read(text).map(JSONValue.string))
      },
      write: { value in
        switch value {
        case .array(let elements): return write(elements)
        case .string(let text):
          // A string attribute keeps a list as JSON text.
          guard case .array(let elements)? = JSONValue(text: text) else { return value }
          return write(elements)
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

extension Transformer {
  /// A list in one string: `"rock, pop"` for `["rock", "pop"]`.
  static let commaSeparated = ofLists { text in
    let parts = text.unicodeScalars.split(separator: ",").map { String($0).withoutSpaceAround }
    return parts.filter { !$0.isEmpty }
  } write: {
    separated($0)
  }

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

extension Transformer {
  /// Values that JSON writes as other values: `"A"` for `"active"`.
  static func table(
    _ pairs: [TransformerCall.TablePair], otherwise: TransformerCall.Otherwise.Kind
  ) -> Transformer {
    let (stored, json) = (
      ScalarTable(pairs.map { ($0.json, $0.stored) }), ScalarTable(pairs.map { ($0.stored, $0.json) })
    )
    let names = pairs.prefix(8).map(\.json.text).joined(separator: ", ")
    let expected = "one of \(names)\(pairs.count > 8 ? ", …" : "")"
    return Transformer(
      read: { value in
        guard value.isScalar else { return value }
        if let found = stored[value] { return found }
        if value == .null { return .null }
        switch otherwise {
        case .issue: throw TransformerError(expected: expected)
        case .keep: return value
        case .value(let other): return other
        }
      },
      write: { value in value.isScalar ? json[value] ?? value : value })
  }
}

/// Scalars by other scalars.
///
/// A number or a boolean is also found by a string of the same text, and the other way round, unless the table has that
/// itself: keys of JSON objects are always strings.
private struct ScalarTable: Sendable {
  private var values: [JSONValue: JSONValue] = [:]
  private var valuesByText: [String: JSONValue] = [:]

  /// A table of pairs. Of several with the same key, the first counts.
  init(_ pairs: [(JSONValue, JSONValue)]) {
    for (key, value) in pairs {
      if values[key] == nil { values[key] = value }
      if let text = key.scalarText, valuesByText[text] == nil { valuesByText[text] = value }
    }
  }

  subscript(key: JSONValue) -> JSONValue? {
    values[key] ?? key.scalarText.flatMap { valuesByText[$0] }
  }
}
