/// Comparisons with what a path to one leads to.
extension PredicateSQL {
  /// Compares two values, of which one may be at the end of a path to one.
  mutating func compare(
    _ comparison: PredicateComparison, _ scope: Scope
  ) throws(ObjectPredicateError) -> String {
    let (left, right, options) = (comparison.left, comparison.right, comparison.options)
    if case .path(let path) = left.kind {
      let route = try route(path, scope)
      if !route.isToMany { return try compare(route, as: comparison, scope) }
    }
    if case .path(let path) = right.kind, left.isFixed, let mirrored = comparison.operation.withSidesExchanged
    {
      let route = try route(path, scope)
      if !route.isToMany {
        return try compare(route, as: PredicateComparison(right, mirrored, left, options), scope)
      }
    }
    let first = try operand(left, scope)
    return try compare(OperandComparison(first, comparison.operation, operand(right, scope), options))
  }

  /// Compares the value at the end of a path to one, which is the left side of a comparison. If the right side is the
  /// same for all objects, the condition begins at the far end of the path.
  mutating func compare(
    _ route: PredicateRoute, as comparison: PredicateComparison, _ scope: Scope
  ) throws(ObjectPredicateError) -> String {
    if comparison.operation == .matchesText { return try searched(route, comparison, scope) }
    let right = comparison.right
    guard right.isFixed, let test = TargetCondition(comparison.operation, right), !isPointLookup else {
      return try compareInPlace(route, comparison, scope)
    }
    // Whether a reference has arrived is told by its own key.
    let whole = test.isNull ? route : route.passingReference(layout)
    guard !whole.steps.isEmpty else { return try compareInPlace(route, comparison, scope) }
    let condition = try existsBehind(
      whole.steps[...], from: whole.start, test.isNegated || test.isNull ? false : scope.isFilter
    ) { builder, last throws(ObjectPredicateError) in
      var far = comparison
      far.operation = test.operation
      return try builder.compareInPlace(whole.dropping(whole.steps.count, from: last), far, scope)
    }
    if test.isNegated { return negated(condition) }
    // Most have a value: who has is not worth to be looked for from the far end.
    return test.isNull ? "((\(condition)) IS TRUE)" : condition
  }

  /// Compares the value at the end of a path to one, seen from where the path begins.
  private mutating func compareInPlace(
    _ route: PredicateRoute, _ comparison: PredicateComparison, _ scope: Scope
  ) throws(ObjectPredicateError) -> String {
    let left = try single(route, comparison.left.place)
    let right = try operand(comparison.right, scope)
    return try compare(OperandComparison(left, comparison.operation, right, comparison.options))
  }
}

/// What to look for at the far end of a path to one, so that an object that a step lacks does not fulfil it.
private struct TargetCondition {
  let operation: ComparisonOperator
  /// Whether the condition holds where nothing is found.
  let isNegated: Bool
  /// Whether it is null that is asked for.
  let isNull: Bool

  /// Nil if the comparison is not one of these.
  init?(_ operation: ComparisonOperator, _ right: PredicateExpression) {
    isNull = right.kind == .constant(.null)
    switch (operation, isNull) {
    case (.equal, true), (.notEqual, true):
      isNegated = operation == .equal
      self.operation = .notEqual
    case (_, true): return nil
    case (.notEqual, false):
      isNegated = true
      self.operation = .equal
    case (.in, false):
      guard case .list(let elements) = right.kind, !elements.contains(where: { $0.kind == .constant(.null) })
      else { return nil }
      isNegated = false
      self.operation = operation
    default:
      isNegated = false
      self.operation = operation
    }
  }
}

extension PredicateExpression {
  /// Whether it is the same value for all objects, which the predicate says.
  fileprivate var isFixed: Bool {
    switch kind {
    case .constant(.stored(.null, _)): false
    case .constant, .now, .cast: true
    case .list(let elements): elements.allSatisfy(\.isFixed)
    default: false
    }
  }
}

extension ComparisonOperator {
  /// The operator that says the same with its sides exchanged; nil for those of texts and lists.
  fileprivate var withSidesExchanged: ComparisonOperator? {
    switch self {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: mirrored
    default: nil
    }
  }
}
