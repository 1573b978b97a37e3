import ObjectModel

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
    let value = exactly(dialect.value(of: aggregate, name, type))
    return SQLPart(
      sql: together(value, selection, route, otherwise: aggregate == .sum ? "0" : nil),
      type: aggregate == .average && type != .decimal ? .real : type)
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
      var negated = SQLPart(sql: "(- \(part.sql))", type: part.type)
      negated.greatest = part.greatest
      return negated
    case .calculation(let left, let operation, let right):
      let (left, right) = (try number(left, scope), try number(right, scope))
      let type: ComparedType = left.type == .integer && right.type == .integer ? .integer : .real
      var result = SQLPart(sql: exactly(dialect.calculation(left, operation, right)), type: type)
      result.greatest = SQLPart.greatest(left, operation, right)
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

  /// What `NOW()` or a `CAST` gives, which is the same for all objects.
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
      let (left, right) = (try seconds(left), try seconds(right))
      switch operation {
      case .plus: return left + right
      case .minus: return left - right
      case .times: return left * right
      case .divided: return left / right
      case .remainder: return left.truncatingRemainder(dividingBy: right)
      }
    default: break
    }
    throw error(
      "CAST takes what is the same for all objects: seconds since 2001, a date in quotes, NOW().",
      at: expression.place)
  }
}
