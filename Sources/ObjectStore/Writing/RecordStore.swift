package import Bytes
package import ObjectModel

/// The rows under a ``RecordWriter``: prepared statements on SQLite, on other engines a look into the rows that a transaction
/// has in memory.
///
/// Keys are cells of the batch that is being written. A store binds them, or looks for their values; the rules never copy one.
package protocol RecordStore: KeyedRows {
  /// The links of an object, one after the other.
  associatedtype Links: StoredLinks where Links.Failure == Failure
  /// A link of a join table.
  associatedtype JoinLinkID

  // MARK: - Objects

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
}

extension RecordStore {
  package func prepareUniqueValues(of items: ArraySlice<DeferredUniqueValues>) {}

  package func appendLinks(
    of owner: [Cell], to targets: inout TargetKeys, _ rules: ListRules, isMerging: Bool,
    _ batch: borrowing RowBatch
  ) -> Bool { false }
}

/// The links of an object, read one after the other.
package protocol StoredLinks: StoredLink {
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
}

/// A row that is to be written.
package struct RowStep {
  package let row: Int
  /// For an entity without identity, the row of the object to update.
  package let existing: Int64?
  /// Whether it takes the place of the existing object, rather than tell more of it.
  package let isReplacement: Bool
  /// The changes of the owned objects that its foreign keys lead to.
  var ownedObjects: OwnedObjectChanges?

  package init(_ row: Int, over existing: Int64? = nil, isReplacement: Bool = false) {
    self.row = row
    self.existing = existing
    self.isReplacement = isReplacement
  }

  struct OwnedObjectChanges {
    /// Objects that the row no longer leads to, which go once it is written.
    var released: [RowLocation] = []
    /// Objects that were made for it, which go if it cannot be written.
    var inserted: [(entity: Int, row: Int64)] = []
  }
}

/// The result of writing a row.
package enum WriteResult {
  case written(WrittenRow)
  case problem(RowProblem.Reason)
}

/// The effect of writing a row.
package struct WrittenRow {
  package let outcome: WriteCounter.Outcome
  package let row: Int64
  /// The change of the row's owner by the list that names the row; see ``OwnershipClaims``.
  package var ownerChange = OwnerChange.none
  /// Whether values of the object gave way to others, if that matters.
  package var replacesValues = false
  /// The values that were there and came, of an object that was changed, if that matters.
  package var compared: ComparedValues?
  /// The entity that the object was of before it turned into another kind.
  package var formerKind: Int?

  package init(
    _ outcome: WriteCounter.Outcome, row: Int64, ownerChange: OwnerChange = .none,
    replacesValues: Bool = false, compared: ComparedValues? = nil, formerKind: Int? = nil
  ) {
    self.outcome = outcome
    self.row = row
    self.ownerChange = ownerChange
    self.replacesValues = replacesValues
    self.compared = compared
    self.formerKind = formerKind
  }
}

/// The stored object that a row is about.
package struct StoredVersion {
  package let row: Int64
  /// Whether its version is newer than the row's.
  package let isNewer: Bool

  package init(row: Int64, isNewer: Bool) { (self.row, self.isNewer) = (row, isNewer) }
}

/// A target of a list that is in the store.
package struct StoredChild {
  package let row: Int64
  package let hasOwner: Bool
  /// Whether its owner is the one that was asked about.
  package let isOwnedAlready: Bool

  package init(row: Int64, hasOwner: Bool, isOwnedAlready: Bool) {
    (self.row, self.hasOwner, self.isOwnedAlready) = (row, hasOwner, isOwnedAlready)
  }
}

/// A link that waited for an object, which has come.
package struct ArrivedLink {
  package let number: Int64
  package let relationship: Int
  /// The key of the owner, as text.
  package let owner: String
  package let place: Int64?

  package init(number: Int64, relationship: Int, owner: String, place: Int64?) {
    (self.number, self.relationship, self.owner, self.place) = (number, relationship, owner, place)
  }
}
