import Foundation

/// How many seeds a random test runs: a few, more of them where the environment variable `BROKER_TESTS` is `more`, and all
/// where it is `long`.
package enum Seeds {
  private static let amount = ProcessInfo.processInfo.environment["BROKER_TESTS"]
  package static let isLong = amount == "long"

  /// The seeds from 0 to `count`, to `longCount` in a long run, and to a tenth of that where more are wanted.
  package static func first(_ count: UInt64, long longCount: UInt64) -> Range<UInt64> {
    switch amount {
    case "long": 0..<longCount
    case "more": 0..<max(count, longCount / 10)
    default: 0..<count
    }
  }
}
