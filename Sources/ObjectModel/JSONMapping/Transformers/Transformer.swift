import Foundation
public import JSONStream

/// Turns values of JSON into values that an attribute's type takes, and back.
///
/// ```swift
/// let cents = Transformer(
///   read: { $0.integerValue.map { .double(Double($0) / 100) } ?? $0 },
///   write: { $0.doubleValue.map { .integer(Int64(($0 * 100).rounded())) } ?? $0 })
/// ```
///
/// It works before conversion: what it gives is then converted to the attribute's type as any JSON value is. It
/// sees null as well, and is not asked about what is absent.
public struct Transformer: Sendable {
  /// From the value in JSON to the one that is converted.
  public let read: @Sendable (JSONValue) throws -> JSONValue
  /// From the value that would be exported to the one that is.
  public let write: @Sendable (JSONValue) throws -> JSONValue

  /// Makes a transformer of two functions. Either may throw a ``TransformerError`` for a value that it cannot
  /// use, which becomes an issue on import.
  public init(
    read: @escaping @Sendable (JSONValue) throws -> JSONValue,
    write: @escaping @Sendable (JSONValue) throws -> JSONValue
  ) {
    self.read = read
    self.write = write
  }
}

/// Why a transformer cannot use a value.
public struct TransformerError: Error, Sendable, Hashable {
  /// The expected form, as issues say it: `a comma-separated list`.
  public var expected: String

  public init(expected: String) {
    self.expected = expected
  }
}

/// A mistake in the call of a transformer.
package struct TransformerProblem: Sendable, Hashable {
  /// The expected form, as issues say it.
  package var expected: String
  package var advice: String?

  package init(expected: String, advice: String? = nil) {
    self.expected = expected
    self.advice = advice
  }

  /// The problem of a name that does not take the arguments that it was given.
  init(wrongCallOf name: String) {
    let usages = TransformerCall.usages
    if let usage = usages[name] {
      self.init(expected: usage)
    } else {
      let names = usages.keys.sorted()
      self.init(
        expected: "a transformer with arguments",
        advice: nearestName(to: name, in: names).map { "did you mean “\($0)”?" }
          ?? "there are \(names.joined(separator: ", "))")
    }
  }
}

extension TransformerCall {
  /// How the transformers that take arguments are called, by their names.
  static let usages = [
    "prefix": #"prefix with a text that is not empty, as in prefix("Patient/")"#,
    "suffix": #"suffix with a text that is not empty, as in suffix("/")"#,
    "split": #"split with a separator that is not empty, as in split(";")"#,
    "regex": #"regex with a pattern, and perhaps what to write, as in regex("/type/(\\d+)/", "/type/$1/")"#,
    "table":
      #"table with pairs of scalars, and perhaps a value for others, as in table({"A": "active"}, "keep")"#,
  ]

  /// The names of the transformers that take arguments, in alphabetical order.
  package static var names: [String] { usages.keys.sorted() }

  /// The mistake in the call; nil if there is none. Whether a name without arguments is known depends on a program's
  /// functions.
  package var problem: TransformerProblem? {
    switch kind {
    case .named(let name): Self.usages[name].map { TransformerProblem(expected: $0) }
    case .prefix(let text): text.isEmpty ? TransformerProblem(wrongCallOf: "prefix") : nil
    case .suffix(let text): text.isEmpty ? TransformerProblem(wrongCallOf: "suffix") : nil
    case .split(let text): text.isEmpty ? TransformerProblem(wrongCallOf: "split") : nil
    case .regex(let pattern, let write): Self.problem(ofPattern: pattern, write)
    case .table(let pairs, let otherwise): Self.problem(of: pairs, otherwise)
    case .unreadable(_, let problem): problem
    }
  }

  private static func problem(ofPattern pattern: String, _ write: String?) -> TransformerProblem? {
    guard let expression = try? NSRegularExpression(pattern: pattern) else {
      return TransformerProblem(expected: "a regular expression that can be read")
    }
    guard expression.numberOfCaptureGroups == 1 else {
      return TransformerProblem(
        expected: "a regular expression with one group",
        advice: expression.numberOfCaptureGroups > 1 ? "write (?:…) for groups that are not read" : nil)
    }
    guard let write, !write.replacingOccurrences(of: "$$", with: "").contains("$1") else { return nil }
    return TransformerProblem(expected: "a regex whose text to write has $1 in place of the value")
  }

  private static func problem(of pairs: [TablePair], _ otherwise: Otherwise.Kind) -> TransformerProblem? {
    let stored = pairs.map(\.stored)
    var others: [JSONValue] = []
    if case .value(let value) = otherwise { others = [value] }
    guard !pairs.isEmpty, (pairs.map(\.json) + stored + others).allSatisfy(\.isScalar) else {
      return TransformerProblem(wrongCallOf: "table")
    }
    var seen: Set<JSONValue> = []
    for pair in pairs where !seen.insert(pair.json).inserted {
      return TransformerProblem(
        expected: "a table that has each value once", advice: "it has \(pair.json.text) twice")
    }
    return nil
  }
}

extension JSONValue {
  /// Whether it is neither a list nor an object.
  package var isScalar: Bool {
    switch self {
    case .null, .bool, .number, .string: true
    case .array, .object: false
    }
  }
}
