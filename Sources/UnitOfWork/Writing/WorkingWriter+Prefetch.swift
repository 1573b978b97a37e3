import Bytes
import ObjectModel
import ObjectStore

/// Which rows of the database some records are about.
extension WorkingWriter {
  /// Fetches them together.
  func prefetchRecords(for records: [Int], _ batch: borrowing RowBatch) {
    guard state.fetchesTogether else { return }
    var needed = PrefetchRequest(state)
    for record in records {
      for row in batch.roots[record]..<batch.end(ofRecord: record) { add(row, to: &needed, batch) }
    }
    state.fetch(needed)
    if hasParts { fetchParts(of: records, listed: needed.listed, batch) }
  }

  private func add(_ row: Int, to needed: inout PrefetchRequest, _ batch: borrowing RowBatch) {
    let rules = self.records.rules(ofEntity: batch.rows[row].entity)
    var key: RowKey = []
    if rules.layout.entity.hasIdentity {
      key = rows.keyValues(row, batch)
      needed.add(key, to: rules.layout.table)
    }
    for constraint in rows.model(of: batch.rows[row].entity).constraints
    where constraint.slots.allSatisfy({ batch[row, $0].hasValue }) {
      needed.add(
        rows.values(cells(row, constraint.slots, batch), batch), to: rules.layout.table,
        where: constraint.columns)
    }
    for link in rules.foreignKeys where link.relationship.isItsOwnInverse {
      // Owners that point to an object that points to others.
      guard case .foreignKey(let columns) = layout.relationships[link.relationship.index] else { continue }
      needed.add(key, to: rules.layout.table, where: columns)
    }
    for link in rules.foreignKeys where batch[row, link.slots[0]].hasValue {
      let relationship = link.relationship
      guard case .foreignKey(let columns) = layout.relationships[relationship.index],
        layout.schema.entities[relationship.destination].hasIdentity
      else { continue }
      let target = self.target(cells(row, link.slots, batch), batch)
      needed.add(target, to: state.tableIndex(of: relationship.destination))
      if let inverse = relationship.inverse, !state.relationship(inverse).isToMany {
        needed.add(target, to: rules.layout.table, where: columns)
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
      case .row(let row): needed.add(rows.keyValues(row, batch), toJoin: join, 0)
      }
    }
  }

  private func cells(_ row: Int, _ slots: [Int], _ batch: borrowing RowBatch) -> [Cell] {
    var cells: [Cell] = []
    for slot in slots { cells.append(batch[row, slot]) }
    return cells
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

/// Objects without identity are known once those are fetched that they belong to.
extension WorkingWriter {
  /// Whether any object has parts.
  var hasParts: Bool { layout.schema.relationships.contains(where: layout.leadsToParts) }

  /// Fetches the parts that objects have, and what hangs on those that go. All objects with identity have been fetched.
  ///
  /// - Parameter listed: The relationships whose lists the records have, which were fetched.
  func fetchParts(of records: [Int], listed: Set<Int>, _ batch: borrowing RowBatch) {
    var found = StoredParts()
    for record in records {
      for row in batch.roots[record]..<batch.end(ofRecord: record) { addParts(of: row, to: &found, batch) }
    }
    let deeper = fetchPartsOfParts(found.all, listed)
    if found.losesPartsOfParts { found.going += deeper }
    rows.fetchForDeletion(found.going, self.records.deleter)
  }

  /// Parts that are in the store, and those of them that the records lack.
  private struct StoredParts {
    var all: [RowLocation] = []
    var going: [RowLocation] = []
    /// Whether a part says that it has no part. Which one of the stored parts it is shows later.
    var losesPartsOfParts = false
  }

  private func addParts(of row: Int, to found: inout StoredParts, _ batch: borrowing RowBatch) {
    let rules = self.records.rules(ofEntity: batch.rows[row].entity)
    if !rules.layout.entity.hasIdentity {
      for key in rules.foreignKeys where !key.targetHasIdentity && batch[row, key.slots[0]].kind == .null {
        found.losesPartsOfParts = true
      }
      return
    }
    guard let owner = rows.storedVersion(of: RowStep(row), rules, batch)?.row else { return }
    for key in rules.foreignKeys where !key.targetHasIdentity {
      let kind = batch[row, key.slots[0]].kind
      guard kind == .null || kind == .row,
        let part = rows.storedReference(of: RowStep(row), slot: key.slots[0], rules, batch)
      else { continue }
      let place = RowLocation(table: state.tableIndex(of: key.relationship.destination), row: part)
      found.all.append(place)
      if kind == .null { found.going.append(place) }
    }
    var next = batch.rows[row].firstList
    while next >= 0 {
      let list = batch.lists[next]
      next = list.next
      let relationship = state.relationship(list.relationship)
      guard layout.leadsToParts(relationship) else { continue }
      let parts = state.places(of: relationship, RowLocation(table: rules.layout.table, row: owner))
      found.all += parts
      if !context.merges(list) { found.going += parts.dropFirst(list.count) }
    }
  }

  /// Fetches parts with all their parts, and returns these.
  private func fetchPartsOfParts(_ parts: [RowLocation], _ listed: Set<Int>) -> [RowLocation] {
    var (level, result): ([RowLocation], [RowLocation]) = (parts, [])
    for _ in 0..<WorkingRows.deepest where !level.isEmpty {
      rows.fetch { needed in for place in level { needed.add(place) } }
      level = level.flatMap { partsOfPart($0, listed) }
      result += level
    }
    return result
  }

  private func partsOfPart(_ place: RowLocation, _ listed: Set<Int>) -> [RowLocation] {
    guard let object = state.object(place) else { return [] }
    var result: [RowLocation] = []
    for index in layout.schema.entities[object.entity].relationships {
      let relationship = state.relationship(index)
      guard layout.leadsToParts(relationship) else { continue }
      if case .foreignKey(let columns) = layout.relationships[index] {
        guard case .integer(let row) = object.values[columns[0]] else { continue }
        result.append(RowLocation(table: state.tableIndex(of: relationship.destination), row: row))
      } else if listed.contains(index) {
        result += state.places(of: relationship, place)
      }
    }
    return result
  }
}
