package import ObjectModel

/// What the store has of an object at one moment, to be compared with what it has later.
package struct ObjectSnapshot {
  private let entity: SchemaEntity
  private let layout: Layout
  /// The columns of the row; empty if there is none.
  private var cells: [SQLValue] = []
  /// The keys that lists lead to, by relationship.
  private var lists: [Int: [[SQLValue]]] = [:]

  /// - Parameter relationships: Those to look at that are not kept in the row itself.
  package init(
    _ row: Int64?, of entity: SchemaEntity, _ relationships: [SchemaRelationship],
    _ transaction: any StoreTransaction
  ) throws {
    self.entity = entity
    layout = transaction.layout
    guard let row else { return }
    let table = layout.table(of: entity.index)
    cells = try transaction.cells(ofRow: row, in: table)
    for relationship in relationships {
      lists[relationship.index] = try transaction.linkedKeys(of: relationship, row: row)
    }
  }

  package var exists: Bool { !cells.isEmpty }

  /// The names of the properties that are others later.
  package func changes(to later: ObjectSnapshot) -> [String] {
    guard exists, later.exists else { return [] }
    let place = layout.entities[entity.index]
    var names: [String] = []
    for (index, attribute) in entity.attributes.enumerated() {
      let column = place.slots[place.attributeSlots[index]]
      if cells[column] != later.cells[column] { names.append(attribute.name) }
    }
    for index in entity.relationships {
      let name = layout.schema.relationships[index].name
      switch layout.relationships[index] {
      case .foreignKey(let columns):
        if columns.contains(where: { cells[$0] != later.cells[$0] }) { names.append(name) }
      case .inverse, .join:
        if lists[index] ?? [] != later.lists[index] ?? [] { names.append(name) }
      }
    }
    return names
  }

  /// The keys that a list lost or got.
  package func differences(of relationship: SchemaRelationship, to later: ObjectSnapshot) -> Set<[SQLValue]> {
    Set(lists[relationship.index] ?? []).symmetricDifference(later.lists[relationship.index] ?? [])
  }
}
