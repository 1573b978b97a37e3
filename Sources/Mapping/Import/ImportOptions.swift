public import ObjectModel
public import ObjectStore

/// How an import goes about its work.
public struct ImportOptions: Sendable {
  /// What an import may do with objects.
  public typealias Operations = ObjectStore.Operations
  /// How many objects an import may prune. If it came to more, none is.
  public typealias DeletionLimit = ObjectStore.DeletionLimit

  /// The entity of the JSON's objects. Without it, the JSON's keys, the source's name or the model tell.
  public var entity: String?
  /// The key path from the root to what is to be imported: `response.items`.
  public var root: String?
  /// Which keys are taken for a property that no annotation gives a key.
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
  /// What the objects are imported into.
  public var target = ImportTarget.store
  /// What may be done with objects: insert, update and delete them.
  public var operations = Operations.all
  /// What lists of to-many relationships mean for the links that are there, where the mapping does not say it.
  public var toMany = ToManyPolicy.replace
  /// What to do about keys of objects that are not there.
  public var references = ReferencePolicy.pending
  /// Whether to delete the objects that the JSON does not have: of the entities whose lists it has at its top,
  /// or of the relationship that it is imported into.
  public var prunes = false
  /// If there is one, only objects that it holds for, when all else is imported, are pruned. It implies
  /// ``prunes``, and goes with lists at the top of the JSON.
  public var pruneCondition: ObjectPredicate?
  /// The most objects that may be pruned; if it came to more, none is, which is an issue.
  public var maximumDeletions: DeletionLimit?
  /// Whether the import may change and delete what a program has changed and the server has not been told of; see
  /// the store's local changes.
  public var overwritesLocalChanges = false
  /// Whether the report lists the objects at the top of the JSON, in its order.
  public var listsObjects = false
  /// Whether a source that is no file, a pipe for example, is received before the store is locked: in memory, or if it
  /// is long in a temporary file. Otherwise it is imported as it comes, and the store is locked until its end.
  public var receivesFirst = true
  /// How much is committed at a time. Unless said, an import is one transaction: all of it or nothing.
  public var chunks = ImportChunks.whole

  public init() {}
}

/// How much of an import is committed at a time.
///
/// An import in chunks lets others write in between, and a part of it may come about: what was committed stays, whatever
/// happens later. See ``PartialImportError``.
public struct ImportChunks: Sendable, Hashable {
  enum Size: Sendable, Hashable {
    case whole
    case objects(Int)
    case bytes(Int)
  }

  let size: Size

  /// All of it at once.
  public static let whole = ImportChunks(size: .whole)

  /// So many objects at the top of the JSON, each with all that it nests; at least one.
  public static func objects(_ count: Int) -> ImportChunks { ImportChunks(size: .objects(max(1, count))) }

  /// About so many bytes of JSON, at least those that are read at a time, a quarter of a megabyte.
  public static func bytes(_ count: Int) -> ImportChunks { ImportChunks(size: .bytes(max(1, count))) }

  /// Whether an import is one transaction.
  package var isWhole: Bool { size == .whole }
}

/// What JSON is imported into.
public enum ImportTarget: Sendable, Hashable {
  /// The store: the objects stand for themselves.
  case store
  /// An object that is there: the JSON is one object, which need not have an identity.
  case object(entity: String, identity: String)
  /// A relationship of an object that is there: the JSON is what that relationship has.
  case relationship(entity: String, identity: String, name: String)
}
