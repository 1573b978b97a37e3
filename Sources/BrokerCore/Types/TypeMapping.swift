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

/// The mapping of a type's objects. It is like ``EntityMapping``, with key paths instead of names.
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

  /// The comparison of a list with the links that the object has.
  public mutating func toMany<Target: Storable>(_ path: KeyPath<Root, ToMany<Target>>, _ policy: ToManyPolicy)
  {
    if let name = name(path) { rules.toMany[name] = policy }
  }

  /// The treatment of objects that the JSON names and that are not in the store.
  public mutating func references(_ path: PartialKeyPath<Root>, _ policy: ReferencePolicy) {
    if let name = name(path) { rules.references[name] = policy }
  }

  /// The operations that an import may do with the objects that a relationship nests.
  ///
  /// ```swift
  /// notice.only(\.picture, .insert)
  /// ```
  public mutating func only(_ path: PartialKeyPath<Root>, _ operations: Operations) {
    if let name = name(path) { rules.only[name] = operations }
  }

  /// The key or key path that exports write, where it is another than the first that imports read.
  public mutating func exportedKey(_ path: PartialKeyPath<Root>, _ key: String) {
    if let name = name(path) { rules.exportedKeys[name] = key }
  }

  /// A key that leads to an object of any of several types, or to a list of such objects; see ``PolymorphicRule``.
  ///
  /// ```swift
  /// notice.polymorphic("subject", \.picture, \.concert)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The key.
  ///   - paths: The relationships.
  ///   - kind: The key that tells the kind, inside an object or beside the link.
  ///   - key: The key of the identity, beside that of the kind.
  ///   - text: How a text leads to an object: `{kind}/{key}`.
  ///   - values: The kinds and the relationship of each, where they are not the names of types.
  public mutating func polymorphic(
    _ name: String, _ paths: PartialKeyPath<Root>..., kind: String? = nil, key: String? = nil,
    text: String? = nil, values: [String: PartialKeyPath<Root>] = [:]
  ) {
    var rule = PolymorphicRule(kind: kind, key: key, text: text)
    rule.relationships = paths.compactMap { self.name($0) }
    for (value, path) in values.sorted(by: { $0.key < $1.key }) { rule.values[value] = self.name(path) }
    rules.polymorphic[name] = rule
  }

  /// Says that nothing identifies an object, whatever the type says.
  public mutating func noIdentity() { rules.identity = [] }

  /// The targets of a relationship stand in a JSON object whose keys are data: `{"ara": {…}, "deu": {…}}`.
  ///
  /// - Parameters:
  ///   - keys: The target's attributes that the keys fill; several for dictionaries in one another, the
  ///     outermost first.
  ///   - value: The target's property that a value fills if it is no object.
  public mutating func dictionary<Target: Storable>(
    _ path: KeyPath<Root, ToMany<Target>>, keys: PartialKeyPath<Target>...,
    value: PartialKeyPath<Target>? = nil
  ) {
    let names = keys.compactMap { targetName($0) }
    guard let name = name(path) else { return }
    var rule = DictionaryRule(value: value.flatMap { targetName($0) })
    rule.keys = names
    rules.dictionaries[name] = rule
  }

  private mutating func targetName<Target: Storable>(_ path: PartialKeyPath<Target>) -> String? {
    if let name = Target.properties.property(at: path)?.name { return name }
    problems.append("\(path) is no stored property of \(Target.self)")
    return nil
  }

  /// The property that a scalar fills where it stands for a whole object: an element of a list, or a value of a
  /// dictionary.
  public mutating func values(_ path: PartialKeyPath<Root>) {
    if let name = name(path) { rules.values[""] = name }
  }

  /// The objects inside an object's JSON that hold its properties.
  public mutating func inside(
    attributes: String? = nil, relationships: String? = nil, targets: String...
  ) {
    rules.inside = InsideRule(attributes: attributes, relationships: relationships, targets: targets)
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

  /// The discriminator of sub-entities, and the treatment of objects of an unknown kind.
  public mutating func kinds(_ discriminator: Discriminator, unknown: UnknownKind = .issue) {
    rules.discriminator = discriminator
    rules.unknownKind = unknown.word
  }
}
