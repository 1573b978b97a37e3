import ObjectModel

/// What a writer leaves to the next one of the same import, which writes in another transaction.
///
/// Others may write in between, so whatever is told by a row id is told by its key as well before anything is deleted
/// because of it.
struct RowWriterState: ChunkState {
  var tally: WriteCounter
  var nextTicket: Int
  var hasLeftOutObjects: Bool
  /// Objects that lists no longer have. A later list may have them, so this is decided in the end.
  var releases: [(ticket: Int, release: DeferredRelease)]
  var references: PendingReferences.Noted
  /// The objects that were deleted, the first of them by name.
  var deleted: [(entity: String, key: String)]
  /// By relationship, which objects lists have named.
  var claims: [RelationshipClaims?]
  var before: SQLiteObjectSetSnapshot?
}

extension RowWriter {
  /// What the writer of the next transaction goes on with. To be asked when this one's is about to be committed.
  package func chunkState() throws -> any ChunkState {
    RowWriterState(
      tally: tally, nextTicket: context.problems.nextTicket, hasLeftOutObjects: hasLeftOutObjects,
      releases: try releases.itemsWithKeys(), references: references.noted, deleted: deletedObjects,
      claims: claims.byRelationship, before: before)
  }

  /// Notes which objects there are, so that only these are pruned in the end.
  package func takeObjectSetSnapshot() throws {
    before = try SQLiteObjectSetSnapshot(context.transaction)
  }
}
