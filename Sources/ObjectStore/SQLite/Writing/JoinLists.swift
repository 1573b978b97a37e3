import Bytes
import ObjectModel

/// Writes lists whose links are rows of a join table.
final class JoinLists {
  private let relationship: SchemaRelationship
  private let layout: Layout
  private let destination: SchemaEntity
  private let destinationTable: Int
  private let isOrdered: Bool
  private let isSymmetric: Bool
  private let isForward: Bool
  private let ownerWidth: Int
  private let targetWidth: Int
  private let existing: PreparedStatement
  private let insertion: PreparedStatement
  private let find: PreparedStatement
  private let removal: PreparedStatement
  private let reordering: PreparedStatement?
  /// For a relationship that is its own inverse, the removal of a link's other direction.
  private let reverseRemoval: PreparedStatement
  /// The keys of the list that is being written.
  private var wanted: KeySet
  /// Of targets without identity, the row ids of those that stay though the list has them not, since what seems to
  /// be missing may be what could not be read.
  private var keptParts: Set<Int64> = []

  init(_ relationship: Int, _ transaction: StoreTransaction) throws {
    layout = transaction.layout
    self.relationship = layout.schema.relationships[relationship]
    guard case .join(let index, let isForward) = layout.relationships[relationship] else {
      throw StoreError.invalid("\(self.relationship.name) is not kept in a join table.")
    }
    let join = layout.joins[index]
    let sql = JoinSQL(join: join, isForward: isForward)
    destination = layout.schema.entities[self.relationship.destination]
    destinationTable = layout.entities[destination.index].table
    isOrdered = sql.order != nil
    isSymmetric = join.isSymmetric
    self.isForward = isForward
    ownerWidth = sql.owner.count
    targetWidth = sql.target.count
    wanted = KeySet(width: sql.target.count)
    existing = try transaction.cached(sql.existing)
    insertion = try transaction.cached(sql.insertion)
    find = try transaction.cached(sql.find)
    removal = try transaction.cached(sql.removal)
    reordering = try sql.reordering.map { try transaction.cached($0) }
    reverseRemoval = try transaction.cached(sql.reverseRemoval)
  }

  func write(_ list: LinkList, of owner: Int, _ batch: inout RowBatch, _ writer: RowWriter) throws {
    guard let ownerKey = writer.key(of: owner, batch) else { return }
    if destination.hasIdentity {
      try writeTargets(list, &batch, writer)
    } else {
      try writeParts(list, ownerKey, owner, &batch, writer)
    }
    // From here on no other list is written, so that the keys are this one's.
    let kept = keptParts
    keptParts = []
    let hasReferences = collectKeys(list, batch, writer)
    if hasReferences || mayLeadBack(owner, batch) { writer.noteLooseLinks(of: relationship.index) }
    let changes = try setLinks(ownerKey, owner, keeping: kept, &batch, writer)
    // The row id is unknown where the owner was not looked up, since it came just before with the same values.
    if changes, batch.rows[owner].rowID != Row.unknownID {
      let entity = batch.rows[owner].entity
      try writer.countChange(row: batch.rows[owner].rowID, entity: entity)
    }
    if hasReferences { try checkTargets(ownerKey, batch, writer) }
  }

  private func writeTargets(_ list: LinkList, _ batch: inout RowBatch, _ writer: RowWriter) throws {
    var index = list.firstTarget
    for _ in 0..<list.count {
      let cell = batch.targets[index]
      if cell.kind == .row {
        try writer.write(Int(cell.bits), over: nil, of: &batch)
        index += 1
      } else {
        index += targetWidth
      }
    }
  }

  /// Whether a target may be the owner or an object around it, which then has a link before its own list is
  /// written.
  private func mayLeadBack(_ owner: Int, _ batch: borrowing RowBatch) -> Bool {
    var row = owner
    while row >= 0 {
      if layout.entities[batch.rows[row].entity].table == destinationTable { return true }
      row = batch.rows[row].parent
    }
    return false
  }

  /// Prepares ``existing`` for an owner.
  private func find(_ ownerKey: [Cell], _ batch: borrowing RowBatch, _ writer: RowWriter) throws {
    // Forwards, the primary key finds an owner's links; backwards, an index has to.
    if !isForward { try writer.transaction.makeIndexes() }
    for index in ownerKey.indices { existing.bind(ownerKey[index], of: batch, at: index + 1) }
  }

  /// Gathers the keys of the list's targets. True if any was given by its key only.
  private func collectKeys(
    _ list: LinkList, _ batch: borrowing RowBatch, _ writer: RowWriter
  ) -> Bool {
    wanted.removeAll()
    var hasReferences = false
    var index = list.firstTarget
    for _ in 0..<list.count {
      let cell = batch.targets[index]
      guard cell.kind == .row else {
        for part in 0..<targetWidth { wanted.append(batch.targets[index + part]) }
        hasReferences = true
        index += targetWidth
        continue
      }
      index += 1
      let row = Int(cell.bits)
      guard batch.rows[row].state != .skipped || writer.isSkippedReference(row, batch) else { continue }
      if batch.rows[row].state != .object { hasReferences = true }
      for part in 0..<targetWidth { wanted.append(writer.knownKeyCell(of: row, part: part, of: batch)) }
    }
    return hasReferences
  }

  /// Makes the owner's links what is wanted. True if that changed anything.
  private func setLinks(
    _ ownerKey: [Cell], _ owner: Int, keeping kept: Set<Int64>, _ batch: inout RowBatch, _ writer: RowWriter
  ) throws -> Bool {
    var leaving: [Int64] = []
    var moving: [(row: Int64, position: Int)] = []
    let mayHaveLinks = writer.mayHaveLinks(owner, relationship.index, batch)
    if mayHaveLinks { try find(ownerKey, batch, writer) }
    let isMerging = writer.toMany[relationship.index] == .merge
    var next = 0
    var order = ListOrder()
    while try mayHaveLinks && existing.step() {
      if isOrdered { next = max(next, Int(existing.integer(1 + targetWidth)) + 1) }
      if let position = wanted.find(existing, firstColumn: 1, of: batch) {
        order.add(position)
        if isOrdered, !isMerging,
          existing.isNull(1 + targetWidth) || existing.integer(1 + targetWidth) != Int64(position)
        {
          moving.append((existing.integer(0), position))
        }
      } else if !isMerging, destination.hasIdentity || !kept.contains(existing.integer(1)) {
        leaving.append(existing.integer(0))
      }
    }
    if isOrdered, order.isKept(in: &wanted, batch) { moving = [] }
    var changes = false
    for row in leaving where try !spares(link: row, writer) {
      try remove(row, ownerKey, owner, &batch, writer)
      changes = true
    }
    if let reordering {
      for (row, position) in moving {
        reordering.bind(Int64(position), at: 1)
        reordering.bind(row, at: 2)
        try reordering.run()
        changes = true
      }
    }
    for index in 0..<wanted.count where !wanted.isFound(index) {
      if try insert(ownerKey, index, at: isMerging ? next : index, batch) {
        changes = true
        next += 1
      }
    }
    return changes
  }

  /// Whether a link has to stay, since a program changed the list at its other end and the server has not been told.
  private func spares(link: Int64, _ writer: RowWriter) throws -> Bool {
    guard let unsent = writer.unsent, unsent.concerns(table: destinationTable), destination.hasIdentity,
      let inverse = relationship.inverse,
      case .join(let index, let isForward) = layout.relationships[relationship.index]
    else { return false }
    let sql = JoinSQL(join: layout.joins[index], isForward: isForward)
    let statement = try writer.transaction.cached(sql.targetRow(of: layout.tables[destinationTable]))
    statement.bind(link, at: 1)
    guard try statement.step() else { return false }
    let row = statement.integer(0)
    statement.reset()
    return writer.spares(layout.schema.relationships[inverse].name, of: row, entity: destination.index)
  }

  /// Looks whether the targets that were given by their keys are there.
  private func checkTargets(_ owner: [Cell], _ batch: borrowing RowBatch, _ writer: RowWriter) throws {
    for index in 0..<wanted.count where wanted.cell(index, part: 0).rank != RowWriter.knownToExist {
      var target: [Cell] = []
      for part in 0..<targetWidth { target.append(wanted.cell(index, part: part)) }
      for (place, cell) in (owner + target).enumerated() { find.bind(cell, of: batch, at: place + 1) }
      guard try find.step() else { continue }
      let row = find.integer(0)
      find.reset()
      try writer.pending.check(link: relationship, row: row, target: target, batch, writer)
    }
  }

  private func insert(
    _ owner: [Cell], _ index: Int, at position: Int, _ batch: borrowing RowBatch
  ) throws -> Bool {
    for part in 0..<ownerWidth { insertion.bind(owner[part], of: batch, at: part + 1) }
    for part in 0..<targetWidth {
      insertion.bind(wanted.cell(index, part: part), of: batch, at: ownerWidth + part + 1)
    }
    if isOrdered { insertion.bind(Int64(position), at: ownerWidth + targetWidth + 1) }
    try insertion.run()
    let isNew = insertion.changes > 0
    if isSymmetric, isNew { try insertReverse(owner, index, batch) }
    return isNew
  }

  /// Inserts the other direction of a link, whose place in the other's list is unknown.
  private func insertReverse(_ owner: [Cell], _ position: Int, _ batch: borrowing RowBatch) throws {
    for part in 0..<targetWidth { insertion.bind(wanted.cell(position, part: part), of: batch, at: part + 1) }
    for index in 0..<ownerWidth { insertion.bind(owner[index], of: batch, at: targetWidth + index + 1) }
    if isOrdered { insertion.bindNull(at: ownerWidth + targetWidth + 1) }
    try insertion.run()
  }

  private func remove(
    _ link: Int64, _ ownerKey: [Cell], _ owner: Int, _ batch: inout RowBatch, _ writer: RowWriter
  ) throws {
    if !destination.hasIdentity, !writer.policy.operations.contains(.delete) { return }
    if isSymmetric {
      reverseRemoval.bind(link, at: 1)
      try reverseRemoval.run()
    }
    if writer.toMany[relationship.index] == .prune || !destination.hasIdentity {
      try deleteTarget(of: link, owner, writer)
    }
    removal.bind(link, at: 1)
    try removal.run()
  }

  private func deleteTarget(of link: Int64, _ owner: Int, _ writer: RowWriter) throws {
    guard case .join(let index, let isForward) = layout.relationships[relationship.index] else { return }
    let sql = JoinSQL(join: layout.joins[index], isForward: isForward)
    let statement = try writer.transaction.cached(sql.targetRow(of: layout.tables[destinationTable]))
    statement.bind(link, at: 1)
    guard try statement.step() else { return }
    let row = statement.integer(0)
    statement.reset()
    if destination.hasIdentity {
      return writer.deferRelease(
        DeferredRelease(relationship: relationship, action: .delete, child: row, owner: []), row: owner)
    }
    if let refusal = try writer.delete(row, ofTable: destinationTable) {
      writer.problems.append(
        RowProblem(
          row: owner, reason: .deletionDenied(relationship: refusal.relationship, key: refusal.key)))
    }
  }

  // MARK: - Targets without an identity

  /// Writes the list's objects over those that the owner has, one by one; the links follow.
  private func writeParts(
    _ list: LinkList, _ ownerKey: [Cell], _ owner: Int, _ batch: inout RowBatch, _ writer: RowWriter
  ) throws {
    var current: [Int64] = []
    if writer.mayHaveLinks(owner, relationship.index, batch) {
      try find(ownerKey, batch, writer)
      while try existing.step() { current.append(existing.integer(1)) }
    }
    let isMerging = writer.toMany[relationship.index] == .merge
    var used = 0
    // Entities without identity have no keys, so every target is a row.
    for index in 0..<list.count {
      let row = Int(batch.targets[list.firstTarget + index].bits)
      if isMerging {
        let twin = try writer.twin(of: row, among: current, batch)
        current.removeAll { $0 == twin }
        try writer.write(row, over: twin, of: &batch)
        continue
      }
      let over = used < current.count ? current[used] : nil
      let skipped = writer.tally.skipped(entity: batch.rows[row].entity)
      try writer.write(row, over: over, isReplacement: true, of: &batch)
      // A part that was skipped takes nobody's place.
      if writer.tally.skipped(entity: batch.rows[row].entity) == skipped { used += 1 }
    }
    keptParts =
      isMerging || (used == list.count && !list.isIncomplete) ? [] : Set(current[min(used, current.count)...])
  }
}

/// The statements of ``JoinLists``.
struct JoinSQL {
  let join: JoinTable
  let isForward: Bool

  private var name: String { SQL.quoted(join.name) }
  var owner: [String] { (isForward ? join.ownerColumns : join.targetColumns).map(\.name) }
  var target: [String] { (isForward ? join.targetColumns : join.ownerColumns).map(\.name) }
  /// The column with the places in the owner's list.
  var order: String? { isForward ? join.targetOrder : join.ownerOrder }

  /// The row id, the target and its place, of an owner's links in their order.
  var existing: String {
    let columns = ["rowid"] + (target + (order.map { [$0] } ?? [])).map(SQL.quoted)
    // As exports have it: places that are not told come first, in the order of the keys.
    let sorting = (order.map { [$0] } ?? []) + target

    return "SELECT \(columns.joined(separator: ", ")) FROM \(name) WHERE \(SQL.equal(owner))"
      + " ORDER BY \(SQL.list(sorting))"
  }

  var insertion: String {
    let columns = owner + target + (order.map { [$0] } ?? [])
    return "INSERT INTO \(name) (\(SQL.list(columns))) VALUES (\(SQL.parameters(columns.count)))"
      + " ON CONFLICT (\(SQL.list((join.ownerColumns + join.targetColumns).map(\.name)))) DO NOTHING"
  }

  /// The row id of a link.
  var find: String { "SELECT rowid FROM \(name) WHERE \(SQL.equal(owner + target))" }

  var removal: String { "DELETE FROM \(name) WHERE rowid = ?1" }

  var reordering: String? {
    order.map { "UPDATE \(name) SET \(SQL.quoted($0)) = ?1 WHERE rowid = ?2" }
  }

  /// Deletes the other direction of the link with a row id.
  var reverseRemoval: String {
    let pairs =
      zip(join.ownerColumns, join.targetColumns).map { ($0.name, $1.name) }
      + zip(join.targetColumns, join.ownerColumns).map { ($0.name, $1.name) }
    let conditions = pairs.map { column, other in
      "\(SQL.quoted(column)) = (SELECT \(SQL.quoted(other)) FROM \(name) WHERE rowid = ?1)"
    }
    return "DELETE FROM \(name) WHERE rowid <> ?1 AND \(conditions.joined(separator: " AND "))"
  }

  /// The row id of the target of the link with a row id.
  func targetRow(of table: Table) -> String {
    let conditions = zip(target, table.key).map { column, key in
      "t.\(SQL.quoted(table.columns[key].name)) = j.\(SQL.quoted(column))"
    }
    return "SELECT t.rowid FROM \(name) j JOIN \(SQL.quoted(table.name)) t"
      + " ON \(conditions.joined(separator: " AND ")) WHERE j.rowid = ?1"
  }
}
