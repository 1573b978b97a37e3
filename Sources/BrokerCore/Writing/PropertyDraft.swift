import ObjectModel
import ObjectStore

/// The place for a property's value: a property of a row of a draft.
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
      // A part is written with its owner. One that was not fetched stays as it is.
      if let part = link.object {
        draft.set(relationship, of: row, toRow: try draft.add(part, parent: row))
      } else if let key = (link.id as? RowID)?.key, draft.isKeptInRow(relationship) {
        // An object with an identity of its own can be linked by that.
        try draft.set(relationship, of: row, to: [.text(key)])
      }
      return
    }
    try draft.set(relationship, of: row, to: Target.storedParts(of: link.id))
  }

  /// Sets the properties of the inherited entity's object.
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

  /// Adds a row for an object. If the object is of a sub-entity with an identity of its own, the row is of that
  /// sub-entity and has the identity, so that it stays the same object at any place in a list.
  private func addRow<Root: Storable>(_ entity: SchemaEntity, of object: Root, parent: Int) -> Int {
    guard let key = (object.id as? RowID)?.key, let kind = layout.kind(ofKey: key, below: entity) else {
      return addRow(entity, parent: parent)
    }
    let row = addRow(kind, parent: parent)
    setIdentity(of: row, layout.identity(ofKey: [.text(key)], of: kind))
    return row
  }

  /// Puts an object's properties into a row, which may be of a sub-entity.
  func fill<Root: Storable>(_ row: Int, with object: Root) throws {
    let plan = try TypePlan<Root>.of(transaction)
    restoring.append(plan.restoring)
    let identity = Root.storedParts(of: object.id)
    for (property, place) in zip(Root.properties.all, plan.places) {
      try property.write(object, PropertyDraft(draft: self, row: row, place: place, identity: identity))
    }
  }

  /// Whether the targets of a relationship have no identity, so that they are written with their owner.
  func isPart(_ relationship: SchemaRelationship) -> Bool {
    !layout.schema.entities[relationship.destination].hasIdentity && layout.isPart(relationship)
  }
}
