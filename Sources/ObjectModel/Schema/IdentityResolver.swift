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
