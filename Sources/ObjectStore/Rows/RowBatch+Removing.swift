import Bytes
import ObjectModel

/// What may not be changed is taken out of a row before it is written.
extension RowBatch {
  /// Makes attributes of a row absent, but not those of its identity. True if it had any of them.
  package func removeAttributes(_ names: Set<String>, of row: Int, _ layout: EntityLayout) -> Bool {
    let entity = layout.entity
    var hadAny = false
    for (index, attribute) in entity.attributes.enumerated()
    where names.contains(attribute.name) && !entity.identityAttributes.contains(index) {
      let slot = layout.attributeSlots[index]
      if self[row, slot].isPresent { hadAny = true }
      self[row, slot] = .absent
    }
    return hadAny
  }

  /// Makes a foreign key of a row absent, with the place in the target's list. Nil if the row has none; otherwise its
  /// first cell, as it was.
  package func removeForeignKey(_ slots: [Int], order: Int?, of row: Int) -> Cell? {
    guard let first = slots.first, case let cell = self[row, first], cell.isPresent else { return nil }
    for slot in slots { self[row, slot] = .absent }
    if let order { self[row, order] = .absent }
    return cell
  }

  /// Takes lists off a row and returns them, the last that was added first.
  ///
  /// - Parameter isRemoved: Whether to take those of a relationship.
  package mutating func removeLists(of row: Int, where isRemoved: (Int) -> Bool) -> [LinkList] {
    var kept: [Int] = []
    var removed: [LinkList] = []
    var next = rows[row].firstList
    while next >= 0 {
      let list = lists[next]
      if isRemoved(list.relationship) {
        removed.append(list)
      } else {
        kept.append(next)
      }
      next = list.next
    }
    if !removed.isEmpty { chainLists(kept, of: row) }
    return removed
  }
}
