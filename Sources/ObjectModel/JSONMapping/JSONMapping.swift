import Foundation
public import JSONStream

/// A mapping: what a caller says about the JSON of a model's objects, where the model itself does not.
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
  /// The mapping of each entity.
  public var entities: [String: EntityMapping] = [:]
  /// The form that the JSON has, if it is one that many services share.
  public var dialect: Dialect?
  /// The mapping of documents as a whole.
  public var document = DocumentMapping()
  /// The transformers and discriminators that it names, beyond those that Broker has.
  public var functions = MappingFunctions()
  /// The places in its file, for messages: by entity, section and property.
  var places: [MappingPlace: String] = [:]

  public init() {}

  /// The part of the mapping that is about a store, and not about the JSON of others: which attributes identify objects.
  package var ofStores: JSONMapping {
    var result = JSONMapping()
    for (name, rules) in entities where rules.identity != nil { result[name].identity = rules.identity }
    return result
  }

  /// The mapping of an entity; empty to begin with.
  public subscript(entity: String) -> EntityMapping {
    get { entities[entity] ?? EntityMapping() }
    set { entities[entity] = newValue }
  }
}

/// The mapping of an entity's objects.
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
  /// The discriminator of sub-entities.
  public var discriminator: Discriminator?
  /// The treatment of objects of a kind that is not known: `skip`, or the name of a sub-entity that they are then of.
  /// An issue if nothing is said.
  public var unknownKind: String?
  /// The sub-entity of objects that do not say their kind. They are of the entity itself if nothing is said.
  public var defaultKind: String?
  /// The value that stands for values that are not known, by attribute.
  public var unknownValues: [String: String]?
  /// The meaning of lists of to-many relationships for the links that are there.
  public var toMany: [String: ToManyPolicy] = [:]
  /// The treatment of keys of objects that are not there, by relationship.
  public var references: [String: ReferencePolicy] = [:]
  /// The operations of an import on the objects that a relationship nests, by relationship. All that the import itself
  /// may do, if nothing is said.
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

/// The discriminator: it tells which sub-entity an object is of.
public enum Discriminator: Sendable, Hashable, Codable {
  /// The value of a key or key path. The values that are not listed are names of entities, in any case style.
  case key(String, values: KindValues = [:])
  /// The key around each object: `{"photo": {…}}`. Those that are not listed are names of entities.
  case wrapper(KindValues = [:])
  /// A function of ``MappingFunctions/discriminators``.
  case function(String)
}

/// Mappings of which one stands above the other.
extension JSONMapping {
  /// This mapping with another one above it, such as a caller's above the one that was taken from data. The other one
  /// decides wherever it says something; of tables, key by key.
  package func overlaid(by other: JSONMapping) -> JSONMapping {
    var result = self
    for (name, rules) in other.entities { result[name] = self[name].overlaid(by: rules) }
    result.dialect = other.dialect ?? dialect
    result.document = document.overlaid(by: other.document)
    result.functions = other.functions
    result.places = other.places
    return result
  }
}

extension DocumentMapping {
  fileprivate func overlaid(by other: DocumentMapping) -> DocumentMapping {
    var result = self
    result.root = other.root ?? root
    result.columns = other.columns ?? columns
    result.kind = other.kind ?? kind
    result.skipsOthers = other.skipsOthers || skipsOthers
    result.added.merge(other.added) { _, other in other }
    if !other.forms.isEmpty { result.forms = other.forms }
    result.ignored += other.ignored.filter { !ignored.contains($0) }
    result.constants.merge(other.constants) { _, other in other }
    result.referencesAreObjects = other.referencesAreObjects || referencesAreObjects
    result.namesLists = other.namesLists || namesLists
    return result
  }
}

extension EntityMapping {
  fileprivate func overlaid(by other: EntityMapping) -> EntityMapping {
    var result = self
    result.identity = other.identity ?? identity
    result.names += other.names.filter { !names.contains($0) }
    result.keys.merge(other.keys) { _, other in other }
    result.dates.merge(other.dates) { _, other in other }
    result.transformers.merge(other.transformers) { _, other in other }
    result.ignored += other.ignored.filter { !ignored.contains($0) }
    result.notExported += other.notExported.filter { !notExported.contains($0) }
    result.discriminator = other.discriminator ?? discriminator
    result.unknownKind = other.unknownKind ?? unknownKind
    result.defaultKind = other.defaultKind ?? defaultKind
    result.unknownValues = (unknownValues ?? [:]).merging(other.unknownValues ?? [:]) { _, other in other }
    if result.unknownValues?.isEmpty == true { result.unknownValues = nil }
    result.toMany.merge(other.toMany) { _, other in other }
    result.references.merge(other.references) { _, other in other }
    result.only = only.merging(other.only) { _, other in other }
    result.exportedKeys = exportedKeys.merging(other.exportedKeys) { _, other in other }
    result.dictionaries = dictionaries.merging(other.dictionaries) { _, other in other }
    result.inside = other.inside ?? inside
    result.constants = constants.merging(other.constants) { _, other in other }
    result.polymorphic = polymorphic.merging(other.polymorphic) { _, other in other }
    result.version = other.version ?? version
    result.values.merge(other.values) { _, other in other }
    return result
  }
}

/// How a store keeps a mapping. Functions cannot be kept; they are given anew.
extension JSONMapping {
  package init(remembered text: String) throws {
    let data = Data(text.utf8)
    if let whole = try? JSONDecoder().decode(Remembered.self, from: data) {
      entities = whole.entities
      document = whole.document
      dialect = whole.dialect
    } else {
      entities = try JSONDecoder().decode([String: EntityMapping].self, from: data)
    }
  }

  /// The same mapping always gives the same text.
  package func remembered() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let data =
      try document.isEmpty && dialect == nil
      ? encoder.encode(entities)
      : encoder.encode(Remembered(dialect: dialect, document: document, entities: entities))
    return String(decoding: data, as: UTF8.self)
  }

  /// The form of a mapping that says something about documents.
  private struct Remembered: Codable {
    var dialect: Dialect?
    var document: DocumentMapping
    var entities: [String: EntityMapping]
  }
}

/// The meaning of a list in JSON for the links that its owner has.
public enum ToManyPolicy: String, Sendable, Hashable, CaseIterable, Codable {
  /// The list is all there is: other links go, the objects stay.
  case replace
  /// The list is added to what is there.
  case merge
  /// The list is all there is: other links go, and the objects with them.
  case prune
}

/// The treatment of a key of an object that is not there.
public enum ReferencePolicy: String, Sendable, Hashable, CaseIterable, Codable {
  /// Keep it; it becomes the relationship when the object comes.
  case pending
  /// Create the object, with its identity only.
  case stub
  /// Give up; nothing is imported.
  case error
}

/// The operations that an import may do with objects.
public struct Operations: OptionSet, Sendable, Hashable, Codable {
  public let rawValue: Int

  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Insert objects that are not there.
  public static let insert = Operations(rawValue: 1)
  /// Change objects that are there.
  public static let update = Operations(rawValue: 2)
  /// Delete objects: parts that their owner no longer has, and what is pruned.
  public static let delete = Operations(rawValue: 4)
  public static let all: Operations = [.insert, .update, .delete]
}

extension Operations {
  private static let words: [(word: String, operation: Operations)] = [
    ("insert", .insert), ("update", .update), ("delete", .delete),
  ]

  /// Their words: `insert`, `update` and `delete`, in any case. Nil for other words, and for none.
  package init?(words: [String]) {
    let named = words.map { word in Self.words.first { $0.word == word.lowercased() }?.operation }
    guard !named.isEmpty, !named.contains(nil) else { return nil }
    self = named.compactMap(\.self).reduce(into: []) { $0.formUnion($1) }
  }

  /// The words for these operations.
  package var words: [String] { Self.words.filter { contains($0.operation) }.map(\.word) }
}

extension Annotations {
  /// On a relationship, what an import may do with the objects that it nests; nil if nothing is said.
  package var only: Operations? {
    first(of: ["broker.only"]).flatMap(Self.list).flatMap(Operations.init(words:))
  }
}

/// The functions that a mapping names: what a file cannot say.
public struct MappingFunctions: Sendable {
  /// Transformers by name. They come before those that Broker has.
  public var transformers: [String: Transformer] = [:]
  /// Functions that say which entity a JSON object is of; nil if they do not know.
  public var discriminators: [String: @Sendable (JSONValue) -> String?] = [:]

  public init() {}
}
