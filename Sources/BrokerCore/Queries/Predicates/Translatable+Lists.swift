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
    .condition(try translator.quantified(sequence, variable.key, test, isForAll: false, "contains(where:)"))
  }
}

extension PredicateExpressions.SequenceAllSatisfy: Translatable {
  func translation(_ translator: inout PredicateTranslator) throws -> Translation {
    .condition(try translator.quantified(sequence, variable.key, test, isForAll: true, "allSatisfy(_:)"))
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
  /// A condition on one element of a sequence at least, or on all.
  fileprivate mutating func quantified<List: Foundation.PredicateExpression>(
    _ sequence: List, _ variable: PredicateExpressions.VariableID,
    _ test: some Foundation.PredicateExpression<Bool>, isForAll: Bool, _ method: String
  ) throws -> PredicateNode {
    func quantified(_ holds: PredicateNode, _ exists: (PredicateNode) -> PredicateNode) -> PredicateNode {
      isForAll ? exists(holds.negated).negated : exists(holds)
    }
    switch try translate(sequence) {
    case .list(let list):
      let holds = try binding(variable, to: list.element) { try $0.condition(test) }
      return quantified(holds) { list.exists($0) }
    case .captured(let value):
      let conditions = try conditions(CapturedValue.elements(value, method), variable, test)
      return isForAll ? .all(conditions) : .any(conditions)
    case .value(let list):
      guard List.Output.self is any ListValue.Type, let elements = elements(of: list) else {
        throw QueryError.unsupported("\(method) of \(List.Output.self)")
      }
      let holds = try binding(variable, to: elements.one) { try $0.condition(test) }
      return quantified(holds) { elements.exists($0) }
    default: throw QueryError.unsupported("\(method) of what is no list")
    }
  }

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
