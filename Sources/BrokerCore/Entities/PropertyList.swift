import ObjectStore

// What `@Entity` writes. Each property is two statements on the line of its declaration: the first describes it, the
// second checks it. So the compiler reports a mistake once, where it was made, and says what to write instead.

/// The properties of an entity, as ``Entity(_:identified:renamedFrom:)`` lists them. Types that conform by hand use ``Properties``.
public struct _BrokerPropertyList<Root: Storable> {
  private let entityName: String
  private var all: [Property<Root>] = []
  private var kindKey: (key: String, unknown: UnknownKind)?
  private var kindValues: [String] = []
  private var formerName: String?

  /// An entity that has no properties yet.
  public init(_ entityName: String) { self.entityName = entityName }

  /// The description of the entity.
  public var properties: Properties<Root> {
    let properties = Properties(entityName, all).kind(kindValues).renamed(from: formerName)
    return kindKey.map { properties.kinds($0.key, unknown: $0.unknown) } ?? properties
  }

  /// Says what tells the sub-entity of an object.
  public mutating func kinds(_ key: String, unknown: UnknownKind = .issue) { kindKey = (key, unknown) }

  /// Says which values stand for the entity.
  public mutating func kind(_ values: String...) { kindValues += values }

  /// Says what the entity was called before.
  public mutating func renamed(from name: String) { formerName = name }

  /// Adds a property.
  public mutating func add(_ property: Property<Root>) { all.append(property) }

  /// Gives a clear error where an entity is used as a value.
  @available(
    *, unavailable,
    message: """
      an entity is no value of an attribute: write ToOne<…> with it, or ToOne<…>? where there may be none
      """
  )
  public mutating func add(_ property: _EntityAsAttribute) {}

  /// Gives a clear error where a list of entities is used as a value.
  @available(
    *, unavailable,
    message: "a list of entities is no value of an attribute: write ToMany<…> with the entity"
  )
  public mutating func add(_ property: _EntitiesAsAttribute) {}
}

/// The result for an attribute whose type is an entity, which is a mistake.
public struct _EntityAsAttribute {}

/// The result for an attribute whose type is a list of entities, which is a mistake.
public struct _EntitiesAsAttribute {}

extension Property {
  /// Gives a clear error where an entity is used as a value.
  public static func attribute<Value: Storable>(
    _ name: String, _ path: any KeyPath<Root, Value> & Sendable, _ options: AttributeOption<Value>...
  ) -> _EntityAsAttribute { _EntityAsAttribute() }

  /// Gives a clear error where an entity is used as a value.
  public static func attribute<Value: Storable>(
    _ name: String, _ path: any KeyPath<Root, Value?> & Sendable, _ options: AttributeOption<Value?>...
  ) -> _EntityAsAttribute { _EntityAsAttribute() }

  /// Gives a clear error where a list of entities is used as a value.
  public static func attribute<List: Sequence>(
    _ name: String, _ path: any KeyPath<Root, List> & Sendable, _ options: AttributeOption<List>...
  ) -> _EntitiesAsAttribute where List.Element: Storable { _EntitiesAsAttribute() }

  /// Gives a clear error where a list of entities is used as a value.
  public static func attribute<List: Sequence>(
    _ name: String, _ path: any KeyPath<Root, List?> & Sendable, _ options: AttributeOption<List>...
  ) -> _EntitiesAsAttribute where List.Element: Storable { _EntitiesAsAttribute() }

  /// Prevents a second error where the compiler has reported the type of a relationship.
  @available(*, unavailable, message: "a relationship leads to an entity: a struct marked @Entity")
  @_disfavoredOverload
  public static func toOne<Value>(
    _ name: String, _ path: any KeyPath<Root, Value> & Sendable, _ options: RelationshipOption<Root>...
  ) -> _EntityAsAttribute { _EntityAsAttribute() }

  /// Prevents a second error where the compiler has reported the type of a relationship.
  @available(*, unavailable, message: "a relationship leads to an entity: a struct marked @Entity")
  @_disfavoredOverload
  public static func toMany<Value>(
    _ name: String, _ path: any KeyPath<Root, Value> & Sendable, _ options: RelationshipOption<Root>...
  ) -> _EntityAsAttribute { _EntityAsAttribute() }
}
