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
    return try setUniqueValues() + context.claims.carryOut(isLast: isLast, link: linkClaimed)
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

/// Values of uniqueness constraints that another object had when they were to be written.
///
/// The other object may give them away later in the same import, as two that swap their values do. So the row is written
/// without them, and they are set in the end.
package struct DeferredUniqueValues {
  let ticket: Int
  package let entity: Int
  package let place: RowLocation
  let isNew: Bool
  package let columns: [Int]
  /// The values to set, and those that the object had.
  package let values: [SQLValue]
  let former: [SQLValue]
}

extension RecordWriter {
  /// Writes a row without the values that must be unique, after it failed with them. Nil if that fails too.
  func writeWithoutUniqueValues(
    _ step: RowStep, _ rules: EntityRules, _ batch: inout RowBatch
  ) throws(Rows.Failure) -> WriteResult? {
    let row = step.row
    var slots: [Int] = []
    for slot in rules.uniqueSlots where batch[row, slot].hasValue { slots.append(slot) }
    // A program's values are checked by the store itself, in the end.
    guard !context.policy.isLocal, !step.isReplacement, !slots.isEmpty else { return nil }
    let former = try rows.storedValues(of: step, slots: slots, rules, batch)
    let cells = cells(row, slots, batch)
    var values: [SQLValue] = []
    for cell in cells { values.append(batch.value(of: cell)) }
    for slot in slots { batch[row, slot] = .null }
    defer { for (slot, cell) in zip(slots, cells) { batch[row, slot] = cell } }
    let result = try rows.write(step, rules, allowsMissing: true, &batch)
    guard case .written(let written) = result else { return nil }
    uniqueValues.append(
      DeferredUniqueValues(
        ticket: context.problems.addDeferred(row: row), entity: rules.layout.entity.index,
        place: RowLocation(table: rules.layout.table, row: written.row),
        isNew: written.outcome == .inserted, columns: slots.map { rules.layout.slots[$0] }, values: values,
        former: former))
    return result
  }

  /// Sets the values that waited for others to give them away. Says where they did not: then a new object is not
  /// kept, and one that was there keeps what it had.
  private func setUniqueValues() throws(Rows.Failure) -> [DeferredProblem] {
    let items = uniqueValues
    uniqueValues = []
    var result: [DeferredProblem] = []
    for portion in items.portions {
      try rows.prepareUniqueValues(of: portion)
      for item in portion {
        guard let constraint = try rows.setUniqueValues(item.values, of: item.columns, in: item.place) else {
          continue
        }
        if item.isNew {
          try deleter.deleteInserted(item.place.row, of: item.entity)
          result.append((item.ticket, .notUnique(constraint)))
        } else {
          _ = try rows.setUniqueValues(item.former, of: item.columns, in: item.place)
          result.append((item.ticket, .valueNotUnique(constraint)))
        }
      }
    }
    return result
  }
}

/// A writer is no more than a way to a ``RecordWriter``.
extension BatchWriter {
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

  package var ownershipDoubts: [OwnershipDoubt] { context.claims.doubts }

  package var identityConflicts: IdentityConflicts { context.conflicts }

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
