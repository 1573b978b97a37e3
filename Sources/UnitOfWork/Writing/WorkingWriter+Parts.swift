import Bytes
import ObjectModel
import ObjectStore

/// Parts have no identity: a list's elements are written over those that the owner has, one by one. A part that has an
/// owner of another kind besides is that owner's first: only an element that names this other owner is written over it.
extension WorkingWriter {
  /// The parts that an owner has, by the keys of their preceding owners, and those of sub-entities with an identity.
  private struct Parts {
    var free: [String: [Int64]] = [:]
    var identified: Set<Int64> = []
    var count = 0
    var mayDelete: Bool
    var remaining: [Int64] { (free[""] ?? []) + identified.sorted() }
  }

  func writeParts(of list: ChildList, _ batch: inout RowBatch) {
    var parts = Parts(mayDelete: !list.list.isIncomplete)
    let preceding = Array(layout.precedingOwners(of: list.relationship).joined())
    for child in children(of: list, batch) {
      parts.count += 1
      if case .text? = child.key.first {
        parts.identified.insert(child.row)
      } else {
        let owners = RowKey(preceding) { child.object.values[$0] }
        parts.free[owners.allSatisfy(\.isNull) ? "" : owners.keyText, default: []].append(child.row)
      }
    }
    write(list.list, &parts, &batch) { row, place, batch in self.setLink(of: row, to: list, at: place, &batch)
    }
    // What seems to be missing may be what could not be read.
    guard parts.mayDelete else { return }
    let table = state.tableIndex(of: list.relationship.destination)
    for part in parts.remaining {
      guard let refusal = delete(RowLocation(table: table, row: part)) else { continue }
      add(.deletionDenied(relationship: refusal.relationship, key: refusal.key), row: list.owner)
    }
  }

  func writeParts(of list: JoinList, _ batch: inout RowBatch) {
    var parts = Parts(mayDelete: !list.list.isIncomplete)
    for link in state.joins[list.join].links(of: list.ownerKey, list.direction) {
      guard case .integer(let row)? = link.target.first else { continue }
      parts.free["", default: []].append(row)
      parts.count += 1
    }
    write(list.list, &parts, &batch) { _, _, _ in }
    writeLinks(
      list, targets(list.list, batch), keeping: parts.mayDelete ? [] : Set(parts.remaining),
      keepsIdentified: !parts.mayDelete, &batch)
  }

  private func write(
    _ list: LinkList, _ parts: inout Parts, _ batch: inout RowBatch,
    link: (Int, Int?, inout RowBatch) -> Void
  ) {
    let isMerging = merges(list)
    let relationship = state.relationship(list.relationship)
    for (position, target) in targets(list, batch).enumerated() {
      guard case .row(let row) = target else { continue }
      let model = model(of: batch.rows[row].entity)
      if model.layout.entity.hasIdentity {
        let stored = find(RowStep(row: row), model, batch)?.row
        let isThere = stored.map { parts.identified.remove($0) != nil } ?? false
        link(row, isMerging ? (isThere ? nil : parts.count + position) : position, &batch)
        begin(RowStep(row: row), &batch)
        if isLost(row, batch) { parts.mayDelete = false }
      } else if isMerging {
        // Added, unless it is there already.
        link(row, nil, &batch)
        let twin = twin(of: row, among: parts.free.values.flatMap { $0 }.sorted(), model, batch)
        if let twin {
          for key in parts.free.keys { parts.free[key]?.removeAll { $0 == twin } }
        } else {
          link(row, parts.count + position, &batch)
        }
        begin(RowStep(row: row, existing: twin), &batch)
      } else {
        replacePart(row, relationship, position, &parts, model, &batch, link)
      }
    }
    if isMerging { parts.mayDelete = false }
  }

  private func replacePart(
    _ row: Int, _ relationship: SchemaRelationship, _ position: Int, _ parts: inout Parts,
    _ model: EntityModel, _ batch: inout RowBatch, _ link: (Int, Int?, inout RowBatch) -> Void
  ) {
    let key = precedingOwnerKey(of: row, relationship, batch)
    link(row, position, &batch)
    let free = parts.free[key] ?? []
    var place = 0
    if !key.isEmpty, free.count > 1, let twin = twin(of: row, among: free, model, batch) {
      place = free.firstIndex(of: twin) ?? 0
      parts.free[key]?.swapAt(0, place)
    }
    let over = parts.free[key]?.first
    if over != nil { parts.free[key]?.removeFirst() }
    begin(RowStep(row: row, existing: over, isReplacement: relationship.isToMany), &batch)
    guard isLost(row, batch) else { return }
    // The part is free for the next element.
    parts.mayDelete = false
    if let over { parts.free[key]?.insert(over, at: 0) }
  }

  private func isLost(_ row: Int, _ batch: borrowing RowBatch) -> Bool {
    batch.rows[row].state == .skipped && !batch.rows[row].isHeld
  }

  /// Among objects without identity, the one that has all the values of a row, those of nested objects aside.
  private func twin(
    of row: Int, among candidates: [Int64], _ model: EntityModel, _ batch: borrowing RowBatch
  ) -> Int64? {
    let entity = model.layout
    for candidate in candidates {
      guard let object = state.tables[entity.table][candidate] else { continue }
      var isTwin = true
      for slot in entity.slots.indices where batch[row, slot].kind != .absent && batch[row, slot].kind != .row
      {
        if object.values[entity.slots[slot]] != Value(batch[row, slot], batch) { isTwin = false }
      }
      if isTwin { return candidate }
    }
    return nil
  }

  /// The keys of the owners that come before that of a list of parts, as a row says them; empty if it names none.
  private func precedingOwnerKey(
    of row: Int, _ relationship: SchemaRelationship, _ batch: borrowing RowBatch
  ) -> String {
    let slots = layout.entities[batch.rows[row].entity].slotOfColumn
    var parts: RowKey = []
    for column in layout.precedingOwners(of: relationship).joined() where slots[column] >= 0 {
      parts.append(Value(resolved(batch[row, slots[column]], batch), batch))
    }
    return parts.allSatisfy(\.text.isEmpty) ? "" : parts.keyText
  }
}
