import ObjectModel

/// The slots of an entity's rows that hold the key of a relationship's target.
struct ForeignKey {
  let relationship: Int
  let destination: Int
  let targetHasIdentity: Bool
  /// Whether the target has a list of those that lead to it.
  let isFromList: Bool
  let slots: [Int]
  /// The slot of the place in the target's list; nil if that is not ordered.
  let order: Int?

  /// Nil if the relationship is not kept in the entity's rows.
  init?(_ index: Int, of entity: EntityLayout, _ layout: Layout) {
    guard case .foreignKey(let columns) = layout.relationships[index] else { return nil }
    let relationship = layout.schema.relationships[index]
    self.relationship = index
    destination = relationship.destination
    targetHasIdentity = layout.schema.entities[relationship.destination].hasIdentity
    isFromList = relationship.inverse.map { layout.schema.relationships[$0].isToMany } ?? false
    slots = entity.slots(of: columns)
    if let inverse = relationship.inverse, case .inverse(_, let column?) = layout.relationships[inverse] {
      order = entity.slotOfColumn[column]
    } else {
      order = nil
    }
  }
}
