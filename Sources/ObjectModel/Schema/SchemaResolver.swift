/// Does the work of ``Schema/init(_:)``, a stage a function.
struct SchemaResolver {
  let model: Model
  let indexByName: [String: Int]
  private(set) var relationships: [SchemaRelationship] = []
  /// For each entity, itself and its ancestors up to the topmost.
  private let lineage: [[Int]]
  private var roots: [Int] = []
  /// The entities that relationships lead to, and for each by which of its attributes they say that they refer to
  /// it, where they say so.
  private let referred: [Int: [[String]]]
  private var relationshipsOfEntity: [[Int]] = []
  /// For each entity, what identifies its objects.
  private var declaredIdentities: [DeclaredIdentity?] = []

  init(_ model: Model) throws(SchemaError) {
    self.model = model
    var indexByName: [String: Int] = [:]
    for (index, entity) in model.entities.enumerated() {
      guard indexByName.updateValue(index, forKey: entity.name) == nil else {
        throw SchemaError(entity: entity.name, message: "is declared twice")
      }
    }
    self.indexByName = indexByName
    referred = Self.referred(in: model, indexByName)
    lineage = try Self.lineage(of: model, indexByName)
    try checkDestinations()
    declaredIdentities = model.entities.indices.map(declaredIdentity)
    roots = model.entities.indices.map { root(of: $0) }
    resolveRelationships()
    pairInverses()
  }

  // MARK: - Inheritance

  private static func lineage(
    of model: Model, _ indexByName: [String: Int]
  ) throws(SchemaError) -> [[Int]] {
    var result: [[Int]] = []
    for (index, entity) in model.entities.enumerated() {
      var line = [index]
      var current = entity
      while let parent = current.parent {
        guard let next = indexByName[parent] else {
          throw SchemaError(entity: current.name, message: "inherits from \(parent), which does not exist")
        }
        guard !line.contains(next) else {
          throw SchemaError(entity: entity.name, message: "inherits from itself")
        }
        guard line.count <= EntityHierarchy.deepest else {
          throw SchemaError(entity: entity.name, message: SchemaError.tooDeep)
        }
        line.append(next)
        current = model.entities[next]
      }
      result.append(line)
    }
    return result
  }

  /// The topmost ancestor that is more than a shared list of properties.
  ///
  /// An abstract entity without identity that no relationship leads to is passed over: objects of its
  /// sub-entities have nothing in common that a table or an identity could hold.
  private func root(of entity: Int) -> Int {
    for candidate in lineage[entity].reversed() where candidate != entity {
      let declared = model.entities[candidate]
      if !declared.isAbstract || referred[candidate] != nil || declaredIdentities[candidate] != nil {
        return candidate
      }
    }
    return entity
  }

  private func ancestry(of entity: Int) -> [Int] {
    let line = lineage[entity]
    return Array(line[...(line.firstIndex(of: roots[entity]) ?? line.count - 1)])
  }

  // MARK: - Entities

  mutating func entities() throws(SchemaError) -> [SchemaEntity] {
    var attributes: [[SchemaAttribute]] = []
    for index in model.entities.indices { attributes.append(try self.attributes(of: index)) }
    let declared = model.entities.indices.map(identityOwner)
    var identities = IdentityResolver(self, attributes, declared)
    var result: [SchemaEntity] = []
    for (index, entity) in model.entities.enumerated() {
      let identity = try identities.parts(of: index)
      for case let relationship? in identity.map(\.relationship) {
        relationships[relationship].makeIdentity()
      }
      result.append(
        SchemaEntity(
          index: index, name: entity.name, isAbstract: entity.isAbstract, root: roots[index],
          ancestry: ancestry(of: index), attributes: attributes[index],
          relationships: relationshipsOfEntity[index], identity: identity,
          identityOwner: declared[index].owner, declaredIdentity: declared[index].identity))
    }
    return result
  }

  private func attributes(of entity: Int) throws(SchemaError) -> [SchemaAttribute] {
    var result: [SchemaAttribute?] = []
    var places: [String: Int] = [:]
    for owner in lineage[entity].reversed() {
      for attribute in model.entities[owner].attributes where !attribute.isTransient {
        for part in try flattened(attribute, owner: owner, prefix: "", container: [], depth: 0) {
          // A sub-entity may declare an inherited attribute again.
          if let former = places.updateValue(result.count, forKey: part.name) { result[former] = nil }
          result.append(part)
        }
      }
    }
    return result.compactMap(\.self)
  }

  /// An attribute, or what it is composed of.
  private func flattened(
    _ attribute: Attribute, owner: Int, prefix: String, container: [String], depth: Int
  ) throws(SchemaError) -> [SchemaAttribute] {
    let name = prefix + attribute.name
    guard case .composite(let typeName) = attribute.type else {
      return [SchemaAttribute(name: name, attribute: attribute, owner: owner, container: container)]
    }
    let entity = model.entities[owner].name
    guard let composite = model.composites.first(where: { $0.name == typeName }) else {
      throw SchemaError(
        entity: entity, property: name, message: "is of the composite \(typeName), which does not exist")
    }
    guard depth < 16 else {
      throw SchemaError(entity: entity, property: name, message: "contains itself")
    }
    let keys = attribute.annotations.keys.isEmpty ? [attribute.name] : attribute.annotations.keys
    let containers =
      container.isEmpty ? keys : container.flatMap { outer in keys.map { JSONKeyPath.joined(outer, $0) } }
    var result: [SchemaAttribute] = []
    for part in composite.attributes where !part.isTransient {
      var part = part
      part.isOptional = part.isOptional || attribute.isOptional
      result += try flattened(
        part, owner: owner, prefix: name + ".", container: containers, depth: depth + 1)
    }
    return result
  }

  // MARK: - Identity

  /// The entity whose identity an entity has, and that: the topmost, from the root on, that declares one.
  private func identityOwner(of entity: Int) -> (owner: Int, identity: DeclaredIdentity?) {
    for candidate in ancestry(of: entity).reversed() {
      if let declared = declaredIdentities[candidate] { return (candidate, declared) }
    }
    return (roots[entity], nil)
  }

  func name(of entity: Int) -> String { model.entities[entity].name }

  /// The entity whose table an entity is in.
  func root(_ entity: Int) -> Int { roots[entity] }

  func relationship(_ name: String, of entity: Int) -> SchemaRelationship? {
    relationshipsOfEntity[entity].first { relationships[$0].name == name }.map { relationships[$0] }
  }

  /// The identity of an entity's objects, by its own properties and those it inherits; nil if there is none.
  private func declaredIdentity(of entity: Int) -> DeclaredIdentity? {
    var whole = model.entities[entity]
    whole.attributes = lineage[entity].reversed().flatMap { model.entities[$0].attributes }
    whole.relationships = lineage[entity].reversed().flatMap { model.entities[$0].relationships }
    if whole.annotatedIdentity == nil, let names = identityByReference(to: entity) {
      whole.userInfo["broker.identity"] = names.joined(separator: ",")
    }
    // A constraint over a relationship keeps objects apart. Many models have one that was not meant to identify.
    whole.uniquenessConstraints.removeAll { names in
      !names.allSatisfy { name in whole.attributes.contains { $0.name == name && $0.canIdentify } }
    }
    guard let declared = whole.declaredIdentity, declared.source == .convention,
      !model.entities[entity].attributes.contains(where: { $0.name == declared.properties[0] })
    else { return whole.declaredIdentity }
    // The attributes of an ancestor that has no identity identify nothing in its heirs either.
    return lineage[entity].dropFirst().contains { model.entities[$0].saysNoIdentity } ? nil : declared
  }

  /// The attributes by which relationships say that they refer to an entity's objects, if they agree.
  private func identityByReference(to entity: Int) -> [String]? {
    guard let names = referred[entity], let first = names.first, names.allSatisfy({ $0 == first }) else {
      return nil
    }
    let attributes = lineage[entity].flatMap { model.entities[$0].attributes }
    let isUsable = first.allSatisfy { name in attributes.contains { $0.name == name && $0.canIdentify } }
    return isUsable ? first : nil
  }

  // MARK: - Relationships

  private static func referred(in model: Model, _ indexByName: [String: Int]) -> [Int: [[String]]] {
    var result: [Int: [[String]]] = [:]
    for relationship in model.entities.lazy.flatMap(\.relationships) {
      guard let destination = indexByName[relationship.destination] else { continue }
      let names = relationship.annotations.targetIdentityAttributes
      result[destination, default: []] += names.map { [$0] } ?? []
    }
    return result
  }

  private func checkDestinations() throws(SchemaError) {
    for entity in model.entities {
      for relationship in entity.relationships where !relationship.isTransient {
        guard indexByName[relationship.destination] != nil else {
          throw SchemaError(
            entity: entity.name, property: relationship.name,
            message: "leads to \(relationship.destination), which does not exist")
        }
      }
    }
  }

  /// Gives every relationship its index: once for each root whose entities have it.
  private mutating func resolveRelationships() {
    struct Place: Hashable {
      var root: Int
      var owner: Int
      var name: String
    }
    var known: [Place: Int] = [:]
    for entity in model.entities.indices {
      var indices: [Int] = []
      for owner in lineage[entity].reversed() {
        for relationship in model.entities[owner].relationships where !relationship.isTransient {
          guard let destination = indexByName[relationship.destination] else { continue }
          let place = Place(root: roots[entity], owner: owner, name: relationship.name)
          let index = known[place] ?? relationships.count
          if known.updateValue(index, forKey: place) == nil {
            // An ancestor above the root has no table, so its relationships belong to the root's.
            let holder = lineage[roots[entity]].dropFirst().contains(owner) ? roots[entity] : owner
            relationships.append(
              SchemaRelationship(
                index: index, relationship: relationship, owner: holder, destination: destination))
          }
          indices.removeAll { relationships[$0].name == relationship.name }
          indices.append(index)
        }
      }
      relationshipsOfEntity.append(indices)
    }
  }

  /// Pairs relationships that name each other. Where only one names the other, neither has an inverse.
  private mutating func pairInverses() {
    for relationship in relationships {
      guard let name = relationship.relationship.inverse else { continue }
      let candidates = relationshipsOfEntity[relationship.destination]
      relationships[relationship.index].inverse = candidates.first { index in
        let back = relationships[index]
        return back.name == name && back.relationship.inverse == relationship.name
          && lineage[relationship.owner].contains(back.destination)
      }
    }
    for relationship in relationships {
      if let inverse = relationship.inverse, relationships[inverse].inverse != relationship.index {
        relationships[relationship.index].inverse = nil
      }
    }
  }
}

/// Finds the values that identify the objects of entities: those of attributes, and in place of a relationship those
/// that identify the object that it leads to.
struct IdentityResolver {
  private let resolver: SchemaResolver
  private let attributes: [[SchemaAttribute]]
  private let declared: [(owner: Int, identity: DeclaredIdentity?)]
  /// By entity, once found.
  private var known: [[IdentityPart]?]
  /// The entities whose identities are being looked for, each leading to the next.
  private var path: [Int] = []

  /// More values would make keys that no table needs.
  private static let mostParts = 64
  /// How many entities an identity may lead through.
  private static let deepest = 16

  init(
    _ resolver: SchemaResolver, _ attributes: [[SchemaAttribute]],
    _ declared: [(owner: Int, identity: DeclaredIdentity?)]
  ) {
    self.resolver = resolver
    self.attributes = attributes
    self.declared = declared
    known = Array(repeating: nil, count: attributes.count)
  }

  /// The values that identify the objects of an entity; none if it has no identity.
  mutating func parts(of entity: Int) throws(SchemaError) -> [IdentityPart] {
    if let parts = known[entity] { return parts }
    path.append(declared[entity].owner)
    defer { path.removeLast() }
    var parts: [IdentityPart] = []
    for name in declared[entity].identity?.properties ?? [] {
      if let index = attributes[entity].firstIndex(where: { $0.name == name }) {
        parts.append(try part(index, of: entity))
      } else if !parts.contains(where: { $0.name.hasPrefix("\(name).") }) {
        parts += try self.parts(ofTargetOf: name, of: entity)
      }
    }
    guard parts.count <= Self.mostParts else {
      throw error(
        entity, nil, "has an identity of \(parts.count) values: \(Self.mostParts) are the most")
    }
    known[entity] = parts
    return parts
  }

  // MARK: - Attributes

  private func part(_ index: Int, of entity: Int) throws(SchemaError) -> IdentityPart {
    let attribute = attributes[entity][index]
    switch attribute.type {
    case .binary, .transformable, .undefined, .composite:
      throw error(entity, attribute.name, "cannot be an identity: its values cannot be compared")
    default: return IdentityPart(index, of: entity, attribute)
    }
  }

  // MARK: - Relationships

  /// The values that identify the object that a relationship leads to.
  private mutating func parts(
    ofTargetOf name: String, of entity: Int
  ) throws(SchemaError) -> [IdentityPart] {
    guard let relationship = resolver.relationship(name, of: entity) else {
      throw error(entity, name, "is named as identity and is not a stored attribute")
    }
    try check(relationship, of: entity)
    let target = relationship.destination
    guard !path.contains(declared[target].owner), path.count < Self.deepest else {
      throw error(
        entity, name, "cannot be an identity: the identity of \(resolver.name(of: target)) leads back to it")
    }
    let parts = try parts(of: target)
    guard !parts.isEmpty else {
      throw error(entity, name, "cannot be an identity: \(resolver.name(of: target)) has none")
    }
    return parts.enumerated().map { IdentityPart($1, at: $0, by: relationship) }
  }

  private func check(_ relationship: SchemaRelationship, of entity: Int) throws(SchemaError) {
    let (owner, target) = (declared[entity].owner, relationship.destination)
    if relationship.isToMany {
      throw error(entity, relationship.name, "cannot be an identity: it is to-many")
    }
    if relationship.index != resolver.relationship(relationship.name, of: owner)?.index {
      throw error(
        entity, relationship.name,
        "is declared again, and is the identity of \(resolver.name(of: owner)), from which it inherits")
    }
    let isAlone = declared[entity].identity?.properties.count == 1
    if !isAlone, let inverse = relationship.inverse, !resolver.relationships[inverse].isToMany {
      throw error(
        entity, relationship.name,
        "cannot be a part of an identity: it is one-to-one, so it identifies objects by itself")
    }
    for identified in [owner, target] where declared[identified].owner != resolver.root(identified) {
      throw error(
        entity, relationship.name,
        "cannot be an identity: the identity of \(resolver.name(of: identified)) does not hold for all of"
          + " \(resolver.name(of: resolver.root(identified)))")
    }
  }

  private func error(_ entity: Int, _ property: String?, _ message: String) -> SchemaError {
    SchemaError(entity: resolver.name(of: declared[entity].owner), property: property, message: message)
  }
}

/// One value of an identity: that of an attribute, or a value of the identity of the object that a to-one relationship
/// leads to.
package struct IdentityPart: Sendable {
  /// The attribute; for a value of another object, the names on the way joined by dots: `crate.id`.
  package let name: String
  /// The attribute, as an index into ``SchemaEntity/attributes``; nil for a value of another object.
  package let attribute: Int?
  /// The relationship that leads to the other object, as an index into ``Schema/relationships``.
  package let relationship: Int?
  /// The index of the value in the other object's identity.
  package let place: Int
  /// The model's rules for the value.
  package let type: AttributeType
  /// The attribute that has the value, by its entity and its index there.
  package let source: AttributePlace

  package struct AttributePlace: Sendable {
    package let entity: Int
    package let attribute: Int
  }

  init(_ attribute: Int, of entity: Int, _ declared: SchemaAttribute) {
    name = declared.name
    self.attribute = attribute
    relationship = nil
    place = 0
    type = declared.type
    source = AttributePlace(entity: entity, attribute: attribute)
  }

  /// A value of the object that a relationship leads to.
  init(_ target: IdentityPart, at place: Int, by relationship: SchemaRelationship) {
    name = "\(relationship.name).\(target.name)"
    attribute = nil
    self.relationship = relationship.index
    self.place = place
    type = target.type
    source = target.source
  }
}

extension SchemaEntity {
  /// The attributes that are parts of the identity, as indices into ``attributes``.
  package var identityAttributes: [Int] { identity.compactMap(\.attribute) }

  /// The to-one relationships that are parts of the identity, as indices into ``Schema/relationships``.
  package var identityRelationships: [Int] {
    identity.filter { $0.place == 0 }.compactMap(\.relationship)
  }
}

extension Schema {
  /// The properties that are an entity's identity, as the model names them.
  package func identityNames(of entity: SchemaEntity) -> [String] {
    entity.identity.filter { $0.place == 0 }.map { part in
      part.relationship.map { relationships[$0].name } ?? part.name
    }
  }
}
