import ObjectModel

/// Conditions on what relationships lead to.
extension PredicateSQL {
  /// A condition on what the rest of a path leads to from an object.
  typealias RestCondition =
    (inout PredicateSQL, PredicateRoute) throws(ObjectPredicateError) -> String

  /// The condition that the rest of a path, from one of the objects at least that it leads to many of, fulfils
  /// another.
  mutating func exists(
    _ route: PredicateRoute, _ scope: Scope, _ inner: RestCondition
  ) throws(ObjectPredicateError) -> String {
    let steps = route.manySteps
    return try existsBehind(steps, from: route.start, scope.isFilter) {
      builder, last throws(ObjectPredicateError) in
      try inner(&builder, route.dropping(steps.count, from: last))
    }
  }

  /// A path of so many steps has a sub-select for each, which begin at the far end.
  private static let nestedSteps = 3

  /// The condition that one at least of the objects that steps lead to fulfils another. It may be unknown where
  /// it is not fulfilled.
  ///
  /// - Parameter isFilter: Whether unknown is as good as false around it.
  mutating func existsBehind(
    _ steps: ArraySlice<SchemaRelationship>, from start: ObjectSource, _ isFilter: Bool,
    _ inner: (inout PredicateSQL, ObjectSource) throws(ObjectPredicateError) -> String
  ) throws(ObjectPredicateError) -> String {
    guard let first = steps.first else { return try inner(&self, start) }
    let later = steps.dropFirst()
    let isNested = dialect.alwaysLooksFromFarEnd || (nestsSteps && steps.count <= Self.nestedSteps)
    let selection = selection(of: first, isNested ? [] : later, from: start)
    let around = outermost
    outermost = .max
    let condition =
      try isNested ? existsBehind(later, from: selection.last, true, inner) : inner(&self, selection.last)
    let isIndependent = outermost >= selection.firstNumber
    outermost = isIndependent ? around : min(around, outermost)
    guard isIndependent, looksFromFarEnd(selection, isFilter) else { return exists(selection, condition) }
    return found(selection, condition)
  }

  /// The condition that a selection has objects that fulfil another, seen from the objects around.
  private mutating func exists(_ selection: PathSelection, _ condition: String) -> String {
    exactly(dialect.readsTablesAlone ? nil : selection.exists(condition))
  }

  /// Whether to look for what a condition is about before the objects around it. If these are few, it is not
  /// worth it. Keys of several parts that may be null are slow to compare where it matters whether they are.
  private func looksFromFarEnd(_ selection: PathSelection, _ isFilter: Bool) -> Bool {
    !isPointLookup && (isFilter || selection.source.owner.count == 1 || dialect.alwaysLooksFromFarEnd)
  }

  /// The condition that objects at the end of a path, which a variable stands for, fulfil another.
  mutating func exists(
    _ path: PredicatePath, _ variable: String, _ node: PredicateNode, _ scope: Scope
  ) throws(ObjectPredicateError) -> String {
    if let condition = try existsElement(path, variable, node, scope) { return condition }
    let route = try manyRoute(path, scope)
    guard case .objects = route.end else { throw noObjects(path) }
    // An object that a path to one lacks at the end counts, and has nothing but nulls.
    guard node != .always(true), route.manySteps.count == route.steps.count else {
      if node == .always(true) { return try hasAny(route, scope) ?? dialect.truth(false) }
      guard let selection = selection(of: route) else { return dialect.truth(false) }
      let holds = try condition(node, scope.inside(selection.last, as: variable))
      return exists(selection, holds)
    }
    return try existsBehind(route.steps[...], from: route.start, scope.isFilter) {
      builder, last throws(ObjectPredicateError) in
      try builder.condition(node, scope.inside(last, as: variable))
    }
  }

  /// A count that is compared with nothing, as whether there is any; nil for other comparisons.
  mutating func existence(
    _ comparison: PredicateComparison, _ scope: Scope
  ) throws(ObjectPredicateError) -> String? {
    guard case .constant(.number(let digits)) = comparison.right.kind else { return nil }
    let wantsAny: Bool
    switch (comparison.operation, digits) {
    case (.greater, "0"), (.notEqual, "0"), (.greaterOrEqual, "1"): wantsAny = true
    case (.equal, "0"), (.lessOrEqual, "0"), (.less, "1"): wantsAny = false
    default: return nil
    }
    let scope = wantsAny ? scope : scope.asValue
    let condition: String
    switch comparison.left.kind {
    case .aggregate(.count, let path):
      guard try route(path, scope).isToMany, let isAny = try hasAny(manyRoute(path, scope), scope) else {
        return nil
      }
      condition = isAny
    case .subqueryCount(let path, let variable, let node):
      condition = try exists(path, variable, node, scope)
    default: return nil
    }
    return wantsAny ? condition : negated(condition)
  }
}
