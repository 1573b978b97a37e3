import ObjectModel

/// The end of a write: what had to wait until everything was written.
extension RecordWriter {
  private var checks: DeferredChecks<Rows> { DeferredChecks(rows, deleter) }

  /// Deals with what must not be left open when a part of an import is committed.
  ///
  /// - Parameter isLast: Whether the import ends here.
  package func finishChunk(isLast: Bool = false) throws -> [DeferredProblem] {
    let missing = context.missingLinks
    context.missingLinks = []
    return try rows.setUniqueValues(deleter) + context.claims.carryOut(isLast: isLast, link: linkClaimed)
      + checks.removeObjectsWithout(missing) + deleter.standingRefusals() + rows.uniquenessProblems()
  }

  package func runDeferredChecks(_ request: PruneRequest) throws -> DeferredProblems {
    defer { context.releases = [] }
    var result = DeferredProblems()
    result.problems = try finishChunk(isLast: true) + checks.orphans(among: context.releases)
    if context.releases.contains(where: { $0.action == .delete }) || !request.scopes.isEmpty {
      let found = try checks.prune(request, context.releases)
      result.problems += found.problems
      result.general = found.general
    }
    return result
  }
}

/// A writer that is no more than a way to a ``RecordWriter``.
package protocol RecordWriting: LocalWriter {
  associatedtype Rows: RecordStore

  var records: RecordWriter<Rows> { get }
}

extension RecordWriting {
  package var context: WriteContext { records.context }

  package var problems: [RowProblem] {
    get { context.problems.list }
    set { context.problems.list = newValue }
  }

  package func takeProblems() -> [RowProblem] {
    defer { problems = [] }
    return problems
  }

  package var hasLeftOutObjects: Bool {
    get { context.hasLeftOutObjects }
    set { context.hasLeftOutObjects = newValue }
  }

  package var counts: WriteCounts {
    WriteCounts(entities: context.tally.counts, duplicates: context.tally.duplicates)
  }

  package var deletedObjects: [(entity: String, key: String)] { records.deleter.deleted }

  package var checkpoint: WriterCheckpoint {
    var checkpoint = WriterCheckpoint()
    (checkpoint.releases, checkpoint.links) = (context.releases.count, context.missingLinks.count)
    checkpoint.deletions = records.deleter.heldCount
    return checkpoint
  }

  package func forget(after checkpoint: WriterCheckpoint) {
    context.forget(after: checkpoint)
    records.deleter.forgetHeldDeletions(after: checkpoint.deletions)
  }

  package func forgetReleases(
    before checkpoint: WriterCheckpoint, madeUpForBy row: Int, _ batch: borrowing RowBatch
  ) {
    context.forgetReleases(before: checkpoint, madeUpForBy: row, batch)
  }
}
