import Bytes
import ObjectModel

/// Leaving alone what a program has changed and the server has not been told of.
extension RowWriter {
  /// Takes out of a row what may not be changed. True if the whole row is left alone; what it nests and has an
  /// identity of its own is written all the same.
  func keepLocalChanges(
    _ unsent: UnsentChanges, _ row: Int, over existing: Int64?, _ writer: EntityWriter,
    of batch: inout RowBatch
  ) throws -> Bool {
    let table = writer.layout.table
    guard let current = try writer.current(row, over: existing, of: batch) else {
      guard unsent.hasDeleted(inTable: table), unsent.hasDeleted(key(text: row, batch), table: table) else {
        return false
      }
      return try leave(row, nil, writer, of: &batch)
    }
    switch unsent.protection(of: current.rowID, table: table) {
    case nil: return false
    case .everything: return try leave(row, current.rowID, writer, of: &batch)
    case .properties(let names):
      try takeOut(names, of: row, current.rowID, writer, of: &batch)
      return false
    }
  }

  /// Whether a property of an object, which an import would change on another's behalf, has to stay as it is. Then
  /// that is counted.
  func keepsLocalChange(_ property: String, of row: Int64, entity: Int) -> Bool {
    let table = transaction.layout.entities[entity].table
    guard let unsent, unsent.protects(property, of: row, table: table) else { return false }
    tally.countKeptLocal(row: row, entity: entity, table: table)
    return true
  }

  /// Whether an object may not be deleted. Then that is counted.
  func keepsLocalChange(_ row: Int64, ofTable table: Int) -> Bool {
    guard let unsent, unsent.protection(of: row, table: table) != nil else { return false }
    tally.countKeptLocal(row: row, entity: transaction.layout.tables[table].root, table: table)
    return true
  }

  private func key(text row: Int, _ batch: borrowing RowBatch) -> String {
    KeyText.text(of: knownKey(of: row, batch), batch)
  }

  private func leave(_ row: Int, _ rowID: Int64?, _ writer: EntityWriter, of batch: inout RowBatch) throws
    -> Bool
  {
    batch.rows[row].isHeld = true
    batch.rows[row].state = rowID == nil || !writer.layout.entity.hasIdentity ? .skipped : .reference
    if let rowID { batch.rows[row].rowID = rowID }
    tally.count(.unsent, row: rowID, entity: writer.layout.entity.index, table: writer.layout.table)
    scheduleIndependentParts(of: row, writer, &batch)
    return true
  }

  /// Makes properties absent, those that would change anything counted.
  private func takeOut(
    _ names: Set<String>, of row: Int, _ rowID: Int64, _ writer: EntityWriter, of batch: inout RowBatch
  ) throws {
    let entity = writer.layout.entity
    var isTouched = false
    for (index, attribute) in entity.attributes.enumerated()
    where names.contains(attribute.name) && !entity.identity.contains(index) {
      let slot = writer.layout.attributeSlots[index]
      isTouched = isTouched || batch[row, slot].isPresent
      batch[row, slot] = .absent
    }
    for key in writer.foreignKeys
    where names.contains(transaction.layout.schema.relationships[key.relationship].name) {
      guard let first = key.slots.first, batch[row, first].isPresent else { continue }
      isTouched = true
      let cell = batch[row, first]
      for slot in key.slots { batch[row, slot] = .absent }
      if let order = key.order { batch[row, order] = .absent }
      if cell.kind == .row, Int(cell.bits) != batch.rows[row].parent {
        scheduleIndependent(Int(cell.bits), of: row, &batch)
      }
    }
    isTouched = try takeOutLists(names, of: row, of: &batch) || isTouched
    if isTouched { tally.countKeptLocal(row: rowID, entity: entity.index, table: writer.layout.table) }
  }

  /// Takes lists off a row's chain. True if there were any. Their objects are written all the same.
  private func takeOutLists(_ names: Set<String>, of row: Int, of batch: inout RowBatch) throws -> Bool {
    var kept: [Int] = []
    var taken: [LinkList] = []
    var next = batch.rows[row].firstList
    while next >= 0 {
      let list = batch.lists[next]
      if names.contains(transaction.layout.schema.relationships[list.relationship].name) {
        taken.append(list)
      } else {
        kept.append(next)
      }
      next = list.next
    }
    guard !taken.isEmpty else { return false }
    batch.rows[row].firstList = kept.first ?? -1
    for (place, index) in kept.enumerated() {
      var list = batch.lists[index]
      list.next = place + 1 < kept.count ? kept[place + 1] : -1
      batch.lists[index] = list
    }
    for list in taken { scheduleIndependentTargets(of: list, row, &batch) }
    return true
  }
}
