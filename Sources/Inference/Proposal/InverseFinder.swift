import ObjectModel

/// Gives each relationship the one that leads back: one that JSON tells of, or a new one.
struct InverseFinder {
  private let shapes: Shapes
  private let drafts: [EntityDraft]
  private let form: DocumentFinder

  init(_ shapes: Shapes, _ drafts: [EntityDraft], _ form: DocumentFinder) {
    self.shapes = shapes
    self.drafts = drafts
    self.form = form
  }

  func run() {
    for draft in drafts {
      for relationship in draft.relationships where relationship.inverse == nil {
        guard let other = partner(of: relationship, from: draft) else { continue }
        relationship.inverse = other
        other.inverse = relationship
      }
    }
    for draft in drafts {
      for relationship in draft.relationships where relationship.inverse == nil {
        addInverse(of: relationship, from: draft)
      }
    }
  }

  /// A relationship that JSON tells of at the other end and that is the same link seen from there.
  private func partner(of relationship: RelationshipDraft, from draft: EntityDraft) -> RelationshipDraft? {
    let target = relationship.target
    guard !draft.isPart, !target.isPart else { return nil }
    let there = target.relationships.filter {
      // Of two lists of an entity's own objects, such as what a work refers to and what it is like, nothing tells it.
      $0.target === draft && $0.inverse == nil && $0 !== relationship && fit($0, relationship)
        && !($0.isToMany && relationship.isToMany && !areEnds($0, of: draft, relationship))
        && !(target === draft && $0.isToMany != relationship.isToMany && !areLevels($0, relationship))
    }
    let here = draft.relationships.filter { $0.target === target && $0.inverse == nil && !$0.path.isEmpty }
    if there.count == 1, target === draft || here.count == 1 { return there[0] }
    // Of several, those that are named after the entities they lead to.
    guard isNamed(relationship, after: target) || here.count == 1 else { return nil }
    let named = there.filter { isNamed($0, after: draft) }
    return named.count == 1 ? named[0] : nil
  }

  private func isNamed(_ relationship: RelationshipDraft, after entity: EntityDraft) -> Bool {
    LinkName(relationship.name).score(for: entity.name, isSelf: false) >= 3
  }

  /// Whether two relationships can be two ends of one link.
  private func fit(_ first: RelationshipDraft, _ second: RelationshipDraft) -> Bool {
    switch (first.isToMany, second.isToMany) {
    case (true, true): true
    case (true, false): !first.isShared && namesOwner(second, of: first)
    case (false, true): !second.isShared && namesOwner(first, of: second)
    case (false, false): false
    }
  }

  /// Whether what objects in a list name under a key is the object around the list, wherever that is known: the `outwardIssue` of a
  /// link is another issue than the one that has the link.
  private func namesOwner(_ one: RelationshipDraft, of list: RelationshipDraft) -> Bool {
    guard !list.isReference, one.node >= 0, list.node >= 0 else { return true }
    let node = shapes.tree[one.node]
    return node.namingOwners * 10 >= node.underOwners * 9
  }

  /// Whether a list of keys of a draft's objects and one of its target's are two ends of one link: both are called after what
  /// they lead to, or have as many keys. What a user has marked and who the members of a project are have nothing to do with
  /// each other.
  private func areEnds(
    _ back: RelationshipDraft, of draft: EntityDraft, _ relationship: RelationshipDraft
  ) -> Bool {
    guard relationship.target !== draft else { return false }
    guard back.isReference, relationship.isReference, back.node >= 0, relationship.node >= 0 else {
      return true
    }
    return isNamed(back, after: draft) && isNamed(relationship, after: relationship.target)
      || shapes.tree[back.node].scalars == shapes.tree[relationship.node].scalars
  }

  private static let above: Set<String> = ["parent", "reply", "manager", "boss", "supervisor", "reports"]
  private static let below: Set<String> = [
    "child", "kid", "reply", "subtask", "descendant", "part", "member", "report", "subordinate",
  ]

  /// Whether a key and a list of keys that lead to objects of their own entity are the two ends of one link, such as `parent` and
  /// `kids`: their names say so, or there are as many of both.
  private func areLevels(_ first: RelationshipDraft, _ second: RelationshipDraft) -> Bool {
    guard first.isReference, second.isReference, first.node >= 0, second.node >= 0 else { return true }
    let (list, one) = first.isToMany ? (first, second) : (second, first)
    func says(_ link: RelationshipDraft, _ words: Set<String>) -> Bool {
      Words.words(link.name).contains { words.contains($0) || words.contains(Words.singular(ofWord: $0)) }
    }
    return says(one, Self.above) && says(list, Self.below)
      || shapes.tree[list.node].scalars == shapes.tree[one.node].scalars
  }

  private func addInverse(of relationship: RelationshipDraft, from draft: EntityDraft) {
    let target = relationship.target
    let isToMany = target.isPart ? false : !relationship.isToMany || relationship.isShared
    let base = isToMany ? Words.plural(ofEntity: draft.name) : Words.property(ofEntity: draft.name)
    let key = relationship.name.prefix(1).uppercased() + relationship.name.dropFirst()
    let isOwn = target === draft
    var names = ["\(base)By\(key)"]
    if isOwn {
      names.insert("\(key.prefix(1).lowercased())\(key.dropFirst())Of", at: 0)
    } else if !form.isOnTheWay(base, inFilesCalled: target.name) {
      names.insert(base, at: 0)
    }
    let inverse = RelationshipDraft(
      name: target.freeInverseName(names), path: [], target: draft, isToMany: isToMany)
    inverse.inverse = relationship
    inverse.evidence = "the other end of \(draft.name).\(relationship.name)"
    relationship.inverse = inverse
    target.relationships.append(inverse)
  }
}
