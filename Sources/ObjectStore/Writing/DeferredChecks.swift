import Bytes
package import ObjectModel

/// The checks of an import that wait for its end: objects that lack what they require, objects that lost their owner, and
/// objects to be pruned.
package struct DeferredChecks<Rows: RowStore> {
  private let rows: Rows
  private let deleter: ObjectDeleter<Rows>

  package init(_ rows: Rows, _ deleter: ObjectDeleter<Rows>) {
    self.rows = rows
    self.deleter = deleter
  }

  private var layout: Layout { rows.layout }

  // MARK: - Required links

  /// Removes the new objects that lack what they require.
  ///
  /// - Returns: The tickets of their problems.
  package func removeObjectsWithout(_ links: [MissingLink]) throws(Rows.Failure) -> [DeferredProblem] {
    var result: [DeferredProblem] = []
    for portion in links.portions {
      try rows.prepareLookup(of: portion.map(\.place))
      for link in portion {
        guard try rows.entity(of: link.place) != nil, try isMissing(link) else { continue }
        try deleter.deleteInserted(link.place.row, of: link.entity, listedBy: link.lists)
        if link.namesDeleted {
          // Once the server knows of the deletion, it will not send the object any more.
          rows.countUnsyncedInsteadOfSkipped(of: link.entity)
        } else {
          result.append((link.ticket, .missingLink(relationship: link.relationship.index)))
        }
      }
    }
    return result
  }

  private func isMissing(_ link: MissingLink) throws(Rows.Failure) -> Bool {
    // A link to an object that a program deleted is no link that waits.
    if link.namesDeleted {
      return try !rows.hasTarget(of: link.relationship, from: link.place, outside: [])
    }
    return try !rows.hasLinks(by: link.relationship, from: link.place)
  }

  // MARK: - Objects that lists no longer have

  /// The objects that are to be kept and have lost their owner.
  package func orphans(among releases: [DeferredRelease]) throws(Rows.Failure) -> [DeferredProblem] {
    var result: [DeferredProblem] = []
    for release in releases where release.action == .keep {
      guard let key = try rows.keyIfWithoutOwner(release) else { continue }
      result.append((release.ticket, .needsOwner(relationship: release.relationship.index, key: key)))
    }
    return result
  }

  /// Deletes the objects that lost their owner, if deletions are safe.
  ///
  /// - Returns: What stood against it.
  private func deleteOrphans(
    among releases: [DeferredRelease], isSafe: Bool
  ) throws(Rows.Failure) -> [DeferredProblem] {
    var result: [DeferredProblem] = []
    for portion in releases.filter({ $0.action == .delete }).portions {
      try rows.prepareDeletion(of: portion.map(place), by: deleter)
      for release in portion {
        guard let key = try rows.keyIfWithoutOwner(release) else { continue }
        if let reason = try deleteOrphan(release, key, isSafe: isSafe) {
          result.append((release.ticket, reason))
        }
      }
    }
    return result
  }

  private func deleteOrphan(
    _ release: DeferredRelease, _ key: String, isSafe: Bool
  ) throws(Rows.Failure) -> RowProblem.Reason? {
    let relationship = release.relationship
    // An object that seems to be missing may be one that could not be read.
    guard isSafe else { return .pruneWithheld(relationship: relationship.index, key: key) }
    guard rows.hasSeen(place(release)) else {
      return try deleter.delete(place(release), sparing: [.listedObjects, .requiredTargets])?.reason
    }
    // The object lost its owner, but the import has come across it.
    guard let inverse = relationship.inverse, case .inverse = layout.relationships[relationship.index] else {
      return nil
    }
    guard !layout.schema.relationships[inverse].requiresTarget else {
      return .needsOwner(relationship: relationship.index, key: key)
    }
    try rows.clearOwner(of: release)
    return nil
  }

  private func place(_ release: DeferredRelease) -> RowLocation {
    RowLocation(table: layout.entities[release.relationship.destination].table, row: release.child)
  }

  // MARK: - Pruning

  /// Deletes what lists no longer have, and the objects of scopes that the import has not come across. If that is not safe, or
  /// more than is allowed, nothing is deleted.
  package func prune(
    _ request: PruneRequest, _ releases: [DeferredRelease]
  ) throws -> DeferredProblems {
    var result = DeferredProblems()
    let scopes = request.entities(of: layout.schema)
    // An object that seems to be missing may be one that could not be used.
    guard !rows.hasLeftOut else {
      let withheld = try entitiesMissingObjects(request)
      result.general = withheld.isEmpty ? [] : [.scopeWithheld(entities: withheld)]
      result.problems = try deleteOrphans(among: releases, isSafe: false)
      return result
    }
    let most = try request.limit.map { try allowed($0, scopes, releases) }
    let (before, names) = (rows.deletedCount, deleter.deleted.count)
    let savepoint = try rows.setSavepoint()
    let denied = try deleteOrphans(among: releases, isSafe: true)
    let refused = try pruneScopes(of: request)
    let count = rows.deletedCount - before
    if let most, count > most {
      try rows.undo(to: savepoint)
      deleter.forgetNames(after: names)
      let blamed = scopes.first ?? releases.first?.relationship.destination ?? 0
      result.general = [.tooManyDeletions(entity: blamed, count: count, most: most)]
    } else {
      try rows.release(savepoint)
      result.problems = denied
      result.general = refused.map(\.reason)
    }
    return result
  }

  private func pruneScopes(of request: PruneRequest) throws -> [DeletionRefusal] {
    guard rows.policy.operations.contains(.delete) else { return [] }
    var places: [RowLocation] = []
    for scope in request.scopes {
      for place in try missingObjects(of: scope) {
        if rows.isUnsynced(place) { rows.countUnsynced(place) } else { places.append(place) }
      }
    }
    return try deleter.delete(places, sparing: [.listedObjects, .requiredTargets])
  }

  /// The objects of a scope that the import has not come across, and that were there when it began.
  private func missingObjects(of scope: Query) throws -> [RowLocation] {
    let table = layout.entities[try layout.entity(named: scope.entity).index].table
    let missing = try rows.rows(of: scope).filter { !rows.hasSeen(RowLocation(table: table, row: $0)) }
    return try rows.rowsFromBefore(missing, inTable: table).map { RowLocation(table: table, row: $0) }
  }

  /// The entities of whose objects some would be deleted.
  private func entitiesMissingObjects(_ request: PruneRequest) throws -> [Int] {
    guard rows.policy.operations.contains(.delete) else { return [] }
    var request = request
    request.scopes = try request.scopes.filter { scope in
      try missingObjects(of: scope).contains { !rows.isUnsynced($0) }
    }
    return request.entities(of: layout.schema)
  }

  /// How many objects may be deleted.
  private func allowed(
    _ limit: DeletionLimit, _ scopes: [Int], _ releases: [DeferredRelease]
  ) throws -> Int {
    switch limit {
    case .objects(let count): return count
    case .percent(let percent):
      var total = 0
      for entity in Set(scopes + releases.map(\.relationship.destination)) {
        total += try rows.count(Query(layout.schema.entities[entity].name))
      }
      return Int((Double(total) * percent / 100).rounded(.down))
    }
  }
}

/// A relationship that a new object must have, and that its own row did not give it.
///
/// Whether it lacks it shows at the end, since another object's list may link it.
package struct MissingLink: Sendable {
  package let ticket: Int
  package let relationship: SchemaRelationship
  package let entity: Int
  package let place: RowLocation
  /// The relationships whose lists have the object.
  package let lists: [Int]
  /// Whether its own row names an object that a program has deleted here.
  package let namesDeleted: Bool

  package init(
    ticket: Int, relationship: SchemaRelationship, entity: Int, place: RowLocation, lists: [Int],
    namesDeleted: Bool
  ) {
    self.ticket = ticket
    self.relationship = relationship
    self.entity = entity
    self.place = place
    self.lists = lists
    self.namesDeleted = namesDeleted
  }
}

/// An object that a list no longer has and that may not be without an owner, or shall not be kept without one.
///
/// Whether it is without shows at the end, since a later list of the same import may take it.
package struct DeferredRelease: Sendable {
  package enum Action: Sendable {
    /// The object keeps its owner, which is reported.
    case keep
    /// The object is deleted.
    case delete
  }

  package let ticket: Int
  package let relationship: SchemaRelationship
  package let action: Action
  /// The row of the object that the list no longer has.
  package let child: Int64
  /// The key of the owner, as text; empty for a list in a join table.
  package let owner: String
  /// The object's own key, as text, where the row may be another object's by the end.
  package var key: String?

  package init(
    ticket: Int, relationship: SchemaRelationship, action: Action, child: Int64, owner: String,
    key: String? = nil
  ) {
    self.ticket = ticket
    self.relationship = relationship
    self.action = action
    self.child = child
    self.owner = owner
    self.key = key
  }

  /// Whether a row, which was saved since, makes up for the release: it has the list anew, or is the object and says its own
  /// owner.
  ///
  /// - Parameter key: The key of the row, as text.
  package func isMadeUpFor(
    by row: Int, withKey key: String, _ batch: borrowing RowBatch, _ layout: Layout
  ) -> Bool {
    var next = batch.rows[row].firstList
    while next >= 0 {
      if batch.lists[next].relationship == relationship.index, owner == key { return true }
      next = batch.lists[next].next
    }
    return declaresOwner(row, batch, layout)
  }

  private func declaresOwner(_ row: Int, _ batch: borrowing RowBatch, _ layout: Layout) -> Bool {
    let entity = layout.entities[batch.rows[row].entity]
    guard child == batch.rows[row].rowID,
      case .inverse(let columns, _) = layout.relationships[relationship.index],
      layout.entities[relationship.destination].table == entity.table,
      let slot = entity.slots(of: columns).first, slot >= 0
    else { return false }
    return batch[row, slot].kind != .absent
  }
}
