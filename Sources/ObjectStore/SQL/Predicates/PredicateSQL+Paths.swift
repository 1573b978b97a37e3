import ObjectModel

/// The tables behind a path, and what makes their rows those it leads to.
struct PathSelection {
  var source: RelationshipSQL.Source
  /// The number of what the first step leads to.
  let firstNumber: Int
  /// The target of the last step.
  let last: ObjectSource
  /// The tables on the way that are not joined with the first, each with the kind of the join.
  var further: [(step: RelationshipSQL.Step, kind: String)] = []

  func exists(_ condition: String?) -> String { "EXISTS " + select("1", and: condition) }

  func select(_ expression: String, and condition: String? = nil) -> String {
    let more = condition.map { " AND " + $0 } ?? ""
    return "(SELECT \(expression) FROM \(source.tables) WHERE \(source.condition)\(more))"
  }

  /// A value of the only object.
  func selectOnly(_ expression: String, _ dialect: any SQLDialect) -> String {
    "(SELECT \(expression) FROM \(source.tables) WHERE \(source.condition)\(dialect.onlyRow))"
  }

  /// The same as ``exists(_:)`` for a condition that the objects around it have no part in: what is looked for is
  /// looked for once, whatever the number of objects around. Null where the reference is.
  func contains(_ condition: String) -> String {
    "\(SQL.row(source.owner)) IN (SELECT \(source.columns.joined(separator: ", ")) \(rows(condition)))"
  }

  /// The condition that an aggregate of the objects fulfils another. It is found once for all objects around; those that
  /// have none of these are not among them.
  func containsGroup(having condition: String, _ dialect: any SQLDialect) -> String {
    let columns = source.columns.joined(separator: ", ")
    return
      "\(SQL.row(source.owner)) IN (SELECT \(columns) \(rows(dialect.truth(true))) GROUP BY \(columns) HAVING \(condition))"
  }

  /// `FROM … WHERE …`, for the objects that fulfil a condition, whatever they belong to. Tables that are not joined are
  /// looked into by sub-selects.
  func rows(_ condition: String) -> String {
    var condition = condition
    for (step, _) in further.reversed() {
      let filter = step.filter.map { $0 + " AND " } ?? ""
      condition =
        "\(SQL.row(step.before)) IN (SELECT \(step.columns.joined(separator: ", ")) FROM \(step.named)"
        + " WHERE \(filter)\(condition))"
    }
    let filter = source.filter.map { $0 + " AND " } ?? ""
    return "FROM \(source.tables) WHERE \(filter)\(condition)"
  }
}

extension PredicateSQL {
  func route(_ path: PredicatePath, _ scope: Scope) throws(ObjectPredicateError) -> PredicateRoute {
    let route =
      switch path.variable.flatMap({ scope.variables[$0] }) {
      case .element(let place): PredicateRoute(path, from: place, around: scope.object)
      case .object(let object): try PredicateRoute(path, from: object, layout, in: format)
      case nil: try PredicateRoute(path, from: scope.object, layout, in: format)
      }
    if let name = route.keys.first(where: { $0.text.contains("\"") }) {
      // SQLite has no way to say it in the path of a member.
      throw error(
        "The key \(Excerpt.of(name.text)) has a quotation mark, which cannot be asked for.", at: name.place)
    }
    return route
  }

  /// The tables that relationships pass from an object.
  mutating func selection(
    of first: SchemaRelationship, _ rest: ArraySlice<SchemaRelationship>, from start: ObjectSource
  ) -> PathSelection {
    mention(start)
    var last = newSource(of: first)
    let firstNumber = last.number
    let way = RelationshipSQL(layout: layout, relationship: first, dialect)
    var further = way.steps(owner: start.alias, target: last.alias).dropFirst().map { ($0, "JOIN") }
    let source = way.source(owner: start.alias, target: last.alias)
    for step in rest {
      let next = newSource(of: step)
      // An object without the target has a null there, which counts as a value.
      let kind = step.isToMany ? "JOIN" : "LEFT JOIN"
      further += RelationshipSQL(layout: layout, relationship: step, dialect)
        .steps(owner: last.alias, target: next.alias).map { ($0, kind) }
      last = next
    }
    let selection = PathSelection(source: source, firstNumber: firstNumber, last: last, further: further)
    return dialect.readsTablesAlone ? selection : joined(selection)
  }

  /// The same with all its tables joined.
  mutating func joined(_ selection: PathSelection) -> PathSelection {
    var joined = selection
    joined.further = []
    for (step, kind) in selection.further {
      joined.source.tables += " " + step.joined(kind, reading: &commonTables)
    }
    return joined
  }

  /// The tables that a path passes; nil if it passes none.
  mutating func selection(of route: PredicateRoute) -> PathSelection? {
    guard let first = route.steps.first else { return nil }
    return selection(of: first, route.steps.dropFirst(), from: route.start)
  }

  /// The targets of a relationship, under an alias that nothing else has.
  private mutating func newSource(of step: SchemaRelationship) -> ObjectSource {
    let number = newAlias()
    return ObjectSource(
      alias: "p\(number)", entity: layout.schema.entities[step.destination], number: number)
  }

  /// The value at the end of a path to one.
  mutating func single(_ route: PredicateRoute, _ place: Place) throws(ObjectPredicateError) -> Operand {
    guard !route.isToMany else {
      throw error(
        "\(route.manyName) leads to many objects: put ANY, ALL or NONE before the path, or use an @count.",
        at: route.path.place)
    }
    var values: [SQLPart]
    if let selection = selection(of: route) {
      values = parts(of: route, selection.last).map { part in
        if let json = part.json { return SQLPart(json: json.selected { selection.select($0) }) }
        var selected = SQLPart(sql: only(part, selection, route), type: part.type)
        (selected.greatest, selected.holdsMixedKeys) = (part.greatest, part.holdsMixedKeys)
        selected.home = part.home
        return selected
      }
    } else {
      values = parts(of: route, route.start)
    }
    return Operand(kind: .parts(values), place: place, text: route.path.text)
  }

  /// The value, or the parts of the key, of an object at the end of a path.
  mutating func parts(of route: PredicateRoute, _ last: ObjectSource) -> [SQLPart] {
    mention(last)
    switch route.end {
    case .attribute(let column):
      var part = part(column, last.alias)
      part.elements = elementIndex(of: column, last)
      if last.number > 0 { part.home = (layout.table(of: last.entity.index), column) }
      return [part]
    case .member(let column, let keys):
      _ = exactly(dialect.readsJSON ? column.name : nil)
      return [SQLPart(json: JSONPlace(column: part(column, last.alias).sql).member(keys))]
    case .element(let place):
      _ = exactly(dialect.readsJSON ? place.value : nil)
      return [SQLPart(json: place)]
    case .objects(let entity):
      let table = layout.table(of: entity.index)
      return identityParts(entity, table.key.map { part(table.columns[$0], last.alias) })
    case .reference(let relationship):
      guard case .foreignKey(let columns) = layout.relationships[relationship.index] else { return [] }
      let owner = layout.table(of: relationship.owner)
      let stored = columns.map { part(owner.columns[$0], last.alias) }
      let keys = identityParts(layout.schema.entities[relationship.destination], stored)
      if route.path.countsPending { return keys }
      // A reference to an object that has not arrived reads as null.
      let target = RelationshipSQL(layout: layout, relationship: relationship, dialect)
        .source(owner: last.alias, target: "p\(newAlias())")
      let selection = PathSelection(source: target, firstNumber: 0, last: last)
      let arrived = hasAny(selection)
      return keys.map { key in
        var part = key
        part.sql = "CASE WHEN \(arrived) THEN \(key.sql) END"
        (part.column, part.arrived) = (key.sql, arrived)
        return part
      }
    }
  }

  /// The index of the elements of a list, and the alias of its table; nil if there is none.
  private func elementIndex(
    of column: Column, _ source: ObjectSource
  ) -> (index: ElementIndexSQL, alias: String)? {
    let table = layout.table(of: source.entity.index)
    guard let index = table.elementIndexes.first(where: { table.columns[$0.column].name == column.name })
    else {
      return nil
    }
    return (ElementIndexSQL(table: table, index: index), source.alias)
  }

  /// The values of an identity, where the store's key is made of it.
  private mutating func identityParts(_ entity: SchemaEntity, _ key: [SQLPart]) -> [SQLPart] {
    guard entity.isIdentifiedBelowRoot else { return key }
    let values = layout.identity(fromColumns: key.map(\.sql), of: entity, dialect)
    return zip(values, entity.identity).map { sql, value in
      let type = ComparedType(value.type)
      // Parts of a key are texts, and in the store's form.
      let isText = [.integer, .real, .text, .json].contains(type)
      return SQLPart(sql: exactly(isText || dialect.readsJSON ? sql : nil), type: type, column: sql)
    }
  }

  private func part(_ column: Column, _ alias: String) -> SQLPart {
    let name = "\(alias).\(SQL.quoted(column.name))"
    var part = SQLPart(sql: name, type: ComparedType(column.type), column: name)
    part.holdsMixedKeys = column.holdsMixedKeys
    switch column.type {
    case .integer16: part.greatest = 32_768
    case .integer32: part.greatest = 2_147_483_648
    default: break
    }
    return part
  }
}

/// Objects that a condition is about: the alias of their table, and their entity.
struct ObjectSource {
  let alias: String
  let entity: SchemaEntity
  /// The depth: sources further inside have higher numbers; the objects that are asked about have 0.
  var number = 0
}

/// A key path of a predicate, followed through the model.
struct PredicateRoute {
  enum End {
    case attribute(Column)
    /// A member of an attribute that is JSON, by its keys.
    case member(Column, [String])
    /// An element of a list, or a member of one, that a variable stands for.
    case element(JSONPlace)
    /// The objects themselves, by their keys.
    case objects(SchemaEntity)
    /// A to-one relationship whose key is with the owner, so that its target need not be looked at.
    case reference(SchemaRelationship)
  }

  let path: PredicatePath
  private(set) var start: ObjectSource
  /// The relationships that are passed.
  private(set) var steps: [SchemaRelationship]
  private(set) var end: End

  /// The names that are keys of JSON.
  var keys: ArraySlice<PredicatePath.Name> {
    switch end {
    case .member(_, let keys): path.names.suffix(keys.count)
    case .element: path.names[...]
    case .attribute, .objects, .reference: []
    }
  }

  /// Whether it leads to more than one value.
  var isToMany: Bool { steps.contains { $0.isToMany } }

  /// The name in messages of the first relationship that leads to many.
  var manyName: String { steps.first { $0.isToMany }?.name ?? path.text }

  init(
    _ path: PredicatePath, from start: ObjectSource, _ layout: Layout, in format: String
  ) throws(ObjectPredicateError) {
    self.path = path
    self.start = start
    let found: PropertyPath
    do throws(PropertyPath.Failure) {
      found = try PropertyPath(path.names.map(\.text), from: start.entity, layout)
    } catch {
      throw ObjectPredicateError(
        error.message(path.names.map(\.text), layout), at: path.names[error.index].place, in: format)
    }
    steps = found.passed
    switch found.end {
    case .attribute(let index, let entity): end = .attribute(layout.column(of: index, in: entity))
    case .member(let index, let entity, let keys):
      end = .member(layout.column(of: index, in: entity), keys)
    case .object(let entity): end = .objects(entity)
    case .relationship(let relationship):
      if case .foreignKey = layout.relationships[relationship.index] {
        end = .reference(relationship)
      } else {
        steps.append(relationship)
        end = .objects(layout.schema.entities[relationship.destination])
      }
    }
  }

  /// The way from an element of a list, of which all names are keys.
  init(_ path: PredicatePath, from element: JSONPlace, around start: ObjectSource) {
    self.path = path
    self.start = start
    steps = []
    end = .element(path.names.isEmpty ? element : element.member(path.names.map(\.text)))
  }

  /// The steps up to the last that leads to many.
  var manySteps: ArraySlice<SchemaRelationship> {
    steps[..<((steps.lastIndex { $0.isToMany } ?? -1) + 1)]
  }

  /// The rest of the way, from where so many steps have led.
  func dropping(_ count: Int, from start: ObjectSource) -> PredicateRoute {
    var rest = self
    rest.steps.removeFirst(count)
    rest.start = start
    return rest
  }

  /// The same way with a reference at its end as a step, so that only objects that have arrived are at the end.
  func passingReference(_ layout: Layout) -> PredicateRoute {
    guard case .reference(let relationship) = end, !path.countsPending else { return self }
    var whole = self
    whole.steps.append(relationship)
    whole.end = .objects(layout.schema.entities[relationship.destination])
    return whole
  }
}

extension Layout {
  /// The column of an attribute, by its index in the entity.
  func column(of attribute: Int, in entity: SchemaEntity) -> Column {
    let whole = entities[entity.index]
    return tables[whole.table].columns[whole.slots[whole.attributeSlots[attribute]]]
  }
}

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

/// Comparisons with what a path to one leads to.
extension PredicateSQL {
  /// Compares two values, of which one may be at the end of a path to one.
  mutating func compare(
    _ comparison: PredicateComparison, _ scope: Scope
  ) throws(ObjectPredicateError) -> String {
    if let condition = try groupedCondition(comparison, scope) { return condition }
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

/// The condition at the far end of a path to one, so that an object that a step lacks does not fulfil it.
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
