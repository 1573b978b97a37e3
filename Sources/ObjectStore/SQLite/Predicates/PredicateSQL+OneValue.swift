/// Comparisons with what a path to one leads to.
extension PredicateSQL {
  /// Compares two values, of which one may be at the end of a path to one.
  mutating func compare(
    _ left: PredicateExpression, _ operation: ComparisonOperator, _ options: TextOptions,
    _ right: PredicateExpression, _ scope: Scope
  ) throws(ObjectPredicateError) -> String {
    if case .path(let path) = left.kind {
      let route = try route(path, scope)
      if !route.isToMany { return try compare(route, left.place, operation, options, right, scope) }
    }
    if case .path(let path) = right.kind, left.isFixed, let mirrored = operation.withSidesExchanged {
      let route = try route(path, scope)
      if !route.isToMany { return try compare(route, right.place, mirrored, options, left, scope) }
    }
    return try compare(operand(left, scope), operation, options, operand(right, scope))
  }

  /// Compares the value at the end of a path to one. With a value that the predicate says, it is looked for from
  /// the far end.
  mutating func compare(
    _ route: PredicateRoute, _ place: Place, _ operation: ComparisonOperator, _ options: TextOptions,
    _ right: PredicateExpression, _ scope: Scope
  ) throws(ObjectPredicateError) -> String {
    if operation == .matchesText { return try searched(route, place, options, right, scope) }
    guard right.isFixed, let test = FarTest(operation, right), !isAboutFew else {
      return try compare(single(route, place), operation, options, operand(right, scope))
    }
    // Whether a reference has arrived is told by its own key.
    let whole = test.isNull ? route : route.passingReference(layout)
    guard !whole.steps.isEmpty else {
      return try compare(single(route, place), operation, options, operand(right, scope))
    }
    let condition = try existsBehind(
      whole.steps[...], from: whole.start, test.isNegated || test.isNull ? false : scope.isFilter
    ) { builder, last throws(ObjectPredicateError) in
      let element = whole.dropping(whole.steps.count, from: last)
      return try builder.compare(
        builder.single(element, place), test.operation, options, builder.operand(right, scope))
    }
    if test.isNegated { return Self.negated(condition) }
    // Most have a value: who has is not worth to be looked for from the far end.
    return test.isNull ? "((\(condition)) IS TRUE)" : condition
  }
}

/// What to look for at the far end of a path to one, so that an object that a step lacks does not fulfil it.
private struct FarTest {
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
