import Mapping
import ObjectModel

/// Finds lists whose objects may stand in several of them, though none came that does: few came, and other relationships
/// lead to objects of the same kind, as to the users of several issues.
struct SharedTargets {
  private let shapes: Shapes
  private let drafts: [EntityDraft]
  /// Of more objects in lists it is known whether each is in one only.
  private static let fewObjects = 12

  init(_ shapes: Shapes, _ drafts: [EntityDraft]) {
    self.shapes = shapes
    self.drafts = drafts
  }

  func run() {
    var holders: [ObjectIdentifier: [(draft: EntityDraft, relationship: RelationshipDraft)]] = [:]
    for draft in drafts {
      for relationship in draft.relationships
      where !relationship.path.isEmpty && relationship.target.root !== draft.root {
        holders[ObjectIdentifier(relationship.target.root), default: []].append((draft, relationship))
      }
    }
    for draft in drafts {
      for relationship in draft.relationships
      where relationship.isToMany && !relationship.isShared && !relationship.isReference
        && !relationship.target.isPart
        && relationship.node >= 0
      {
        let hasOtherHolders = (holders[ObjectIdentifier(relationship.target.root)] ?? []).contains { other in
          other.relationship !== relationship
            && !(other.relationship.isReference && isPart(other.draft, of: draft))
        }
        if hasOtherHolders, !namesItsOwner(relationship, draft),
          shapes.tree[relationship.node].objectsOfItsOwn < Self.fewObjects
        {
          relationship.evidence += "; few came, and others have such objects too"
        } else if isOwnerUnknown(of: relationship, draft) {
          relationship.evidence += "; what they stand in has no identity"
        } else {
          continue
        }
        relationship.isShared = true
      }
    }
  }

  /// Whether the objects of a draft belong to those of another: a key in them names an object in the same document, which says
  /// nothing of other documents.
  private func isPart(_ draft: EntityDraft, of owner: EntityDraft) -> Bool {
    var (rest, seen) = ([draft.root], Set<ObjectIdentifier>())
    while let part = rest.popLast() {
      guard seen.insert(ObjectIdentifier(part)).inserted, part !== owner.root else { continue }
      guard part.isPart else { return false }
      let owners = drafts.filter { other in
        other.relationships.contains { $0.target.root === part && !$0.path.isEmpty && !$0.isReference }
      }
      guard !owners.isEmpty else { return false }
      rest += owners.map(\.root)
    }
    return true
  }

  /// Whether each of the objects has a key, or an object with an address, that names the one object in whose only list it stands:
  /// `idBoard` beside `lists`.
  private func namesItsOwner(_ relationship: RelationshipDraft, _ draft: EntityDraft) -> Bool {
    let lists = draft.relationships.filter { $0.target === relationship.target && !$0.path.isEmpty }
    return lists.count == 1
      && relationship.target.relationships.contains {
        ($0.isReference || shapes.collection(of: draft.node) != nil) && !$0.isToMany && $0.target === draft
          && LinkName($0.name).score(for: draft.name, isSelf: false) >= 3
      }
  }

  /// Whether the objects around the lists seemed to have an identity while they were read, which turned out to be none:
  /// several of them counted as one owner.
  private func isOwnerUnknown(of relationship: RelationshipDraft, _ draft: EntityDraft) -> Bool {
    guard draft.isPart || relationship.path.count > 1 else { return false }
    var index = relationship.node
    while index >= 0, shapes.tree[index].key < 0 { index = shapes.tree[index].parent }
    guard index >= 0, shapes.tree[index].parent >= 0 else { return false }
    return shapes[shapes.tree[index].parent].identityRank <= IdentityNames.strongest
  }
}

/// Tells whether objects stand in the lists of several owners.
///
/// Each place keeps the pairs of its own elements and owners, since places become one that hold the objects of several
/// lists: an object in a list of an order and in one of a shipment has one owner of each kind.
struct ListOwners {
  private let shapes: Shapes
  /// The places that have pairs, and the list that each is in, as it was read.
  private let elements: [(node: Int32, list: Int32)]

  init(_ shapes: Shapes) {
    self.shapes = shapes
    elements = (0..<Int32(shapes.tree.count)).compactMap { index in
      let owned = shapes.tree[index].owned
      guard owned.count > 0 || owned.hadPartners else { return nil }
      var outer = index
      while shapes.tree[outer].flags.contains(.variant) { outer = shapes.tree[outer].parent }
      return (index, shapes.tree[outer].parent)
    }
  }

  /// The elements of the lists, or dictionaries, at a place, each with its owner.
  private func pairs(in list: Int32) -> [DistinctValues] {
    let list = shapes.find(list)
    return elements.filter { $0.list >= 0 && shapes.find($0.list) == list }.map { shapes.tree[$0.node].owned }
  }

  /// How many different elements came in the lists at a place, at most; nil if that is not known.
  func mostElements(_ list: Int32) -> Int? {
    let sets = pairs(in: list)
    guard !sets.isEmpty, sets.allSatisfy({ $0.level == 0 }) else { return nil }
    return sets.reduce(0) { $0 + $1.firsts.count }
  }

  /// How many pairs of an element and its owner came in the lists at a place.
  func pairCount(_ list: Int32) -> Int { pairs(in: list).reduce(0) { $0 + $1.count << $1.level } }

  /// Whether a value came in several of the lists, or dictionaries, at a place.
  func haveSeveral(_ list: Int32) -> Bool {
    let sets = pairs(in: list)
    guard sets.count > 1 else { return sets.first?.havePartners ?? false }
    if sets.contains(where: \.hadPartners) { return true }
    let level = sets.map(\.level).max() ?? 0
    let mask = (UInt64(1) << UInt64(level)) - 1
    var pairs: Set<UInt64> = []
    for set in sets { set.forEach { if $0 & mask == 0 { pairs.insert($0) } } }
    return DistinctValues.havePartners(pairs, level: level)
  }
}

/// Finds lists that do not have all objects of their owners: objects that came elsewhere name an owner with a key of their own, and
/// no list has them, or the lists are pages, as those of GraphQL's connections are. Such a list says nothing of the objects that it
/// lacks.
struct PartialLists {
  private let shapes: Shapes
  private let owners: ListOwners

  init(_ shapes: Shapes) {
    self.shapes = shapes
    owners = ListOwners(shapes)
  }

  func note(in drafts: [EntityDraft]) {
    for draft in drafts {
      for relationship in draft.relationships where relationship.isToMany {
        if isPage(relationship), !relationship.target.isPart {
          relationship.isPartial = true
          relationship.evidence += "; a list is a page of them, and adds to what is there"
          continue
        }
        guard isOneSided(relationship) || !relationship.isReference && isPartial(relationship) else {
          continue
        }
        relationship.isPartial = true
        relationship.evidence += "; the lists lack objects that name their owners, and add to what is there"
      }
    }
  }

  /// Whether lists are pages: connections that say where the next page begins, or whose objects say themselves whose they are, and lists
  /// that more of them follow.
  private func isPage(_ relationship: RelationshipDraft) -> Bool {
    guard relationship.isConnection else { return isFollowed(relationship) }
    return relationship.isPage
      || relationship.inverse.map { !$0.isToMany && !$0.path.isEmpty } ?? false
  }

  /// Whether an object around a list says that more of them follow: `"contacts": {"done": false, "records": […]}`.
  private func isFollowed(_ relationship: RelationshipDraft) -> Bool {
    guard relationship.path.count > 1, let list = list(of: relationship),
      case let around = shapes.tree[list].parent, around >= 0, !shapes.isSplit(around)
    else { return false }
    return shapes.children(of: around).contains { child in
      switch Names.folded(shapes.key(of: child)) {
      case "done": shapes[child].falses > 0
      case "hasmore", "hasnext", "hasnextpage": shapes[child].trues > 0
      case "nextrecordsurl", "nextpagetoken", "nextcursor", "nextpage", "nextlink":
        shapes[child].strings > shapes[child].emptyTexts
      default: false
      }
    }
  }

  /// Whether the lists at both ends of a link do not say the same.
  private func isOneSided(_ relationship: RelationshipDraft) -> Bool {
    guard let back = relationship.inverse, back.isToMany, let one = list(of: relationship),
      let other = list(of: back)
    else { return false }
    return owners.pairCount(one) != owners.pairCount(other)
  }

  /// The place of the lists of a relationship.
  private func list(of relationship: RelationshipDraft) -> Int32? {
    guard !relationship.path.isEmpty, relationship.node >= 0 else { return nil }
    var list = relationship.node
    while list >= 0, shapes.tree[list].key < 0 { list = shapes.tree[list].parent }
    return list >= 0 ? list : nil
  }

  private func isPartial(_ relationship: RelationshipDraft) -> Bool {
    guard let back = relationship.inverse, back.isReference, !back.isToMany, !back.path.isEmpty,
      back.node >= 0,
      let list = list(of: relationship), let identity = relationship.target.root.identityAttribute,
      identity.node >= 0
    else { return false }
    let (keys, identities) = (shapes[back.node], shapes[identity.node].values)
    guard keys.nulls == 0, keys.total == shapes[relationship.node].objects, identities.level == 0 else {
      return false
    }
    guard let listed = owners.mostElements(list) else { return false }
    return listed < identities.count
  }
}
