import Bytes
import ObjectModel

/// Keeps a one-to-one relationship one-to-one, where its foreign key is in the rows that are written: no other row
/// may point to the same target, and where the relationship is its own inverse, the target points back.
final class OneToOneLinks {
  private let context: WriteContext
  private let claims: ListClaims
  private let pendingLinks: PendingLinks
  private let relationship: SchemaRelationship
  private let inverse: SchemaRelationship
  private let slots: [Int]
  private let isMutual: Bool
  private let sql: OneToOneSQL
  /// The row ids of those, but for one row, that point to a target.
  private let rivals: PreparedStatement
  /// Takes the target from a row.
  private let unlinking: PreparedStatement
  /// For a mutual relationship: makes the target, if it is there and does not yet, point to a row.
  private let pointingBack: PreparedStatement?
  /// The row of the same entity with a key.
  private let find: PreparedStatement
  /// The row of the target with a key.
  private let findTarget: PreparedStatement

  /// Nil if the relationship is not one-to-one with its foreign key in the rows of this entity.
  init?(
    _ key: ForeignKey, of entity: Int, _ context: WriteContext, _ claims: ListClaims,
    _ pendingLinks: PendingLinks
  ) throws {
    let (layout, transaction) = (context.layout, context.transaction)
    let relationship = layout.schema.relationships[key.relationship]
    guard let inverse = relationship.inverse, !layout.schema.relationships[inverse].isToMany,
      case .foreignKey(let columns) = layout.relationships[key.relationship]
    else { return nil }
    self.context = context
    self.claims = claims
    self.pendingLinks = pendingLinks
    self.relationship = relationship
    self.inverse = layout.schema.relationships[inverse]
    slots = key.slots
    isMutual = relationship.isItsOwnInverse
    sql = OneToOneSQL(
      table: layout.table(of: entity), foreignKey: columns, target: layout.table(of: relationship.destination)
    )
    findTarget = try transaction.prepare(sql.findTarget)
    rivals = try transaction.cached(sql.rivals)
    unlinking = try transaction.cached(sql.unlinking)
    find = try transaction.cached(sql.find)
    pointingBack = isMutual ? try transaction.cached(sql.pointing) : nil
  }

  // MARK: - Before a row is written

  /// Takes the link out of a row that an import is about to write, if a program gave its target another and the
  /// server has not been told.
  func leaveUnsentTarget(of row: Int, _ batch: inout RowBatch) throws {
    guard !relationship.isIdentity, let first = slots.first, batch[row, first].isPresent,
      batch[row, first].kind != .null,
      batch[row, first].kind != .row
    else { return }
    for (index, slot) in slots.enumerated() { findTarget.bind(batch[row, slot], of: batch, at: index + 1) }
    guard try findTarget.step() else { return }
    let target = findTarget.integer(0)
    findTarget.reset()
    // What the target calls the relationship.
    guard context.isUnsent(inverse.name, of: target, entity: relationship.destination) else { return }
    context.countUnsent(target, entity: relationship.destination)
    for slot in slots { batch[row, slot] = .absent }
  }

  // MARK: - After a row was written

  /// Makes the other ends of the links of a row that was just written agree.
  ///
  /// - Parameter isChanged: Whether that changed the row.
  func updateOtherEnds(of row: Int, isChanged: Bool, _ batch: borrowing RowBatch) throws {
    guard let first = slots.first else { return }
    let kind = batch[row, first].kind
    let hasTarget = kind != .absent && kind != .null
    if hasTarget, !context.policy.isLocal {
      claims.noteNamed(batch.rows[row].rowID, by: relationship)
    }
    guard isChanged, hasTarget || isMutual else { return }
    try context.transaction.makeIndexes()
    if hasTarget {
      for (index, slot) in slots.enumerated() { rivals.bind(batch[row, slot], of: batch, at: index + 1) }
      try unlinkRivals(sparing: batch.rows[row].rowID, claimedBy: row)
      try forgetPending(row, batch)
    }
    guard isMutual, let key = context.key(of: row, batch) else { return }
    if kind == .absent { return try setInverse(from: batch.rows[row].rowID, key, batch) }
    try updateTarget(of: row, key, hasTarget: hasTarget, batch)
  }

  /// Forgets what the target waited for, since it has a link now.
  private func forgetPending(_ row: Int, _ batch: borrowing RowBatch) throws {
    guard pendingLinks.hasStored, !isMutual else { return }
    var target: [String] = []
    for slot in slots { target.append(KeyText.text(of: batch[row, slot], batch)) }
    try pendingLinks.forget(inverse, owner: KeyText.joined(target))
  }

  /// Makes the target of a row, and no other, point back.
  private func updateTarget(
    of row: Int, _ key: [Cell], hasTarget: Bool, _ batch: borrowing RowBatch
  ) throws {
    let rowID = batch.rows[row].rowID
    var target: Int64?
    if hasTarget {
      for (index, slot) in slots.enumerated() { find.bind(batch[row, slot], of: batch, at: index + 1) }
      if try find.step() {
        target = find.integer(0)
        find.reset()
      }
    }
    // A row that pointed here before does not any more, unless it is the target.
    for index in key.indices { rivals.bind(key[index], of: batch, at: index + 1) }
    try unlinkRivals(sparing: target ?? rowID, claimedBy: nil)
    guard let target, target != rowID, let pointingBack else { return }
    pointingBack.bind(target, at: 1)
    for index in key.indices { pointingBack.bind(key[index], of: batch, at: index + 2) }
    try pointingBack.run()
    if pointingBack.changes > 0 { try noteChange(of: target) }
  }

  /// Makes a new row, of which nothing is known, point to the row that pointed to it before it came.
  func setInverse(from rowID: Int64, _ key: [Cell], _ batch: borrowing RowBatch) throws {
    guard isMutual else { return }
    try context.transaction.makeIndexes()
    for index in key.indices { rivals.bind(key[index], of: batch, at: index + 1) }
    rivals.bind(rowID, at: key.count + 1)
    guard try rivals.step() else { return }
    let waiting = rivals.integer(0)
    rivals.reset()
    try point(rowID, toKeyOf: waiting)
  }

  /// Makes a row point to another, given by its row id.
  private func point(_ row: Int64, toKeyOf other: Int64) throws {
    guard let pointingBack else { return }
    let statement = try context.transaction.cached(sql.key)
    statement.bind(other, at: 1)
    guard try statement.step() else { return }
    pointingBack.bind(row, at: 1)
    for index in sql.table.key.indices { pointingBack.bind(statement.string(index), at: index + 2) }
    statement.reset()
    try pointingBack.run()
    if pointingBack.changes > 0 { try noteChange(of: row) }
  }

  /// Takes the target from all rows but one that point to it. The target is bound already.
  ///
  /// - Parameter claimant: The row that takes the target; nil if it was taken from the other end.
  private func unlinkRivals(sparing row: Int64, claimedBy claimant: Int?) throws {
    rivals.bind(row, at: slots.count + 1)
    var rows: [Int64] = []
    while try rivals.step() { rows.append(rivals.integer(0)) }
    for row in rows {
      if let claimant, !isMutual, claims.hasNamed(row, by: relationship) {
        context.noteDispute(of: relationship, claims, row: claimant)
      }
      unlinking.bind(row, at: 1)
      try unlinking.run()
      try noteChange(of: row)
    }
  }

  private func noteChange(of row: Int64) throws {
    try context.noteChange(of: row, entity: relationship.owner)
  }
}

/// The statements of ``OneToOneLinks``.
struct OneToOneSQL {
  let table: Table
  let foreignKey: [Int]
  let target: Table

  private var name: String { SQL.quoted(table.name) }
  private var foreignKeyNames: [String] { foreignKey.map { table.columns[$0].name } }
  private var keyNames: [String] { table.key.map { table.columns[$0].name } }

  /// The row ids of those that point to a target, but for the row whose row id is the last argument.
  var rivals: String {
    "SELECT rowid FROM \(name) WHERE \(SQL.equal(foreignKeyNames)) AND rowid <> ?\(foreignKey.count + 1)"
  }

  var unlinking: String {
    let settings = foreignKeyNames.map { "\(SQL.quoted($0)) = NULL" }.joined(separator: ", ")
    return "UPDATE \(name) SET \(settings) WHERE rowid = ?1"
  }

  var find: String { "SELECT rowid FROM \(name) WHERE \(SQL.equal(keyNames))" }

  var findTarget: String {
    "SELECT rowid FROM \(SQL.quoted(target.name)) WHERE \(SQL.equal(target.key.map { target.columns[$0].name }))"
  }

  var key: String { "SELECT \(SQL.list(keyNames)) FROM \(name) WHERE rowid = ?1" }

  /// Makes the row with row id `?1` point to a key, if it does not yet.
  var pointing: String {
    let settings = foreignKeyNames.enumerated().map { "\(SQL.quoted($1)) = ?\($0 + 2)" }
    let differences = foreignKeyNames.enumerated().map { "\(SQL.quoted($1)) IS NOT ?\($0 + 2)" }
    return "UPDATE \(name) SET \(settings.joined(separator: ", ")) WHERE rowid = ?1"
      + " AND (\(differences.joined(separator: " OR ")))"
  }
}
