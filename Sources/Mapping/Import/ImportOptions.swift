public import ObjectModel
public import ObjectStore

/// The options of an import.
public struct ImportOptions: Sendable {
  /// The operations that an import may do with objects.
  public typealias Operations = ObjectModel.Operations
  /// How many objects an import may prune. If there are more, it prunes none.
  public typealias DeletionLimit = ObjectStore.DeletionLimit

  /// The entity of the JSON's objects. Without it, the JSON's keys, the source's name or the model tell.
  public var entity: String?
  /// The key path from the root to what is to be imported: `response.items`, `pages[].items`.
  ///
  /// Besides keys, positions `[0]` and all elements `[]`, a step can be `*`, which is any key, `{country}`, which is any
  /// key and gives its text to the objects under the key `country`, or `data|included`, which is either.
  public var root: String?
  /// The key or key path whose value names the entity of each object, for lists of objects of several entities:
  /// `resourceType`.
  public var kind: String?
  /// The place of the names of columns, if objects are given as lists of values in their order: `first` for the first
  /// of these lists, `$.meta.columns` from the root of the JSON, `^.columns` from the object around the list;
  /// `$.columns[].name` if each is an object.
  public var columns: String?
  /// Whether objects whose ``kind`` names no entity are passed over, and counted. Otherwise each is an issue.
  public var skipsOtherKinds = false
  /// Values from outside the objects, by the key that the objects get them under. An object's own key wins.
  public var added: [String: AddedValue] = [:]
  /// The style of keys that fill a property to which no annotation gives a key.
  public var keys = KeyStyle.auto
  /// The format of dates whose attributes have none of their own: `auto`, `seconds`, `milliseconds` or a
  /// pattern like `yyyy/MM/dd HH:mm:ss ZZZZZ`.
  public var dates = "auto"
  /// Whether the first issue ends the import.
  public var isStrict = false
  /// Whether to report what would happen and change nothing.
  public var isDryRun = false
  /// How deep arrays and objects may nest.
  public var maximumDepth = 512
  /// How many issues the report lists; all are counted.
  public var maximumIssues = 10_000
  /// The target of the objects.
  public var target = ImportTarget.store
  /// Operations on objects: insert, update and delete.
  public var operations = Operations.all
  /// The meaning of a list in the JSON for the links of a to-many relationship, where the mapping does not say it.
  public var toMany = ToManyPolicy.replace
  /// The treatment of objects that the JSON names and that are not in the store.
  public var references = ReferencePolicy.pending
  /// Whether to delete the objects that the JSON does not have. These are objects of the entities that the JSON has
  /// lists of at its top, or objects of the relationship that is imported into.
  public var prunes = false
  /// A predicate that must hold, after everything else was imported, for each object that is pruned. It implies
  /// ``prunes``, and needs lists at the top of the JSON.
  public var pruneCondition: ObjectPredicate?
  /// The largest number of objects that may be pruned. If there are more, none is pruned, and that is an issue.
  public var maximumDeletions: DeletionLimit?
  /// Whether the import may change and delete objects that a program has changed while the server has not yet been
  /// told; see the store's local changes.
  public var overwritesLocalChanges = false
  /// Whether the report lists the objects at the top of the JSON, in its order.
  public var listsObjects = false
  /// Whether a source that is no file, such as a pipe, is received before the store is locked. Short sources are kept
  /// in memory, long ones in a temporary file. Otherwise the source is imported while it comes, and the store stays
  /// locked until its end.
  public var receivesFirst = true
  /// The form of the sources that do not say it themselves; see ``ImportSource/formatted(as:)``.
  public var format = InputFormat.automatic
  /// The greatest number of bytes that a source may have, after decompression; nil if there is no limit.
  public var maximumSize: Int?
  /// How many times as long the text of a compressed source may be, past its first 10 MB. A small file that becomes a
  /// huge text, which only does harm, is refused so.
  public var maximumRatio = 500
  /// How much is committed at a time. By default an import is one transaction: all of it or nothing.
  public var chunks = ImportChunks.whole
  /// Whether objects that their source identifies are added beside those that came of the same source before. Otherwise
  /// they replace those.
  public var appendsToSources = false
  /// Whether the import fails if objects turn out to have several owners that the model gives one, though JSON does not say so, or keys
  /// and values that it does not take: then what took the model from data can widen it.
  package var doubtsOwnership = false
  /// Whether the path to the objects may lead nowhere, since the sources are known to hold none.
  package var mayLackObjects = false
  /// Whether a document without the path to the objects, such as the error of a service, is left out, which is an issue. The import
  /// fails otherwise, and where the caller gave the path.
  package var leavesOutStrangers = false
  /// Whether the import fails as soon as it would change anything, or passes over what may be objects.
  package var mayChangeNothing = false
  /// The properties that may become parts of identities, the likeliest of each entity first. The import fails likewise where
  /// one does.
  package var possibleParts: [PossiblePart] = []
  /// The places of the doubts that are known already, see ``ImportDoubt/place``: the model allows as much as it can.
  package var settledDoubts: Set<String> = []
  /// The issues of sources that were left out. They may have held objects, so that nothing is pruned.
  package var leftOut: [ImportIssue] = []
  /// The share of the input's objects to import, if other importers read the same input for the rest. It excludes
  /// pruning.
  public var share: ImportShare?

  public init() {}
}

/// How much of an import is committed at a time.
///
/// An import in chunks lets others write in between. If it fails, the chunks that were committed stay. See
/// ``PartialImportError``.
public struct ImportChunks: Sendable, Hashable {
  enum Size: Sendable, Hashable {
    case whole
    case objects(Int)
    case bytes(Int)
  }

  let size: Size

  /// Everything at once.
  public static let whole = ImportChunks(size: .whole)

  /// So many objects at the top of the JSON, each with all that it nests. The least is one.
  public static func objects(_ count: Int) -> ImportChunks { ImportChunks(size: .objects(max(1, count))) }

  /// About so many bytes of JSON. The least is what is read at a time, a quarter of a megabyte.
  public static func bytes(_ count: Int) -> ImportChunks { ImportChunks(size: .bytes(max(1, count))) }

  /// Whether an import is one transaction.
  package var isWhole: Bool { size == .whole }
}

/// The target of the JSON.
public enum ImportTarget: Sendable, Hashable {
  /// The store: the objects of the JSON are objects of their own.
  case store
  /// An object of the store: the JSON is one object, which need not have an identity.
  case object(entity: String, identity: String)
  /// A relationship of an object of the store: the JSON is the relationship's value.
  case relationship(entity: String, identity: String, name: String)
}
