// SQLite's parser holds 100 symbols at once and no more, in versions before 3.46 or so. Formats are limited by how
// deep they are nested; what Swift nests has more forms, so here the symbols are counted, roughly.

extension PredicateNode {
  /// How many symbols the parser holds at most for what is around the values of the condition.
  package var parserDepth: Int {
    switch self {
    case .always: 1
    case .not(let inner): 2 + inner.parserDepth
    // They are joined in pairs of pairs.
    case .and(let parts), .or(let parts):
      3 * (Int.bitWidth - max(0, parts.count - 1).leadingZeroBitCount) + (parts.map(\.parserDepth).max() ?? 0)
    case .comparison(let comparison): 2 + max(comparison.left.parserDepth, comparison.right.parserDepth)
    case .exists(_, _, let inner): 10 + inner.parserDepth
    }
  }
}

extension PredicateExpression {
  fileprivate var parserDepth: Int {
    switch kind {
    case .constant, .list, .path, .aggregate, .now: 0
    case .subqueryCount(_, _, let node): 10 + node.parserDepth
    case .negated(let inner): 2 + inner.parserDepth
    case .cast(let inner, _), .characterCount(let inner), .single(let inner): 4 + inner.parserDepth
    case .calculation(let left, _, let right): 3 + max(left.parserDepth, right.parserDepth)
    case .condition(let node): 2 + node.parserDepth
    case .choice(let test, let first, let second):
      max(3 + test.parserDepth, 5 + first.parserDepth, 4 + second.parserDepth)
    case .coalesced(let first, let second): 5 + max(first.parserDepth, second.parserDepth)
    }
  }
}

extension PredicateNode {
  /// The conditions that hold together where it does.
  var conjuncts: [PredicateNode] {
    guard case .and(let parts) = self else { return [self] }
    return parts.flatMap(\.conjuncts)
  }
}
