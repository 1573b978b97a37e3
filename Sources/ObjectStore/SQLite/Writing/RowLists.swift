import Bytes
import ObjectModel

/// Writing what rows have besides their own columns: lists, and objects that stand by themselves.
extension RowWriter {
  /// Writes the lists of a row in the order of the JSON. Where a key came twice, the last counts.
  func writeLists(of row: Int, _ batch: inout RowBatch) throws {
    var lists: [LinkList] = []
    var next = batch.rows[row].firstList
    while next >= 0 {
      let list = batch.lists[next]
      next = list.next
      // The chain begins with the last list.
      if !lists.contains(where: { $0.relationship == list.relationship }) { lists.append(list) }
    }
    for list in lists.reversed() { try write(list, of: row, &batch) }
  }

  private func write(_ list: LinkList, of row: Int, _ batch: inout RowBatch) throws {
    if list.isIncomplete || list.isRejected { sawIncompleteList = true }
    if list.isRejected { return try writeIndependentTargets(of: list, row, &batch) }
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
      let list = LinkList(relationship: relationship, firstTarget: empty, count: 0, next: -1, rank: 0)
      switch transaction.layout.relationships[relationship] {
      case .inverse: try childLists(for: relationship).write(list, of: row, &batch, self)
      // Where the targets have lists too, the links are theirs as well.
      case .join where transaction.layout.schema.relationships[relationship].inverse == nil:
        try joinLists(for: relationship).write(list, of: row, &batch, self)
      case .join, .foreignKey: break
      }
    }
  }

  /// Of a row that is not written, writes what has an identity of its own.
  func writeIndependentParts(of row: Int, _ writer: EntityWriter, of batch: inout RowBatch) throws {
    for key in writer.foreignKeys {
      guard let slot = key.slots.first, batch[row, slot].kind == .row else { continue }
      let target = Int(batch[row, slot].bits)
      if target != batch.rows[row].parent { try writeIndependent(target, of: row, &batch) }
    }
    var next = batch.rows[row].firstList
    while next >= 0 {
      let list = batch.lists[next]
      next = list.next
      try writeIndependentTargets(of: list, row, &batch)
    }
  }

  func writeIndependentTargets(of list: LinkList, _ row: Int, _ batch: inout RowBatch) throws {
    let width = max(1, identityWidth(of: list.relationship))
    var index = list.firstTarget
    for _ in 0..<list.count {
      let cell = batch.targets[index]
      if cell.kind == .row { try writeIndependent(Int(cell.bits), of: row, &batch) }
      index += cell.kind == .row ? 1 : width
    }
  }

  private func identityWidth(of relationship: Int) -> Int {
    let schema = transaction.layout.schema
    return schema.entities[schema.relationships[relationship].destination].identity.count
  }

  func writeIndependent(_ row: Int, of owner: Int, _ batch: inout RowBatch) throws {
    if !transaction.layout.schema.entities[batch.rows[row].entity].hasIdentity,
      batch.rows[row].state == .object
    {
      batch.rows[row].state = .skipped
      batch.rows[row].isHeld = batch.rows[owner].isHeld
    }
    try write(row, over: nil, of: &batch)
  }
}
