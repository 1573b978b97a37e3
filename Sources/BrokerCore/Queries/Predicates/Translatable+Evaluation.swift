import Foundation
import ObjectStore

// A predicate or an expression inside another is translated as if it were written there.

extension PredicateExpressions.ExpressionEvaluate: Translatable {
  func translation(_ translator: inout PredicateTranslator) throws -> Translation {
    guard case .captured(let value) = try translator.translate(expression),
      let inner = value as? Expression<repeat (each Input).Output, Output>
    else { throw QueryError.unsupported("evaluating an expression that differs from object to object") }
    var bindings: [(PredicateExpressions.VariableID, Translation)] = []
    for (variable, input) in repeat (each inner.variable, each input) {
      bindings.append((variable.key, try translator.translate(input)))
    }
    return try translator.binding(bindings[...]) { try $0.translate(inner.expression) }
  }
}

#if canImport(Darwin)
  extension PredicateExpressions.PredicateEvaluate: Translatable {
    func translation(_ translator: inout PredicateTranslator) throws -> Translation {
      guard case .captured(let value) = try translator.translate(predicate),
        let inner = value as? Predicate<repeat (each Input).Output>
      else { throw QueryError.unsupported("evaluating a predicate that differs from object to object") }
      var bindings: [(PredicateExpressions.VariableID, Translation)] = []
      for (variable, input) in repeat (each inner.variable, each input) {
        bindings.append((variable.key, try translator.translate(input)))
      }
      return .condition(try translator.binding(bindings[...]) { try $0.condition(inner.expression) })
    }
  }
#endif

extension PredicateTranslator {
  fileprivate mutating func binding<Result>(
    _ bindings: ArraySlice<(PredicateExpressions.VariableID, Translation)>,
    _ body: (inout PredicateTranslator) throws -> Result
  ) throws -> Result {
    guard let (variable, value) = bindings.first else { return try body(&self) }
    return try binding(variable, to: value) { try $0.binding(bindings.dropFirst(), body) }
  }
}
