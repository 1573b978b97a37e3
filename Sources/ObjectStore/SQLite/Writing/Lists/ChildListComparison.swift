import Bytes
import ObjectModel

/// What a list means for the children that its owner has.
struct ChildListComparison {
  /// Those that the list has not.
  var leaving: [Int64] = []
  /// The place of each target of the list; nil where it keeps the one that it has.
  var places: [Int?] = []
}

extension ChildLists {
  /// Compares a list with the children that its owner has.
  func compare(
    _ list: LinkList, of owner: Int, _ ownerKey: [Cell], _ batch: borrowing RowBatch
  ) throws -> ChildListComparison {
    var result = ChildListComparison()
    let mayHaveLinks = context.mayHaveLinks(owner, relationship.index, batch)
    guard mayHaveLinks || order != nil else { return result }
    collectKeys(list, batch)
    var next = 0
    var listOrder = ListOrder()
    if mayHaveLinks {
      try context.transaction.makeIndexes()
      for index in ownerKey.indices { existing.bind(ownerKey[index], of: batch, at: index + 1) }
      while try existing.step() {
        if let place = wanted.find(existing, firstColumn: 1, of: batch) {
          listOrder.add(place)
        } else {
          result.leaving.append(existing.integer(0))
        }
        if order != nil { next = max(next, Int(existing.integer(table.key.count + 1)) + 1) }
      }
    }
    if order != nil {
      let isMerging = context.merges(list)
      result.places =
        !isMerging && listOrder.isKept(in: &wanted, batch)
        ? Array(repeating: nil, count: wanted.count) : places(appendingFrom: isMerging ? next : nil, batch)
    }
    return result
  }

  /// The places of the targets that ``wanted`` holds. One that comes twice has its first place. Appended ones
  /// come behind those that are there, which keep theirs.
  private func places(appendingFrom start: Int?, _ batch: borrowing RowBatch) -> [Int?] {
    var next = start ?? 0
    var result: [Int?] = []
    for index in 0..<wanted.count {
      let first = wanted.firstIndex(of: index, batch)
      if start != nil, wanted.isFound(first) {
        result.append(nil)
      } else if first < index {
        result.append(result[first])
      } else {
        result.append(start == nil ? index : next)
        next += 1
      }
    }
    return result
  }

  /// Puts the keys of a list's targets into ``wanted``.
  private func collectKeys(_ list: LinkList, _ batch: borrowing RowBatch) {
    wanted.removeAll()
    var index = list.firstTarget
    for _ in 0..<list.count {
      let cell = batch.targets[index]
      if cell.kind == .row {
        index += 1
        let row = Int(cell.bits)
        guard !context.isUnknown(row, batch) else { continue }
        for part in 0..<table.key.count {
          wanted.append(context.declaredKeyCell(of: row, part: part, of: batch))
        }
      } else {
        for part in 0..<table.key.count { wanted.append(batch.targets[index + part]) }
        index += table.key.count
      }
    }
  }
}
