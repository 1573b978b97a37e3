import ObjectModel

/// Types that take what others take.
enum TypeWidening {
  private static let numbers: [AttributeType] = [.integer16, .integer32, .integer64, .double, .decimal]

  /// The type that takes the values of both; nil if the first one does, or if nothing is to be changed.
  ///
  /// - Parameters:
  ///   - areNumbers: Whether the values that came are numbers, also where these are moments.
  ///   - haveExponents: Whether numbers with exponents came.
  static func wider(
    _ known: AttributeType, _ came: AttributeType, areNumbers: Bool, haveExponents: Bool
  ) -> AttributeType? {
    guard known != came else { return nil }
    switch (known, came) {
    case (.transformable, _), (.undefined, _), (.composite, _), (.float, .double): return nil
    // A text would take them too, and they would be texts from then on.
    case (_, .transformable), (.string, .boolean), (.boolean, .string), (.boolean, .uri), (.boolean, .uuid),
      (.boolean, .date):
      return .transformable
    // A double does not have all whole numbers of 64 bits, and a decimal not all doubles.
    case (.integer64, .double) where !haveExponents: return .decimal
    case (.string, _): return nil
    case (.date, .integer16), (.date, .integer32), (.date, .integer64): return nil
    case (.integer16, .date), (.integer32, .date): return areNumbers ? .integer64 : .string
    case (.integer64, .date), (.double, .date): return areNumbers ? nil : .string
    case (.boolean, .integer16): return .integer16
    default: break
    }
    if let first = numbers.firstIndex(of: known), let second = numbers.firstIndex(of: came) {
      return second > first ? came : nil
    }
    if known == .decimal || known == .double || known == .float, numbers.contains(came) { return nil }
    // An attribute of texts that a person gave a narrower type keeps it as long as values fit.
    if came == .string || came == .uri || came == .uuid || came == .date || came == .binary { return .string }
    return known == .uri || known == .uuid || known == .binary
      ? .string : numbers.contains(known) ? .string : nil
  }
}
