import ObjectModel
/// Writes batches of rows, with what they link, in one transaction.
///
/// It is the front door. Records are written by ``RecordWriter`` over ``SQLiteRows``, deletions are carried out by
/// ``ObjectDeleter``, and what has to wait for the end is decided in ``runDeferredChecks(_:)``. All of them share a
/// ``WriteContext``.
package final class RowWriter: BatchWriter {
  let transaction: SQLiteTransaction
  let rows: SQLiteRows
  package let records: RecordWriter<SQLiteRows>

  /// - Parameters:
  ///   - equality: Knows which values are one, where a program writes.
  ///   - state: What the former transaction of the same import left to be done.
  package init(
    _ transaction: SQLiteTransaction, policy: WritePolicy, equality: ValueEquality? = nil,
    continuing state: (any ChunkState)? = nil
  ) throws {
    let former = state as? RowWriterState
    self.transaction = transaction
    let context = WriteContext(
      transaction.layout, policy, continuing: former?.context, isFresh: transaction.takeFreshness())
    if !policy.isLocal {
      context.unsynced = try transaction.unsyncedChanges(isProtective: !policy.overwritesUnsent)
    }
    rows = try SQLiteRows(transaction, context, equality: equality, continuing: former)
    records = RecordWriter(rows, ObjectDeleter(rows, context.layout, continuing: former?.deleted ?? []))
  }

  /// Writes a root row and all that hangs on it: the rows from it to `end`.
  ///
  /// - Parameter existing: For an entity without identity, the row id of the object to update.
  package func write(root: Int, to end: Int, over existing: Int64?, of batch: inout RowBatch) throws {
    try records.write(root: root, to: end, over: existing, &batch)
  }

  /// The references of the import that lead nowhere.
  package func pendingReferences() throws -> PendingSummary { try rows.references.summary() }

  // MARK: - Deleting

  package func deleteObjects(_ rows: [Int64], ofTable table: Int) throws -> [DeferredDeletion] {
    try records.deleter.deleteBeforeCheck(rows.map { RowLocation(table: table, row: $0) })
  }

}

/// The state that a writer leaves to the next one of the same import, which writes in another transaction.
struct RowWriterState: ChunkState {
  var context: WriteContext.State
  var references: PendingReferences.Noted
  /// The objects that were deleted, the first of them by name.
  var deleted: [(entity: String, key: String)]
  var before: SQLiteObjectSetSnapshot?
}

extension RowWriter {
  /// The state for the writer of the next transaction. To be asked when this one's is about to be committed.
  package func chunkState() throws -> any ChunkState {
    RowWriterState(
      context: try context.state(keyText: rows.keyText), references: rows.references.noted,
      deleted: deletedObjects, before: rows.before)
  }

  /// Notes which objects there are, so that only these are pruned in the end.
  package func takeObjectSetSnapshot() throws {
    rows.before = try SQLiteObjectSetSnapshot(transaction)
  }
}
