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
      return tools.releases.add(
        DeferredRelease(relationship: relationship, action: .delete, child: row, owner: []), row: owner)
    }
    if let refusal = try tools.deleter.delete(row, ofTable: destinationTable) {
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
