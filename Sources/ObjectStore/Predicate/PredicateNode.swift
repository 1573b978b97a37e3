package import ObjectModel

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

  /// Operators that are words.
  static let words = [
    "BETWEEN", "IN", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES", "MATCHES_TEXT",
  ]

  /// The operator that a word in capitals stands for.
  init?(word: String) {
    guard Self.words.contains(word) else { return nil }
    self.init(rawValue: word)
  }
}

/// A value in a predicate.
package struct PredicateExpression: Sendable, Hashable {
  package indirect enum Kind: Sendable, Hashable {
    case constant(PredicateConstant)
    case list([PredicateExpression])
    case path(PredicatePath)
    /// `albums.@count`, `albums.@max.year`; the path is that of all that is looked at.
    case aggregate(Aggregate, PredicatePath)
    /// `SUBQUERY(albums, $a, $a.year > 1980).@count`
    case subqueryCount(PredicatePath, variable: String, PredicateNode)
    case negated(PredicateExpression)
    case calculation(PredicateExpression, ArithmeticOperator, PredicateExpression)
    case now
    case cast(PredicateExpression, CastType)

    // The expressions that predicates of Swift have and formats have not.

    /// Whether a condition holds.
    case condition(PredicateNode)
    /// One value where a condition holds, another where it does not.
    case choice(PredicateNode, PredicateExpression, PredicateExpression)
    /// A value, or another where it is null.
    case coalesced(PredicateExpression, PredicateExpression)
    /// The characters of a text, as people count them.
    case characterCount(PredicateExpression)
    /// A number with the precision of `Float`.
    case single(PredicateExpression)
  }

  package let kind: Kind
  let place: Place
  /// How deep it is nested, which is limited, since what goes through it calls itself.
  let depth: Int

  /// - Parameter innerDepth: How deep a condition in it is nested.
  init(_ kind: Kind, _ place: Place, innerDepth: Int = 0) {
    self.kind = kind
    self.place = place
    depth =
      switch kind {
      case .negated(let inner), .cast(let inner, _), .characterCount(let inner), .single(let inner):
        inner.depth + 1
      case .coalesced(let left, let right), .choice(_, let left, let right):
        max(left.depth, right.depth) + 1
      case .calculation(let left, _, let right): max(left.depth, right.depth) + 1
      case .list(let elements): (elements.map(\.depth).max() ?? 0) + 1
      default: innerDepth + 1
      }
  }

  /// An expression that stands in no format.
  package init(_ kind: Kind) { self.init(kind, .none) }
}

/// A key path, and what it starts from.
package struct PredicatePath: Sendable, Hashable {
  package struct Name: Sendable, Hashable {
    package var text: String
    var place: Place
  }

  /// The variable of the `SUBQUERY` around it that it starts from; nil for the object itself.
  package var variable: String?
  /// The names; none for `SELF`.
  package var names: [Name]
  var place: Place
  /// Whether a reference at its end counts before its object has arrived. Others read as null then.
  package var countsPending = false

  /// As people write it.
  var text: String {
    let names = names.map(\.text).joined(separator: ".")
    guard let variable else { return names.isEmpty ? "SELF" : names }
    return names.isEmpty ? "$\(variable)" : "$\(variable).\(names)"
  }
}

extension PredicatePath {
  /// The object itself, or that which a variable stands for.
  package init(variable: String? = nil) {
    self.init(variable: variable, names: [], place: .none)
  }

  /// The path with another name at its end.
  package func appending(_ name: String) -> PredicatePath {
    PredicatePath(variable: variable, names: names + [Name(text: name, place: .none)], place: .none)
  }

  /// The path before its last name; nil for a path without names.
  package var owner: PredicatePath? { names.isEmpty ? nil : prefix(names.count - 1) }

  /// Whether the path is another, or goes on where that ends.
  package func begins(with other: PredicatePath) -> Bool {
    variable == other.variable && names.starts(with: other.names) { $0.text == $1.text }
  }
}

package enum Aggregate: String, Sendable, Hashable, CaseIterable {
  case count, min, max, sum
  case average = "avg"
}

package enum ArithmeticOperator: String, Sendable, Hashable {
  case plus = "+"
  case minus = "-"
  case times = "*"
  case divided = "/"
  case remainder = "%"

  /// The result for two numbers.
  package func result(_ left: Double, _ right: Double) -> Double {
    switch self {
    case .plus: left + right
    case .minus: left - right
    case .times: left * right
    case .divided: left / right
    case .remainder: left.truncatingRemainder(dividingBy: right)
    }
  }
}

package enum CastType: String, Sendable, Hashable {
  case date = "NSDate"
  case number = "NSNumber"
}

/// How texts are compared: `[c]`, `[d]`, `[cd]`.
package struct TextOptions: OptionSet, Sendable, Hashable {
  package let rawValue: Int64

  package init(rawValue: Int64) { self.rawValue = rawValue }

  package static let ignoresCase = TextOptions(rawValue: 1)
  package static let ignoresDiacritics = TextOptions(rawValue: 2)

  /// As a predicate has them; nothing if there are none.
  var text: String {
    let letters = (contains(.ignoresCase) ? "c" : "") + (contains(.ignoresDiacritics) ? "d" : "")
    return letters.isEmpty ? "" : "[\(letters)]"
  }
}

/// A value that a predicate says.
///
/// It is not yet an ``SQLValue``, since the same words mean another value for another type: `'1974-01-01'` is a text
/// beside a text, and a date beside a date. What it is compared with decides; see `ComparedType`.
package enum PredicateConstant: Sendable, Hashable {
  case null
  case boolean(Bool)
  /// A number, in the digits it was written in.
  case number(String)
  case string(String)
  /// A moment, in seconds since 2001-01-01T00:00:00Z.
  case moment(Double)
  case data([UInt8])
  /// A value as the store keeps it in an attribute of a type.
  case stored(SQLValue, AttributeType)
  /// The parts of an identity as the store keeps them.
  case identity([SQLValue])
}
