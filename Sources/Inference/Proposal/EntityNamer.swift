import Mapping

/// Gives entities their names.
struct EntityNamer {
  private let shapes: Shapes
  private var taken: Set<String> = []
  /// The names that keys inside objects give.
  private var nestedNames: Set<String> = []
  /// Whether objects of several entities stand at the top of the JSON.
  private var hasSeveral = false
  private var owners: [ObjectIdentifier: [EntityDraft]] = [:]

  /// - Parameter documentKeys: The keys of documents whose keys name entities, but for those that hold objects. No entity
  ///   is called like one of them, or an import would take what stands there for its objects.
  init(_ shapes: Shapes, documentKeys: Set<String>) {
    self.shapes = shapes
    taken = Set(documentKeys.map { Words.entityName($0).lowercased() })
  }

  mutating func name(_ drafts: [EntityDraft]) {
    for draft in drafts {
      for relationship in draft.relationships {
        owners[ObjectIdentifier(relationship.target), default: []].append(draft)
      }
    }
    // What stands at the top of the JSON has the first choice.
    nestedNames = Set(
      drafts.filter { !$0.isRecord }.flatMap { $0.nameHints.map { Words.entityName($0.key) } })
    let records = drafts.filter { $0.isRecord && $0.parent == nil }
    hasSeveral = records.count > 1
    for draft in records { name(draft) }
    for draft in drafts where draft.name.isEmpty && draft.parent == nil && !draft.isPart { name(draft) }
    for draft in drafts where draft.name.isEmpty && draft.parent == nil { name(draft) }
    for draft in drafts where draft.name.isEmpty { name(draft) }
  }

  private mutating func name(_ draft: EntityDraft) {
    if let parent = draft.parent, let kind = parent.kinds.first(where: { $0.draft === draft }) {
      let plain = Words.entityName(kind.value)
      draft.name = free([plain, plain + parent.name])
      return
    }
    var weights: [String: Int] = [:]
    var order: [String] = []
    for hint in draft.nameHints {
      let name = Words.entityName(isNumbered(hint.key, draft) ? Words.withoutNumber(hint.key) : hint.key)
      // Of several lists in a document, each has its key for a name.
      let isGeneric = GenericNames.isWrapper(hint.key) && hint.weight != RecordDrafts.bestWeight
      if weights[name] == nil { order.append(name) }
      weights[name, default: 0] +=
        isGeneric ? 0 : Words.words(hint.key).count == 1 ? hint.weight * 2 : hint.weight
    }
    if !draft.isRecord, !draft.isPart, order.count > 1,
      draft.nameHints.allSatisfy({ LinkName.isRole($0.key) }),
      LinkName.arePeople(draft.attributes.map { shapes.key(of: $0.node) })
    {
      order.insert("User", at: 0)
      weights["User"] = .max
    }
    if let shared = sharedWord(order), !draft.isRecord {
      order.insert(shared, at: 0)
      weights[shared] = .max
    }
    order.sort { (weights[$0] ?? 0, $1.count) > (weights[$1] ?? 0, $0.count) }
    if weights.isEmpty || (weights[order[0]] ?? 0) == 0, draft.isRecord {
      order.insert(mainMember(of: draft).map { $0 + "Document" } ?? "Record", at: 0)
    }
    if order.isEmpty { order = ["Record"] }
    // A file `bands.json` that holds one object with a list of bands is no band.
    if draft.isRecord, draft.documentKeys.isEmpty, draft.node >= 0, nestedNames.contains(order[0]),
      shapes[draft.node].objects == 1 || draft.identity.isEmpty && holds(order[0], draft)
    {
      order = [order[0] + "Document"]
    }
    draft.name = free(order.prefix(1) + qualified(order[0], draft) + order.dropFirst())
  }

  /// Whether keys that name an entity differ by a number at their end only.
  private func isNumbered(_ key: String, _ draft: EntityDraft) -> Bool {
    let name = Words.withoutNumber(key)
    return name != key && draft.nameHints.contains { $0.key != key && Words.withoutNumber($0.key) == name }
  }

  /// Whether an entity holds objects of another one with a name of its own.
  private func holds(_ name: String, _ draft: EntityDraft) -> Bool {
    ([draft] + draft.kinds.map(\.draft)).flatMap(\.relationships).contains { relationship in
      relationship.target !== draft
        && relationship.target.nameHints.contains { Words.entityName($0.key) == name }
    }
  }

  /// The name of what the fewest other entities hold, of all that an entity without a name holds.
  private func mainMember(of draft: EntityDraft) -> String? {
    let targets = draft.relationships.map(\.target).filter { !$0.isPart && $0 !== draft }
    let counts = targets.map { target in (target, owners[ObjectIdentifier(target)]?.count ?? 0) }
    guard hasSeveral, draft.identity.isEmpty, let fewest = counts.map(\.1).min(),
      counts.count(where: { $0.1 == fewest }) == 1
    else { return nil }
    let main = counts.first { $0.1 == fewest }?.0
    return main?.nameHints.max { $0.weight < $1.weight }.map { Words.entityName($0.key) }
  }

  /// The word that all names end in: `Team` of `HomeTeam` and `AwayTeam`.
  private func sharedWord(_ names: [String]) -> String? {
    guard names.count >= 2, let last = Names.words(names[0]).last else { return nil }
    let isShared = names.allSatisfy { Names.words($0).last == last }
    return isShared ? Names.capitalized(last) : nil
  }

  /// The name with that of an entity whose objects it stands in before it.
  private func qualified(_ name: String, _ draft: EntityDraft) -> [String] {
    (owners[ObjectIdentifier(draft)] ?? []).filter { !$0.name.isEmpty && $0.name != name }.map {
      $0.name + name
    }
  }

  private mutating func free(_ names: [String]) -> String {
    for name in names where taken.insert(name.lowercased()).inserted { return name }
    let last = names.first ?? "Record"
    var number = 2
    while !taken.insert("\(last)\(number)".lowercased()).inserted { number += 1 }
    return "\(last)\(number)"
  }
}
