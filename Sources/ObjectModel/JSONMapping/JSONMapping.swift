/// What a caller says about the JSON of a model's objects, where the model itself does not.
///
/// ```swift
/// var mapping = JSONMapping()
/// mapping["Band"].identity = ["name"]
/// mapping["Band"].keys["formed"] = ["details.founded", "started"]
/// mapping["Album"].dates["released"] = DateRule("dd.MM.yyyy")
/// ```
///
/// It stands above all that the model's annotations say. `applied(to:)` writes it into a model as
/// annotations, so that there is one way in which mappings take effect. A mapping can be read from a file; see
/// `init(contentsOf:)`.
public struct JSONMapping: Sendable {
  /// What is said of each entity.
  public var entities: [String: EntityMapping] = [:]
  /// The form that the JSON has, if it is one that many services share.
  public var dialect: Dialect?
  /// What is said of documents as a whole.
  public var document = DocumentMapping()
  /// The transformers and discriminators that it names, beyond those that Broker has.
  public var functions = MappingFunctions()
  /// Where in its file something stands, for messages: by entity, section and property.
  var places: [MappingPlace: String] = [:]

  public init() {}

  /// What is said of an entity; nothing to begin with.
  public subscript(entity: String) -> EntityMapping {
    get { entities[entity] ?? EntityMapping() }
    set { entities[entity] = newValue }
  }
}

/// What a caller says about the JSON of an entity's objects.
///
/// Properties go by their names in the model. What an entity inherits is mapped at the entity that declares it.
public struct EntityMapping: Sendable, Hashable, Codable {
  /// The attributes that say which object a JSON object is. An empty list says that nothing does, whatever the model
  /// says.
  public var identity: [String]?
  /// The keys of documents that hold its objects, besides its own name.
  public var names: [String] = []
  /// The keys or key paths of properties, best first.
  public var keys: [String: [String]] = [:]
  /// How dates are written.
  public var dates: [String: DateRule] = [:]
  /// The transformers of properties, in the order of reading.
  public var transformers: [String: [TransformerCall]] = [:]
  /// Properties that imports and exports leave alone.
  public var ignored: [String] = []
  /// Properties that are imported and not exported.
  public var notExported: [String] = []
  /// What tells the sub-entity of an object.
  public var discriminator: Discriminator?
  /// What becomes of objects of a kind that is not known: `skip`, or the name of a sub-entity that they are then of. An
  /// issue if nothing is said.
  public var unknownKind: String?
  /// The sub-entity of objects that do not say their kind. They are of the entity itself if nothing is said.
  public var defaultKind: String?
  /// The value that stands for values that are not known, by attribute.
  public var unknownValues: [String: String]?
  /// What lists of to-many relationships mean for the links that are there.
  public var toMany: [String: ToManyPolicy] = [:]
  /// What to do about keys of objects that are not there, by relationship.
  public var references: [String: ReferencePolicy] = [:]
  /// What an import may do with the objects that a relationship nests, by relationship. All that the import itself may
  /// do, if nothing is said.
  public var only: [String: Operations] {
    get { operations ?? [:] }
    set { operations = newValue.isEmpty ? nil : newValue }
  }
  private var operations: [String: Operations]?
  /// The key that exports write, by property, where it is another than the first that imports read. Imports read it too.
  public var exportedKeys: [String: String] {
    get { exportKeys ?? [:] }
    set { exportKeys = newValue.isEmpty ? nil : newValue }
  }
  private var exportKeys: [String: String]?
  /// The relationships whose targets stand in JSON objects with data as keys.
  public var dictionaries: [String: DictionaryRule] {
    get { dictionaryRules ?? [:] }
    set { dictionaryRules = newValue.isEmpty ? nil : newValue }
  }
  /// Nil where nothing is said, as in what stores of earlier versions remember.
  private var dictionaryRules: [String: DictionaryRule]?
  /// The objects inside its JSON that hold its properties.
  public var inside: InsideRule?
  /// Members that exports have, and that imports pass over: `["type": "Feature"]`.
  public var constants: [String: String] {
    get { fixedMembers ?? [:] }
    set { fixedMembers = newValue.isEmpty ? nil : newValue }
  }
  private var fixedMembers: [String: String]?
  /// The keys that lead to objects of any of several entities.
  public var polymorphic: [String: PolymorphicRule] {
    get { polymorphicRules ?? [:] }
    set { polymorphicRules = newValue.isEmpty ? nil : newValue }
  }
  private var polymorphicRules: [String: PolymorphicRule]?
  /// The attribute that says how old an object's JSON is: older JSON does not overwrite newer.
  public var version: String?
  /// The property that a value fills in a dictionary from identity to value, by the key of the dictionary; the
  /// empty key stands for all others.
  public var values: [String: String] = [:]

  public init() {}
}

/// How the dates of an attribute are written.
public struct DateRule: Sendable, Hashable, Codable {
  /// `auto`, `seconds`, `milliseconds`, or a pattern of Unicode's letters.
  public var format: String?
  /// The zone of dates that name none: `Europe/Berlin` or `+01:00`.
  public var timeZone: String?

  public init(_ format: String? = nil, timeZone: String? = nil) {
    self.format = format
    self.timeZone = timeZone
  }
}

/// What tells which sub-entity an object is of.
public enum Discriminator: Sendable, Hashable, Codable {
  /// The value of a key or key path. The values that are not listed are names of entities, in any case style.
  case key(String, values: KindValues = [:])
  /// The key around each object: `{"photo": {…}}`. Those that are not listed are names of entities.
  case wrapper(KindValues = [:])
  /// A function of ``MappingFunctions/discriminators``.
  case function(String)
}
