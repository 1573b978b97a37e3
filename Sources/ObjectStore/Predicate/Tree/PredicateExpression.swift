/// What stands for a value in a predicate.
struct PredicateExpression: Sendable, Hashable {
  indirect enum Kind: Sendable, Hashable {
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
  }

  let kind: Kind
  let place: Place
  /// How deep it is nested, which is limited, since what goes through it calls itself.
  let depth: Int

  /// - Parameter innerDepth: How deep a condition in it is nested.
  init(_ kind: Kind, _ place: Place, innerDepth: Int = 0) {
    self.kind = kind
    self.place = place
    depth =
      switch kind {
      case .negated(let inner), .cast(let inner, _): inner.depth + 1
      case .calculation(let left, _, let right): max(left.depth, right.depth) + 1
      case .list(let elements): (elements.map(\.depth).max() ?? 0) + 1
      default: innerDepth + 1
      }
  }
}

/// A key path, and what it starts from.
struct PredicatePath: Sendable, Hashable {
  struct Name: Sendable, Hashable {
    var text: String
    var place: Place
  }

  /// The variable of the `SUBQUERY` around it that it starts from; nil for the object itself.
  var variable: String?
  /// The names; none for `SELF`.
  var names: [Name]
  var place: Place

  /// As people write it.
  var text: String {
    let names = names.map(\.text).joined(separator: ".")
    guard let variable else { return names.isEmpty ? "SELF" : names }
    return names.isEmpty ? "$\(variable)" : "$\(variable).\(names)"
  }
}

enum Aggregate: String, Sendable, Hashable, CaseIterable {
  case count, min, max, sum
  case average = "avg"
}

enum ArithmeticOperator: String, Sendable, Hashable {
  case plus = "+"
  case minus = "-"
  case times = "*"
  case divided = "/"
}

enum CastType: String, Sendable, Hashable {
  case date = "NSDate"
  case number = "NSNumber"
}

/// How texts are compared: `[c]`, `[d]`, `[cd]`.
struct TextOptions: OptionSet, Sendable, Hashable {
  let rawValue: Int64

  static let ignoresCase = TextOptions(rawValue: 1)
  static let ignoresDiacritics = TextOptions(rawValue: 2)

  /// As a predicate has them; nothing if there are none.
  var text: String {
    let letters = (contains(.ignoresCase) ? "c" : "") + (contains(.ignoresDiacritics) ? "d" : "")
    return letters.isEmpty ? "" : "[\(letters)]"
  }
}

/// A value that a predicate says.
enum PredicateConstant: Sendable, Hashable {
  case null
  case boolean(Bool)
  /// A number, in the digits it was written in.
  case number(String)
  case string(String)
  /// A moment, in seconds since 2001-01-01T00:00:00Z.
  case moment(Double)
  case data([UInt8])
}
