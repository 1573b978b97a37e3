/// The pairs of parts of two versions of a model that are the same part.
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
  /// For each entity of the new version, by its to-ones: the attribute of the old entity whose values are the keys of the targets.
  package let oldKeys: [[Int: Int]]
  /// For each entity of the new version, by its to-manys: the attribute of the old entity whose JSON lists have the keys of the
  /// targets.
  package let oldKeyLists: [[Int: Int]]
  /// For each entity of the new version, by its attributes: the relationship of the old entity whose keys are the values, those of a
  /// to-many in a list each.
  package let oldLinks: [[Int: Int]]

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
    let linked = Set(relationships.flatMap(\.keys))
    oldKeys = new.entities.map { entity in
      guard let other = pairs.oldOfNew[entity.index] else { return [:] }
      let taken = Set(attributes[entity.index].compactMap(\.self))
      return Self.keys(of: entity, old.entities[other], new, taken: taken, linked: linked)
    }
    oldKeyLists = new.entities.map { entity in
      guard let other = pairs.oldOfNew[entity.index] else { return [:] }
      let taken = Set(attributes[entity.index].compactMap(\.self))
      return Self.keyLists(of: entity, old.entities[other], new, taken: taken, linked: linked)
    }
    let kept = Set(relationships.flatMap(\.values))
    oldLinks = new.entities.map { entity in
      guard let other = pairs.oldOfNew[entity.index] else { return [:] }
      let known = Set(attributes[entity.index].indices.filter { attributes[entity.index][$0] != nil })
      return Self.links(of: entity, old.entities[other], old, known: known, kept: kept)
    }
  }

  // MARK: - Identities

  /// The value of an old entity's identity that one of a new entity's identity is; nil if it is none.
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

  /// The attributes that became to-ones: each is gone, its name is the to-one's or the identifier that this has, and the
  /// values of its type are identities of the targets. Partners of one-to-ones are none, since values may come twice.
  private static func keys(
    of entity: SchemaEntity, _ other: SchemaEntity, _ new: Schema, taken: Set<Int>,
    linked: Set<Int>
  ) -> [Int: Int] {
    var result: [Int: Int] = [:]
    for index in entity.relationships where !linked.contains(index) {
      let relationship = new.relationships[index]
      if let inverse = relationship.inverse, linked.contains(inverse) || !new.relationships[inverse].isToMany
      {
        continue
      }
      guard !relationship.isToMany, !relationship.isIdentity, let type = new.keyType(of: relationship)
      else { continue }
      guard let former = attribute(of: other, called: relationship, besides: taken.union(result.values)),
        other.attributes[former].type.holdsKeys(of: type)
      else { continue }
      result[index] = former
    }
    return result
  }

  /// The attributes that became to-manys: each is gone, its name is the to-many's or the identifier that this has, it is JSON,
  /// and the identities of the targets are texts or whole numbers, as elements of lists are. Where a target has one owner, lists
  /// of several may have it, and so they stay attributes.
  private static func keyLists(
    of entity: SchemaEntity, _ other: SchemaEntity, _ new: Schema, taken: Set<Int>, linked: Set<Int>
  ) -> [Int: Int] {
    var result: [Int: Int] = [:]
    for index in entity.relationships where !linked.contains(index) {
      let relationship = new.relationships[index]
      guard relationship.isToMany, let type = new.keyType(of: relationship), type.isInLists,
        let inverse = relationship.inverse, inverse != index, !linked.contains(inverse),
        new.relationships[inverse].isToMany
      else { continue }
      guard let former = attribute(of: other, called: relationship, besides: taken.union(result.values)),
        other.attributes[former].type == .transformable
      else { continue }
      result[index] = former
    }
    return result
  }

  /// The attribute of an old entity that has the name of a relationship, or the identifier that this has.
  private static func attribute(
    of entity: SchemaEntity, called relationship: SchemaRelationship, besides taken: Set<Int>
  ) -> Int? {
    let names = [relationship.relationship.renamingIdentifier, relationship.name].compactMap(\.self)
    guard let former = names.lazy.compactMap({ entity.attribute($0) }).first, !taken.contains(former) else {
      return nil
    }
    return former
  }

  /// The attributes of an old entity that are relationships of a new one now.
  func linkedAttributes(_ entity: SchemaEntity) -> [Int] {
    Array(oldKeys[entity.index].values) + Array(oldKeyLists[entity.index].values)
  }
}

extension ModelCorrespondence {
  /// The relationships that became attributes: each is gone, its name is the attribute's or the identifier that this has, and its keys
  /// are values of the attribute's type, those of a to-many a list of JSON. Where the other end stays, it keeps the links.
  private static func links(
    of entity: SchemaEntity, _ other: SchemaEntity, _ old: Schema, known: Set<Int>, kept: Set<Int>
  ) -> [Int: Int] {
    var result: [Int: Int] = [:]
    for (index, attribute) in entity.attributes.enumerated() where !known.contains(index) {
      let names = [attribute.attribute.renamingIdentifier, attribute.name].compactMap(\.self)
      let former = names.lazy.compactMap { name in
        other.relationships.first { old.relationships[$0].name == name }
      }.first
      guard let former, !kept.contains(former), !result.values.contains(former) else { continue }
      let relationship = old.relationships[former]
      if let inverse = relationship.inverse,
        kept.contains(inverse) || !relationship.isToMany && !old.relationships[inverse].isToMany
      {
        continue
      }
      guard !relationship.isIdentity, let type = old.keyType(of: relationship),
        relationship.isToMany
          ? attribute.type == .transformable && type.isInLists : type.holdsKeys(of: attribute.type)
      else { continue }
      result[index] = former
    }
    return result
  }

  /// Whether a relationship of the old version, or its inverse, became an attribute.
  func isAttributeNow(_ relationship: SchemaRelationship) -> Bool {
    oldLinks.contains { links in
      links.values.contains { $0 == relationship.index || $0 == relationship.inverse }
    }
  }
}

extension Schema {
  /// The type of the attribute that alone identifies a relationship's targets, and is their key; nil if none is.
  fileprivate func keyType(of relationship: SchemaRelationship) -> AttributeType? {
    let target = entities[relationship.destination]
    guard entities[target.root].hasIdentity, target.identity.count == 1, let part = target.identity.first,
      part.attribute != nil
    else { return nil }
    return part.type
  }
}

extension AttributeType {
  /// Whether elements of JSON lists may be the keys of objects that values of this type identify.
  package var isInLists: Bool {
    switch self {
    case .string, .uri, .uuid, .integer16, .integer32, .integer64: true
    default: false
    }
  }

  /// Whether values of this type may be the keys of objects that values of another identify: the store keeps them alike.
  package func holdsKeys(of other: AttributeType) -> Bool {
    switch (self, other) {
    case (.integer16, .integer32), (.integer16, .integer64), (.integer32, .integer64), (.uri, .string): true
    case (.composite, _), (.transformable, _), (.undefined, _), (.binary, _): false
    default: self == other
    }
  }
}

extension Model {
  fileprivate func composite(_ name: String) -> [Attribute] {
    composites.first { $0.name == name }?.attributes ?? []
  }
}

/// The pairs of names in two versions of a model that name the same part.
///
/// A renaming identifier is a key that two versions share. In real models it is often the old name, often left over from
/// an earlier version, and sometimes there twice; so what tells more comes first:
///
/// 1. the same identifier on both sides, where the names are the same too, or where there is one on each side only;
/// 2. an identifier that is the name on the other side, given in the new version;
/// 3. in a circle of names of the old version, each of which has the next one as its identifier, the identifier: the names
///    were swapped, and a new version without identifiers has them back;
/// 4. the same name;
/// 5. an identifier of the old version that is the name in the new one.
struct NamePairs {
  struct Name {
    var name: String
    var identifier: String?
  }

  /// For each name of the new version, the one of the old version; nil if it is new.
  private(set) var oldOfNew: [Int?]
  private var isTaken: [Bool]

  init(old: [Name], new: [Name]) {
    oldOfNew = Array(repeating: nil, count: new.count)
    isTaken = Array(repeating: false, count: old.count)
    let oldByName = Dictionary(old.indices.map { (old[$0].name, $0) }, uniquingKeysWith: { $1 })
    let newByName = Dictionary(new.indices.map { (new[$0].name, $0) }, uniquingKeysWith: { $1 })
    pairIdentifiers(old, new, oldByName)
    for (index, name) in new.enumerated() {
      if let identifier = name.identifier, let other = oldByName[identifier] { pair(index, other) }
    }
    pairCircles(old, new, oldByName, newByName)
    for (index, name) in new.enumerated() {
      if let other = oldByName[name.name] { pair(index, other) }
    }
    for (index, name) in old.enumerated() {
      if let identifier = name.identifier, let other = newByName[identifier] { pair(other, index) }
    }
  }

  private mutating func pairIdentifiers(_ old: [Name], _ new: [Name], _ oldByName: [String: Int]) {
    for (index, name) in new.enumerated() {
      guard let identifier = name.identifier, let other = oldByName[name.name] else { continue }
      if old[other].identifier == identifier { pair(index, other) }
    }
    let oldGroups = groups(old) { !isTaken[$0] }
    let newGroups = groups(new) { oldOfNew[$0] == nil }
    for (identifier, indices) in newGroups where indices.count == 1 {
      guard let others = oldGroups[identifier], others.count == 1 else { continue }
      pair(indices[0], others[0])
    }
  }

  private mutating func pairCircles(
    _ old: [Name], _ new: [Name], _ oldByName: [String: Int], _ newByName: [String: Int]
  ) {
    for start in old.indices {
      var circle: [Int] = []
      var next: Int? = start
      while let index = next, !isTaken[index], !circle.contains(index),
        let identifier = old[index].identifier,
        let target = newByName[identifier], oldOfNew[target] == nil, new[target].identifier == nil
      {
        circle.append(index)
        next = oldByName[identifier]
      }
      guard circle.count > 1, next == start else { continue }
      for index in circle {
        if let identifier = old[index].identifier, let target = newByName[identifier] { pair(target, index) }
      }
    }
  }

  private func groups(_ names: [Name], where isFree: (Int) -> Bool) -> [String: [Int]] {
    var result: [String: [Int]] = [:]
    for index in names.indices where isFree(index) {
      if let identifier = names[index].identifier { result[identifier, default: []].append(index) }
    }
    return result
  }

  private mutating func pair(_ new: Int, _ old: Int) {
    guard oldOfNew[new] == nil, !isTaken[old] else { return }
    oldOfNew[new] = old
    isTaken[old] = true
  }
}

extension NamePairs.Name {
  init(_ entity: Entity) { self.init(name: entity.name, identifier: entity.renamingIdentifier) }
  init(_ attribute: Attribute) { self.init(name: attribute.name, identifier: attribute.renamingIdentifier) }
  init(_ relationship: Relationship) {
    self.init(name: relationship.name, identifier: relationship.renamingIdentifier)
  }
}

extension JSONMapping {
  /// The mapping of an earlier version of a model for a later one: under the new names, without what is gone.
  package func migrated(_ pairs: ModelCorrespondence) -> JSONMapping {
    var result = self
    result.entities = [:]
    for (name, mapping) in entities {
      guard let former = pairs.old.entity(name), let successor = pairs.newEntity[former.index] else {
        continue
      }
      let entity = pairs.new.entities[successor]
      result.entities[entity.name] = mapping.renamed(pairs.names(former, entity))
    }
    return result
  }
}

extension ModelCorrespondence {
  /// The names of an entity's properties, by their former names.
  package func names(_ former: SchemaEntity, _ entity: SchemaEntity) -> [String: String] {
    var names: [String: String] = [:]
    for case (let index, let other?) in oldAttributes[entity.index].enumerated() {
      names[former.attributes[other].name] = entity.attributes[index].name
    }
    for (index, other) in oldRelationships[entity.index] {
      names[old.relationships[other].name] = new.relationships[index].name
    }
    for (index, other) in oldKeys[entity.index].merging(
      oldKeyLists[entity.index], uniquingKeysWith: { first, _ in first })
    {
      names[former.attributes[other].name] = new.relationships[index].name
    }
    for (index, other) in oldLinks[entity.index] {
      names[old.relationships[other].name] = entity.attributes[index].name
    }
    return names
  }
}

extension EntityMapping {
  /// The same for properties that are called otherwise; what is said of others goes.
  fileprivate func renamed(_ names: [String: String]) -> EntityMapping {
    func renamed<Value>(_ values: [String: Value]) -> [String: Value] {
      Dictionary(
        values.compactMap { name, value in names[name].map { ($0, value) } },
        uniquingKeysWith: { first, _ in first })
    }
    var result = self
    result.identity = identity.map { $0.compactMap { names[$0] } }
    if result.identity?.count != identity?.count { result.identity = nil }
    result.keys = renamed(keys)
    result.dates = renamed(dates)
    result.transformers = renamed(transformers)
    result.ignored = ignored.compactMap { names[$0] }
    result.notExported = notExported.compactMap { names[$0] }
    result.unknownValues = unknownValues.map(renamed)
    result.toMany = renamed(toMany)
    result.references = renamed(references)
    result.version = version.flatMap { names[$0] }
    result.values = values.compactMapValues { names[$0] }
    result.dictionaries = renamed(dictionaries)
    result.only = renamed(only)
    result.exportedKeys = renamed(exportedKeys)
    result.polymorphic = polymorphic.compactMapValues { $0.renamed(names) }
    return result
  }
}

extension PolymorphicRule {
  /// The same for relationships that are called otherwise; nil if fewer than two are left.
  fileprivate func renamed(_ names: [String: String]) -> PolymorphicRule? {
    var result = self
    result.relationships = relationships.compactMap { names[$0] }
    result.values = [:]
    for (value, relationship) in values.pairs { result.values[value] = names[relationship] }
    return result.relationships.count > 1 ? result : nil
  }
}
