import ObjectModel

/// Objects without identity, which are parts of the object that holds them.
extension NaiveImport {
  /// A part as it is told, looked through before it has its place.
  struct Part {
    var kind: Int
    var values: [String: String?]
    var links: [Link]
    /// Whether the model's defaults make up for all that it does not say.
    var isComplete: Bool
  }

  /// "Without identity, each top-level object is new."
  mutating func takeTopPart(_ members: [TestJSON.Member], _ kind: Int) {
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
      if let part = part(members, sketch.ends[end].target) {
        parts.append(part)
      } else {
        excuse =
          "a list of parts that cannot all be read deletes none: PartTests.whatCannotBeReadDeletesNoParts"
      }
    }
    if case .list = value { return Link(end: end, value: .parts(parts)) }
    return parts.isEmpty ? nil : Link(end: end, value: .parts(parts))
  }

  /// Nil if it has to be skipped.
  private mutating func part(_ members: [TestJSON.Member], _ kind: Int) -> Part? {
    countUnmatched(members, kind)
    let told = values(members, kind)
    guard told.isUsable else {
      skip(kind, members)
      return nil
    }
    let links = takeNested(members, kind)
    return Part(kind: kind, values: told.values, links: links, isComplete: lacks(told.values, kind).isEmpty)
  }

  private mutating func leaveOut(_ part: Part) {
    report.issueCount += 1
    if part.links.contains(where: { sketch.isPart(sketch.ends[$0.end].target) }) {
      excuse = "what parts of an object that lacks a value lack is told too"
    }
    skip(part)
  }

  /// Parts of what is skipped are skipped.
  mutating func skip(_ part: Part) {
    report.skipped[sketch.kinds[part.kind].name, default: 0] += 1
    for link in part.links { skip(link) }
  }

  mutating func skip(_ link: Link) {
    if case .parts(let parts) = link.value { for part in parts { skip(part) } }
  }

  // MARK: - Applying

  mutating func applyParts(_ end: Int, _ owner: NaiveKey, _ parts: [Part], clears: Bool = false) {
    if !sketch.ends[end].isToMany { return applyPart(end, owner, parts.first) }
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
          && sketch.ends(of: part.kind).allSatisfy {
            $0 == sketch.ends[end].inverse || state.list($0, old).isEmpty
          }
      }
      if !part.links.isEmpty { excuse = "whether parts with links are the same is told elsewhere" }
      if let same { mark(same, .unchanged) } else { link(end, owner, insert(part)) }
    }
  }

  private mutating func link(_ end: Int, _ owner: NaiveKey, _ part: NaiveKey) {
    connect(end, owner, part)
    if sketch.ends[end].isOrdered { state.unplaced[end][owner]?.remove(part) }
  }

  private func complete(_ part: Part) -> [String: String] {
    var result: [String: String] = [:]
    for attribute in sketch.attributes(part.kind) {
      result[attribute.name] = part.values[attribute.name] ?? NaiveValues.defaultValue(attribute)
    }
    return result
  }

  private mutating func insert(_ part: Part) -> NaiveKey {
    state.made += 1
    let key = NaiveKey(root: sketch.root(part.kind), parts: ["#\(state.made)"])
    insert(key, part.kind, part.values)
    seen.insert(key)
    for link in part.links { apply(link, key) }
    return key
  }

  private mutating func rewrite(_ key: NaiveKey, _ part: Part, keepsRest: Bool) {
    let values = keepsRest ? part.values : complete(part).mapValues { .some($0) }
    var all = values
    if !keepsRest {
      for attribute in sketch.attributes(part.kind) where values[attribute.name] == nil {
        all[attribute.name] = .some(nil)
      }
    }
    if !seen.insert(key).inserted { report.duplicates += 1 }
    write(key, part.kind, all)
    for link in part.links { apply(link, key) }
    if keepsRest { return }
    for end in sketch.namedEnds(of: part.kind) where !part.links.contains(where: { $0.end == end }) {
      // The way to its owner is nothing that it has to mention.
      if sketch.isOwner(end) { continue }
      apply(Link(end: end, value: .null), key)
    }
  }

  mutating func delete(_ key: NaiveKey, losing end: Int, of owner: NaiveKey) {
    state.disconnect(end, owner, key)
    if !sketch.holds(sketch.ends[end].inverse) { change(owner) }
    delete(key)
  }

  /// Its parts go with an object.
  mutating func delete(_ key: NaiveKey) {
    guard let kind = state.objects[key]?.kind else { return }
    count(key)
    marks[key] = nil
    report.deleted[sketch.kinds[kind].name, default: 0] += 1
    for end in sketch.ends(of: kind) {
      for target in state.list(end, key) {
        state.disconnect(end, key, target)
        if sketch.isPart(sketch.ends[end].target) && !sketch.isOwner(end) { delete(target) }
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
