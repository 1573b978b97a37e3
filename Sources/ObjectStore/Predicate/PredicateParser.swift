import ObjectModel

/// Reads a format: conditions.
///
/// Values and conditions are read by the same methods, since a parenthesis may begin either. From the outside
/// in: `OR`, `AND`, `NOT`, comparisons, `+` and `-`, `*` and `/`, and a sign before a value.
struct PredicateParser {
  /// The token that was read: only the one behind it tells which was wanted.
  enum Part {
    case condition(ParsedCondition)
    case value(PredicateExpression)
  }

  struct ParsedCondition {
    var node: PredicateNode
    /// How deep what becomes SQL is nested in it.
    var depth: Int
    var place: Place
  }

  /// How deep parentheses and their like may be nested, whether they mean something or not.
  private static let nestingLimit = 60

  /// How deep conditions and calculations may be nested. SQLite's own parser keeps at most a hundred things in
  /// mind in many of its versions, and some four come of each level.
  static let depthLimit = 16

  let format: String
  private let tokens: [PredicateToken]
  private var index = 0
  var depth = 0
  var arguments: PredicateArguments
  /// The variables of the `SUBQUERY`s around.
  var scope: [String] = []

  init(
    _ format: String, _ arguments: [PredicateArgument], _ variables: [String: PredicateArgument]
  ) throws(ObjectPredicateError) {
    self.format = format
    var lexer = PredicateLexer(format)
    tokens = try lexer.tokens()
    self.arguments = PredicateArguments(format: format, values: arguments, variables: variables)
  }

  mutating func parse() throws(ObjectPredicateError) -> PredicateNode {
    if token.kind == .end { throw error("The predicate is empty.", at: token.place) }
    let node = try condition(disjunction()).node
    guard token.kind == .end else { throw unexpected() }
    try arguments.checkAllUsed(token.place)
    return node
  }

  // MARK: - Tokens

  var token: PredicateToken { tokens[index] }
  var following: PredicateToken { tokens[min(index + 1, tokens.count - 1)] }
  var previous: PredicateToken { tokens[max(0, index - 1)] }

  mutating func advance() { if index < tokens.count - 1 { index += 1 } }

  mutating func take(sign: String) -> Bool {
    guard token.isSign(sign) else { return false }
    advance()
    return true
  }

  mutating func take(keyword: String) -> Bool {
    guard token.isKeyword(keyword) else { return false }
    advance()
    return true
  }

  mutating func expect(_ sign: String, _ why: String) throws(ObjectPredicateError) {
    guard take(sign: sign) else {
      throw error("Expected \(sign) \(why), found \(token.name).", at: token.place)
    }
  }

  func error(_ message: String, at place: Place) -> ObjectPredicateError {
    ObjectPredicateError(message, at: place, in: format)
  }

  /// Says what cannot stand here.
  func unexpected() -> ObjectPredicateError {
    switch token.kind {
    case .sign("["):
      return error("Places in a list, such as [0], [FIRST] or [SIZE], are not supported.", at: token.place)
    case .sign(")"): return error("This ) closes nothing.", at: token.place)
    case .sign("**"): return error("Powers are not supported.", at: token.place)
    case .sign(":="): return error("Assignments are not supported.", at: token.place)
    case .sign(","): return error("A list stands in braces: {1, 2}.", at: token.place)
    case .end: return error("The predicate ends where more was expected.", at: token.place)
    default: return error("\(token.name) was not expected here.", at: token.place)
    }
  }

  mutating func nested<Result>(
    _ body: (inout PredicateParser) throws(ObjectPredicateError) -> Result
  ) throws(ObjectPredicateError) -> Result {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.nestingLimit else { throw tooDeep(token.place) }
    return try body(&self)
  }

  private func tooDeep(_ place: Place) -> ObjectPredicateError {
    error("This is nested too deep.", at: place)
  }

  /// A value, if it is not nested too deep.
  func checked(_ value: PredicateExpression) throws(ObjectPredicateError) -> PredicateExpression {
    guard value.depth <= Self.depthLimit else { throw tooDeep(value.place) }
    return value
  }

  private func checked(
    _ node: PredicateNode, depth: Int, from start: Place
  ) throws(ObjectPredicateError) -> Part {
    let place = start.through(previous.place)
    guard depth <= Self.depthLimit else { throw tooDeep(place) }
    return .condition(ParsedCondition(node: node, depth: depth, place: place))
  }

  // MARK: - Conditions

  func condition(_ part: Part) throws(ObjectPredicateError) -> ParsedCondition {
    switch part {
    case .condition(let condition): return condition
    case .value(let value):
      if case .path(let path) = value.kind {
        throw error("\(path.text) is a value. A condition compares it: \(path.text) == …", at: value.place)
      }
      throw error("This is a value. A condition compares it with another.", at: value.place)
    }
  }

  func value(_ part: Part) throws(ObjectPredicateError) -> PredicateExpression {
    switch part {
    case .value(let value): return value
    case .condition(let condition): throw error("Expected a value, found a condition.", at: condition.place)
    }
  }

  mutating func disjunction() throws(ObjectPredicateError) -> Part {
    let start = token.place
    let first = try conjunction()
    guard token.isKeyword("OR") || token.isSign("||") else { return first }
    var parts = [try condition(first)]
    while take(keyword: "OR") || take(sign: "||") { parts.append(try condition(conjunction())) }
    let (nodes, depth) = Self.flat(parts) { if case .or(let inner) = $0 { inner } else { nil } }
    return try checked(.or(nodes), depth: depth, from: start)
  }

  private mutating func conjunction() throws(ObjectPredicateError) -> Part {
    let start = token.place
    let first = try negation()
    guard token.isKeyword("AND") || token.isSign("&&") else { return first }
    var parts = [try condition(first)]
    while take(keyword: "AND") || take(sign: "&&") { parts.append(try condition(negation())) }
    let (nodes, depth) = Self.flat(parts) { if case .and(let inner) = $0 { inner } else { nil } }
    return try checked(.and(nodes), depth: depth, from: start)
  }

  /// The parts of a condition that joins others, those of its own kind taken apart, and how deep it is then.
  /// Programs that add one condition after another nest them like that.
  private static func flat(
    _ parts: [ParsedCondition], _ inner: (PredicateNode) -> [PredicateNode]?
  ) -> (nodes: [PredicateNode], depth: Int) {
    var nodes: [PredicateNode] = []
    var depth = 0
    for part in parts {
      if let taken = inner(part.node) {
        nodes += taken
        depth = max(depth, part.depth)
      } else {
        nodes.append(part.node)
        depth = max(depth, part.depth + 1)
      }
    }
    return (nodes, depth)
  }

  private mutating func negation() throws(ObjectPredicateError) -> Part {
    let start = token.place
    guard take(keyword: "NOT") || take(sign: "!") else { return try comparison() }
    let inner = try nested { parser throws(ObjectPredicateError) in try parser.condition(parser.negation()) }
    return try checked(.not(inner.node), depth: inner.depth + 1, from: start)
  }

  private mutating func comparison() throws(ObjectPredicateError) -> Part {
    let start = token.place
    if take(keyword: "TRUEPREDICATE") { return try checked(.always(true), depth: 1, from: start) }
    if take(keyword: "FALSEPREDICATE") { return try checked(.always(false), depth: 1, from: start) }
    let quantifier = try quantifier()
    let left = try sum()
    guard let (operation, options) = try comparisonOperator() else {
      if let quantifier {
        throw error(
          "Expected a comparison behind \(quantifier.rawValue) …, found \(token.name).", at: token.place)
      }
      try checkEnd(of: left)
      return left
    }
    let node = PredicateComparison(
      quantifier: quantifier, left: try value(left), operation: operation, options: options,
      right: try value(sum()))
    let part = try checked(
      .comparison(node), depth: 1 + max(node.left.depth, node.right.depth), from: start)
    let mark = index
    guard try comparisonOperator() == nil else {
      throw error("Only two values can be compared. Join comparisons with AND.", at: tokens[mark].place)
    }
    return part
  }

  /// Checks that a value that is not compared is followed by an end.
  private func checkEnd(of part: Part) throws(ObjectPredicateError) {
    guard case .value = part else { return }
    switch token.kind {
    case .end, .sign(")"), .sign("}"), .sign(","), .sign("&&"), .sign("||"): return
    case .word(let word, false) where !["AND", "OR"].contains(token.keyword):
      let nearest = nearestName(to: word.uppercased(), in: ComparisonOperator.words)
      let hint = nearest.map { " Did you mean \($0)?" } ?? ""
      throw error("Expected a comparison, found \(token.name).\(hint)", at: token.place)
    case .word(_, false): return
    default: throw unexpected()
    }
  }

  private mutating func quantifier() throws(ObjectPredicateError) -> Quantifier? {
    guard let word = token.keyword else { return nil }
    guard let quantifier = word == "SOME" ? .any : Quantifier(rawValue: word) else { return nil }
    if case .sign(let sign) = following.kind, ComparisonOperator(sign: sign) != nil {
      throw error(
        "\(token.name) is a word of the language. If a property is meant, write #\(token.name).",
        at: token.place)
    }
    advance()
    return quantifier
  }

  private mutating func comparisonOperator() throws(ObjectPredicateError) -> (
    ComparisonOperator, TextOptions
  )? {
    var found: ComparisonOperator?
    if case .sign(let sign) = token.kind {
      found = ComparisonOperator(sign: sign)
    } else if let word = token.keyword {
      found = ComparisonOperator(word: word)
      if word == "NOT", following.keyword.flatMap(ComparisonOperator.init(word:)) != nil {
        throw error("NOT stands before the whole comparison: NOT x \(following.name) …", at: token.place)
      }
    }
    guard let found else { return nil }
    advance()
    return (found, try textOptions())
  }

  /// Reads `[cd]`.
  private mutating func textOptions() throws(ObjectPredicateError) -> TextOptions {
    guard token.isSign("[") else { return [] }
    advance()
    var options: TextOptions = []
    guard case .word(let letters, _) = token.kind else {
      throw error("Expected c or d, or both, found \(token.name).", at: token.place)
    }
    for letter in letters.lowercased() {
      switch letter {
      case "c": options.insert(.ignoresCase)
      case "d": options.insert(.ignoresDiacritics)
      case "n", "l": throw error("The options are c and d; \(letter) is not supported.", at: token.place)
      default: throw error("The options are c and d, not \(letter).", at: token.place)
      }
    }
    advance()
    try expect("]", "behind the options")
    return options
  }
}

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

/// The names of a key path and its operators, such as `@count`.
struct KeyPathComponents {
  struct Piece {
    var text: String
    var isOperator: Bool
    var place: Place
  }

  var pieces: [Piece]
  /// The text that errors show.
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
