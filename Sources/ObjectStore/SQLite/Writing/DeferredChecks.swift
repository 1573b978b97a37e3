import ObjectModel

/// What an import deletes besides what its lists do away with.
package struct PruneRequest: Sendable {
  /// Of the objects of each of these, those that the import has not come across are deleted.
  package var scopes: [Query] = []
  /// The most that may be deleted.
  package var limit: DeletionLimit?

  package init() {}
}

/// What the end of an import found.
package struct DeferredProblems {
  /// Which of the deferred problems are some, by their tickets.
  package var problems: [(ticket: Int, reason: RowProblem.Reason)] = []
  /// Problems that no place in the JSON has.
  package var general: [RowProblem.Reason] = []
}

extension RowWriter {
  /// Deals with what has to wait until everything is written: objects that lack what they require, objects that
  /// lost their owner, and objects to be pruned.
  package func runDeferredChecks(_ request: PruneRequest) throws -> DeferredProblems {
    let result = try settleAll(request)
    try before?.drop(transaction)
    before = nil
    return result
  }

  private func settleAll(_ request: PruneRequest) throws -> DeferredProblems {
    var result = DeferredProblems()
    result.problems =
      try checkUniqueValues() + applyClaims(isLast: true) + checkRequiredLinks() + reportKeptChildren()
    let areSafe = !tally.hasSkipped && !hasLeftOutObjects
    let prunes = deferred.contains { $0.release.action == .delete }
    defer { deferred = [] }
    guard prunes || !request.scopes.isEmpty else { return result }
    if !areSafe {
      result.general = request.scopes.compactMap { scope in
        transaction.layout.schema.index(of: scope.entity).map { .scopeWithheld(entity: $0) }
      }
      result.problems += try runDeferredDeletions(areSafe: false)
      return result
    }
    let before = (tally, try deleter().deleted.count)
    let most = try request.limit.map { try allowed($0, request.scopes) }
    let savepoint = try transaction.setSavepoint()
    let denied = try runDeferredDeletions(areSafe: true)
    let kept = try prune(request.scopes)
    let count = tally.deletedCount - before.0.deletedCount
    if let most, count > most {
      try transaction.undo(to: savepoint)
      tally = before.0
      try deleter().forgetNames(after: before.1)
      let entities = request.scopes.compactMap { transaction.layout.schema.index(of: $0.entity) }
      let entity = entities.first ?? deferred.first?.release.relationship.destination ?? 0
      result.general = [.tooManyDeletions(entity: entity, count: count, most: most)]
    } else {
      result.problems += denied
      result.general = kept
      try transaction.release(savepoint)
    }
    return result
  }

  /// Deletes the objects of each scope that the import has not come across, by their delete rules.
  private func prune(_ scopes: [Query]) throws -> [RowProblem.Reason] {
    var candidates: [ObjectDeleter.Place] = []
    for scope in scopes {
      let table = transaction.layout.entities[try transaction.layout.entity(named: scope.entity).index].table
      var missing = try transaction.rows(of: scope).filter { !tally.hasSeen($0, table: table) }
      guard policy.operations.contains(.delete) else { continue }
      if let before { missing = try before.known(missing, of: transaction.layout.tables[table], transaction) }
      missing.removeAll { keepsLocalChange($0, ofTable: table) }
      candidates += missing.map { ObjectDeleter.Place(table: table, row: $0) }
    }
    return try deleter().delete(candidates, [.sparesListed, .keepsRequired], self).map(\.refusal.reason)
  }

  private func allowed(_ limit: DeletionLimit, _ scopes: [Query]) throws -> Int {
    switch limit {
    case .objects(let count): return count
    case .percent(let percent):
      let layout = transaction.layout
      let entities =
        scopes.compactMap { layout.schema.index(of: $0.entity) }
        + deferred.map(\.release.relationship.destination)
      var total = 0
      for entity in Set(entities) {
        total += try transaction.count(Query(layout.schema.entities[entity].name))
      }
      return Int((Double(total) * percent / 100).rounded(.down))
    }
  }

  /// The objects that were deleted, the first 10,000 of them, as entity and key.
  package var deletedObjects: [(entity: String, key: String)] {
    get throws {
      guard tally.deletedCount > deletedBefore.count else { return deletedBefore }
      return try Array((deletedBefore + deleter().deleted).prefix(ObjectDeleter.mostNames))
    }
  }
}
