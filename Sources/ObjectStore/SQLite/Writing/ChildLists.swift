import Bytes
import ObjectModel

/// Writes lists whose links are foreign keys in the rows of their targets: one-to-many, and the far end of a
/// one-to-one.
final class ChildLists {
  let relationship: SchemaRelationship
  let inverse: SchemaRelationship
  let layout: Layout
  let destination: SchemaEntity
  let table: Table
  let tableIndex: Int
  /// The foreign key's columns and the column of the order.
  let foreignKey: [Int]
  let order: Int?
  let existing: PreparedStatement
  /// Where the keys of preceding owners begin in the columns of ``existing``.
  let existingColumns: Int
  let link: PreparedStatement
  private let unlink: PreparedStatement
  private let find: PreparedStatement
  /// The keys of the list that is being compared.
  private var wanted: KeySet

  /// Whether it matters which lists of an import name the same objects.
  private let hasClaims: Bool
  /// What the cells of a child say of the link.
  private let listLink: LinkState

  init(_ relationship: Int, _ transaction: StoreTransaction, isImport: Bool) throws {
    layout = transaction.layout
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
    let sql = ChildSQL(
      table: table, foreignKey: columns, order: order, kind: layout.kindCondition(of: destination.index),
      precedingOwners: Array(layout.precedingOwners(of: self.relationship).joined()))
    existingColumns = 1 + table.key.count + (order == nil ? 0 : 1)
    hasClaims = isImport && destination.hasIdentity
    listLink = hasClaims && self.relationship.isToMany ? .claimedByList : .linkedByList
    existing = try transaction.cached(sql.existing)
    link = try transaction.cached(sql.link)
    unlink = try transaction.cached(sql.unlink)
    find = try transaction.cached(sql.find)
  }

  func write(_ list: LinkList, of owner: Int, _ batch: inout RowBatch, _ writer: RowWriter) throws {
    guard let ownerKey = writer.key(of: owner, batch) else { return }
    if destination.hasIdentity {
      try writeLinks(list, ownerKey, owner, &batch, writer)
    } else {
      let step = PartListStep(self, list, of: owner, ownerKey)
      if writer.mayHaveLinks(owner, relationship.index, batch) {
        try writer.transaction.makeIndexes()
        try collectParts(step, batch)
      }
      try step.advance(&batch, writer)
    }
  }

  // MARK: - Targets with an identity

  private func writeLinks(
    _ list: LinkList, _ ownerKey: [Cell], _ owner: Int, _ batch: inout RowBatch, _ writer: RowWriter
  ) throws {
    if !relationship.isToMany, list.count == 1, batch.targets[list.firstTarget].kind == .row {
      let row = Int(batch.targets[list.firstTarget].bits)
      // Of a lone target that cannot be told, nothing is known, not even that there is none.
      if batch.rows[row].state == .skipped, !writer.isSkippedReference(row, batch) {
        return writer.steps.append(.row(RowStep(row)))
      }
    }
    let mayHaveLinks = writer.mayHaveLinks(owner, relationship.index, batch)
    let merges = writer.merges(list)
    let comparison = try compare(list, ownerKey, mayHaveLinks: mayHaveLinks, batch, writer)
    let step = ChildLinkStep(self, list, of: owner, ownerKey)
    step.leaving = merges ? [] : comparison.leaving
    step.places = comparison.places.makeIterator()
    if writer.pending.hasStored, !merges {
      step.waiting = try writer.pending.waiting(relationship, owner: ownerKey, batch)
    }
    if !merges { writer.existingClaims(of: relationship)?.drop(claimedBy: step.ownerValues(batch)) }
    try advance(step, &batch, writer)
  }

  /// Writes and links the targets of a list, until one takes further steps.
  func advance(_ step: ChildLinkStep, _ batch: inout RowBatch, _ writer: RowWriter) throws {
    if let row = step.writtenRow {
      step.writtenRow = nil
      try finish(row, step, &batch, writer)
    }
    let list = step.list
    while step.position < list.count {
      let cell = batch.targets.base[step.target]
      let isSkipped =
        cell.kind == .row && batch.rows[Int(cell.bits)].state == .skipped
        && !writer.isSkippedReference(Int(cell.bits), batch)
      // Without an order, the place does not matter.
      step.place = isSkipped ? nil : step.places.next() ?? step.position
      step.position += 1
      guard cell.kind == .row else {
        var key: [Cell] = []
        for part in 0..<table.key.count { key.append(batch.targets[step.target + part]) }
        step.target += table.key.count
        try connect(key, step, batch, writer)
        continue
      }
      step.target += 1
      let row = Int(cell.bits)
      if batch.rows[row].state == .reference {
        if let key = writer.key(of: row, batch) { try connect(key, step, batch, writer) }
        continue
      }
      let nested = batch.rows[row].state == .object ? nestedOwner(of: row, step.owner, batch) : nil
      if batch.rows[row].state == .object { setLink(to: step.ownerKey, step.place, in: row, &batch) }
      if let nested {
        step.writtenRow = row
        writer.steps.append(.childLinks(step))
        writer.steps.append(.row(RowStep(row)))
        writer.steps.append(.row(RowStep(nested)))
        return
      }
      guard try writer.writesAtOnce(RowStep(row), before: .childLinks(step), &batch) else {
        step.writtenRow = row
        return
      }
      try finish(row, step, &batch, writer)
    }
    try writer.pending.forget(step.waiting)
    for child in step.leaving { try release(child, step.owner, &batch, writer) }
  }

  /// Sees to the link of a target that has been written.
  private func finish(
    _ row: Int, _ step: ChildLinkStep, _ batch: inout RowBatch, _ writer: RowWriter
  ) throws {
    let header = batch.rows[row]
    // What was held back, or lacked a value, is linked as if it had been named by its key.
    if header.isHeld || header.state == .skipped {
      guard header.state != .skipped || writer.isSkippedReference(row, batch) else { return }
      return try connect(writer.knownKey(of: row, batch), step, batch, writer)
    }
    guard !header.isRepetition, header.rowID != Row.unknownID else { return }
    claim(header.rowID, header.ownerChange, step, batch, writer)
  }

  /// Notes that the list names a child. If the store has another owner for it, the link is set in the end.
  private func claim(
    _ child: Int64, _ change: OwnerChange, _ step: ChildLinkStep, _ batch: borrowing RowBatch,
    _ writer: RowWriter
  ) {
    guard hasClaims else { return }
    let isDisputed = writer.claims(of: relationship).name(
      child, change, for: step.ownerValues(batch), at: order == nil ? nil : step.place)
    if isDisputed { writer.noteDispute(of: relationship, row: step.owner) }
    if change == .left {
      writer.hasDeferredClaims = true
      writer.forgetRepetitions(inTable: tableIndex)
    }
  }

  /// The row that a child itself holds as its owner. It is written before the link to it gives way to this list.
  private func nestedOwner(of row: Int, _ owner: Int, _ batch: borrowing RowBatch) -> Int? {
    let slots = layout.entities[batch.rows[row].entity].slotOfColumn
    guard let first = foreignKey.first, slots[first] >= 0, batch[row, slots[first]].kind == .row else {
      return nil
    }
    let nested = Int(batch[row, slots[first]].bits)
    return nested == owner ? nil : nested
  }

  /// Puts the link into the cells of a row that is still to be written.
  func setLink(to ownerKey: [Cell], _ position: Int?, in row: Int, _ batch: inout RowBatch) {
    let slots = layout.entities[batch.rows[row].entity].slotOfColumn
    for (column, cell) in zip(foreignKey, ownerKey) where slots[column] >= 0 {
      var cell = cell
      if cell.link == .exists { cell.link = listLink }
      batch[row, slots[column]] = cell
    }
    if let order, let position, slots[order] >= 0 { batch[row, slots[order]] = .integer(Int64(position)) }
  }

  /// What a list means for the children that its owner has.
  private struct Comparison {
    /// Those that the list has not.
    var leaving: [Int64] = []
    /// The place of each target of the list; nil where it keeps the one that it has.
    var places: [Int?] = []
  }

  private func compare(
    _ list: LinkList, _ ownerKey: [Cell], mayHaveLinks: Bool, _ batch: borrowing RowBatch,
    _ writer: RowWriter
  ) throws -> Comparison {
    var result = Comparison()
    guard mayHaveLinks || order != nil else { return result }
    collectKeys(list, batch, writer)
    var next = 0
    var listOrder = ListOrder()
    if mayHaveLinks {
      try writer.transaction.makeIndexes()
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
      let isMerging = writer.merges(list)
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

  private func collectKeys(_ list: LinkList, _ batch: borrowing RowBatch, _ writer: RowWriter) {
    wanted.removeAll()
    var index = list.firstTarget
    for _ in 0..<list.count {
      let cell = batch.targets[index]
      if cell.kind == .row {
        index += 1
        let row = Int(cell.bits)
        guard batch.rows[row].state != .skipped || writer.isSkippedReference(row, batch) else { continue }
        for part in 0..<table.key.count { wanted.append(writer.knownKeyCell(of: row, part: part, of: batch)) }
      } else {
        for part in 0..<table.key.count { wanted.append(batch.targets[index + part]) }
        index += table.key.count
      }
    }
  }

  /// Links a child that is known by its key only.
  private func connect(
    _ key: [Cell], _ step: ChildLinkStep, _ batch: borrowing RowBatch, _ writer: RowWriter
  ) throws {
    for (index, cell) in key.enumerated() { find.bind(cell, of: batch, at: index + 1) }
    var isFound = try find.step()
    if !isFound, try writer.pending.makeStub(for: relationship.index, key, batch, writer) {
      for (index, cell) in key.enumerated() { find.bind(cell, of: batch, at: index + 1) }
      isFound = try find.step()
    }
    guard isFound else {
      let isDisputed = try writer.pending.store(
        relationship, owner: step.ownerKey, target: key, position: order == nil ? nil : step.place,
        &step.waiting, batch)
      if isDisputed { writer.noteDispute(of: relationship, row: step.owner) }
      return
    }
    let child = find.integer(0)
    let hasOwner = !find.isNull(1)
    var isSame = true
    for index in step.ownerKey.indices {
      isSame = isSame && find.column(1 + index, equals: step.ownerKey[index], of: batch)
    }
    find.reset()
    guard writer.policy.operations.contains(.update) else { return }
    if writer.keepsLocalChange(inverse.name, of: child, entity: destination.index) { return }
    var change = OwnerChange.none
    if hasOwner, !isSame { change = relationship.isToMany && hasClaims ? .left : .made }
    claim(child, change, step, batch, writer)
    if change != .left { try link(child, isThere: isSame, step, batch, writer) }
  }

  private func link(
    _ child: Int64, isThere: Bool, _ step: ChildLinkStep, _ batch: borrowing RowBatch, _ writer: RowWriter
  ) throws {
    // Who keeps the place that it has is linked already.
    guard order == nil ? !isThere : step.place != nil else { return }
    var index = 1
    for cell in step.ownerKey {
      link.bind(cell, of: batch, at: index)
      index += 1
    }
    if order != nil {
      if let place = step.place { link.bind(Int64(place), at: index) } else { link.bindNull(at: index) }
      index += 1
    }
    link.bind(child, at: index)
    try link.run()
    if link.changes > 0 {
      try writer.countChange(row: child, entity: destination.index)
      writer.forgetRepetitions(inTable: tableIndex)
    }
  }

  /// Takes the owner from a child that is not in the list any more.
  private func release(_ child: Int64, _ owner: Int, _ batch: inout RowBatch, _ writer: RowWriter) throws {
    if writer.keepsLocalChange(inverse.name, of: child, entity: destination.index) { return }
    let isPruned = writer.toMany[relationship.index] == .prune
    guard inverse.isOptional, !isPruned else {
      let key = writer.key(of: owner, batch) ?? []
      var texts: [String] = []
      for part in key { texts.append(KeyText.text(of: part, batch)) }
      return writer.deferRelease(
        DeferredRelease(
          relationship: relationship, action: isPruned ? .delete : .keep, child: child, owner: texts),
        row: owner)
    }
    unlink.bind(child, at: 1)
    try unlink.run()
    try writer.countChange(row: child, entity: destination.index)
    writer.forgetRepetitions(inTable: tableIndex)
  }
}

/// The statements of ``ChildLists``.
private struct ChildSQL {
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
