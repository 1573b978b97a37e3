import Bytes
import ObjectModel

/// Objects that a list no longer has and that may not be without an owner, or shall not be kept without one.
///
/// Whether they are without shows at the end, since a later list of the same import may take them.
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

extension RowWriter {
  /// A step of what is written. What it leaves to be looked at in the end is noted after this.
  package struct Step {
    fileprivate var releases = 0
    fileprivate var links = 0

    package init() {}
  }

  /// The next step.
  package var nextStep: Step {
    var step = Step()
    (step.releases, step.links) = (deferred.count, requiredLinks.count)
    return step
  }

  /// Forgets what a step and those after it noted, since they were undone.
  package func forget(from step: Step) {
    problems = []
    deferred.removeSubrange(min(step.releases, deferred.count)...)
    requiredLinks.removeSubrange(min(step.links, requiredLinks.count)...)
  }

  /// Forgets what lists let go before a step that saved a row, where that makes up for it: it has the list anew, or
  /// says its own owner.
  package func forgetReleases(before step: Step, madeUpForBy row: Int, _ batch: borrowing RowBatch) {
    guard step.releases > 0 else { return }
    var lists: Set<Int> = []
    var next = batch.rows[row].firstList
    while next >= 0 {
      lists.insert(batch.lists[next].relationship)
      next = batch.lists[next].next
    }
    var key: [String] = []
    for cell in self.key(of: row, batch) ?? [] { key.append(KeyText.text(of: cell, batch)) }
    let entity = transaction.layout.entities[batch.rows[row].entity]
    var kept: [(ticket: Int, release: DeferredRelease)] = []
    for (index, item) in deferred.enumerated() {
      let release = item.release
      var isMadeUpFor = lists.contains(release.relationship.index) && release.owner == key
      if release.child == batch.rows[row].rowID,
        case .inverse(let columns, _) = transaction.layout.relationships[release.relationship.index],
        transaction.layout.entities[release.relationship.destination].table == entity.table
      {
        for slot in entity.slots(of: columns).prefix(1) where slot >= 0 {
          isMadeUpFor = isMadeUpFor || batch[row, slot].kind != .absent
        }
      }
      if index >= step.releases || !isMadeUpFor { kept.append(item) }
    }
    deferred = kept
  }

  /// Notes that an object of a list may be left without an owner.
  func deferRelease(_ release: DeferredRelease, row: Int) {
    problems.append(RowProblem(row: row, reason: .deferred(ticket: nextTicket)))
    deferred.append((nextTicket, release))
    nextTicket += 1
  }

  /// Looks which objects that should be kept are without an owner, and says so by their tickets.
  func reportKeptChildren() throws -> [(ticket: Int, reason: RowProblem.Reason)] {
    try deferred.compactMap { ticket, release in
      guard release.action == .keep, let key = try keyIfWithoutOwner(release) else { return nil }
      return (ticket, .needsOwner(relationship: release.relationship.index, key: key))
    }
  }

  /// Deletes the objects that lost their owner, if deletions are safe, and says what stood against it.
  func runDeferredDeletions(areSafe: Bool) throws -> [(ticket: Int, reason: RowProblem.Reason)] {
    try deferred.compactMap { ticket, release in
      guard release.action == .delete, let key = try keyIfWithoutOwner(release) else { return nil }
      let relationship = release.relationship
      // What seems to be missing may be what could not be read.
      guard areSafe else { return (ticket, .pruneWithheld(relationship: relationship.index, key: key)) }
      let table = transaction.layout.entities[relationship.destination].table
      // It lost its owner, but the JSON has it.
      if tally.hasSeen(release.child, table: table) {
        return try unlink(release, key).map { (ticket, $0) }
      }
      return try delete(release.child, ofTable: table, [.sparesListed, .keepsRequired]).map {
        (ticket, $0.reason)
      }
    }
  }

  /// Takes the owner from an object that stays; if it may not be without one, it keeps it.
  private func unlink(_ release: DeferredRelease, _ key: String) throws -> RowProblem.Reason? {
    let layout = transaction.layout
    guard case .inverse(let columns, let order) = layout.relationships[release.relationship.index],
      let inverse = release.relationship.inverse
    else { return nil }
    guard layout.schema.relationships[inverse].isOptional else {
      return .needsOwner(relationship: release.relationship.index, key: key)
    }
    let table = layout.table(of: release.relationship.destination)
    let names = (columns + (order.map { [$0] } ?? [])).map { table.columns[$0].name }
    let settings = names.map { "\(SQL.quoted($0)) = NULL" }.joined(separator: ", ")
    try statement("UPDATE \(SQL.quoted(table.name)) SET \(settings) WHERE rowid = ?1", release.child).run()
    try countChange(row: release.child, entity: release.relationship.destination)
    return nil
  }

  private func keyIfWithoutOwner(_ release: DeferredRelease) throws -> String? {
    let table = transaction.layout.table(of: release.relationship.destination)
    guard try isWithoutOwner(release, table) else { return nil }
    let key = try KeyText.ofRow(release.child, in: table, transaction)
    // The row may be another object's by now.
    return release.key == nil || release.key == key ? key : nil
  }

  /// Whether nobody has taken the object since: it still has its old owner, or no link of a join table leads
  /// to it.
  private func isWithoutOwner(_ release: DeferredRelease, _ table: Table) throws -> Bool {
    switch transaction.layout.relationships[release.relationship.index] {
    case .foreignKey: return false
    case .inverse(let columns, _):
      let names = columns.map { table.columns[$0].name }
      let statement = try transaction.prepare(
        "SELECT 1 FROM \(SQL.quoted(table.name)) WHERE \(SQL.equal(names, from: 2)) AND rowid = ?1")
      statement.bind(release.child, at: 1)
      for (index, part) in release.owner.enumerated() { statement.bind(part, at: index + 2) }
      return try statement.step()
    case .join(let index, let isForward):
      let join = transaction.layout.joins[index]
      let sql = JoinSQL(join: join, isForward: isForward)
      let pairs = zip(sql.target, table.key).map { column, key in
        "j.\(SQL.quoted(column)) = t.\(SQL.quoted(table.columns[key].name))"
      }
      let statement = try transaction.prepare(
        """
        SELECT 1 FROM \(SQL.quoted(table.name)) t WHERE rowid = ?1 AND NOT EXISTS
        (SELECT 1 FROM \(SQL.quoted(join.name)) j WHERE \(pairs.joined(separator: " AND ")))
        """)
      statement.bind(release.child, at: 1)
      return try statement.step()
    }
  }
}
