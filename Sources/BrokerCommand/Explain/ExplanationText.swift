import Mapping

/// An explanation for people.
struct ExplanationText {
  let explanation: Explanation

  init(_ explanation: Explanation) {
    self.explanation = explanation
  }

  var text: String {
    var parts = explanation.entities.map { section($0).map(VisibleText.onOneLine).joined(separator: "\n") }
    let strangers = explanation.unmatchedKeys.sorted { $0.key < $1.key }
    if !strangers.isEmpty {
      let lines = strangers.map {
        "  \(VisibleText.onOneLine($0.key))  names no entity, \(Quantity.count($0.value, "time"))"
      }
      parts.append((["The document"] + lines).joined(separator: "\n"))
    }
    if parts.isEmpty { parts = ["There are no objects."] }
    return parts.joined(separator: "\n\n") + "\n"
  }

  private func section(_ entity: EntityExplanation) -> [String] {
    let identity =
      entity.identity.isEmpty ? "no identity" : "identity \(entity.identity.joined(separator: ", "))"
    var lines = ["\(entity.entity) (\(identity))"]
    let keyWidth = entity.keys.map(\.key.count).max() ?? 0
    let propertyWidth = entity.keys.map { ($0.property ?? "–").count }.max() ?? 0
    for key in entity.keys {
      lines.append(
        "  " + padded(key.key, keyWidth) + (key.property == nil ? "    " : "  → ")
          + padded(key.property ?? "–", propertyWidth) + "  \(reason(for: key)), "
          + Quantity.count(key.count, "time"))
      if let issue = key.firstIssue {
        let count =
          key.issueCount > 1 ? "\(Quantity.grouped(key.issueCount)) unusable, the first" : "unusable"
        lines.append(
          "      \(count) at \(issue.path): expected \(issue.expected), found \(issue.found); \(issue.action)"
        )
      }
    }
    if !entity.unfilled.isEmpty {
      lines.append("  no key for")
      lines += entity.unfilled.map(line)
    }
    return lines
  }

  private func line(_ property: PropertyExplanation) -> String {
    "    \(property.property)\(property.isRequired ? ", which is required" : "")"
      + ": would take \(property.keys.joined(separator: ", "))"
      + (property.nearest.map { "; is \($0) meant?" } ?? "")
  }

  private func reason(for key: KeyExplanation) -> String {
    switch key.reason {
    case .mapped: "mapped"
    case .name: "its name"
    case .style: "its name in another style"
    case .reserved: "a reserved word"
    case .identity: "the identity"
    case .reference: "a reference by key"
    case .kind: "tells the kind of a link"
    case .wrapper: "stands around the object"
    case .path: "on the way of key paths"
    case .ignored: "ignored on purpose"
    case .unmatched: "matches nothing" + (key.nearest.map { ": is \($0) meant?" } ?? "")
    }
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
