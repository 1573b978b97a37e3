import Bytes
import ObjectModel
import ObjectStore

/// Which rows of the database some records are about.
extension WorkingWriter {
  /// Fetches them together.
  func prefetchRecords(for records: [Int], _ batch: borrowing RowBatch) {
    guard transaction.fetchesTogether else { return }
    var needed = PrefetchRequest(layout, state.stored)
    for record in records {
      for row in batch.roots[record]..<batch.end(ofRecord: record) { add(row, to: &needed, batch) }
    }
    transaction.fetch(needed)
    if hasParts { fetchParts(of: records, listed: needed.listed, batch) }
  }

  private func add(_ row: Int, to needed: inout PrefetchRequest, _ batch: borrowing RowBatch) {
    let model = model(of: batch.rows[row].entity)
    var key: RowKey = []
    if model.layout.entity.hasIdentity {
      key = keyValues(row, batch)
      needed.add(key, to: model.layout.table)
    }
    for constraint in model.constraints where constraint.slots.allSatisfy({ has(row, $0, batch) }) {
      needed.add(values(row, constraint.slots, batch), to: model.layout.table, where: constraint.columns)
    }
    for link in model.foreignKeys where link.relationship.isItsOwnInverse {
      // Who points to an object that points to others.
      guard case .foreignKey(let columns) = layout.relationships[link.relationship.index] else { continue }
      needed.add(key, to: model.layout.table, where: columns)
    }
    for link in model.foreignKeys where has(row, link.slots[0], batch) {
      let relationship = link.relationship
      guard case .foreignKey(let columns) = layout.relationships[relationship.index],
        layout.schema.entities[relationship.destination].hasIdentity
      else { continue }
      let target = self.target(cells(row, link.slots, batch), batch)
      needed.add(target, to: state.tableIndex(of: relationship.destination))
      if let inverse = relationship.inverse, !state.relationship(inverse).isToMany {
        needed.add(target, to: model.layout.table, where: columns)
      }
    }
    var next = batch.rows[row].firstList
    while next >= 0 {
      add(batch.lists[next], of: key, to: &needed, batch)
      next = batch.lists[next].next
    }
  }

  /// Of a list whose links go both ways, the links of the targets.
  private func addBack(
    _ list: LinkList, _ join: Int, to needed: inout PrefetchRequest, _ batch: borrowing RowBatch
  ) {
    for target in targets(list, batch) {
      switch target {
      case .key(let key): needed.add(self.target(key, batch), toJoin: join, 0)
      case .row(let row): needed.add(keyValues(row, batch), toJoin: join, 0)
      }
    }
  }

  /// The values of a key some of whose cells may stand for other rows.
  private func target(_ cells: [Cell], _ batch: borrowing RowBatch) -> RowKey {
    if cells.count == 1 { return RowKey(Value(batch.resolved(cells[0], layout), batch)) }
    var result: RowKey = []
    for cell in cells { result.append(Value(batch.resolved(cell, layout), batch)) }
    return result
  }

  /// Whether a list names any target by its key.
  private func hasKeys(_ list: LinkList, _ batch: borrowing RowBatch) -> Bool {
    for index in list.firstTarget..<list.firstTarget + list.count where batch.targets[index].kind != .row {
      return true
    }
    return false
  }

  private func add(
    _ list: LinkList, of owner: RowKey, to needed: inout PrefetchRequest, _ batch: borrowing RowBatch
  ) {
    let relationship = state.relationship(list.relationship)
    let table = state.tableIndex(of: relationship.destination)
    needed.note(list: list.relationship)
    switch layout.relationships[list.relationship] {
    case .foreignKey: return
    case .inverse(let columns, _): needed.add(owner, to: table, where: columns)
    case .join(let join, let isForward):
      needed.add(owner, toJoin: join, isForward ? 0 : 1)
      if layout.joins[join].isSymmetric { addBack(list, join, to: &needed, batch) }
    }
    guard hasKeys(list, batch) else { return }
    for case .key(let key) in targets(list, batch) { needed.add(target(key, batch), to: table) }
  }
}
