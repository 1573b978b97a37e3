/// A model resolved: inheritance flattened, inverses paired, identities decided.
///
/// Entities, attributes and relationships are known by their indices, so that the layers above can keep flat
/// arrays of what they know about each.
public struct Schema: Sendable {
  /// The model that it resolves.
  public let model: Model
  /// The entities, in the model's order.
  package let entities: [SchemaEntity]
  /// Every relationship, once, with the entity that declares it.
  package let relationships: [SchemaRelationship]
  private let indexByName: [String: Int]
  /// For each entity, itself and its sub-entities.
  private let families: [[Int]]

  /// Resolves a model.
  ///
  /// - Throws: ``SchemaError`` for the first thing that makes the model unusable: a parent or a destination
  ///   that does not exist, an entity that inherits from itself, a name used twice, an identity that names
  ///   no attribute and no to-one relationship. `Model.problems()` lists all of them.
  public init(_ model: Model) throws(SchemaError) {
    var resolver = try SchemaResolver(model)
    self.model = model
    entities = try resolver.entities()
    var families = [[Int]](repeating: [], count: entities.count)
    for entity in entities {
      for ancestor in entity.ancestry { families[ancestor].append(entity.index) }
    }
    self.families = families
    relationships = resolver.relationships
    indexByName = resolver.indexByName
  }

  package func index(of name: String) -> Int? { indexByName[name] }

  package func entity(_ name: String) -> SchemaEntity? { indexByName[name].map { entities[$0] } }

  /// The entities that relationships to `entity` may lead to: itself and its sub-entities.
  package func family(of entity: Int) -> [Int] { families[entity] }
}

/// An entity with all that it inherits.
///
/// A class, since it is passed around for every row, and a copy of a structure would copy each of its arrays.
package final class SchemaEntity: Sendable {
  package let index: Int
  package let name: String
  package let isAbstract: Bool
  /// The entity that says which table this one lives in, and what its identity is.
  package let root: Int
  /// Itself, its parent, and so on up to its root.
  package let ancestry: [Int]
  /// Stored attributes, inherited ones first, composites taken apart.
  package let attributes: [SchemaAttribute]
  /// Indices into ``Schema/relationships``, inherited ones first.
  package let relationships: [Int]
  /// The values that say which object a JSON object is; empty if none.
  package let identity: [IdentityPart]

  package let hasIdentity: Bool
  /// Whether the objects that relationships lead to are parts of the identity.
  package let isIdentifiedByOthers: Bool
  /// Whether every attribute is a part of the identity.
  package let hasOnlyIdentity: Bool
  /// The entity whose identity it has: its root, or, where the root has none, a sub-entity that declares one.
  package let identityOwner: Int
  /// The identity that the model declares, and how it does.
  package let declaredIdentity: DeclaredIdentity?

  /// Whether the identity holds for this entity and its sub-entities only, not for all objects of its root.
  package var isIdentifiedBelowRoot: Bool { hasIdentity && identityOwner != root }

  init(
    index: Int, name: String, isAbstract: Bool, root: Int, ancestry: [Int], attributes: [SchemaAttribute],
    relationships: [Int], identity: [IdentityPart], identityOwner: Int, declaredIdentity: DeclaredIdentity?
  ) {
    self.index = index
    self.name = name
    self.isAbstract = isAbstract
    self.root = root
    self.ancestry = ancestry
    self.attributes = attributes
    self.relationships = relationships
    self.identity = identity
    hasIdentity = !identity.isEmpty
    isIdentifiedByOthers = identity.contains { $0.relationship != nil }
    hasOnlyIdentity = identity.count { $0.attribute != nil } == attributes.count
    self.identityOwner = identityOwner
    self.declaredIdentity = declaredIdentity
  }

  package func attribute(_ name: String) -> Int? { attributes.firstIndex { $0.name == name } }
}

/// A stored attribute of an entity.
package struct SchemaAttribute: Sendable {
  /// The attribute's name; for a part of a composite, the names on the way joined by dots.
  package let name: String
  /// The model's description of it.
  package let attribute: Attribute
  /// The entity that declares it.
  package let owner: Int
  /// For a part of a composite, the keys or key paths of the attribute that holds it.
  package let container: [String]

  package var type: AttributeType { attribute.type }
  package var isOptional: Bool { attribute.isOptional }
}

/// A relationship with its ends resolved.
package struct SchemaRelationship: Sendable {
  package let index: Int
  /// In a box, since relationships are passed on with every value: a copy counts one reference so, instead of each
  /// that the relationship has.
  private var declared: Declared
  /// The entity that declares it.
  package let owner: Int
  package let destination: Int
  /// The relationship that leads back, as an index into ``Schema/relationships``; maybe itself.
  package internal(set) var inverse: Int?
  /// Whether it is a part of its owner's identity.
  package private(set) var isIdentity = false

  /// The model's description of it.
  package var relationship: Relationship { declared.relationship }
  package var name: String { declared.relationship.name }
  package var isToMany: Bool { declared.relationship.isToMany }
  package var isOrdered: Bool { declared.relationship.isOrdered && declared.relationship.isToMany }
  package var isOptional: Bool { declared.relationship.isOptional }

  /// Whether an object has to have a target; see ``Relationship/requiresTarget``.
  package var requiresTarget: Bool { declared.relationship.requiresTarget }
  package var isItsOwnInverse: Bool { inverse == index }

  init(index: Int, relationship: Relationship, owner: Int, destination: Int) {
    self.index = index
    declared = Declared(relationship)
    self.owner = owner
    self.destination = destination
  }

  /// Makes it a part of its owner's identity, so that it is required whatever the model says.
  mutating func makeIdentity() {
    isIdentity = true
    var required = declared.relationship
    required.isOptional = false
    declared = Declared(required)
  }

  private final class Declared: Sendable {
    let relationship: Relationship

    init(_ relationship: Relationship) {
      self.relationship = relationship
    }
  }
}

/// The problems that make a model unusable.
public struct SchemaError: Error, Sendable, Hashable, CustomStringConvertible {
  public var entity: String
  public var property: String?
  public var message: String

  static let tooDeep = "has more than \(EntityHierarchy.deepest) ancestors"

  public var description: String {
    "The model cannot be used: \(entity)\(property.map { ".\($0)" } ?? "") \(message)."
  }
}
