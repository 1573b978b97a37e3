import Bytes
import ObjectModel
package import ObjectStore

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

/// The rows that the writer will ask a database for when it writes some records, so that they can be fetched at once.
///
/// It is a guess: what it lacks is asked for when it is needed, and what it has too much costs only time.
package struct PrefetchRequest {
  /// By table, the keys of objects.
  package private(set) var keys: [Set<RowKey>]
  /// By table, the numbers of rows.
  package private(set) var rows: [Set<Int64>]
  /// By table and by columns, those of a foreign key or of a uniqueness constraint, the values that these hold.
  package private(set) var children: [[[Int]: Set<RowKey>]]
  /// By join table and direction, the keys at the beginning of the links.
  package private(set) var links: [[Set<RowKey>]]
  /// The relationships whose lists the records have.
  package private(set) var listed: Set<Int> = []

  /// What is not there for certain is not needed.
  private let stored: (any StoredRows)?
  /// By table, the columns of the key.
  private let keyColumns: [[Int]]

  package init(_ layout: Layout, _ stored: (any StoredRows)?) {
    self.stored = stored
    keyColumns = layout.tables.map(\.key)
    keys = Array(repeating: [], count: layout.tables.count)
    rows = Array(repeating: [], count: layout.tables.count)
    children = Array(repeating: [:], count: layout.tables.count)
    links = Array(repeating: [[], []], count: layout.joins.count)
  }

  package mutating func add(_ key: RowKey, to table: Int) {
    if !key.isEmpty, !key.hasNull, stored?.mayHold(key, keyColumns[table], table) ?? true {
      keys[table].insert(key)
    }
  }

  package mutating func add(_ place: RowLocation) { rows[place.table].insert(place.row) }

  package mutating func add(_ key: RowKey, to table: Int, where columns: [Int]) {
    if !key.isEmpty, !key.hasNull, stored?.mayHold(key, columns, table) ?? true {
      children[table][columns, default: []].insert(key)
    }
  }

  package mutating func add(_ key: RowKey, toJoin join: Int, _ direction: Int) {
    if !key.isEmpty, !key.hasNull, stored?.mayHoldLinks(key, join, direction) ?? true {
      links[join][direction].insert(key)
    }
  }

  mutating func note(list relationship: Int) { listed.insert(relationship) }
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
    fetchForDeletion(found.going)
  }

  /// Parts that are in the store, and those of them that the records lack.
  private struct StoredParts {
    var all: [RowLocation] = []
    var going: [RowLocation] = []
    /// Whether a part says that it has no part. Which one of the stored parts it is shows later.
    var losesPartsOfParts = false
  }

  private func addParts(of row: Int, to found: inout StoredParts, _ batch: borrowing RowBatch) {
    let model = model(of: batch.rows[row].entity)
    if !model.hasIdentity {
      for key in model.foreignKeys where key.leadsToPart && batch[row, key.slots[0]].kind == .null {
        found.losesPartsOfParts = true
      }
      return
    }
    guard let owner = find(RowStep(row: row), model, batch)?.row else { return }
    for key in model.foreignKeys where key.leadsToPart {
      let kind = batch[row, key.slots[0]].kind
      guard kind == .null || kind == .row,
        let part = storedReference(of: RowStep(row: row), key, model, batch)
      else { continue }
      let place = RowLocation(table: state.tableIndex(of: key.relationship.destination), row: part)
      found.all.append(place)
      if kind == .null { found.going.append(place) }
    }
    for list in lists(row, batch) {
      let relationship = state.relationship(list.relationship)
      guard layout.leadsToParts(relationship) else { continue }
      let parts = state.places(of: relationship, RowLocation(table: model.layout.table, row: owner))
      found.all += parts
      if !merges(list) { found.going += parts.dropFirst(list.count) }
    }
  }

  /// Fetches parts with all their parts, and returns these.
  private func fetchPartsOfParts(_ parts: [RowLocation], _ listed: Set<Int>) -> [RowLocation] {
    var (level, result): ([RowLocation], [RowLocation]) = (parts, [])
    for _ in 0..<Self.deepest where !level.isEmpty {
      fetch { needed in for place in level { needed.add(place) } }
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

/// What is dealt with at the end of an import: what it needs is fetched for many objects at once, if that is faster.
extension WorkingWriter {
  func fetch(_ add: (inout PrefetchRequest) -> Void) {
    guard transaction.fetchesTogether else { return }
    var needed = PrefetchRequest(layout, state.stored)
    add(&needed)
    transaction.fetch(needed)
  }

  // MARK: - Values and links

  /// Fetches objects, and those that have the values which are to be unique in them.
  func fetchForUniqueness(_ items: some Collection<DeferredValues>) {
    func place(_ item: DeferredValues) -> RowLocation {
      RowLocation(table: state.tableIndex(of: item.entity), row: item.row)
    }
    fetch { needed in for item in items { needed.add(place(item)) } }
    fetch { needed in
      for item in items {
        guard var object = state.object(place(item)) else { continue }
        for value in item.values { object.values[value.column] = value.value }
        for constraint in model(of: object.entity).constraints {
          needed.add(
            RowKey(constraint.columns) { object.values[$0] }, to: place(item).table, where: constraint.columns
          )
        }
      }
    }
  }

  /// Fetches objects and what leads to them.
  func fetchNeighbours(of places: [RowLocation]) {
    fetch { needed in for place in places { needed.add(place) } }
    fetch { needed in for place in places { addNeighbours(of: place, to: &needed) } }
  }

  // MARK: - References

  /// Fetches the owners of references that led nowhere, and their targets if these have come meanwhile.
  func fetchEnds(of references: some Collection<UnresolvedReference>) {
    fetch { needed in
      for reference in references {
        let relationship = state.relationship(reference.relationship)
        switch (layout.relationships[reference.relationship], reference.holder) {
        case (.foreignKey, .row(let row)):
          needed.add(RowLocation(table: state.tableIndex(of: relationship.owner), row: row))
        case (.join(let join, let isForward), .link(let keys)):
          needed.add(keys[isForward ? 0 : 1], toJoin: join, isForward ? 0 : 1)
          needed.add(keys[isForward ? 1 : 0], to: state.tableIndex(of: relationship.destination))
        default: break
        }
      }
    }
    fetch { needed in
      for reference in references {
        let relationship = state.relationship(reference.relationship)
        guard case .row(let row) = reference.holder,
          case .foreignKey(let columns) = layout.relationships[reference.relationship],
          let object = state.object(RowLocation(table: state.tableIndex(of: relationship.owner), row: row))
        else { continue }
        needed.add(RowKey(columns) { object.values[$0] }, to: state.tableIndex(of: relationship.destination))
      }
    }
  }

  // MARK: - Deletions

  /// How deep cascades are followed together; what lies deeper is fetched one by one.
  static let deepest = 32

  /// Fetches what the deletion of objects looks for: what goes along with them, and what leads to any of it.
  func fetchForDeletion(_ places: some Collection<RowLocation>) {
    guard transaction.fetchesTogether, places.count > 1 else { return }
    var (level, reached) = (Array(places), Set(places))
    for _ in 0..<Self.deepest where !level.isEmpty {
      fetchNeighbours(of: level)
      fetch { needed in for place in level { addLinked(of: place, to: &needed) } }
      var next: [RowLocation] = []
      for place in level {
        for relationship in deleter.cascades(of: place) {
          next += state.places(of: relationship, place).filter { reached.insert($0).inserted }
        }
      }
      level = next
    }
  }

  /// The rows that lead to an object, and the targets of its own keys.
  private func addNeighbours(of place: RowLocation, to needed: inout PrefetchRequest) {
    guard let object = state.object(place) else { return }
    let (entity, key) = (layout.schema.entities[object.entity], state.key(of: place))
    for relationship in layout.schema.relationships {
      let leadsHere = entity.ancestry.contains(relationship.destination)
      let isOwn = entity.relationships.contains(relationship.index)
      switch layout.relationships[relationship.index] {
      case .foreignKey(let columns):
        if leadsHere { needed.add(key, to: state.tableIndex(of: relationship.owner), where: columns) }
        if isOwn {
          needed.add(
            RowKey(columns) { object.values[$0] }, to: state.tableIndex(of: relationship.destination))
        }
      case .inverse: break
      case .join(let join, let isForward):
        if leadsHere { needed.add(key, toJoin: join, isForward ? 1 : 0) }
        if isOwn { needed.add(key, toJoin: join, isForward ? 0 : 1) }
      }
    }
  }

  /// The objects at the other ends of an object's links in join tables.
  private func addLinked(of place: RowLocation, to needed: inout PrefetchRequest) {
    guard let object = state.object(place) else { return }
    let key = state.key(of: place)
    for index in layout.schema.entities[object.entity].relationships {
      guard case .join(let join, let isForward) = layout.relationships[index] else { continue }
      let table = state.tableIndex(of: state.relationship(index).destination)
      for link in state.joins[join].links(of: key, isForward ? 0 : 1) { needed.add(link.target, to: table) }
    }
  }
}
