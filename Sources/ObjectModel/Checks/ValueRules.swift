import Foundation

/// What the text of a default or a bound must be for a type to take it.
enum ValueRules {
  /// What the type needs, if the text is not that; `nil` where it is fine, odd spellings included.
  static func expectation(of type: AttributeType, for text: String) -> String? {
    // Real models have empty defaults for every type; they mean none.
    if text.isEmpty { return nil }
    let isFine =
      switch type {
      case .boolean: truth(text) != nil || number(text) != nil
      case .integer16: isInteger(text, in: Decimal(Int16.min)...Decimal(Int16.max))
      case .integer32: isInteger(text, in: Decimal(Int32.min)...Decimal(Int32.max))
      case .integer64: isInteger(text, in: Decimal(Int64.min)...Decimal(Int64.max))
      case .float, .double, .decimal: truth(text) != nil || Double(text)?.isFinite == true
      case .uuid: UUID(uuidString: text) != nil
      case .uri: URL(string: text) != nil
      case .string, .date, .binary, .transformable, .composite, .undefined: true
      }
    return isFine ? nil : name(of: type)
  }

  private static func name(of type: AttributeType) -> String {
    switch type {
    case .boolean: "a boolean"
    case .integer16: "an integer from -32768 to 32767"
    case .integer32: "an integer from -2147483648 to 2147483647"
    case .integer64: "a 64-bit integer"
    case .uuid: "a UUID"
    case .uri: "a URI"
    default: "a number"
    }
  }

  /// Whole numbers, `0.0` and `NO` among them.
  private static func isInteger(_ text: String, in range: ClosedRange<Decimal>) -> Bool {
    if truth(text) != nil { return true }
    guard let number = number(text), range.contains(number) else { return false }
    var value = number
    var whole = Decimal()
    NSDecimalRound(&whole, &value, 0, .plain)
    return whole == number
  }

  static func truth(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "yes", "true": true
    case "no", "false": false
    default: nil
    }
  }

  /// The number that the whole text is. `Decimal` alone would take a number at its start.
  static func number(_ text: String) -> Decimal? {
    guard text.allSatisfy({ $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }),
      Double(text)?.isFinite == true
    else { return nil }
    return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }
}
