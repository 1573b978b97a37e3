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

  /// The meaning of a variable.
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

/// The values that are compared.
extension PredicateScan {
  /// The only value of an expression.
  func term(_ expression: PredicateExpression, _ starts: Starts) throws -> Term {
    guard let only = try terms(expression, starts).first else {
      throw UnsupportedOperation.error("this value")
    }
    return only
  }

  func terms(_ expression: PredicateExpression, _ starts: Starts) throws -> [Term] {
    switch expression.kind {
    case .constant(let constant): return [Term(constant)]
    case .path(let path): return try terms(path, starts)
    case .aggregate(.count, let path):
      if let list = try jsonTerm(PredicateExpression(.path(path)), starts) {
        return [Term(Self.item(list).elements.map { .integer(Int64($0.count)) } ?? .null, .integer)]
      }
      return [Term(.integer(Int64(try targets(path, starts).count)), .integer)]
    case .aggregate(let aggregate, let path): return [try value(of: aggregate, path, starts)]
    case .subqueryCount(let path, let variable, let node):
      return [Term(.integer(Int64(try count(path, variable, node, starts) ?? 0)), .integer)]
    case .negated, .calculation: return [try number(expression, starts)]
    case .now, .cast: return [Term(try fixed(expression))]
    case .condition, .choice, .coalesced, .characterCount, .single: return [try choice(expression, starts)]
    case .list: throw UnsupportedOperation.error("a list here")
    }
  }

  // MARK: - Paths

  func variable(_ path: PredicatePath, _ starts: Starts) throws -> Variable {
    // A path that begins with no variable of a condition around it begins at the object.
    guard let start = starts[path.variable] ?? starts[nil] else {
      throw UnsupportedOperation.error("this variable")
    }
    return start
  }

  func follow(_ path: PredicatePath, _ entity: SchemaEntity) throws -> PropertyPath {
    let names = path.names.map(\.text)
    do throws(PropertyPath.Failure) {
      return try PropertyPath(names, from: entity, state.layout)
    } catch {
      throw StoreError.invalid(error.message(names, state.layout))
    }
  }

  /// The relationships that a path passes, that at its end among them unless its key is with the owner.
  func steps(_ path: PredicatePath, _ entity: SchemaEntity) throws -> [SchemaRelationship] {
    let found = try follow(path, entity)
    guard case .relationship(let last) = found.end else { return found.passed }
    if case .foreignKey = state.layout.relationships[last.index] { return found.passed }
    return found.passed + [last]
  }

  /// The objects that relationships lead to one after another; each way to one counts. Nil where a relationship to one
  /// leads nowhere.
  private func objects(_ start: Start, _ relationships: [SchemaRelationship]) -> [RowLocation?] {
    relationships.reduce([start.place]) { places, relationship in
      places.flatMap { place -> [RowLocation?] in
        let targets = place.map { state.places(of: relationship, $0) } ?? []
        return targets.isEmpty && !relationship.isToMany ? [nil] : targets
      }
    }
  }

  /// The objects that a path to many leads to.
  private func targets(_ path: PredicatePath, _ starts: Starts) throws -> [RowLocation?] {
    guard case .object(let start) = try variable(path, starts) else { return [] }
    return objects(start, try steps(path, start.entity))
  }

  private func terms(_ path: PredicatePath, _ starts: Starts) throws -> [Term] {
    let start: Start
    switch try variable(path, starts) {
    case .element(let element): return [Term(element.item.member(path.names.map(\.text)))]
    case .object(let object): start = object
    }
    let found = try follow(path, start.entity)
    let places = objects(start, found.passed)
    switch found.end {
    case .attribute(let attribute, let entity):
      let type = ComparedType(entity.attributes[attribute].type)
      return places.map { Term(value(attribute, entity, $0), type) }
    case .member(let attribute, let entity, let keys):
      return places.map { Term(JSONItem(column: value(attribute, entity, $0)).member(keys)) }
    case .relationship(let relationship):
      return places.flatMap { place -> [Term] in
        let targets = place.map { state.targets(of: relationship, $0) } ?? []
        let keys = targets.filter { $0.row != nil || path.countsPending }.map(\.key)
        if keys.isEmpty, !relationship.isToMany { return [noIdentity(relationship.destination)] }
        return keys.map { identity($0, relationship.destination) }
      }
    case .object(let entity):
      return places.map { place in
        place.map { identity(state.key(of: $0), entity.index) } ?? noIdentity(entity.index)
      }
    }
  }

  private func value(_ attribute: Int, _ entity: SchemaEntity, _ place: RowLocation?) -> Value {
    let layout = state.layout.entities[entity.index]
    let column = layout.slots[layout.attributeSlots[attribute]]
    return place.flatMap { state.object($0)?.values[column] } ?? .null
  }

  private func types(ofKey entity: Int) -> [ComparedType] {
    let entity = state.layout.schema.entities[entity]
    let table = state.layout.table(of: entity.index)
    let types = entity.hasIdentity ? entity.identity.map(\.type) : table.key.map { table.columns[$0].type }
    return types.map(ComparedType.init)
  }

  private func noIdentity(_ entity: Int) -> Term {
    let types = types(ofKey: entity)
    return Term(parts: types.map { _ in .null }, types: types)
  }

  /// A key as the identity that people know.
  private func identity(_ key: RowKey, _ entity: Int) -> Term {
    if key.hasNull { return noIdentity(entity) }
    let described = state.layout.schema.entities[entity]
    let parts = state.layout.identity(ofKey: key.map(\.sql), of: described).map(Value.init)
    return Term(parts: parts, types: types(ofKey: entity))
  }

  // MARK: - What many objects give together

  /// How many of the objects, or elements, that a path leads to fulfil a condition.
  func count(
    _ path: PredicatePath, _ variable: String, _ node: PredicateNode, _ starts: Starts
  ) throws -> Int? {
    if let list = try jsonTerm(PredicateExpression(.path(path)), starts) {
      return try Self.item(list).elements?.count { item in
        try holds(node, starts.merging([variable: .element(JSONStart(item: item))]) { $1 })
      }
    }
    guard case .object(let start) = try self.variable(path, starts) else { return nil }
    guard let last = try steps(path, start.entity).last else { return nil }
    let entity = state.layout.schema.entities[last.destination]
    return try targets(path, starts).count { place in
      let object = Start(entity: entity, place: place)
      return try holds(node, starts.merging([variable: .object(object)]) { $1 })
    }
  }

  func value(of aggregate: Aggregate, _ path: PredicatePath, _ starts: Starts) throws -> Term {
    if aggregate == .count { return Term(.integer(Int64(try targets(path, starts).count)), .integer) }
    let terms = try terms(path, starts)
    let type = try type(of: path, starts)
    let values = terms.compactMap(\.parts.first).filter { !$0.isNull }
    let precedes: (Value, Value) -> Bool =
      type == .decimal ? { $0.compareAsDecimal(with: $1) < 0 } : { $0.precedes($1) }
    switch aggregate {
    case .min: return Term(values.min(by: precedes) ?? .null, type)
    case .max: return Term(values.max(by: precedes) ?? .null, type)
    case .sum where type == .decimal:
      return Term(values.isEmpty ? Value(text: "0") : try sum(values, \.sum), type)
    case .sum: return Term(try sum(values, type), type)
    case .average where type == .decimal:
      return Term(values.isEmpty ? .null : try sum(values, \.average), type)
    case .average, .count:
      let sum = values.reduce(0) { $0 + $1.number }
      return Term(values.isEmpty ? .null : .real(sum / Double(values.count)), .real)
    }
  }

  /// The type of the attribute at the end of a path.
  private func type(of path: PredicatePath, _ starts: Starts) throws -> ComparedType {
    guard case .object(let start) = try variable(path, starts),
      case .attribute(let attribute, let entity) = try follow(path, start.entity).end
    else { return .real }
    return ComparedType(entity.attributes[attribute].type)
  }

  private func sum(_ decimals: [Value], _ result: (DecimalSum) -> String?) throws -> Value {
    let sum = DecimalSum()
    for case .text(let bytes) in decimals { bytes.withUnsafeBufferPointer { sum.add($0) } }
    guard let text = result(sum) else { throw StoreError.invalid("the sum has more than 200 places") }
    return Value(text: text)
  }

  private func sum(_ values: [Value], _ type: ComparedType) throws -> Value {
    guard type == .integer else { return .real(values.reduce(0) { $0 + $1.number }) }
    var sum: Int64 = 0
    for case .integer(let value) in values {
      let (next, overflow) = sum.addingReportingOverflow(value)
      if overflow { throw StoreError.invalid(StoreError.overflow) }
      sum = next
    }
    return .integer(sum)
  }
}

/// Calculations, choices between values, and what is the same for all objects.
extension PredicateScan {
  // MARK: - Numbers

  func number(_ expression: PredicateExpression, _ starts: Starts) throws -> Term {
    switch expression.kind {
    case .negated(let inner):
      let term = try number(inner, starts)
      return Term(Self.calculate(.integer(0), .minus, term.parts.first ?? .null), term.types.first ?? .real)
    case .calculation(let left, let operation, let right):
      let (first, second) = (try number(left, starts), try number(right, starts))
      let isWhole = first.types == [.integer] && second.types == [.integer]
      let value = Self.calculate(first.parts.first ?? .null, operation, second.parts.first ?? .null)
      return Term(value, isWhole ? .integer : .real)
    default: return Self.number(try term(expression, starts))
    }
  }

  private static func number(_ term: Term) -> Term {
    guard let constant = term.constant else { return term }
    if case .number(let digits) = constant, !digits.allSatisfy({ $0 == "-" || $0.isWholeNumber }) {
      // `10.0` is no integer here, so that it can be divided by without a rest being lost.
      return Term(ComparedType.real.value(of: constant).map { Value($0.value) } ?? .null, .real)
    }
    let (value, type) = ComparedType.integer.value(of: constant) ?? (.null, .integer)
    guard type == .integer else {
      return Term(ComparedType.real.value(of: constant).map { Value($0.value) } ?? .null, .real)
    }
    return Term(Value(value), type)
  }

  /// Arithmetic as SQLite does it: whole numbers that overflow become reals, and a division by 0 gives null.
  private static func calculate(_ left: Value, _ operation: ArithmeticOperator, _ right: Value) -> Value {
    if left.isNull || right.isNull { return .null }
    if case .integer(let a) = left, case .integer(let b) = right, let result = whole(a, operation, b) {
      return result
    }
    let (a, b) = (left.number, right.number)
    let result: Double
    switch operation {
    case .plus: result = a + b
    case .minus: result = a - b
    case .times: result = a * b
    case .divided:
      if b == 0 { return .null }
      result = a / b
    case .remainder:
      let divisor = Int64(clamping: b)
      if divisor == 0 { return .null }
      result = divisor == -1 ? 0 : Double(Int64(clamping: a) % divisor)
    }
    return result.isNaN ? .null : .real(result)
  }

  /// Nil where whole numbers have no result that is one.
  private static func whole(_ a: Int64, _ operation: ArithmeticOperator, _ b: Int64) -> Value? {
    let (result, overflow) =
      switch operation {
      case .plus: a.addingReportingOverflow(b)
      case .minus: a.subtractingReportingOverflow(b)
      case .times: a.multipliedReportingOverflow(by: b)
      case .divided: b == 0 ? (0, false) : a.dividedReportingOverflow(by: b)
      case .remainder: b == 0 ? (0, false) : a.remainderReportingOverflow(dividingBy: b)
      }
    if b == 0, operation == .divided || operation == .remainder { return .null }
    if operation == .remainder, overflow { return .integer(0) }
    return overflow ? nil : .integer(result)
  }

  // MARK: - Choices

  func choice(_ expression: PredicateExpression, _ starts: Starts) throws -> Term {
    switch expression.kind {
    case .condition(let node): return Term(.integer(try holds(node, starts) ? 1 : 0), .boolean)
    case .choice(let test, let first, let second):
      let (first, second) = try alternatives(first, second, starts)
      return try holds(test, starts) ? first : second
    case .coalesced(let first, let second):
      let (first, second) = try alternatives(first, second, starts)
      return first.isNull ? second : first
    case .characterCount(let inner):
      let text = try term(inner, starts).text
      return Term(text.map { .integer(Int64($0.count)) } ?? .null, .integer)
    case .single(let inner):
      let value = Self.number(try term(inner, starts)).parts.first ?? .null
      return Term(value.isNull ? .null : .real(Double(Float(value.number))), .real)
    default: throw UnsupportedOperation.error("this value")
    }
  }

  /// Two values as ones of the same type.
  private func alternatives(
    _ first: PredicateExpression, _ second: PredicateExpression, _ starts: Starts
  ) throws -> (Term, Term) {
    let (left, right) = (try term(first, starts), try term(second, starts))
    let (one, other) = (left.typed(beside: [right]), right.typed(beside: [left]))
    let type = Self.type(of: one) ?? Self.type(of: other) ?? .text
    return (Self.value(one, as: type), Self.value(other, as: type))
  }

  /// The type of a value; nil if it goes by that of another.
  private static func type(of term: Term) -> ComparedType? {
    switch term.constant {
    case .null?, .identity?: nil
    case let constant?: ComparedType(constant)
    case nil: term.types.first
    }
  }

  private static func value(_ term: Term, as type: ComparedType) -> Term {
    if let constant = term.constant {
      return Term(type.value(of: constant).map { Value($0.value) } ?? .null, type)
    }
    let value = term.parts.first ?? .null
    return Term(value.converted(from: term.types.first ?? type, to: type), type)
  }

  // MARK: - The same for all objects

  /// The value of `NOW()` or a `CAST`.
  func fixed(_ expression: PredicateExpression) throws -> PredicateConstant {
    switch expression.kind {
    case .cast(let inner, .number): return .number("\(try seconds(inner))")
    case .cast(let inner, .date):
      if case .constant(.string(let text)) = inner.kind { return .string(text) }
      return .moment(try seconds(inner))
    default: return .moment(try seconds(expression))
    }
  }

  /// A number, or a date as seconds since 2001.
  private func seconds(_ expression: PredicateExpression) throws -> Double {
    switch expression.kind {
    case .now: return memory.now
    case .constant(.moment(let seconds)): return seconds
    case .constant(let constant):
      if let value = ComparedType.real.value(of: constant)?.value { return Value(value).number }
    case .negated(let inner): return -(try seconds(inner))
    case .cast(let inner, _): return try seconds(inner)
    case .calculation(let left, let operation, let right):
      return try operation.result(seconds(left), seconds(right))
    default: break
    }
    throw UnsupportedOperation.error("this calculation")
  }
}

extension Int64 {
  /// The whole part of a real, the nearest that there is.
  fileprivate init(clamping number: Double) {
    self =
      number.isNaN
      ? 0 : number >= 9.2233720368547758e18 ? .max : number < -9.2233720368547758e18 ? .min : Int64(number)
  }
}
