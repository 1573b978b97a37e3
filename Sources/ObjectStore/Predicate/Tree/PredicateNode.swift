/// A condition.
indirect enum PredicateNode: Sendable, Hashable {
  case always(Bool)
  case not(PredicateNode)
  case and([PredicateNode])
  case or([PredicateNode])
  case comparison(PredicateComparison)
}

/// Two values and how they have to stand to each other.
struct PredicateComparison: Sendable, Hashable {
  var quantifier: Quantifier?
  var left: PredicateExpression
  var operation: ComparisonOperator
  var options: TextOptions
  var right: PredicateExpression
}

/// How many of the values that a path leads to have to fulfil a condition. `SOME` is another word for `ANY`.
enum Quantifier: String, Sendable, Hashable {
  case any = "ANY"
  case all = "ALL"
  case none = "NONE"
}

enum ComparisonOperator: String, Sendable, Hashable {
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
  static let words = ["BETWEEN", "IN", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES"]

  /// The operator that a word in capitals stands for.
  init?(word: String) {
    guard Self.words.contains(word) else { return nil }
    self.init(rawValue: word)
  }
}
