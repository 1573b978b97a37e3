import Bytes
import ObjectModel

/// Writing what rows have besides their own columns: lists, and objects that stand by themselves.
extension RowWriter {
  /// Puts the lists of a row on the stack, the first of the JSON on top.
  ///
  /// Where one object of the JSON has a key twice, the last counts. Where the JSON has the object itself twice, the
  /// later list replaces the earlier one too, unless lists add to each other; the objects of both are written.
  func scheduleLists(of row: Int, _ batch: inout RowBatch) {
    var latest: [LinkList] = []
    // The chain begins with the last list.
    var next = batch.rows[row].firstList
    while next >= 0 {
      let list = batch.lists[next]
      if let later = latest.first(where: { $0.relationship == list.relationship }) {
        if later.owner != list.owner {
          if merges(later) {
            steps.append(.list(next, of: row))
          } else {
            scheduleIndependentTargets(of: list, row, &batch)
          }
        }
      } else {
        latest.append(list)
        steps.append(.list(next, of: row))
      }
      next = list.next
    }
  }

  /// Whether a list adds to the links that are there. A null clears them all the same.
  func merges(_ list: LinkList) -> Bool { toMany[list.relationship] == .merge && !list.isCleared }

  func write(_ list: LinkList, of row: Int, _ batch: inout RowBatch) throws {
    if list.isIncomplete || list.isRejected { hasLeftOutObjects = true }
    if list.isRejected { return scheduleIndependentTargets(of: list, row, &batch) }
    switch transaction.layout.relationships[list.relationship] {
    case .inverse: try childLists(for: list.relationship).write(list, of: row, &batch, self)
    case .join: try joinLists(for: list.relationship).write(list, of: row, &batch, self)
    case .foreignKey: break
    }
  }

  /// Empties the lists that the JSON of an object, which took another's place, does not mention.
  func emptyOtherLists(of row: Int, _ batch: inout RowBatch) throws {
    var mentioned: [Int] = []
    var next = batch.rows[row].firstList
    while next >= 0 {
      mentioned.append(batch.lists[next].relationship)
      next = batch.lists[next].next
    }
    let empty = batch.targets.count
    for relationship in transaction.layout.entities[batch.rows[row].entity].entity.relationships
    where !mentioned.contains(relationship) {
      let list = LinkList(
        relationship: relationship, firstTarget: empty, count: 0, next: -1, tag: 0, isCleared: true,
        owner: row,
        firstRow: 0)
      switch transaction.layout.relationships[relationship] {
      case .inverse: try childLists(for: relationship).write(list, of: row, &batch, self)
      // Where the targets have lists too, the links are theirs as well.
      case .join where transaction.layout.schema.relationships[relationship].inverse == nil:
        try joinLists(for: relationship).write(list, of: row, &batch, self)
      case .join, .foreignKey: break
      }
    }
  }

  /// Of a row that is not written, puts what has an identity of its own on the stack.
  func scheduleIndependentParts(of row: Int, _ writer: EntityWriter, _ batch: inout RowBatch) {
    var next = batch.rows[row].firstList
    while next >= 0 {
      let list = batch.lists[next]
      next = list.next
      scheduleIndependentTargets(of: list, row, &batch)
    }
    for key in writer.foreignKeys.reversed() {
      guard let slot = key.slots.first, batch[row, slot].kind == .row else { continue }
      let target = Int(batch[row, slot].bits)
      if target != batch.rows[row].parent { scheduleIndependent(target, of: row, &batch) }
    }
  }

  /// Puts the objects of a list that is not written on the stack, the first on top.
  func scheduleIndependentTargets(of list: LinkList, _ row: Int, _ batch: inout RowBatch) {
    let first = steps.count
    let width = max(1, identityWidth(of: list.relationship))
    var index = list.firstTarget
    for _ in 0..<list.count {
      let cell = batch.targets[index]
      if cell.kind == .row { scheduleIndependent(Int(cell.bits), of: row, &batch) }
      index += cell.kind == .row ? 1 : width
    }
    steps[first...].reverse()
  }

  private func identityWidth(of relationship: Int) -> Int {
    let schema = transaction.layout.schema
    let destination = schema.entities[schema.relationships[relationship].destination]
    return destination.hasIdentity ? transaction.layout.table(of: destination.index).key.count : 0
  }

  /// Puts a row on the stack, though the one that holds it is not written. A part goes with what holds it.
  func scheduleIndependent(_ row: Int, of owner: Int, _ batch: inout RowBatch) {
    if !transaction.layout.schema.entities[batch.rows[row].entity].hasIdentity,
      batch.rows[row].state == .object
    {
      batch.rows[row].state = .skipped
      batch.rows[row].isHeld = batch.rows[owner].isHeld
    }
    steps.append(.row(RowStep(row)))
  }
}
