import Bytes
import ObjectModel
package import ObjectStore

/// The checks that wait until everything is written.
extension WorkingWriter {
  // MARK: - Chunks

  package func takeObjectSetSnapshot() throws { rows.before = try transaction.noteObjects() }

  package func finishChunk() throws -> [DeferredProblem] {
    try lock(entities)
    try settleBulkRows()
    return try records.finishChunk()
  }

  package func chunkState() throws -> any ChunkState {
    WorkingWriterState(
      context: context.state(keyText: rows.keyText), references: rows.references, deleted: deletedObjects,
      before: rows.before, entities: entities)
  }

  package func runDeferredChecks(_ request: PruneRequest) throws -> DeferredProblems {
    defer { rows.before = nil }
    try lock(entities.union(request.scopes.compactMap { layout.schema.index(of: $0.entity) }))
    try settleBulkRows()
    return try records.runDeferredChecks(request)
  }

  // MARK: - References that lead nowhere

  package func pendingReferences() throws -> PendingSummary {
    var summary = PendingSummary(layout)
    for portion in distinctReferences().portions {
      rows.fetchEnds(of: portion)
      for noted in portion { add(noted, to: &summary) }
      // Fetched rows are not kept.
      try transaction.recordsWereWritten()
    }
    summary.sort()
    return summary
  }

  private func distinctReferences() -> [UnresolvedReference] {
    var done: Set<UnresolvedReference> = []
    return rows.references.filter { done.insert($0).inserted }
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
        isError: context.policy.treatment(ofReferences: relationship) == .error))
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
