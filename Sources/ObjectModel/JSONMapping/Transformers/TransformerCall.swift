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

  /// What becomes of a value of JSON that is not in a table.
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
