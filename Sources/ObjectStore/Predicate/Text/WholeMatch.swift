import Foundation

/// A regular expression that has to match a whole text.
package final class WholeMatch: Sendable {
  private let expression: NSRegularExpression

  /// Compiles a pattern.
  ///
  /// - Throws: Foundation's error if it is none.
  init(_ pattern: String, _ options: TextOptions) throws {
    let rules: NSRegularExpression.Options = options.contains(.ignoresCase) ? [.caseInsensitive] : []
    let pattern = TextFolding.folded(pattern, options.intersection(.ignoresDiacritics))
    // By itself first, so that no parenthesis in it ends the group that is put around it.
    _ = try NSRegularExpression(pattern: pattern, options: rules)
    if let whole = try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z", options: rules) {
      expression = whole
    } else {
      // Its last line is a comment, as `(?x)` allows.
      expression = try NSRegularExpression(pattern: "\\A(?:\(pattern)\n)\\z", options: rules)
    }
  }

  /// Compiles a pattern for texts as they are.
  package convenience init(_ pattern: String) throws { try self.init(pattern, []) }

  /// Whether a text matches; nil if that took so long that Foundation has given up, which it does not say.
  package func matches(_ text: String) -> Bool? {
    let start = ContinuousClock.now
    let range = NSRange(location: 0, length: text.utf16.count)
    if expression.firstMatch(in: text, range: range) != nil { return true }
    return ContinuousClock.now - start < Self.patience ? false : nil
  }

  /// Far longer than an expression takes that does not try the same again and again.
  private static let patience = Duration.milliseconds(200)
}
