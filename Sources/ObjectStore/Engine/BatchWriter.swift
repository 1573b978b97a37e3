package import ObjectModel

/// Writes batches of rows, with what they link, in one transaction.
///
/// It is handed a whole batch, or the records of one that a chunk has room for, at a time. What has to wait until
/// everything is written is decided in ``runDeferredChecks(_:)``; an import in chunks hands it on from transaction to
/// transaction.
package protocol BatchWriter: AnyObject {
  associatedtype Rows: RowStore

  /// The rules, over the rows of the engine.
  var records: RecordWriter<Rows> { get }

  /// Whether anything was left out that may have held objects, so that nothing can be pruned for being missing.
  var hasLeftOutObjects: Bool { get set }

  // MARK: - Writing

  /// Writes records of a batch in their order, each a root row and all that hangs on it.
  ///
  /// Afterwards each root row has its state and, unless it was skipped, its row id.
  ///
  /// - Parameter records: Which of the batch's records, counted as ``RowBatch/roots`` are.
  func write(_ records: Range<Int>, of batch: inout RowBatch) throws

  /// The entity of the stored object that has the identity of a row, which may be a sub-entity of the row's; nil if there
  /// is none.
  func storedKind(of row: Int, _ batch: borrowing RowBatch) throws -> Int?

  /// How large batches like the last one had better be; nil where it does not matter.
  var wantedBatchSize: BatchSize? { get }

  /// The problems of rows since they were last taken or emptied, in the order of the records.
  var problems: [RowProblem] { get set }
  func takeProblems() -> [RowProblem]

  /// Gives an object another identity: every link and every reference that waits follows it.
  ///
  /// - Parameters:
  ///   - row: The object's row.
  ///   - entity: The object's entity, which has an identity.
  ///   - identity: The parts of the new identity, as the store keeps them.
  func rename(_ row: Int64, of entity: SchemaEntity, to identity: [SQLValue]) throws -> RenameOutcome

  // MARK: - The end

  /// Deals with what has to wait until everything is written: values that must be unique, objects that several lists
  /// claim or that lack what they require, objects that lost their owner, and objects to be pruned.
  func runDeferredChecks(_ request: PruneRequest) throws -> DeferredProblems

  /// The evidence against one owner for objects, if the policy asks for it; complete once ``runDeferredChecks(_:)`` or
  /// ``finishChunk()`` has run.
  var ownershipDoubts: [OwnershipDoubt] { get }

  /// The evidence against identities, if the policy asks for it.
  var identityConflicts: IdentityConflicts { get }

  /// The counts of the import's objects; exact once ``runDeferredChecks(_:)`` or ``finishChunk()`` has run.
  var counts: WriteCounts { get }

  /// The objects that were deleted, the first 10,000 of them, as entity and key.
  var deletedObjects: [(entity: String, key: String)] { get }

  /// The references of the import that lead nowhere.
  func pendingReferences() throws -> PendingSummary

  // MARK: - Chunks

  /// Notes which objects there are before the first chunk, so that only these are pruned in the end.
  func takeObjectSetSnapshot() throws

  /// Deals with what must not be left open when a part of an import is committed.
  func finishChunk() throws -> [DeferredProblem]

  /// The state for the writer of the next transaction. To be asked when this one's is about to be committed.
  func chunkState() throws -> any ChunkState

  // MARK: - Objects that a program saves and deletes

  /// Writes a root row and all that hangs on it: the rows from it to `end`.
  ///
  /// - Parameter existing: For an entity without identity, the row id of the object to update.
  func write(root: Int, to end: Int, over existing: Int64?, of batch: inout RowBatch) throws

  /// Gives attributes of the objects of a query values.
  ///
  /// - Parameters:
  ///   - values: The attributes by their indexes, and the values in the form of the store, of which only some may be
  ///     other than those that are there.
  /// - Returns: How many objects are changed by it.
  func updateTogether(_ query: Query, _ values: [(attribute: Int, value: SQLValue)]) throws -> Int

  /// Makes an object the one that has an identity already: that gets its links and the values of some of its
  /// properties, and the object itself goes. So do the objects whose identity names it.
  ///
  /// - Parameter properties: The names of the attributes, and the relationships that the row itself keeps.
  func merge(
    _ row: Int64, of entity: SchemaEntity, into identity: [SQLValue], taking properties: Set<String>
  ) throws

  /// Deletes rows of an entity and all links to them, where that is all that the model asks for: nothing cascades,
  /// denies, requires, waits or is named.
  ///
  /// - Returns: False if it is not; then nothing is deleted.
  func deleteTogether(_ rows: [Int64], of entity: SchemaEntity) throws -> Bool

  /// Deletes rows that are there and what their cascades reach.
  ///
  /// An object that stands against it may go, or get another target, before the transaction ends. So this is looked at in
  /// the end, with what else has to hold then.
  ///
  /// - Returns: The deletions that something stands against now.
  func deleteObjects(_ rows: [Int64], ofTable table: Int) throws -> [DeferredDeletion]

  // MARK: - Undoing what a program saves

  /// How much is noted now for the deferred checks.
  var checkpoint: WriterCheckpoint { get }

  /// Forgets what was noted after a checkpoint, since what was written after it was undone.
  func forget(after checkpoint: WriterCheckpoint)

  /// Forgets the releases noted before a checkpoint that need no check any more, since a row was saved after it: the row
  /// has the list again, or has its own owner.
  func forgetReleases(before checkpoint: WriterCheckpoint, madeUpForBy row: Int, _ batch: borrowing RowBatch)
}

extension BatchWriter {
  package var wantedBatchSize: BatchSize? { nil }
}

/// The state that the writer of one transaction leaves to that of the next one of the same import. Only the engine
/// looks into it.
package protocol ChunkState {}

/// Counts of what happened to the objects of an import.
package struct WriteCounts: Sendable {
  /// By the entity's index.
  package var entities: [WriteCounter.Counts]
  /// How often the import came across an object that it had come across before.
  package var duplicates: Int

  package init(entities: [WriteCounter.Counts], duplicates: Int) {
    self.entities = entities
    self.duplicates = duplicates
  }
}

/// The outcome of giving an object another identity.
package enum RenameOutcome: Sendable, Hashable {
  /// The row that it has now.
  case renamed(row: Int64)
  /// Another object has that identity. Nothing was changed.
  case taken
}

/// How lists, references and objects are treated.
package struct WritePolicy: Sendable {
  /// The meaning of lists whose relationships do not say it themselves.
  package var toMany: ToManyPolicy
  package var references: ReferencePolicy
  package var operations: Operations
  /// The entity of the objects at the top of the JSON, if they are of one; nil if any may come.
  package var entity: Int?
  /// The relationship whose lists are pruned whatever the rest says.
  package var prunedRelationship: Int?
  /// Whether a program writes, not an import: then what the model says of imports does not matter.
  package private(set) var isLocal = false
  /// Whether every object that is deleted is to be named, however many there are.
  package var namesAllDeleted = false
  /// Whether an import may change what a program has changed and the server has not been told of.
  package var overwritesUnsent = false
  /// Whether objects that lists take from other owners are counted; see ``OwnershipDoubt``.
  package var doubtsOwnership = false
  /// The entities whose objects are counted that come with other values under their identities; see ``IdentityConflicts``.
  package var doubtedIdentities: Set<Int> = []

  /// That of a program that says exactly what is to be.
  package static var local: WritePolicy {
    var policy = WritePolicy()
    policy.isLocal = true
    return policy
  }

  package init(
    toMany: ToManyPolicy = .replace, references: ReferencePolicy = .pending, operations: Operations = .all
  ) {
    self.toMany = toMany
    self.references = references
    self.operations = operations
  }
}

extension WritePolicy {
  /// The meaning of the lists of a relationship.
  package func meaning(ofList relationship: SchemaRelationship) -> ToManyPolicy {
    let own = isLocal ? nil : relationship.relationship.annotations.toMany.flatMap(ToManyPolicy.init)
    // The far end of a one-to-one is no list, though its link is written as one.
    guard relationship.isToMany else { return .replace }
    let wanted = relationship.index == prunedRelationship ? .prune : own ?? toMany
    let allowed = operations.intersection(operations(for: relationship))
    return wanted == .prune && !allowed.contains(.delete) ? .replace : wanted
  }

  /// The operations that are allowed on the objects that a relationship nests.
  package func operations(for relationship: SchemaRelationship) -> Operations {
    isLocal ? .all : relationship.relationship.annotations.only ?? .all
  }

  /// The treatment of a relationship's references to objects that are not there.
  package func treatment(ofReferences relationship: SchemaRelationship) -> ReferencePolicy {
    let own = isLocal ? nil : relationship.relationship.annotations.references
    return own.flatMap(ReferencePolicy.init) ?? references
  }
}

/// How many objects an import may prune. If it came to more, none is.
public enum DeletionLimit: Sendable, Hashable {
  case objects(Int)
  /// Of the objects that the pruned entities have.
  case percent(Double)
}

/// Why a row could not be written, or not all of it.
package struct RowProblem: Sendable {
  package enum Reason: Sendable {
    /// A new object lacks an attribute that its entity requires, given by its index.
    case missing(attribute: Int)
    /// The database cannot keep a value of an attribute as it is.
    case attributeNotKept(attribute: Int, ValueLimit)
    /// The database cannot keep a key that a relationship names.
    case linkNotKept(relationship: Int, ValueLimit)
    /// A new object says nothing of the sub-entity that it is of.
    case unknownKind
    /// A new object lacks a relationship that its entity requires.
    case missingLink(relationship: Int)
    /// Another object has the values of a uniqueness constraint.
    case notUnique(String)
    /// Another object has the values of a uniqueness constraint; the object keeps those that it had.
    case valueNotUnique(String)
    /// An object that the list no longer has cannot be without its owner, so it keeps it.
    case needsOwner(relationship: Int, key: String)
    /// Whether it is one shows when everything is written; see ``BatchWriter/runDeferredChecks(_:)``.
    case deferred(ticket: Int)
    /// An object of a list belongs to another owner, which is a part of its identity.
    case belongsToAnother(relationship: Int, key: String)
    /// The object was not deleted, since not all of the import could be used.
    case pruneWithheld(relationship: Int, key: String)
    /// The object was not deleted, since objects that the import has come across would go with it.
    case deletionTakesListed(relationship: Int, key: String)
    /// The object was not deleted, since objects would go with it that a program has changed and the server has
    /// not been told of.
    case deletionTakesUnsent(relationship: Int, key: String)
    /// Objects of the entities that the import lacks were not deleted, since not all of it could be used.
    case scopeWithheld(entities: [Int])
    /// Nothing was pruned, since it came to more than is allowed.
    case tooManyDeletions(entity: Int, count: Int, most: Int)
    /// Lists of several owners have the same objects, which can have one owner only; so often.
    case severalOwners(relationship: Int, count: Int)
    /// The object cannot be deleted, since another, of an entity and with a key, would be left without what it requires.
    case deletionLeavesWithout(relationship: Int, key: String, entity: Int, holder: String)
    /// The object cannot be deleted because of its delete rules.
    case deletionDenied(relationship: Int, key: String)
  }

  /// The row of the batch.
  package var row: Int
  package var reason: Reason

  package init(row: Int, reason: Reason) {
    self.row = row
    self.reason = reason
  }
}

/// A limit of a database for values that a store otherwise has.
package enum ValueLimit: Sendable, Hashable {
  /// The character U+0000.
  case zero
  /// More digits of a second than six. They are cut off.
  case fraction
  /// The identity's texts, with so many bytes.
  case identity(bytes: Int)
}

/// A problem that had to wait for the end, by its ticket.
package typealias DeferredProblem = (ticket: Int, reason: RowProblem.Reason)

/// The findings at the end of an import.
package struct DeferredProblems {
  /// Which of the deferred problems are some, by their tickets.
  package var problems: [DeferredProblem] = []
  /// Problems that no single object has.
  package var general: [RowProblem.Reason] = []

  package init() {}
}

/// The deletions of an import besides those of its lists.
package struct PruneRequest: Sendable {
  /// Of the objects of each of these, those that the import has not come across are deleted.
  package var scopes: [Query] = []
  /// The most that may be deleted.
  package var limit: DeletionLimit?

  package init() {}

  /// The entities of the scopes by their index, each once.
  package func entities(of schema: Schema) -> [Int] {
    var seen: Set<Int> = []
    return scopes.compactMap { schema.index(of: $0.entity) }.filter { seen.insert($0).inserted }
  }
}

/// The references of an import that lead nowhere.
///
/// The first 10,000 of them are listed, in an order that is the same on every engine: by the entity and the identity of the
/// object that refers, then by the relationship and the object that is not there. In which order an engine comes across them
/// goes by the numbers that it gives rows, and by what it writes together. Those that must not be come first.
package struct PendingSummary: Sendable {
  package private(set) var count: Int
  package private(set) var references: [Reference] = []
  /// The last of those that are listed at most, once there are so many.
  private var last: Reference?
  /// By the name of an entity, whether its identities are whole numbers.
  private var areNumbers: [String: Bool] = [:]

  private static let most = 10_000

  /// - Parameter count: How many there are that are not added.
  package init(count: Int = 0, _ layout: Layout) {
    self.count = count
    for entity in layout.schema.entities {
      areNumbers[entity.name] = layout.table(of: entity.index).keyIsRowID
    }
  }

  package mutating func add(_ reference: Reference) {
    count += 1
    if let last, !isBefore(reference, last) { return }
    references.append(reference)
    if references.count >= 2 * Self.most { sort() }
  }

  /// To be called once all are added.
  package mutating func sort() {
    references = references.sorted(by: isBefore)
    guard references.count >= Self.most else { return }
    references.removeLast(references.count - Self.most)
    last = references.last
  }

  private func isBefore(_ first: Reference, _ second: Reference) -> Bool {
    func isBefore(_ first: String, _ second: String, in entity: String) -> Bool {
      guard areNumbers[entity] == true, let one = Int64(first), let other = Int64(second) else {
        return first.utf8.lexicographicallyPrecedes(second.utf8)
      }
      return one < other
    }
    // An error is never cut off.
    if first.isError != second.isError { return first.isError }
    if first.entity != second.entity { return first.entity < second.entity }
    if first.identity != second.identity {
      return isBefore(first.identity, second.identity, in: first.entity)
    }
    if first.relationship != second.relationship { return first.relationship < second.relationship }
    return isBefore(first.key, second.key, in: first.target)
  }

  /// A reference to an object that is not there.
  package struct Reference: Sendable, Hashable {
    /// The entity and the identity of the object that refers, as text.
    package var entity: String
    package var identity: String
    package var relationship: String
    /// The entity and the identity of the object that is not there, as text.
    package var target: String
    package var key: String
    /// Whether there must be none.
    package var isError: Bool

    package init(
      entity: String, identity: String, relationship: String, target: String, key: String, isError: Bool
    ) {
      self.entity = entity
      self.identity = identity
      self.relationship = relationship
      self.target = target
      self.key = key
      self.isError = isError
    }
  }
}
