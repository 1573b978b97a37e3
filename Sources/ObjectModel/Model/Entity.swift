/// A kind of object.
public struct Entity: Sendable, Hashable {
  public var name: String
  /// The name of the class that represents it in an app.
  public var className: String?
  /// The name of the entity it inherits from.
  public var parent: String?
  public var isAbstract: Bool
  public var attributes: [Attribute]
  public var relationships: [Relationship]
  /// Properties that a fetch request computes. Broker keeps them and does not use them.
  public var fetchedProperties: [FetchedProperty]
  /// Lists of property names whose values, together, no two objects share.
  public var uniquenessConstraints: [[String]]
  public var indexes: [Index]
  /// The model's `userInfo`, where mapping annotations live.
  public var userInfo: [String: String]
  /// The key shared by two versions of a model when an entity is renamed; Core Data's `elementID`.
  public var renamingIdentifier: String?
  /// Core Data's modifier of the version hash.
  public var versionHashModifier: String?
  /// Further attributes of the source, kept for a round trip: `syncable`, `codeGenerationType`.
  public var other: [String: String]

  public init(
    name: String, className: String? = nil, parent: String? = nil, isAbstract: Bool = false,
    attributes: [Attribute] = [], relationships: [Relationship] = [],
    fetchedProperties: [FetchedProperty] = [], uniquenessConstraints: [[String]] = [],
    indexes: [Index] = [], userInfo: [String: String] = [:], renamingIdentifier: String? = nil,
    versionHashModifier: String? = nil, other: [String: String] = [:]
  ) {
    self.name = name
    self.className = className
    self.parent = parent
    self.isAbstract = isAbstract
    self.attributes = attributes
    self.relationships = relationships
    self.fetchedProperties = fetchedProperties
    self.uniquenessConstraints = uniquenessConstraints
    self.indexes = indexes
    self.userInfo = userInfo
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.other = other
  }

  /// The attribute of its own, not inherited, with exactly this name.
  public subscript(attribute name: String) -> Attribute? {
    attributes.first { $0.name == name }
  }

  /// The relationship of its own, not inherited, with exactly this name.
  public subscript(relationship name: String) -> Relationship? {
    relationships.first { $0.name == name }
  }
}

/// A property whose value a fetch request computes.
public struct FetchedProperty: Sendable, Hashable {
  public var name: String
  public var isOptional: Bool
  public var fetchRequest: FetchRequest?
  public var userInfo: [String: String]
  /// Further attributes of the source, kept for a round trip.
  public var other: [String: String]

  public init(
    name: String, isOptional: Bool = true, fetchRequest: FetchRequest? = nil,
    userInfo: [String: String] = [:], other: [String: String] = [:]
  ) {
    self.name = name
    self.isOptional = isOptional
    self.fetchRequest = fetchRequest
    self.userInfo = userInfo
    self.other = other
  }
}

/// An index over properties of an entity.
public struct Index: Sendable, Hashable {
  /// One property in an index.
  public struct Element: Sendable, Hashable {
    public var property: String
    public var isAscending: Bool
    /// Further attributes of the source: `type`, `expression`.
    public var other: [String: String]

    public init(property: String, isAscending: Bool = true, other: [String: String] = [:]) {
      self.property = property
      self.isAscending = isAscending
      self.other = other
    }
  }

  public var name: String
  public var elements: [Element]
  /// A predicate that limits the index to some objects; kept, not used.
  public var predicate: String?
  /// Whether the source wrote it as a compound index, the form before 2017.
  public var isCompound: Bool
  /// Further attributes of the source, kept for a round trip.
  public var other: [String: String]

  public init(
    name: String, elements: [Element], predicate: String? = nil, isCompound: Bool = false,
    other: [String: String] = [:]
  ) {
    self.name = name
    self.elements = elements
    self.predicate = predicate
    self.isCompound = isCompound
    self.other = other
  }
}
