package import Bytes
package import ObjectModel

/// The rows under a writer, as the rules of writing see them: prepared statements on SQLite, on other engines a look into the rows
/// that a transaction has in memory.
///
/// A store knows where a link is kept; the rules know what a link means. So the rules stand once, in ``RecordWriter``,
/// ``ObjectDeleter``, ``DeferredChecks`` and ``Renaming``, and are the same on every engine. Keys of a record are cells of the
/// batch that is being written: a store binds them, or looks for their values, and the rules never copy one.
package protocol RowStore: AnyObject {
  /// An error of reading or changing a row; `Never` where an engine notes its errors for the commit.
  associatedtype Failure: Error
  associatedtype Savepoint
  /// The links of an object, one after the other.
  associatedtype Links: StoredLinks where Links.Failure == Failure
  /// A link of a join table.
  associatedtype JoinLinkID

  /// The rules of the write, and what has happened so far.
  var context: WriteContext { get }

  // MARK: - Objects and their links

  /// The entity of an object; nil if there is no such row.
  func entity(of place: RowLocation) throws(Failure) -> SchemaEntity?

  /// The key of an object as text; empty if there is no such row.
  func keyText(of place: RowLocation) throws(Failure) -> String

  /// The objects that a relationship of an object leads to, in the order of the list.
  func targets(of relationship: SchemaRelationship, from owner: RowLocation) throws(Failure) -> [RowLocation]

  /// The objects that lead to an object by a relationship.
  func owners(by relationship: SchemaRelationship, of target: RowLocation) throws(Failure) -> [RowLocation]

  /// Whether a relationship of an object leads to any object that is not among others. SQLite looks no further than the first.
  func hasTarget(
    of relationship: SchemaRelationship, from owner: RowLocation, outside others: Set<RowLocation>
  ) throws(Failure) -> Bool

  /// Whether a relationship of an object leads to anything, be it there or not.
  func hasLinks(by relationship: SchemaRelationship, from owner: RowLocation) throws(Failure) -> Bool

  // MARK: - Deletions

  /// Removes an object, the links to it and from it, and what waits on its behalf. It is counted as deleted.
  func remove(_ place: RowLocation, of entity: SchemaEntity) throws(Failure)

  /// Removes an object that should not have been inserted, whose own links are gone. What refers to it waits for it, the
  /// owners of `lists` too.
  func removeInserted(_ place: RowLocation, of entity: SchemaEntity, listedBy lists: [Int]) throws(Failure)

  /// Removes the links of an object by a relationship.
  ///
  /// - Parameter isOfFormerKind: Whether the object stays, without the relationship: then the foreign keys that lead to it
  ///   by the inverse go as well, and what waits. Otherwise they wait for it.
  func removeLinks(of relationship: SchemaRelationship, from owner: RowLocation, isOfFormerKind: Bool)
    throws(Failure)

  // MARK: - Objects that lists no longer have

  /// The key, as text, of an object that a list no longer has; nil if another list has it since, or if its row is another
  /// object's by now.
  func keyIfWithoutOwner(_ release: DeferredRelease) throws(Failure) -> String?

  /// Whether the row of an object has an owner by the lists of a relationship.
  func hasOwner(_ child: Int64, _ rules: ListRules) throws(Failure) -> Bool

  /// Clears the owner of an object that a list no longer has. It is counted as changed.
  func clearOwner(of release: DeferredRelease) throws(Failure)

  // MARK: - Many objects

  /// Fetches, or makes fast to find, what the deletion of objects looks for: what goes along with them and what leads to it.
  func prepareDeletion(of places: some Collection<RowLocation>, by deleter: ObjectDeleter<Self>)
    throws(Failure)

  /// Fetches objects and what leads to them.
  func prepareLookup(of places: some Collection<RowLocation>) throws(Failure)

  /// The rows of the objects of a query.
  func rows(of query: Query) throws -> [Int64]

  func count(_ query: Query) throws -> Int

  /// The rows, among some of a table, of objects that were there when the import began.
  func rowsFromBefore(_ rows: [Int64], inTable table: Int) throws -> [Int64]

  /// A state of the rows and of the counts to go back to.
  func setSavepoint() throws -> Savepoint
  func undo(to savepoint: Savepoint) throws
  func release(_ savepoint: Savepoint) throws

  // MARK: - Records

  /// Writes the row of a step: inserts or updates the object with its identity, or without one the object that the step
  /// names. Values that a program gives are checked for uniqueness in the end.
  ///
  /// - Parameter allowsMissing: Whether a new object may lack what is required, since that comes in the end.
  func write(
    _ step: RowStep, _ rules: EntityRules, allowsMissing: Bool, _ batch: inout RowBatch
  ) throws(Failure) -> WriteResult

  /// Inserts an object with a key and the defaults. Returns its row; nil if it cannot be.
  func insertStub(_ key: [Cell], _ rules: EntityRules, _ batch: borrowing RowBatch) throws(Failure) -> Int64?

  /// The stored object that a row is about; nil if it is not there.
  func storedVersion(
    of step: RowStep, _ rules: EntityRules, _ batch: borrowing RowBatch
  ) throws(Failure) -> StoredVersion?

  /// The row that a foreign key of the stored object leads to, where that is an object without identity.
  func storedReference(
    of step: RowStep, slot: Int, _ rules: EntityRules, _ batch: borrowing RowBatch
  ) throws(Failure) -> Int64?

  /// Whether an object has all values that the cells of a row say, those of nested objects aside.
  func matches(
    _ row: Int, _ object: Int64, _ rules: EntityRules, _ batch: borrowing RowBatch
  ) throws(Failure) -> Bool

  /// The row of the object of a table with a key; nil if there is none.
  func find(_ key: [Cell], inTable table: Int, _ batch: borrowing RowBatch) throws(Failure) -> Int64?

  /// Whether an object of an entity, or of a sub-entity, has a key.
  func contains(_ key: [Cell], of entity: Int, _ batch: borrowing RowBatch) throws(Failure) -> Bool

  /// The values of slots of the stored object that a row is about; nulls if it is not there.
  func storedValues(
    of step: RowStep, slots: [Int], _ rules: EntityRules, _ batch: borrowing RowBatch
  ) throws(Failure) -> [SQLValue]

  /// Sets values of an object that must be unique. Returns the constraint that stands against it; then nothing is set.
  func setUniqueValues(
    _ values: [SQLValue], of columns: [Int], in place: RowLocation
  ) throws(Failure) -> String?

  /// Fetches objects, and those that have the values which are to be unique in them.
  func prepareUniqueValues(of items: ArraySlice<DeferredUniqueValues>) throws(Failure)

  /// The objects to which a program gave values that others still have.
  func uniquenessProblems() throws(Failure) -> [DeferredProblem]

  /// Counts a change of an object that came about through another's relationship.
  func countChange(of place: RowLocation) throws(Failure)

  // MARK: - Links in their targets' rows

  /// The targets of an owner, in the order of its list.
  func children(
    of owner: [Cell], _ rules: ListRules, _ batch: borrowing RowBatch
  ) throws(Failure) -> Links

  /// The target with a key; nil if there is none.
  func storedChild(
    _ key: [Cell], of owner: [Cell], _ rules: ListRules, _ batch: borrowing RowBatch
  ) throws(Failure) -> StoredChild?

  /// Gives a target an owner, or none, and a place in its list. False if it had these.
  func setOwner(
    of child: Int64, _ rules: ListRules, to owner: [Cell]?, at place: Int?, _ batch: borrowing RowBatch
  ) throws(Failure) -> Bool

  /// Gives a target the owner and the place that a list claimed it for. False if it had these.
  func setOwner(
    of child: Int64, _ rules: ListRules, by claim: OwnershipClaim
  ) throws(Failure) -> Bool

  // MARK: - Links in join tables

  /// The links of an owner, in the order of its list.
  func links(
    of owner: [Cell], _ rules: ListRules, _ batch: borrowing RowBatch
  ) throws(Failure) -> Links

  /// Makes the links of a new object all at once, if the store can tell without a look that it has none.
  ///
  /// - Parameter isMerging: Whether the places are those of the targets without repetitions.
  func appendLinks(
    of owner: [Cell], to targets: inout TargetKeys, _ rules: ListRules, isMerging: Bool,
    _ batch: borrowing RowBatch
  ) throws(Failure) -> Bool

  /// Links an owner with a target. False if they are linked already. The other direction of a relationship that is its own
  /// inverse is made as well.
  func insertLink(
    from owner: [Cell], to target: Int, of targets: borrowing TargetKeys, at place: Int, _ rules: ListRules,
    _ batch: borrowing RowBatch
  ) throws(Failure) -> Bool

  func moveLink(_ link: Int64, to place: Int, _ rules: ListRules) throws(Failure)

  /// Removes a link, and its other direction.
  func removeLink(_ link: Int64, _ rules: ListRules) throws(Failure)

  /// The row of the target of a link; nil if it is not there.
  func target(ofLink link: Int64, _ rules: ListRules) throws(Failure) -> Int64?

  /// The link between two objects; nil if there is none.
  func link(
    from owner: [Cell], to target: [Cell], _ rules: ListRules, _ batch: borrowing RowBatch
  ) throws(Failure) -> JoinLinkID?

  // MARK: - Links of one object to one

  /// The rows, but for one, whose foreign key leads to a key.
  func rivals(
    by key: ForeignKey, of target: [Cell], sparing row: Int64, _ batch: borrowing RowBatch
  ) throws(Failure) -> [Int64]

  /// Sets a foreign key, or clears it. False if it was so.
  func setReference(
    of row: Int64, by key: ForeignKey, to target: [Cell]?, _ batch: borrowing RowBatch
  ) throws(Failure) -> Bool

  /// Has the foreign key of a row lead to another row of its table. False if it did.
  func setReference(of row: Int64, by key: ForeignKey, toRow other: Int64) throws(Failure) -> Bool

  // MARK: - Links that wait in their owners

  /// Whether the store remembers links that new objects may complete.
  var hasPending: Bool { get }

  /// The keys, as text, of the objects that the list of an owner waits for.
  func pendingTargets(of relationship: SchemaRelationship, owner: String) throws(Failure) -> [String]

  /// Remembers a link, or gives one that is remembered its place. Returns its number.
  ///
  /// - Parameter keepsPlace: Whether a link that is remembered keeps the place that it has.
  @discardableResult
  func addPending(
    _ relationship: SchemaRelationship, owner: String, target: String, place: Int64?, keepsPlace: Bool
  ) throws(Failure) -> Int64

  /// Forgets the links of all other owners to a target. Returns their numbers.
  func forgetPending(
    _ relationship: SchemaRelationship, to target: String, exceptOf owner: String
  ) throws(Failure) -> [Int64]

  func forgetPending(_ relationship: SchemaRelationship, owner: String, target: String) throws(Failure)
  func forgetPending(_ relationship: SchemaRelationship, owner: String) throws(Failure)

  /// Forgets and returns the links that waited for an object of an entity. Those that an object of another kind has to
  /// complete wait on.
  func takePending(for entity: SchemaEntity, target: String) throws(Failure) -> [ArrivedLink]

  /// Sets the owner of an object that a link waited for. False if the owner's key is none.
  func complete(_ link: ArrivedLink, of place: RowLocation) throws(Failure)

  // MARK: - References that lead nowhere

  /// Notes that the foreign key of an object leads nowhere.
  func noteMissing(_ relationship: SchemaRelationship, of entity: Int, row: Int64)

  /// Notes that a link of a join table leads nowhere.
  func noteMissing(_ relationship: SchemaRelationship, link: JoinLinkID)

  // MARK: - Deep records

  /// Notes that a row was not written since the system gave no stack for it.
  func noteFailure(_ error: SystemError) throws(Failure)

  // MARK: - Keys

  /// The key of an object; nil if there is no such row.
  func key(of place: RowLocation) throws -> [SQLValue]?

  /// The row of the object of a table with a key; nil if there is none.
  func row(withKey key: [SQLValue], inTable table: Int) throws -> Int64?

  /// The objects of a table whose keys have another key in them.
  func objects(inTable table: Int, naming key: [SQLValue], at places: KeyPlaces) throws -> [(
    row: Int64, key: [SQLValue]
  )]

  /// The keys that a relationship leads to, be their objects there or not, and that have another key in them.
  func targetKeys(
    of relationship: SchemaRelationship, naming key: [SQLValue], at places: KeyPlaces
  ) throws -> [[SQLValue]]

  /// The keys, as text, of the objects of a root entity that links wait for.
  func awaitedKeys(of root: SchemaEntity) throws -> [String]

  /// Gives the object in a row another key, which no other has. Returns its row.
  func setKey(of place: RowLocation, to key: [SQLValue]) throws -> Int64

  /// Has all foreign keys and links that lead to an object lead to its new key, but for those that are a part of other keys.
  /// Of a one-to-one, an object that waited for the new key gives way.
  func moveLinks(_ change: KeyChange) throws

  /// Has what an object waits for, and what waits for it, follow.
  func movePending(_ change: KeyChange) throws

  /// The values of columns of an object.
  func values(of columns: [Int], in place: RowLocation) throws -> [SQLValue]
  func setValues(_ values: [SQLValue], of columns: [Int], in place: RowLocation) throws

  /// Removes a row and nothing that leads to it.
  func removeRow(_ place: RowLocation) throws

  /// Counts a change of an object.
  func noteChange(of place: RowLocation) throws

  /// The journal of what a program did; nil if there is none.
  func journal() throws -> Journal?
}

extension RowStore {
  package func prepareUniqueValues(of items: ArraySlice<DeferredUniqueValues>) {}

  package func appendLinks(
    of owner: [Cell], to targets: inout TargetKeys, _ rules: ListRules, isMerging: Bool,
    _ batch: borrowing RowBatch
  ) -> Bool { false }
}

/// The links of an object, read one after the other.
package protocol StoredLinks {
  associatedtype Failure: Error

  /// Goes on to the next link. False if there is none.
  mutating func next() throws(Failure) -> Bool

  /// The row of the link: of its target, or of the join table.
  var row: Int64 { get }
  var place: Int64? { get }
  /// The row of the target, if that has no identity.
  var targetRow: Int64? { get }
  /// The keys of the owners of the target that come before the list's, as text; empty if it has none.
  var precedingOwners: String { get }

  /// Adds the key of the link's target to a hash, as ``TargetKeys`` adds the cells of a key.
  func combineKey(into hash: inout Hash)

  /// Whether a part of the key of the link's target is what a cell says.
  func keyPart(_ part: Int, equals cell: Cell, of batch: borrowing RowBatch) -> Bool
}

extension RowStore {
  package var layout: Layout { context.layout }
  package var policy: WritePolicy { context.policy }

  // MARK: - What has happened

  /// A ticket for a problem that no row of a batch has.
  func takeTicket() -> Int { context.problems.takeTicket() }

  /// Whether the import has come across an object.
  func hasSeen(_ place: RowLocation) -> Bool { context.tally.hasSeen(place.row, table: place.table) }

  /// Whether anything was skipped or left out, so that an object which seems to be missing may be one that could not be used.
  var hasLeftOut: Bool { context.tally.hasSkipped || context.hasLeftOutObjects }

  /// Whether a program changed an object and the server was not told yet.
  func isUnsynced(_ place: RowLocation) -> Bool {
    context.unsynced?.protection(of: place.row, table: place.table) != nil
  }

  /// Counts an object that stays since a program changed it.
  func countUnsynced(_ place: RowLocation) {
    context.tally.countPartlyUnsent(
      row: place.row, entity: layout.tables[place.table].root, table: place.table)
  }

  /// Counts an insertion of an object of an entity as one that was skipped.
  func countInsertionUndone(_ place: RowLocation, of entity: Int) {
    context.tally.countInsertionUndone(row: place.row, entity: entity, table: place.table)
  }

  /// Counts an object that was skipped as one that a program deleted.
  func countUnsyncedInsteadOfSkipped(of entity: Int) {
    context.tally.countUnsentInsteadOfSkipped(entity: entity)
  }

  /// How many objects were deleted.
  var deletedCount: Int { context.tally.deletedCount }

  /// Forgets what was kept of a row that is gone.
  package func noteGone(_ place: RowLocation) {
    context.claims.drop(ofDeleted: place.row, inTable: place.table)
    context.repetitions.forget(inTable: place.table)
  }
}

/// An object by its table and its row.
package struct RowLocation: Hashable, Sendable {
  package var table: Int
  package var row: Int64

  package init(table: Int, row: Int64) {
    self.table = table
    self.row = row
  }
}

extension Array {
  /// Parts of the array that are fetched together.
  package var portions: [ArraySlice<Element>] {
    stride(from: 0, to: count, by: 4_096).map { self[$0..<Swift.min($0 + 4_096, count)] }
  }
}
