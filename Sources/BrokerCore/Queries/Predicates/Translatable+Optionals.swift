import Foundation
import ObjectStore

extension PredicateExpressions.ForcedUnwrap: Translatable {
  /// The value, or null where Swift would trap: no comparison with null holds.
  func translation(_ translator: inout PredicateTranslator) throws -> Translation {
    let inner = try translator.translate(inner)
    if case .captured(let value) = inner, let unwrapped = value as? Wrapped { return .captured(unwrapped) }
    return inner
  }
}

extension PredicateExpressions.NilCoalesce: Translatable {
  func translation(_ translator: inout PredicateTranslator) throws -> Translation {
    let (first, second) = (try translator.translate(lhs), try translator.translate(rhs))
    switch (first, second) {
    case (.captured(let value), _): return CapturedValue.isNil(value) ? second : first
    case (.condition, _): return first
    // If there is no object, its list is empty anyway.
    case (.list, .captured(let value)) where try CapturedValue.elements(value, "??").isEmpty: return first
    default: return .value(StoreExpression(.coalesced(try first.expression(), try second.expression())))
    }
  }
}

extension PredicateExpressions.OptionalFlatMap: Translatable {
  func translation(_ translator: inout PredicateTranslator) throws -> Translation {
    var base = try translator.translate(wrapped)
    if case .captured(let value) = base {
      guard let unwrapped = value as? Wrapped, !CapturedValue.isNil(value) else { return .value(.null) }
      base = .captured(unwrapped)
    }
    let result = try translator.binding(variable.key, to: base) { try $0.translate(transform) }
    // The result of a path is null where its beginning is null.
    if let start = base.path, let path = result.path, path.begins(with: start) { return result }
    let presence = try base.presence()
    if presence == .always(true) { return result }
    return .value(StoreExpression(.choice(presence, try result.expression(), .null)))
  }
}
