import Bytes
import ObjectModel
import ObjectStore

/// Making the links of an object what its lists say.
extension WorkingWriter {
  /// Writes the lists of a row that is written. Where one row has a list twice, the last counts; where rows that tell the
  /// same object have it, the objects of both are written.
  func writeLists(of row: Int, _ batch: inout RowBatch) {
    guard batch.rows[row].firstList >= 0 else { return }
    var latest: [LinkList] = []
    var steps: [(list: LinkList, isLinked: Bool)] = []
    for list in lists(row, batch) {
      if let later = latest.first(where: { $0.relationship == list.relationship }) {
        if later.owner != list.owner { steps.append((list, merges(later))) }
      } else {
        latest.append(list)
        steps.append((list, true))
      }
    }
    for step in steps.reversed() {
      guard step.isLinked else {
        beginIndependentTargets(step.list, of: row, isHeld: true, &batch)
        continue
      }
      if step.list.isIncomplete || step.list.isRejected { hasLeftOutObjects = true }
      if step.list.isRejected {
        beginIndependentTargets(step.list, of: row, &batch)
      } else {
        write(step.list, of: row, &batch)
      }
    }
  }

  func meaning(_ relationship: SchemaRelationship) -> ToManyPolicy {
    rules(ofList: relationship.index).meaning
  }

  /// Whether a list adds to the links that are there. A null clears them all the same.
  func merges(_ list: LinkList) -> Bool {
    rules(ofList: list.relationship).meaning == .merge && !list.isCleared
  }

  func write(_ list: LinkList, of owner: Int, _ batch: inout RowBatch) {
    let relationship = state.relationship(list.relationship)
    guard let key = key(owner, batch) else { return }
    let hasIdentity = layout.schema.entities[relationship.destination].hasIdentity
    switch layout.relationships[list.relationship] {
    case .foreignKey: return
    case .inverse(let columns, let order):
      let children = ChildList(
        list: list, relationship: relationship, owner: owner, key: key, ownerKey: values(key, batch),
        columns: columns, order: order)
      if hasIdentity { write(children, &batch) } else { writeParts(of: children, &batch) }
    case .join(let index, let isForward):
      let links = JoinList(
        list: list, relationship: relationship, owner: owner, ownerKey: values(key, batch), join: index,
        direction: isForward ? 0 : 1)
      if hasIdentity { write(links, &batch) } else { writeParts(of: links, &batch) }
    }
  }

  // MARK: - Links in the targets' rows

  struct ChildList {
    let list: LinkList
    let relationship: SchemaRelationship
    let owner: Int
    let key: [Cell]
    /// The values of that.
    let ownerKey: RowKey
    /// The foreign key in the targets' rows, and the place in the list.
    let columns: [Int]
    let order: Int?
  }

  func hasClaims(_ relationship: SchemaRelationship) -> Bool { rules(ofList: relationship.index).hasClaims }

  private func isIdentity(_ list: SchemaRelationship) -> Bool { rules(ofList: list.index).isIdentity }

  /// Whether a key says another owner than the list's, where the owner is a part of it. That is noted.
  private func isOfAnother(_ key: [Cell], than list: ChildList, _ batch: borrowing RowBatch) -> Bool {
    guard isIdentity(list.relationship) else { return false }
    let table = layout.table(of: list.relationship.destination)
    let (own, owner) = (values(key, batch), list.ownerKey)
    guard list.columns.compactMap(table.key.firstIndex).map({ own[$0] }) != Array(owner) else { return false }
    add(.belongsToAnother(relationship: list.relationship.index, key: own.keyText), row: list.owner)
    return true
  }

  private func write(_ list: ChildList, _ batch: inout RowBatch) {
    let targets = targets(list.list, batch)
    if !list.relationship.isToMany, targets.count == 1, case .row(let row) = targets[0], isUnknown(row, batch)
    {
      // Of a lone target that cannot be told, nothing is known, not even that there is none.
      return begin(RowStep(row: row), &batch)
    }
    let wanted = wantedKeys(targets, batch)
    let comparison = compare(wanted, list, batch)
    let owner = list.ownerKey
    var waiting: [Int64] = []
    if !merges(list.list) {
      if !state.waiting.isEmpty {
        waiting = state.waiting.links(of: list.relationship.index, owner.keyText).map(\.row)
      }
      claims.drop(claimedBy: owner, by: list.relationship)
    }
    var places = comparison.places.makeIterator()
    for (position, target) in targets.enumerated() {
      switch target {
      case .key(let key): link(key, to: list, at: places.next() ?? position, &waiting, batch)
      case .row(let row):
        let place = isUnknown(row, batch) ? nil : places.next() ?? position
        writeChild(row, of: list, at: place, &waiting, &batch)
      }
    }
    state.waiting.remove(waiting)
    if !merges(list.list) { for child in comparison.leaving { release(child, list, batch) } }
  }

  private func wantedKeys(_ targets: [Target], _ batch: borrowing RowBatch) -> [RowKey] {
    var result: [RowKey] = []
    for target in targets {
      switch target {
      case .key(let key): result.append(values(key, batch))
      case .row(let row): if !isUnknown(row, batch) { result.append(declaredKeyValues(row, batch)) }
      }
    }
    return result
  }

  /// What a list means for the children that its owner has: which leave, and the place of each target, nil where it keeps
  /// the one that it has.
  private func compare(
    _ wanted: [RowKey], _ list: ChildList, _ batch: borrowing RowBatch
  ) -> (leaving: [Int64], places: [Int?]) {
    var (leaving, found, next): ([Int64], [Int], Int) = ([], [], 0)
    let positions = Positions(wanted)
    for child in children(of: list, batch) {
      if let place = positions.first(of: child.key) {
        found.append(place)
      } else {
        leaving.append(child.row)
      }
      next = max(next, Int(child.place ?? 0) + 1)
    }
    guard list.order != nil else { return (leaving, []) }
    let isMerging = merges(list.list)
    if !isMerging, isOrderKept(found, positions) {
      return (leaving, Array(repeating: nil, count: wanted.count))
    }
    var places: [Int?] = []
    next = isMerging ? next : 0
    let foundPlaces = Set(found)
    for (index, key) in wanted.enumerated() {
      let first = positions.first(of: key) ?? index
      if isMerging, foundPlaces.contains(first) {
        places.append(nil)
      } else if first < index {
        places.append(places[first])
      } else {
        places.append(isMerging ? next : index)
        next += 1
      }
    }
    return (leaving, places)
  }

  /// Whether all of a list is there and in its order, by the places in the list of the links that are there.
  private func isOrderKept(_ found: [Int], _ wanted: Positions) -> Bool {
    guard !found.isEmpty, zip(found, found.dropFirst()).allSatisfy({ $0 < $1 }) else { return false }
    return found.count == wanted.distinctCount
  }

  /// Where keys stand first in a list.
  private struct Positions {
    private let keys: [RowKey]
    /// Nil for a short list.
    private var places: [RowKey: Int]?

    init(_ keys: [RowKey]) {
      self.keys = keys
      if keys.count > 8 {
        places = Dictionary(keys.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
      }
    }

    func first(of key: RowKey) -> Int? {
      if let places { return places[key] }
      return keys.firstIndex(of: key)
    }

    var distinctCount: Int { places?.count ?? Set(keys).count }
  }

  struct Child {
    let row: Int64
    let key: RowKey
    let place: Int64?
    let object: StoredRow
  }

  func children(of list: ChildList, _ batch: borrowing RowBatch) -> [Child] {
    let table = state.tables[state.tableIndex(of: list.relationship.destination)]
    let found = table.rows(where: list.columns, are: list.ownerKey).compactMap { row -> Child? in
      guard let object = table[row] else { return nil }
      var place: Int64?
      if let order = list.order, case .integer(let number) = object.values[order] { place = number }
      return Child(row: row, key: table.key(object), place: place, object: object)
    }
    return found.sorted { isBefore(($0.place, $0.key), ($1.place, $1.key)) }
  }

  private func writeChild(
    _ row: Int, of list: ChildList, at place: Int?, _ waiting: inout [Int64], _ batch: inout RowBatch
  ) {
    switch batch.rows[row].state {
    case .reference:
      if let key = key(row, batch) { link(key, to: list, at: place, &waiting, batch) }
      return
    case .object
    where isIdentity(list.relationship) && isOfAnother(declaredKey(row, batch), than: list, batch):
      return begin(RowStep(row: row), &batch)
    case .object:
      let nested = nestedOwner(of: row, list, batch)
      setLink(of: row, to: list, at: place, &batch)
      // The row that the child itself holds as its owner is written before the link to it gives way to this list.
      if let nested { begin(RowStep(row: nested), &batch) }
    case .skipped: break
    }
    begin(RowStep(row: row), &batch)
    let header = batch.rows[row]
    if header.isHeld || header.state == .skipped {
      // What was held back, or lacked a value, is linked as if it had been named by its key.
      if !isUnknown(row, batch) { link(declaredKey(row, batch), to: list, at: place, &waiting, batch) }
    } else if !header.isRepetition, header.rowID != Row.unknownID {
      claim(header.rowID, header.ownerChange, list, at: place, batch)
    }
  }

  private func nestedOwner(of row: Int, _ list: ChildList, _ batch: borrowing RowBatch) -> Int? {
    let slot = layout.entities[batch.rows[row].entity].slotOfColumn[list.columns[0]]
    guard !isIdentity(list.relationship) else { return nil }
    guard slot >= 0, batch[row, slot].kind == .row else { return nil }
    let nested = Int(batch[row, slot].bits)
    return nested == list.owner ? nil : nested
  }

  /// Puts the link to an owner into the cells of a row that is still to be written.
  func setLink(of row: Int, to list: ChildList, at place: Int?, _ batch: inout RowBatch) {
    let slots = layout.entities[batch.rows[row].entity].slotOfColumn
    let isClaimed = hasClaims(list.relationship) && list.relationship.isToMany
    for (column, cell) in zip(list.columns, list.key) where slots[column] >= 0 {
      var cell = cell
      if cell.link == .exists { cell.link = isClaimed ? .claimedByList : .linkedByList }
      batch[row, slots[column]] = cell
    }
    if let order = list.order, let place, slots[order] >= 0 {
      batch[row, slots[order]] = .integer(Int64(place))
    }
  }

  /// Links a child that is known by its key only. If it is not there, the store remembers the link.
  private func link(
    _ key: [Cell], to list: ChildList, at place: Int?, _ waiting: inout [Int64],
    _ batch: borrowing RowBatch
  ) {
    guard !isOfAnother(key, than: list, batch) else { return }
    let (relationship, owner, target) = (list.relationship, list.ownerKey, values(key, batch))
    var child = state.find(target, of: relationship.destination)
    if child == nil, makeStub(for: relationship, target) {
      child = state.find(target, of: relationship.destination)
    }
    guard let child else {
      let place = list.order == nil ? nil : place.map(Int64.init)
      if wait(
        relationship, owner.keyText, target.keyText, place, keepsPlace: merges(list.list), &waiting)
      {
        noteDispute(of: relationship, row: list.owner)
      }
      return
    }
    guard policy.operations.contains(.update) else { return }
    guard !keepsOwner(child, relationship) else { return }
    let table = state.tableIndex(of: relationship.destination)
    let stored = RowKey(list.columns) { state.tables[table][child]?.values[$0] ?? .null }
    let isOwned = stored == owner
    var change = OwnerChange.none
    if !stored[0].isNull, !isOwned {
      change = relationship.isToMany && hasClaims(relationship) ? .left : .made
    }
    claim(child, change, list, at: place, batch)
    guard change != .left, list.order == nil ? !isOwned : place != nil else { return }
    setOwner(of: child, relationship, to: owner, at: place.map(Int64.init))
  }

  /// Gives a child an owner and a place in its list.
  func setOwner(
    of child: Int64, _ relationship: SchemaRelationship, to owner: RowKey, at place: Int64?
  ) {
    guard case .inverse(let columns, let order) = layout.relationships[relationship.index] else { return }
    let table = state.tableIndex(of: relationship.destination)
    guard var object = state.tables[table][child] else { return }
    let before = object.values
    for (column, value) in zip(columns, owner) { object.values[column] = value }
    if let order { object.values[order] = place.map(Value.integer) ?? .null }
    guard object.values != before else { return }
    let changed = object
    state.tables[table].update(child) { $0 = changed }
    noteChange(of: RowLocation(table: table, row: child))
  }

  /// Takes the owner from a child that is not in the list any more.
  private func release(_ child: Int64, _ list: ChildList, _ batch: borrowing RowBatch) {
    guard !keepsOwner(child, list.relationship) else { return }
    let isPruned = meaning(list.relationship) == .prune
    let inverse = list.relationship.inverse.map { state.relationship($0) }
    guard isPruned || inverse?.requiresTarget ?? false else {
      let none = RowKey(list.columns) { _ in .null }
      return setOwner(of: child, list.relationship, to: none, at: nil)
    }
    let place = RowLocation(table: state.tableIndex(of: list.relationship.destination), row: child)
    kept.releases.append(
      DeferredRelease(
        ticket: addDeferred(row: list.owner), relationship: list.relationship,
        action: isPruned ? .delete : .keep, child: child, owner: list.ownerKey.keyText,
        key: keyText(of: place)))
  }

  // MARK: - Links in join tables

  struct JoinList {
    let list: LinkList
    let relationship: SchemaRelationship
    let owner: Int
    let ownerKey: RowKey
    let join: Int
    let direction: Int
  }

  private func write(_ list: JoinList, _ batch: inout RowBatch) {
    let targets = targets(list.list, batch)
    for case .row(let row) in targets { begin(RowStep(row: row), &batch) }
    writeLinks(list, targets, keeping: [], keepsIdentified: false, &batch)
  }

  /// Makes the owner's links what the list says. All its targets have been written.
  ///
  /// - Parameter parts: Of targets without identity, those that stay though the list has them not.
  func writeLinks(
    _ list: JoinList, _ targets: [Target], keeping parts: Set<Int64>, keepsIdentified: Bool,
    _ batch: inout RowBatch
  ) {
    let (wanted, owner) = (wantedKeys(targets, batch), list.ownerKey)
    let table = layout.joins[list.join]
    let isOrdered = (list.direction == 0 ? table.targetOrder : table.ownerOrder) != nil
    let isMerging = merges(list.list)
    if batch.rows[list.owner].isNew, unsent == nil, !table.isSymmetric,
      appendLinks(of: list, wanted, isOrdered: isOrdered, isMerging: isMerging)
    {
      return checkTargets(of: list, targets, owner, batch)
    }
    var (leaving, moving, found, next): ([Int64], [(Int64, Int)], [Int], Int64) = ([], [], [], 0)
    let positions = Positions(wanted)
    for link in state.joins[list.join].links(of: owner, list.direction) {
      next = max(next, (link.place ?? 0) + 1)
      if let place = positions.first(of: link.target) {
        found.append(place)
        if isOrdered, !isMerging, link.place != Int64(place) { moving.append((link.row, place)) }
      } else if !isMerging, !keeps(link.target, list, parts, keepsIdentified),
        !keepsLinks(of: link.target, list.relationship)
      {
        leaving.append(link.row)
      }
    }
    if isOrdered, isOrderKept(found, positions) { moving = [] }
    var hasChanged = !moving.isEmpty || !leaving.isEmpty
    for link in leaving { remove(link, list) }
    for (link, place) in moving { state.joins[list.join].setPlace(Int64(place), of: link, list.direction) }
    let foundPlaces = Set(found)
    for (index, target) in wanted.enumerated()
    where !foundPlaces.contains(index) && !keepsLinks(of: target, list.relationship) {
      let place = isOrdered ? (isMerging ? next : Int64(index)) : nil
      guard state.joins[list.join].insert(owner, target, at: place, list.direction) else { continue }
      if table.isSymmetric { _ = state.joins[list.join].insert(target, owner, at: nil, list.direction) }
      (hasChanged, next) = (true, next + 1)
    }
    if hasChanged, batch.rows[list.owner].rowID != Row.unknownID {
      let entity = layout.entities[batch.rows[list.owner].entity]
      noteChange(of: RowLocation(table: entity.table, row: batch.rows[list.owner].rowID))
    }
    checkTargets(of: list, targets, owner, batch)
  }

  /// Makes the links of a new object, unless it may have some already.
  private func appendLinks(of list: JoinList, _ wanted: [RowKey], isOrdered: Bool, isMerging: Bool) -> Bool {
    let positions = Positions(wanted)
    var links: [(key: RowKey, place: Int64?)] = []
    links.reserveCapacity(wanted.count)
    for (index, key) in wanted.enumerated() where positions.first(of: key) == index {
      links.append((key, isOrdered ? Int64(isMerging ? links.count : index) : nil))
    }
    return state.joins[list.join].append(list.ownerKey, links, list.direction)
  }

  private func keeps(
    _ target: RowKey, _ list: JoinList, _ parts: Set<Int64>, _ keepsIdentified: Bool
  ) -> Bool {
    guard !layout.schema.entities[list.relationship.destination].hasIdentity else { return false }
    guard case .integer(let row)? = target.first else { return keepsIdentified }
    return parts.contains(row)
  }

  /// Removes a link that the list does not have, and its target where that goes with it.
  private func remove(_ link: Int64, _ list: JoinList) {
    let isPart = !layout.schema.entities[list.relationship.destination].hasIdentity
    if isPart, !policy.operations.contains(.delete) { return }
    guard let keys = state.joins[list.join][link]?.keys else { return }
    if layout.joins[list.join].isSymmetric, let back = state.joins[list.join].find(keys[1], keys[0], 0),
      back != link
    {
      state.joins[list.join].remove(back)
    }
    let target = state.find(keys[1 - list.direction], of: list.relationship.destination)
    if isPart || meaning(list.relationship) == .prune, let target {
      let place = RowLocation(table: state.tableIndex(of: list.relationship.destination), row: target)
      if !isPart {
        kept.releases.append(
          DeferredRelease(
            ticket: addDeferred(row: list.owner), relationship: list.relationship, action: .delete,
            child: target, owner: "", key: keyText(of: place)))
      } else if let refusal = deleter.delete(place) {
        add(.deletionDenied(relationship: refusal.relationship, key: refusal.key), row: list.owner)
      }
    }
    state.joins[list.join].remove(link)
  }

  /// Looks whether the targets that were given by their keys are there.
  private func checkTargets(
    of list: JoinList, _ targets: [Target], _ owner: RowKey, _ batch: borrowing RowBatch
  ) {
    for target in targets {
      let cells: [Cell]
      switch target {
      case .key(let key): cells = key
      case .row(let row):
        if isUnknown(row, batch) || keyCell(row, 0, batch).link == .exists { continue }
        cells = declaredKey(row, batch)
      }
      guard cells.first?.link != .exists else { continue }
      let key = values(cells, batch)
      guard state.joins[list.join].find(owner, key, list.direction) != nil else { continue }
      check(
        list.relationship, list.relationship.owner, key, holder: .link(Ends(owner, key, list.direction)))
    }
  }
}

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
      guard let refusal = deleter.delete(RowLocation(table: table, row: part)) else { continue }
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
