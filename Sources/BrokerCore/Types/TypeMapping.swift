public import ObjectModel

extension JSONMapping {
  /// Says more about the JSON of a type than the type itself does, by key paths.
  ///
  /// ```swift
  /// var mapping = JSONMapping()
  /// try mapping.map(Band.self) { band in
  ///   band.keys(\.formed, "details.founded", "started")
  ///   band.toMany(\.albums, .merge)
  /// }
  /// ```
  ///
  /// - Throws: ``TypeError`` for key paths that do not lead to a stored property of the type itself.
  public mutating func map<Root: Storable>(
    _ type: Root.Type, _ describe: (inout TypeMapping<Root>) -> Void
  ) throws(TypeError) {
    var mapping = TypeMapping<Root>(self[Root.entityName])
    describe(&mapping)
    guard mapping.problems.isEmpty else { throw TypeError(mapping.problems) }
    self[Root.entityName] = mapping.rules
  }
}

/// What is said about the JSON of a type's objects. It is like ``EntityMapping``, with key paths instead of names.
public struct TypeMapping<Root: Storable> {
  private(set) var rules: EntityMapping
  private(set) var problems: [String] = []

  init(_ rules: EntityMapping) { self.rules = rules }

  /// The name of the property at a key path.
  private mutating func name(_ path: PartialKeyPath<Root>) -> String? {
    if let name = Root.properties.property(at: path)?.name { return name }
    problems.append("\(path) is no stored property of \(Root.self)")
    return nil
  }

  /// The attributes that identify an object.
  public mutating func identity(_ paths: PartialKeyPath<Root>...) {
    rules.identity = paths.compactMap { name($0) }
  }

  /// The keys or key paths of a property, the preferred one first.
  public mutating func keys(_ path: PartialKeyPath<Root>, _ keys: String...) {
    if let name = name(path) { rules.keys[name] = keys }
  }

  /// How the dates of an attribute are written.
  public mutating func dates(_ path: PartialKeyPath<Root>, _ rule: DateRule) {
    if let name = name(path) { rules.dates[name] = rule }
  }

  /// The transformers of a property, in the order of reading.
  public mutating func transformers(_ path: PartialKeyPath<Root>, _ calls: TransformerCall...) {
    if let name = name(path) { rules.transformers[name] = calls }
  }

  /// Ignores properties in imports and exports.
  public mutating func ignore(_ paths: PartialKeyPath<Root>...) {
    rules.ignored += paths.compactMap { name($0) }
  }

  /// Imports properties and does not export them.
  public mutating func notExported(_ paths: PartialKeyPath<Root>...) {
    rules.notExported += paths.compactMap { name($0) }
  }

  /// What a list means for the links that the object has.
  public mutating func toMany<Target: Storable>(_ path: KeyPath<Root, ToMany<Target>>, _ policy: ToManyPolicy)
  {
    if let name = name(path) { rules.toMany[name] = policy }
  }

  /// What to do if the JSON names objects that are not in the store.
  public mutating func references(_ path: PartialKeyPath<Root>, _ policy: ReferencePolicy) {
    if let name = name(path) { rules.references[name] = policy }
  }

  /// The attribute that is the version of an object's JSON.
  public mutating func version(_ path: PartialKeyPath<Root>) { rules.version = name(path) }

  /// The value to use for values that an enumeration does not have.
  public mutating func unknown<Value: RawRepresentable>(_ path: KeyPath<Root, Value>, _ value: Value)
  where Value.RawValue: AttributeValue {
    setUnknown(path, value.rawValue)
  }

  /// The value to use for values that an enumeration does not have.
  public mutating func unknown<Value: RawRepresentable>(_ path: KeyPath<Root, Value?>, _ value: Value)
  where Value.RawValue: AttributeValue {
    setUnknown(path, value.rawValue)
  }

  private mutating func setUnknown(_ path: PartialKeyPath<Root>, _ value: some AttributeValue) {
    guard let name = name(path) else { return }
    rules.unknownValues = (rules.unknownValues ?? [:]).merging([name: "\(value)"]) { $1 }
  }

  /// What tells the sub-entity of an object, and what happens to objects of an unknown kind.
  public mutating func kinds(_ discriminator: Discriminator, unknown: UnknownKind = .issue) {
    rules.discriminator = discriminator
    rules.unknownKind = unknown.word
  }
}
