import Bytes
import ObjectModel
import Synchronization

/// The objects that lists no longer have, until the end.
final class DeferredReleases {
  private let context: WriteContext
  private let deleter: ObjectDeleter
  private(set) var items: [(ticket: Int, release: DeferredRelease)]

  init(_ context: WriteContext, _ deleter: ObjectDeleter, continuing former: RowWriterState?) {
    self.context = context
    self.deleter = deleter
    items = former?.releases ?? []
  }

  /// Whether any of the objects may have to be deleted.
  var hasDeletions: Bool { items.contains { $0.release.action == .delete } }

  /// Notes that an object of the list of a row may be left without an owner.
  func add(_ release: DeferredRelease, row: Int) {
    items.append((context.problems.addDeferred(row: row), release))
  }

  func removeAll() { items = [] }

  /// Forgets those that came after there were `count`.
  func removeAll(after count: Int) { items.removeSubrange(min(count, items.count)...) }

  /// Forgets, of the first `count`, those that a row makes up for, which was saved since: it has the list anew, or says
  /// its own owner.
  func removeFirst(_ count: Int, madeUpForBy row: Int, _ batch: borrowing RowBatch) {
    var lists: Set<Int> = []
    var next = batch.rows[row].firstList
    while next >= 0 {
      lists.insert(batch.lists[next].relationship)
      next = batch.lists[next].next
    }
    var key: [String] = []
    for cell in context.key(of: row, batch) ?? [] { key.append(KeyText.text(of: cell, batch)) }
    var kept: [(ticket: Int, release: DeferredRelease)] = []
    for (index, item) in items.enumerated() {
      let release = item.release
      let hasListAnew = lists.contains(release.relationship.index) && release.owner == key
      if index >= count || !(hasListAnew || saysOwner(row, of: release, batch)) { kept.append(item) }
    }
    items = kept
  }

  /// Whether a row is the object that a list no longer has, and says its owner itself.
  private func saysOwner(_ row: Int, of release: DeferredRelease, _ batch: borrowing RowBatch) -> Bool {
    let layout = context.layout
    let entity = layout.entities[batch.rows[row].entity]
    guard release.child == batch.rows[row].rowID,
      case .inverse(let columns, _) = layout.relationships[release.relationship.index],
      layout.entities[release.relationship.destination].table == entity.table,
      let slot = entity.slots(of: columns).first, slot >= 0
    else { return false }
    return batch[row, slot].kind != .absent
  }

  // MARK: - The end

  /// Says which objects that should be kept are without an owner.
  func problemsOfKept() throws -> [DeferredProblem] {
    try items.compactMap { ticket, release in
      guard release.action == .keep, let key = try keyIfWithoutOwner(release) else { return nil }
      return (ticket, .needsOwner(relationship: release.relationship.index, key: key))
    }
  }

  /// Deletes the objects that lost their owner, if deletions are safe, and says what stood against it.
  func delete(isSafe: Bool) throws -> [DeferredProblem] {
    try items.compactMap { ticket, release in
      guard release.action == .delete, let key = try keyIfWithoutOwner(release) else { return nil }
      let relationship = release.relationship
      // What seems to be missing may be what could not be read.
      guard isSafe else { return (ticket, .pruneWithheld(relationship: relationship.index, key: key)) }
      let table = context.layout.entities[relationship.destination].table
      // It lost its owner, but the import has come across it.
      if context.tally.hasSeen(release.child, table: table) {
        return try unlink(release, key).map { (ticket, $0) }
      }
      let sparing: ObjectDeleter.DeletionExemptions = [.listedObjects, .requiredTargets]
      return try deleter.delete(release.child, ofTable: table, sparing: sparing).map { (ticket, $0.reason) }
    }
  }

  /// Takes the owner from an object that stays; if it may not be without one, it keeps it.
  private func unlink(_ release: DeferredRelease, _ key: String) throws -> RowProblem.Reason? {
    let layout = context.layout
    guard case .inverse(let columns, let order) = layout.relationships[release.relationship.index],
      let inverse = release.relationship.inverse
    else { return nil }
    guard !layout.schema.relationships[inverse].requiresTarget else {
      return .needsOwner(relationship: release.relationship.index, key: key)
    }
    let table = layout.table(of: release.relationship.destination)
    let names = (columns + (order.map { [$0] } ?? [])).map { table.columns[$0].name }
    let settings = names.map { "\(SQL.quoted($0)) = NULL" }.joined(separator: ", ")
    try context.rareStatement(
      "UPDATE \(SQL.quoted(table.name)) SET \(settings) WHERE rowid = ?1", release.child
    ).run()
    try context.countChange(of: release.child, entity: release.relationship.destination)
    return nil
  }

  // MARK: - Owners

  /// The releases, each with its object's own key.
  func itemsWithKeys() throws -> [(ticket: Int, release: DeferredRelease)] {
    try items.map { ticket, release in
      guard release.key == nil else { return (ticket, release) }
      var release = release
      let table = context.layout.table(of: release.relationship.destination)
      release.key = try KeyText.ofRow(release.child, in: table, context.transaction)
      return (ticket, release)
    }
  }

  private func keyIfWithoutOwner(_ release: DeferredRelease) throws -> String? {
    let table = context.layout.table(of: release.relationship.destination)
    guard try isWithoutOwner(release, table) else { return nil }
    let key = try KeyText.ofRow(release.child, in: table, context.transaction)
    // The row may be another object's by now.
    return release.key == nil || release.key == key ? key : nil
  }

  /// Whether no other list has taken the object since: it still has its old owner, or no link of a join table leads
  /// to it.
  private func isWithoutOwner(_ release: DeferredRelease, _ table: Table) throws -> Bool {
    switch context.layout.relationships[release.relationship.index] {
    case .foreignKey: return false
    case .inverse(let columns, _):
      let names = columns.map { table.columns[$0].name }
      let statement = try context.transaction.prepare(
        "SELECT 1 FROM \(SQL.quoted(table.name)) WHERE \(SQL.equal(names, from: 2)) AND rowid = ?1")
      statement.bind(release.child, at: 1)
      for (index, part) in release.owner.enumerated() { statement.bind(part, at: index + 2) }
      return try statement.step()
    case .join(let index, let isForward):
      let join = context.layout.joins[index]
      let sql = JoinSQL(join: join, isForward: isForward)
      let pairs = zip(sql.target, table.key).map { column, key in
        "j.\(SQL.quoted(column)) = t.\(SQL.quoted(table.columns[key].name))"
      }
      let statement = try context.transaction.prepare(
        """
        SELECT 1 FROM \(SQL.quoted(table.name)) t WHERE rowid = ?1 AND NOT EXISTS
        (SELECT 1 FROM \(SQL.quoted(join.name)) j WHERE \(pairs.joined(separator: " AND ")))
        """)
      statement.bind(release.child, at: 1)
      return try statement.step()
    }
  }
}

/// An object that a list no longer has and that may not be without an owner, or shall not be kept without one.
///
/// Whether it is without shows at the end, since a later list of the same import may take it.
struct DeferredRelease {
  enum Action {
    /// The object keeps its owner, which is reported.
    case keep
    /// The object is deleted.
    case delete
  }

  let relationship: SchemaRelationship
  let action: Action
  /// The row of the object that the list no longer has.
  let child: Int64
  /// The key of the owner, as text.
  let owner: [String]
  /// The object's own key, as text, where others may have written since.
  var key: String?
}

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
      let entities = request.entities(of: layout.schema)
      result.general = entities.isEmpty ? [] : [.scopeWithheld(entities: entities)]
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

/// The objects that were there when an import in chunks began.
///
/// Others may make objects before it ends, of which it cannot know. Temporary tables of the connection hold row ids
/// and keys: a row id alone would not do, since that of a deleted object is used again.
final class SQLiteObjectSetSnapshot: Sendable {
  /// Imports of one connection may take turns, so each has tables of its own.
  private let number: Int
  private static let count = Atomic<Int>(0)
  private let leftovers: Locked<[Int]>

  init(_ transaction: SQLiteTransaction) throws {
    number = Self.count.add(1, ordering: .relaxed).newValue
    leftovers = transaction.cache.leftovers
    let old = leftovers.withLock { numbers in
      defer { numbers = [] }
      return numbers
    }
    for number in old { try Self.drop(number, transaction) }
    for table in transaction.layout.tables {
      let keys = table.key.indices.map { "k\($0)" }
      try transaction.execute("CREATE TEMP TABLE \(name(table)) (row INTEGER PRIMARY KEY, \(SQL.list(keys)))")
      try transaction.execute(
        """
        INSERT INTO temp.\(name(table)) SELECT rowid, \(SQL.list(table.key.map { table.columns[$0].name }))
        FROM main.\(SQL.quoted(table.name))
        """)
    }
  }

  deinit {
    // An import that failed had no transaction left. The next one of the connection removes its tables.
    leftovers.withLock { $0.append(number) }
  }

  private static func name(_ table: Table, _ number: Int) -> String {
    SQL.quoted("broker_before_\(number)_\(table.name)")
  }

  private func name(_ table: Table) -> String { Self.name(table, number) }

  /// Those of some rows whose objects are the ones that were there.
  func known(_ rows: [Int64], of table: Table, _ transaction: SQLiteTransaction) throws -> [Int64] {
    let pairs = table.key.enumerated().map { "b.k\($0) IS t.\(SQL.quoted(table.columns[$1].name))" }
    let statement = try transaction.prepare(
      """
      SELECT 1 FROM temp.\(name(table)) b JOIN main.\(SQL.quoted(table.name)) t ON t.rowid = b.row
      WHERE \((["b.row = ?1"] + pairs).joined(separator: " AND "))
      """)
    return try rows.filter { row in
      statement.bind(row, at: 1)
      defer { statement.reset() }
      return try statement.step()
    }
  }

  func drop(_ transaction: SQLiteTransaction) throws { try Self.drop(number, transaction) }

  private static func drop(_ number: Int, _ transaction: SQLiteTransaction) throws {
    for table in transaction.layout.tables {
      try transaction.execute("DROP TABLE IF EXISTS temp.\(name(table, number))")
    }
  }
}
