import ObjectModel
import ObjectStore

/// Conditions on JSON that the store keeps: elements of lists, and members of objects.
extension PredicateScan {
  /// Whether a list has an element; nil if neither side is an attribute, or a member of one, that may be a list.
  func elementCondition(_ comparison: PredicateComparison, _ starts: Starts) throws -> Bool? {
    let (list, element): (PredicateExpression, PredicateExpression)
    switch comparison.operation {
    case .contains: (list, element) = (comparison.left, comparison.right)
    case .in: (list, element) = (comparison.right, comparison.left)
    default: return nil
    }
    guard let found = try jsonTerm(list, starts) else { return nil }
    let wanted = try term(element, starts)
    let elements = Self.item(found).elements ?? []
    if try elements.contains(where: { try isElement($0, .equal, comparison.options, wanted) }) { return true }
    // Whether a member is a list or a text is told by each object.
    guard comparison.operation == .contains, found.json != nil, wanted.mayBeText else { return false }
    return try compare(found, .contains, comparison.options, wanted)
  }

  func quantifiedElements(
    _ quantifier: Quantifier, _ comparison: PredicateComparison, _ starts: Starts
  ) throws -> Bool {
    guard let list = try jsonTerm(comparison.left, starts) else {
      throw UnsupportedOperation.error("\(quantifier.rawValue) here")
    }
    let elements = Self.item(list).elements ?? []
    let test: (JSONItem) throws -> Bool = { item in
      guard case .list(let values) = comparison.right.kind else {
        let right = try term(comparison.right, starts)
        return try isElement(item, comparison.operation, comparison.options, right)
      }
      let type = Term.jsonType(beside: try values.map { try term($0, starts) })
      return try item.isOf(type ?? .text) && relate(Term(item), comparison, starts)
    }
    switch quantifier {
    case .any: return try elements.contains(where: test)
    case .none: return try !elements.contains(where: test)
    case .all: return try elements.allSatisfy(test)
    }
  }

  private func isElement(
    _ item: JSONItem, _ operation: ComparisonOperator, _ options: TextOptions, _ wanted: Term
  ) throws -> Bool {
    guard try compare(Term(item), operation, options, wanted) else { return false }
    // What is of another type is there all the same: it differs, and is not equal to null.
    if operation == .notEqual { return true }
    if wanted.constant == .null { return item.isOf(nil) }
    return Term.jsonType(beside: [wanted]).map(item.isOf) ?? true
  }

  /// The JSON of a list that a term is.
  static func item(_ term: Term) -> JSONItem { term.json ?? JSONItem(column: term.parts.first ?? .null) }

  /// The JSON of an attribute, or of a member of one; nil for whatever else an expression is.
  func jsonTerm(_ expression: PredicateExpression, _ starts: Starts) throws -> Term? {
    guard case .path(let path) = expression.kind else { return nil }
    if case .object(let start) = try variable(path, starts),
      try steps(path, start.entity).contains(where: \.isToMany)
    {
      return nil
    }
    let found = try term(expression, starts)
    return found.json != nil || found.types == [.json] ? found : nil
  }
}

extension Term {
  /// Whether it can be looked for in a text.
  fileprivate var mayBeText: Bool {
    if let constant { return ComparedType(constant) == .text && constant != .null }
    return types.count == 1 && [.text, .json].contains(types[0])
  }
}
