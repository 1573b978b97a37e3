package import ObjectModel
package import ObjectStore

/// Evaluates conditions object by object, as SQLite's SQL does. Full-text search is the one thing that it refuses.
package struct PredicateScan {
  let state: IdentityMap
  let memory: ScanMemory

  /// An object that a path may start from; nowhere where a path to one led to none.
  package struct Start {
    var entity: SchemaEntity
    var place: RowLocation?

    package init(entity: SchemaEntity, place: RowLocation?) {
      self.entity = entity
      self.place = place
    }
  }

  /// What a variable stands for.
  package enum Variable {
    case object(Start)
    case element(JSONStart)
  }

  /// An element of a list that a path may start from.
  package struct JSONStart { let item: JSONItem }

  /// By variable, nil for the object itself.
  package typealias Starts = [String?: Variable]

  package init(_ state: IdentityMap, _ memory: ScanMemory) { (self.state, self.memory) = (state, memory) }

  package func holds(_ node: PredicateNode, _ starts: Starts) throws -> Bool {
    switch node {
    case .always(let isTrue): return isTrue
    case .not(let inner): return try !holds(inner, starts)
    case .and(let nodes): return try nodes.allSatisfy { try holds($0, starts) }
    case .or(let nodes): return try nodes.isEmpty || nodes.contains { try holds($0, starts) }
    case .comparison(let comparison): return try holds(comparison, starts)
    case .exists(let path, let variable, let node):
      return try count(path, variable, node, starts) ?? 0 > 0
    }
  }

  // MARK: - Comparisons

  private func holds(_ comparison: PredicateComparison, _ starts: Starts) throws -> Bool {
    if let quantifier = comparison.quantifier { return try quantified(quantifier, comparison, starts) }
    let (left, right, options) = (comparison.left, comparison.right, comparison.options)
    // A value in a list that a path leads to, or a list that contains one.
    if comparison.operation == .in, try isToMany(right, starts) {
      let wanted = try term(left, starts)
      return try terms(right, starts).contains { try compare($0, .equal, options, wanted) }
    }
    if comparison.operation == .contains, try isToMany(left, starts) {
      let wanted = try term(right, starts)
      return try terms(left, starts).contains { try compare($0, .equal, options, wanted) }
    }
    if let holds = try elementCondition(comparison, starts) { return holds }
    return try relate(term(left, starts), comparison, starts)
  }

  private func quantified(
    _ quantifier: Quantifier, _ comparison: PredicateComparison, _ starts: Starts
  ) throws -> Bool {
    guard try isToMany(comparison.left, starts) else {
      return try quantifiedElements(quantifier, comparison, starts)
    }
    let values = try terms(comparison.left, starts)
    let test: (Term) throws -> Bool = { try relate($0, comparison, starts) }
    switch quantifier {
    case .all: return try values.allSatisfy(test)
    case .none: return try !values.contains(where: test)
    case .any: return try values.contains(where: test)
    }
  }

  /// Whether an expression is a path that leads to many objects.
  private func isToMany(_ expression: PredicateExpression, _ starts: Starts) throws -> Bool {
    guard case .path(let path) = expression.kind, case .object(let start) = try variable(path, starts) else {
      return false
    }
    return try steps(path, start.entity).contains { $0.isToMany }
  }

  /// Whether a value stands to the right side of a comparison as this says.
  func relate(_ left: Term, _ comparison: PredicateComparison, _ starts: Starts) throws -> Bool {
    let options = comparison.options
    guard case .list(let elements) = comparison.right.kind else {
      return try compare(left, comparison.operation, options, term(comparison.right, starts))
    }
    let right = try elements.map { try term($0, starts) }
    switch comparison.operation {
    case .in:
      let typed = left.typed(beside: right)
      return try right.contains { try compare(typed, .equal, options, $0) }
    case .between where right.count == 2:
      let typed = left.typed(beside: right)
      return try compare(typed, .greaterOrEqual, options, right[0])
        && compare(typed, .lessOrEqual, options, right[1])
    default: throw UnsupportedOperation.error("\(comparison.operation.rawValue) here")
    }
  }

  func compare(
    _ left: Term, _ operation: ComparisonOperator, _ options: TextOptions, _ right: Term
  ) throws -> Bool {
    let (left, right) = (left.typed(beside: [right]), right.typed(beside: [left]))
    switch operation {
    case .equal: return try order(left, right, options).map { $0 == 0 } ?? (left.isNull && right.isNull)
    case .notEqual: return try !compare(left, .equal, options, right)
    case .less: return try order(left, right, options).map { $0 < 0 } ?? false
    case .lessOrEqual: return try order(left, right, options).map { $0 <= 0 } ?? false
    case .greater: return try order(left, right, options).map { $0 > 0 } ?? false
    case .greaterOrEqual: return try order(left, right, options).map { $0 >= 0 } ?? false
    case .beginsWith, .endsWith, .contains, .like, .matches, .finds:
      guard let searched = left.text, let wanted = right.text else { return false }
      // UUIDs are kept in small letters.
      let isUUID = left.types == [.uuid] && right.constant != nil
      return try search(searched, operation, options, isUUID ? wanted.lowercased() : wanted)
    case .in, .between, .matchesText: throw UnsupportedOperation.error("\(operation.rawValue) here")
    }
  }

  /// How two terms stand to each other: below 0, 0 or above; nil if one is null.
  private func order(_ left: Term, _ right: Term, _ options: TextOptions) throws -> Int? {
    if left.isNull || right.isNull { return nil }
    guard let first = left.converted(beside: right), let second = right.converted(beside: left),
      first.parts.count == second.parts.count
    else { throw UnsupportedOperation.error("this comparison") }
    for index in first.parts.indices {
      guard let type = first.types[index].common(with: second.types[index]) else {
        throw UnsupportedOperation.error("this comparison")
      }
      let (one, other) = (
        first.parts[index].converted(from: first.types[index], to: type),
        second.parts[index].converted(from: second.types[index], to: type)
      )
      let order = order(one, other, type, options)
      if order != 0 { return order }
    }
    return 0
  }

  private func order(_ left: Value, _ right: Value, _ type: ComparedType, _ options: TextOptions) -> Int {
    if type == .decimal { return Value(text: left.text).compareAsDecimal(with: Value(text: right.text)) }
    guard type == .text || type == .json, !options.isEmpty, case .text = left, case .text = right else {
      return left.compare(with: right)
    }
    return Value(text: TextFolding.folded(left.text, options))
      .compare(with: Value(text: TextFolding.folded(right.text, options)))
  }

  /// Whether a text fulfils a condition.
  package func holds(_ condition: TextCondition, _ text: String) throws -> Bool {
    try search(text, condition.operation, condition.options, condition.pattern)
  }

  private func search(
    _ text: String, _ operation: ComparisonOperator, _ options: TextOptions, _ wanted: String
  ) throws -> Bool {
    if operation == .finds { return try memory.partMatch(wanted).matches(text) }
    if operation == .matches {
      var budget = MatchBudget(total: 1_000, one: 1_000)
      let folded = TextFolding.folded(text, options.intersection(.ignoresDiacritics))
      guard let matches = try memory.wholeMatch(wanted, options).matches(folded, &budget) else {
        throw StoreError.invalid("the regular expression takes too many steps for a value")
      }
      return matches
    }
    let text = Array(TextFolding.folded(text, options).utf8)
    let wanted = Array(TextFolding.folded(wanted, options).utf8)
    switch operation {
    case .beginsWith: return text.starts(with: wanted)
    case .endsWith: return text.reversed().starts(with: wanted.reversed())
    case .like:
      return text.withUnsafeBufferPointer { text in
        wanted.withUnsafeBufferPointer { Wildcards.match(text, $0) }
      }
    default: return wanted.isEmpty || text.firstRange(of: wanted) != nil
    }
  }
}
