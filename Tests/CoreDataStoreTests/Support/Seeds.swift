import Foundation

/// How many seeds a random test runs: a few, or many where the environment variable `BROKER_TESTS` is `long`.
enum Seeds {
  static let isLong = ProcessInfo.processInfo.environment["BROKER_TESTS"] == "long"

  /// The seeds from 0 to `count`, or to `longCount` in a long run.
  static func first(_ count: UInt64, long longCount: UInt64) -> Range<UInt64> {
    0..<(isLong ? longCount : count)
  }
}
