import Bytes
import ObjectModel
package import ObjectStore

/// The checks that wait until everything is written.
extension WorkingWriter {
  // MARK: - Chunks

  package func takeObjectSetSnapshot() throws { kept.before = try transaction.noteObjects() }

  package func finishChunk() throws -> [DeferredProblem] {
    try lock(kept.entities)
    try settleBulkRows()
    return checkChunk(isLast: false)
  }

  package func chunkState() throws -> any ChunkState {
    var state = kept
    state.deleted = deleter.deleted
    return state
  }

  private func checkChunk(isLast: Bool) -> [DeferredProblem] {
    let missing = missingLinks
    missingLinks = []
    return setUniqueValues() + claims.carryOut(isLast: isLast, link: linkClaimed)
      + checks.removeObjectsWithout(missing)
      + deleter.standingRefusals() + uniquenessProblems()
  }

  private var checks: DeferredChecks<WorkingWriter> { DeferredChecks(self, deleter) }

  package func runDeferredChecks(_ request: PruneRequest) throws -> DeferredProblems {
    defer { (kept.releases, kept.before) = ([], nil) }
    try lock(
      kept.entities.union(request.scopes.compactMap { layout.schema.index(of: $0.entity) }))
    try settleBulkRows()
    var result = DeferredProblems()
    result.problems = checkChunk(isLast: true) + checks.orphans(among: kept.releases)
    guard kept.releases.contains(where: { $0.action == .delete }) || !request.scopes.isEmpty else {
      return result
    }
    let found = try checks.prune(request, kept.releases)
    result.problems += found.problems
    result.general = found.general
    return result
  }

  // MARK: - Required links

  func noteMissingLinks(of row: Int, _ model: EntityModel, _ batch: borrowing RowBatch) {
    for index in model.layout.entity.relationships {
      let relationship = state.relationship(index)
      guard relationship.requiresTarget else { continue }
      let leadsToDeleted = leadsToDeleted(row, index, model, batch)
      guard leadsToDeleted || !saysLink(row, index, model, batch) else { continue }
      var listing: [Int] = []
      for key in model.foreignKeys where batch[row, key.slots[0]].link.isFromList {
        if let inverse = key.relationship.inverse { listing.append(inverse) }
      }
      missingLinks.append(
        MissingLink(
          ticket: addDeferred(row: row), relationship: relationship, entity: model.layout.entity.index,
          place: RowLocation(table: model.layout.table, row: batch.rows[row].rowID), lists: listing,
          namesDeleted: leadsToDeleted || isInDeleted(row, batch)))
    }
  }

  /// Whether a row says what a relationship of it leads to.
  private func saysLink(
    _ row: Int, _ relationship: Int, _ model: EntityModel, _ batch: borrowing RowBatch
  ) -> Bool {
    if let key = model.foreignKeys.first(where: { $0.relationship.index == relationship }) {
      return has(row, key.slots[0], batch)
    }
    let list = lists(row, batch).first { $0.relationship == relationship }
    return list.map { $0.count > 0 && !$0.isRejected } ?? false
  }

  // MARK: - References that lead nowhere

  package func pendingReferences() throws -> PendingSummary {
    var summary = PendingSummary(layout)
    for portion in distinctReferences().portions {
      fetchEnds(of: portion)
      for noted in portion { add(noted, to: &summary) }
      // What was fetched is not kept.
      try transaction.recordsWereWritten()
    }
    summary.sort()
    return summary
  }

  private func distinctReferences() -> [UnresolvedReference] {
    var done: Set<UnresolvedReference> = []
    return kept.references.filter { done.insert($0).inserted }
  }

  private func add(_ noted: UnresolvedReference, to summary: inout PendingSummary) {
    let relationship = state.relationship(noted.relationship)
    guard let (owner, key) = missingTarget(of: noted, relationship) else { return }
    let entity = layout.schema.entities[noted.entity]
    let target = layout.schema.entities[relationship.destination]
    summary.add(
      PendingSummary.Reference(
        entity: entity.name, identity: layout.identityText(ofKey: owner, of: entity),
        relationship: relationship.name, target: target.name,
        key: layout.identityText(ofKey: key, of: target),
        isError: policy.treatment(ofReferences: relationship) == .error))
  }

  /// The keys of the owner and of the target; nil if the reference is gone or its target has come.
  private func missingTarget(
    of noted: UnresolvedReference, _ relationship: SchemaRelationship
  ) -> (owner: String, target: String)? {
    switch (layout.relationships[relationship.index], noted.holder) {
    case (.inverse, .row(let row)):
      guard let link = state.waiting[row], link.relationship == relationship.index else { return nil }
      return (link.owner, link.target)
    case (.foreignKey(let columns), .row(let row)):
      let place = RowLocation(table: state.tableIndex(of: relationship.owner), row: row)
      guard let object = state.object(place) else { return nil }
      let target = RowKey(columns) { object.values[$0] }
      guard !target.hasNull, state.find(target, of: relationship.destination) == nil else {
        return nil
      }
      return (state.key(of: place).keyText, target.keyText)
    case (.join(let index, let isForward), .link(let keys)):
      let (owner, target) = (keys[isForward ? 0 : 1], keys[isForward ? 1 : 0])
      guard state.joins[index].find(owner, target, isForward ? 0 : 1) != nil,
        state.find(target, of: relationship.destination) == nil
      else { return nil }
      return (owner.keyText, target.keyText)
    default: return nil
    }
  }
}
