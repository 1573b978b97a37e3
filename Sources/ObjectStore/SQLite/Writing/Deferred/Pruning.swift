import ObjectModel

/// Deletes what lists released, and the objects of scopes that an import has not come across.
struct Pruning {
  private let request: PruneRequest
  private let context: WriteContext
  private let deleter: ObjectDeleter
  private let releases: DeferredReleases
  /// The objects that were there when the import began; nil if they are those that are there now.
  private let before: SQLiteObjectSetSnapshot?

  init(
    _ request: PruneRequest, _ context: WriteContext, deleter: ObjectDeleter, releases: DeferredReleases,
    before: SQLiteObjectSetSnapshot?
  ) {
    self.request = request
    self.context = context
    self.deleter = deleter
    self.releases = releases
    self.before = before
  }

  private var layout: Layout { context.layout }

  /// Deletes all that is to be deleted, or if that is not safe or too much, nothing.
  func run() throws -> DeferredProblems {
    var result = DeferredProblems()
    // What seems to be missing may be what could not be used.
    guard !context.tally.hasSkipped, !context.hasLeftOutObjects else {
      result.general = request.entities(of: layout.schema).map { .scopeWithheld(entity: $0) }
      result.problems = try releases.delete(isSafe: false)
      return result
    }
    try context.transaction.makeIndexes()
    let (tally, names) = (context.tally, deleter.deleted.count)
    let most = try request.limit.map(allowed)
    let savepoint = try context.transaction.setSavepoint()
    let denied = try releases.delete(isSafe: true)
    let kept = try prune()
    let count = context.tally.deletedCount - tally.deletedCount
    if let most, count > most {
      try context.transaction.undo(to: savepoint)
      context.tally = tally
      deleter.forgetNames(after: names)
      result.general = [.tooManyDeletions(entity: blamedEntity, count: count, most: most)]
    } else {
      result.problems = denied
      result.general = kept
      try context.transaction.release(savepoint)
    }
    return result
  }

  /// The entity whose objects were to be deleted, for the report.
  private var blamedEntity: Int {
    request.scopes.lazy.compactMap { layout.schema.index(of: $0.entity) }.first
      ?? releases.items.first?.release.relationship.destination ?? 0
  }

  /// Deletes the objects of each scope that the import has not come across, by their delete rules.
  private func prune() throws -> [RowProblem.Reason] {
    var places: [ObjectDeleter.RowLocation] = []
    for scope in request.scopes {
      let (table, missing) = try missingObjects(of: scope)
      guard context.policy.operations.contains(.delete) else { continue }
      for row in missing {
        if context.isUnsent(row, inTable: table) {
          context.countUnsent(row, inTable: table)
        } else {
          places.append(ObjectDeleter.RowLocation(table: table, row: row))
        }
      }
    }
    return try deleter.delete(places, sparing: [.listedObjects, .requiredTargets]).map(\.refusal.reason)
  }

  /// The objects of a scope that the import has not come across.
  private func missingObjects(of scope: Query) throws -> (table: Int, rows: [Int64]) {
    let table = layout.entities[try layout.entity(named: scope.entity).index].table
    let missing = try context.transaction.rows(of: scope).filter { !context.tally.hasSeen($0, table: table) }
    return (table, try before?.known(missing, of: layout.tables[table], context.transaction) ?? missing)
  }

  /// How many objects may be deleted.
  private func allowed(_ limit: DeletionLimit) throws -> Int {
    switch limit {
    case .objects(let count): return count
    case .percent(let percent):
      let entities =
        request.scopes.compactMap { layout.schema.index(of: $0.entity) }
        + releases.items.map(\.release.relationship.destination)
      var total = 0
      for entity in Set(entities) {
        total += try context.transaction.count(Query(layout.schema.entities[entity].name))
      }
      return Int((Double(total) * percent / 100).rounded(.down))
    }
  }
}
