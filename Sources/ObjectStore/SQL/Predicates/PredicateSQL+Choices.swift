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
      // What is not there is null anyway.
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
