import ObjectModel
import ObjectStore

/// Where a property's value goes: a place in a row of a draft.
struct PropertyDraft: ~Copyable {
  let draft: ObjectDraft
  let row: Int
  let place: PropertyPlace
  /// The identity of the object, as the store keeps it.
  let identity: [SQLValue]

  /// Sets an attribute; nil is null.
  func set(_ value: SQLValue?) throws {
    guard case .attribute(let index) = place else { return }
    draft.set(index, of: row, to: value)
  }

  /// Sets a relationship to one object.
  func set<Target: Storable>(_ link: ToOne<Target>?) throws {
    guard case .relationship(let relationship) = place else { return }
    guard let link else { return try draft.set(relationship, of: row, to: nil) }
    guard !draft.isPart(relationship) else {
      // A part is written with its owner; one that was not fetched stays as it is.
      if let part = link.object {
        draft.set(relationship, of: row, toRow: try draft.add(part, parent: row))
      } else if let key = (link.id as? RowID)?.key, draft.isKeptInRow(relationship) {
        // What has an identity of its own can be linked by that.
        try draft.set(relationship, of: row, to: [.text(key)])
      }
      return
    }
    try draft.set(relationship, of: row, to: Target.storedParts(of: link.id))
  }

  /// Sets what the object of the inherited entity has.
  func set<Parent: Storable>(inherited parent: Parent) throws {
    try draft.fill(row, with: parent)
  }
}

extension ObjectDraft {
  /// Adds an object with all its properties. Returns its row.
  func add<Root: Storable>(_ object: Root, parent: Int = -1) throws -> Int {
    guard let entity = layout.schema.entity(Root.entityName) else { throw TypeError.unknown(Root.self) }
    let row = addRow(entity, of: object, parent: parent)
    try fill(row, with: object)
    return row
  }

  /// Adds a row for an object. Where it is one of a sub-entity that has an identity of its own, the row is that one's,
  /// with the identity, so that it stays the same object wherever its place in a list is.
  private func addRow<Root: Storable>(_ entity: SchemaEntity, of object: Root, parent: Int) -> Int {
    guard let key = (object.id as? RowID)?.key, let kind = layout.kind(ofKey: key, below: entity) else {
      return addRow(entity, parent: parent)
    }
    let row = addRow(kind, parent: parent)
    setIdentity(of: row, layout.identity(ofKey: [.text(key)], of: kind))
    return row
  }

  /// Puts an object's properties into a row, which may be one of a sub-entity.
  func fill<Root: Storable>(_ row: Int, with object: Root) throws {
    let plan = try TypePlan<Root>.of(transaction)
    restoring.append(plan.restoring)
    let identity = Root.storedParts(of: object.id)
    for (property, place) in zip(Root.properties.all, plan.places) {
      try property.write(object, PropertyDraft(draft: self, row: row, place: place, identity: identity))
    }
  }

  /// Whether the targets of a relationship have no identity, and so are written with their owner.
  func isPart(_ relationship: SchemaRelationship) -> Bool {
    !layout.schema.entities[relationship.destination].hasIdentity && layout.isPart(relationship)
  }
}
