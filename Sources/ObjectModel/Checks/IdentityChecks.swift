extension ModelChecker {
  /// What annotations say of the identity. Uniqueness constraints are checked as such.
  mutating func checkIdentity(of entity: Entity) {
    for relationship in entity.relationships { checkTargetIdentity(of: relationship, of: entity) }
    checkRelatedBy(of: entity)
    guard !entity.saysNoIdentity, let names = entity.annotatedIdentity else { return }
    let attributes = hierarchy.attributes(of: entity)
    let relationships = hierarchy.relationships(of: entity)
    for name in names {
      if let attribute = attributes.last(where: { $0.name == name }) {
        checkIdentity(attribute: attribute, of: entity)
      } else if let relationship = relationships.last(where: { $0.name == name }) {
        checkIdentity(relationship: relationship, of: entity)
      } else {
        error(
          "its identity names \(Self.quoted(name)), which is no attribute and no relationship",
          entity: entity.name,
          advice: Self.suggestion(name, in: attributes.map(\.name) + relationships.map(\.name)))
      }
    }
    checkSharedIdentity(names, of: entity)
  }

  /// MagicalRecord's models name an identity that need not exist.
  private mutating func checkRelatedBy(of entity: Entity) {
    let attributes = hierarchy.attributes(of: entity).map(\.name)
    for name in entity.annotations.relatedByAttributes ?? [] where !attributes.contains(name) {
      warning(
        "its “relatedByAttribute” is \(Self.quoted(name)), which is no attribute; that is not used",
        entity: entity.name, advice: Self.suggestion(name, in: attributes))
    }
  }

  private mutating func checkIdentity(attribute: Attribute, of entity: Entity) {
    let reason: String? =
      if attribute.isTransient {
        "it is transient"
      } else if attribute.derivation != nil {
        "it is derived"
      } else if !attribute.canIdentify {
        "its values can't be compared"
      } else {
        nil
      }
    guard let reason else { return }
    error(
      "it can't be the identity: \(reason)", entity: entity.name, property: attribute.name,
      advice: "choose a stored attribute")
  }

  private mutating func checkIdentity(relationship: Relationship, of entity: Entity) {
    guard relationship.isToMany else { return }
    error(
      "it can't be the identity: it is to-many", entity: entity.name, property: relationship.name,
      advice: "choose attributes and to-one relationships")
  }

  /// A relationship may say by which attributes of its target it refers to it: `relatedByAttribute`.
  private mutating func checkTargetIdentity(of relationship: Relationship, of entity: Entity) {
    guard let names = relationship.annotations.targetIdentityAttributes,
      let destination = hierarchy[relationship.destination]
    else { return }
    let attributes = hierarchy.attributes(of: destination).map(\.name)
    for name in names where !attributes.contains(name) {
      warning(
        "it refers by \(Self.quoted(name)), which is no attribute of \(Self.quoted(destination.name)); that is not used",
        entity: entity.name, property: relationship.name, advice: Self.suggestion(name, in: attributes))
    }
  }

  /// Sub-entities share the identity of the topmost entity that has one, so that another of their own is not used.
  private mutating func checkSharedIdentity(_ names: [String], of entity: Entity) {
    guard let schema, let resolved = schema.entity(entity.name), resolved.identityOwner != resolved.index,
      let shared = resolved.declaredIdentity, Set(shared.properties) != Set(names)
    else { return }
    let owner = schema.entities[resolved.identityOwner].name
    warning(
      "its identity is not used: it shares that of \(Self.quoted(owner)), "
        + shared.properties.map(Self.quoted).joined(separator: ", "), entity: entity.name,
      advice: "remove it")
  }
}
