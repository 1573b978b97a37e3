import Mapping

extension NaiveReport {
  init(_ report: Report) {
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
    pending = Set(report.pending.map { "\($0.entity) \($0.identity) \($0.relationship) -> \($0.target) \($0.key)" })
  }

  /// Part by part, to name the ones that differ.
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
}
