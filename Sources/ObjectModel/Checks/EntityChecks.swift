extension ModelChecker {
  mutating func checkInheritance(of entity: Entity) {
    guard let parent = entity.parent else { return }
    guard hierarchy[parent] != nil else {
      error(
        "its parent \(Self.quoted(parent)) is no entity of this model", entity: entity.name,
        advice: Self.suggestion(parent, in: model.entities.map(\.name)))
      return
    }
    if let circle = hierarchy.circles[entity.name] {
      let names = circle + [entity.name]
      error(
        "it inherits from itself: \(names.prefix(10).map(Self.quoted).joined(separator: " → "))"
          + (names.count > 10 ? " → …" : ""),
        entity: entity.name, advice: "give one of them no parent")
    }
    if hierarchy.tooDeep.contains(entity.name) {
      error(
        "it \(SchemaError.tooDeep)", entity: entity.name,
        advice: "give it, or one of its ancestors, no parent")
    }
  }
}

extension ModelChecker {
  /// Checks of the identity's annotations. Uniqueness constraints are checked as such.
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

extension ModelChecker {
  /// Properties that annotations give the same key in JSON.
  mutating func checkKeys(of entity: Entity) {
    var claimants: [String: String] = [:]
    for ancestor in hierarchy.ancestors(of: entity).reversed() {
      for (name, keys) in Self.annotatedKeys(of: ancestor) {
        for key in keys { claimants[key] = name }
      }
    }
    for (name, keys) in Self.annotatedKeys(of: entity) {
      for key in keys {
        guard let other = claimants.updateValue(name, forKey: key), other != name else { continue }
        error(
          "\(Self.quoted(other)) and \(Self.quoted(name)) both claim the JSON key \(Self.quoted(key))",
          entity: entity.name, property: name, advice: "give each its own key")
      }
    }
  }

  private static func annotatedKeys(of entity: Entity) -> [(name: String, keys: [String])] {
    entity.attributes.map { ($0.name, $0.annotations.keys) }
      + entity.relationships.map { ($0.name, $0.annotations.keys) }
  }
}

/// Properties of entities that inherit from one root and share its table, where those of equal name share a
/// column.
struct SharedColumns {
  struct Column {
    var name: String
    var owner: String
    /// `nil` for a relationship.
    var type: AttributeType?
  }

  private var columns: [String: [String: Column]] = [:]

  /// Enters a column; the one of another entity that was there first, if it differs.
  mutating func conflict(entering column: Column, folded name: String, root: String) -> Column? {
    guard let other = columns[root]?[name] else {
      columns[root, default: [:]][name] = column
      return nil
    }
    return other.type != column.type || other.name != column.name ? other : nil
  }
}

extension ModelChecker {
  /// Properties that clash with those of an entity beside this one, under the same root.
  mutating func checkSiblings(of entity: Entity) {
    let line = hierarchy.ancestors(of: entity).map(\.name)
    let root = line.last ?? entity.name
    for property in Self.namedProperties(of: entity) {
      let column = SharedColumns.Column(name: property.name, owner: entity.name, type: property.type)
      let other = sharedColumns.conflict(entering: column, folded: Self.folded(property.name), root: root)
      // A name that it inherits, or has twice, has been reported.
      guard let other, other.owner != entity.name, !line.contains(other.owner) else { continue }
      warning(
        "\(Self.quoted(other.owner)), which has the same root, has a different property "
          + Self.quoted(other.name), entity: entity.name, property: property.name,
        advice: "rename one of them, or give both the same name and type")
    }
  }
}

extension ModelChecker {
  mutating func check(_ composite: Composite) {
    checkAttributeNames(of: composite)
    for attribute in composite.attributes { check(attribute, of: composite.name) }
    if let cycle = cycle(from: composite.name) {
      error(
        "it contains itself: \(cycle.map(Self.quoted).joined(separator: " → "))", entity: composite.name,
        advice: "remove the attribute that leads back")
    }
  }

  mutating func checkComposite(of attribute: Attribute, of entity: String) {
    guard case .composite(let name) = attribute.type else { return }
    guard !model.composites.contains(where: { $0.name == name }) else { return }
    error(
      "there is no composite \(Self.quoted(name))", entity: entity, property: attribute.name,
      advice: Self.suggestion(name, in: model.composites.map(\.name)))
  }

  /// The composites on the shortest way from this one to itself.
  private func cycle(from start: String) -> [String]? {
    var previous: [String: String] = [:]
    var queue = [start]
    var index = 0
    while index < queue.count {
      let name = queue[index]
      index += 1
      guard let composite = model.composites.first(where: { $0.name == name }) else { continue }
      for attribute in composite.attributes {
        guard case .composite(let next) = attribute.type else { continue }
        if next == start {
          var way = [name]
          while let last = way.last, last != start, let before = previous[last] { way.append(before) }
          return way.reversed() + [start]
        }
        if previous[next] == nil {
          previous[next] = name
          queue.append(next)
        }
      }
    }
    return nil
  }
}
