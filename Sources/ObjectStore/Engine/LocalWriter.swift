import Bytes
package import ObjectModel

/// Writes what a program saves and deletes.
package protocol LocalWriter: BatchWriter {
  /// What could not be written since this was last emptied.
  var problems: [RowProblem] { get set }

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

  // MARK: - Deleting

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

  // MARK: - Undoing

  /// How much is noted now for the deferred checks.
  var checkpoint: WriterCheckpoint { get }

  /// Forgets what was noted after a checkpoint, since what was written after it was undone.
  func forget(after checkpoint: WriterCheckpoint)

  /// Forgets the releases noted before a checkpoint that need no check any more, since a row was saved after it: the row
  /// has the list again, or has its own owner.
  func forgetReleases(before checkpoint: WriterCheckpoint, madeUpForBy row: Int, _ batch: borrowing RowBatch)
}

/// A deletion that something stood against when it was made.
package struct DeferredDeletion: Sendable {
  /// The ticket by which the end of the transaction tells whether something still stands against it.
  package let ticket: Int
  /// The entity of the object that was deleted.
  package let entity: Int
  /// The identity of that object, as reports write it.
  package let identity: String

  package init(ticket: Int, entity: Int, identity: String) {
    (self.ticket, self.entity, self.identity) = (ticket, entity, identity)
  }
}

/// How much a writer had noted for the deferred checks at some moment.
package struct WriterCheckpoint: Sendable {
  package var releases = 0
  package var links = 0
  package var deletions = 0

  package init() {}
}
