extension ModelChecker {
  /// The rules of annotations for how an entity's objects are imported.
  mutating func checkAnnotations(of entity: Entity) {
    checkVersion(of: entity)
    checkKinds(of: entity)
    if let word = entity.userInfo[Annotations.nullsKey], word != Annotations.omitted {
      error(
        "“\(Annotations.nullsKey)” is \(Self.quoted(word)), which is not \(Annotations.omitted)",
        entity: entity.name)
    }
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

extension Attribute {
  /// The kind of values that came, in a model that was taken from data, where none told what it is; nil if such values came.
  package var untyped: Annotations.Untyped? {
    get { userInfo[Annotations.untypedKey].flatMap(Annotations.Untyped.init) }
    set { userInfo[Annotations.untypedKey] = newValue?.rawValue }
  }

  /// Whether somebody said that the values name no objects, in a model that was taken from data.
  package var namesNoObjects: Bool {
    get { userInfo[Annotations.linkKey] == Annotations.noLink }
    set { userInfo[Annotations.linkKey] = newValue ? Annotations.noLink : nil }
  }
}

extension Entity {
  /// Whether nulls among its objects, in lists and in dictionaries, name nothing. Elsewhere they are an issue.
  package var omitsNulls: Bool {
    get { userInfo[Annotations.nullsKey] == Annotations.omitted }
    set { userInfo[Annotations.nullsKey] = newValue ? Annotations.omitted : nil }
  }
}

extension Entity {
  /// Whether somebody said what the identity is, in a model that was taken from data.
  package var identityIsSaid: Bool {
    get { userInfo[Annotations.saidKey] == Annotations.identity }
    set { userInfo[Annotations.saidKey] = newValue ? Annotations.identity : nil }
  }
}

extension Annotations {
  /// On an entity of a model that was taken from data, what somebody said of it.
  fileprivate static let saidKey = "broker.said"
  fileprivate static let identity = "identity"
  /// On an entity, what nulls among its objects are.
  fileprivate static let nullsKey = "broker.nulls"
  fileprivate static let omitted = "omit"
  /// On an attribute of a model that was taken from data, of which nothing came that tells what it is.
  package static let untypedKey = "broker.untyped"
  /// On an attribute of a model that was taken from data, whose values are said to name no objects.
  fileprivate static let linkKey = "broker.link"
  fileprivate static let noLink = "none"

  /// Values that say nothing of what others are.
  package enum Untyped: String, Sendable {
    case nulls = "true"
    /// Empty lists, and nulls beside them.
    case emptyLists = "list"
  }

  /// The keys of Broker's own dialect.
  private static let known: Set<String> = [
    "broker.identity", "broker.key", "broker.value", "broker.default", "broker.dateFormat", "broker.timeZone",
    "broker.transformer", "broker.ignored", "broker.exported", "broker.discriminator",
    "broker.discriminator.default", "broker.discriminator.function", "broker.discriminator.wrapper",
    "broker.kind", "broker.toMany",
    "broker.references", "broker.version", "broker.values", "broker.unknown",
    "broker.search", "broker.dictionary", "broker.dictionary.value",
    "broker.inside.attributes", "broker.inside.relationships", "broker.inside.targets", "broker.constants",
    "broker.polymorphic", "broker.only", "broker.exportedKey", nullsKey, untypedKey, linkKey,
    saidKey,
  ]
  /// Keys of which there may be several, with `.1`, `.2` … behind them.
  private static let numbered = ["broker.key", "broker.value"]

  /// The keys of Broker's own dialect that do not exist, in alphabetical order.
  package var unknownKeys: [String] {
    userInfo.keys.filter { $0.hasPrefix("broker.") && !Self.isKnown($0) }.sorted()
  }

  private static func isKnown(_ key: String) -> Bool {
    if known.contains(key) { return true }
    guard let dot = key.lastIndex(of: "."), Int(key[key.index(after: dot)...]) != nil else { return false }
    return numbered.contains(String(key[..<dot]))
  }

  /// The key that somebody who wrote an unknown one most likely meant.
  package static func suggestion(for key: String) -> String? {
    if let dot = key.lastIndex(of: "."), Int(key[key.index(after: dot)...]) != nil,
      known.contains(String(key[..<dot]))
    {
      return "write all of them in one “\(key[..<dot])”, with commas between them"
    }
    return nearestName(to: key, in: known.sorted()).map { "did you mean “\($0)”?" }
  }
}

extension ModelChecker {
  /// Annotations of Broker's that it does not have. What they stand at may be meant otherwise, so that an import
  /// leaves it out.
  mutating func checkUnknownAnnotations(of entity: Entity) {
    for key in entity.annotations.unknownKeys {
      warning(
        "\(Self.quoted(key)) is no annotation of Broker's; it is not used", entity: entity.name,
        advice: Annotations.suggestion(for: key))
    }
    let properties =
      entity.attributes.map { ($0.name, $0.annotations) }
      + entity.relationships.map { ($0.name, $0.annotations) }
    for (name, annotations) in properties where !annotations.isIgnored {
      for key in annotations.unknownKeys {
        warning(
          "\(Self.quoted(key)) is no annotation of Broker's; imports leave the property out",
          entity: entity.name, property: name, advice: Annotations.suggestion(for: key))
      }
    }
  }
}
