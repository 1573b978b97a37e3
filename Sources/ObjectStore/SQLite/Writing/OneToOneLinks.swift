import Bytes
import ObjectModel

/// Keeps a one-to-one relationship one-to-one, where its foreign key is in the rows that are written: nobody
/// else may point to the same target, and where the relationship is its own inverse, the target points back.
final class OneToOneLinks {
  private let table: Table
  private let tableIndex: Int
  private let entity: Int
  private let relationship: SchemaRelationship
  private let slots: [Int]
  private let isMutual: Bool
  /// The relationship that leads back, unless it is the same.
  private let inverse: SchemaRelationship?
  /// The row ids of those, but for one row, that point to a target.
  private let rivals: PreparedStatement
  private let release: PreparedStatement
  /// For a mutual relationship: makes the target, if it is there and does not yet, point to a row.
  private let pointBack: PreparedStatement?
  private let find: PreparedStatement
  /// What the target calls the relationship, and where it is found.
  private let inverseName: String
  private let destination: Int
  private let findTarget: PreparedStatement

  /// Nil if the relationship is not one-to-one with its foreign key in the rows of this entity.
  init?(_ key: EntityWriter.ForeignKey, _ entity: Int, _ transaction: StoreTransaction) throws {
    let layout = transaction.layout
    let relationship = layout.schema.relationships[key.relationship]
    guard let inverse = relationship.inverse, !layout.schema.relationships[inverse].isToMany,
      case .foreignKey(let columns) = layout.relationships[key.relationship]
    else { return nil }
    tableIndex = layout.entities[entity].table
    table = layout.tables[tableIndex]
    self.entity = relationship.owner
    slots = key.slots
    self.relationship = relationship
    isMutual = relationship.isItsOwnInverse
    inverseName = layout.schema.relationships[inverse].name
    destination = relationship.destination
    let target = layout.table(of: destination)
    findTarget = try transaction.prepare(
      "SELECT rowid FROM \(SQL.quoted(target.name))"
        + " WHERE \(SQL.equal(target.key.map { target.columns[$0].name }))")
    self.inverse = relationship.isItsOwnInverse ? nil : layout.schema.relationships[inverse]
    let name = SQL.quoted(table.name)
    let foreignKey = columns.map { [table] in table.columns[$0].name }
    let keys = table.key.map { [table] in table.columns[$0].name }
    let width = columns.count
    let setNull = foreignKey.map { "\(SQL.quoted($0)) = NULL" }.joined(separator: ", ")
    rivals = try transaction.cached(
      "SELECT rowid FROM \(name) WHERE \(SQL.equal(foreignKey)) AND rowid <> ?\(width + 1)")
    release = try transaction.cached("UPDATE \(name) SET \(setNull) WHERE rowid = ?1")
    find = try transaction.cached("SELECT rowid FROM \(name) WHERE \(SQL.equal(keys))")
    if isMutual {
      let settings = foreignKey.enumerated().map { "\(SQL.quoted($1)) = ?\($0 + 2)" }
      let differences = foreignKey.enumerated().map { "\(SQL.quoted($1)) IS NOT ?\($0 + 2)" }
      pointBack = try transaction.cached(
        "UPDATE \(name) SET \(settings.joined(separator: ", ")) WHERE rowid = ?1"
          + " AND (\(differences.joined(separator: " OR ")))")
    } else {
      pointBack = nil
    }
  }

  /// Takes the link out of a row that an import is about to write, if a program gave its target another and the
  /// server has not been told.
  func spareTarget(of row: Int, _ batch: inout RowBatch, _ writer: RowWriter) throws {
    guard let first = slots.first, batch[row, first].isPresent, batch[row, first].kind != .null,
      batch[row, first].kind != .row
    else { return }
    for (index, slot) in slots.enumerated() { findTarget.bind(batch[row, slot], of: batch, at: index + 1) }
    guard try findTarget.step() else { return }
    let target = findTarget.integer(0)
    findTarget.reset()
    guard writer.keepsLocalChange(inverseName, of: target, entity: destination) else { return }
    for slot in slots { batch[row, slot] = .absent }
  }

  /// Makes the other ends of the links of a row that was just written agree.
  ///
  /// - Parameter isChanged: Whether that changed the row.
  func updateOtherEnds(
    _ row: Int, _ rowID: Int64, isChanged: Bool, _ batch: borrowing RowBatch, _ writer: RowWriter
  ) throws {
    guard let first = slots.first else { return }
    let kind = batch[row, first].kind
    if kind != .absent, kind != .null, !writer.policy.isLocal {
      _ = writer.claims(of: relationship).name(rowID, .none, for: [], at: nil)
    }
    guard isChanged else { return }
    try writer.transaction.makeIndexes()
    if kind != .absent, kind != .null {
      for (index, slot) in slots.enumerated() { rivals.bind(batch[row, slot], of: batch, at: index + 1) }
      try releaseRivals(sparing: rowID, claimedBy: row, writer)
      try forgetWaiting(row, batch, writer)
    }
    guard isMutual, let key = writer.key(of: row, batch) else { return }
    try updateTarget(row, rowID, key, kind, batch, writer)
  }

  /// Forgets whom the target waited for, since it has someone now.
  private func forgetWaiting(_ row: Int, _ batch: borrowing RowBatch, _ writer: RowWriter) throws {
    guard writer.pending.hasStored, let inverse else { return }
    var target: [String] = []
    for slot in slots { target.append(KeyText.text(of: batch[row, slot], batch)) }
    try writer.pending.forget(inverse, owner: KeyText.joined(target))
  }

  private func updateTarget(
    _ row: Int, _ rowID: Int64, _ key: [Cell], _ kind: Cell.Kind, _ batch: borrowing RowBatch,
    _ writer: RowWriter
  ) throws {
    var target: Int64?
    if kind != .absent, kind != .null {
      for (index, slot) in slots.enumerated() { find.bind(batch[row, slot], of: batch, at: index + 1) }
      if try find.step() {
        target = find.integer(0)
        find.reset()
      }
    } else if kind == .absent {
      return try pointBack(from: rowID, key, batch, writer)
    }
    // Whoever pointed here before does not any more, unless it is the target.
    for index in key.indices { rivals.bind(key[index], of: batch, at: index + 1) }
    try releaseRivals(sparing: target ?? rowID, claimedBy: nil, writer)
    guard let target, target != rowID, let pointBack else { return }
    pointBack.bind(target, at: 1)
    for index in key.indices { pointBack.bind(key[index], of: batch, at: index + 2) }
    try pointBack.run()
    if pointBack.changes > 0 { try note(target, writer) }
  }

  /// Makes a new row, of which nothing is known, point to whoever pointed to it before it came.
  func pointBack(
    from rowID: Int64, _ key: [Cell], _ batch: borrowing RowBatch, _ writer: RowWriter
  ) throws {
    guard isMutual else { return }
    try writer.transaction.makeIndexes()
    for index in key.indices { rivals.bind(key[index], of: batch, at: index + 1) }
    rivals.bind(rowID, at: key.count + 1)
    guard try rivals.step() else { return }
    let waiting = rivals.integer(0)
    rivals.reset()
    try point(rowID, toKeyOf: waiting, writer)
  }

  /// Makes a row point to another, given by its row id.
  private func point(_ row: Int64, toKeyOf other: Int64, _ writer: RowWriter) throws {
    guard let pointBack else { return }
    let names = table.key.map { SQL.quoted(table.columns[$0].name) }.joined(separator: ", ")
    let statement = try writer.transaction.cached(
      "SELECT \(names) FROM \(SQL.quoted(table.name)) WHERE rowid = ?1")
    statement.bind(other, at: 1)
    guard try statement.step() else { return }
    pointBack.bind(row, at: 1)
    for index in table.key.indices { pointBack.bind(statement.string(index), at: index + 2) }
    statement.reset()
    try pointBack.run()
    if pointBack.changes > 0 { try note(row, writer) }
  }

  /// - Parameter claimant: The row that takes the target; nil if it was taken from the other end.
  private func releaseRivals(
    sparing row: Int64, claimedBy claimant: Int?, _ writer: RowWriter
  ) throws {
    rivals.bind(row, at: slots.count + 1)
    var rows: [Int64] = []
    while try rivals.step() { rows.append(rivals.integer(0)) }
    for row in rows {
      if let claimant, !isMutual, writer.existingClaims(of: relationship)?.hasNamed(row) ?? false {
        writer.noteDispute(of: relationship, row: claimant)
      }
      release.bind(row, at: 1)
      try release.run()
      try note(row, writer)
    }
  }

  private func note(_ row: Int64, _ writer: RowWriter) throws {
    try writer.countChange(row: row, entity: entity)
    writer.forgetRepetitions(inTable: tableIndex)
  }
}
