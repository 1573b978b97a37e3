extension ModelChecker {
  mutating func check(_ relationship: Relationship, of entity: Entity) {
    checkCounts(of: relationship, of: entity.name)
    guard let destination = hierarchy[relationship.destination] else {
      error(
        "there is no entity \(Self.quoted(relationship.destination))", entity: entity.name,
        property: relationship.name,
        advice: Self.suggestion(relationship.destination, in: model.entities.map(\.name)))
      return
    }
    checkInverse(of: relationship, of: entity, destination: destination)
  }

  private mutating func checkCounts(of relationship: Relationship, of entity: String) {
    let name = relationship.name
    if relationship.isOrdered, !relationship.isToMany {
      warning("it is ordered but to-one", entity: entity, property: name, advice: "remove “ordered”")
    }
    for count in [relationship.minimumCount, relationship.maximumCount] {
      if let count, count < 0 { error("its count \(count) is negative", entity: entity, property: name) }
    }
    // A maximum of 0 means that there is none.
    if let minimum = relationship.minimumCount, let maximum = relationship.maximumCount, maximum > 0,
      minimum > maximum
    {
      error(
        "its minimum count \(minimum) is above its maximum \(maximum)", entity: entity, property: name)
    }
  }

  private mutating func checkInverse(
    of relationship: Relationship, of entity: Entity, destination: Entity
  ) {
    let name = relationship.name
    guard let inverseName = relationship.inverse else {
      warning(
        "it has no inverse", entity: entity.name, property: name,
        advice: "give \(Self.quoted(destination.name)) a relationship that leads back")
      return
    }
    if let owner = relationship.inverseEntity, !hierarchy.entity(destination.name, is: owner) {
      error(
        "its inverse is said to be in \(Self.quoted(owner)), but it leads to \(Self.quoted(destination.name))",
        entity: entity.name, property: name)
      return
    }
    let candidates = hierarchy.relationships(of: destination)
    guard let inverse = candidates.last(where: { $0.name == inverseName }) else {
      let isAttribute = hierarchy.attributes(of: destination).contains { $0.name == inverseName }
      error(
        isAttribute
          ? "its inverse \(Self.quoted(inverseName)) is an attribute of \(Self.quoted(destination.name))"
          : "\(Self.quoted(destination.name)) has no relationship \(Self.quoted(inverseName)), its inverse",
        entity: entity.name, property: name,
        advice: Self.suggestion(inverseName, in: candidates.map(\.name)))
      return
    }
    // That its own destination may be unknown is reported where it is declared.
    let leadsBack =
      hierarchy[inverse.destination] == nil || hierarchy.entity(entity.name, is: inverse.destination)
      || hierarchy.entity(inverse.destination, is: entity.name)
    if !leadsBack {
      error(
        "its inverse \(Self.quoted(inverseName)) leads to \(Self.quoted(inverse.destination)), not back to "
          + Self.quoted(entity.name), entity: entity.name, property: name)
    } else if inverse.inverse != name {
      let other = inverse.inverse.map { "is \(Self.quoted($0))" } ?? "is not given"
      warning(
        "its inverse is \(Self.quoted(inverseName)), but the inverse of that \(other)", entity: entity.name,
        property: name, advice: "make each the inverse of the other")
    }
  }
}
