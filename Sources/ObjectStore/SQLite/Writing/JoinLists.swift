import Bytes
import ObjectModel

/// Writes lists whose links are rows of a join table.
final class JoinLists {
  let tools: ListContext
  let relationship: SchemaRelationship
  let destination: SchemaEntity
  let destinationTable: Int
  let isOrdered: Bool
  let ownerWidth: Int
  let targetWidth: Int
  let sql: JoinSQL
  let existing: PreparedStatement
  let find: PreparedStatement
  private let isSymmetric: Bool
  private let insertion: PreparedStatement
  private let removal: PreparedStatement
  private let reordering: PreparedStatement?
  /// For a relationship that is its own inverse, the removal of a link's other direction.
  private let reverseRemoval: PreparedStatement
  /// The keys of the list that is being written.
  var wanted: KeySet

  var context: WriteContext { tools.context }

  init(_ relationship: Int, _ tools: ListContext) throws {
    let (layout, transaction) = (tools.context.layout, tools.context.transaction)
    self.tools = tools
    self.relationship = layout.schema.relationships[relationship]
    guard case .join(let index, let isForward) = layout.relationships[relationship] else {
      throw StoreError.invalid("\(self.relationship.name) is not kept in a join table.")
    }
    let join = layout.joins[index]
    sql = JoinSQL(join: join, isForward: isForward)
    destination = layout.schema.entities[self.relationship.destination]
    destinationTable = layout.entities[destination.index].table
    isOrdered = sql.order != nil
    isSymmetric = join.isSymmetric
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

  /// Begins with a list of a row. Returns the step that goes on with it; nil if there is nothing to do.
  func begin(_ list: LinkList, of owner: Int, _ batch: inout RowBatch) throws -> WriteStep? {
    guard let key = context.key(of: owner, batch) else { return nil }
    guard !destination.hasIdentity else { return .list(JoinLinkStep(self, list, of: owner, key: key)) }
    let parts = PartListStep(self, list, of: owner, key: key, tools)
    if context.mayHaveLinks(owner, relationship.index, batch) {
      try bindExisting(key, batch)
      // The keys of the others are their row ids.
      while try existing.step() {
        if existing.storage(1) == .integer { parts.addExisting(existing.integer(1)) }
      }
    }
    return .list(parts)
  }

  /// Makes ``existing`` ready to give the links of an owner.
  func bindExisting(_ ownerKey: [Cell], _ batch: borrowing RowBatch) throws {
    // Forwards, the primary key finds an owner's links; backwards, an index has to.
    if !sql.isForward { try context.transaction.makeIndexes() }
    for index in ownerKey.indices { existing.bind(ownerKey[index], of: batch, at: index + 1) }
  }

  // MARK: - Links

  /// Links an owner with one of the ``wanted`` targets. False if they are linked already.
  func insert(
    _ ownerKey: [Cell], target: Int, at place: Int, _ batch: borrowing RowBatch
  ) throws -> Bool {
    for part in 0..<ownerWidth { insertion.bind(ownerKey[part], of: batch, at: part + 1) }
    for part in 0..<targetWidth {
      insertion.bind(wanted.cell(target, part: part), of: batch, at: ownerWidth + part + 1)
    }
    if isOrdered { insertion.bind(Int64(place), at: ownerWidth + targetWidth + 1) }
    try insertion.run()
    let isNew = insertion.changes > 0
    if isSymmetric, isNew { try insertReverse(ownerKey, target: target, batch) }
    return isNew
  }

  /// Inserts the other direction of a link, whose place in the other's list is unknown.
  private func insertReverse(_ ownerKey: [Cell], target: Int, _ batch: borrowing RowBatch) throws {
    for part in 0..<targetWidth {
      insertion.bind(wanted.cell(target, part: part), of: batch, at: part + 1)
    }
    for index in 0..<ownerWidth { insertion.bind(ownerKey[index], of: batch, at: targetWidth + index + 1) }
    if isOrdered { insertion.bindNull(at: ownerWidth + targetWidth + 1) }
    try insertion.run()
  }

  /// Gives a link another place in its owner's list.
  func move(_ link: Int64, to place: Int) throws {
    guard let reordering else { return }
    reordering.bind(Int64(place), at: 1)
    reordering.bind(link, at: 2)
    try reordering.run()
  }

  /// Removes a link that the list of an owner, a row of the batch, does not have, and its target where that goes with it.
  func remove(_ link: Int64, of owner: Int) throws {
    if !destination.hasIdentity, !context.policy.operations.contains(.delete) { return }
    if isSymmetric {
      reverseRemoval.bind(link, at: 1)
      try reverseRemoval.run()
    }
    if context.toMany[relationship.index] == .prune || !destination.hasIdentity {
      try deleteTarget(of: link, owner: owner)
    }
    removal.bind(link, at: 1)
    try removal.run()
  }

  /// Deletes the target of a link if it is a part; if it has an identity, in the end, unless it has another owner then.
  private func deleteTarget(of link: Int64, owner: Int) throws {
    guard let row = try targetRow(ofLink: link) else { return }
    if destination.hasIdentity {
      return tools.releases.add(row, of: relationship, owner: "", action: .delete, row: owner)
    }
    if let refusal = try tools.deleter.delete(RowLocation(table: destinationTable, row: row)) {
      context.problems.add(
        .deletionDenied(relationship: refusal.relationship, key: refusal.key), row: owner)
    }
  }

  /// The row id of the target of a link; nil if it is not there.
  func targetRow(ofLink link: Int64) throws -> Int64? {
    let statement = try context.transaction.cached(sql.targetRow(of: context.layout.tables[destinationTable]))
    statement.bind(link, at: 1)
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return statement.integer(0)
  }

  /// The row id of one of the ``wanted`` targets; nil if it is not there.
  func row(ofTarget index: Int, _ batch: borrowing RowBatch) throws -> Int64? {
    let table = context.layout.tables[destinationTable]
    let key = table.key.map { table.columns[$0].name }
    let statement = try context.transaction.cached(
      "SELECT rowid FROM \(SQL.quoted(table.name)) WHERE \(SQL.equal(key))")
    for part in 0..<targetWidth { statement.bind(wanted.cell(index, part: part), of: batch, at: part + 1) }
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return statement.integer(0)
  }
}

// MARK: - Targets without an identity

extension JoinLists: PartListWriting {
  // The links are rows of their own, made when all parts are written.
  func link(_ row: Int, at place: Int?, _ step: PartListStep, _ batch: inout RowBatch) {}

  func finish(_ step: PartListStep, _ batch: inout RowBatch) throws {
    let links = JoinLinkStep(self, step.list, of: step.owner, key: step.ownerKey)
    if !step.mayDelete { links.keepParts(step.remaining) }
    try links.writeLinks(&batch)
  }
}

/// How far the writing of a list in a join table has come; see ``JoinLists``.
///
/// First its targets are written, then the links are made what the list says.
final class JoinLinkStep: ListStep {
  private let lists: JoinLists
  /// How many targets have been written, and where the next begins.
  private var position = 0
  private var target: Int
  /// Of targets without identity, the row ids of those that stay though the list has them not, since what seems to
  /// be missing may be what could not be read.
  private var keptParts: Set<Int64> = []
  /// Whether those of sub-entities that have an identity stay as well.
  private var keepsIdentifiedParts = false

  private var context: WriteContext { lists.context }

  init(_ lists: JoinLists, _ list: LinkList, of owner: Int, key: [Cell]) {
    self.lists = lists
    target = list.firstTarget
    super.init(list, of: owner, key: key)
  }

  /// Has the links to parts stay, those to parts with an identity among them.
  func keepParts(_ rows: [Int64]) {
    keptParts = Set(rows)
    keepsIdentifiedParts = true
  }

  override func advance(_ batch: inout RowBatch) throws -> RowStep? {
    var (position, target) = (position, target)
    while position < list.count {
      let cell = batch.targets.base[target]
      position += 1
      target += cell.kind == .row ? 1 : lists.targetWidth
      guard cell.kind == .row else { continue }
      (self.position, self.target) = (position, target)
      return RowStep(Int(cell.bits))
    }
    try writeLinks(&batch)
    return nil
  }

  /// Makes the owner's links what the list says. All its targets have been written.
  func writeLinks(_ batch: inout RowBatch) throws {
    // From here on no other list is written, so that the keys are this one's.
    let hasReferences = collectKeys(batch)
    if hasReferences || mayLeadBack(batch) { context.noteLinksByKey(of: lists.relationship.index) }
    let changes = try apply(try compare(batch), batch)
    // The row id is unknown where the owner was not looked up, since it came just before with the same values.
    if changes, batch.rows[owner].rowID != Row.unknownID {
      try context.countChange(of: batch.rows[owner].rowID, entity: batch.rows[owner].entity)
    }
    if hasReferences { try checkTargets(batch) }
  }

  /// Whether a target may be the owner or an object around it, which then has a link before its own list is
  /// written.
  private func mayLeadBack(_ batch: borrowing RowBatch) -> Bool {
    var row = owner
    while row >= 0 {
      if context.layout.entities[batch.rows[row].entity].table == lists.destinationTable { return true }
      row = batch.rows[row].parent
    }
    return false
  }

  /// Gathers the keys of the list's targets. True if any was given by its key only.
  private func collectKeys(_ batch: borrowing RowBatch) -> Bool {
    lists.wanted.removeAll()
    var hasReferences = false
    var index = list.firstTarget
    for _ in 0..<list.count {
      let cell = batch.targets[index]
      guard cell.kind == .row else {
        for part in 0..<lists.targetWidth { lists.wanted.append(batch.targets[index + part]) }
        hasReferences = true
        index += lists.targetWidth
        continue
      }
      index += 1
      let row = Int(cell.bits)
      guard !context.isUnknown(row, batch) else { continue }
      if batch.rows[row].state != .object, !batch.rows[row].isDuplicate { hasReferences = true }
      for part in 0..<lists.targetWidth {
        lists.wanted.append(context.declaredKeyCell(of: row, part: part, of: batch))
      }
    }
    return hasReferences
  }

  // MARK: - The difference

  /// The comparison of the list with the links that the owner has.
  private struct Comparison {
    /// Links that the list does not have.
    var leaving: [Int64] = []
    /// Links that get another place.
    var moving: [(link: Int64, place: Int)] = []
    /// The place behind all that are there.
    var next = 0
  }

  private func compare(_ batch: borrowing RowBatch) throws -> Comparison {
    var result = Comparison()
    guard context.mayHaveLinks(owner, lists.relationship.index, batch) else { return result }
    let existing = lists.existing
    let placeColumn = 1 + lists.targetWidth
    let isMerging = context.merges(list)
    var order = ListOrder()
    try lists.bindExisting(ownerKey, batch)
    while try existing.step() {
      if lists.isOrdered { result.next = max(result.next, Int(existing.integer(placeColumn)) + 1) }
      if let place = lists.wanted.find(existing, firstColumn: 1, of: batch) {
        order.add(place)
        if lists.isOrdered, !isMerging,
          existing.isNull(placeColumn) || existing.integer(placeColumn) != Int64(place)
        {
          result.moving.append((existing.integer(0), place))
        }
      } else if !isMerging, lists.destination.hasIdentity || !keepsTarget() {
        result.leaving.append(existing.integer(0))
      }
    }
    if lists.isOrdered, order.isKept(in: &lists.wanted, batch) { result.moving = [] }
    return result
  }

  /// Whether the target of the link that ``JoinLists/existing`` stands on, which is a part, stays though the list has
  /// it not.
  private func keepsTarget() -> Bool {
    let existing = lists.existing
    return existing.storage(1) == .text ? keepsIdentifiedParts : keptParts.contains(existing.integer(1))
  }

  /// Makes the owner's links what is wanted. True if that changed anything.
  private func apply(_ comparison: Comparison, _ batch: borrowing RowBatch) throws -> Bool {
    var changes = false
    for link in comparison.leaving {
      if let target = try unsentTarget(of: link) {
        context.countUnsent(target, entity: lists.destination.index)
        continue
      }
      try lists.remove(link, of: owner)
      changes = true
    }
    for (link, place) in comparison.moving {
      try lists.move(link, to: place)
      changes = true
    }
    let isMerging = context.merges(list)
    var next = comparison.next
    for index in 0..<lists.wanted.count where !lists.wanted.isFound(index) {
      if let target = try unsentTarget(index, batch) {
        context.countUnsent(target, entity: lists.destination.index)
        continue
      }
      if try lists.insert(ownerKey, target: index, at: isMerging ? next : index, batch) {
        changes = true
        next += 1
      }
    }
    return changes
  }

  /// Looks whether the targets that were given by their keys are there.
  private func checkTargets(_ batch: borrowing RowBatch) throws {
    let (find, width) = (lists.find, lists.targetWidth)
    for index in 0..<lists.wanted.count where lists.wanted.cell(index, part: 0).link != .exists {
      var target: [Cell] = []
      for part in 0..<width { target.append(lists.wanted.cell(index, part: part)) }
      for (place, cell) in (ownerKey + target).enumerated() { find.bind(cell, of: batch, at: place + 1) }
      guard try find.step() else { continue }
      let row = find.integer(0)
      find.reset()
      try lists.tools.checks.check(link: lists.relationship, row: row, target: target, batch)
    }
  }

  // MARK: - Lists at the other end that a program changed

  /// The row of a link's target, if a program changed its list and the server has not been told: then the link stays.
  private func unsentTarget(of link: Int64) throws -> Int64? {
    guard let list = protectableList, let row = try lists.targetRow(ofLink: link) else { return nil }
    return context.isUnsent(list, of: row, entity: lists.destination.index) ? row : nil
  }

  /// The row of a target of the list, if a program changed its list and the server has not been told: then no link is
  /// made.
  private func unsentTarget(_ index: Int, _ batch: borrowing RowBatch) throws -> Int64? {
    guard let list = protectableList, let row = try lists.row(ofTarget: index, batch) else { return nil }
    return context.isUnsent(list, of: row, entity: lists.destination.index) ? row : nil
  }

  /// The name of the list at the other end, if a program may have changed it.
  private var protectableList: String? {
    guard let unsent = context.unsent, unsent.concerns(table: lists.destinationTable),
      lists.destination.hasIdentity, let inverse = lists.relationship.inverse
    else { return nil }
    return context.layout.schema.relationships[inverse].name
  }
}

/// The statements of ``JoinLists``.
extension JoinSQL {
  private var name: String { SQL.quoted(join.name) }

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
      + " ON CONFLICT (\(SQL.list(join.keyColumns.map(\.name)))) DO NOTHING"
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
