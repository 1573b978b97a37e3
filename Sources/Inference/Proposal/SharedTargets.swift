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
        if hasOtherHolders, shapes.tree[relationship.node].objectsOfItsOwn < Self.fewObjects {
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
