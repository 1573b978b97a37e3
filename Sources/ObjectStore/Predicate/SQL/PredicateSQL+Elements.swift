import ObjectModel

/// Conditions on the elements of attributes that are lists, which the store keeps as JSON.
extension PredicateSQL {
  /// The condition that an attribute which is a list has an element; nil if neither side is such an attribute.
  mutating func elementCondition(
    _ comparison: PredicateComparison, _ scope: Scope
  ) throws(ObjectPredicateError) -> String? {
    let (list, element): (PredicateExpression, PredicateExpression)
    switch comparison.operation {
    case .contains: (list, element) = (comparison.left, comparison.right)
    case .in: (list, element) = (comparison.right, comparison.left)
    default: return nil
    }
    guard let json = try jsonPart(list, scope) else { return nil }
    let wanted = try operand(element, scope)
    return try anyElement(of: json, list, .equal, comparison.options, wanted)
  }

  /// The condition on some, all or none of the elements of an attribute that is a list; nil if it is none.
  mutating func quantifiedElements(
    _ quantifier: Quantifier, _ comparison: PredicateComparison, _ scope: Scope
  ) throws(ObjectPredicateError) -> String? {
    guard let json = try jsonPart(comparison.left, scope) else { return nil }
    let right = try operand(comparison.right, scope)
    let (operation, options) = (comparison.operation, comparison.options)
    switch quantifier {
    case .any: return try anyElement(of: json, comparison.left, operation, options, right)
    case .none: return Self.negated(try anyElement(of: json, comparison.left, operation, options, right))
    case .all:
      let (source, element, types) = try self.element(of: json, comparison.left, beside: right)
      let holds = try compare(element, operation, options, right)
      return "NOT EXISTS (SELECT 1 FROM \(source) WHERE (\(types) AND \(holds)) IS NOT TRUE)"
    }
  }

  /// The JSON of an attribute; nil for whatever else an expression is.
  private mutating func jsonPart(
    _ expression: PredicateExpression, _ scope: Scope
  ) throws(ObjectPredicateError) -> SQLPart? {
    guard case .path(let path) = expression.kind, try !route(path, scope).isToMany,
      case .parts(let parts) = try operand(expression, scope).kind, parts.count == 1, parts[0].type == .json
    else { return nil }
    return parts[0]
  }

  private mutating func anyElement(
    of json: SQLPart, _ list: PredicateExpression, _ operation: ComparisonOperator, _ options: TextOptions,
    _ right: Operand
  ) throws(ObjectPredicateError) -> String {
    let (source, element, types) = try element(of: json, list, beside: right)
    if case .constant(.null) = right.kind {
      return "EXISTS (SELECT 1 FROM \(source) WHERE \(operation == .notEqual ? "NOT " : "")\(types))"
    }
    let holds = try compare(element, operation, options, right)
    // What is of another type differs.
    let condition =
      operation == .notEqual ? "(\(types) AND \(holds) OR NOT \(types))" : "\(types) AND \(holds)"
    return "EXISTS (SELECT 1 FROM \(source) WHERE \(condition))"
  }

  /// The elements of a list: the table that they are in, one of them, and the condition that it is of the type of what it
  /// is compared with.
  private mutating func element(
    of json: SQLPart, _ list: PredicateExpression, beside right: Operand
  ) throws(ObjectPredicateError) -> (source: String, element: Operand, types: String) {
    let alias = "e\(newAlias())"
    let sql = json.sql
    let source =
      "json_each(CASE WHEN json_valid(\(sql)) AND json_type(\(sql)) = 'array' THEN \(sql) END) \(alias)"
    let type = try elementType(beside: right)
    let types =
      switch type {
      case nil: "\(alias).type = 'null'"
      case .boolean: "\(alias).type IN ('true', 'false')"
      case .integer, .real: "\(alias).type IN ('integer', 'real')"
      default: "\(alias).type = 'text'"
      }
    let part = SQLPart(sql: "\(alias).value", type: type ?? .text)
    let element = Operand(
      kind: .parts([part]), place: list.place, text: "an element of \(PredicateText.of(list))")
    return (source, element, types)
  }

  /// How elements compare with a value; nil for null. JSON knows texts, numbers and truth only.
  private mutating func elementType(beside right: Operand) throws(ObjectPredicateError) -> ComparedType? {
    let type: ComparedType?
    switch right.kind {
    case .constant(.null): type = nil
    case .constant(.number(let digits)) where NumberText(digits)?.integer != nil: return .integer
    case .constant(let constant): type = ComparedType(constant)
    case .parts(let parts): type = parts.first?.type ?? .text
    case .list(let elements, let scope):
      guard let first = elements.first else { return .text }
      return try elementType(beside: operand(first, scope))
    }
    switch type {
    case .integer, .real, .decimal: return .real
    case .boolean: return .boolean
    case nil: return nil
    default: return .text
    }
  }
}
