package import ObjectModel

/// Writes batches of rows, with what they link, in one transaction.
///
/// It is handed a whole batch, or the records of one that a chunk has room for, at a time. What has to wait until
/// everything is written is decided in ``runDeferredChecks(_:)``; an import in chunks hands it on from transaction to
/// transaction.
package protocol BatchWriter: AnyObject {
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

  /// What could not be written since this was last asked, in the order of the records.
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

  /// What has happened to the objects of the import; exact once ``runDeferredChecks(_:)`` or ``finishChunk()`` has run.
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

  /// What the writer of the next transaction goes on with. To be asked when this one's is about to be committed.
  func chunkState() throws -> any ChunkState
}

extension BatchWriter {
  package var wantedBatchSize: BatchSize? { nil }
}

/// What the writer of one transaction leaves to that of the next one of the same import. Only the engine looks into it.
package protocol ChunkState {}

/// What has happened to the objects of an import.
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

/// What became of giving an object another identity.
package enum RenameOutcome: Sendable, Hashable {
  /// The row that it has now.
  case renamed(row: Int64)
  /// Another object has that identity. Nothing was changed.
  case taken
}
