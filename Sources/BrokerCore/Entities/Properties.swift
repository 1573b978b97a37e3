/// What a type says of its entity: the name and the properties.
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

  /// The same, with the key or key path of JSON whose value tells the sub-entity of an object.
  ///
  /// - Parameter unknown: What becomes of objects whose value stands for none.
  public func kinds(_ key: String, unknown: UnknownKind = .issue) -> Self {
    var copy = self
    copy.kinds.key = key
    copy.kinds.unknown = unknown
    return copy
  }

  /// The same, with the values that stand for this entity where the kind is told, besides its name.
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

  /// The property of its own that a key path is that of.
  func property(at path: AnyKeyPath) -> Property<Root>? { indexByPath[PathKey(path)].map { all[$0] } }

  /// The type of the property that is ``Inherited()``; nil if there is none.
  var parent: (any Storable.Type)? {
    for property in all { if case .inherited(let parent) = property.form { return parent } }
    return nil
  }
}

/// A key path as a key of dictionaries.
///
/// Unchecked, since `AnyKeyPath` is not `Sendable` by itself: those that are kept were given as `Sendable`, and
/// those that are only looked for stay where they are.
struct PathKey: Hashable, @unchecked Sendable {
  let path: AnyKeyPath

  init(_ path: AnyKeyPath) { self.path = path }
}
