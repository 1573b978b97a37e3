import ObjectStore

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

  /// What SQLite makes of two numbers: whole numbers that overflow become reals, and what is divided by 0 is null.
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

  /// What `NOW()` or a `CAST` gives.
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
