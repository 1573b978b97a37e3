import Foundation
import ObjectStore

extension PredicateExpressions.Arithmetic: Translatable {
  func translation(_ translator: inout PredicateTranslator) throws -> Translation {
    let (left, right) = (try translator.value(lhs), try translator.value(rhs))
    return .value(try StoreExpression.number(.calculation(left, operation, right), Output.self))
  }

  private var operation: ObjectStore.ArithmeticOperator {
    switch op {
    case .add: .plus
    case .subtract: .minus
    case .multiply: .times
    }
  }
}

extension PredicateExpressions.UnaryMinus: Translatable {
  func translation(_ translator: inout PredicateTranslator) throws -> Translation {
    let number = try translator.value(wrapped)
    if let constant = number.negatedConstant { return .value(constant) }
    return .value(try StoreExpression.number(.negated(number), Output.self))
  }
}

extension PredicateExpressions.IntDivision: Translatable {
  func translation(_ translator: inout PredicateTranslator) throws -> Translation {
    let (left, right) = (try translator.value(lhs), try translator.value(rhs))
    return .value(try StoreExpression.number(.calculation(left, .divided, right), Output.self))
  }
}

extension PredicateExpressions.IntRemainder: Translatable {
  func translation(_ translator: inout PredicateTranslator) throws -> Translation {
    let (left, right) = (try translator.value(lhs), try translator.value(rhs))
    return .value(try StoreExpression.number(.calculation(left, .remainder, right), Output.self))
  }
}

extension PredicateExpressions.FloatDivision: Translatable {
  /// A division by zero gives infinity in Swift, and null in SQLite.
  func translation(_ translator: inout PredicateTranslator) throws -> Translation {
    let (left, right) = (try translator.value(lhs), try translator.value(rhs))
    let quotient = try StoreExpression.number(.calculation(left, .divided, right), Output.self)
    if case .constant(.stored(.real(let divisor), _)) = right.kind, divisor != 0 { return .value(quotient) }
    let isZero = PredicateNode.comparison(PredicateComparison(right, .equal, .real(0)))
    let infinite = StoreExpression(.calculation(left, .times, .real(.infinity)))
    return .value(StoreExpression(.choice(isZero, infinite, quotient)))
  }
}

extension StoreExpression {
  static func real(_ number: Double) -> StoreExpression {
    StoreExpression(.constant(.stored(.real(number), .double)))
  }

  /// The negative of a number that the predicate says, so that `-3` is a constant; nil for others.
  fileprivate var negatedConstant: StoreExpression? {
    switch kind {
    case .constant(.stored(.integer(let number), let type)) where number != .min:
      StoreExpression(.constant(.stored(.integer(-number), type)))
    case .constant(.stored(.real(let number), let type)):
      StoreExpression(.constant(.stored(.real(-number), type)))
    default: nil
    }
  }

  /// A calculation with numbers of a type.
  fileprivate static func number(_ kind: Kind, _ type: Any.Type) throws -> StoreExpression {
    guard type != Decimal.self else {
      throw QueryError(
        "the store does not calculate with Decimal, which is exact; calculate outside of the predicate, or"
          + " filter the objects after fetching them")
    }
    let number = StoreExpression(kind)
    return type == Float.self ? StoreExpression(.single(number)) : number
  }
}
