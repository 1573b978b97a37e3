import Foundation

/// A regular expression that has to match a part of a text, for what its only group matches.
package final class GroupMatch: Sendable {
  private let expression: NSRegularExpression

  /// Compiles a pattern.
  ///
  /// - Throws: Foundation's error if it is none.
  package init(_ pattern: String) throws {
    // By itself first, so that no parenthesis in it ends the group that is put around it.
    _ = try NSRegularExpression(pattern: pattern)
    expression = try NSRegularExpression(wrapping: pattern, "\\A(?s:.*?)(?:", ")")
  }

  package enum Result: Sendable, Hashable {
    case group(String)
    /// The pattern does not match, or without the group.
    case none
    /// It cannot be told within the budget.
    case tooMuchWork
  }

  /// What the group matches in the first match of a text.
  package func group(in text: String, _ budget: inout MatchBudget) -> Result {
    switch expression.firstMatch(in: text, &budget) {
    case .none: return .none
    case .tooMuchWork: return .tooMuchWork
    case .match(let match):
      guard match.numberOfRanges > 1, let range = Range(match.range(at: 1), in: text) else { return .none }
      return .group(String(text[range]))
    }
  }
}
