import ObjectStore

/// What the evaluation of a predicate on one object leaves to that on the next.
package final class ScanMemory {
  /// What `NOW()` is, in seconds since 2001-01-01T00:00:00Z.
  let now: Double
  private var wholeMatches: [WholeKey: WholeMatch] = [:]
  private var partMatches: [String: PartMatch] = [:]

  private struct WholeKey: Hashable {
    var pattern: String
    var options: TextOptions
  }

  package init(now: Double) { self.now = now }

  func wholeMatch(_ pattern: String, _ options: TextOptions) throws -> WholeMatch {
    let key = WholeKey(pattern: pattern, options: options)
    if let known = wholeMatches[key] { return known }
    // Patterns may come from the objects themselves.
    if wholeMatches.count > 100 { wholeMatches = [:] }
    guard let match = try? WholeMatch(pattern, options) else { throw Self.noExpression(pattern) }
    wholeMatches[key] = match
    return match
  }

  func partMatch(_ pattern: String) throws -> PartMatch {
    if let known = partMatches[pattern] { return known }
    guard let match = try? PartMatch(pattern) else { throw Self.noExpression(pattern) }
    partMatches[pattern] = match
    return match
  }

  private static func noExpression(_ pattern: String) -> StoreError {
    StoreError.invalid("\(pattern) is not a regular expression.")
  }
}
