public import Mapping
public import ObjectModel

/// A model that was taken from JSON, with what has to be known of the JSON beyond it.
///
/// ```swift
/// let inferred = try InferredModel(from: ImportSource.files("data"))
/// for guess in inferred.guesses where guess.certainty == .doubtful { print(guess.evidence) }
/// let store = try Store(path: "data.sqlite", model: inferred.model, mapping: inferred.mapping)
/// ```
public struct InferredModel: Sendable {
  public var model: Model
  /// What the JSON needs beyond the model's names: identities, keys, where the objects are.
  public var mapping: JSONMapping
  /// What was taken from the data and why, what is least sure first.
  public var guesses: [Guess]
  /// The entity of the objects, if neither keys nor names of files tell it: what an import has to be told.
  public var entity: String?
  /// How much was read.
  public var bytes = 0
  public var records = 0
  /// Whether all was read.
  public var isWhole = true
  /// For each entity, the attributes that objects came without, or with a null.
  var missing: [String: Set<String>] = [:]
  /// Relationships that JSON does not tell of, the other ends of those that it does, as `Entity.relationship`.
  var derived: Set<String> = []
  /// The entities whose objects stand at the top of the JSON.
  var recordEntities: Set<String> = []
  /// Lists of which several objects have the same elements, as `Entity.property`.
  var sharedLists: Set<String> = []
  /// The keys of documents and the names of files that the objects of an entity came under.
  var namesInData: [String: [String]] = [:]
  /// The entities of objects that stand alone at the root of the JSON, as messages do.
  var loneEntities: Set<String> = []
  /// Where the objects of each form of documents are, also where the mapping need not say it.
  var forms: [SourceForm] = []
  /// The entities of lists of errors and messages, which may have come in place of objects.
  var messageEntities: Set<String> = []
  /// The attributes of which only nulls came, as `Entity.attribute`.
  var untyped: Set<String> = []
  /// Texts that came, a few for each attribute, by `Entity.attribute`.
  var texts: [String: [String]] = [:]
}

/// How much is read to infer a model, and how.
public struct InferenceOptions: Sendable {
  /// How the sources are read: their form, their limits, where the objects are.
  public var input = ImportOptions()
  /// The most records that are looked at in each source; nil for all.
  public var records: Int?
  /// The most bytes that are looked at in each source; nil for all.
  public var bytes: Int?
  /// The dialects that are looked for; see ``read(as:)``.
  public var dialects = Set(Dialect.allCases)
  /// The entities of the store that the JSON is to go into, for a model that is refined; see ``InferredModel/refining(_:mapping:)``.
  public var known: [KnownEntity] = []
  /// A person's words on the model.
  public var wishes = InferenceWishes()

  public init() {}

  /// Looks for no other dialect than that of a mapping, as JSON that widens a model is read with the mapping.
  public mutating func read(as mapping: JSONMapping) { dialects = Set([mapping.dialect].compactMap(\.self)) }
}

/// Why no model can be inferred.
public struct InferenceError: Error, Sendable, Hashable, CustomStringConvertible {
  public var description: String

  package init(_ description: String) {
    self.description = description
  }
}

extension Model {
  /// A model of what JSON has: the short form of ``InferredModel``.
  ///
  /// - Throws: ``InferenceError`` if the JSON has no objects, ``ImportError`` if it cannot be read.
  public init(inferredFrom sources: [ImportSource], options: InferenceOptions = InferenceOptions()) throws {
    self = try InferredModel(from: sources, options: options).model
  }
}
