import ObjectModel

/// Two values and what stands between them.
///
/// What comes out can stand beside an `AND` as it is.
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
