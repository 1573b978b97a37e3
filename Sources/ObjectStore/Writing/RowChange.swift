import Bytes
import ObjectModel

/// The stored object that a row is compared with: on SQLite a statement that stands on it, in an identity map its values.
package protocol FoundRow {
  func isNull(_ slot: Int) -> Bool
  func equals(_ slot: Int, _ cell: Cell, _ batch: borrowing RowBatch) -> Bool
  func value(_ slot: Int) -> SQLValue
}

/// The changes that a row makes to the stored object that it is about: the slots that are written, and what follows from them.
package struct RowChange {
  package private(set) var slots = SlotSet()
  /// The values that were there and came, if that matters.
  package private(set) var compared: ComparedValues?
  /// The change of the object's owner by a list; see ``OwnershipClaims``.
  package private(set) var ownerChange = OwnerChange.none
  /// Whether values of the object give way to others, if that matters.
  package private(set) var replacesValues = false
  /// The entity that the object turns away from.
  package let formerKind: Int?
  /// A required slot that the object, which turns into another kind, would leave without value: then nothing is written.
  package private(set) var missing: Int?

  /// Whether nothing is written.
  package var isEmpty: Bool { slots.isEmpty && formerKind == nil }

  /// - Parameters:
  ///   - first: The row's first cell.
  ///   - former: The entity of the object, if it turns into another kind.
  ///   - equality: Knows which values are one, where a program writes.
  @inline(__always)
  package init(
    _ first: Int, of batch: borrowing RowBatch, over found: some FoundRow, formerly former: EntityLayout?,
    _ rules: EntityRules, _ equality: ValueEquality?
  ) {
    let cells = batch.cells.base + first
    formerKind = former?.entity.index
    for slot in 0..<rules.layout.slots.count {
      let cell = cells[slot]
      if cell.kind != .absent, !found.equals(slot, cell, batch) { slots.insert(slot) }
    }
    if let equality, !slots.isEmpty {
      for slot in rules.layout.attributeSlots where slots.contains(slot) {
        let new = batch.value(of: cells[slot])
        if equality(rules.layout, slot, found.value(slot), new) {
          slots.remove(slot)
        }
      }
    }
    if slots.isEmpty, former == nil { return }
    complete(cells, found, formerly: former, rules)
  }

  /// Adds what follows from the change. It stands apart, so that the loop over the values of objects that stay as they are is all
  /// that is inlined.
  @inline(never)
  private mutating func complete(
    _ cells: UnsafeMutablePointer<Cell>, _ found: some FoundRow, formerly former: EntityLayout?,
    _ rules: EntityRules
  ) {
    if !slots.isEmpty, !rules.comparedSlots.isEmpty { compare(cells, found, rules) }
    leaveLists(cells, found, rules)
    if let former {
      missing = rules.required.first { cells[$0].kind == .absent && found.isNull($0) }
      changeKind(cells, formerly: former, rules)
    }
    if rules.doubtsOwnership {
      replacesValues =
        former != nil
        || rules.layout.slots.indices.contains {
          slots.contains($0) && cells[$0].hasValue && !found.isNull($0)
        }
    }
  }

  /// Notes the values that tell whether it is the same object; see ``IdentityConflicts``.
  private mutating func compare(
    _ cells: UnsafeMutablePointer<Cell>, _ found: some FoundRow, _ rules: EntityRules
  ) {
    var values = ComparedValues()
    for slot in rules.comparedSlots where cells[slot].hasValue && !found.isNull(slot) {
      values.note(slot, isReplaced: slots.contains(slot))
    }
    compared = values
  }

  /// Has an object that leaves a list leave its place in it. A change of owner that a list claims, and another list of the
  /// import may claim too, is none yet.
  private mutating func leaveLists(
    _ cells: UnsafeMutablePointer<Cell>, _ found: some FoundRow, _ rules: EntityRules
  ) {
    for key in rules.foreignKeys where key.slots.contains(where: slots.contains) {
      // An absent cell is written as null.
      if let order = key.order, cells[order].kind == .absent { slots.insert(order) }
      let link = cells[key.slots[0]].link
      guard key.inverse != nil, link.isFromList, !found.isNull(key.slots[0]) else { continue }
      ownerChange = .made
      guard link == .claimedByList else { continue }
      for slot in key.slots { slots.remove(slot) }
      if let order = key.order { slots.remove(order) }
      ownerChange = .left
    }
  }

  /// Adds the slots that an object gets with its kind: the defaults of attributes that the former kind lacks, and the attribute
  /// that told that one.
  private mutating func changeKind(
    _ cells: UnsafeMutablePointer<Cell>, formerly former: EntityLayout, _ rules: EntityRules
  ) {
    let layout = rules.layout
    for slot in layout.attributeSlots
    where cells[slot].kind == .absent && rules.defaults.cells[slot].kind != .absent
      && former.slotOfColumn[layout.slots[slot]] < 0
    {
      slots.insert(slot)
    }
    if let slot = layout.kindValueSlot { slots.insert(slot) }
  }
}
