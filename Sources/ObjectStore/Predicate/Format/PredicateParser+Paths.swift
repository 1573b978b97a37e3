import ObjectModel

/// Reads a format: key paths.
extension PredicateParser {
  /// A name of a path, or an operator such as `@count`.
  private struct Piece {
    var text: String
    var isOperator: Bool
    var place: Place
  }

  /// Reads a key path, which may begin with `SELF`, a variable or the argument of a `%K`.
  mutating func path() throws(ObjectPredicateError) -> PredicateExpression {
    let start = token.place
    var variable: String?
    var pieces: [Piece] = []
    if case .variable(let name) = token.kind {
      variable = name
      advance()
    } else if token.isKeyword("SELF") {
      advance()
    } else {
      pieces = try self.pieces()
    }
    while take(sign: ".") { pieces += try self.pieces() }
    return try expression(pieces, variable, start.through(previous.place))
  }

  /// One piece, or those of an argument.
  private mutating func pieces() throws(ObjectPredicateError) -> [Piece] {
    let place = token.place
    switch token.kind {
    case .word(let name, _):
      advance()
      return [Piece(text: name, isOperator: false, place: place)]
    case .collectionOperator(let name):
      advance()
      return [Piece(text: name, isOperator: true, place: place)]
    case .argument("K"):
      advance()
      let text = try arguments.keyPath(place)
      return text.split(separator: ".", omittingEmptySubsequences: false).map { name in
        let isOperator = name.hasPrefix("@")
        return Piece(text: String(isOperator ? name.dropFirst() : name), isOperator: isOperator, place: place)
      }
    default:
      throw error("Expected a name behind the point, found \(token.name).", at: place)
    }
  }

  private func expression(
    _ pieces: [Piece], _ variable: String?, _ place: Place
  ) throws(ObjectPredicateError) -> PredicateExpression {
    let names = pieces.filter { !$0.isOperator }.map { PredicatePath.Name(text: $0.text, place: $0.place) }
    let path = PredicatePath(variable: variable, names: names, place: place)
    guard let position = pieces.firstIndex(where: \.isOperator) else {
      return PredicateExpression(.path(path), place)
    }
    let aggregate = try aggregate(pieces[position])
    if let second = pieces.lastIndex(where: \.isOperator), second != position {
      throw error("A path can have one @ only.", at: pieces[second].place)
    }
    guard position > 0 else {
      throw error("@\(aggregate.rawValue) stands behind a relationship.", at: pieces[position].place)
    }
    let isLast = position == pieces.count - 1
    if aggregate == .count, !isLast {
      throw error("Nothing can follow @count.", at: pieces[position + 1].place)
    }
    if aggregate != .count, isLast {
      let name = aggregate.rawValue
      throw error("An attribute stands behind @\(name): albums.@\(name).year.", at: pieces[position].place)
    }
    return PredicateExpression(.aggregate(aggregate, path), place)
  }

  private func aggregate(_ piece: Piece) throws(ObjectPredicateError) -> Aggregate {
    if let known = Aggregate(rawValue: piece.text) { return known }
    let nearest = nearestName(to: piece.text, in: Aggregate.allCases.map(\.rawValue))
    let hint = nearest.map { " Did you mean @\($0)?" } ?? ""
    throw error(
      "@\(Excerpt.of(piece.text)) is not supported: only @count, @min, @max, @sum and @avg are.\(hint)",
      at: piece.place)
  }
}
