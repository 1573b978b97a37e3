import Bytes
import ObjectModel

/// Writes batches of rows, with what they link, in one transaction.
///
/// It is the front door. Rows are written by ``RecordWriter``, lists by ``ListWriters``, deletions are carried out by
/// ``ObjectDeleter``, and what has to wait for the end is decided in ``runDeferredChecks(_:)``. All of them share a
/// ``WriteContext``.
package final class RowWriter {
  let context: WriteContext
  let claims: OwnershipClaims
  let references: PendingReferences
  let pendingLinks: PendingLinks
  let deleter: ObjectDeleter
  let lists: ListWriters
  let releases: DeferredReleases
  let requiredLinks: RequiredLinks
  let uniqueValues: UniqueValues
  let records: RecordWriter
  /// The objects that were there when the import began, if it commits in chunks and prunes.
  var before: SQLiteObjectSetSnapshot?
  /// The objects that former transactions of the import deleted.
  let deletedBefore: [(entity: String, key: String)]

  /// - Parameters:
  ///   - equality: Knows which values are one, where a program writes.
  ///   - state: What the former transaction of the same import left to be done.
  package init(
    _ transaction: SQLiteTransaction, policy: WritePolicy, equality: (any ValueEquality)? = nil,
    continuing state: (any ChunkState)? = nil
  ) throws {
    let former = state as? RowWriterState
    context = try WriteContext(transaction, policy, continuing: former)
    claims = OwnershipClaims(context, continuing: former)
    references = PendingReferences(context, continuing: former)
    pendingLinks = try PendingLinks(context, claims, references)
    let entities = EntityWriters(context, claims, pendingLinks, equality: equality)
    let stubs = StubWriter(context, entities, pendingLinks)
    let checks = ReferenceChecks(context, references, stubs)
    deleter = ObjectDeleter(context, claims, pendingLinks, references)
    releases = DeferredReleases(context, deleter, continuing: former)
    requiredLinks = RequiredLinks(context, deleter, pendingLinks)
    uniqueValues = UniqueValues(context, deleter)
    lists = ListWriters(
      ListContext(
        context: context, entities: entities, claims: claims, pendingLinks: pendingLinks, stubs: stubs,
        checks: checks, releases: releases, deleter: deleter))
    records = RecordWriter(
      context, entities: entities, lists: lists,
      links: .init(claims: claims, pending: pendingLinks, checks: checks),
      deleter: deleter, uniqueValues: uniqueValues, requiredLinks: requiredLinks)
    before = former?.before
    deletedBefore = former?.deleted ?? []
  }

  /// Writes a root row and all that hangs on it: the rows from it to `end`.
  ///
  /// - Parameter existing: For an entity without identity, the row id of the object to update.
  package func write(root: Int, to end: Int, over existing: Int64?, of batch: inout RowBatch) throws {
    try records.write(root: root, to: end, over: existing, &batch)
  }

  // MARK: - What has happened

  /// What has happened to the objects so far.
  package var tally: WriteCounter { context.tally }

  /// What could not be written since this was last emptied.
  package var problems: [RowProblem] {
    get { context.problems.list }
    set { context.problems.list = newValue }
  }

  /// Whether anything was left out that may have held objects.
  package var hasLeftOutObjects: Bool {
    get { context.hasLeftOutObjects }
    set { context.hasLeftOutObjects = newValue }
  }

  /// The references of the import that lead nowhere.
  package func pendingReferences() throws -> PendingSummary {
    try references.summary()
  }

  /// The objects that were deleted, the first 10,000 of them, as entity and key.
  package var deletedObjects: [(entity: String, key: String)] {
    guard tally.deletedCount > deletedBefore.count else { return deletedBefore }
    return Array((deletedBefore + deleter.deleted).prefix(ObjectDeleter.mostNames))
  }

  // MARK: - Deleting

  package func deleteObjects(_ rows: [Int64], ofTable table: Int) throws -> [DeferredDeletion] {
    try deleter.deleteBeforeCheck(rows.map { ObjectDeleter.RowLocation(table: table, row: $0) })
  }

  // MARK: - Undoing

  /// How much is noted now.
  package var checkpoint: WriterCheckpoint {
    var checkpoint = WriterCheckpoint()
    (checkpoint.releases, checkpoint.links) = (releases.items.count, requiredLinks.count)
    checkpoint.deletions = deleter.heldDeletions.count
    return checkpoint
  }

  /// Forgets what was noted after a checkpoint, since what was written after it was undone.
  package func forget(after checkpoint: WriterCheckpoint) {
    problems = []
    releases.removeAll(after: checkpoint.releases)
    requiredLinks.removeAll(after: checkpoint.links)
    deleter.forgetHeldDeletions(after: checkpoint.deletions)
  }

  /// Forgets the releases noted before a checkpoint that need no check any more, since a row was saved after it: the row
  /// has the list again, or has its own owner.
  package func forgetReleases(
    before checkpoint: WriterCheckpoint, madeUpForBy row: Int, _ batch: borrowing RowBatch
  ) {
    guard checkpoint.releases > 0 else { return }
    releases.removeFirst(checkpoint.releases, madeUpForBy: row, batch)
  }
}
