/// A link from the objects of an entity to objects of another, or the same.
public struct Relationship: Sendable, Hashable {
  public var name: String
  /// The name of the entity it leads to.
  public var destination: String
  /// The name of the relationship that leads back.
  public var inverse: String?
  /// The entity that the source says has the inverse; usually ``destination``.
  public var inverseEntity: String?
  public var isToMany: Bool
  public var isOrdered: Bool
  public var isOptional: Bool
  public var isTransient: Bool
  public var deleteRule: DeleteRule
  /// The least number of objects, if the model says one. Often wrong in Core Data files for a
  /// to-one: ``isOptional`` decides there.
  public var minimumCount: Int?
  /// The greatest number of objects.
  public var maximumCount: Int?
  public var userInfo: [String: String]
  public var renamingIdentifier: String?
  public var versionHashModifier: String?
  /// Further attributes of the source, kept for a round trip.
  public var other: [String: String]

  public init(
    name: String, destination: String, inverse: String? = nil, inverseEntity: String? = nil,
    isToMany: Bool = false, isOrdered: Bool = false, isOptional: Bool = true,
    isTransient: Bool = false, deleteRule: DeleteRule = .nullify, minimumCount: Int? = nil,
    maximumCount: Int? = nil, userInfo: [String: String] = [:], renamingIdentifier: String? = nil,
    versionHashModifier: String? = nil, other: [String: String] = [:]
  ) {
    self.name = name
    self.destination = destination
    self.inverse = inverse
    self.inverseEntity = inverseEntity
    self.isToMany = isToMany
    self.isOrdered = isOrdered
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.deleteRule = deleteRule
    self.minimumCount = minimumCount
    self.maximumCount = maximumCount
    self.userInfo = userInfo
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.other = other
  }
}

extension Relationship {
  /// Whether an object has to have a target.
  ///
  /// A required to-one needs one. A required list needs one only where a ``minimumCount`` is written: without it, Core
  /// Data accepts an empty list, and compiled models give such a relationship a minimum of 0.
  package var requiresTarget: Bool { !isOptional && leastCount > 0 }

  /// How few targets an object may have. An optional relationship may have none, whatever number this is.
  package var leastCount: Int {
    isToMany ? max(0, minimumCount ?? 0) : isOptional ? 0 : 1
  }
}

/// The delete rule: what happens to the objects that a deleted object leads to.
public enum DeleteRule: String, Sendable, Hashable, CaseIterable {
  /// They lose their link to it.
  case nullify
  /// They are deleted too.
  case cascade
  /// It is not deleted while there are any.
  case deny
  /// Nothing: their links to it dangle.
  case noAction
}
