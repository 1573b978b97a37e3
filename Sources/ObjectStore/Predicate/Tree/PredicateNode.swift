/// A condition.
package indirect enum PredicateNode: Sendable, Hashable {
  case always(Bool)
  case not(PredicateNode)
  case and([PredicateNode])
  case or([PredicateNode])
  case comparison(PredicateComparison)
  /// A condition holds for one at least of the objects that a path leads to, each in turn the variable.
  case exists(PredicatePath, variable: String, PredicateNode)
}

/// Two values and how they have to stand to each other.
package struct PredicateComparison: Sendable, Hashable {
  package var quantifier: Quantifier?
  package var left: PredicateExpression
  package var operation: ComparisonOperator
  package var options: TextOptions
  package var right: PredicateExpression
}

extension PredicateComparison {
  package init(
    _ left: PredicateExpression, _ operation: ComparisonOperator, _ right: PredicateExpression,
    _ options: TextOptions = []
  ) {
    self.init(quantifier: nil, left: left, operation: operation, options: options, right: right)
  }
}

/// How many of the values that a path leads to have to fulfil a condition. `SOME` is another word for `ANY`.
package enum Quantifier: String, Sendable, Hashable {
  case any = "ANY"
  case all = "ALL"
  case none = "NONE"
}

package enum ComparisonOperator: String, Sendable, Hashable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case between = "BETWEEN"
  case `in` = "IN"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case contains = "CONTAINS"
  case like = "LIKE"
  case matches = "MATCHES"
  /// The words of a text are in an attribute, or in any of an object, by their full-text index.
  case matchesText = "MATCHES_TEXT"
  /// A part of a text matches a regular expression of Swift. Formats have no word for it.
  case finds = "FINDS"

  /// The operator that a sign stands for; several have two.
  init?(sign: String) {
    switch sign {
    case "=": self = .equal
    case "<>": self = .notEqual
    case "=<": self = .lessOrEqual
    case "=>": self = .greaterOrEqual
    case "==", "!=", "<", "<=", ">", ">=": self.init(rawValue: sign)
    default: return nil
    }
  }

  /// Those that are words.
  static let words = [
    "BETWEEN", "IN", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES", "MATCHES_TEXT",
  ]

  /// The operator that a word in capitals stands for.
  init?(word: String) {
    guard Self.words.contains(word) else { return nil }
    self.init(rawValue: word)
  }
}
