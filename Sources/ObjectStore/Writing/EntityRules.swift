package import ObjectModel

/// The rules of the model, and of a write, for the rows of an entity.
package final class EntityRules {
  package let layout: EntityLayout
  package let defaults: DefaultCells
  /// The foreign keys in the rows, by relationship.
  package let foreignKeys: [ForeignKey]
  /// The foreign keys whose targets know the rows that lead to them.
  let ownerKeys: [ForeignKey]
  /// Whether it matters which values are replaced by others; see ``OwnershipDoubt``.
  package let doubtsOwnership: Bool
  /// The slots whose values tell whether it is the same object that came under an identity; see ``IdentityConflicts``. Empty
  /// where that does not matter.
  package let comparedSlots: [Int]
  /// The foreign keys of one-to-one relationships.
  let oneToOneKeys: [ForeignKey]
  /// The relationships that new objects must have.
  let requiredLinks: [RequiredLink]
  /// The slots of attributes that must have a value and have no default.
  package let required: [Int]
  /// The slots of uniqueness constraints, those of the identity aside.
  package let uniqueSlots: [Int]
  /// The slot of the attribute that says which version of an object a row is.
  package let versionSlot: Int?
  /// Whether rows may have to be left alone: for their version, or for what may be done with them.
  let mayBeHeld: Bool

  struct RequiredLink {
    let relationship: Int
    /// The first slot of its foreign key; nil if its links are kept elsewhere.
    let slot: Int?
    /// The place of its foreign key among those of the entity.
    let key: Int?
  }

  package init(_ index: Int, _ whole: Layout, _ policy: WritePolicy) {
    let layout = whole.entities[index]
    let (entity, schema) = (layout.entity, whole.schema)
    let defaults = DefaultCells(layout)
    let foreignKeys = entity.relationships.compactMap { ForeignKey($0, of: layout, whole) }
    self.layout = layout
    self.defaults = defaults
    self.foreignKeys = foreignKeys
    ownerKeys = foreignKeys.filter { $0.relationship.inverse != nil }
    doubtsOwnership = policy.doubtsOwnership
    let mayBeOthers =
      policy.doubtedIdentities.contains(index) && entity.identityAttributes.count == 1
      && entity.identityRelationships.isEmpty
    let links = foreignKeys.filter(\.targetHasIdentity).map { $0.slots[0] }
    comparedSlots =
      mayBeOthers ? (layout.attributeSlots + links).filter { !layout.identitySlots.contains($0) } : []
    oneToOneKeys = foreignKeys.filter(\.isOneToOne)
    requiredLinks = entity.relationships.filter { schema.relationships[$0].requiresTarget }.map { required in
      let key = foreignKeys.firstIndex { $0.relationship.index == required }
      return RequiredLink(relationship: required, slot: key.map { foreignKeys[$0].slots[0] }, key: key)
    }
    required = entity.attributes.indices.filter {
      !entity.attributes[$0].isOptional && !entity.identityAttributes.contains($0)
        && defaults.cells[layout.attributeSlots[$0]].kind == .absent
    }.map { layout.attributeSlots[$0] }
    let unique = whole.tables[layout.table].indexes.filter { $0.uniqueFor?.contains(index) ?? false }
    uniqueSlots = Set(unique.flatMap { $0.columns.map(\.column) }).map { layout.slotOfColumn[$0] }
      .filter { $0 >= 0 && !layout.keySlots.contains($0) }.sorted()
    // A program says exactly what is to be.
    versionSlot =
      policy.isLocal
      ? nil
      : entity.ancestry.compactMap { schema.model.entities[$0].annotations.versionAttribute }.first
        .flatMap { entity.attribute($0) }.map { layout.attributeSlots[$0] }
    mayBeHeld =
      versionSlot != nil || !policy.operations.isSuperset(of: [.insert, .update])
      || schema.relationships.contains { relationship in
        !policy.operations(for: relationship).isSuperset(of: [.insert, .update])
          && schema.entities[relationship.destination].root == entity.root
      }
  }

  /// The attribute whose value is in a slot.
  package func attribute(of slot: Int) -> Int { layout.attributeSlots.firstIndex(of: slot) ?? 0 }
}

/// The slots of an entity's rows that hold the key of a relationship's target.
package struct ForeignKey {
  package let relationship: SchemaRelationship
  /// The other end; nil if the model has none.
  let inverse: SchemaRelationship?
  let destination: Int
  package let targetHasIdentity: Bool
  /// Whether the target has a list of those that lead to it.
  let isFromList: Bool
  package let slots: [Int]
  /// The slot of the place in the target's list; nil if that is not ordered.
  package let order: Int?

  /// Whether both ends lead to one object.
  var isOneToOne: Bool { inverse != nil && !isFromList }

  /// Nil if the relationship is not kept in the entity's rows.
  init?(_ index: Int, of entity: EntityLayout, _ layout: Layout) {
    guard case .foreignKey(let columns) = layout.relationships[index],
      case let slots = entity.slots(of: columns), !slots.isEmpty
    else { return nil }
    let relationship = layout.schema.relationships[index]
    self.relationship = relationship
    self.slots = slots
    inverse = relationship.inverse.map { layout.schema.relationships[$0] }
    destination = relationship.destination
    targetHasIdentity = layout.schema.entities[relationship.destination].hasIdentity
    isFromList = inverse?.isToMany ?? false
    if let inverse, case .inverse(_, let column?) = layout.relationships[inverse.index] {
      order = entity.slotOfColumn[column]
    } else {
      order = nil
    }
  }
}

/// The rules of the model, and of a write, for the lists of a relationship: the to-many, or the far end of a one-to-one.
package final class ListRules {
  package let relationship: SchemaRelationship
  /// The other end; nil if the model has none.
  let inverse: SchemaRelationship?
  package let destination: SchemaEntity
  /// The table of the targets.
  package let table: Int
  package let meaning: ToManyPolicy
  package let storage: RelationshipStorage
  /// Of how many values the key of a target is.
  package let keyWidth: Int
  /// Whether the list has an order that the store keeps.
  package let isOrdered: Bool
  /// Where the owner is a part of its children's identity, the places of its key in theirs.
  let ownerPlaces: [Int]
  /// Whether it matters which lists of an import name the same objects.
  let hasClaims: Bool
  /// The mark of the link in the cells of a child's foreign key.
  let link: LinkState

  package init(_ index: Int, _ layout: Layout, _ policy: WritePolicy) {
    let relationship = layout.schema.relationships[index]
    self.relationship = relationship
    inverse = relationship.inverse.map { layout.schema.relationships[$0] }
    destination = layout.schema.entities[relationship.destination]
    table = layout.entities[destination.index].table
    meaning = policy.meaning(ofList: relationship)
    storage = layout.relationships[index]
    let key = layout.tables[table].key
    keyWidth = key.count
    var ownerPlaces: [Int] = []
    switch storage {
    case .foreignKey: isOrdered = false
    case .inverse(let columns, let order):
      isOrdered = order != nil
      if inverse?.isIdentity ?? false { ownerPlaces = columns.compactMap(key.firstIndex) }
    case .join(let join, let isForward):
      isOrdered = (isForward ? layout.joins[join].targetOrder : layout.joins[join].ownerOrder) != nil
    }
    self.ownerPlaces = ownerPlaces
    hasClaims = !policy.isLocal && destination.hasIdentity && ownerPlaces.isEmpty
    link = hasClaims && relationship.isToMany ? .claimedByList : .linkedByList
  }
}
