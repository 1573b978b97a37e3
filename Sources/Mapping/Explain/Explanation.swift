/// Which keys of a JSON document fill which properties, and why a key fills one or does not.
package struct Explanation: Sendable, Hashable, Codable {
  /// The entities that the document has objects of; first those whose objects had no key that matched.
  package var entities: [EntityExplanation] = []
  /// The entities that the document has no objects of, without abstract ones.
  package var absentEntities: [String] = []
  /// Keys of the document that name no entity, with how often each came.
  package var unmatchedKeys: [String: Int] = [:]
}

/// What becomes of the keys of an entity's objects.
package struct EntityExplanation: Sendable, Hashable, Codable {
  /// Where an entity has its identity from.
  package enum IdentitySource: String, Sendable, Hashable, Codable {
    /// The mapping says it, or an annotation of the model.
    case stated
    /// It is the entity's only uniqueness constraint.
    case uniquenessConstraint
    /// It is an attribute whose name is usual for identities.
    case name
  }

  package var entity: String
  /// The attributes that say which object an object is; empty if it has no identity.
  package var identity: [String]
  /// Nil if the entity has no identity.
  package var identitySource: IdentitySource?
  /// Whether any key of its objects matched a property.
  package var isMatched: Bool
  /// The keys and key paths that came: those that fill something first, then the others, each by how often they came.
  package var keys: [KeyExplanation] = []
  /// The properties that no key came for.
  package var unfilled: [PropertyExplanation] = []
}

/// What becomes of a key.
package struct KeyExplanation: Sendable, Hashable, Codable {
  /// Why a key fills a property, or why it does not.
  package enum Reason: String, Sendable, Hashable, Codable {
    /// The mapping or an annotation of the model says so.
    case mapped
    /// It is the property's name.
    case name
    /// It is the property's name in another style.
    case style
    /// The property's name is a reserved word, which the model writes with the entity's name before it.
    case reserved
    /// It is `id`, and the property is the identity.
    case identity
    /// It gives the objects of a relationship by their identities.
    case reference
    /// It tells the kind of the objects that another key leads to.
    case kind
    /// It is a wrapper around the object.
    case wrapper
    /// Key paths lead through it.
    case path
    /// The mapping says to ignore it.
    case ignored
    /// The entity has nothing of this name.
    case unmatched
  }

  /// The key, or the key path.
  package var key: String
  /// How often it came.
  package var count: Int
  /// The property that it fills.
  package var property: String?
  package var reason: Reason
  /// How many of its values could not be used.
  package var issueCount = 0
  /// The first of them.
  package var firstIssue: ImportIssue?
  /// If the key matches nothing: the property that it may have been meant for.
  package var nearest: String?
}

/// A property that no key came for.
package struct PropertyExplanation: Sendable, Hashable, Codable {
  package var property: String
  /// Whether objects cannot be inserted without it.
  package var isRequired: Bool
  /// The keys that would fill it.
  package var keys: [String]
  /// A key that came and matched nothing, and whose name is close to this one.
  package var nearest: String?
}
