import Foundation

/// A regular expression that has to match a whole text.
package final class WholeMatch: Sendable {
  private let expression: NSRegularExpression

  /// Compiles a pattern.
  ///
  /// - Throws: Foundation's error if it is none.
  package init(_ pattern: String, _ options: TextOptions) throws {
    let rules: NSRegularExpression.Options = options.contains(.ignoresCase) ? [.caseInsensitive] : []
    let pattern = TextFolding.folded(pattern, options.intersection(.ignoresDiacritics))
    // By itself first, so that no parenthesis in it ends the group that is put around it. Foundation takes no empty
    // pattern, which matches the empty text.
    if !pattern.isEmpty { _ = try NSRegularExpression(pattern: pattern, options: rules) }
    expression = try NSRegularExpression(wrapping: pattern, "\\A(?:", ")\\z", rules)
  }

  /// Compiles a pattern for texts as they are.
  package convenience init(_ pattern: String) throws { try self.init(pattern, []) }

  /// Whether a text matches; nil if it cannot be told within the budget, or within the room that the engine has.
  package func matches(_ text: String, _ budget: inout MatchBudget) -> Bool? {
    switch expression.firstMatch(in: text, &budget) {
    case .match: true
    case .none: false
    case .tooMuchWork: nil
    }
  }
}

/// The result of a search within a budget.
enum BudgetedMatch {
  case match(NSTextCheckingResult)
  case none
  /// Unknown: the budget, or the room that the engine has, does not suffice.
  case tooMuchWork
}

extension NSRegularExpression {
  /// Compiles a pattern with others around it, the first of which begins with `\A`.
  ///
  /// ICU reports progress for each place at which it begins to search, and for each ten thousand steps of a match, and
  /// does not say which. An expression that can match at the begin only has no such places, so its reports count steps.
  convenience init(
    wrapping pattern: String, _ before: String, _ after: String, _ rules: NSRegularExpression.Options = []
  ) throws {
    do {
      try self.init(pattern: before + pattern + after, options: rules)
    } catch {
      // Its last line is a comment, as `(?x)` allows.
      try self.init(pattern: before + pattern + "\n" + after, options: rules)
    }
  }

  /// The first match in a text, as far as it is found within a budget. The expression begins with `\A`.
  func firstMatch(in text: String, _ budget: inout MatchBudget) -> BudgetedMatch {
    let length = text.utf16.count
    guard budget.isLeft else { return .tooMuchWork }
    // The work of an expression that looks at each character a few times is free.
    let free = 1 + length / MatchBudget.charactersPerReport
    let most = free + budget.mostForOne
    var (found, reports) = (BudgetedMatch.none, 0)
    enumerateMatches(
      in: text, options: [.reportProgress, .reportCompletion], range: NSRange(location: 0, length: length)
    ) { result, flags, stop in
      if let result {
        found = .match(result)
        stop.pointee = true
      } else if flags.contains(.internalError) {
        found = .tooMuchWork
      } else if flags.contains(.progress) {
        reports += 1
        guard reports > most else { return }
        found = .tooMuchWork
        stop.pointee = true
      }
    }
    budget.take(reports - free)
    return found
  }
}

/// How much work the regular expressions of one task may make. The engine reports each ten thousand steps, so the
/// same work is done on every machine.
package struct MatchBudget: Sendable {
  /// An expression that looks at a character twenty times gets a report for so many.
  static let charactersPerReport = 500

  /// The reports that are left.
  private var left: Int
  private let limitForOne: Int

  /// - Parameters:
  ///   - total: The reports for all texts together.
  ///   - one: The reports for one text at most.
  package init(total: Int = 2_000, one: Int = 100) {
    left = total
    limitForOne = one
  }

  var isLeft: Bool { left > 0 }
  var mostForOne: Int { min(left, limitForOne) }

  mutating func take(_ reports: Int) { left -= max(0, reports) }
}

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
    /// Unknown: the budget does not suffice.
    case tooMuchWork
  }

  /// The match of the group in the first match of a text.
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
