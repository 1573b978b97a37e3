/// Reads a format: values.
extension PredicateParser {
  mutating func sum() throws(ObjectPredicateError) -> Part {
    var left = try product()
    while let operation = takeOperator(.plus, .minus) {
      left = try calculation(left, operation, product())
    }
    return left
  }

  private mutating func product() throws(ObjectPredicateError) -> Part {
    var left = try signed()
    while let operation = takeOperator(.times, .divided) {
      left = try calculation(left, operation, signed())
    }
    return left
  }

  private mutating func takeOperator(_ operators: ArithmeticOperator...) -> ArithmeticOperator? {
    operators.first { take(sign: $0.rawValue) }
  }

  private func calculation(
    _ left: Part, _ operation: ArithmeticOperator, _ right: Part
  ) throws(ObjectPredicateError) -> Part {
    let (left, right) = (try value(left), try value(right))
    return .value(
      try checked(
        PredicateExpression(.calculation(left, operation, right), left.place.through(right.place))))
  }

  private mutating func signed() throws(ObjectPredicateError) -> Part {
    let start = token.place
    guard take(sign: "-") else { return try primary() }
    let inner = try nested { parser throws(ObjectPredicateError) in try parser.value(parser.signed()) }
    let place = start.through(inner.place)
    if case .constant(.number(let digits)) = inner.kind, !digits.hasPrefix("-") {
      return .value(PredicateExpression(.constant(.number("-" + digits)), place))
    }
    return .value(try checked(PredicateExpression(.negated(inner), place)))
  }

  // MARK: - A single value

  private mutating func primary() throws(ObjectPredicateError) -> Part {
    let start = token
    switch start.kind {
    case .sign("("): return try parenthesis()
    case .sign("{"): return .value(try list())
    case .string(let text): return constant(.string(text))
    case .number(let digits):
      guard NumberText(digits) != nil else { throw error("This is no number.", at: start.place) }
      return constant(.number(digits))
    case .argument(let specifier) where specifier != "K":
      advance()
      return .value(try arguments.value(for: specifier, start.place))
    case .argument: return .value(try path())
    case .variable(let name):
      if scope.contains(name) { return .value(try path()) }
      advance()
      return .value(try arguments.variable(name, start.place))
    case .collectionOperator(let name):
      throw error("@\(Excerpt.of(name)) stands behind a relationship: albums.@count.", at: start.place)
    case .word: return try wordValue()
    case .sign, .end: throw valueExpected()
    }
  }

  private mutating func constant(_ constant: PredicateConstant) -> Part {
    let place = token.place
    advance()
    return .value(PredicateExpression(.constant(constant), place))
  }

  private func valueExpected() -> ObjectPredicateError {
    error("Expected a value, found \(token.name).", at: token.place)
  }

  private mutating func wordValue() throws(ObjectPredicateError) -> Part {
    if let word = token.keyword {
      switch word {
      case "TRUE", "YES": return constant(.boolean(true))
      case "FALSE", "NO": return constant(.boolean(false))
      case "NIL", "NULL": return constant(.null)
      case "SELF": break
      case "TRUEPREDICATE", "FALSEPREDICATE":
        throw error("\(word) is a condition, not a value.", at: token.place)
      default:
        if following.isSign("(") {
          if !ReservedWord.isReserved(word) || ["CAST", "SUBQUERY"].contains(word) {
            return .value(try function(word))
          }
        }
        if ReservedWord.isReserved(word) { throw reserved() }
      }
    }
    return .value(try path())
  }

  private func reserved() -> ObjectPredicateError {
    error(
      "Expected a value, found \(token.name), which is a word of the language. If a property is meant, write"
        + " #\(token.name).", at: token.place)
  }

  private mutating func parenthesis() throws(ObjectPredicateError) -> Part {
    let start = token.place
    advance()
    let inner = try nested { parser throws(ObjectPredicateError) in try parser.disjunction() }
    if token.isSign(",") { throw unexpected() }
    guard take(sign: ")") else {
      throw token.kind == .end ? error("This ( is not closed.", at: start) : unexpected()
    }
    // The place of an expression in parentheses includes them, for messages.
    let place = start.through(previous.place)
    switch inner {
    case .condition(var condition):
      condition.place = place
      return .condition(condition)
    case .value: return inner
    }
  }

  private mutating func list() throws(ObjectPredicateError) -> PredicateExpression {
    let start = token.place
    advance()
    var elements: [PredicateExpression] = []
    try nested { parser throws(ObjectPredicateError) in
      while !parser.token.isSign("}") {
        let element = try parser.value(parser.sum())
        if case .list = element.kind {
          throw parser.error("A list cannot have lists in it.", at: element.place)
        }
        elements.append(element)
        guard parser.take(sign: ",") else { break }
      }
    }
    guard take(sign: "}") else {
      throw token.kind == .end ? error("This { is not closed.", at: start) : unexpected()
    }
    return PredicateExpression(.list(elements), start.through(previous.place))
  }

  // MARK: - Functions

  private mutating func function(_ word: String) throws(ObjectPredicateError) -> PredicateExpression {
    let start = token
    advance()
    advance()
    return try nested { parser throws(ObjectPredicateError) in
      switch word {
      case "NOW":
        try parser.expect(")", "behind NOW(")
        return PredicateExpression(.now, start.place.through(parser.previous.place))
      case "CAST": return try parser.cast(start.place)
      case "SUBQUERY": return try parser.subquery(start.place)
      default:
        throw parser.error(
          "There is no function \(start.name) here: only NOW, CAST and SUBQUERY are supported.",
          at: start.place)
      }
    }
  }

  private mutating func cast(_ start: Place) throws(ObjectPredicateError) -> PredicateExpression {
    let inner = try value(sum())
    try expect(",", "and a type behind what is cast")
    let type = token
    guard case .string(let name) = type.kind, let known = CastType(rawValue: name) else {
      throw error("CAST knows the types 'NSDate' and 'NSNumber', not \(type.name).", at: type.place)
    }
    advance()
    try expect(")", "behind the type")
    return PredicateExpression(.cast(inner, known), start.through(previous.place))
  }

  private mutating func subquery(_ start: Place) throws(ObjectPredicateError) -> PredicateExpression {
    let collection = try value(sum())
    guard case .path(let path) = collection.kind else {
      throw error("SUBQUERY begins with a path to objects: SUBQUERY(albums, $a, …).", at: collection.place)
    }
    try expect(",", "and a variable behind the path")
    guard case .variable(let variable) = token.kind else {
      throw error("Expected a variable such as $a, found \(token.name).", at: token.place)
    }
    advance()
    try expect(",", "and a condition behind the variable")
    scope.append(variable)
    let inner = try condition(disjunction())
    scope.removeLast()
    try expect(")", "behind the condition")
    let end = token.place
    guard take(sign: "."), token.kind == .collectionOperator("count") else {
      throw error("Of a SUBQUERY only its .@count can be used.", at: end)
    }
    advance()
    return try checked(
      PredicateExpression(
        .subqueryCount(path, variable: variable, inner.node), start.through(previous.place),
        innerDepth: inner.depth + 2))
  }
}

/// The arguments of a format, handed out one after another.
struct PredicateArguments {
  let format: String
  let values: [PredicateArgument]
  let variables: [String: PredicateArgument]
  private var used = 0

  init(format: String, values: [PredicateArgument], variables: [String: PredicateArgument]) {
    self.format = format
    self.values = values
    self.variables = variables
  }

  /// The next argument, for a value.
  mutating func value(for specifier: String, _ place: Place) throws(ObjectPredicateError)
    -> PredicateExpression
  {
    let argument = try next(specifier, place)
    if specifier != "@" {
      guard case .constant(.number(let digits)) = argument.value else {
        throw ObjectPredicateError(
          "The argument for %\(specifier) has to be a number.", at: place, in: format)
      }
      let isWhole = Int64(digits) != nil || UInt64(digits) != nil
      guard isWhole || ["f", "e", "g", "lf"].contains(specifier) else {
        throw ObjectPredicateError(
          "The argument for %\(specifier) has to be a whole number.", at: place, in: format)
      }
    }
    return try expression(argument, place)
  }

  /// The next argument, for a key path.
  mutating func keyPath(_ place: Place) throws(ObjectPredicateError) -> String {
    guard case .constant(.string(let text)) = try next("K", place).value else {
      throw ObjectPredicateError("The argument for %K has to be a string, a key path.", at: place, in: format)
    }
    return text
  }

  func variable(_ name: String, _ place: Place) throws(ObjectPredicateError) -> PredicateExpression {
    guard let argument = variables[name] else {
      throw ObjectPredicateError("Nothing is given for $\(Excerpt.of(name)).", at: place, in: format)
    }
    return try expression(argument, place)
  }

  func checkAllUsed(_ place: Place) throws(ObjectPredicateError) {
    guard used < values.count else { return }
    throw ObjectPredicateError(
      "\(values.count) arguments are given, and the format has places for \(used).", at: place, in: format)
  }

  private mutating func next(_ specifier: String, _ place: Place) throws(ObjectPredicateError)
    -> PredicateArgument
  {
    guard used < values.count else {
      throw ObjectPredicateError("No argument is given for %\(specifier).", at: place, in: format)
    }
    used += 1
    return values[used - 1]
  }

  private func expression(
    _ argument: PredicateArgument, _ place: Place
  ) throws(ObjectPredicateError) -> PredicateExpression {
    switch argument.value {
    case .constant(let constant): return PredicateExpression(.constant(try checked(constant, place)), place)
    case .list(let elements):
      var list: [PredicateExpression] = []
      list.reserveCapacity(elements.count)
      for element in elements {
        guard case .constant(let constant) = element.value else {
          throw ObjectPredicateError("A list cannot have lists in it.", at: place, in: format)
        }
        list.append(PredicateExpression(.constant(try checked(constant, place)), place))
      }
      return PredicateExpression(.list(list), place)
    }
  }

  /// A number has to be one: Swift has infinity and NaN.
  private func checked(
    _ constant: PredicateConstant, _ place: Place
  ) throws(ObjectPredicateError) -> PredicateConstant {
    switch constant {
    case .number(let digits) where NumberText(digits) == nil:
      throw ObjectPredicateError("\(digits) is no number to compare with.", at: place, in: format)
    case .moment(let seconds) where DateText(secondsSince2001: seconds) == nil:
      throw ObjectPredicateError("The store keeps dates of the years 0 to 9999 only.", at: place, in: format)
    default: return constant
    }
  }
}
