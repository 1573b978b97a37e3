import Bytes
import ObjectModel
package import ObjectStore

/// What has to wait until everything is written.
extension WorkingWriter {
  // MARK: - Chunks

  package func takeObjectSetSnapshot() throws { kept.before = try transaction.noteObjects() }

  package func finishChunk() throws -> [DeferredProblem] {
    try lock(kept.entities)
    try settleBulkRows()
    return checkChunk(isLast: false)
  }

  package func chunkState() throws -> any ChunkState { kept }

  private func checkChunk(isLast: Bool) -> [DeferredProblem] {
    setUniqueValues() + carryOutClaims(isLast: isLast) + removeObjectsWithoutLinks() + standingRefusals()
      + uniquenessProblems()
  }

  package func runDeferredChecks(_ request: PruneRequest) throws -> DeferredProblems {
    defer { (kept.releases, kept.before) = ([], nil) }
    try lock(
      kept.entities.union(request.scopes.compactMap { layout.schema.index(of: $0.entity) }))
    try settleBulkRows()
    var result = DeferredProblems()
    result.problems = checkChunk(isLast: true)
    result.problems += kept.releases.compactMap { release in
      guard !release.isDeleted, isWithoutOwner(release) else { return nil }
      return (release.ticket, .needsOwner(relationship: release.relationship.index, key: release.key.keyText))
    }
    guard kept.releases.contains(where: \.isDeleted) || !request.scopes.isEmpty else { return result }
    try prune(request, &result)
    return result
  }

  // MARK: - Required links

  /// A required relationship that a new object says nothing of.
  struct MissingLink {
    let ticket: Int
    let relationship: SchemaRelationship
    let place: RowLocation
    let entity: Int
    /// The relationships whose lists have the object.
    let lists: [Int]
    /// Whether it names an object that a program deleted.
    let namesDeleted: Bool
  }

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
          ticket: addDeferred(row: row), relationship: relationship,
          place: RowLocation(table: model.layout.table, row: batch.rows[row].rowID),
          entity: model.layout.entity.index, lists: listing,
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

  private func removeObjectsWithoutLinks() -> [DeferredProblem] {
    let links = missingLinks
    missingLinks = []
    for portion in portions(links) { fetchNeighbours(of: portion.map(\.place)) }
    return links.compactMap { link in
      guard state.object(link.place) != nil,
        link.namesDeleted
          ? state.places(of: link.relationship, link.place).isEmpty : !isLinked(link)
      else { return nil }
      deleteInserted(link.place.row, of: link.entity, listedBy: link.lists)
      guard !link.namesDeleted else {
        // Once the server knows of the deletion, it will not send the object any more.
        kept.tally.countUnsentInsteadOfSkipped(entity: link.entity)
        return nil
      }
      return (link.ticket, .missingLink(relationship: link.relationship.index))
    }
  }

  private func isLinked(_ link: MissingLink) -> Bool { hasLinks(link.relationship, link.place) }

  /// Whether a relationship of an object leads to anything, be it there or not.
  func hasLinks(_ relationship: SchemaRelationship, _ place: RowLocation) -> Bool {
    if !state.targets(of: relationship, place).isEmpty { return true }
    guard case .inverse = layout.relationships[relationship.index] else { return false }
    let key = state.key(of: place).keyText
    return !state.waiting.links(of: relationship.index, key).isEmpty
  }

  // MARK: - Objects that lists no longer have

  private func isWithoutOwner(_ release: Release) -> Bool {
    let table = state.tableIndex(of: release.relationship.destination)
    let place = RowLocation(table: table, row: release.child)
    // The row may be another object's by now.
    guard let object = state.object(place), state.key(of: place) == release.key else { return false }
    switch layout.relationships[release.relationship.index] {
    case .foreignKey: return false
    case .inverse(let columns, _): return RowKey(columns) { object.values[$0] } == release.owner
    case .join(let index, let isForward):
      return state.joins[index].links(of: release.key, isForward ? 1 : 0).isEmpty
    }
  }

  private func deleteReleased(isSafe: Bool) -> [DeferredProblem] {
    for portion in portions(kept.releases.filter(\.isDeleted)) {
      fetchForDeletion(
        portion.map { RowLocation(table: state.tableIndex(of: $0.relationship.destination), row: $0.child) })
    }
    return kept.releases.compactMap { release in
      guard release.isDeleted, isWithoutOwner(release) else { return nil }
      let (relationship, key) = (release.relationship, release.key.keyText)
      guard isSafe else {
        return (release.ticket, .pruneWithheld(relationship: relationship.index, key: key))
      }
      let place = RowLocation(table: state.tableIndex(of: relationship.destination), row: release.child)
      guard kept.tally.hasSeen(place.row, table: place.table) else {
        let refusal = delete(place, sparing: DeletionExemptions(listed: true, required: true))
        return refusal.map { (release.ticket, $0.reason) }
      }
      // It lost its owner, but the import has come across it.
      guard let inverse = relationship.inverse,
        case .inverse = layout.relationships[relationship.index]
      else { return nil }
      guard !state.relationship(inverse).requiresTarget else {
        return (release.ticket, .needsOwner(relationship: relationship.index, key: key))
      }
      setOwner(of: place.row, relationship, to: RowKey(release.owner.map { _ in .null }), at: nil)
      return nil
    }
  }

  // MARK: - Pruning

  private func prune(_ request: PruneRequest, _ result: inout DeferredProblems) throws {
    let scopes = request.entities(of: layout.schema)
    // What seems to be missing may be what could not be used.
    guard !kept.tally.hasSkipped, !hasLeftOutObjects else {
      result.general = scopes.isEmpty ? [] : [.scopeWithheld(entities: scopes)]
      result.problems += deleteReleased(isSafe: false)
      return
    }
    let most = try request.limit.map { try allowed($0, scopes) }
    let (stateBefore, before) = (state.contents, kept)
    let denied = deleteReleased(isSafe: true)
    var places: [RowLocation] = []
    for scope in request.scopes where policy.operations.contains(.delete) {
      places += try missingObjects(of: scope).filter { !keepsUnsent($0) }
    }
    let refused = delete(places, sparing: DeletionExemptions(listed: true, required: true))
    let count = kept.tally.deletedCount - before.tally.deletedCount
    if let most, count > most {
      state.restore(stateBefore)
      kept = before
      let blamed = scopes.first ?? kept.releases.first?.relationship.destination ?? 0
      result.general = [.tooManyDeletions(entity: blamed, count: count, most: most)]
    } else {
      result.problems += denied
      result.general = refused.map(\.reason)
    }
  }

  /// The objects of a scope that the import has not come across, and that were there when it began.
  private func missingObjects(of scope: Query) throws -> [RowLocation] {
    let table = state.tableIndex(of: try layout.entity(named: scope.entity).index)
    return try transaction.rows(of: scope).map { RowLocation(table: table, row: $0) }.filter { place in
      guard !kept.tally.hasSeen(place.row, table: table) else { return false }
      return try kept.before?.contains(place, state) ?? true
    }
  }

  private func allowed(_ limit: DeletionLimit, _ scopes: [Int]) throws -> Int {
    switch limit {
    case .objects(let count): return count
    case .percent(let percent):
      let entities = Set(scopes + kept.releases.map(\.relationship.destination))
      let total = try entities.reduce(0) {
        try $0 + transaction.count(Query(layout.schema.entities[$1].name))
      }
      return Int((Double(total) * percent / 100).rounded(.down))
    }
  }

  // MARK: - References that lead nowhere

  package func pendingReferences() throws -> PendingSummary {
    var summary = PendingSummary(layout)
    for portion in portions(distinctReferences()) {
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

/// An object that a list no longer has and that may not be without an owner, or shall not be kept without one. Whether
/// it is without shows in the end, since a later list of the same import may take it.
struct Release {
  let ticket: Int
  let relationship: SchemaRelationship
  let isDeleted: Bool
  let child: Int64
  let key: RowKey
  let owner: RowKey
}
