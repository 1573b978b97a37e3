import ObjectModel

/// The bounds and the pattern of an attribute, as conditions on values that are stored already.
struct ValueRule {
  private let least: Double?
  private let most: Double?
  private let isText: Bool
  private let pattern: WholeMatch?

  /// Nil if it demands nothing.
  ///
  /// - Throws: Foundation's error if the pattern is no regular expression.
  init?(_ attribute: Attribute) throws {
    isText = attribute.type == .string || attribute.type == .uri
    pattern = try attribute.pattern.flatMap { [isText] in isText && !$0.isEmpty ? try WholeMatch($0) : nil }
    switch attribute.type {
    case .string, .uri, .integer16, .integer32, .integer64, .float, .double, .decimal:
      (least, most) = (attribute.minimum.flatMap { Double($0) }, attribute.maximum.flatMap { Double($0) })
    default: (least, most) = (nil, nil)
    }
    if least == nil, most == nil, pattern == nil { return nil }
  }

  var hasBounds: Bool { least != nil || most != nil }

  func allows(_ value: SQLValue, _ budget: inout MatchBudget) -> Bool {
    isInside(value) && matches(value, &budget)
  }

  /// Whether a number is, or the length of a text.
  func isInside(_ value: SQLValue) -> Bool {
    let size: Double
    switch value {
    case .null: return true
    case .integer(let integer): size = Double(integer)
    case .real(let real): size = real
    case .text(let text): size = isText ? Double(text.count) : Double(text) ?? 0
    case .blob: return true
    }
    return size >= least ?? -.infinity && size <= most ?? .infinity
  }

  /// A pattern that cannot be told within the budget is not kept.
  func matches(_ value: SQLValue, _ budget: inout MatchBudget) -> Bool {
    guard let pattern, case .text(let text) = value else { return true }
    return pattern.matches(text, &budget) == true
  }
}
