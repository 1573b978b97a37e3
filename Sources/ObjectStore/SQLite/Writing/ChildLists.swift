import Bytes
import ObjectModel

/// Writes lists whose links are foreign keys in the rows of their targets: one-to-many, and the far end of a
/// one-to-one.
final class ChildLists {
  private let relationship: SchemaRelationship
  private let inverse: SchemaRelationship
  private let layout: Layout
  private let destination: SchemaEntity
  private let table: Table
  private let tableIndex: Int
  /// The foreign key's columns and the column of the order.
  private let foreignKey: [Int]
  private let order: Int?
  private let existing: PreparedStatement
  private let link: PreparedStatement
  private let unlink: PreparedStatement
  private let find: PreparedStatement
  /// The keys of the list that is being compared.
  private var wanted: KeySet

  init(_ relationship: Int, _ transaction: StoreTransaction) throws {
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
      table: table, foreignKey: columns, order: order, kind: layout.kindCondition(of: destination.index))
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
      try writeParts(list, ownerKey, owner, &batch, writer)
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
        return try writer.write(row, over: nil, of: &batch)
      }
    }
    let mayHaveLinks = writer.mayHaveLinks(owner, relationship.index, batch)
    let comparison = try compare(list, ownerKey, mayHaveLinks: mayHaveLinks, batch, writer)
    let leaving = writer.toMany[relationship.index] == .merge ? [] : comparison.leaving
    var places = comparison.places.makeIterator()
    var waiting = WaitingLinks()
    if writer.pending.hasStored, writer.toMany[relationship.index] != .merge {
      waiting = try writer.pending.waiting(relationship, owner: ownerKey, batch)
    }
    var index = list.firstTarget
    for position in 0..<list.count {
      let cell = batch.targets[index]
      let isSkipped =
        cell.kind == .row && batch.rows[Int(cell.bits)].state == .skipped
        && !writer.isSkippedReference(Int(cell.bits), batch)
      // Without an order, the place does not matter.
      let position = isSkipped ? nil : places.next() ?? position
      guard cell.kind == .row else {
        var key: [Cell] = []
        for part in 0..<table.key.count { key.append(batch.targets[index + part]) }
        index += table.key.count
        try connect(key, ownerKey, position, &waiting, batch, writer)
        continue
      }
      index += 1
      let row = Int(cell.bits)
      if batch.rows[row].state == .skipped {
        // Its parts that stand by themselves are written; it stays in the list if it is there.
        try writer.write(row, over: nil, of: &batch)
        if !isSkipped {
          try connect(writer.knownKey(of: row, batch), ownerKey, position, &waiting, batch, writer)
        }
      } else if batch.rows[row].state != .reference {
        try writeNestedOwner(of: row, owner, &batch, writer)
        setLink(to: ownerKey, position, in: row, &batch)
        try writer.write(row, over: nil, of: &batch)
        // What was held back, or lacked a value, is linked as if it had been named by its key.
        if batch.rows[row].isHeld || batch.rows[row].state == .skipped {
          try connect(writer.knownKey(of: row, batch), ownerKey, position, &waiting, batch, writer)
        }
      } else if let key = writer.key(of: row, batch) {
        try connect(key, ownerKey, position, &waiting, batch, writer)
      }
    }
    try writer.pending.forget(waiting)
    for child in leaving { try release(child, owner, &batch, writer) }
  }

  /// Writes the object that a child itself holds as its owner, before the link to it gives way to this list.
  private func writeNestedOwner(
    of row: Int, _ owner: Int, _ batch: inout RowBatch, _ writer: RowWriter
  ) throws {
    let slots = layout.entities[batch.rows[row].entity].slotOfColumn
    guard let first = foreignKey.first, slots[first] >= 0, batch[row, slots[first]].kind == .row else {
      return
    }
    let nested = Int(batch[row, slots[first]].bits)
    if nested != owner { try writer.write(nested, over: nil, of: &batch) }
  }

  /// Puts the link into the cells of a row that is still to be written.
  private func setLink(to ownerKey: [Cell], _ position: Int?, in row: Int, _ batch: inout RowBatch) {
    let slots = layout.entities[batch.rows[row].entity].slotOfColumn
    for (column, cell) in zip(foreignKey, ownerKey) where slots[column] >= 0 {
      var cell = cell
      if cell.rank == RowWriter.knownToExist { cell.rank = RowWriter.linkedByList }
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
      let isMerging = writer.toMany[relationship.index] == .merge
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
    _ key: [Cell], _ ownerKey: [Cell], _ position: Int?, _ waiting: inout WaitingLinks,
    _ batch: borrowing RowBatch, _ writer: RowWriter
  ) throws {
    for (index, cell) in key.enumerated() { find.bind(cell, of: batch, at: index + 1) }
    guard try find.step() else {
      if try writer.pending.makeStub(for: relationship.index, key, batch, writer) {
        return try connect(key, ownerKey, position, &waiting, batch, writer)
      }
      return try writer.pending.store(
        relationship, owner: ownerKey, target: key, position: order == nil ? nil : position, &waiting, batch)
    }
    let child = find.integer(0)
    find.reset()
    guard writer.policy.operations.contains(.update) else { return }
    if writer.spares(inverse.name, of: child, entity: destination.index) { return }
    var index = 1
    for cell in ownerKey {
      link.bind(cell, of: batch, at: index)
      index += 1
    }
    if order != nil {
      if let position { link.bind(Int64(position), at: index) } else { link.bindNull(at: index) }
      index += 1
    }
    link.bind(child, at: index)
    // Who keeps the place that it has is linked already.
    guard order == nil || position != nil else { return }
    try link.run()
    if link.changes > 0 {
      try writer.countChange(row: child, entity: destination.index)
      writer.forgetRepetitions(inTable: tableIndex)
    }
  }

  /// Takes the owner from a child that is not in the list any more.
  private func release(_ child: Int64, _ owner: Int, _ batch: inout RowBatch, _ writer: RowWriter) throws {
    if writer.spares(inverse.name, of: child, entity: destination.index) { return }
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

  private func delete(_ child: Int64, _ owner: Int, _ batch: inout RowBatch, _ writer: RowWriter) throws {
    let refusal = try writer.delete(child, ofTable: tableIndex)
    if let refusal {
      writer.problems.append(
        RowProblem(
          row: owner, reason: .deletionDenied(relationship: refusal.relationship, key: refusal.key)))
    }
  }

  // MARK: - Targets without an identity

  /// Makes the owner's rows what the list says, in place, one by one.
  private func writeParts(
    _ list: LinkList, _ ownerKey: [Cell], _ owner: Int, _ batch: inout RowBatch, _ writer: RowWriter
  ) throws {
    var current: [Int64] = []
    if writer.mayHaveLinks(owner, relationship.index, batch) {
      try writer.transaction.makeIndexes()
      for (index, cell) in ownerKey.enumerated() { existing.bind(cell, of: batch, at: index + 1) }
      while try existing.step() { current.append(existing.integer(0)) }
    }
    var used = 0
    if writer.toMany[relationship.index] == .merge {
      return try mergeParts(list, current, ownerKey, &batch, writer)
    }
    for position in 0..<list.count {
      // Entities without identity have no keys, so every target is a row.
      let row = Int(batch.targets[list.firstTarget + position].bits)
      setLink(to: ownerKey, position, in: row, &batch)
      let over = used < current.count ? current[used] : nil
      let skipped = writer.tally.skipped(entity: batch.rows[row].entity)
      try writer.write(row, over: over, isReplacement: relationship.isToMany, of: &batch)
      // A part that was skipped takes nobody's place.
      if writer.tally.skipped(entity: batch.rows[row].entity) == skipped { used += 1 }
    }
    // What seems to be missing may be what could not be read.
    guard used < current.count, used == list.count, !list.isIncomplete else { return }
    for child in current[used...] { try delete(child, owner, &batch, writer) }
  }
}

extension ChildLists {
  /// Adds the list's objects to the owner's, those left out that are there already.
  private func mergeParts(
    _ list: LinkList, _ current: [Int64], _ ownerKey: [Cell], _ batch: inout RowBatch, _ writer: RowWriter
  ) throws {
    var left = current
    for position in 0..<list.count {
      let row = Int(batch.targets[list.firstTarget + position].bits)
      setLink(to: ownerKey, nil, in: row, &batch)
      let twin = try writer.twin(of: row, among: left, batch)
      left.removeAll { $0 == twin }
      if twin == nil { setLink(to: ownerKey, current.count + position, in: row, &batch) }
      try writer.write(row, over: twin, of: &batch)
    }
  }
}

/// The statements of ``ChildLists``.
private struct ChildSQL {
  let table: Table
  let foreignKey: [Int]
  let order: Int?
  /// The condition that a row is of the targets' entity.
  let kind: String?

  private var name: String { SQL.quoted(table.name) }
  private func names(_ columns: [Int]) -> [String] { columns.map { table.columns[$0].name } }

  /// The row id, the key and the place of an owner's children, in their order.
  var existing: String {
    let places = order.map { [SQL.quoted(table.columns[$0].name)] } ?? []
    let columns = ["rowid"] + names(table.key).map(SQL.quoted) + places
    // As exports have it: places that are not told come first, in the order of the keys.
    let order = places + names(table.key).map(SQL.quoted)
    return "SELECT \(columns.joined(separator: ", ")) FROM \(name) WHERE \(SQL.equal(names(foreignKey)))"
      + " ORDER BY \(order.joined(separator: ", "))"
  }

  /// The row id of the child with a key.
  var find: String {
    "SELECT rowid FROM \(name) WHERE \(SQL.equal(names(table.key)))" + (kind.map { " AND \($0)" } ?? "")
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
