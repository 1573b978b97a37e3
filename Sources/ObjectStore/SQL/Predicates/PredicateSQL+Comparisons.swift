import ObjectModel

/// Two values and what stands between them.
///
/// The SQL of a comparison can stand beside an `AND` as it is.
extension PredicateSQL {
  mutating func compare(_ comparison: OperandComparison) throws(ObjectPredicateError) -> String {
    let left = try typed(comparison.left, beside: comparison.right)
    let right = try typed(comparison.right, beside: comparison.left)
    let comparison = OperandComparison(left, comparison.operation, right, comparison.options)
    switch comparison.operation {
    case .in: return try contained(comparison)
    case .between: return try between(comparison)
    case .beginsWith, .endsWith, .contains, .like, .matches, .finds: return try compareTexts(comparison)
    case .matchesText:
      throw error("MATCHES_TEXT looks in a searched attribute, or in SELF for all of them.", at: left.place)
    default: return try relate(comparison)
    }
  }

  // MARK: - Equality and order

  private mutating func relate(_ comparison: OperandComparison) throws(ObjectPredicateError) -> String {
    let (left, right) = (comparison.left, comparison.right)
    switch (left.kind, right.kind) {
    case (.list, _): throw error("A list can only stand behind IN or BETWEEN.", at: left.place)
    case (_, .list): throw error("A list can only stand behind IN or BETWEEN.", at: right.place)
    case (_, .constant(.null)): return try relate(left, comparison.operation, toNull: right)
    case (.constant(.null), _): return try relate(right, comparison.operation, toNull: left)
    case (.parts(let parts), .constant(.identity(let values))):
      return try relate(key: parts, values, by: comparison)
    case (.parts(let parts), .constant(let constant)):
      if let part = parts.first, parts.count == 1 { return try relate(part, constant, by: comparison) }
      return try relate(key: parts, constant, by: comparison)
    case (.constant, .parts): return try relate(comparison.mirrored)
    case (.constant(let first), .constant(let second)): return try relate(first, second, by: comparison)
    case (.parts(let first), .parts(let second)): return try relate(first, second, by: comparison)
    }
  }

  private func relate(
    _ operand: Operand, _ operation: ComparisonOperator, toNull null: Operand
  ) throws(ObjectPredicateError) -> String {
    guard operation == .equal || operation == .notEqual else {
      throw error("nil can only be compared by == and !=.", at: null.place)
    }
    let wantsNull = operation == .equal
    guard case .parts(let parts) = operand.kind, let part = parts.first else {
      guard case .constant(let constant) = operand.kind else { return dialect.truth(false) }
      return dialect.truth((constant == .null) == wantsNull)
    }
    if let arrived = part.arrived { return wantsNull ? negated(arrived) : arrived }
    return "\(part.sql) IS \(wantsNull ? "" : "NOT ")NULL"
  }

  /// An attribute and a value that the predicate says.
  private mutating func relate(
    _ part: SQLPart, _ constant: PredicateConstant, by comparison: OperandComparison
  ) throws(ObjectPredicateError) -> String {
    let options = comparison.options
    let (value, type) = try converted(constant, to: part.type, comparison.left, comparison.right)
    let wanted = folded(value, type, options)
    let form = part.form(comparedAs: type)
    if !dialect.holds(wanted, as: form), comparison.operation == .equal || comparison.operation == .notEqual {
      return dialect.truth(comparison.operation == .notEqual)
    }
    let (nearest, operation) = dialect.nearest(wanted, as: form, comparison.operation)
    let parameter = try bind(nearest, form, at: comparison.right.place)
    if comparison.operation == .equal, type == part.type, let column = part.column, let arrived = part.arrived
    {
      return "(\(folded(column, type, options)) = \(parameter) AND \(arrived))"
    }
    let sql = folded(exactly(dialect.converted(part, to: type)), type, options)
    switch operation {
    case .equal: return "\(sql) = \(parameter)"
    case .notEqual: return dialect.different(sql, parameter)
    default: return ordered(sql, operation, parameter, type)
    }
  }

  /// Two values that the predicate says.
  private mutating func relate(
    _ first: PredicateConstant, _ second: PredicateConstant, by comparison: OperandComparison
  ) throws(ObjectPredicateError) -> String {
    // A text beside something else may be the text of such a thing.
    let type = ComparedType(first) == .text ? ComparedType(second) : ComparedType(first)
    let (value, _) = try converted(first, to: type, comparison.right, comparison.left)
    let part = SQLPart(sql: try bind(value, SQLForm(type), at: comparison.left.place), type: type)
    return try relate(part, second, by: comparison)
  }

  /// Two values of each object.
  private mutating func relate(
    _ first: [SQLPart], _ second: [SQLPart], by comparison: OperandComparison
  ) throws(ObjectPredicateError) -> String {
    let (operation, options) = (comparison.operation, comparison.options)
    let isEquality = operation == .equal || operation == .notEqual
    guard first.count == second.count, first.count == 1 || isEquality else {
      throw cannotCompare(comparison.left, comparison.right)
    }
    var pairs: [String] = []
    for (a, b) in zip(first, second) {
      guard let type = a.type.common(with: b.type) else {
        throw cannotCompare(comparison.left, comparison.right)
      }
      let x = folded(exactly(dialect.converted(a, to: type)), type, options)
      let y = folded(exactly(dialect.converted(b, to: type)), type, options)

      pairs.append(isEquality ? dialect.same(x, y) : ordered(x, operation, y, type))
    }
    let all = joined(pairs, by: "AND")
    return operation == .notEqual ? "((\(all)) IS NOT TRUE)" : all
  }

  /// A key of several parts and what the predicate says of it: the parts joined by commas.
  private mutating func relate(
    key: [SQLPart], _ constant: PredicateConstant, by comparison: OperandComparison
  ) throws(ObjectPredicateError) -> String {
    let (left, operation) = (comparison.left, comparison.operation)
    guard operation == .equal || operation == .notEqual else {
      throw error("\(left.text) has an identity of several parts, which has no order.", at: left.place)
    }
    guard let text = ComparedType.text(constant), let values = KeyText.split(text, count: key.count) else {
      throw error(
        "The identity of \(left.text) has \(key.count) parts: write them in quotes, joined by commas.",
        at: comparison.right.place)
    }
    return try relate(key: key, values.map { .string($0) }, by: comparison)
  }

  /// A key and an identity as the store keeps it.
  private mutating func relate(
    key: [SQLPart], _ identity: [SQLValue], by comparison: OperandComparison
  ) throws(ObjectPredicateError) -> String {
    guard key.count == identity.count else { throw cannotCompare(comparison.left, comparison.right) }
    return try relate(key: key, identity.map { .identity([$0]) }, by: comparison)
  }

  private mutating func relate(
    key: [SQLPart], _ values: [PredicateConstant], by comparison: OperandComparison
  ) throws(ObjectPredicateError) -> String {
    let (left, right) = (comparison.left, comparison.right)
    var pairs: [String] = []
    for (part, value) in zip(key, values) {
      let text = Excerpt.of(ComparedType.text(value) ?? right.text)
      let operand = Operand(kind: .constant(value), place: right.place, text: text)
      pairs.append(try relate(part, value, by: OperandComparison(left, .equal, operand, [])))
    }
    let all = joined(pairs, by: "AND")
    return comparison.operation == .equal ? all : "((\(all)) IS NOT TRUE)"
  }

  private func ordered(
    _ left: String, _ operation: ComparisonOperator, _ right: String, _ type: ComparedType
  ) -> String {
    "\(dialect.ordered(left, type)) \(operation.rawValue) \(right)"
  }

  // MARK: - Lists

  private mutating func between(_ comparison: OperandComparison) throws(ObjectPredicateError) -> String {
    let (left, options, right) = (comparison.left, comparison.options, comparison.right)
    guard case .list(let elements, let scope) = right.kind, elements.count == 2 else {
      throw error("BETWEEN takes a list of two values: {1970, 1980}.", at: right.place)
    }
    let least = try operand(elements[0], scope)
    let isNotLess = try relate(OperandComparison(left, .greaterOrEqual, least, options))
    let greatest = try operand(elements[1], scope)
    let isNotGreater = try relate(OperandComparison(left, .lessOrEqual, greatest, options))
    return "(\(isNotLess) AND \(isNotGreater))"
  }

  private mutating func contained(_ comparison: OperandComparison) throws(ObjectPredicateError) -> String {
    let (left, options, right) = (comparison.left, comparison.options, comparison.right)
    guard case .list(let elements, let scope) = right.kind else {
      throw error(
        "\(right.text) is not a list. IN takes one, {1, 2}; CONTAINS finds a text in another.",
        at: right.place)
    }
    var terms: [String] = []
    var values: [SQLValue] = []
    for element in elements {
      let element = try operand(element, scope)
      if let value = try value(of: element, beside: left, options) {
        values.append(value)
      } else {
        terms.append(try relate(OperandComparison(left, .equal, element, options)))
      }
    }
    if !values.isEmpty, case .parts(let parts) = left.kind, let part = parts.first {
      let sql = folded(part.column ?? part.sql, part.type, options)
      let isOne = try isOne(sql, of: values, part.form(comparedAs: part.type), at: right.place)
      terms.append(part.arrived.map { "(\(isOne) AND \($0))" } ?? isOne)
    }
    return terms.isEmpty ? dialect.truth(false) : SQL.joined(terms, by: "OR")
  }

  /// The condition that a value is one of several. A long list that no format says is one argument.
  private mutating func isOne(
    _ sql: String, of values: [SQLValue], _ form: SQLForm, at place: Place
  ) throws(ObjectPredicateError) -> String {
    if format.isEmpty, values.count > Self.longList, arguments.count < Self.argumentLimit,
      let condition = dialect.isOne([sql], of: values.map { [$0] }, [form], &arguments)
    {
      return condition
    }
    var parameters: [String] = []
    for value in values where dialect.holds(value, as: form) {
      parameters.append(try bind(value, form, at: place))
    }
    return parameters.isEmpty ? dialect.truth(false) : "\(sql) IN (\(parameters.joined(separator: ", ")))"
  }

  /// The value of an element of a list that compares as the value on the left does; nil for others.
  private mutating func value(
    of element: Operand, beside left: Operand, _ options: TextOptions
  ) throws(ObjectPredicateError) -> SQLValue? {
    guard case .parts(let parts) = left.kind, parts.count == 1, let part = parts.first,
      case .constant(let constant) = element.kind, constant != .null
    else { return nil }
    let (value, type) = try converted(constant, to: part.type, left, element)
    return type == part.type ? folded(value, type, options) : nil
  }

  // MARK: - Types

  /// A value of the predicate as the other side keeps it.
  private func converted(
    _ constant: PredicateConstant, to type: ComparedType, _ other: Operand, _ operand: Operand
  ) throws(ObjectPredicateError) -> (value: SQLValue, type: ComparedType) {
    guard let converted = type.value(of: constant) else {
      throw error("\(other.text) is \(type.name), and \(operand.text) is not.", at: operand.place)
    }
    return converted
  }

  private func cannotCompare(_ left: Operand, _ right: Operand) -> ObjectPredicateError {
    func name(_ operand: Operand) -> String {
      guard case .parts(let parts) = operand.kind, parts.count == 1 else {
        return "an identity of several parts"
      }
      return parts[0].type.name
    }
    return error(
      "\(left.text) is \(name(left)) and \(right.text) \(name(right)): they cannot be compared.",
      at: right.place)
  }

  // MARK: - Folding

  mutating func folded(_ sql: String, _ type: ComparedType, _ options: TextOptions) -> String {
    guard !options.isEmpty, type == .text || type == .json else { return sql }
    return exactly(dialect.folded(sql, options))
  }

  func folded(_ value: SQLValue, _ type: ComparedType, _ options: TextOptions) -> SQLValue {
    guard case .text(let text) = value, type == .text || type == .json else { return value }
    return .text(TextFolding.folded(text, options))
  }
}

extension Aggregate {
  /// An aggregate of no values: a number or null.
  fileprivate enum OfNothing {
    case zero, null

    /// Whether it may fulfil a comparison with a number.
    func fulfils(_ operation: ComparisonOperator, _ number: Double) -> Bool {
      switch (self, operation) {
      case (.zero, .equal): number == 0
      case (.zero, .less): 0 < number
      case (.zero, .lessOrEqual): 0 <= number
      case (.zero, .greater): 0 > number
      case (.zero, .greaterOrEqual): 0 >= number
      case (.null, .equal), (.null, .less), (.null, .lessOrEqual), (.null, .greater),
        (.null, .greaterOrEqual):
        false
      default: true
      }
    }
  }

  fileprivate var ofNothing: OfNothing {
    switch self {
    case .count, .sum: .zero
    case .min, .max, .average: .null
    }
  }
}

extension ComparisonOperator {
  /// The operator with its sides exchanged.
  var mirrored: ComparisonOperator {
    switch self {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    default: self
    }
  }
}

extension ComparedType {
  /// The type that values of two types are compared as; nil if they cannot be.
  package func common(with other: ComparedType) -> ComparedType? {
    if self == other { return self }
    if isNumeric, other.isNumeric {
      let types: Set = [self, other]
      // A real is near the decimal that was meant, not equal to it: as reals both are the same.
      if types.contains(.real) { return .real }
      return types.contains(.decimal) ? .decimal : .integer
    }
    switch (self, other) {
    case (.text, .json), (.json, .text): return .text
    case (.text, .uuid), (.uuid, .text): return .uuid
    default: return nil
    }
  }
}

/// The values that are compared.
extension PredicateSQL {
  mutating func operand(
    _ expression: PredicateExpression, _ scope: Scope
  ) throws(ObjectPredicateError) -> Operand {
    let place = expression.place
    let text = Excerpt.of(PredicateText.of(expression))
    switch expression.kind {
    case .constant(let constant): return Operand(kind: .constant(constant), place: place, text: text)
    case .list(let elements): return Operand(kind: .list(elements, scope), place: place, text: text)
    case .path(let path): return try single(route(path, scope), place)
    case .aggregate(.count, let path):
      if let part = try elementCount(path, scope) {
        return Operand(kind: .parts([part]), place: place, text: text)
      }
      let (route, selection) = try manySelection(path, scope)
      let sql = together("count(*)", selection, route, otherwise: "0")
      return Operand(kind: .parts([Self.count(sql)]), place: place, text: text)
    case .aggregate(let aggregate, let path):
      return Operand(kind: .parts([try part(aggregate, path, scope)]), place: place, text: text)
    case .subqueryCount(let path, let variable, let node):
      let part = try subqueryCount(path, variable, node, scope)
      return Operand(kind: .parts([part]), place: place, text: text)
    case .negated, .calculation:
      return Operand(kind: .parts([try number(expression, scope)]), place: place, text: text)
    case .now, .cast:
      return Operand(kind: .constant(try castConstant(expression)), place: place, text: text)
    case .condition, .choice, .coalesced, .characterCount, .single:
      return Operand(kind: .parts([try choicePart(expression, scope)]), place: place, text: text)
    }
  }

  // MARK: - Aggregates

  private mutating func manySelection(
    _ path: PredicatePath, _ scope: Scope
  ) throws(ObjectPredicateError) -> (route: PredicateRoute, selection: PathSelection) {
    let route = try manyRoute(path, scope)
    guard let selection = selection(of: route) else { throw notMany(path) }
    return (route, selection)
  }

  func manyRoute(_ path: PredicatePath, _ scope: Scope) throws(ObjectPredicateError) -> PredicateRoute {
    let route = try route(path, scope)
    guard route.isToMany else { throw notMany(path) }
    return route
  }

  private func notMany(_ path: PredicatePath) -> ObjectPredicateError {
    error("\(path.text) does not lead to many objects.", at: path.place)
  }

  private mutating func part(
    _ aggregate: Aggregate, _ path: PredicatePath, _ scope: Scope
  ) throws(ObjectPredicateError) -> SQLPart {
    let (route, selection) = try manySelection(path, scope)
    var part = try value(of: aggregate, route, selection)
    part.sql = together(part.sql, selection, route, otherwise: aggregate == .sum ? "0" : nil)
    return part
  }

  /// An aggregate of the values at the end of a path, where its tables are those that are selected from.
  private mutating func value(
    of aggregate: Aggregate, _ route: PredicateRoute, _ selection: PathSelection
  ) throws(ObjectPredicateError) -> SQLPart {
    if aggregate == .count { return Self.count("count(*)") }
    let path = route.path
    guard case .attribute(let column) = route.end else {
      throw error("@\(aggregate.rawValue) takes an attribute, and \(path.text) is none.", at: path.place)
    }
    let type = ComparedType(column.type)
    let name = "\(selection.last.alias).\(SQL.quoted(column.name))"
    let isKnown =
      switch aggregate {
      case .min, .max: [.integer, .real, .text, .date, .decimal].contains(type)
      case .sum, .average: [.integer, .real, .decimal].contains(type)
      case .count: false
      }
    guard isKnown else {
      throw error("@\(aggregate.rawValue) is not supported for \(type.name).", at: path.place)
    }
    return SQLPart(
      sql: exactly(dialect.value(of: aggregate, name, type)),
      type: aggregate == .average && type != .decimal ? .real : type)
  }

  /// A comparison of an aggregate with a number, which is all that the objects are chosen by: the aggregates of all objects are
  /// found at once then. Nil for other comparisons, and where an aggregate of nothing would do.
  mutating func groupedCondition(
    _ comparison: PredicateComparison, _ scope: Scope
  ) throws(ObjectPredicateError) -> String? {
    guard isOnlyCondition, dialect.alwaysLooksFromFarEnd, !dialect.readsTablesAlone, !isPointLookup,
      scope.isFilter, scope.object.number == 0, comparison.quantifier == nil,
      case .aggregate(let aggregate, let path) = comparison.left.kind,
      case .constant(.number(let digits)) = comparison.right.kind, let number = NumberText(digits)?.double,
      !aggregate.ofNothing.fulfils(comparison.operation, number),
      try route(path, scope).isToMany
    else { return nil }
    let (route, selection) = try manySelection(path, scope)
    let part = try value(of: aggregate, route, selection)
    let place = comparison.left.place
    let text = Excerpt.of(PredicateText.of(comparison.left))
    let left = Operand(kind: .parts([part]), place: place, text: text)
    let right = try operand(comparison.right, scope)
    let condition = try compare(OperandComparison(left, comparison.operation, right, comparison.options))
    return selection.containsGroup(having: condition, dialect)
  }

  /// A number of objects.
  private static func count(_ sql: String) -> SQLPart {
    var part = SQLPart(sql: sql, type: .integer)
    part.greatest = 1e15
    return part
  }

  private mutating func subqueryCount(
    _ path: PredicatePath, _ variable: String, _ node: PredicateNode, _ scope: Scope
  ) throws(ObjectPredicateError) -> SQLPart {
    if let part = try elementCount(path, variable, node, scope) { return part }
    let (route, selection) = try manySelection(path, scope)
    guard case .objects = route.end else { throw noObjects(path) }
    let around = outermost
    outermost = .max
    let holds = try condition(node, scope.inside(selection.last, as: variable))
    let isIndependent = outermost >= selection.firstNumber
    outermost = min(around, outermost)
    if dialect.readsTablesAlone, !isIndependent { return Self.count(exactly(nil)) }
    return Self.count(together("count(*)", selection, route, where: holds, otherwise: "0"))
  }

  func noObjects(_ path: PredicatePath) -> ObjectPredicateError {
    error("SUBQUERY takes a path to objects.", at: path.place)
  }

  // MARK: - Calculations

  /// The value of a calculation, or of a part of one.
  private mutating func number(
    _ expression: PredicateExpression, _ scope: Scope
  ) throws(ObjectPredicateError) -> SQLPart {
    switch expression.kind {
    case .negated(let inner):
      let part = try number(inner, scope)
      var zero = SQLPart(sql: "0", type: .integer)
      zero.greatest = 0
      // The least whole number has none of the other sign.
      let sql = part.type == .integer ? exactly(dialect.calculation(zero, .minus, part)) : "(- \(part.sql))"
      var negated = SQLPart(sql: sql, type: part.type)
      (negated.greatest, negated.isWide) = (part.greatest, part.greatest >= 9.2e18)
      return negated
    case .calculation(let left, let operation, let right):
      let (left, right) = (try number(left, scope), try number(right, scope))
      let type: ComparedType = left.type == .integer && right.type == .integer ? .integer : .real
      var result = SQLPart(sql: exactly(dialect.calculation(left, operation, right)), type: type)
      result.greatest = SQLPart.greatest(left, operation, right)
      result.isWide = result.greatest >= 9.2e18
      return result
    default: return try number(operand(expression, scope))
    }
  }

  private mutating func number(_ operand: Operand) throws(ObjectPredicateError) -> SQLPart {
    switch operand.kind {
    case .constant(.number(let digits)):
      let number = NumberText(digits)
      // `10.0` is no integer here, so that it can be divided by without a rest being lost.
      if let integer = number?.integer, digits.allSatisfy({ $0 == "-" || $0.isWholeNumber }) {
        var part = SQLPart(sql: try bind(.integer(integer), .integer, at: operand.place), type: .integer)
        part.greatest = Double(integer.magnitude)
        return part
      }
      if let double = number?.double {
        return SQLPart(sql: try bind(.real(double), .real, at: operand.place), type: .real)
      }
    case .constant(.stored(let value, let type)) where [.integer, .real].contains(ComparedType(type)):
      let type = ComparedType(type)
      return SQLPart(sql: try bind(value, SQLForm(type), at: operand.place), type: type)
    case .parts(let parts):
      if let part = parts.first, parts.count == 1, [.integer, .real].contains(part.type) {
        var number = SQLPart(sql: part.sql, type: part.type)
        number.greatest = part.greatest
        return number
      }
      if parts.first?.type == .decimal {
        throw error("Decimals are exact, and calculating with them is not supported.", at: operand.place)
      }
    default: break
    }
    throw error("\(operand.text) is nothing to calculate with.", at: operand.place)
  }

  // MARK: - Dates

  /// The value of `NOW()` or a `CAST`, which is the same for all objects.
  private func castConstant(_ expression: PredicateExpression) throws(ObjectPredicateError)
    -> PredicateConstant
  {
    switch expression.kind {
    case .cast(let inner, .number): return .number("\(try seconds(inner))")
    case .cast(let inner, .date):
      if case .constant(.string(let text)) = inner.kind {
        guard ComparedType.date(.string(text)) != nil else {
          throw error("'\(Excerpt.of(text))' is no date.", at: inner.place)
        }
        return .string(text)
      }
      return try moment(seconds(inner), inner.place)
    default: return try moment(seconds(expression), expression.place)
    }
  }

  private func moment(_ seconds: Double, _ place: Place) throws(ObjectPredicateError) -> PredicateConstant {
    guard DateText(secondsSince2001: seconds) != nil else {
      throw error("The store keeps dates of the years 0 to 9999 only.", at: place)
    }
    return .moment(seconds)
  }

  /// A number, or a date as seconds since 2001.
  private func seconds(_ expression: PredicateExpression) throws(ObjectPredicateError) -> Double {
    switch expression.kind {
    case .now: return now
    case .constant(.moment(let seconds)): return seconds
    case .constant(.number(let digits)):
      if let number = NumberText(digits)?.double { return number }
    case .negated(let inner): return -(try seconds(inner))
    case .cast(let inner, _): return try seconds(inner)
    case .calculation(let left, let operation, let right):
      return try operation.result(seconds(left), seconds(right))
    default: break
    }
    throw error(
      "CAST takes what is the same for all objects: seconds since 2001, a date in quotes, NOW().",
      at: expression.place)
  }
}

/// Values that are found beyond the objects that are asked about.
///
/// They are sub-selects for each of these objects. Where a statement cannot look into other tables for each of its rows,
/// the values of all objects are found ahead, and joined.
extension PredicateSQL {
  /// The aggregate of all that a path leads to from each object.
  ///
  /// - Parameters:
  ///   - condition: Which of them are meant.
  ///   - otherwise: What it makes of nothing; nil for null.
  mutating func together(
    _ expression: String, _ selection: PathSelection, _ route: PredicateRoute, where condition: String? = nil,
    otherwise: String?
  ) -> String {
    guard dialect.readsTablesAlone else { return selection.select(expression, and: condition) }
    guard route.start.number == 0 else { return exactly(nil) }
    let selection = joined(selection)
    let groups = selection.source.columns.joined(separator: ", ")
    let rows = selection.rows(condition ?? dialect.truth(true))
    let value = lookup(expression, selection, "\(rows) GROUP BY \(groups)")
    return otherwise.map { "coalesce(\(value), \($0))" } ?? value
  }

  /// A value of the only object that a path leads to from each object.
  mutating func only(_ part: SQLPart, _ selection: PathSelection, _ route: PredicateRoute) -> String {
    guard dialect.readsTablesAlone else { return selection.selectOnly(part.sql, dialect) }
    // Whether a reference has arrived is a question of its own. Of what has the link in its own row, there may be several.
    let areKept = route.steps.allSatisfy { step in
      if case .foreignKey = layout.relationships[step.index] { true } else { false }
    }
    guard route.start.number == 0, part.arrived == nil, areKept else { return exactly(nil) }
    let selection = joined(selection)
    return lookup(part.sql, selection, selection.rows(dialect.truth(true)))
  }

  /// Joins the values that a query of a selection gives with the objects around it.
  private mutating func lookup(_ expression: String, _ selection: PathSelection, _ rows: String) -> String {
    let keys = selection.source.columns.enumerated().map { "\($1) AS k\($0)" }.joined(separator: ", ")
    let (source, alias) = commonTables.source(query: "SELECT \(keys), \(expression) AS value \(rows)")
    let pairs = selection.source.owner.enumerated().map { "\(alias).k\($0) = \($1)" }
    let join = "LEFT JOIN \(source) ON \(pairs.joined(separator: " AND "))"
    if !lookups.contains(join) { lookups.append(join) }
    return "\(alias).value"
  }
}

extension CommonTables {
  /// The condition that no row that a query gives has some columns equal to others, null among these being equal to
  /// nothing.
  ///
  /// - Parameter rows: `FROM … WHERE …`
  mutating func notAny(_ names: [String], among columns: [String], _ rows: String) -> String {
    let keys = columns.enumerated().map { "\($1) AS k\($0)" }.joined(separator: ", ")
    let (source, alias) = source(query: "SELECT \(keys) \(rows)")
    let pairs = names.enumerated().map { "\(alias).k\($0) = \($1)" }
    return "NOT EXISTS (SELECT 1 FROM \(source) WHERE \(pairs.joined(separator: " AND ")))"
  }
}
