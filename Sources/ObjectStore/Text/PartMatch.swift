/// A regular expression of Swift that has to match a part of a text.
final class PartMatch {
  private let expression: Regex<AnyRegexOutput>

  /// Compiles a pattern.
  ///
  /// - Throws: Swift's error if it is none.
  init(_ pattern: String) throws {
    expression = try Regex(pattern)
  }

  /// Whether a part of a text matches.
  func matches(_ text: String) -> Bool { text.contains(expression) }
}
