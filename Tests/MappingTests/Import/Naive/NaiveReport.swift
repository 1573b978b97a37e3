import Mapping

/// The report of a naive import, to compare with Broker's.
struct NaiveReport: Hashable {
  var inserted: [String: Int] = [:]
  var updated: [String: Int] = [:]
  var unchanged: [String: Int] = [:]
  var deleted: [String: Int] = [:]
  var skipped: [String: Int] = [:]
  var outdated: [String: Int] = [:]
  var excluded: [String: Int] = [:]
  var duplicates = 0
  var issueCount = 0
  var unmatched: [String: [String: Int]] = [:]
  var pending: Set<String> = []
}

extension NaiveReport {
  /// Parts have no identity, and the numbers that the store gives them are not compared.
  init(_ report: Report, parts: Set<String>) {
    inserted = report.inserted
    updated = report.updated
    unchanged = report.unchanged
    deleted = report.deleted
    skipped = report.skipped
    outdated = report.outdated
    excluded = report.excluded
    duplicates = report.duplicates
    issueCount = report.issueCount
    unmatched = report.unmatchedKeys
    pending = Set(
      report.pending.map { one in
        let name = parts.contains(one.entity) ? "#" : one.identity
        return "\(one.entity) \(name) \(one.relationship) -> \(one.target) \(one.key)"
      })
  }

  /// Each count as a line, so that messages show those that differ.
  var lines: [String] {
    let counts = [
      ("inserted", inserted), ("updated", updated), ("unchanged", unchanged), ("deleted", deleted),
      ("skipped", skipped), ("outdated", outdated), ("excluded", excluded),
    ]
    return counts.map { name, counts in "\(name) \(counts.sorted { $0.key < $1.key })" } + [
      "duplicates \(duplicates)", "issues \(issueCount)", "unmatched \(unmatched)",
      "pending \(pending.sorted())",
    ]
  }

  /// What can be compared where there are sub-entities. The contract leaves open under which of them an object counts
  /// that comes as several; see FoundTests.anObjectCountsOnceUnderOneOfItsKinds.
  func withoutCounts(_ model: NaiveModel) -> NaiveReport {
    guard model.kinds.contains(where: { $0.parent != nil }) else { return self }
    var result = self
    for counts in [
      \NaiveReport.inserted, \.updated, \.unchanged, \.deleted, \.skipped, \.outdated, \.excluded,
    ] {
      result[keyPath: counts] = [:]
    }
    result.pending = Set(pending.map { model.rootName($0) })
    return result
  }
}

extension NaiveModel {
  /// A text that begins with the name of an entity, with the name of its root instead.
  fileprivate func rootName(_ text: String) -> String {
    let words = text.split(separator: " ", maxSplits: 1)
    let kind = kinds.firstIndex { $0.name == words.first.map(String.init) }
    return kind.map { ([kinds[root($0)].name] + words.dropFirst().map(String.init)).joined(separator: " ") }
      ?? text
  }
}
