import ObjectStore

/// An expression of Swift's as the store has it.
enum Translation {
  /// A value of an object, null where Swift has `nil`.
  case value(StoreExpression)
  case condition(PredicateNode)
  /// An object, at the end of a path of relationships to one.
  case object(PredicatePath, any Storable.Type)
  /// A ``ToOne``.
  case link(PredicatePath, any Storable.Type)
  /// A ``ToMany``, or the result of its `filter`.
  case list(ObjectList)
  case range(ValueRange)
  /// A value that the predicate has captured.
  case captured(Any)
}

/// The targets of a relationship.
struct ObjectList {
  let path: PredicatePath
  let type: any Storable.Type
  /// The variable for each of them in conditions.
  let variable: String
  var condition: PredicateNode?

  /// The translation of that variable.
  var element: Translation { .object(PredicatePath(variable: variable), type) }

  /// A condition together with the list's own.
  func restricted(_ node: PredicateNode) -> PredicateNode {
    condition.map { .all([$0, node]) } ?? node
  }

  /// The condition that at least one of them fulfils another.
  func exists(_ node: PredicateNode? = nil) -> PredicateNode {
    .exists(path, variable: variable, node.map(restricted) ?? condition ?? .always(true))
  }

  var count: StoreExpression {
    guard let condition else { return StoreExpression(.aggregate(.count, path)) }
    return StoreExpression(.subqueryCount(path, variable: variable, condition))
  }
}

/// The elements of a list of values.
struct ElementList {
  let path: PredicatePath
  /// The variable for each of them in conditions.
  let variable: String

  /// The translation of that variable.
  var one: Translation { .value(StoreExpression(.path(PredicatePath(variable: variable)))) }

  /// The condition that at least one of them fulfils another.
  func exists(_ node: PredicateNode) -> PredicateNode { .exists(path, variable: variable, node) }
}

/// The values in a range.
struct ValueRange {
  var lower: StoreExpression?
  var upper: StoreExpression?
  var includesUpper: Bool

  func contains(_ value: StoreExpression) -> PredicateNode {
    let least = lower.map { PredicateNode.comparison(PredicateComparison(value, .greaterOrEqual, $0)) }
    let greatest = upper.map {
      PredicateNode.comparison(PredicateComparison(value, includesUpper ? .lessOrEqual : .less, $0))
    }
    return .all([least, greatest].compactMap { $0 })
  }
}

extension Translation {
  /// The translation as a value that can be compared.
  ///
  /// - Throws: ``QueryError`` for objects and lists, which cannot be compared.
  func expression() throws -> StoreExpression {
    switch self {
    case .value(let expression): return expression
    case .condition(let node): return StoreExpression(.condition(node))
    case .link(let path, _): return StoreExpression(.path(path))
    case .captured(let value): return try CapturedValue.expression(value)
    case .object(_, let type):
      throw QueryError("a whole \(type) cannot be compared; compare its id, or properties of it")
    case .list(let list):
      throw QueryError(
        "a list of \(list.type) cannot be compared; ask for its count, for isEmpty, contains(where:) or"
          + " allSatisfy")
    case .range: throw QueryError("a range can only be asked what it contains")
    }
  }

  /// The condition that an optional has a value.
  func presence() throws -> PredicateNode {
    switch self {
    case .condition, .range: return .always(true)
    case .value(let value) where value.isNull: return .always(false)
    case .value, .link: return .comparison(PredicateComparison(try expression(), .notEqual, .null))
    case .object(let path, _): return Self.presence(of: path)
    case .list(let list): return list.path.owner.map(Self.presence) ?? .always(true)
    case .captured(let value): return .always(!CapturedValue.isNil(value))
    }
  }

  private static func presence(of object: PredicatePath) -> PredicateNode {
    guard object.owner != nil else { return .always(true) }
    return .comparison(PredicateComparison(StoreExpression(.path(object)), .notEqual, .null))
  }

  /// The path to it.
  var path: PredicatePath? {
    switch self {
    case .object(let path, _), .link(let path, _): return path
    case .list(let list): return list.condition == nil ? list.path : nil
    case .value(let expression):
      if case .path(let path) = expression.kind { return path }
      return nil
    case .condition, .range, .captured: return nil
    }
  }
}

extension StoreExpression {
  static let null = StoreExpression(.constant(.null))

  static func boolean(_ value: Bool) -> StoreExpression {
    StoreExpression(.constant(.stored(.integer(value ? 1 : 0), .boolean)))
  }

  var isNull: Bool { kind == .constant(.null) }
}

extension PredicateNode {
  /// Joins conditions by AND. Those that are joined by AND already are taken apart.
  static func all(_ nodes: [PredicateNode]) -> PredicateNode {
    let parts = nodes.flatMap { node in if case .and(let inner) = node { inner } else { [node] } }
    return parts.isEmpty ? .always(true) : parts.count == 1 ? parts[0] : .and(parts)
  }

  /// Joins conditions by OR.
  static func any(_ nodes: [PredicateNode]) -> PredicateNode {
    let parts = nodes.flatMap { node in if case .or(let inner) = node { inner } else { [node] } }
    return parts.isEmpty ? .always(false) : parts.count == 1 ? parts[0] : .or(parts)
  }

  var negated: PredicateNode {
    switch self {
    case .always(let isTrue): .always(!isTrue)
    case .not(let inner): inner
    case .comparison(let comparison): comparison.turnedEquality.map(PredicateNode.comparison) ?? .not(self)
    default: .not(self)
    }
  }
}

extension PredicateComparison {
  /// `!=` for `==`, and the reverse; nil for other comparisons, since none of them holds with null.
  fileprivate var turnedEquality: PredicateComparison? {
    switch operation {
    case .equal: PredicateComparison(left, .notEqual, right, options)
    case .notEqual: PredicateComparison(left, .equal, right, options)
    default: nil
    }
  }
}
