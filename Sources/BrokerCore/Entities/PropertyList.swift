import ObjectStore

// What `@Entity` writes. Each property is two statements in the line of its declaration: what it is, and whether that
// can be. So the compiler tells a mistake once, where it was made, and in words that say what to write instead.

/// The properties of an entity, as ``Entity(_:identified:renamedFrom:)`` lists them. Types that conform by hand use ``Properties``.
public struct _BrokerPropertyList<Root: Storable> {
  private let entityName: String
  private var all: [Property<Root>] = []
  private var kindKey: (key: String, unknown: UnknownKind)?
  private var kindValues: [String] = []
  private var formerName: String?

  /// An entity without properties so far.
  public init(_ entityName: String) { self.entityName = entityName }

  /// The description of the entity.
  public var properties: Properties<Root> {
    let properties = Properties(entityName, all).kind(kindValues).renamed(from: formerName)
    return kindKey.map { properties.kinds($0.key, unknown: $0.unknown) } ?? properties
  }

  /// Says what tells the sub-entities of objects.
  public mutating func kinds(_ key: String, unknown: UnknownKind = .issue) { kindKey = (key, unknown) }

  /// Says which values stand for the entity.
  public mutating func kind(_ values: String...) { kindValues += values }

  /// Says what the entity was called before.
  public mutating func renamed(from name: String) { formerName = name }

  /// Adds a property.
  public mutating func add(_ property: Property<Root>) { all.append(property) }

  /// For a clear message where an entity is used as a value.
  @available(
    *, unavailable,
    message: """
      an entity is no value of an attribute: write ToOne<…> with it, or ToOne<…>? where there may be none
      """
  )
  public mutating func add(_ property: _EntityAsAttribute) {}

  /// For a clear message where a list of entities is used as a value.
  @available(
    *, unavailable,
    message: "a list of entities is no value of an attribute: write ToMany<…> with the entity"
  )
  public mutating func add(_ property: _EntitiesAsAttribute) {}
}

/// What an attribute is whose type is an entity: a mistake.
public struct _EntityAsAttribute {}

/// What an attribute is whose type is a list of entities: a mistake.
public struct _EntitiesAsAttribute {}

extension Property {
  /// For a clear message where an entity is used as a value.
  public static func attribute<Value: Storable>(
    _ name: String, _ path: any KeyPath<Root, Value> & Sendable, _ options: AttributeOption<Value>...
  ) -> _EntityAsAttribute { _EntityAsAttribute() }

  /// For a clear message where an entity is used as a value.
  public static func attribute<Value: Storable>(
    _ name: String, _ path: any KeyPath<Root, Value?> & Sendable, _ options: AttributeOption<Value?>...
  ) -> _EntityAsAttribute { _EntityAsAttribute() }

  /// For a clear message where a list of entities is used as a value.
  public static func attribute<List: Sequence>(
    _ name: String, _ path: any KeyPath<Root, List> & Sendable, _ options: AttributeOption<List>...
  ) -> _EntitiesAsAttribute where List.Element: Storable { _EntitiesAsAttribute() }

  /// For a clear message where a list of entities is used as a value.
  public static func attribute<List: Sequence>(
    _ name: String, _ path: any KeyPath<Root, List?> & Sendable, _ options: AttributeOption<List>...
  ) -> _EntitiesAsAttribute where List.Element: Storable { _EntitiesAsAttribute() }

  /// For no second message where the compiler has said what is wrong with the type of a relationship.
  @available(*, unavailable, message: "a relationship leads to an entity: a struct marked @Entity")
  @_disfavoredOverload
  public static func toOne<Value>(
    _ name: String, _ path: any KeyPath<Root, Value> & Sendable, _ options: RelationshipOption<Root>...
  ) -> _EntityAsAttribute { _EntityAsAttribute() }

  /// For no second message where the compiler has said what is wrong with the type of a relationship.
  @available(*, unavailable, message: "a relationship leads to an entity: a struct marked @Entity")
  @_disfavoredOverload
  public static func toMany<Value>(
    _ name: String, _ path: any KeyPath<Root, Value> & Sendable, _ options: RelationshipOption<Root>...
  ) -> _EntityAsAttribute { _EntityAsAttribute() }
}
