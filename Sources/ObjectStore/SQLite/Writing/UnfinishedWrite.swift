import ObjectModel

/// What a writer leaves to the next one of the same import, which writes in another transaction.
///
/// Others may write in between, so whatever is told by a row id is told by its key as well before anything is deleted
/// because of it.
package struct UnfinishedWrite {
  var tally: Tally
  var nextTicket: Int
  var hasLeftOutObjects: Bool
  /// Objects that lists no longer have. A later list may have them, so this is decided in the end.
  var releases: [(ticket: Int, release: DeferredRelease)]
  var references: PendingReferences.Noted
  /// The objects that were deleted, the first of them by name.
  var deleted: [(entity: String, key: String)]
  /// By relationship, which objects lists have named.
  var claims: [OwnershipClaims?]
  var before: ObjectsBefore?
}

extension RowWriter {
  /// Deals with what must not be left open when a part of an import is committed: values that must be unique, claims of
  /// owners, and objects that lack what they require. What is deleted because the JSON lacks it waits for the end.
  package func finishChunk() throws -> [(ticket: Int, reason: RowProblem.Reason)] {
    try checkUniqueValues() + applyClaims(isLast: false) + checkRequiredLinks()
  }

  /// What the writer of the next transaction goes on with. To be asked when this one's is about to be committed.
  package func unfinished() throws -> UnfinishedWrite {
    let releases = try deferred.map { ticket, release in
      guard release.key == nil else { return (ticket, release) }
      var release = release
      let table = transaction.layout.table(of: release.relationship.destination)
      release.key = try KeyText.ofRow(release.child, in: table, transaction)
      return (ticket, release)
    }
    return UnfinishedWrite(
      tally: tally, nextTicket: nextTicket, hasLeftOutObjects: hasLeftOutObjects, releases: releases,
      references: pending.noted, deleted: try deletedObjects, claims: claims, before: before)
  }

  /// Notes which objects there are, so that only these are pruned in the end.
  package func noteObjectsBefore() throws {
    before = try ObjectsBefore(transaction)
  }
}
