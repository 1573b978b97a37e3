import ObjectModel
import ObjectStore

/// Evaluates conditions object by object. What it does not know it refuses: members of JSON, full-text search, the
/// words of Swift's predicates, calculations.
struct PredicateScan {
  private let state: WorkingState

  /// An object that a path may start from.
  struct Start {
    var entity: SchemaEntity
    var place: Place
  }

  /// By variable, nil for the object itself.
  typealias Starts = [String?: Start]

  /// What stands on one side of a comparison: a value, or the parts of a key.
  private struct Term {
    var parts: [Value] = []
    var types: [ComparedType] = []
    var constant: PredicateConstant?
  }

  init(_ state: WorkingState) { self.state = state }

  func holds(_ node: PredicateNode, _ starts: Starts) throws -> Bool {
    switch node {
    case .always(let isTrue): return isTrue
    case .not(let inner): return try !holds(inner, starts)
    case .and(let nodes): return try nodes.allSatisfy { try holds($0, starts) }
    case .or(let nodes): return try nodes.contains { try holds($0, starts) }
    case .comparison(let comparison): return try holds(comparison, starts)
    case .exists(let path, let variable, let node):
      return try count(path, variable, node, starts) > 0
    }
  }

  // MARK: - Comparisons

  private func holds(_ comparison: PredicateComparison, _ starts: Starts) throws -> Bool {
    var left = try terms(comparison.left, starts)
    var operation = comparison.operation
    var right: [Term]
    if case .list(let elements) = comparison.right.kind {
      right = try elements.flatMap { try terms($0, starts) }
    } else {
      right = try terms(comparison.right, starts)
      // A value in a list that a path leads to, or a list that contains one.
      if operation == .in {
        _ = try isToMany(comparison.right, starts)
        (left, right, operation) = (right, left, .equal)
      }
      if operation == .contains, try isToMany(comparison.left, starts) { operation = .equal }
    }
    if comparison.quantifier != nil { _ = try isToMany(comparison.left, starts) }
    let test: (Term) throws -> Bool = { try relate($0, operation, comparison.options, right) }
    switch comparison.quantifier {
    case .all: return try left.allSatisfy(test)
    case .none?: return try !left.contains(where: test)
    case .any, nil: return try left.contains(where: test)
    }
  }

  /// Whether a path leads to many objects.
  ///
  /// - Throws: ``StoreError`` for one that leads to the elements of JSON.
  private func isToMany(_ expression: PredicateExpression, _ starts: Starts) throws -> Bool {
    guard case .path(let path) = expression.kind else { return false }
    let found = try follow(path, start(path, starts).entity)
    if case .attribute(let index, let entity) = found.end,
      ComparedType(entity.attributes[index].type) == .json
    {
      throw WorkingRefusal.error("conditions on elements of JSON")
    }
    if case .relationship(let last) = found.end, last.isToMany { return true }
    return found.passed.contains(where: \.isToMany)
  }

  private func relate(
    _ left: Term, _ operation: ComparisonOperator, _ options: TextOptions, _ right: [Term]
  ) throws -> Bool {
    switch operation {
    case .in: return try right.contains { try compare(left, .equal, options, $0) }
    case .between where right.count == 2:
      return try compare(left, .greaterOrEqual, options, right[0])
        && compare(left, .lessOrEqual, options, right[1])
    default: return try right.contains { try compare(left, operation, options, $0) }
    }
  }

  private func compare(
    _ left: Term, _ operation: ComparisonOperator, _ options: TextOptions, _ right: Term
  ) throws -> Bool {
    switch operation {
    case .equal: return try order(left, right, options).map { $0 == 0 } ?? (isNull(left) && isNull(right))
    case .notEqual: return try !compare(left, .equal, options, right)
    case .less: return try order(left, right, options).map { $0 < 0 } ?? false
    case .lessOrEqual: return try order(left, right, options).map { $0 <= 0 } ?? false
    case .greater: return try order(left, right, options).map { $0 > 0 } ?? false
    case .greaterOrEqual: return try order(left, right, options).map { $0 >= 0 } ?? false
    case .beginsWith, .endsWith, .contains, .like, .matches:
      guard let searched = text(left), let wanted = text(right) else { return false }
      // UUIDs are kept in small letters.
      let isUUID = left.types == [.uuid] && right.constant != nil
      return try search(searched, operation, options, isUUID ? wanted.lowercased() : wanted)
    case .in, .between, .matchesText, .finds: throw WorkingRefusal.error("\(operation.rawValue) here")
    }
  }

  private func isNull(_ term: Term) -> Bool { term.constant == .null || term.parts.contains(.null) }

  /// How two terms stand to each other: below 0, 0 or above; nil if one is null.
  private func order(_ left: Term, _ right: Term, _ options: TextOptions) throws -> Int? {
    if isNull(left) || isNull(right) { return nil }
    let (first, second) = (try converted(left, beside: right), try converted(right, beside: left))
    guard first.parts.count == second.parts.count else { throw WorkingRefusal.error("this comparison") }
    for index in first.parts.indices {
      let order = order(
        first.parts[index], first.types[index], second.parts[index], second.types[index], options)
      if order != 0 { return order }
    }
    return 0
  }

  private func order(
    _ left: Value, _ type: ComparedType, _ right: Value, _ other: ComparedType, _ options: TextOptions
  ) -> Int {
    if type.isNumeric, other.isNumeric, type == .decimal || other == .decimal {
      if type == .real || other == .real {
        return Value.real(Double(left.text) ?? 0).compare(with: .real(Double(right.text) ?? 0))
      }
      return Value(text: left.text).compareAsDecimal(with: Value(text: right.text))
    }
    guard type == .text, !options.isEmpty else { return left.compare(with: right) }
    return Value(text: TextFolding.folded(left.text, options))
      .compare(with: Value(text: TextFolding.folded(right.text, options)))
  }

  /// A constant as a value of the types of the other side; an identity in quotes as its parts.
  private func converted(_ term: Term, beside other: Term) throws -> Term {
    guard let constant = term.constant else { return term }
    var result = Term()
    let types = other.constant.map { [ComparedType($0) == .text ? ComparedType(constant) : ComparedType($0)] }
    var constants = [constant]
    if let types = types == nil ? other.types : nil, types.count > 1 {
      let parts = ComparedType.text(constant).flatMap { KeyText.split($0, count: types.count) }
      if case .identity(let values) = constant { constants = values.map { .identity([$0]) } }
      constants = parts?.map { .string($0) } ?? constants
    }
    for (type, constant) in zip(types ?? other.types, constants) {
      guard let value = type.value(of: constant) else { throw WorkingRefusal.error("this comparison") }
      result.parts.append(Value(value.value))
      result.types.append(value.type)
    }
    return result
  }

  // MARK: - Texts

  private func text(_ term: Term) -> String? {
    if let constant = term.constant { return ComparedType.text(constant) }
    guard let value = term.parts.first, term.parts.count == 1, !value.isNull else { return nil }
    return value.text
  }

  private func search(
    _ text: String, _ operation: ComparisonOperator, _ options: TextOptions, _ wanted: String
  ) throws -> Bool {
    if operation == .matches {
      var budget = MatchBudget()
      let folded = TextFolding.folded(text, options.intersection(.ignoresDiacritics))
      return try WholeMatch(wanted, options).matches(folded, &budget) ?? false
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

  // MARK: - Values

  private func terms(_ expression: PredicateExpression, _ starts: Starts) throws -> [Term] {
    switch expression.kind {
    case .constant(let constant): return [Term(constant: constant)]
    case .path(let path): return try terms(path, starts)
    case .aggregate(let aggregate, let path):
      return [Term(parts: [try value(of: aggregate, path, starts)], types: [.real])]
    case .subqueryCount(let path, let variable, let node):
      return [Term(parts: [.integer(Int64(try count(path, variable, node, starts)))], types: [.integer])]
    case .list, .negated, .calculation, .now, .cast, .condition, .choice, .coalesced, .characterCount,
      .single:
      throw WorkingRefusal.error("\(PredicateNode.self)s with calculations")
    }
  }

  private func follow(_ path: PredicatePath, _ entity: SchemaEntity) throws -> PropertyPath {
    let names = path.names.map(\.text)
    do throws(PropertyPath.Failure) {
      return try PropertyPath(names, from: entity, state.layout)
    } catch {
      throw StoreError.invalid(error.message(names, state.layout))
    }
  }

  /// The objects that relationships lead to one after another; each way to one counts. Nil where a relationship to one
  /// leads nowhere.
  private func objects(_ start: Start, _ relationships: [SchemaRelationship]) -> [Place?] {
    relationships.reduce([start.place]) { places, relationship in
      places.flatMap { place -> [Place?] in
        let targets = place.map { state.places(of: relationship, $0) } ?? []
        return targets.isEmpty && !relationship.isToMany ? [nil] : targets
      }
    }
  }

  private func start(_ path: PredicatePath, _ starts: Starts) throws -> Start {
    guard let start = starts[path.variable] else { throw WorkingRefusal.error("the variable of \(path)") }
    return start
  }

  private func terms(_ path: PredicatePath, _ starts: Starts) throws -> [Term] {
    let start = try start(path, starts)
    let found = try follow(path, start.entity)
    let places = objects(start, found.passed)
    switch found.end {
    case .attribute(let attribute, let entity):
      let layout = state.layout.entities[entity.index]
      let column = layout.slots[layout.attributeSlots[attribute]]
      let type = ComparedType(entity.attributes[attribute].type)
      return places.map { place in
        Term(parts: [place.flatMap { state.object($0)?.values[column] } ?? .null], types: [type])
      }
    case .relationship(let relationship):
      let none = state.layout.table(of: relationship.destination).key.map { _ in Value.null }
      return places.flatMap { place -> [Term] in
        let targets = place.map { state.targets(of: relationship, $0) } ?? []
        let keys = targets.filter { $0.row != nil || path.countsPending }.map(\.key)
        let isNull = keys.isEmpty && !relationship.isToMany
        return (isNull ? [none] : keys).map { identity($0, relationship.destination) }
      }
    case .object(let entity):
      return places.compactMap { $0 }.map { identity(state.key(of: $0), entity.index) }
    case .member: throw WorkingRefusal.error("conditions on members of JSON")
    }
  }

  /// A key as the identity that people know.
  private func identity(_ key: [Value], _ entity: Int) -> Term {
    let entity = state.layout.schema.entities[entity]
    let table = state.layout.table(of: entity.index)
    let types =
      entity.hasIdentity
      ? entity.identity.map(\.type) : table.key.map { table.columns[$0].type }
    let parts =
      key.contains(.null)
      ? Array(repeating: Value.null, count: types.count)
      : state.layout.identity(ofKey: key.map(\.sql), of: entity).map(Value.init)
    return Term(parts: parts, types: types.map(ComparedType.init))
  }

  // MARK: - Aggregates

  private func count(
    _ path: PredicatePath, _ variable: String, _ node: PredicateNode, _ starts: Starts
  ) throws -> Int {
    let start = try start(path, starts)
    let found = try follow(path, start.entity)
    guard case .relationship(let last) = found.end else {
      throw WorkingRefusal.error("conditions on elements of JSON")
    }
    let entity = state.layout.schema.entities[last.destination]
    return try objects(start, found.passed + [last]).compactMap { $0 }.count { place in
      try holds(node, starts.merging([variable: Start(entity: entity, place: place)]) { $1 })
    }
  }

  func value(of aggregate: Aggregate, _ path: PredicatePath, _ starts: Starts) throws -> Value {
    let terms = try terms(path, starts).filter { !isNull($0) }
    if aggregate == .count { return .integer(Int64(terms.count)) }
    let values = terms.compactMap(\.parts.first)
    guard terms.allSatisfy({ $0.types.first != .decimal }) else {
      throw WorkingRefusal.error("sums of decimals")
    }
    switch aggregate {
    case .min: return values.min { $0.precedes($1) } ?? .null
    case .max: return values.max { $0.precedes($1) } ?? .null
    case .sum:
      let integers = values.compactMap { if case .integer(let value) = $0 { value } else { nil } }
      if integers.count == values.count { return .integer(integers.reduce(0, &+)) }
      return .real(values.reduce(0) { $0 + $1.number })
    case .average, .count:
      return values.isEmpty ? .null : .real(values.reduce(0) { $0 + $1.number } / Double(values.count))
    }
  }
}
