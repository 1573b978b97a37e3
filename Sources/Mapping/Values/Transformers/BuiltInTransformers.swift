public import ObjectModel

extension Transformer {
  /// The transformers that come with Broker, by the names that annotations give them.
  package static let builtIn: [String: Transformer] = [
    "trimmed": .trimmed,
    "lowercase": .lowercase,
    "uppercase": .uppercase,
    "emptyIsNull": .emptyIsNull,
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
  /// Those that a list passes through element by element.
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
