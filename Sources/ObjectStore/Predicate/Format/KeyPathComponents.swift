import ObjectModel

/// The names of a key path and its operators, such as `@count`.
struct KeyPathComponents {
  struct Piece {
    var text: String
    var isOperator: Bool
    var place: Place
  }

  var pieces: [Piece]
  /// What errors show.
  let format: String

  init(_ pieces: [Piece], in format: String) {
    self.pieces = pieces
    self.format = format
  }

  /// The pieces of a path in one text: `albums.@max.year`.
  static func pieces(of text: String, at place: Place) -> [Piece] {
    text.split(separator: ".", omittingEmptySubsequences: false).map { name in
      let word = String(name.dropFirst())
      // Also what is nearly an operator, to say so; any other name with an @ is a property's.
      let isOperator =
        name.hasPrefix("@")
        && (Aggregate(rawValue: word) != nil
          || nearestName(to: word, in: Aggregate.allCases.map(\.rawValue)) != nil)
      return Piece(text: String(isOperator ? name.dropFirst() : name), isOperator: isOperator, place: place)
    }
  }

  /// The path, or what an operator makes of it.
  func expression(_ variable: String?, _ place: Place) throws(ObjectPredicateError) -> PredicateExpression {
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

  private func error(_ message: String, at place: Place) -> ObjectPredicateError {
    ObjectPredicateError(message, at: place, in: format)
  }
}
