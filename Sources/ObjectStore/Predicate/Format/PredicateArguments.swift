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
