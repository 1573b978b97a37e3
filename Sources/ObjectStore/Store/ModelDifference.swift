import ObjectModel

/// What a person needs to know of how two models differ.
struct ModelDifference {
  private(set) var lines: [String] = []

  init(from old: Model, to new: Model) {
    let oldNames = old.entities.map(\.name)
    let newNames = new.entities.map(\.name)
    lines += newNames.filter { !oldNames.contains($0) }.map { "\($0) is new" }
    lines += oldNames.filter { !newNames.contains($0) }.map { "\($0) is gone" }
    for entity in new.entities {
      guard let before = old[entity: entity.name] else { continue }
      compare(
        before.attributes.map { ($0.name, "\($0.type)") }, entity.attributes.map { ($0.name, "\($0.type)") },
        in: entity)
      compareSearch(before.attributes, entity.attributes, in: entity.name)
      compare(before.relationships.map(Self.shape), entity.relationships.map(Self.shape), in: entity)
      if before.parent != entity.parent { lines.append("\(entity.name) has another parent") }
      if before.uniquenessConstraints != entity.uniquenessConstraints {
        lines.append("\(entity.name) has other uniqueness constraints")
      }
      if before.indexes != entity.indexes { lines.append("\(entity.name) has other indexes") }
      if before.annotations.identityAttributes != entity.annotations.identityAttributes {
        lines.append("\(entity.name) has another identity")
      }
    }
    for composite in new.composites {
      guard let before = old.composites.first(where: { $0.name == composite.name }) else { continue }
      compareSearch(before.attributes, composite.attributes, in: composite.name)
    }
    if lines.isEmpty { lines.append("an identity, an index or an inverse") }
  }

  private mutating func compare(
    _ old: [(name: String, shape: String)], _ new: [(name: String, shape: String)], in entity: Entity
  ) {
    for property in new {
      guard let before = old.first(where: { $0.name == property.name }) else {
        lines.append("\(entity.name).\(property.name) is new")
        continue
      }
      if before.shape != property.shape {
        lines.append("\(entity.name).\(property.name) was \(before.shape) and is \(property.shape)")
      }
    }
    for property in old where !new.contains(where: { $0.name == property.name }) {
      lines.append("\(entity.name).\(property.name) is gone")
    }
  }

  private mutating func compareSearch(_ old: [Attribute], _ new: [Attribute], in owner: String) {
    for attribute in new {
      guard let before = old.first(where: { $0.name == attribute.name }),
        before.isSearched != attribute.isSearched
      else { continue }
      lines.append(
        "\(owner).\(attribute.name) is \(attribute.isSearched ? "searched now" : "searched no more")")
    }
  }

  private static func shape(of relationship: Relationship) -> (name: String, shape: String) {
    let count = relationship.isToMany ? (relationship.isOrdered ? "ordered to-many" : "to-many") : "to-one"
    return (
      relationship.name,
      "\(count) \(relationship.destination), inverse \(relationship.inverse ?? "none")"
    )
  }
}
