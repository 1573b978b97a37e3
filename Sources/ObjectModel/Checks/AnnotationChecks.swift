extension ModelChecker {
  /// What annotations say of how an entity's objects are imported.
  mutating func checkAnnotations(of entity: Entity) {
    checkVersion(of: entity)
    checkKinds(of: entity)
    for relationship in entity.relationships {
      checkPolicy(
        relationship.annotations.toMany, "broker.toMany", known: ToManyPolicy.allCases.map(\.rawValue),
        relationship,
        entity)
      checkPolicy(
        relationship.annotations.references, "broker.references",
        known: ReferencePolicy.allCases.map(\.rawValue),
        relationship, entity)
      if relationship.annotations.toMany != nil, !relationship.isToMany {
        warning(
          "“broker.toMany” has no effect on a to-one relationship", entity: entity.name,
          property: relationship.name, advice: "remove it")
      }
    }
  }

  private mutating func checkPolicy(
    _ word: String?, _ key: String, known: [String], _ relationship: Relationship, _ entity: Entity
  ) {
    guard let word, !known.contains(word) else { return }
    error(
      "“\(key)” is \(Self.quoted(word)), which is none of \(known.joined(separator: ", "))",
      entity: entity.name, property: relationship.name, advice: Self.suggestion(word, in: known))
  }

  private mutating func checkVersion(of entity: Entity) {
    guard let name = entity.annotations.versionAttribute else { return }
    let attributes = hierarchy.attributes(of: entity)
    guard let attribute = attributes.last(where: { $0.name == name }) else {
      return error(
        "its version is \(Self.quoted(name)), which is no attribute", entity: entity.name,
        advice: Self.suggestion(name, in: attributes.map(\.name)))
    }
    guard attribute.canBeVersion else {
      return error("its version is \(Self.quoted(name)), whose values have no order", entity: entity.name)
    }
  }

  private mutating func checkKinds(of entity: Entity) {
    let annotations = entity.annotations
    let tells = annotations.discriminatorKey ?? annotations.discriminatorFunction
    if tells != nil || annotations.isWrapped,
      !model.entities.contains(where: { $0.name != entity.name && hierarchy.entity($0.name, is: entity.name) }
      )
    {
      warning(
        "it says what tells its sub-entities, and has none", entity: entity.name,
        advice: "remove its “broker.discriminator”")
    }
    if !annotations.kinds.isEmpty, entity.parent == nil {
      warning("its “broker.kind” has no effect: it inherits from nothing", entity: entity.name)
    }
  }
}

extension Attribute {
  /// Whether its values can say how old JSON is: they are stored and have an order.
  package var canBeVersion: Bool {
    switch type {
    case .boolean, .uuid: false
    default: canIdentify
    }
  }
}
