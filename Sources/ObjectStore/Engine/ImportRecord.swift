public import Foundation

/// What a store remembers of an import.
///
/// The names of entities are those that the model had at that time.
public struct ImportRecord: Sendable, Hashable, Codable {
  /// When it began.
  public var date: Date
  /// How long it took until it was committed, in seconds.
  public var seconds: Double
  /// Where its JSON came from: the names of files as they were given, `-` for standard input, and what a program called
  /// its sources. Those without a name are left out, and of many only the first 20 are kept.
  public var sources: [String]
  /// How many sources there were.
  public var sourceCount: Int
  /// How many objects of each entity were new.
  public var inserted: [String: Int] = [:]
  /// How many objects of each entity got other values or other links.
  public var updated: [String: Int] = [:]
  /// How many objects of each entity were deleted.
  public var deleted: [String: Int] = [:]
  /// How many objects of each entity in the JSON were skipped because of an issue.
  public var skipped: [String: Int] = [:]
  /// How many issues there were.
  public var issueCount = 0
  /// Whether it came to its end. An import in chunks is remembered with its first chunk; if it fails later, this stays
  /// false.
  public var isWhole = true

  package init(date: Date, seconds: Double, sources: [String], sourceCount: Int) {
    self.date = date
    self.seconds = seconds
    self.sources = Array(sources.prefix(Self.mostSources))
    self.sourceCount = sourceCount
  }

  private static let mostSources = 20

  /// How many imports a store remembers.
  package static let most = 100

  /// Whether the import changed objects of the store.
  public var changesAnything: Bool {
    [inserted, updated, deleted].contains { $0.values.contains { $0 > 0 } }
  }
}
