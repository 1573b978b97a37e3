import Mapping

/// What came of a copy, for people.
struct CopyText {
  let text: String

  init(_ outcome: StoreCopy.Outcome) {
    let names = Set(outcome.expected.keys).union(outcome.found.keys).sorted()
    let total = outcome.found.values.reduce(0, +)
    var lines = ["Copied \(total) objects of \(names.count) entities."]
    for name in names {
      let (expected, found) = (outcome.expected[name] ?? 0, outcome.found[name] ?? 0)
      if expected != found { lines.append("  \(name): \(expected) in the source, \(found) in the copy") }
    }
    if outcome.expectedPending != outcome.foundPending {
      lines.append(
        "  references that wait: \(outcome.expectedPending) in the source, \(outcome.foundPending) in the copy"
      )
    }
    for issue in outcome.report.issues.prefix(20) { lines.append("  \(issue)") }
    if outcome.changesLeftOut > 0 {
      lines.append(
        "\(outcome.changesLeftOut) local changes of objects without identity were left out, since their numbers differ."
      )
    }
    text = lines.joined(separator: "\n") + "\n"
  }
}

/// What came of a copy, as its JSON has it.
struct CopyResult: Encodable {
  let source: [String: Int]
  let copy: [String: Int]
  let pendingReferences: [String: Int]
  let issues: [String]
  let localChangesLeftOut: Int
  let isWhole: Bool

  init(_ outcome: StoreCopy.Outcome) {
    (source, copy) = (outcome.expected, outcome.found)
    pendingReferences = ["source": outcome.expectedPending, "copy": outcome.foundPending]
    issues = outcome.report.issues.map(\.description)
    localChangesLeftOut = outcome.changesLeftOut
    isWhole = outcome.isWhole
  }
}
