import Foundation
public import JSONStream

/// A transformer that a property names, with its arguments if it takes any.
///
/// ```swift
/// mapping["Film"].transformers = [
///   "title": ["trimmed"],
///   "characters": [.regex(#"/people/(\d+)/"#)],
///   "status": [.table(["A": "active", "I": "inactive"], otherwise: .keep)],
/// ]
/// ```
///
/// A string is the name of a transformer without arguments: one of Broker's, or one of ``MappingFunctions``. It may also
/// be the form that annotations have, `prefix("Patient/")`.
public struct TransformerCall: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case named(String)
    case prefix(String)
    case suffix(String)
    case split(String)
    case regex(pattern: String, write: String?)
    case table([TablePair], otherwise: Otherwise.Kind)
    /// A text that is no call.
    case unreadable(String, TransformerProblem)
  }

  /// A value of JSON and the value that is stored for it.
  package struct TablePair: Sendable, Hashable {
    package var json: JSONValue
    package var stored: JSONValue

    package init(_ json: JSONValue, _ stored: JSONValue) {
      self.json = json
      self.stored = stored
    }
  }

  package let kind: Kind

  package init(_ kind: Kind) {
    self.kind = kind
  }

  /// A transformer without arguments, or the form that annotations have: `prefix("Patient/")`.
  public init(_ text: String) {
    self = Self.parsed(text)
  }

  /// Takes a text off the beginning on reading, and puts it there on writing.
  public static func prefix(_ text: String) -> TransformerCall { TransformerCall(.prefix(text)) }

  /// Takes a text off the end on reading, and puts it there on writing.
  public static func suffix(_ text: String) -> TransformerCall { TransformerCall(.suffix(text)) }

  /// Reads a text as a list, and writes the list as a text with this separator between the elements.
  public static func split(_ separator: String) -> TransformerCall { TransformerCall(.split(separator)) }

  /// Reads what the only group of a regular expression matches.
  ///
  /// - Parameters:
  ///   - pattern: The expression. It has to match a part of the text and must have one group.
  ///   - write: What is written, with `$1` for the value and `$$` for a dollar. If it is left out, it is the pattern
  ///     with the value in place of its group; if anything else in the pattern is not literal, the value alone is
  ///     written.
  public static func regex(_ pattern: String, write: String? = nil) -> TransformerCall {
    TransformerCall(.regex(pattern: pattern, write: write))
  }

  /// Reads values of JSON as other values, and writes them back.
  ///
  /// - Parameters:
  ///   - pairs: Values of JSON, each with the value that is stored for it. If several have the same stored value, the
  ///     first of them is written.
  ///   - otherwise: What happens to values that are not among them.
  public static func table(
    _ pairs: KeyValuePairs<JSONValue, JSONValue>, otherwise: Otherwise = .issue
  ) -> TransformerCall {
    TransformerCall(.table(pairs.map { TablePair($0.key, $0.value) }, otherwise: otherwise.kind))
  }

  /// The form in a table of a value of JSON.
  public struct Otherwise: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
      case issue
      case keep
      case value(JSONValue)
    }

    let kind: Kind

    /// It is an issue.
    public static var issue: Otherwise { Otherwise(kind: .issue) }

    /// It is used as it is.
    public static var keep: Otherwise { Otherwise(kind: .keep) }

    /// It is read as this value.
    public static func value(_ value: JSONValue) -> Otherwise { Otherwise(kind: .value(value)) }
  }
}

extension TransformerCall: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { self.init(value) }
}

extension TransformerCall: CustomStringConvertible {
  /// The form that annotations have.
  public var description: String { text }
}

/// Stored as its text, as the names of transformers were before there were arguments.
extension TransformerCall: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension TransformerCall {
  /// Reads calls that are separated by commas: `trimmed, prefix("Patient/")`.
  static func list(_ text: String) -> [TransformerCall] {
    parts(of: text).map(parsed)
  }

  /// Splits at the commas that stand in no parentheses and no string.
  private static func parts(of text: String) -> [String] {
    var parts: [String] = []
    var part: [UInt8] = []
    var scan = BracketDepth()
    for byte in text.utf8 {
      if byte == UInt8(ascii: ","), scan.isOutside {
        parts.append(trimmed(part))
        part = []
      } else {
        scan.take(byte)
        part.append(byte)
      }
    }
    parts.append(trimmed(part))
    return parts.filter { !$0.isEmpty }
  }

  private static func trimmed(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  static func parsed(_ text: String) -> TransformerCall {
    guard let open = text.firstIndex(of: "(") else { return TransformerCall(.named(text)) }
    let name = text[..<open].trimmingCharacters(in: .whitespacesAndNewlines)
    let inner = text[text.index(after: open)...]
    guard inner.last == ")", let form = try? FormValue(json: Data("[\(inner.dropLast())]".utf8)),
      case .array(let arguments) = form
    else {
      return TransformerCall(
        .unreadable(
          text, TransformerProblem(expected: "a name with arguments in JSON, as in prefix(\"Patient/\")")))
    }
    return make(name, arguments, text: text)
  }

  /// The call of a name with arguments; `text` is what messages show of it.
  static func make(_ name: String, _ arguments: [FormValue], text: String) -> TransformerCall {
    let kind: Kind? =
      switch name {
      case "prefix": single(arguments).map(Kind.prefix)
      case "suffix": single(arguments).map(Kind.suffix)
      case "split": single(arguments).map(Kind.split)
      case "regex": regex(arguments)
      case "table": table(arguments)
      default: nil
      }
    return TransformerCall(kind ?? .unreadable(text, TransformerProblem(wrongCallOf: name)))
  }

  private static func single(_ arguments: [FormValue]) -> String? {
    guard arguments.count == 1, case .string(let text) = arguments[0] else { return nil }
    return text
  }

  private static func regex(_ arguments: [FormValue]) -> Kind? {
    guard case .string(let pattern)? = arguments.first else { return nil }
    switch arguments.dropFirst().first {
    case nil: return .regex(pattern: pattern, write: nil)
    case .string(let write)? where arguments.count == 2: return .regex(pattern: pattern, write: write)
    default: return nil
    }
  }

  private static func table(_ arguments: [FormValue]) -> Kind? {
    guard let first = arguments.first, arguments.count <= 2, let pairs = pairs(first) else { return nil }
    guard arguments.count == 2 else { return .table(pairs, otherwise: .issue) }
    guard let otherwise = otherwise(arguments[1]) else { return nil }
    return .table(pairs, otherwise: otherwise)
  }

  /// The pairs of an object, or of a list of lists of two.
  private static func pairs(_ form: FormValue) -> [TablePair]? {
    var pairs: [TablePair] = []
    switch form {
    case .object(let members):
      for member in members {
        guard let stored = member.value.scalar else { return nil }
        pairs.append(TablePair(.string(member.key), stored))
      }
    case .array(let elements):
      for element in elements {
        guard case .array(let pair) = element, pair.count == 2, let json = pair[0].scalar,
          let stored = pair[1].scalar
        else { return nil }
        pairs.append(TablePair(json, stored))
      }
    default: return nil
    }
    return pairs
  }

  /// `"keep"`, a scalar, or `{"value": "keep"}` for that word itself.
  private static func otherwise(_ form: FormValue) -> Otherwise.Kind? {
    if form == .string("keep") { return .keep }
    if case .object(let members) = form, members.count == 1, members[0].key == "value" {
      return members[0].value.scalar.map(Otherwise.Kind.value)
    }
    return form.scalar.map(Otherwise.Kind.value)
  }
}

/// How many brackets and quotes are open in a text that is read byte by byte.
private struct BracketDepth {
  private var depth = 0
  private var isInString = false
  private var isEscaped = false

  var isOutside: Bool { depth == 0 }

  mutating func take(_ byte: UInt8) {
    if isInString {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
      }
      return
    }
    switch byte {
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
    // A quote outside parentheses is a part of a name.
    case UInt8(ascii: "\""): isInString = depth > 0
    default: break
    }
  }
}

extension FormValue {
  /// The value, if it is neither a list nor an object.
  var scalar: JSONValue? {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .number(let digits): .number(digits)
    case .string(let text): .string(text)
    case .array, .object: nil
    }
  }
}

/// The form of annotations: a name, and in parentheses the arguments as JSON: `regex("/type/(\\d+)/", "/type/$1/")`.
extension TransformerCall {
  package var text: String {
    switch kind {
    case .named(let name): name
    case .prefix(let text): call("prefix", [.string(text)])
    case .suffix(let text): call("suffix", [.string(text)])
    case .split(let separator): call("split", [.string(separator)])
    case .regex(let pattern, let write):
      call("regex", [pattern, write].compactMap { $0.map(JSONValue.string) })
    case .table(let pairs, let otherwise):
      "table(\(([Self.text(of: pairs)] + otherwise.texts).joined(separator: ", ")))"
    case .unreadable(let text, _): text
    }
  }

  private func call(_ name: String, _ arguments: [JSONValue]) -> String {
    "\(name)(\(arguments.map(\.text).joined(separator: ", ")))"
  }

  /// An object if all keys are strings, else a list of pairs.
  private static func text(of pairs: [TablePair]) -> String {
    if pairs.allSatisfy({ $0.json.stringValue != nil }) {
      return "{\(pairs.map { "\($0.json.text): \($0.stored.text)" }.joined(separator: ", "))}"
    }
    return "[\(pairs.map { "[\($0.json.text), \($0.stored.text)]" }.joined(separator: ", "))]"
  }
}

extension TransformerCall.Otherwise.Kind {
  /// The second argument of a table, if there is one.
  fileprivate var texts: [String] {
    switch self {
    case .issue: []
    case .keep: ["\"keep\""]
    case .value("keep"): [JSONValue.object(["value": "keep"]).text]
    case .value(let value): [value.text]
    }
  }
}
