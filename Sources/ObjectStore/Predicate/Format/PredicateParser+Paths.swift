import ObjectModel

/// Reads a format: key paths.
extension PredicateParser {
  /// Reads a key path, which may begin with `SELF`, a variable or the argument of a `%K`.
  mutating func path() throws(ObjectPredicateError) -> PredicateExpression {
    let start = token.place
    var variable: String?
    var pieces: [KeyPathComponents.Piece] = []
    if case .variable(let name) = token.kind {
      variable = name
      advance()
    } else if token.isKeyword("SELF") {
      advance()
    } else {
      pieces = try self.pieces()
    }
    while take(sign: ".") { pieces += try self.pieces() }
    return try KeyPathComponents(pieces, in: format).expression(variable, start.through(previous.place))
  }

  /// One piece, or those of an argument.
  private mutating func pieces() throws(ObjectPredicateError) -> [KeyPathComponents.Piece] {
    let place = token.place
    switch token.kind {
    case .word(let name, _):
      advance()
      return [KeyPathComponents.Piece(text: name, isOperator: false, place: place)]
    case .collectionOperator(let name):
      advance()
      return [KeyPathComponents.Piece(text: name, isOperator: true, place: place)]
    case .argument("K"):
      advance()
      return KeyPathComponents.pieces(of: try arguments.keyPath(place), at: place)
    default:
      throw error("Expected a name behind the point, found \(token.name).", at: place)
    }
  }
}
