import ObjectModel
import ObjectStore

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
    // What is no variable of a condition around begins at the object.
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
