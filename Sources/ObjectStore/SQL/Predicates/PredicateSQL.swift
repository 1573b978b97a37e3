import ObjectModel

/// Turns a predicate into a condition of SQL.
///
/// The relationships of a path become sub-selects, so that nothing is joined and no row can come twice. Where the objects
/// around have no part in what they look for, they begin at the far end, `band IN (SELECT …)`, and are run once.
/// Values are bound; only the layout's names and signs of the language's own become part of the text.
///
/// SQL has three truths, and a predicate two: a comparison with null is false, unless null is what it asks
/// for. `AND` and `OR` keep that up, as nobody can tell SQL's unknown from its false there; whatever turns a
/// condition around uses `IS NOT TRUE`.
struct PredicateSQL {
  let format: String
  let layout: Layout
  let dialect: any SQLDialect
  /// The values for `?1` and so on, with those that were there before.
  var arguments: SQLArguments
  /// The moment of `NOW()`, the same wherever it stands.
  let now: Double
  /// The tables that are read ahead, with what was there before.
  var commonTables: CommonTables
  /// The joins with what is looked up for each of the objects that are asked about.
  var lookups: [String]
  private var aliases = 0
  /// The search for texts that fulfil conditions which the database cannot say; nil if it says all.
  private let texts: TextEvaluation?
  /// Whether the database cannot say all of the condition.
  private var isBeyond = false
  /// Conditions on what relationships lead to, with others that say the contrary and are quicker than `IS NOT TRUE`.
  private var contraries: [String: String] = [:]
  /// The least number of the sources that were mentioned since it was set.
  var outermost = 0
  /// Whether the condition is asked of few objects, so that looking from each of them is cheaper than from the
  /// far end.
  let isPointLookup: Bool
  /// Whether the objects are chosen by one comparison, and by nothing else.
  let isOnlyCondition: Bool
  /// Whether a path may have a sub-select for each of its steps, as far as SQLite's parser is concerned.
  let nestsSteps: Bool

  /// The meaning of a variable.
  enum Variable {
    case object(ObjectSource)
    case element(JSONPlace)
  }

  /// Where the names of a condition begin.
  struct Scope {
    var object: ObjectSource
    var variables: [String: Variable] = [:]
    /// Whether unknown is as good as false to what is around the condition.
    var isFilter = true

    /// The scope of a condition whose falseness matters.
    var asValue: Scope { with(isFilter: false) }

    func with(isFilter: Bool) -> Scope {
      var scope = self
      scope.isFilter = isFilter
      return scope
    }

    /// The scope of a condition on an object that a variable stands for.
    func inside(_ source: ObjectSource, as variable: String) -> Scope {
      inside(.object(source), as: variable)
    }

    /// The scope of a condition on an element of a list that a variable stands for.
    func inside(_ element: JSONPlace, as variable: String) -> Scope {
      inside(.element(element), as: variable)
    }

    private func inside(_ value: Variable, as variable: String) -> Scope {
      var scope = with(isFilter: true)
      scope.variables[variable] = value
      return scope
    }
  }

  /// SQLite takes more; a predicate this long was not meant.
  static let argumentLimit = 30_000
  /// Symbols that SQLite's parser holds for the conditions around any value, of 100.
  private static let mostDepth = 76
  /// Conditions around a path that leave SQLite's parser, which holds 100 symbols, room for a sub-select a step.
  private static let nestingDepth = 40
  /// So many values of a list are arguments of their own.
  static let longList = 1_000

  /// The condition that an object fulfils another, which is the predicate or a part of it; nil if the database cannot
  /// say it. What it is told is in ``arguments`` then.
  mutating func whole(_ node: PredicateNode, of object: ObjectSource) throws(ObjectPredicateError) -> String?
  {
    guard node.parserDepth <= Self.mostDepth else {
      throw error("The conditions are nested too deeply.", at: .none)
    }
    let sql = try condition(node, Scope(object: object))
    return isBeyond ? nil : sql
  }

  /// The column of an attribute of an object's own that is kept as text; nil if a path leads elsewhere.
  mutating func ownText(_ path: PredicatePath, of object: ObjectSource) throws(ObjectPredicateError)
    -> String?
  {
    let route = try route(path, Scope(object: object))
    guard route.steps.isEmpty, case .attribute(let column) = route.end, SQLForm(column) == .text else {
      return nil
    }
    return "\(object.alias).\(SQL.quoted(column.name))"
  }

  /// The value that an operator makes of all that a path leads to from an object.
  mutating func value(
    of aggregate: Aggregate, _ path: PredicatePath, of object: ObjectSource
  ) throws(ObjectPredicateError) -> String {
    let expression = PredicateExpression(.aggregate(aggregate, path))
    guard case .parts(let parts) = try operand(expression, Scope(object: object)).kind, let part = parts.first
    else {
      throw error("\(path.text) has no value.", at: path.place)
    }
    return part.sql
  }

  /// A predicate in a query, whose statement has arguments already.
  init(_ predicate: ObjectPredicate, _ query: QueryBuilder) {
    format = predicate.format
    (layout, dialect, arguments) = (query.layout, query.dialect, query.arguments)
    (commonTables, lookups, texts) = (query.commonTables, query.lookups, query.texts)
    // Aliases begin anew.
    commonTables.sources = [:]
    (isPointLookup, now) = (query.isPointLookup, query.now)
    isOnlyCondition = if case .comparison = predicate.root { query.hasOneCondition } else { false }
    nestsSteps = predicate.root.parserDepth <= Self.nestingDepth
  }

  // MARK: - Conditions

  mutating func condition(_ node: PredicateNode, _ scope: Scope) throws(ObjectPredicateError) -> String {
    switch node {
    case .always(let isTrue): return dialect.truth(isTrue)
    case .not(.exists(let path, let variable, let inner)):
      let condition = try exists(path, variable, inner, scope.asValue)
      return negated(condition)
    case .not(let inner):
      let condition = try condition(inner, scope.asValue)
      return negated(condition)
    case .and(let parts): return joined(try conditions(parts, scope), by: "AND")
    case .or(let parts): return joined(try conditions(parts, scope), by: "OR")
    case .comparison(let comparison): return try condition(comparison, scope)
    case .exists(let path, let variable, let inner): return try exists(path, variable, inner, scope)
    }
  }

  private mutating func conditions(
    _ nodes: [PredicateNode], _ scope: Scope
  ) throws(ObjectPredicateError) -> [String] {
    var conditions: [String] = []
    for node in nodes { conditions.append(try condition(node, scope)) }
    return conditions
  }

  private mutating func condition(
    _ comparison: PredicateComparison, _ scope: Scope
  ) throws(ObjectPredicateError) -> String {
    if let quantifier = comparison.quantifier { return try quantified(quantifier, comparison, scope) }
    if let condition = try existence(comparison, scope) { return condition }
    let (left, right) = (comparison.left, comparison.right)
    if comparison.operation == .in, let elements = try manyValues(right, scope) {
      return try membership(of: left, in: elements, comparison.options, scope)
    }
    if comparison.operation == .contains, let elements = try manyValues(left, scope) {
      return try membership(of: right, in: elements, comparison.options, scope)
    }
    if let condition = try elementCondition(comparison, scope) { return condition }
    return try compare(comparison, scope)
  }

  /// The route of a path that leads to many values; nil for anything else.
  private func manyValues(
    _ expression: PredicateExpression, _ scope: Scope
  ) throws(ObjectPredicateError) -> PredicateRoute? {
    guard case .path(let path) = expression.kind else { return nil }
    let route = try route(path, scope)
    return route.isToMany ? route : nil
  }

  private mutating func quantified(
    _ quantifier: Quantifier, _ comparison: PredicateComparison, _ scope: Scope
  ) throws(ObjectPredicateError) -> String {
    guard case .path(let path) = comparison.left.kind else {
      throw error(
        "\(quantifier.rawValue) goes with a key path, such as albums.year.", at: comparison.left.place)
    }
    let route = try route(path, scope)
    guard route.isToMany else {
      if let condition = try quantifiedElements(quantifier, comparison, scope) { return condition }
      throw error("\(path.text) leads to one value: leave \(quantifier.rawValue) out.", at: path.place)
    }
    let isAny = quantifier == .any
    let condition = try exists(route, isAny ? scope : scope.asValue) {
      builder, rest throws(ObjectPredicateError) in
      let holds = try builder.compare(
        rest, as: comparison, scope.with(isFilter: quantifier != .all))
      return quantifier == .all ? "(\(holds)) IS NOT TRUE" : holds
    }
    return isAny ? condition : negated(condition)
  }

  private mutating func membership(
    of value: PredicateExpression, in route: PredicateRoute, _ options: TextOptions, _ scope: Scope
  ) throws(ObjectPredicateError) -> String {
    try exists(route, scope) { builder, rest throws(ObjectPredicateError) in
      let path = PredicateExpression(.path(route.path), route.path.place)
      return try builder.compare(
        rest, as: PredicateComparison(path, .equal, value, options), scope.with(isFilter: true))
    }
  }

  // MARK: - Parts

  func error(_ message: String, at place: Place) -> ObjectPredicateError {
    ObjectPredicateError(message, at: place, in: format)
  }

  /// The condition that a text is one of those of its column that fulfil another; nil if these are not to be looked for.
  mutating func isOneOfTexts(_ text: SQLPart, _ condition: TextCondition) -> String? {
    guard let home = text.home, home.column.storage == .text, SQLForm(home.column) == .text,
      let found = texts?(home.column, home.table, condition)
    else { return nil }
    return dialect.isOne([text.sql], of: found.map { [$0] }, [.text], &arguments)
  }

  /// SQL that says it exactly. If there is none, the condition is none for the database.
  mutating func exactly(_ sql: String?) -> String {
    if let sql { return sql }
    isBeyond = true
    return "NULL"
  }

  /// Conditions joined by `AND` or `OR`.
  func joined(_ conditions: [String], by word: String) -> String {
    conditions.isEmpty ? dialect.truth(true) : SQL.joined(conditions, by: word)
  }

  /// Binds a value and returns its parameter.
  mutating func bind(
    _ value: SQLValue, _ form: SQLForm, at place: Place
  ) throws(ObjectPredicateError) -> String {
    guard dialect.holds(value, as: form) else { return exactly(nil) }
    guard arguments.count < Self.argumentLimit else {
      throw error("A predicate can have \(Self.argumentLimit) values and no more.", at: place)
    }
    arguments.append(value, form)
    return dialect.parameter(arguments.count)
  }

  /// The number of an alias that nothing else has.
  mutating func newAlias() -> Int {
    aliases += 1
    return aliases
  }

  /// Notes that the condition has to do with an object.
  mutating func mention(_ source: ObjectSource) { outermost = min(outermost, source.number) }

  /// True where a condition is not, be it false or unknown.
  func negated(_ condition: String) -> String {
    if let contrary = contraries[condition] { return contrary }
    // `EXISTS` is never unknown.
    return condition.hasPrefix("EXISTS (") ? "NOT " + condition : "((\(condition)) IS NOT TRUE)"
  }

  /// The condition that a selection has objects that fulfil another, which those around have no part in. It looks from
  /// the far end.
  mutating func found(_ selection: PathSelection, _ condition: String?) -> String {
    let found = selection.contains(condition ?? dialect.truth(true))
    if dialect.joinsContraries { contraries[found] = notAny(selection, condition) }
    return found
  }

  /// The condition that a selection has no objects that fulfil another, which those around have no part in.
  private mutating func notAny(_ selection: PathSelection, _ condition: String?) -> String {
    guard dialect.readsTablesAlone else { return "NOT " + selection.exists(condition) }
    return commonTables.notAny(
      selection.source.owner, among: selection.source.columns,
      selection.rows(condition ?? dialect.truth(true)))
  }

  /// The condition that a path that leads to many leads to any objects.
  mutating func hasAny(_ route: PredicateRoute, _ scope: Scope) throws(ObjectPredicateError) -> String? {
    if dialect.readsTablesAlone {
      let isAny = dialect.truth(true)
      return try existsBehind(route.manySteps, from: route.start, scope.isFilter) { _, _ in isAny }
    }
    return selection(of: route).map { hasAny($0) }
  }

  /// The condition that a selection has any objects.
  mutating func hasAny(_ selection: PathSelection) -> String {
    guard dialect.alwaysLooksFromFarEnd, !isPointLookup else { return selection.exists(nil) }
    return found(selection, nil)
  }
}

extension SQL {
  /// Conditions joined by `AND` or `OR`, in pairs of pairs, since SQLite limits how deep an expression is.
  static func joined(_ conditions: [String], by word: String) -> String {
    joined(conditions[...], " \(word) ")
  }

  private static func joined(_ conditions: ArraySlice<String>, _ word: String) -> String {
    guard conditions.count > 1 else { return conditions.first ?? "" }
    let middle = conditions.startIndex + conditions.count / 2
    return "(" + joined(conditions[..<middle], word) + word + joined(conditions[middle...], word) + ")"
  }
}

/// Values that predicates of Swift have, and formats have not.
extension PredicateSQL {
  mutating func choicePart(
    _ expression: PredicateExpression, _ scope: Scope
  ) throws(ObjectPredicateError) -> SQLPart {
    switch expression.kind {
    case .condition(let node):
      return SQLPart(sql: "((\(try condition(node, scope.asValue))) IS TRUE)", type: .boolean)
    case .choice(let test, let first, let second):
      let test = try condition(test, scope.asValue)
      let (first, second, type) = try alternatives(first, second, scope)
      // A missing `ELSE` means null.
      let otherwise = second == "NULL" ? "" : " ELSE \(second)"
      return SQLPart(sql: "CASE WHEN \(test) THEN \(first)\(otherwise) END", type: type)
    case .coalesced(let first, let second):
      let (first, second, type) = try alternatives(first, second, scope)
      return SQLPart(sql: "coalesce(\(first), \(second))", type: type)
    case .characterCount(let inner):
      return SQLPart(
        sql: exactly(dialect.characterCount(try value(inner, .text, scope))), type: .integer)
    case .single(let inner):
      return SQLPart(sql: exactly(dialect.single(try value(inner, .real, scope))), type: .real)
    default:
      throw error("\(PredicateText.of(expression)) has no value of its own.", at: expression.place)
    }
  }

  /// Two values, one of which is taken.
  private mutating func alternatives(
    _ first: PredicateExpression, _ second: PredicateExpression, _ scope: Scope
  ) throws(ObjectPredicateError) -> (first: String, second: String, type: ComparedType) {
    var (left, right) = (try operand(first, scope), try operand(second, scope))
    (left, right) = (try typed(left, beside: right), try typed(right, beside: left))
    let type = type(of: left) ?? type(of: right) ?? .text
    return (try value(left, as: type), try value(right, as: type), type)
  }

  /// The type of a value; nil if it goes by that of another.
  private func type(of operand: Operand) -> ComparedType? {
    switch operand.kind {
    case .parts(let parts): parts.first?.type
    case .constant(.null), .constant(.identity): nil
    case .constant(let constant): ComparedType(constant)
    case .list: nil
    }
  }

  private mutating func value(
    _ expression: PredicateExpression, _ type: ComparedType, _ scope: Scope
  ) throws(ObjectPredicateError) -> String {
    try value(operand(expression, scope), as: type)
  }

  private mutating func value(
    _ operand: Operand, as type: ComparedType
  ) throws(ObjectPredicateError) -> String {
    switch operand.kind {
    case .constant(.null): return "NULL"
    case .constant(let constant):
      guard let (value, found) = type.value(of: constant), found == type else { break }
      return try bind(value, SQLForm(type), at: operand.place)
    case .parts(let parts):
      guard let part = parts.first, parts.count == 1, part.type.common(with: type) != nil else { break }
      return exactly(dialect.converted(part, to: type))
    case .list: break
    }
    throw error("\(operand.text) is not \(type.name).", at: operand.place)
  }
}

/// One side of a comparison.
struct Operand {
  enum Kind {
    case constant(PredicateConstant)
    /// A value; several are the parts of a key.
    case parts([SQLPart])
    case list([PredicateExpression], PredicateSQL.Scope)
  }

  let kind: Kind
  let place: Place
  /// The name in messages.
  let text: String
}

/// Two sides and how they have to stand to each other.
struct OperandComparison {
  let left: Operand
  let operation: ComparisonOperator
  let options: TextOptions
  let right: Operand

  init(_ left: Operand, _ operation: ComparisonOperator, _ right: Operand, _ options: TextOptions) {
    (self.left, self.operation, self.options, self.right) = (left, operation, options, right)
  }

  /// The same with its sides exchanged.
  var mirrored: OperandComparison { OperandComparison(right, operation.mirrored, left, options) }
}

/// An expression of SQL and the type of its values.
package struct SQLPart {
  package var sql: String
  package var type: ComparedType
  /// Whether it holds keys of objects some of which have an identity and some none.
  var holdsMixedKeys = false
  /// Of a whole number, how far from 0 it can be.
  package var greatest = Double(Int64.max)
  /// Whether it is the result of a calculation that may be beyond 64 bits, where it is a real.
  package var isWide = false
  /// The column that the value is in, for conditions that an index can serve.
  var column: String?
  /// The condition under which the column's value counts; nil if it always does.
  var arrived: String?
  /// The index of its elements and the alias of its table, if it is a list that has one.
  var elements: (index: ElementIndexSQL, alias: String)?
  /// The table and the column that the value is one of, if it is the value of an attribute beyond a relationship.
  var home: (table: Table, column: Column)?
  /// Where a value is whose type the store does not know, since it stands in JSON.
  private(set) var json: JSONPlace?
}

extension SQLPart {
  init(sql: String, type: ComparedType, column: String? = nil, arrived: String? = nil) {
    (self.sql, self.type, self.column, self.arrived) = (sql, type, column, arrived)
  }

  /// The form of a value that it is compared with as one of a type.
  func form(comparedAs type: ComparedType) -> SQLForm { holdsMixedKeys ? .mixedKey : SQLForm(type) }

  /// How far from 0 the result of a calculation with whole numbers can be.
  package static func greatest(
    _ left: SQLPart, _ operation: ArithmeticOperator, _ right: SQLPart
  ) -> Double {
    switch operation {
    case .plus, .minus: left.greatest + right.greatest
    case .times: left.greatest * right.greatest
    case .divided: left.greatest
    case .remainder: min(left.greatest, right.greatest)
    }
  }

  /// Whether the number is a real, or exact as one.
  package var isExactAsReal: Bool { type == .real || greatest <= 9_007_199_254_740_992 }

  /// A value of JSON, whatever its type.
  init(json place: JSONPlace) {
    self.init(sql: place.value, type: .json)
    json = place
  }
}

// SQLite's parser holds 100 symbols at once and no more, in versions before 3.46 or so. Formats are limited by how
// deep they are nested; what Swift nests has more forms, so here the symbols are counted, roughly.

extension PredicateNode {
  /// How many symbols the parser holds at most for what is around the values of the condition.
  package var parserDepth: Int {
    switch self {
    case .always: 1
    case .not(let inner): 2 + inner.parserDepth
    // Conditions are joined in pairs of pairs.
    case .and(let parts), .or(let parts):
      3 * (Int.bitWidth - max(0, parts.count - 1).leadingZeroBitCount) + (parts.map(\.parserDepth).max() ?? 0)
    case .comparison(let comparison): 2 + max(comparison.left.parserDepth, comparison.right.parserDepth)
    case .exists(_, _, let inner): 10 + inner.parserDepth
    }
  }
}

extension PredicateExpression {
  fileprivate var parserDepth: Int {
    switch kind {
    case .constant, .list, .path, .aggregate, .now: 0
    case .subqueryCount(_, _, let node): 10 + node.parserDepth
    case .negated(let inner): 2 + inner.parserDepth
    case .cast(let inner, _), .characterCount(let inner), .single(let inner): 4 + inner.parserDepth
    case .calculation(let left, _, let right): 3 + max(left.parserDepth, right.parserDepth)
    case .condition(let node): 2 + node.parserDepth
    case .choice(let test, let first, let second):
      max(3 + test.parserDepth, 5 + first.parserDepth, 4 + second.parserDepth)
    case .coalesced(let first, let second): 5 + max(first.parserDepth, second.parserDepth)
    }
  }
}

extension PredicateNode {
  /// The conditions that hold together where it does.
  var conjuncts: [PredicateNode] {
    guard case .and(let parts) = self else { return [self] }
    return parts.flatMap(\.conjuncts)
  }
}
