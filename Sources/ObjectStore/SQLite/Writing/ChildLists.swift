import Bytes
import ObjectModel

/// Writes lists whose links are foreign keys in the rows of their targets: one-to-many, and the far end of a
/// one-to-one.
final class ChildLists {
  let tools: ListContext
  let relationship: SchemaRelationship
  let inverse: SchemaRelationship
  let destination: SchemaEntity
  let table: Table
  let tableIndex: Int
  /// The foreign key's columns and the column of the order.
  let foreignKey: [Int]
  let order: Int?
  /// Where the owner is a part of its children's identity, the places of its key in theirs.
  let ownerPlaces: [Int]
  /// Whether it matters which lists of an import name the same objects.
  let hasClaims: Bool
  /// The mark of the link in the cells of a child's foreign key.
  private let link: LinkState
  /// Where the keys of preceding owners begin in the columns of ``existing``.
  private let existingColumns: Int
  let existing: PreparedStatement
  private let linking: PreparedStatement
  private let unlinking: PreparedStatement
  private let find: PreparedStatement
  /// The keys of the list that is being compared.
  var wanted: KeySet

  var context: WriteContext { tools.context }

  init(_ relationship: Int, _ tools: ListContext) throws {
    let (layout, transaction) = (tools.context.layout, tools.context.transaction)
    self.tools = tools
    self.relationship = layout.schema.relationships[relationship]
    guard case .inverse(let columns, let order) = layout.relationships[relationship],
      let inverse = self.relationship.inverse
    else { throw StoreError.invalid("\(self.relationship.name) is not kept in its inverse.") }
    self.inverse = layout.schema.relationships[inverse]
    foreignKey = columns
    self.order = order
    destination = layout.schema.entities[self.relationship.destination]
    tableIndex = layout.entities[destination.index].table
    table = layout.tables[tableIndex]
    wanted = KeySet(width: table.key.count)
    ownerPlaces = self.inverse.isIdentity ? columns.compactMap(table.key.firstIndex) : []
    hasClaims = !tools.context.policy.isLocal && destination.hasIdentity && ownerPlaces.isEmpty
    link = hasClaims && self.relationship.isToMany ? .claimedByList : .linkedByList
    existingColumns = 1 + table.key.count + (order == nil ? 0 : 1)
    let sql = ChildSQL(
      table: table, foreignKey: columns, order: order, kind: layout.kindCondition(of: destination.index),
      precedingOwners: Array(layout.precedingOwners(of: self.relationship).joined()))
    existing = try transaction.cached(sql.existing)
    linking = try transaction.cached(sql.link)
    unlinking = try transaction.cached(sql.unlink)
    find = try transaction.cached(sql.find)
  }

  /// Begins with a list of a row. Returns the step that goes on with it; nil if there is nothing to do.
  func begin(_ list: LinkList, of owner: Int, _ batch: inout RowBatch) throws -> WriteStep? {
    guard let key = context.key(of: owner, batch) else { return nil }
    guard destination.hasIdentity else { return .list(try beginParts(list, of: owner, key, batch)) }
    // Of a lone target that cannot be told, nothing is known, not even that there is none.
    if let row = loneUnknownTarget(of: list, batch) { return .row(RowStep(row)) }
    let step = ChildLinkStep(self, list, of: owner, key: key)
    try step.begin(batch)
    return .list(step)
  }

  /// The target of the far end of a one-to-one, if it was skipped without its key being known.
  private func loneUnknownTarget(of list: LinkList, _ batch: borrowing RowBatch) -> Int? {
    guard !relationship.isToMany, list.count == 1, batch.targets[list.firstTarget].kind == .row else {
      return nil
    }
    let row = Int(batch.targets[list.firstTarget].bits)
    return context.isUnknown(row, batch) ? row : nil
  }

  // MARK: - Links

  /// Puts the link to an owner into the cells of a row that is still to be written.
  func setLink(of row: Int, to ownerKey: [Cell], at place: Int?, _ batch: inout RowBatch) {
    let slots = context.layout.entities[batch.rows[row].entity].slotOfColumn
    for (column, cell) in zip(foreignKey, ownerKey) where slots[column] >= 0 {
      var cell = cell
      if cell.link == .exists { cell.link = link }
      batch[row, slots[column]] = cell
    }
    if let order, let place, slots[order] >= 0 { batch[row, slots[order]] = .integer(Int64(place)) }
  }

  /// A child that is in the store.
  struct StoredChild {
    let row: Int64
    let hasOwner: Bool
    /// Whether its owner is the one that was asked about.
    let isOwnedAlready: Bool
  }

  /// The child with a key; nil if it is not there.
  func storedChild(_ key: [Cell], of ownerKey: [Cell], _ batch: borrowing RowBatch) throws -> StoredChild? {
    for (index, cell) in key.enumerated() { find.bind(cell, of: batch, at: index + 1) }
    guard try find.step() else { return nil }
    defer { find.reset() }
    var isOwnedAlready = true
    for index in ownerKey.indices {
      isOwnedAlready = isOwnedAlready && find.column(1 + index, equals: ownerKey[index], of: batch)
    }
    return StoredChild(row: find.integer(0), hasOwner: !find.isNull(1), isOwnedAlready: isOwnedAlready)
  }

  /// Gives a child an owner and a place in its list.
  func link(_ child: Int64, to ownerKey: [Cell], at place: Int?, _ batch: borrowing RowBatch) throws {
    for (index, cell) in ownerKey.enumerated() { linking.bind(cell, of: batch, at: index + 1) }
    try runLinking(child, ownerWidth: ownerKey.count, at: place)
  }

  /// Gives a child the owner and the place that a list claimed it for.
  func link(_ child: Int64, by claim: OwnershipClaim<[SQLValue]>) throws {
    for (index, value) in claim.owner.enumerated() { linking.bind(value, at: index + 1) }
    try runLinking(child, ownerWidth: claim.owner.count, at: claim.place)
  }

  private func runLinking(_ child: Int64, ownerWidth: Int, at place: Int?) throws {
    var index = ownerWidth + 1
    if order != nil {
      if let place { linking.bind(Int64(place), at: index) } else { linking.bindNull(at: index) }
      index += 1
    }
    linking.bind(child, at: index)
    try linking.run()
    if linking.changes > 0 { try context.noteChange(of: child, entity: destination.index) }
  }

  /// Takes the owner from a child.
  func unlink(_ child: Int64) throws {
    unlinking.bind(child, at: 1)
    try unlinking.run()
    try context.noteChange(of: child, entity: destination.index)
  }
}

// MARK: - Targets without an identity

extension ChildLists: PartListWriting {
  private func beginParts(
    _ list: LinkList, of owner: Int, _ key: [Cell], _ batch: borrowing RowBatch
  ) throws -> PartListStep {
    let step = PartListStep(self, list, of: owner, key: key, tools)
    if context.mayHaveLinks(owner, relationship.index, batch) {
      try context.transaction.makeIndexes()
      try collectParts(step, batch)
    }
    return step
  }

  /// Collects the parts that the owner has, in their order.
  private func collectParts(_ step: PartListStep, _ batch: borrowing RowBatch) throws {
    for (index, cell) in step.ownerKey.enumerated() { existing.bind(cell, of: batch, at: index + 1) }
    while try existing.step() {
      if table.holdsMixedKeys, existing.storage(1) == .text {
        step.addIdentified(existing.integer(0))
        continue
      }
      let owners = existingColumns..<existing.columnCount
      let key =
        owners.isEmpty || owners.allSatisfy(existing.isNull) ? "" : KeyText.ofColumns(owners, existing)
      step.addExisting(existing.integer(0), ownedBy: key)
    }
  }

  func link(_ row: Int, at place: Int?, _ step: PartListStep, _ batch: inout RowBatch) {
    setLink(of: row, to: step.ownerKey, at: place, &batch)
  }

  func finish(_ step: PartListStep, _ batch: inout RowBatch) throws {
    // What seems to be missing may be what could not be read.
    guard step.mayDelete else { return }
    for part in step.remaining {
      guard let refusal = try tools.deleter.delete(RowLocation(table: tableIndex, row: part)) else {
        continue
      }
      context.problems.add(
        .deletionDenied(relationship: refusal.relationship, key: refusal.key), row: step.owner)
    }
  }
}

/// How far the writing of a list of children with an identity has come; see ``ChildLists``.
final class ChildLinkStep: ListStep {
  private let lists: ChildLists
  /// The children that the owner has and the list has not.
  private var leaving: [Int64] = []
  /// The places of the targets that are still to come; nil for those that keep theirs.
  private var places: IndexingIterator<[Int?]> = [].makeIterator()
  /// The keys of what the store remembers of the owner and the list has not named yet.
  private var waiting: Set<ExactText> = []
  /// How many targets have been looked at, and where the next begins.
  private var position = 0
  private var target: Int
  /// The place of the target that was looked at last.
  private var place: Int?
  /// The row of that target, if another has to be written before it.
  private var nextRow: Int?
  /// The row of that target, while it is being written.
  private var writtenRow: Int?

  private var context: WriteContext { lists.context }

  init(_ lists: ChildLists, _ list: LinkList, of owner: Int, key: [Cell]) {
    self.lists = lists
    target = list.firstTarget
    super.init(list, of: owner, key: key)
  }

  /// Looks what the owner has. To be called once, before the first row is asked for.
  func begin(_ batch: borrowing RowBatch) throws {
    let comparison = try lists.compare(list, of: owner, ownerKey, batch)
    places = comparison.places.makeIterator()
    guard !context.merges(list) else { return }
    leaving = comparison.leaving
    if lists.tools.pendingLinks.hasStored {
      waiting = try lists.tools.pendingLinks.waiting(lists.relationship, owner: ownerKey, batch)
    }
    lists.tools.claims.drop(claimedBy: ownerValues(batch), by: lists.relationship)
  }

  override func advance(_ batch: inout RowBatch) throws -> RowStep? {
    if let row = writtenRow {
      writtenRow = nil
      try linkWritten(row, batch)
    }
    if let row = nextRow {
      nextRow = nil
      writtenRow = row
      return RowStep(row)
    }
    while position < list.count {
      if let row = try nextTarget(&batch) { return row }
    }
    try lists.tools.pendingLinks.forget(waiting, lists.relationship, owner: ownerKey, batch)
    for child in leaving { try release(child, batch) }
    return nil
  }

  /// Links the next target, or returns the row that has to be written first.
  private func nextTarget(_ batch: inout RowBatch) throws -> RowStep? {
    let cell = batch.targets.base[target]
    let isUnknown = cell.kind == .row && context.isUnknown(Int(cell.bits), batch)
    // Without an order, the place does not matter.
    place = isUnknown ? nil : places.next() ?? position
    position += 1
    guard cell.kind == .row else {
      let width = lists.table.key.count
      var key: [Cell] = []
      for part in 0..<width { key.append(batch.targets[target + part]) }
      target += width
      try linkByKey(key, batch)
      return nil
    }
    target += 1
    let row = Int(cell.bits)
    switch batch.rows[row].state {
    case .reference:
      if let key = context.key(of: row, batch) { try linkByKey(key, batch) }
      return nil
    case .object where !lists.ownerPlaces.isEmpty && isOfAnother(context.declaredKey(of: row, batch), batch):
      noteOfAnother(context.declaredKey(of: row, batch), batch)
      return RowStep(row)
    case .object:
      let nested = nestedOwner(of: row, batch)
      lists.setLink(of: row, to: ownerKey, at: place, &batch)
      if let nested {
        nextRow = row
        return RowStep(nested)
      }
    case .skipped: break
    }
    writtenRow = row
    return RowStep(row)
  }

  /// The row that a child itself holds as its owner. It is written before the link to it gives way to this list.
  private func nestedOwner(of row: Int, _ batch: borrowing RowBatch) -> Int? {
    guard lists.ownerPlaces.isEmpty else { return nil }
    let slots = context.layout.entities[batch.rows[row].entity].slotOfColumn
    guard let first = lists.foreignKey.first, slots[first] >= 0, batch[row, slots[first]].kind == .row else {
      return nil
    }
    let nested = Int(batch[row, slots[first]].bits)
    return nested == owner ? nil : nested
  }

  // MARK: - Children of another owner

  /// Whether a key says another owner than the list's, where the owner is a part of it.
  private func isOfAnother(_ key: [Cell], _ batch: borrowing RowBatch) -> Bool {
    for (place, cell) in zip(lists.ownerPlaces, ownerKey) where !batch.equal(key[place], cell) { return true }
    return false
  }

  /// Notes that an object cannot be in the list: another owner is a part of its identity.
  private func noteOfAnother(_ key: [Cell], _ batch: borrowing RowBatch) {
    context.problems.add(
      .belongsToAnother(relationship: lists.relationship.index, key: KeyText.text(of: key, batch)), row: owner
    )
  }

  // MARK: - Links

  /// Sees to the link of a target that has been written.
  private func linkWritten(_ row: Int, _ batch: borrowing RowBatch) throws {
    let header = batch.rows[row]
    // What was held back, or lacked a value, is linked as if it had been named by its key.
    if header.isHeld || header.state == .skipped {
      guard !context.isUnknown(row, batch) else { return }
      return try linkByKey(context.declaredKey(of: row, batch), batch)
    }
    guard !header.isRepetition, header.rowID != Row.unknownID else { return }
    claim(header.rowID, header.ownerChange, batch)
  }

  /// Links a child that is known by its key only. If it is not there, the store remembers the link.
  private func linkByKey(_ key: [Cell], _ batch: borrowing RowBatch) throws {
    guard !isOfAnother(key, batch) else { return noteOfAnother(key, batch) }
    let relationship = lists.relationship
    var child = try lists.storedChild(key, of: ownerKey, batch)
    if child == nil, let stub = try lists.tools.stubs.makeStub(for: relationship.index, key, batch) {
      try lists.tools.checks.checkOwners(ofStub: stub, key, in: relationship.destination, batch)
      child = try lists.storedChild(key, of: ownerKey, batch)
    }
    guard let child else {
      let isDisputed = try lists.tools.pendingLinks.store(
        PendingLinks.NewLink(
          relationship: relationship, owner: ownerKey, target: key, place: lists.order == nil ? nil : place,
          isMerged: context.merges(list)),
        &waiting, batch)
      if isDisputed { context.noteDispute(of: relationship, lists.tools.claims, row: owner) }
      return
    }
    guard context.policy.operations.contains(.update) else { return }
    guard !isUnsent(child.row) else { return countUnsent(child.row) }
    var change = OwnerChange.none
    if child.hasOwner, !child.isOwnedAlready {
      change = relationship.isToMany && lists.hasClaims ? .left : .made
    }
    claim(child.row, change, batch)
    guard change != .left else { return }
    // A child that keeps the place that it has is linked already.
    guard lists.order == nil ? !child.isOwnedAlready : place != nil else { return }
    try lists.link(child.row, to: ownerKey, at: place, batch)
  }

  /// Notes that the list names a child. If the store has another owner for it, the link is set in the end.
  private func claim(_ child: Int64, _ change: OwnerChange, _ batch: borrowing RowBatch) {
    guard lists.hasClaims else { return }
    let claims = lists.tools.claims
    let isDisputed = claims.noteListed(
      child, by: lists.relationship, change, owner: ownerValues(batch), at: lists.order == nil ? nil : place)
    if isDisputed { context.noteDispute(of: lists.relationship, claims, row: owner) }
    if change == .left { context.repetitions.forget(inTable: lists.tableIndex) }
  }

  /// Takes the owner from a child that is not in the list any more.
  private func release(_ child: Int64, _ batch: borrowing RowBatch) throws {
    guard !isUnsent(child) else { return countUnsent(child) }
    let isPruned = context.toMany[lists.relationship.index] == .prune
    guard isPruned || lists.inverse.requiresTarget else { return try lists.unlink(child) }
    lists.tools.releases.add(
      child, of: lists.relationship, owner: ownerText(batch), action: isPruned ? .delete : .keep, row: owner)
  }

  /// Whether a program changed the owner of a child, so that it stays as it is.
  private func isUnsent(_ child: Int64) -> Bool {
    context.isUnsent(lists.inverse.name, of: child, entity: lists.destination.index)
  }

  private func countUnsent(_ child: Int64) { context.countUnsent(child, entity: lists.destination.index) }
}

/// The comparison of a list with the children that its owner has.
struct ChildListComparison {
  /// Links that the list does not have.
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

/// The statements of ``ChildLists``.
struct ChildSQL {
  let table: Table
  let foreignKey: [Int]
  let order: Int?
  /// The condition that a row is of the targets' entity.
  let kind: String?
  /// The foreign keys to owners of parts that come before the list's own.
  let precedingOwners: [Int]

  private var name: String { SQL.quoted(table.name) }
  private func names(_ columns: [Int]) -> [String] { columns.map { table.columns[$0].name } }

  /// The row id, the key and the place of an owner's children, and the keys of their preceding owners, in order.
  var existing: String {
    let places = order.map { [SQL.quoted(table.columns[$0].name)] } ?? []
    let columns =
      ["rowid"] + names(table.key).map(SQL.quoted) + places + names(precedingOwners).map(SQL.quoted)
    // As exports have it.
    let order = places.map(SQL.place) + names(table.key).map(SQL.quoted)
    return "SELECT \(columns.joined(separator: ", ")) FROM \(name) WHERE \(SQL.equal(names(foreignKey)))"
      + " ORDER BY \(order.joined(separator: ", "))"
  }

  /// The row id and the owner of the child with a key.
  var find: String {
    "SELECT rowid, \(SQL.list(names(foreignKey))) FROM \(name) WHERE \(SQL.equal(names(table.key)))"
      + (kind.map { " AND \($0)" } ?? "")
  }

  /// Sets the owner and the place of a child, given by its row id, if they differ.
  var link: String {
    let columns = names(foreignKey + (order.map { [$0] } ?? []))
    let settings = columns.enumerated().map { "\(SQL.quoted($1)) = ?\($0 + 1)" }
    let differences = columns.enumerated().map { "\(SQL.quoted($1)) IS NOT ?\($0 + 1)" }
    return "UPDATE \(name) SET \(settings.joined(separator: ", ")) WHERE rowid = ?\(columns.count + 1)"
      + " AND (\(differences.joined(separator: " OR ")))"
  }

  var unlink: String {
    let settings = names(foreignKey + (order.map { [$0] } ?? [])).map { "\(SQL.quoted($0)) = NULL" }
    return "UPDATE \(name) SET \(settings.joined(separator: ", ")) WHERE rowid = ?1"
  }
}
