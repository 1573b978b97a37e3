extension ModelChecker {
  /// Names of entities and composites, and the entities that configurations and fetch requests name.
  mutating func checkModel() {
    checkNames(model.entities.map(\.name), kind: "entity")
    checkNames(model.composites.map(\.name), kind: "composite")
    let names = model.entities.map(\.name)
    for configuration in model.configurations {
      for name in configuration.entities where hierarchy[name] == nil {
        warning(
          "configuration \(Self.quoted(configuration.name)) names \(Self.quoted(name)), which is no entity",
          advice: Self.suggestion(name, in: names))
      }
    }
    for request in model.fetchRequests {
      guard let name = request.entity, hierarchy[name] == nil else { continue }
      warning(
        "fetch request \(Self.quoted(request.name)) names \(Self.quoted(name)), which is no entity",
        advice: Self.suggestion(name, in: names))
    }
  }

  private mutating func checkNames(_ names: [String], kind: String) {
    var seen: [String: String] = [:]
    for name in names {
      checkName(name, entity: name, property: nil)
      if kind == "entity", name.lowercased().hasPrefix("sqlite_") {
        warning(
          "SQLite keeps names that begin with “sqlite_” for itself, so its table is called \(Self.quoted("_" + name))",
          entity: name, advice: "rename the entity, or do not mind")
      }
      if let other = seen[Self.folded(name)] {
        checkAlike(name, other, kind)
      } else {
        seen[Self.folded(name)] = name
      }
    }
  }

  /// Two names of entities or composites that are the same, or that SQLite takes for the same.
  private mutating func checkAlike(_ name: String, _ other: String, _ kind: String) {
    if other == name {
      error(
        "there are two \(kind == "entity" ? "entities" : "composites") with this name", entity: name,
        advice: "rename one of them")
    } else {
      warning(
        "differs from \(kind) \(Self.quoted(other)) only by case, which SQLite ignores, so that its table has"
          + " another name", entity: name, advice: "rename one of them, or do not mind")
    }
  }

  /// Names that clash in an entity, or with what it inherits.
  mutating func checkPropertyNames(of entity: Entity) {
    var seen: [String: (name: String, owner: String)] = [:]
    for ancestor in hierarchy.ancestors(of: entity).reversed() {
      for property in Self.namedProperties(of: ancestor) {
        seen[Self.folded(property.name)] = (property.name, ancestor.name)
      }
    }
    for property in Self.namedProperties(of: entity) {
      let name = property.name
      checkName(name, entity: entity.name, property: name)
      guard let other = seen[Self.folded(name)] else {
        seen[Self.folded(name)] = (name, entity.name)
        continue
      }
      if other.name != name {
        warning(
          "differs from \(Self.quoted(other.name)) only by case, which SQLite ignores, so that its column has another"
            + " name", entity: entity.name, property: name, advice: "rename one of them, or do not mind")
      } else if other.owner == entity.name {
        error(
          "there are two properties with this name", entity: entity.name, property: name,
          advice: "rename one of them")
      } else {
        error(
          "\(Self.quoted(other.owner)), from which it inherits, has a property with this name",
          entity: entity.name, property: name, advice: "remove or rename one of them")
      }
    }
  }

  /// Names in a list that has a namespace of its own, as the attributes of a composite.
  mutating func checkAttributeNames(of composite: Composite) {
    var seen: [String: String] = [:]
    for attribute in composite.attributes {
      checkName(attribute.name, entity: composite.name, property: attribute.name)
      if let other = seen.updateValue(attribute.name, forKey: Self.folded(attribute.name)) {
        error(
          other == attribute.name
            ? "there are two attributes with this name"
            : "differs from \(Self.quoted(other)) only by case, which SQLite ignores",
          entity: composite.name, property: attribute.name, advice: "rename one of them")
      }
    }
  }

  private mutating func checkName(_ name: String, entity: String, property: String?) {
    if name.isEmpty {
      error("the name is empty", entity: entity, property: property)
    } else if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      error("the name contains a control character", entity: entity, property: property, advice: "rename it")
    }
  }

  static func namedProperties(of entity: Entity) -> [(name: String, type: AttributeType?)] {
    entity.attributes.map { ($0.name, $0.type) } + entity.relationships.map { ($0.name, nil) }
      + entity.fetchedProperties.map { ($0.name, nil) }
  }

  /// SQLite ignores the case of ASCII letters only.
  static func folded(_ name: String) -> String {
    String(
      String.UnicodeScalarView(
        name.unicodeScalars.map {
          ("A"..."Z").contains($0) ? Unicode.Scalar(UInt8($0.value + 32)) : $0
        }))
  }
}
