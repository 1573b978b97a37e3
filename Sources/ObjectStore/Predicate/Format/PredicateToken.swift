/// A word, sign or literal of a format.
struct PredicateToken: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    /// A name or a key word; behind `#`, always a name.
    case word(String, isEscaped: Bool)
    /// `@count` and its like, without the sign.
    case collectionOperator(String)
    /// `$name`, without the sign.
    case variable(String)
    case string(String)
    case number(String)
    /// `%@`, `%ld` …, without the sign.
    case argument(String)
    case sign(String)
    case end
  }

  var kind: Kind
  var place: Place

  /// The word in capitals, if it may be a key word.
  var keyword: String? {
    // Capitals of other letters may be plain ones: that of the dotless i is I.
    guard case .word(let word, false) = kind, word.utf8.count <= 20, word.utf8.allSatisfy({ $0 < 0x80 })
    else { return nil }
    return word.uppercased()
  }

  func isKeyword(_ word: String) -> Bool { keyword == word }
  func isSign(_ sign: String) -> Bool { kind == .sign(sign) }

  /// The token for a message to a person.
  var name: String {
    switch kind {
    case .word(let word, let isEscaped): Excerpt.of((isEscaped ? "#" : "") + word)
    case .collectionOperator(let name): Excerpt.of("@" + name)
    case .variable(let name): Excerpt.of("$" + name)
    case .string(let text): "'\(Excerpt.of(text))'"
    case .number(let digits): Excerpt.of(digits)
    case .argument(let specifier): "%" + specifier
    case .sign(let sign): sign
    case .end: "the end"
    }
  }
}

/// Words that cannot be names without a `#` before them.
enum ReservedWord {
  private static let all: Set<String> = [
    "AND", "OR", "NOT", "IN", "BETWEEN", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES",
    "MATCHES_TEXT", "ANY",
    "ALL",
    "NONE", "SOME", "TRUE", "FALSE", "YES", "NO", "NIL", "NULL", "SELF", "TRUEPREDICATE", "FALSEPREDICATE",
    "SUBQUERY", "CAST",
  ]

  static func isReserved(_ word: String) -> Bool { all.contains(word.uppercased()) }
}

/// Shortens what a user wrote, so that it can be shown.
enum Excerpt {
  static func of(_ text: String) -> String {
    let start = text.prefix(41)
    return start.count <= 40 ? text : start.prefix(39) + "…"
  }
}
