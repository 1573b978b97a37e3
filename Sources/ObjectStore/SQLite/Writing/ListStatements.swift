import Bytes
import ObjectModel

/// The links of an object: the row that a statement stands on.
package struct SQLiteLinks: StoredLinks {
  package typealias Failure = any Error

  let statement: PreparedStatement
  /// How many columns the target's key has, from the second on.
  let width: Int
  let hasPlace: Bool

  package func next() throws -> Bool { try statement.step() }

  package var row: Int64 { statement.integer(0) }

  package var place: Int64? { hasPlace && !statement.isNull(1 + width) ? statement.integer(1 + width) : nil }

  // The key of an object without identity is its row id; a text is that of a sub-entity that has one.
  package var targetRow: Int64? { statement.storage(1) == .integer ? statement.integer(1) : nil }

  package var precedingOwners: String {
    let owners = 1 + width + (hasPlace ? 1 : 0)..<statement.columnCount
    return owners.isEmpty || owners.allSatisfy(statement.isNull) ? "" : KeyText.ofColumns(owners, statement)
  }

  package func combineKey(into hash: inout Hash) {
    for column in 1..<1 + width {
      switch statement.storage(column) {
      case .integer: hash.combine(UInt64(bitPattern: statement.integer(column)))
      case .real: hash.combine(statement.double(column).bitPattern)
      default: hash.combine(statement.text(column))
      }
    }
  }

  package func keyPart(_ part: Int, equals cell: Cell, of batch: borrowing RowBatch) -> Bool {
    statement.column(1 + part, equals: cell, of: batch)
  }
}

/// The statements on lists whose links are foreign keys in the rows of their targets.
final class ChildStatements {
  private let isOrdered: Bool
  private let ownerWidth: Int
  private let keyWidth: Int
  private let existing: PreparedStatement
  private let linking: PreparedStatement
  private let unlinking: PreparedStatement
  private let finding: PreparedStatement

  init(_ rules: ListRules, _ transaction: SQLiteTransaction) throws {
    let layout = transaction.layout
    guard case .inverse(let columns, let order) = rules.storage else {
      throw StoreError.invalid("\(rules.relationship.name) is not kept in its inverse.")
    }
    (isOrdered, ownerWidth, keyWidth) = (order != nil, columns.count, rules.keyWidth)
    let sql = ChildSQL(
      table: layout.tables[rules.table], foreignKey: columns, order: order,
      kind: layout.kindCondition(of: rules.destination.index),
      precedingOwners: Array(layout.precedingOwners(of: rules.relationship).joined()))
    existing = try transaction.cached(sql.existing)
    linking = try transaction.cached(sql.link)
    unlinking = try transaction.cached(sql.unlink)
    finding = try transaction.cached(sql.find)
  }

  func children(of owner: [Cell], _ batch: borrowing RowBatch) -> SQLiteLinks {
    for index in owner.indices { existing.bind(owner[index], of: batch, at: index + 1) }
    return SQLiteLinks(statement: existing, width: keyWidth, hasPlace: isOrdered)
  }

  func find(_ key: [Cell], of owner: [Cell], _ batch: borrowing RowBatch) throws -> StoredChild? {
    for index in key.indices { finding.bind(key[index], of: batch, at: index + 1) }
    guard try finding.step() else { return nil }
    defer { finding.reset() }
    var isOwnedAlready = true
    for index in owner.indices {
      isOwnedAlready = isOwnedAlready && finding.column(1 + index, equals: owner[index], of: batch)
    }
    return StoredChild(
      row: finding.integer(0), hasOwner: !finding.isNull(1), isOwnedAlready: isOwnedAlready)
  }

  func link(_ child: Int64, to owner: [Cell], at place: Int?, _ batch: borrowing RowBatch) throws -> Bool {
    for index in owner.indices { linking.bind(owner[index], of: batch, at: index + 1) }
    return try runLinking(child, at: place)
  }

  func link(_ child: Int64, by claim: OwnershipClaim) throws -> Bool {
    for (index, value) in claim.owner.enumerated() { linking.bind(value, at: index + 1) }
    return try runLinking(child, at: claim.place)
  }

  private func runLinking(_ child: Int64, at place: Int?) throws -> Bool {
    var index = ownerWidth + 1
    if isOrdered {
      if let place { linking.bind(Int64(place), at: index) } else { linking.bindNull(at: index) }
      index += 1
    }
    linking.bind(child, at: index)
    try linking.run()
    return linking.changes > 0
  }

  func unlink(_ child: Int64) throws {
    unlinking.bind(child, at: 1)
    try unlinking.run()
  }
}

/// The statements of ``ChildStatements``.
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

/// The statements on lists whose links are rows of a join table.
final class JoinStatements {
  let sql: JoinSQL
  private let isSymmetric: Bool
  private let ownerWidth: Int
  private let targetWidth: Int
  private let existing: PreparedStatement
  private let finding: PreparedStatement
  private let insertion: PreparedStatement
  private let removal: PreparedStatement
  private let reordering: PreparedStatement?
  /// For a relationship that is its own inverse, the removal of a link's other direction.
  private let reverseRemoval: PreparedStatement
  /// The row id of a link's target.
  private let targetRow: PreparedStatement

  init(_ rules: ListRules, _ transaction: SQLiteTransaction) throws {
    let layout = transaction.layout
    guard case .join(let index, let isForward) = rules.storage else {
      throw StoreError.invalid("\(rules.relationship.name) is not kept in a join table.")
    }
    sql = JoinSQL(join: layout.joins[index], isForward: isForward)
    isSymmetric = layout.joins[index].isSymmetric
    (ownerWidth, targetWidth) = (sql.owner.count, sql.target.count)
    existing = try transaction.cached(sql.existing)
    insertion = try transaction.cached(sql.insertion)
    finding = try transaction.cached(sql.find)
    removal = try transaction.cached(sql.removal)
    reordering = try sql.reordering.map { try transaction.cached($0) }
    reverseRemoval = try transaction.cached(sql.reverseRemoval)
    targetRow = try transaction.cached(sql.targetRow(of: layout.tables[rules.table]))
  }

  func links(of owner: [Cell], _ batch: borrowing RowBatch) -> SQLiteLinks {
    for index in owner.indices { existing.bind(owner[index], of: batch, at: index + 1) }
    return SQLiteLinks(statement: existing, width: targetWidth, hasPlace: sql.order != nil)
  }

  func insert(
    from owner: [Cell], to target: Int, of targets: borrowing TargetKeys, at place: Int,
    _ batch: borrowing RowBatch
  ) throws -> Bool {
    for part in 0..<ownerWidth { insertion.bind(owner[part], of: batch, at: part + 1) }
    for part in 0..<targetWidth {
      insertion.bind(targets.cell(target, part: part), of: batch, at: ownerWidth + part + 1)
    }
    if sql.order != nil { insertion.bind(Int64(place), at: ownerWidth + targetWidth + 1) }
    try insertion.run()
    let isNew = insertion.changes > 0
    if isSymmetric, isNew { try insertReverse(from: owner, to: target, of: targets, batch) }
    return isNew
  }

  /// Inserts the other direction of a link, whose place in the other's list is unknown.
  private func insertReverse(
    from owner: [Cell], to target: Int, of targets: borrowing TargetKeys, _ batch: borrowing RowBatch
  ) throws {
    for part in 0..<targetWidth { insertion.bind(targets.cell(target, part: part), of: batch, at: part + 1) }
    for part in 0..<ownerWidth { insertion.bind(owner[part], of: batch, at: targetWidth + part + 1) }
    if sql.order != nil { insertion.bindNull(at: ownerWidth + targetWidth + 1) }
    try insertion.run()
  }

  func move(_ link: Int64, to place: Int) throws {
    guard let reordering else { return }
    reordering.bind(Int64(place), at: 1)
    reordering.bind(link, at: 2)
    try reordering.run()
  }

  func remove(_ link: Int64) throws {
    if isSymmetric {
      reverseRemoval.bind(link, at: 1)
      try reverseRemoval.run()
    }
    removal.bind(link, at: 1)
    try removal.run()
  }

  func target(of link: Int64) throws -> Int64? {
    targetRow.bind(link, at: 1)
    guard try targetRow.step() else { return nil }
    defer { targetRow.reset() }
    return targetRow.integer(0)
  }

  func find(from owner: [Cell], to target: [Cell], _ batch: borrowing RowBatch) throws -> Int64? {
    for (index, cell) in (owner + target).enumerated() { finding.bind(cell, of: batch, at: index + 1) }
    guard try finding.step() else { return nil }
    defer { finding.reset() }
    return finding.integer(0)
  }
}

/// The statements of ``JoinStatements``.
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

/// The statements on one-to-one relationships whose foreign key is in the rows of their table.
final class OneToOneStatements {
  private let width: Int
  private let rivals: PreparedStatement
  private let unlinking: PreparedStatement
  /// Makes a row point to a key, if it does not yet.
  private let pointing: PreparedStatement
  private let key: PreparedStatement

  init(_ key: ForeignKey, _ transaction: SQLiteTransaction) throws {
    let layout = transaction.layout
    guard case .foreignKey(let columns) = layout.relationships[key.relationship.index] else {
      throw StoreError.invalid("\(key.relationship.name) is not kept in its owner.")
    }
    let sql = OneToOneSQL(table: layout.table(of: key.relationship.owner), foreignKey: columns)
    width = columns.count
    rivals = try transaction.cached(sql.rivals)
    unlinking = try transaction.cached(sql.unlinking)
    pointing = try transaction.cached(sql.pointing)
    self.key = try transaction.cached(sql.key)
  }

  func rivals(of target: [Cell], sparing row: Int64, _ batch: borrowing RowBatch) throws -> [Int64] {
    for index in target.indices { rivals.bind(target[index], of: batch, at: index + 1) }
    rivals.bind(row, at: target.count + 1)
    var rows: [Int64] = []
    while try rivals.step() { rows.append(rivals.integer(0)) }
    return rows
  }

  func unlink(_ row: Int64) throws {
    unlinking.bind(row, at: 1)
    try unlinking.run()
  }

  func point(_ row: Int64, to target: [Cell], _ batch: borrowing RowBatch) throws -> Bool {
    pointing.bind(row, at: 1)
    for index in target.indices { pointing.bind(target[index], of: batch, at: index + 2) }
    try pointing.run()
    return pointing.changes > 0
  }

  func point(_ row: Int64, toKeyOf other: Int64) throws -> Bool {
    key.bind(other, at: 1)
    guard try key.step() else { return false }
    pointing.bind(row, at: 1)
    for index in 0..<width { pointing.bind(key.string(index), at: index + 2) }
    key.reset()
    try pointing.run()
    return pointing.changes > 0
  }
}

/// The statements of ``OneToOneStatements``.
struct OneToOneSQL {
  let table: Table
  let foreignKey: [Int]

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

  var key: String { "SELECT \(SQL.list(keyNames)) FROM \(name) WHERE rowid = ?1" }

  /// Makes the row with row id `?1` point to a key, if it does not yet.
  var pointing: String {
    let settings = foreignKeyNames.enumerated().map { "\(SQL.quoted($1)) = ?\($0 + 2)" }
    let differences = foreignKeyNames.enumerated().map { "\(SQL.quoted($1)) IS NOT ?\($0 + 2)" }
    return "UPDATE \(name) SET \(settings.joined(separator: ", ")) WHERE rowid = ?1"
      + " AND (\(differences.joined(separator: " OR ")))"
  }
}
