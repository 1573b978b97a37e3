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
      guard shapes.tree[index].owned.count > 0 else { return nil }
      var outer = index
      while shapes.tree[outer].flags.contains(.variant) { outer = shapes.tree[outer].parent }
      return (index, shapes.tree[outer].parent)
    }
  }

  /// Whether a value came in several of the lists, or dictionaries, at a place.
  func haveSeveral(_ list: Int32) -> Bool {
    let list = shapes.find(list)
    let sets = elements.filter { $0.list >= 0 && shapes.find($0.list) == list }.map {
      shapes.tree[$0.node].owned
    }
    guard sets.count > 1 else { return sets.first?.havePartners ?? false }
    let level = sets.map(\.level).max() ?? 0
    let mask = (UInt64(1) << UInt64(level)) - 1
    var pairs: Set<UInt64> = []
    for set in sets { set.forEach { if $0 & mask == 0 { pairs.insert($0) } } }
    return DistinctValues.havePartners(pairs, level: level)
  }
}

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
    var holders: [ObjectIdentifier: Int] = [:]
    for draft in drafts {
      for relationship in draft.relationships
      where !relationship.path.isEmpty && relationship.target.root !== draft.root {
        holders[ObjectIdentifier(relationship.target.root), default: 0] += 1
      }
    }
    for draft in drafts {
      for relationship in draft.relationships
      where relationship.isToMany && !relationship.isShared && !relationship.isReference
        && !relationship.target.isPart
        && relationship.node >= 0
      {
        let hasOtherHolders = (holders[ObjectIdentifier(relationship.target.root)] ?? 0) > 1
        guard
          hasOtherHolders && shapes.tree[relationship.node].objectsOfItsOwn < Self.fewObjects
            || isOwnerUnknown(of: relationship, draft)
        else { continue }
        relationship.isShared = true
        relationship.evidence += "; few came, and others have such objects too"
      }
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
