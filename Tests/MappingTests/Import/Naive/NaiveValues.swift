import ObjectModel

/// The conversions of docs/MAPPING.md for the values in random documents. A result is the stored value as text.
enum NaiveValues {
  /// Nil if the type does not take the value, or its bounds do not.
  static func convert(_ json: TestJSON, _ attribute: Attribute) -> String? {
    guard let value = convert(json, attribute.type), isWithin(value, attribute) else { return nil }
    return value
  }

  private static func convert(_ json: TestJSON, _ type: AttributeType) -> String? {
    switch (type, json) {
    case (.boolean, .bool(let value)): value ? "1" : "0"
    case (.boolean, .number(let text)): ["1", "0"].contains(text) ? text : nil
    case (.boolean, .string(let text)): boolean(text.lowercased())
    case (.integer16, .bool(let value)), (.integer32, .bool(let value)), (.integer64, .bool(let value)):
      value ? "1" : "0"
    case (.integer16, .number(let text)), (.integer16, .string(let text)):
      whole(text).flatMap { Int16(exactly: $0) }.map(String.init)
    case (.integer32, .number(let text)), (.integer32, .string(let text)):
      whole(text).flatMap { Int32(exactly: $0) }.map(String.init)
    case (.integer64, .number(let text)), (.integer64, .string(let text)): whole(text).map(String.init)
    case (.double, .number(let text)), (.double, .string(let text)): Double(text).map { "\($0)" }
    case (.decimal, .number(let text)), (.decimal, .string(let text)): decimal(text)
    case (.string, .string(let text)), (.string, .number(let text)): text
    case (.string, .bool(let value)): "\(value)"
    case (.uuid, .string(let text)): uuid(text)
    case (.date, .string(let text)): date(text)
    default: nil
    }
  }

  /// What the store keeps for a default of the model.
  static func defaultValue(_ attribute: Attribute) -> String? {
    guard let text = attribute.defaultValue else { return nil }
    return convert(.string(text), attribute.type)
  }

  private static func isWithin(_ value: String, _ attribute: Attribute) -> Bool {
    let measure = attribute.type == .string ? value.count : (Int(value) ?? 0)
    if let least = attribute.minimum.flatMap({ Int($0) }), measure < least { return false }
    if let most = attribute.maximum.flatMap({ Int($0) }), measure > most { return false }
    return true
  }

  private static func boolean(_ text: String) -> String? {
    if ["true", "yes", "y", "on", "t", "1"].contains(text) { return "1" }
    return ["false", "no", "n", "off", "f", "0"].contains(text) ? "0" : nil
  }

  private static func whole(_ text: String) -> Int? {
    Int(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
  }

  /// Without the zeros that end a fraction.
  private static func decimal(_ text: String) -> String? {
    guard Double(text) != nil else { return nil }
    guard text.contains(".") else { return text }
    var text = text
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text
  }

  private static func uuid(_ text: String) -> String? {
    let digits = text.lowercased().filter { $0 != "-" }
    guard digits.count == 32, digits.allSatisfy(\.isHexDigit) else { return nil }
    var result = ""
    for (place, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(place) { result.append("-") }
      result.append(digit)
    }
    return result
  }

  /// Days only: `2020-01-31` or `20200131`.
  private static func date(_ text: String) -> String? {
    let digits = text.filter(\.isNumber)
    guard digits.count == 8, text.count == 8 || text.count == 10 else { return nil }
    return "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2)) 00:00:00"
  }
}
