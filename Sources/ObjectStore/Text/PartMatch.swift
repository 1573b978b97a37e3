/// A regular expression of Swift that has to match a part of a text.
package final class PartMatch {
  private let expression: Regex<AnyRegexOutput>

  /// Compiles a pattern.
  ///
  /// - Throws: Swift's error if it is none.
  package init(_ pattern: String) throws {
    expression = try Regex(pattern)
  }

  /// Whether a part of a text matches.
  package func matches(_ text: String) -> Bool { text.contains(expression) }
}
