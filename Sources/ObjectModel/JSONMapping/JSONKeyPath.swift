/// How a value is reached from a JSON object: `state.label`, `score.ft[0]`, `participant[].individual`, `["a.b"].c`.
///
/// | step | leads to |
/// |---|---|
/// | `label` | the value of a key |
/// | `["a.b"]` | the value of a key that has dots or brackets; with the escapes of JSON |
/// | `[0]`, `[-1]` | an element of a list, counted from its begin or its end |
/// | `[]` | all elements of a list |
package struct JSONKeyPath: Sendable, Hashable {
  package enum Step: Sendable, Hashable {
    case key(String)
    case position(Int)
    case elements
  }

  package var steps: [Step]

  package init(_ steps: [Step]) {
    self.steps = steps
  }

  /// More steps than JSON may nest by itself have no use, and each takes a place in the plan.
  static let mostSteps = 100

  /// An export fills a list with nulls up to the position that it knows, so that has to end somewhere.
  static let farthestPosition = 9_999

  /// The key, if the path is nothing but one.
  package var onlyKey: String? {
    if steps.count == 1, case .key(let key)? = steps.first { key } else { nil }
  }

  /// The key that it begins with; nil if it begins with a place in a list.
  package var firstKey: String? {
    if case .key(let key)? = steps.first { key } else { nil }
  }

  /// The key that a root path begins with, without the sign that documents may lack it: `value` of `value?`.
  package static func withoutMark(_ key: String) -> String {
    key.count > 1 && key.hasSuffix("?") ? String(key.dropLast()) : key
  }

  /// Whether it leads through all elements of a list.
  package var hasElements: Bool { steps.contains(.elements) }

  package var text: String { Self.text(of: steps[...]) }

  package static func text(of steps: ArraySlice<Step>) -> String {
    var result = ""
    for step in steps {
      if case .key(let key) = step, isPlain(key) {
        result += result.isEmpty ? key : ".\(key)"
      } else {
        result += step.text
      }
    }
    return result
  }

  /// Whether a key needs no quotes.
  fileprivate static func isPlain(_ key: String) -> Bool {
    !key.isEmpty && !key.contains { $0 == "." || $0 == "[" || $0 == "]" }
  }
}

extension JSONKeyPath {
  /// The text of a path that goes on where another ends.
  package static func joined(_ outer: String, _ inner: String) -> String {
    inner.hasPrefix("[") ? outer + inner : "\(outer).\(inner)"
  }
}

extension JSONKeyPath.Step {
  /// The step as it is written behind others.
  package var text: String {
    switch self {
    case .key(let key): JSONKeyPath.isPlain(key) ? ".\(key)" : "[\(quoted(key))]"
    case .position(let position): "[\(position)]"
    case .elements: "[]"
    }
  }

  /// Whether it leads to an element of a list.
  var isInList: Bool {
    if case .key = self { false } else { true }
  }

  private func quoted(_ key: String) -> String {
    "\"" + key.replacingScalars { $0 == "\"" || $0 == "\\" ? "\\\($0)" : nil } + "\""
  }
}

extension JSONKeyPath {
  /// An obstacle to a property that takes its values from all elements of a list; nil if there is none.
  package func problem(for attribute: Attribute) -> String? {
    guard hasElements else { return nil }
    switch attribute.type {
    case .transformable, .undefined: return nil
    default: return "leads to all elements of a list, which one value cannot hold; [0] leads to the first"
    }
  }

  /// An obstacle to a relationship that takes its targets from all elements of a list; nil if there is none.
  package func problem(for relationship: Relationship) -> String? {
    guard hasElements, !relationship.isToMany else { return nil }
    return "leads to all elements of a list, and the relationship to one object only; [0] leads to the first"
  }
}

/// Why a text is no key path.
package struct JSONKeyPathError: Error, Hashable {
  /// The mistake, to be put behind the text: `has an empty key`.
  package var message: String
}

extension JSONKeyPath {
  /// Reads a key path. A text without dots and brackets is one key.
  package init(_ text: String) throws(JSONKeyPathError) {
    var reader = JSONKeyPathReader(text)
    steps = try reader.read()
  }
}

/// Reads the text of a key path, step by step.
private struct JSONKeyPathReader {
  private var rest: Substring
  private var steps: [JSONKeyPath.Step] = []

  init(_ text: String) {
    rest = text[...]
  }

  mutating func read() throws(JSONKeyPathError) -> [JSONKeyPath.Step] {
    guard !rest.isEmpty else { throw JSONKeyPathError(message: "is empty") }
    if rest.first != "[" { try readKey() }
    while let next = rest.first {
      guard steps.count < JSONKeyPath.mostSteps else {
        throw JSONKeyPathError(message: "has more than \(JSONKeyPath.mostSteps) steps")
      }
      if next == "." {
        rest.removeFirst()
        try readKey()
      } else if next == "[" {
        try readBrackets()
      } else {
        throw JSONKeyPathError(message: "lacks a dot after a “]”")
      }
    }
    return steps
  }

  private mutating func readKey() throws(JSONKeyPathError) {
    let key = rest.prefix { $0 != "." && $0 != "[" && $0 != "]" }
    guard !key.isEmpty else { throw JSONKeyPathError(message: "has an empty key") }
    guard rest.dropFirst(key.count).first != "]" else {
      throw JSONKeyPathError(message: "has a “]” without a “[” before it")
    }
    steps.append(.key(String(key)))
    rest = rest.dropFirst(key.count)
  }

  private mutating func readBrackets() throws(JSONKeyPathError) {
    rest.removeFirst()
    if let quote = rest.first, quote == "\"" || quote == "'" { return try readQuoted(quote) }
    guard let end = rest.firstIndex(of: "]") else { throw JSONKeyPathError(message: "lacks a “]”") }
    let inside = rest[..<end]
    if inside.isEmpty {
      steps.append(.elements)
    } else if let position = Int(inside), inside.first != "+" {
      guard position.magnitude <= JSONKeyPath.farthestPosition else {
        throw JSONKeyPathError(message: "has a position beyond \(JSONKeyPath.farthestPosition)")
      }
      steps.append(.position(position))
    } else {
      throw JSONKeyPathError(
        message: "has “\(inside.prefix(40))” in brackets, which is no position; a key stands there in quotes")
    }
    rest = rest[end...].dropFirst()
  }

  private mutating func readQuoted(_ quote: Character) throws(JSONKeyPathError) {
    rest.removeFirst()
    var key = ""
    while let next = rest.popFirst() {
      if next == quote {
        guard rest.popFirst() == "]" else { throw JSONKeyPathError(message: "lacks a “]” after a quote") }
        return steps.append(.key(key))
      }
      if next == "\\" {
        guard let escaped = rest.popFirst() else { break }
        key.append(escaped)
      } else {
        key.append(next)
      }
    }
    throw JSONKeyPathError(message: "lacks the quote at the end of a key")
  }
}
