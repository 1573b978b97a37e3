import JSONStream

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
