extension ModelChecker {
  mutating func checkConstraints(of entity: Entity) {
    for constraint in entity.uniquenessConstraints {
      if constraint.isEmpty { warning("a uniqueness constraint names no property", entity: entity.name) }
      for name in constraint { checkConstraint(name, of: entity) }
      if Set(constraint).count < constraint.count {
        warning("a uniqueness constraint names a property twice", entity: entity.name)
      }
    }
  }

  private mutating func checkConstraint(_ name: String, of entity: Entity) {
    if let attribute = attribute(name, of: entity) {
      guard attribute.isTransient else { return }
      error(
        "it can't be unique: it is transient", entity: entity.name, property: name,
        advice: "remove it from the uniqueness constraint")
    } else if let relationship = hierarchy.relationships(of: entity).last(where: { $0.name == name }) {
      guard relationship.isToMany else { return }
      error(
        "it can't be unique: it is to-many", entity: entity.name, property: name,
        advice: "remove it from the uniqueness constraint")
    } else {
      unknownProperty(name, in: "a uniqueness constraint", of: entity)
    }
  }

  /// Indexes may name any relationship, and expressions in place of properties.
  mutating func checkIndexes(of entity: Entity) {
    for index in entity.indexes {
      for element in index.elements where element.other["expression"] == nil {
        let name = element.property
        if attribute(name, of: entity) == nil,
          !hierarchy.relationships(of: entity).contains(where: { $0.name == name })
        {
          unknownProperty(name, in: "index \(Self.quoted(index.name))", of: entity)
        }
      }
    }
  }

  /// The attribute with this name, or for `address.street` the composite attribute `address`.
  private func attribute(_ name: String, of entity: Entity) -> Attribute? {
    let attributes = hierarchy.attributes(of: entity)
    if let attribute = attributes.last(where: { $0.name == name }) { return attribute }
    guard let dot = name.firstIndex(of: ".") else { return nil }
    return attributes.last {
      if case .composite = $0.type { $0.name == name[..<dot] } else { false }
    }
  }

  private mutating func unknownProperty(_ name: String, in place: String, of entity: Entity) {
    let names =
      hierarchy.attributes(of: entity).map(\.name) + hierarchy.relationships(of: entity).map(\.name)
    error(
      "\(place) names \(Self.quoted(name)), which is no property of it", entity: entity.name,
      advice: Self.suggestion(name, in: names))
  }
}
