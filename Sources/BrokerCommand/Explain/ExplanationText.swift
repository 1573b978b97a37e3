import Mapping

/// An explanation for people.
struct ExplanationText {
  let explanation: Explanation

  init(_ explanation: Explanation) {
    self.explanation = explanation
  }

  var text: String {
    guard !explanation.entities.isEmpty || !explanation.unmatchedKeys.isEmpty else {
      return "There are no objects.\n"
    }
    var parts = explanation.entities.map(section)
    let strangers = explanation.unmatchedKeys.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    if !strangers.isEmpty {
      let rows = strangers.map {
        Listing.Row([$0.key], "names no entity, \(Quantity.count($0.value, "time"))")
      }
      parts.append(["The document"] + Listing.lines(rows))
    }
    if !explanation.absentEntities.isEmpty {
      parts.append(paragraph("No objects of \(explanation.absentEntities.joined(separator: ", "))."))
    }
    if !advice.isEmpty { parts.append(paragraph(advice)) }
    return parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  private func section(_ entity: EntityExplanation) -> [String] {
    let stranger = entity.isMatched ? "" : ", no key matches anything"
    var lines = paragraph("\(entity.entity) (\(identity(of: entity))\(stranger))")
    let rows = entity.keys.map { key in
      Listing.Row(
        [key.key, key.property.map { "→ \($0)" } ?? "  –"],
        "\(reason(for: key)), \(Quantity.count(key.count, "time"))")
    }
    for (key, row) in zip(entity.keys, Listing.lines(of: rows)) {
      lines += row
      if let issue = key.firstIssue { lines += Listing.wrapped(words(issue, key.issueCount), indent: 6) }
    }
    if !entity.unfilled.isEmpty {
      lines.append("  no key for")
      lines += entity.unfilled.flatMap { Listing.wrapped(VisibleText.onOneLine(line($0)), indent: 4) }
    }
    return lines
  }

  private func words(_ issue: ImportIssue, _ count: Int) -> String {
    let unusable = count > 1 ? "\(Quantity.grouped(count)) unusable, the first" : "unusable"
    return VisibleText.onOneLine(
      "\(unusable) at \(issue.path): expected \(issue.expected), found \(issue.found); \(issue.action)")
  }

  private func paragraph(_ text: String) -> [String] { Listing.wrapped(VisibleText.onOneLine(text)) }

  // MARK: - Identities

  private func identity(of entity: EntityExplanation) -> String {
    guard !entity.identity.isEmpty else { return "no identity" }
    let names = "identity \(entity.identity.joined(separator: ", "))"
    switch entity.identitySource {
    case .name: return names + ", taken for it by its name"
    case .uniquenessConstraint: return names + ", the only uniqueness constraint"
    case .stated, nil: return names
    }
  }

  /// How to say another identity than one that was inferred.
  private var advice: String {
    let inferred = explanation.entities.filter {
      $0.identitySource == .name || $0.identitySource == .uniquenessConstraint
    }
    guard !inferred.isEmpty else { return "" }
    let names = inferred.map { "\($0.entity) by \($0.identity.joined(separator: ", "))" }
    return
      "Inferred, since nothing says it: which object an object is, of \(names.joined(separator: "; ")). To say"
      + " something else, write “identity: NAME” or “identity: none” for the entity in the file of --mapping, or"
      + " annotate it with broker.identity in the model."
  }

  // MARK: - Words

  private func line(_ property: PropertyExplanation) -> String {
    "\(property.property)\(property.isRequired ? ", which is required" : "")"
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
}
