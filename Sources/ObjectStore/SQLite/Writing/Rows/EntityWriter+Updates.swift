import Bytes
import ObjectModel

/// Updating rows that are there: only what differs is written.
extension EntityWriter {
  /// Updates what differs in the row that a statement of ``lookup`` stands on.
  func update(_ found: PreparedStatement, _ first: Int, _ batch: borrowing RowBatch) throws -> Result {
    let rowID = found.integer(0)
    var changed = SlotSet()
    let offset = sql.firstSlotColumn
    for slot in 0..<layout.slots.count {
      let cell = batch.cells.base[first + slot]
      if cell.kind != .absent, !found.column(offset + slot, equals: cell, of: batch) {
        changed.insert(slot)
      }
    }
    if let equality, !changed.isEmpty { removeSame(from: &changed, found, first, batch, equality) }
    // An object that leaves a list leaves its place in it; an absent cell is bound as null.
    for key in foreignKeys {
      if let order = key.order, batch.cells.base[first + order].kind == .absent,
        key.slots.contains(where: changed.contains)
      {
        changed.insert(order)
      }
    }
    let ownerChange = removeClaimedOwner(from: &changed, found, first, batch)
    var formerKind: Int?
    if table.kindColumn != nil, !familyNames.contains(found.string(1)) {
      // A kind that is not known has what the root has.
      let former = transaction.layout.schema.index(of: found.string(1)) ?? table.root
      formerKind = former
      if let slot = missing(in: found, first, batch) {
        lookup.endReading(found)
        return .problem(.missing(attribute: attribute(of: slot)))
      }
      addKind(to: &changed, formerly: former, first, batch)
    }
    lookup.endReading(found)
    guard !changed.isEmpty else {
      return .written(Written(outcome: .unchanged, rowID: rowID, ownerChange: ownerChange))
    }
    if let reason = try apply(changed, rowID, first, batch) { return .problem(reason) }
    return .written(
      Written(outcome: .updated, rowID: rowID, ownerChange: ownerChange, formerKind: formerKind))
  }

  /// Takes values out of the changes that are to a program what they were.
  private func removeSame(
    from changed: inout SlotSet, _ found: PreparedStatement, _ first: Int, _ batch: borrowing RowBatch,
    _ equality: any ValueEquality
  ) {
    for slot in layout.attributeSlots where changed.contains(slot) {
      let stored = found.value(sql.firstSlotColumn + slot)
      let new = batch.value(of: batch.cells.base[first + slot])
      if equality.isSame(layout, slot: slot, stored: stored, new: new) { changed.remove(slot) }
    }
  }

  /// Takes a change of owner that a list claims, and another list of the import may claim too, out of the changes.
  /// Returns what the lists do to the owner.
  private func removeClaimedOwner(
    from changed: inout SlotSet, _ found: PreparedStatement, _ first: Int, _ batch: borrowing RowBatch
  ) -> OwnerChange {
    var change = OwnerChange.none
    for key in ownerKeys {
      guard let slot = key.slots.first, key.slots.contains(where: changed.contains) else { continue }
      let link = batch.cells.base[first + slot].link
      guard link.isFromList, !found.isNull(sql.firstSlotColumn + slot) else { continue }
      change = .made
      guard link == .claimedByList else { continue }
      for slot in key.slots { changed.remove(slot) }
      if let order = key.order { changed.remove(order) }
      change = .left
    }
    return change
  }

  // MARK: - Another kind

  /// The first required slot that an object, which turns into another kind, would leave without value.
  private func missing(
    in found: PreparedStatement, _ first: Int, _ batch: borrowing RowBatch
  ) -> Int? {
    for slot in required
    where batch.cells.base[first + slot].kind == .absent && found.isNull(sql.firstSlotColumn + slot) {
      return slot
    }
    return nil
  }

  /// Adds to the changes what an object gets that turns into another kind.
  private func addKind(
    to changed: inout SlotSet, formerly kind: Int, _ first: Int, _ batch: borrowing RowBatch
  ) {
    let former = transaction.layout.entities[kind]
    for slot in layout.attributeSlots
    where batch.cells.base[first + slot].kind == .absent && defaults.cells[slot].kind != .absent
      && former.slotOfColumn[layout.slots[slot]] < 0
    {
      // What its former kind had not, has its default.
      changed.insert(slot)
    }
    // What told the former kind does not tell this one.
    if let slot = layout.kindValueSlot { changed.insert(slot) }
    // A slot that no entity has stands for the kind.
    changed.insert(layout.slots.count)
  }

  // MARK: - Statements

  /// Sets the slots that changed. Returns what stands against it.
  private func apply(
    _ changed: SlotSet, _ rowID: Int64, _ first: Int, _ batch: borrowing RowBatch
  ) throws -> RowProblem.Reason? {
    let statement = try updateStatement(for: changed)
    statement.bind(rowID, at: 1)
    for slot in 0..<layout.slots.count where changed.contains(slot) {
      let cell = batch.cells.base[first + slot]
      if cell.kind == .absent {
        defaults.bind(slot, to: statement, at: slot + 2)
      } else {
        statement.bind(cell, of: batch, at: slot + 2)
      }
    }
    do {
      try statement.run()
      return nil
    } catch let error as StoreError where error.isUniquenessViolation {
      return .notUnique(error.constraint)
    }
  }

  private func updateStatement(for changed: SlotSet) throws -> PreparedStatement {
    if let known = updates[changed] { return known }
    // Input decides which sets come up, so their number is limited.
    if updates.count >= 256 { updates.removeAll() }
    let statement = try transaction.cached(sql.update(changed))
    updates[changed] = statement
    return statement
  }
}
