package import ObjectModel

/// The rows under a writer, as the rules of deletion and of the end see them: prepared statements on SQLite, on other engines
/// a look into the rows that a transaction has in memory.
///
/// A store knows where a link is kept; the rules know what a link means. So the rules stand once, in ``ObjectDeleter`` and
/// ``DeferredChecks``, and are the same on every engine.
package protocol RowStore: AnyObject {
  /// An error of reading or changing a row; `Never` where an engine notes its errors for the commit.
  associatedtype Failure: Error
  associatedtype Savepoint

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

  // MARK: - Changes

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
