import Foundation
import ObjectStore

extension PredicateExpressions.Conjunction: Translatable {
  func translation(_ translator: inout PredicateTranslator) throws -> Translation {
    .condition(.all([try translator.condition(lhs), try translator.condition(rhs)]))
  }
}

extension PredicateExpressions.Disjunction: Translatable {
  func translation(_ translator: inout PredicateTranslator) throws -> Translation {
    .condition(.any([try translator.condition(lhs), try translator.condition(rhs)]))
  }
}

extension PredicateExpressions.Negation: Translatable {
  func translation(_ translator: inout PredicateTranslator) throws -> Translation {
    .condition(try translator.condition(wrapped).negated)
  }
}

extension PredicateExpressions.Conditional: Translatable {
  func translation(_ translator: inout PredicateTranslator) throws -> Translation {
    let test = try translator.condition(test)
    let (first, second) = (try translator.value(trueBranch), try translator.value(falseBranch))
    return .value(StoreExpression(.choice(test, first, second)))
  }
}

// MARK: - Equality

extension PredicateExpressions.Equal: Translatable {
  func translation(_ translator: inout PredicateTranslator) throws -> Translation {
    .condition(try translator.equality(lhs, rhs))
  }
}

extension PredicateExpressions.NotEqual: Translatable {
  func translation(_ translator: inout PredicateTranslator) throws -> Translation {
    .condition(try translator.equality(lhs, rhs).negated)
  }
}

extension PredicateTranslator {
  fileprivate mutating func equality<Left: Foundation.PredicateExpression>(
    _ lhs: Left, _ rhs: some Foundation.PredicateExpression<Left.Output>
  ) throws -> PredicateNode {
    let (left, right) = (try translate(lhs), try translate(rhs))
    if right.isNull { return try left.presence().negated }
    if left.isNull { return try right.presence().negated }
    try CapturedValue.checkEquality(Left.Output.self)
    let (first, second) = (try left.expression(), try right.expression())
    if case .constant = first.kind, case .constant = second.kind { return .always(first.kind == second.kind) }
    return .comparison(PredicateComparison(first, .equal, second))
  }
}

extension Translation {
  fileprivate var isNull: Bool {
    switch self {
    case .value(let expression): expression.isNull
    case .captured(let value): CapturedValue.isNil(value)
    default: false
    }
  }
}

// MARK: - Order

extension PredicateExpressions.Comparison: Translatable {
  func translation(_ translator: inout PredicateTranslator) throws -> Translation {
    try CapturedValue.checkOrder(LHS.Output.self)
    let (left, right) = (try translator.value(lhs), try translator.value(rhs))
    return .condition(.comparison(PredicateComparison(left, operation, right)))
  }

  private var operation: ObjectStore.ComparisonOperator {
    switch op {
    case .lessThan: .less
    case .lessThanOrEqual: .lessOrEqual
    case .greaterThan: .greater
    case .greaterThanOrEqual: .greaterOrEqual
    }
  }
}

extension CapturedValue {
  /// - Throws: ``QueryError`` if the store cannot compare values of a type as Swift does.
  static func checkEquality(_ type: Any.Type) throws {
    guard !(type is any Storable.Type), !isComparable(type) else { return }
    throw QueryError.unsupported("comparing values of the type \(type)")
  }

  /// - Throws: ``QueryError`` if the store cannot order values of a type as Swift does.
  static func checkOrder(_ type: Any.Type) throws {
    guard isOrdered(type) else {
      throw QueryError(
        "the order of \(type) is not known to the store; compare raw values, list those that are meant for"
          + " contains(_:), or filter the objects after fetching them")
    }
  }
}
