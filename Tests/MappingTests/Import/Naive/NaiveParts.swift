import ObjectModel

/// Objects without identity, which are parts of the object that holds them.
extension NaiveImport {
  /// A part as its JSON has it, before it has an owner.
  struct Part {
    var kind: Int
    var values: [String: String?]
    var links: [Link]
    /// Whether it has all required values, with the model's defaults.
    var isComplete: Bool
  }

  /// "Without identity, each top-level object is new."
  mutating func importTopLevelPart(_ members: [TestJSON.Member], _ kind: Int) {
    guard let part = part(members, kind) else { return }
    guard part.isComplete else { return leaveOut(part) }
    _ = insert(part)
  }

  mutating func parts(_ end: Int, _ value: TestJSON) -> Link? {
    var parts: [Part] = []
    for element in elements(value) {
      guard case .object(let members) = element else {
        // "A key cannot refer to a part."
        report.issueCount += 1
        leftOut = true
        continue
      }
      if let part = part(members, model.ends[end].target) {
        parts.append(part)
      } else {
        reasonNotToCompare =
          "a list of parts that cannot all be read deletes none: PartTests.whatCannotBeReadDeletesNoParts"
      }
    }
    if case .list = value { return Link(end: end, value: .parts(parts)) }
    return parts.isEmpty ? nil : Link(end: end, value: .parts(parts))
  }

  /// Reads a part. Nil if it has to be skipped.
  private mutating func part(_ members: [TestJSON.Member], _ kind: Int) -> Part? {
    countUnmatched(members, kind)
    let given = values(members, kind)
    guard given.isUsable else {
      skip(kind, members)
      return nil
    }
    let links = importNested(members, kind)
    return Part(kind: kind, values: given.values, links: links, isComplete: lacks(given.values, kind).isEmpty)
  }

  private mutating func leaveOut(_ part: Part) {
    report.issueCount += 1
    if part.links.contains(where: { model.isPart(model.ends[$0.end].target) }) {
      reasonNotToCompare = "whether parts of an object that lacks a value are reported"
    }
    skip(part)
  }

  /// Parts of what is skipped are skipped.
  mutating func skip(_ part: Part) {
    report.skipped[model.kinds[part.kind].name, default: 0] += 1
    for link in part.links { skip(link) }
  }

  mutating func skip(_ link: Link) {
    if case .parts(let parts) = link.value { for part in parts { skip(part) } }
  }

  // MARK: - Applying

  mutating func applyParts(_ end: Int, _ owner: NaiveKey, _ parts: [Part], clears: Bool = false) {
    if !model.ends[end].isToMany { return applyPart(end, owner, parts.first) }
    // "What an object does not mention it has not": each has to be complete.
    for part in parts where !part.isComplete { leaveOut(part) }
    let isComplete = parts.allSatisfy(\.isComplete)
    let parts = parts.filter(\.isComplete)
    let existing = state.list(end, owner)
    if policy(end) == .merge && !clears { return merge(end, owner, parts) }
    // "A to-many list takes the place of the owner's objects one by one."
    for (part, old) in zip(parts, existing) { rewrite(old, part, keepsRest: false) }
    // "Nothing is pruned if any element of a list was left out."
    if isComplete { for old in existing.dropFirst(parts.count) { delete(old, losing: end, of: owner) } }
    for part in parts.dropFirst(existing.count) { link(end, owner, insert(part)) }
  }

  /// "Nested, a to-one child is updated in place, and null deletes it."
  private mutating func applyPart(_ end: Int, _ owner: NaiveKey, _ part: Part?) {
    let existing = state.list(end, owner).first
    switch (part, existing) {
    case (nil, nil): break
    case (nil, let old?): delete(old, losing: end, of: owner)
    case (let part?, let old?): rewrite(old, part, keepsRest: true)
    case (let part?, nil): if part.isComplete { link(end, owner, insert(part)) } else { leaveOut(part) }
    }
  }

  /// "Parts that are there already are not added again."
  private mutating func merge(_ end: Int, _ owner: NaiveKey, _ parts: [Part]) {
    for part in parts {
      let same = state.list(end, owner).first { old in
        state.objects[old]?.values == complete(part) && part.links.isEmpty
          && model.ends(of: part.kind).allSatisfy {
            $0 == model.ends[end].inverse || state.list($0, old).isEmpty
          }
      }
      if !part.links.isEmpty { reasonNotToCompare = "whether parts with links are the same" }
      if let same { mark(same, .unchanged) } else { link(end, owner, insert(part)) }
    }
  }

  private mutating func link(_ end: Int, _ owner: NaiveKey, _ part: NaiveKey) {
    connect(end, owner, part)
    if model.ends[end].isOrdered { state.unplaced[end][owner]?.remove(part) }
  }

  private func complete(_ part: Part) -> [String: String] {
    var result: [String: String] = [:]
    for attribute in model.attributes(part.kind) {
      result[attribute.name] = part.values[attribute.name] ?? NaiveValues.defaultValue(attribute)
    }
    return result
  }

  private mutating func insert(_ part: Part) -> NaiveKey {
    state.made += 1
    let key = NaiveKey(root: model.root(part.kind), parts: ["#\(state.made)"])
    insert(key, part.kind, part.values)
    seen.insert(key)
    for link in part.links { apply(link, key) }
    return key
  }

  private mutating func rewrite(_ key: NaiveKey, _ part: Part, keepsRest: Bool) {
    let values = keepsRest ? part.values : complete(part).mapValues { .some($0) }
    var all = values
    if !keepsRest {
      for attribute in model.attributes(part.kind) where values[attribute.name] == nil {
        all[attribute.name] = .some(nil)
      }
    }
    if !seen.insert(key).inserted { report.duplicates += 1 }
    write(key, part.kind, all)
    for link in part.links { apply(link, key) }
    if keepsRest { return }
    for end in model.namedEnds(of: part.kind) where !part.links.contains(where: { $0.end == end }) {
      // The JSON of a part need not have the link to its owner.
      if model.isOwner(end) { continue }
      apply(Link(end: end, value: .null), key)
    }
  }

  mutating func delete(_ key: NaiveKey, losing end: Int, of owner: NaiveKey) {
    state.disconnect(end, owner, key)
    if !model.holds(model.ends[end].inverse) { change(owner) }
    delete(key)
  }

  /// Deletes an object with its parts.
  mutating func delete(_ key: NaiveKey) {
    guard let kind = state.objects[key]?.kind else { return }
    count(key)
    marks[key] = nil
    report.deleted[model.kinds[kind].name, default: 0] += 1
    for end in model.ends(of: kind) {
      for target in state.list(end, key) {
        state.disconnect(end, key, target)
        if model.isPart(model.ends[end].target) && !model.isOwner(end) { delete(target) }
      }
    }
    state.objects[key] = nil
  }
}

extension NaiveModel {
  /// Whether an end leads from a part to what it is part of.
  func isOwner(_ end: Int) -> Bool {
    isPart(ends[end].owner) && ends[ends[end].inverse].name != nil && ends[end].isBack
  }
}
