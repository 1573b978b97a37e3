import ObjectModel

/// Links that several kinds of objects have under one key, `room_id` of every module of a home: each is a link of what these are kinds of,
/// so that one question finds them all.
struct KindLinks {
  let drafts: [EntityDraft]

  /// Gives the links that kinds share to the entity above them.
  func run() {
    for parent in drafts where !parent.kinds.isEmpty {
      let kinds = parent.kinds.map(\.draft)
      for link in kinds.flatMap(\.relationships) where link.isReference && !link.isToMany {
        let holders = kinds.filter { kind in kind.relationships.contains { isLike($0, link) } }
        // One key of the parent leads to one thing: where most kinds have a value under it that names nothing, it is none.
        let others = kinds.filter { kind in
          kind.attributes.contains { $0.path == link.path }
            || kind.relationships.contains { $0.path == link.path && !isLike($0, link) }
        }
        guard holders.count > 1, others.count < holders.count,
          others.allSatisfy({ kind in kind.relationships.allSatisfy { $0.path != link.path } })
        else { continue }
        for kind in others { kind.attributes.removeAll { $0.path == link.path } }
        move(link, to: parent, from: holders)
      }
    }
  }

  private func isLike(_ one: RelationshipDraft, _ other: RelationshipDraft) -> Bool {
    one.path == other.path && one.target === other.target && one.isToMany == other.isToMany && one.isReference
      && one.transformers == other.transformers
  }

  private func move(_ link: RelationshipDraft, to parent: EntityDraft, from kinds: [EntityDraft]) {
    var names: [String] = []
    for kind in kinds {
      names += kind.relationships.filter { isLike($0, link) }.map(\.name)
      kind.relationships.removeAll { isLike($0, link) }
    }
    link.name = names.min { ($0.count, $0) < ($1.count, $1) } ?? link.name
    link.isMissing = true
    parent.relationships.append(link)
  }
}
