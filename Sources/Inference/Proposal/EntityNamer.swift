import Mapping

/// Gives entities their names.
struct EntityNamer {
  private let shapes: Shapes
  private var taken: Set<String> = []
  /// The names that keys inside objects give.
  private var nestedNames: Set<String> = []
  private var owners: [ObjectIdentifier: [EntityDraft]] = [:]

  init(_ shapes: Shapes) {
    self.shapes = shapes
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
    for draft in drafts where draft.isRecord && draft.parent == nil { name(draft) }
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
      let name = Words.entityName(hint.key)
      // Of several lists in a document, each has its key for a name.
      let isGeneric = GenericNames.isWrapper(hint.key) && hint.weight != RecordDrafts.bestWeight
      if weights[name] == nil { order.append(name) }
      weights[name, default: 0] +=
        isGeneric ? 0 : Words.words(hint.key).count == 1 ? hint.weight * 2 : hint.weight
    }
    if let shared = sharedWord(order), !draft.isRecord {
      order.insert(shared, at: 0)
      weights[shared] = .max
    }
    order.sort { (weights[$0] ?? 0, $1.count) > (weights[$1] ?? 0, $0.count) }
    if weights.isEmpty || (weights[order[0]] ?? 0) == 0, draft.isRecord { order.insert("Record", at: 0) }
    if order.isEmpty { order = ["Record"] }
    // A file `bands.json` that holds one object with a list of bands is no band.
    if draft.isRecord, draft.documentKeys.isEmpty, draft.node >= 0, shapes[draft.node].objects == 1,
      nestedNames.contains(order[0])
    {
      order = [order[0] + "Document"]
    }
    draft.name = free(order.prefix(1) + qualified(order[0], draft) + order.dropFirst())
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
