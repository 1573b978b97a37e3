import Bytes
import ObjectModel

/// Makes the rows of one record that tell the same object one.
package struct RecordFolder: ~Copyable {
  private let layout: Layout
  /// By entity, whether rows that tell the same object are made one.
  private let isFoldable: [Bool]
  /// Rows, found by the hash of their keys; -1 is free.
  private var buckets = PlainBuffer<Int32>()

  /// Rows of the record, each with the first that tells the same object.
  private var duplicates = PlainBuffer<Duplicate>()

  struct Duplicate: BitwiseCopyable {
    var row: Int
    var first: Int
  }

  package init(_ layout: Layout, _ policy: WritePolicy) {
    self.layout = layout
    // Not without an identity, and not where versions decide, since what an older version says does not count, wherever
    // it stands. The same goes for rows with which not all may be done.
    isFoldable = layout.schema.entities.map { entity in
      let hasVersion = entity.ancestry.contains {
        layout.schema.model.entities[$0].annotations.versionAttribute != nil
      }
      return entity.hasIdentity && (policy.isLocal || !hasVersion)
    }
  }

  /// Puts the values of rows that tell the same object into the first of them: later values win key by key,
  /// whatever order the rows are written in.
  ///
  /// - Returns: How many rows had their values put into another.
  package mutating func fold(from root: Int, to end: Int, _ batch: inout RowBatch) -> Int {
    // Found before any is folded: a row that takes values of another kind has other cells then.
    findDuplicates(from: root, to: end, batch)
    var count = 0
    for index in 0..<duplicates.count {
      let duplicate = duplicates[index]
      guard canFold(duplicate.row, into: duplicate.first, batch) else { continue }
      fold(duplicate.row, into: duplicate.first, &batch)
      count += 1
    }
    return count
  }

  // MARK: - Finding

  /// Finds the ``duplicates`` among the rows from `root` to `end`, those of entities that cannot be folded aside.
  private mutating func findDuplicates(from root: Int, to end: Int, _ batch: borrowing RowBatch) {
    duplicates.removeAll()
    prepare(for: end - root)
    for row in root..<end where batch.rows.base[row].state == .object {
      guard isFoldable[batch.rows.base[row].entity], !batch.rows.base[row].isRestricted else { continue }
      let first = addOrFind(row, batch)
      if first != row { duplicates.append(Duplicate(row: row, first: first)) }
    }
  }

  private mutating func prepare(for rows: Int) {
    var size = 16
    while size < rows * 2 { size *= 2 }
    buckets.removeAll()
    _ = buckets.append(repeating: -1, count: size)
  }

  /// Adds a row, unless there is one with its key. Returns the one that is there then.
  private mutating func addOrFind(_ row: Int, _ batch: borrowing RowBatch) -> Int {
    let entity = layout.entities[batch.rows.base[row].entity]
    let cells = batch.cells.base + batch.rows.base[row].firstCell
    var hash = Hash(seed: entity.table)
    for slot in entity.keySlots {
      let own = cells[slot]
      let cell = own.kind == .row ? batch.resolved(own, layout) : own
      if cell.kind == .text { hash.combine(batch.bytes(of: cell)) } else { hash.combine(cell.bits) }
    }
    let mask = buckets.count - 1
    var bucket = hash.value & mask
    while buckets.base[bucket] >= 0 {
      let other = Int(buckets.base[bucket])
      if batch.isSameObject(row, other, layout) { return other }
      bucket = (bucket + 1) & mask
    }
    buckets.base[bucket] = Int32(truncatingIfNeeded: row)
    return row
  }

  // MARK: - Folding

  /// Rows of different kinds are one object if one of the kinds is the other's ancestor.
  private func canFold(_ row: Int, into first: Int, _ batch: borrowing RowBatch) -> Bool {
    let (kind, other) = (batch.rows[row].entity, batch.rows[first].entity)
    if kind == other { return true }
    let schema = layout.schema
    return schema.entities[kind].ancestry.contains(other)
      || schema.entities[other].ancestry.contains(kind)
  }

  private func fold(_ row: Int, into first: Int, _ batch: inout RowBatch) {
    let (kind, other) = (batch.rows.base[row].entity, batch.rows.base[first].entity)
    if kind != other, layout.schema.entities[kind].ancestry.contains(other) {
      specialize(first, to: kind, &batch)
    }
    let target = layout.entities[batch.rows.base[first].entity]
    let source = layout.entities[kind]
    let isSameKind = source === target
    for slot in 0..<source.slots.count {
      let cell = batch.cell(row, slot)
      guard cell.kind != .absent else { continue }
      let place = isSameKind ? slot : target.slotOfColumn[source.slots[slot]]
      // The keys are the same, whatever cells hold them. An object that one of them names by nesting it is written.
      if source.keySlots.contains(slot) {
        if isNested(cell, in: row, batch), !isNested(batch.cell(first, place), in: first, batch) {
          batch[first, place] = cell
        }
        continue
      }
      guard place >= 0, !isLater(first, place, than: row, batch),
        !leadToOneObject(cell, batch[first, place], batch)
      else { continue }
      batch[first, place] = cell
      batch.noteInSnapshots(of: first, place, cell)
    }
    if batch.rows.base[row].firstList >= 0 { appendLists(of: row, to: first, &batch) }
    batch.rows[row].state = .reference
    batch.rows[row].isDuplicate = true
  }

  /// Whether two cells stand for rows that tell the same object: the first of these has its values.
  private func leadToOneObject(_ cell: Cell, _ first: Cell, _ batch: borrowing RowBatch) -> Bool {
    guard cell.kind == .row, first.kind == .row else { return false }
    let (row, other) = (Int(cell.bits), Int(first.bits))
    return layout.schema.entities[batch.rows[row].entity].hasIdentity
      && layout.schema.entities[batch.rows[other].entity].hasIdentity
      && batch.isSameObject(row, other, layout)
  }

  /// Whether a cell stands for an object that a row nests.
  private func isNested(_ cell: Cell, in row: Int, _ batch: borrowing RowBatch) -> Bool {
    cell.kind == .row && Int(cell.bits) != batch.rows[row].parent
  }

  /// Gives a row room for all that a sub-entity has.
  private func specialize(_ row: Int, to kind: Int, _ batch: inout RowBatch) {
    let (before, after) = (
      layout.entities[batch.rows[row].entity], layout.entities[kind]
    )
    let cells = batch.cells.append(repeating: .absent, count: after.slots.count)
    for (slot, column) in before.slots.enumerated() where after.slotOfColumn[column] >= 0 {
      batch.cells[cells + after.slotOfColumn[column]] = batch.cell(row, slot)
    }
    batch.rows[row].entity = kind
    batch.rows[row].firstCell = cells
    // Snapshots have the cells of the former kind.
    batch.rows[row].lastSnapshot = -1
  }

  /// Whether a value of a row came after another row that it nests: it was not there yet when that began.
  private func isLater(_ first: Int, _ slot: Int, than row: Int, _ batch: borrowing RowBatch) -> Bool {
    var index = batch.rows[first].lastSnapshot
    while index >= 0 {
      let snapshot = batch.snapshots[index]
      if snapshot.before <= row {
        return !batch.equal(batch.cells[snapshot.firstCell + slot], batch.cell(first, slot))
      }
      index = snapshot.previous
    }
    return false
  }

  /// Puts the lists of a row behind those of another that came before it.
  private func appendLists(of row: Int, to first: Int, _ batch: inout RowBatch) {
    var lists: [Int] = []
    for start in [batch.rows[row].firstList, batch.rows[first].firstList] {
      var next = start
      while next >= 0 {
        lists.append(next)
        next = batch.lists[next].next
      }
    }
    // A list began before another if the rows that it may hold begin before those.
    lists.sort { (batch.lists[$0].firstRow, $0) > (batch.lists[$1].firstRow, $1) }
    batch.chainLists(lists, of: first)
  }
}

extension RowBatch {
  /// Whether two rows have the same key.
  fileprivate func isSameObject(_ first: Int, _ second: Int, _ layout: Layout) -> Bool {
    let (one, other) = (
      layout.entities[rows.base[first].entity], layout.entities[rows.base[second].entity]
    )
    guard one.table == other.table else { return false }
    for (slot, otherSlot) in zip(one.keySlots, other.keySlots)
    where !equal(resolved(cell(first, slot), layout), resolved(cell(second, otherSlot), layout)) {
      return false
    }
    return true
  }
}
