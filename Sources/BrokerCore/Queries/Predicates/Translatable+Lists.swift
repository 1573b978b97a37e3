import Foundation
import ObjectStore

extension PredicateExpressions.SequenceContains: Translatable {
  func translation(_ translator: inout PredicateTranslator) throws -> Translation {
    switch try translator.translate(sequence) {
    case .captured(let value):
      let element = try translator.value(element)
      if let range = try CapturedValue.range(value) {
        try CapturedValue.checkOrder(RHS.Output.self)
        return .condition(range.contains(element))
      }
      try CapturedValue.checkEquality(RHS.Output.self)
      let list = try CapturedValue.elements(value, "contains(_:)").map(CapturedValue.expression)
      return .condition(.comparison(PredicateComparison(element, .in, StoreExpression(.list(list)))))
    case .range(let range):
      return .condition(range.contains(try translator.value(element)))
    case .list(let list):
      throw QueryError(
        "contains(_:) compares whole \(list.type) objects; ask with contains(where:) for one with an id")
    case .value(let list) where !(LHS.Output.self is any StringProtocol.Type):
      try CapturedValue.checkEquality(RHS.Output.self)
      let element = try translator.value(element)
      return .condition(.comparison(PredicateComparison(element, .in, list)))
    default: throw QueryError.unsupported("contains(_:) of what is no list")
    }
  }
}

extension PredicateExpressions.SequenceContainsWhere: Translatable {
  func translation(_ translator: inout PredicateTranslator) throws -> Translation {
    switch try translator.translate(sequence) {
    case .list(let list):
      let holds = try translator.binding(variable.key, to: list.element) { try $0.condition(test) }
      return .condition(list.exists(holds))
    case .captured(let value):
      let elements = try CapturedValue.elements(value, "contains(where:)")
      return .condition(.any(try translator.conditions(elements, variable.key, test)))
    case .value(let list):
      guard LHS.Output.self is any ListValue.Type, let elements = translator.elements(of: list) else {
        throw QueryError.unsupported("contains(where:) of \(LHS.Output.self)")
      }
      let holds = try translator.binding(variable.key, to: elements.one) { try $0.condition(test) }
      return .condition(elements.exists(holds))
    default: throw QueryError.unsupported("contains(where:) of what is no list")
    }
  }
}

extension PredicateExpressions.SequenceAllSatisfy: Translatable {
  func translation(_ translator: inout PredicateTranslator) throws -> Translation {
    switch try translator.translate(sequence) {
    case .list(let list):
      let holds = try translator.binding(variable.key, to: list.element) { try $0.condition(test) }
      return .condition(list.exists(holds.negated).negated)
    case .captured(let value):
      let elements = try CapturedValue.elements(value, "allSatisfy(_:)")
      return .condition(.all(try translator.conditions(elements, variable.key, test)))
    case .value(let list):
      guard LHS.Output.self is any ListValue.Type, let elements = translator.elements(of: list) else {
        throw QueryError.unsupported("allSatisfy(_:) of \(LHS.Output.self)")
      }
      let holds = try translator.binding(variable.key, to: elements.one) { try $0.condition(test) }
      return .condition(elements.exists(holds.negated).negated)
    default: throw QueryError.unsupported("allSatisfy(_:) of what is no list")
    }
  }
}

extension PredicateExpressions.Filter: Translatable {
  func translation(_ translator: inout PredicateTranslator) throws -> Translation {
    guard case .list(var list) = try translator.translate(sequence) else {
      throw QueryError.unsupported("filter(_:) of what is no relationship")
    }
    let test = try translator.binding(variable.key, to: list.element) { try $0.condition(filter) }
    list.condition = list.restricted(test)
    return .list(list)
  }
}

extension PredicateTranslator {
  /// Repeats a condition for each value that the predicate has captured.
  fileprivate mutating func conditions(
    _ elements: [Any], _ variable: PredicateExpressions.VariableID,
    _ test: some Foundation.PredicateExpression<Bool>
  ) throws -> [PredicateNode] {
    guard elements.count <= 500 else {
      throw QueryError(
        "a condition on each of \(elements.count) values is too long; where it is equality, contains(_:) takes"
          + " any number")
    }
    return try elements.map { element in
      try binding(variable, to: .captured(element)) { try $0.condition(test) }
    }
  }
}

// MARK: - Ranges

extension PredicateExpressions.Range: Translatable {
  func translation(_ translator: inout PredicateTranslator) throws -> Translation {
    let (lower, upper) = (try translator.value(lower), try translator.value(upper))
    return .range(ValueRange(lower: lower, upper: upper, includesUpper: false))
  }
}

extension PredicateExpressions.ClosedRange: Translatable {
  func translation(_ translator: inout PredicateTranslator) throws -> Translation {
    let (lower, upper) = (try translator.value(lower), try translator.value(upper))
    return .range(ValueRange(lower: lower, upper: upper, includesUpper: true))
  }
}

extension PredicateExpressions.RangeExpressionContains: Translatable {
  func translation(_ translator: inout PredicateTranslator) throws -> Translation {
    try CapturedValue.checkOrder(Element.Output.self)
    let range: ValueRange?
    switch try translator.translate(self.range) {
    case .range(let found): range = found
    case .captured(let value): range = try CapturedValue.range(value)
    default: range = nil
    }
    guard let range else {
      throw QueryError.unsupported("contains(_:) of the range type \(RangeExpression.Output.self)")
    }
    return .condition(range.contains(try translator.value(element)))
  }
}

// MARK: - Lists of values

/// A list whose elements are the elements of its JSON. Those of a dictionary are not.
protocol ListValue {}

extension Array: ListValue {}
extension Set: ListValue {}
