import ObjectModel
import ObjectStore

/// A property of a ``Storable`` type: an attribute, a relationship, or the object of the entity that it inherits
/// from.
public struct Property<Root: Storable>: Sendable {
  enum Form: Sendable {
    case attribute(AttributeForm)
    case relationship(RelationshipForm)
    case inherited(any Storable.Type)
  }

  /// The property's name in the model.
  public let name: String
  let path: PathKey
  let form: Form
  /// Puts the property's value into a draft.
  let write: @Sendable (Root, borrowing PropertyDraft) throws -> Void
  /// An object's value of the property, to compare it with another object's.
  let content: @Sendable (Root) -> AnyHashable
  /// The key paths of the property behind a ``ToOne`` that leads to this type.
  let throughToOne: ToOnePaths
}

/// An attribute of a type.
struct AttributeForm: Sendable {
  var type: AttributeType
  var isOptional: Bool
  /// The type's name in Swift, for messages.
  var swiftType: String
  /// Bounds of the type itself, if they are narrower than those of ``type``.
  var typeBounds: (least: String, most: String)?
  /// The values of the cases of a type that lists them, as the store keeps them.
  var cases: [SQLValue]?
  /// Whether a stored value is one of the type; nil if each value of ``type`` is.
  var accepts: (@Sendable (SQLValue) -> Bool)?
  /// A stored value as it is after it was read and saved again; nil if it cannot be read.
  var restored: (@Sendable (SQLValue) -> SQLValue?)?
  var options: AttributeOptions
  /// Why the type cannot be that of an attribute.
  var mistake: String?
}

/// A relationship of a type.
struct RelationshipForm: Sendable {
  var target: any Storable.Type
  var isToMany: Bool
  var isOptional: Bool
  var options: RelationshipOptions
}

// Attributes of each kind of type. The compiler chooses.

extension Property {
  /// An attribute whose type is an ``AttributeValue``.
  public static func attribute<Value: AttributeValue>(
    _ name: String, _ path: any KeyPath<Root, Value> & Sendable, _ options: AttributeOption<Value>...
  ) -> Property {
    attribute(name, path, form: plain(Value.self, isOptional: false, options), throughToOne: ToOnePaths(path))
    {
      $0.storedValue
    }
  }

  /// An attribute that may have no value.
  public static func attribute<Value: AttributeValue>(
    _ name: String, _ path: any KeyPath<Root, Value?> & Sendable, _ options: AttributeOption<Value>...
  ) -> Property {
    attribute(name, path, form: plain(Value.self, isOptional: true, options), throughToOne: ToOnePaths(path))
    {
      $0?.storedValue
    }
  }

  private static func plain<Value: AttributeValue>(
    _ type: Value.Type, isOptional: Bool, _ options: [AttributeOption<Value>]
  ) -> AttributeForm {
    var form = AttributeForm(
      type: Value.attributeType, isOptional: isOptional, swiftType: "\(Value.self)",
      options: AttributeOptions(options))
    form.typeBounds = Value.bounds
    form.restored = { Value(stored: $0)?.storedValue }
    return form
  }

  // MARK: - Enumerations

  /// An attribute whose type has raw values.
  public static func attribute<Value: RawRepresentable & Sendable>(
    _ name: String, _ path: any KeyPath<Root, Value> & Sendable, _ options: AttributeOption<Value>...
  ) -> Property where Value.RawValue: AttributeValue {
    let form = form(of: Value.self, isOptional: false, AttributeOptions(options))
    return attribute(name, path, form: form, throughToOne: ToOnePaths(path)) { $0.rawValue.storedValue }
  }

  /// An attribute whose type has raw values, and that may have no value.
  public static func attribute<Value: RawRepresentable & Sendable>(
    _ name: String, _ path: any KeyPath<Root, Value?> & Sendable, _ options: AttributeOption<Value>...
  ) -> Property where Value.RawValue: AttributeValue {
    let form = form(of: Value.self, isOptional: true, AttributeOptions(options))
    return attribute(name, path, form: form, throughToOne: ToOnePaths(path)) { $0?.rawValue.storedValue }
  }

  private static func form<Value: RawRepresentable & Sendable>(
    of type: Value.Type, isOptional: Bool, _ options: AttributeOptions
  ) -> AttributeForm where Value.RawValue: AttributeValue {
    var form = AttributeForm(
      type: Value.RawValue.attributeType, isOptional: isOptional, swiftType: "\(Value.self)",
      options: options)
    form.typeBounds = Value.RawValue.bounds
    form.cases = (type as? any CaseIterable.Type).flatMap { storedCases(of: $0) }
    form.restored = { Value.RawValue(stored: $0)?.storedValue }
    form.accepts = { stored in Value.RawValue(stored: stored).flatMap(Value.init(rawValue:)) != nil }
    return form
  }

  private static func storedCases<Cases: CaseIterable>(of type: Cases.Type) -> [SQLValue]? {
    var values: [SQLValue] = []
    for value in type.allCases {
      guard let raw = (value as? any RawRepresentable)?.rawValue as? any AttributeValue else { return nil }
      values.append(raw.storedValue)
    }
    return values
  }

  // MARK: - JSON

  /// An attribute whose values are kept as JSON: lists, dictionaries, structs. If the type is an optional, it may
  /// have no value.
  @_disfavoredOverload
  public static func attribute<Value: Codable & Sendable>(
    _ name: String, _ path: any KeyPath<Root, Value> & Sendable, _ options: AttributeOption<Value>...
  ) -> Property {
    let isOptional = Value.self is any AnyOptional.Type
    var form = AttributeForm(
      type: .transformable, isOptional: isOptional, swiftType: AnyType.name(of: Value.self),
      options: AttributeOptions(options))
    form.accepts = { NestedJSON.accepts($0, as: Value.self) }
    form.restored = { NestedJSON.restored($0, as: Value.self) }
    form.mistake = EntityMistake.of(Value.self)
    return attribute(name, path, form: form, throughToOne: ToOnePaths(path)) { value in
      if let optional = value as? any AnyOptional, optional.isNil { return nil }
      return NestedJSON.stored(value)
    }
  }

  /// Gives a clear error where none of the above fits.
  @available(
    *, unavailable,
    message: """
      this type cannot be stored: make it Codable, an AttributeValue, or an enumeration with a raw value, or mark \
      the property @Transient
      """
  )
  @_disfavoredOverload
  public static func attribute<Value>(
    _ name: String, _ path: any KeyPath<Root, Value> & Sendable, _ options: AttributeOption<Value>...
  ) -> Property {
    let form = AttributeForm(
      type: .undefined, isOptional: true, swiftType: "\(Value.self)", options: AttributeOptions(options))
    return attribute(name, path, form: form, throughToOne: ToOnePaths(path)) { _ in nil }
  }

  // MARK: - Together

  /// - Parameter stored: The value as the store keeps it; nil if there is none.
  private static func attribute<Whole>(
    _ name: String, _ path: any KeyPath<Root, Whole> & Sendable, form: AttributeForm,
    throughToOne: ToOnePaths, _ stored: @escaping @Sendable (Whole) -> SQLValue?
  ) -> Property {
    Property(
      name: name, path: PathKey(path), form: .attribute(form),
      write: { object, draft in try draft.set(stored(object[keyPath: path])) },
      content: { AnyHashable(stored($0[keyPath: path])) },
      throughToOne: throughToOne)
  }
}

extension Property {
  /// A relationship to one object, which every object must have.
  public static func toOne<Target: Storable>(
    _ name: String, _ path: any KeyPath<Root, ToOne<Target>> & Sendable,
    _ options: RelationshipOption<Target>...
  ) -> Property {
    let form = RelationshipForm(
      target: Target.self, isToMany: false, isOptional: false, options: RelationshipOptions(options))
    return Property(
      name: name, path: PathKey(path), form: .relationship(form),
      write: { object, draft in try draft.set(object[keyPath: path]) },
      content: { AnyHashable($0[keyPath: path]) },
      throughToOne: ToOnePaths(path))
  }

  /// A relationship to one object, or to none.
  public static func toOne<Target: Storable>(
    _ name: String, _ path: any KeyPath<Root, ToOne<Target>?> & Sendable,
    _ options: RelationshipOption<Target>...
  ) -> Property {
    let form = RelationshipForm(
      target: Target.self, isToMany: false, isOptional: true, options: RelationshipOptions(options))
    return Property(
      name: name, path: PathKey(path), form: .relationship(form),
      write: { object, draft in try draft.set(object[keyPath: path]) },
      content: { AnyHashable($0[keyPath: path]) },
      throughToOne: ToOnePaths(path))
  }

  /// A relationship to any number of objects.
  public static func toMany<Target: Storable>(
    _ name: String, _ path: any KeyPath<Root, ToMany<Target>> & Sendable,
    _ options: RelationshipOption<Target>...
  ) -> Property {
    let form = RelationshipForm(
      target: Target.self, isToMany: true, isOptional: true, options: RelationshipOptions(options))
    return Property(
      name: name, path: PathKey(path), form: .relationship(form),
      write: { object, draft in try draft.set(object[keyPath: path]) },
      content: { AnyHashable($0[keyPath: path]) },
      throughToOne: ToOnePaths(path))
  }

  /// The object of the entity that this one inherits from.
  public static func inherited<Parent: Storable>(
    _ path: any KeyPath<Root, Parent> & Sendable
  ) -> Property {
    Property(
      name: Parent.entityName, path: PathKey(path), form: .inherited(Parent.self),
      write: { object, draft in try draft.set(inherited: object[keyPath: path]) },
      content: { object in
        let parent = object[keyPath: path]
        return AnyHashable(Parent.properties.all.map { $0.content(parent) })
      },
      throughToOne: ToOnePaths(path))
  }
}

/// The name and the properties of a type's entity.
public struct Properties<Root: Storable>: Sendable {
  /// The entity's name in the model.
  public let entityName: String
  let all: [Property<Root>]
  /// The discriminator of sub-entities.
  private(set) var kinds = KindOptions()
  /// The former name of the entity.
  private(set) var formerName: String?
  /// The properties by their key paths.
  private let indexByPath: [PathKey: Int]

  /// Describes an entity.
  ///
  /// - Parameters:
  ///   - entityName: The entity's name in the model.
  ///   - properties: The properties, in the order in which `init(row:)` reads them.
  public init(_ entityName: String, _ properties: Property<Root>...) {
    self.init(entityName, properties)
  }

  init(_ entityName: String, _ properties: [Property<Root>]) {
    self.entityName = entityName
    all = properties
    indexByPath = Dictionary(
      properties.enumerated().map { ($1.path, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The same, for an entity with sub-entities: the value of a key or key path of JSON tells which one an object is
  /// of.
  ///
  /// - Parameter unknown: What happens to objects whose value stands for no sub-entity.
  public func kinds(_ key: String, unknown: UnknownKind = .issue) -> Self {
    var copy = self
    copy.kinds.key = key
    copy.kinds.unknown = unknown
    return copy
  }

  /// The same, for a sub-entity: besides its name, these values stand for it.
  public func kind(_ values: String...) -> Self { kind(values) }

  func kind(_ values: [String]) -> Self {
    var copy = self
    copy.kinds.values += values
    return copy
  }

  /// The same for an entity that was called otherwise before: a store of an earlier version keeps its objects.
  public func renamed(from name: String?) -> Self {
    var copy = self
    copy.formerName = name
    return copy
  }

  /// The type's own property that has a key path.
  func property(at path: AnyKeyPath) -> Property<Root>? { indexByPath[PathKey(path)].map { all[$0] } }

  /// The type of the property that is ``Inherited()``; nil if there is none.
  var parent: (any Storable.Type)? {
    for property in all { if case .inherited(let parent) = property.form { return parent } }
    return nil
  }
}

/// A key path as a key of dictionaries.
///
/// Unchecked, since `AnyKeyPath` is not `Sendable` by itself. Those that are kept were given as `Sendable`, and
/// others are only used for a look-up.
struct PathKey: Hashable, @unchecked Sendable {
  let path: AnyKeyPath

  init(_ path: AnyKeyPath) { self.path = path }
}
