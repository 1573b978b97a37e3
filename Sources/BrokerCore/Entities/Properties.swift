/// The name and the properties of a type's entity.
public struct Properties<Root: Storable>: Sendable {
  /// The entity's name in the model.
  public let entityName: String
  let all: [Property<Root>]
  /// What tells the sub-entities of objects.
  private(set) var kinds = KindOptions()
  /// What the entity was called before.
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
