/// Which parts of one version of a model are which of another.
///
/// Attributes and relationships are compared entity by entity, with all that each inherits: so a property that moves
/// between an entity and its parent stays what it is.
package struct ModelCorrespondence: Sendable {
  package let old: Schema
  package let new: Schema
  /// For each entity of the new version, the one of the old version.
  package let oldEntity: [Int?]
  /// For each entity of the old version, the one of the new version.
  package let newEntity: [Int?]
  /// For each entity of the new version, for each of its attributes: the attribute of the old entity.
  package let oldAttributes: [[Int?]]
  /// For each entity of the new version, by its relationships: the relationship of the old entity.
  package let oldRelationships: [[Int: Int]]

  package init(old: Schema, new: Schema) {
    self.old = old
    self.new = new
    let pairs = NamePairs(
      old: old.model.entities.map(NamePairs.Name.init), new: new.model.entities.map(NamePairs.Name.init))
    oldEntity = pairs.oldOfNew
    var newEntity = [Int?](repeating: nil, count: old.entities.count)
    for case (let index, let other?) in oldEntity.enumerated() { newEntity[other] = index }
    self.newEntity = newEntity
    var attributes: [[Int?]] = []
    var relationships: [[Int: Int]] = []
    let hierarchies = (EntityHierarchy(old.model), EntityHierarchy(new.model))
    for entity in new.entities {
      guard let other = oldEntity[entity.index].map({ old.entities[$0] }) else {
        attributes.append(Array(repeating: nil, count: entity.attributes.count))
        relationships.append([:])
        continue
      }
      attributes.append(Self.attributes(of: entity, other, old, new, hierarchies))
      relationships.append(Self.relationships(of: entity, other, old, new))
    }
    oldAttributes = attributes
    oldRelationships = relationships
  }

  // MARK: - Identities

  /// Which value of an old entity's identity one of a new entity's identity is; nil if it is none.
  package func oldIdentityPart(_ part: IdentityPart, of entity: SchemaEntity, _ former: SchemaEntity) -> Int?
  {
    former.identity.firstIndex { isSame(part, $0, entity) }
  }

  /// Whether two values of identities, or of those of objects that they lead to, are the same.
  private func isSame(_ part: IdentityPart, _ former: IdentityPart, _ entity: SchemaEntity) -> Bool {
    if let attribute = part.attribute {
      return former.attribute != nil && oldAttributes[entity.index][attribute] == former.attribute
    }
    guard let relationship = part.relationship, let other = former.relationship,
      oldRelationships[entity.index][relationship] == other
    else { return false }
    let source = part.source
    return oldEntity[source.entity] == former.source.entity
      && oldAttributes[source.entity][source.attribute] == former.source.attribute
  }

  /// Whether the identity of a new entity has the values of an old entity's, in their order.
  package func hasSameIdentity(_ entity: SchemaEntity, _ former: SchemaEntity) -> Bool {
    entity.identity.map { oldIdentityPart($0, of: entity, former) }
      == former.identity.indices.map(Optional.some)
  }

  // MARK: - Attributes

  private static func attributes(
    of entity: SchemaEntity, _ other: SchemaEntity, _ old: Schema, _ new: Schema,
    _ hierarchies: (old: EntityHierarchy, new: EntityHierarchy)
  ) -> [Int?] {
    var names: [String: String] = [:]
    pair(
      declared(hierarchies.old.attributes(of: old.model.entities[other.index])), old.model, prefix: "",
      declared(hierarchies.new.attributes(of: new.model.entities[entity.index])), new.model, prefix: "",
      depth: 0, into: &names)
    let indices = Dictionary(
      other.attributes.indices.map { (other.attributes[$0].name, $0) }, uniquingKeysWith: { $1 })
    return entity.attributes.map { attribute in names[attribute.name].flatMap { indices[$0] } }
  }

  /// The stored attributes of a list. One that a sub-entity declares again takes the place of the inherited one.
  private static func declared(_ attributes: [Attribute]) -> [Attribute] {
    var result: [String: Attribute] = [:]
    var order: [String] = []
    for attribute in attributes where !attribute.isTransient {
      if result.updateValue(attribute, forKey: attribute.name) == nil { order.append(attribute.name) }
    }
    return order.compactMap { result[$0] }
  }

  /// Finds the pairs of attributes, and of those that composites are made of, by their names with all names around them.
  private static func pair(
    _ old: [Attribute], _ oldModel: Model, prefix oldPrefix: String, _ new: [Attribute], _ newModel: Model,
    prefix newPrefix: String, depth: Int, into names: inout [String: String]
  ) {
    guard depth < 16 else { return }
    let pairs = NamePairs(old: old.map(NamePairs.Name.init), new: new.map(NamePairs.Name.init))
    for case (let index, let other?) in pairs.oldOfNew.enumerated() {
      let (before, after) = (old[other], new[index])
      switch (before.type, after.type) {
      case (.composite(let oldName), .composite(let newName)):
        pair(
          declared(oldModel.composite(oldName)), oldModel, prefix: oldPrefix + before.name + ".",
          declared(newModel.composite(newName)), newModel, prefix: newPrefix + after.name + ".",
          depth: depth + 1, into: &names)
      case (.composite, _), (_, .composite): continue
      default: names[newPrefix + after.name] = oldPrefix + before.name
      }
    }
  }

  // MARK: - Relationships

  private static func relationships(
    of entity: SchemaEntity, _ other: SchemaEntity, _ old: Schema, _ new: Schema
  ) -> [Int: Int] {
    let pairs = NamePairs(
      old: other.relationships.map { NamePairs.Name(old.relationships[$0].relationship) },
      new: entity.relationships.map { NamePairs.Name(new.relationships[$0].relationship) })
    var result: [Int: Int] = [:]
    for case (let index, let former?) in pairs.oldOfNew.enumerated() {
      result[entity.relationships[index]] = other.relationships[former]
    }
    return result
  }
}

extension Model {
  fileprivate func composite(_ name: String) -> [Attribute] {
    composites.first { $0.name == name }?.attributes ?? []
  }
}
