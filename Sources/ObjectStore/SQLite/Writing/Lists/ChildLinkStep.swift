import Bytes
import ObjectModel

/// How far the writing of a list of children with an identity has come; see ``ChildLists``.
final class ChildLinkStep: ListStep {
  private let lists: ChildLists
  /// The children that the owner has and the list has not.
  private var leaving: [Int64] = []
  /// The places of the targets that are still to come; nil for those that keep theirs.
  private var places: IndexingIterator<[Int?]> = [].makeIterator()
  /// The keys of what the store remembers of the owner and the list has not named yet.
  private var waiting: Set<String> = []
  /// How many targets have been looked at, and where the next begins.
  private var position = 0
  private var target: Int
  /// The place of the target that was looked at last.
  private var place: Int?
  /// The row of that target, if another has to be written before it.
  private var nextRow: Int?
  /// The row of that target, while it is being written.
  private var writtenRow: Int?

  private var context: WriteContext { lists.context }

  init(_ lists: ChildLists, _ list: LinkList, of owner: Int, key: [Cell]) {
    self.lists = lists
    target = list.firstTarget
    super.init(list, of: owner, key: key)
  }

  /// Looks what the owner has. To be called once, before the first row is asked for.
  func begin(_ batch: borrowing RowBatch) throws {
    let comparison = try lists.compare(list, of: owner, ownerKey, batch)
    places = comparison.places.makeIterator()
    guard !context.merges(list) else { return }
    leaving = comparison.leaving
    if lists.tools.pendingLinks.hasStored {
      waiting = try lists.tools.pendingLinks.waiting(lists.relationship, owner: ownerKey, batch)
    }
    lists.tools.claims.existing(of: lists.relationship)?.drop(claimedBy: ownerValues(batch))
  }

  override func advance(_ batch: inout RowBatch) throws -> RowStep? {
    if let row = writtenRow {
      writtenRow = nil
      try linkWritten(row, batch)
    }
    if let row = nextRow {
      nextRow = nil
      writtenRow = row
      return RowStep(row)
    }
    while position < list.count {
      if let row = try nextTarget(&batch) { return row }
    }
    try lists.tools.pendingLinks.forget(waiting, lists.relationship, owner: ownerKey, batch)
    for child in leaving { try release(child, batch) }
    return nil
  }

  /// Links the next target, or returns the row that has to be written first.
  private func nextTarget(_ batch: inout RowBatch) throws -> RowStep? {
    let cell = batch.targets.base[target]
    let isUnknown = cell.kind == .row && context.isUnknown(Int(cell.bits), batch)
    // Without an order, the place does not matter.
    place = isUnknown ? nil : places.next() ?? position
    position += 1
    guard cell.kind == .row else {
      let width = lists.table.key.count
      var key: [Cell] = []
      for part in 0..<width { key.append(batch.targets[target + part]) }
      target += width
      try linkByKey(key, batch)
      return nil
    }
    target += 1
    let row = Int(cell.bits)
    switch batch.rows[row].state {
    case .reference:
      if let key = context.key(of: row, batch) { try linkByKey(key, batch) }
      return nil
    case .object where !lists.ownerPlaces.isEmpty && isOfAnother(context.declaredKey(of: row, batch), batch):
      noteOfAnother(context.declaredKey(of: row, batch), batch)
      return RowStep(row)
    case .object:
      let nested = nestedOwner(of: row, batch)
      lists.setLink(of: row, to: ownerKey, at: place, &batch)
      if let nested {
        nextRow = row
        return RowStep(nested)
      }
    case .skipped: break
    }
    writtenRow = row
    return RowStep(row)
  }

  /// The row that a child itself holds as its owner. It is written before the link to it gives way to this list.
  private func nestedOwner(of row: Int, _ batch: borrowing RowBatch) -> Int? {
    guard lists.ownerPlaces.isEmpty else { return nil }
    let slots = context.layout.entities[batch.rows[row].entity].slotOfColumn
    guard let first = lists.foreignKey.first, slots[first] >= 0, batch[row, slots[first]].kind == .row else {
      return nil
    }
    let nested = Int(batch[row, slots[first]].bits)
    return nested == owner ? nil : nested
  }

  // MARK: - Children of another owner

  /// Whether a key says another owner than the list's, where the owner is a part of it.
  private func isOfAnother(_ key: [Cell], _ batch: borrowing RowBatch) -> Bool {
    for (place, cell) in zip(lists.ownerPlaces, ownerKey) where !batch.equal(key[place], cell) { return true }
    return false
  }

  /// Notes that an object cannot be in the list: another owner is a part of its identity.
  private func noteOfAnother(_ key: [Cell], _ batch: borrowing RowBatch) {
    context.problems.add(
      .belongsToAnother(relationship: lists.relationship.index, key: KeyText.text(of: key, batch)), row: owner
    )
  }

  // MARK: - Links

  /// Sees to the link of a target that has been written.
  private func linkWritten(_ row: Int, _ batch: borrowing RowBatch) throws {
    let header = batch.rows[row]
    // What was held back, or lacked a value, is linked as if it had been named by its key.
    if header.isHeld || header.state == .skipped {
      guard !context.isUnknown(row, batch) else { return }
      return try linkByKey(context.declaredKey(of: row, batch), batch)
    }
    guard !header.isRepetition, header.rowID != Row.unknownID else { return }
    claim(header.rowID, header.ownerChange, batch)
  }

  /// Links a child that is known by its key only. If it is not there, the store remembers the link.
  private func linkByKey(_ key: [Cell], _ batch: borrowing RowBatch) throws {
    guard !isOfAnother(key, batch) else { return noteOfAnother(key, batch) }
    let relationship = lists.relationship
    var child = try lists.storedChild(key, of: ownerKey, batch)
    if child == nil, let stub = try lists.tools.stubs.makeStub(for: relationship.index, key, batch) {
      try lists.tools.checks.checkOwners(ofStub: stub, key, in: relationship.destination, batch)
      child = try lists.storedChild(key, of: ownerKey, batch)
    }
    guard let child else {
      let isDisputed = try lists.tools.pendingLinks.store(
        PendingLinks.NewLink(
          relationship: relationship, owner: ownerKey, target: key, place: lists.order == nil ? nil : place,
          isMerged: context.merges(list)),
        &waiting, batch)
      if isDisputed { lists.tools.claims.noteDispute(of: relationship, row: owner) }
      return
    }
    guard context.policy.operations.contains(.update) else { return }
    guard !isUnsent(child.row) else { return countUnsent(child.row) }
    var change = OwnerChange.none
    if child.hasOwner, !child.isOwnedAlready {
      change = relationship.isToMany && lists.hasClaims ? .left : .made
    }
    claim(child.row, change, batch)
    guard change != .left else { return }
    // A child that keeps the place that it has is linked already.
    guard lists.order == nil ? !child.isOwnedAlready : place != nil else { return }
    try lists.link(child.row, to: ownerKey, at: place, batch)
  }

  /// Notes that the list names a child. If the store has another owner for it, the link is set in the end.
  private func claim(_ child: Int64, _ change: OwnerChange, _ batch: borrowing RowBatch) {
    guard lists.hasClaims else { return }
    let claims = lists.tools.claims
    let isDisputed = claims.of(lists.relationship).noteListed(
      child, change, by: ownerValues(batch), at: lists.order == nil ? nil : place)
    if isDisputed { claims.noteDispute(of: lists.relationship, row: owner) }
    if change == .left {
      claims.hasDeferred = true
      context.repetitions.forget(inTable: lists.tableIndex)
    }
  }

  /// Takes the owner from a child that is not in the list any more.
  private func release(_ child: Int64, _ batch: borrowing RowBatch) throws {
    guard !isUnsent(child) else { return countUnsent(child) }
    let isPruned = context.toMany[lists.relationship.index] == .prune
    guard isPruned || lists.inverse.requiresTarget else { return try lists.unlink(child) }
    lists.tools.releases.add(
      DeferredRelease(
        relationship: lists.relationship, action: isPruned ? .delete : .keep, child: child,
        owner: ownerTexts(batch)),
      row: owner)
  }

  /// Whether a program changed the owner of a child, so that it stays as it is.
  private func isUnsent(_ child: Int64) -> Bool {
    context.isUnsent(lists.inverse.name, of: child, entity: lists.destination.index)
  }

  private func countUnsent(_ child: Int64) { context.countUnsent(child, entity: lists.destination.index) }
}
