import Bytes
import ObjectModel

/// Writes lists whose links are rows of a join table.
final class JoinLists {
  let relationship: SchemaRelationship
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
    let step = JoinLinkStep(self, list, of: owner, ownerKey)
    guard !destination.hasIdentity else { return try advance(step, &batch, writer) }
    let parts = PartListStep(self, list, of: owner, ownerKey)
    if writer.mayHaveLinks(owner, relationship.index, batch) {
      try find(ownerKey, batch, writer)
      // The keys of the others are their row ids.
      while try existing.step() {
        if existing.storage(1) == .integer { parts.addExisting(existing.integer(1)) }
      }
    }
    try parts.advance(&batch, writer)
  }

  /// Writes the targets of a list, until one takes further steps, and then the links.
  func advance(_ step: JoinLinkStep, _ batch: inout RowBatch, _ writer: RowWriter) throws {
    var (position, target) = (step.position, step.target)
    while position < step.list.count {
      let cell = batch.targets.base[target]
      position += 1
      target += cell.kind == .row ? 1 : targetWidth
      guard cell.kind == .row else { continue }
      guard try writer.writesAtOnce(RowStep(Int(cell.bits)), before: .joinLinks(step), &batch) else {
        (step.position, step.target) = (position, target)
        return
      }
    }
    try writeLinks(step, &batch, writer)
  }

  private func writeLinks(
    _ step: JoinLinkStep, _ batch: inout RowBatch, _ writer: RowWriter
  ) throws {
    // From here on no other list is written, so that the keys are this one's.
    let owner = step.owner
    let hasReferences = collectKeys(step.list, batch, writer)
    if hasReferences || mayLeadBack(owner, batch) { writer.noteLooseLinks(of: relationship.index) }
    let changes = try setLinks(step, &batch, writer)
    // The row id is unknown where the owner was not looked up, since it came just before with the same values.
    if changes, batch.rows[owner].rowID != Row.unknownID {
      let entity = batch.rows[owner].entity
      try writer.countChange(row: batch.rows[owner].rowID, entity: entity)
    }
    if hasReferences { try checkTargets(step.ownerKey, batch, writer) }
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
      if batch.rows[row].state != .object, !batch.rows[row].isDuplicate { hasReferences = true }
      for part in 0..<targetWidth { wanted.append(writer.knownKeyCell(of: row, part: part, of: batch)) }
    }
    return hasReferences
  }

  /// Makes the owner's links what is wanted. True if that changed anything.
  private func setLinks(
    _ step: JoinLinkStep, _ batch: inout RowBatch, _ writer: RowWriter
  ) throws -> Bool {
    let (owner, ownerKey) = (step.owner, step.ownerKey)
    var leaving: [Int64] = []
    var moving: [(row: Int64, position: Int)] = []
    let mayHaveLinks = writer.mayHaveLinks(owner, relationship.index, batch)
    if mayHaveLinks { try find(ownerKey, batch, writer) }
    let isMerging = writer.merges(step.list)
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
      } else if !isMerging, destination.hasIdentity || !step.keeps(existing, column: 1) {
        leaving.append(existing.integer(0))
      }
    }
    if isOrdered, order.isKept(in: &wanted, batch) { moving = [] }
    var changes = false
    for row in leaving where try !keepsLocalChange(link: row, writer) {
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
      if try keepsLocalChange(newLinkTo: index, batch, writer) { continue }
      if try insert(ownerKey, index, at: isMerging ? next : index, batch) {
        changes = true
        next += 1
      }
    }
    return changes
  }

  /// Whether a link has to stay, since a program changed the list at its other end and the server has not been told.
  private func keepsLocalChange(link: Int64, _ writer: RowWriter) throws -> Bool {
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
    return writer.keepsLocalChange(
      layout.schema.relationships[inverse].name, of: row, entity: destination.index)
  }

  /// Whether a link may not be made, since a program changed the list at its other end and the server has not been told.
  private func keepsLocalChange(newLinkTo index: Int, _ batch: borrowing RowBatch, _ writer: RowWriter) throws
    -> Bool
  {
    guard let unsent = writer.unsent, unsent.concerns(table: destinationTable), destination.hasIdentity,
      let inverse = relationship.inverse
    else { return false }
    let table = layout.tables[destinationTable]
    let statement = try writer.transaction.cached(
      "SELECT rowid FROM \(SQL.quoted(table.name)) WHERE \(SQL.equal(table.key.map { table.columns[$0].name }))"
    )
    for part in 0..<targetWidth { statement.bind(wanted.cell(index, part: part), of: batch, at: part + 1) }
    guard try statement.step() else { return false }
    let row = statement.integer(0)
    statement.reset()
    return writer.keepsLocalChange(
      layout.schema.relationships[inverse].name, of: row, entity: destination.index)
  }

  /// Looks whether the targets that were given by their keys are there.
  private func checkTargets(_ owner: [Cell], _ batch: borrowing RowBatch, _ writer: RowWriter) throws {
    for index in 0..<wanted.count where wanted.cell(index, part: 0).link != .exists {
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
}

// MARK: - Targets without an identity

extension JoinLists: PartListWriting {
  // The links are rows of their own, made when all parts are written.
  func link(_ row: Int, at place: Int?, _ step: PartListStep, _ batch: inout RowBatch) {}

  func finish(_ step: PartListStep, _ batch: inout RowBatch, _ writer: RowWriter) throws {
    let links = JoinLinkStep(self, step.list, of: step.owner, step.ownerKey)
    if !step.mayDelete { links.keptParts = Set(step.remaining) }
    links.keepsIdentifiedParts = !step.mayDelete
    try writeLinks(links, &batch, writer)
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
    // As exports have it.
    let sorting = (order.map { [SQL.place(SQL.quoted($0))] } ?? []) + target.map(SQL.quoted)
    return "SELECT \(columns.joined(separator: ", ")) FROM \(name) WHERE \(SQL.equal(owner))"
      + " ORDER BY \(sorting.joined(separator: ", "))"
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
