import Mapping

extension NaiveReport {
  /// Parts have no names, and the numbers that the store gives them are its own affair.
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
