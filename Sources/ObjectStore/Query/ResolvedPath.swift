package import ObjectModel

/// A key path followed through the model: `label`, `band.name`, `albums.label`.
package struct ResolvedPath {
  /// What is at the end of a path.
  package enum End {
    case attribute(SchemaAttribute, of: SchemaEntity)
    /// A relationship, of which the targets' identities are meant.
    case relationship(SchemaRelationship)
  }

  /// The path as it was written.
  package let text: String
  /// The relationships that are passed, the one at the end not among them unless its target has to be
  /// looked at for its key.
  package private(set) var relationships: [Int] = []
  package let end: End
  /// Whether it passes, or ends in, a to-many relationship.
  package private(set) var isToMany = false

  /// Follows a key path from an entity.
  ///
  /// - Throws: ``StoreError`` at the first name that is no property, with the nearest one.
  package init(_ text: String, from entity: SchemaEntity, _ layout: Layout) throws {
    self.text = text
    var current = entity
    var names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]
    while let name = names.first {
      // The parts of a composite have names with dots in them.
      if let attribute = current.attribute(names.joined(separator: ".")) {
        end = .attribute(current.attributes[attribute], of: current)
        return
      }
      guard let relationship = Self.relationship(name, of: current, layout) else {
        throw Self.unknown(names.count == 1 ? name : names.joined(separator: "."), in: current, layout)
      }
      isToMany = isToMany || relationship.isToMany
      names = names.dropFirst()
      if names.isEmpty {
        if case .foreignKey = layout.relationships[relationship.index] {
        } else {
          relationships.append(relationship.index)
        }
        end = .relationship(relationship)
        return
      }
      relationships.append(relationship.index)
      current = layout.schema.entities[relationship.destination]
    }
    throw Self.unknown(text, in: entity, layout)
  }

  /// Leads to a property of the entity itself.
  package init(attribute: SchemaAttribute, of entity: SchemaEntity) {
    text = attribute.name
    end = .attribute(attribute, of: entity)
  }

  private static func relationship(
    _ name: String, of entity: SchemaEntity, _ layout: Layout
  ) -> SchemaRelationship? {
    entity.relationships.map { layout.schema.relationships[$0] }.first { $0.name == name }
  }

  private static func unknown(_ name: String, in entity: SchemaEntity, _ layout: Layout) -> StoreError {
    let names =
      entity.attributes.map(\.name) + entity.relationships.map { layout.schema.relationships[$0].name }
    return StoreError.unknownProperty(name, entity: entity.name, nearest: nearestName(to: name, in: names))
  }

  /// The columns that hold the value, or the parts of the key, at the end.
  package func columns(_ layout: Layout) -> [Column] {
    switch end {
    case .attribute(let attribute, let entity):
      let whole = layout.entities[entity.index]
      guard let index = entity.attributes.firstIndex(where: { $0.name == attribute.name }) else { return [] }
      return [layout.tables[whole.table].columns[whole.slots[whole.attributeSlots[index]]]]
    case .relationship(let relationship):
      if case .foreignKey(let columns) = layout.relationships[relationship.index] {
        let table = layout.table(of: relationship.owner)
        return columns.map { table.columns[$0] }
      }
      let table = layout.table(of: relationship.destination)
      return table.key.map { table.columns[$0] }
    }
  }

  /// The entity whose objects a foreign key at the end may lack; nil if there is no foreign key.
  func pendingReference(_ layout: Layout) -> Int? {
    guard case .relationship(let relationship) = end,
      case .foreignKey = layout.relationships[relationship.index]
    else { return nil }
    return relationship.destination
  }
}
