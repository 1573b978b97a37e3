import Bytes
import ObjectModel

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
