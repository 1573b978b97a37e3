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
  /// What the cells of a child's foreign key say of the link.
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
  func link(_ child: Int64, by claim: RelationshipClaims.Claim) throws {
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
      guard let refusal = try tools.deleter.delete(part, ofTable: tableIndex) else { continue }
      context.problems.add(
        .deletionDenied(relationship: refusal.relationship, key: refusal.key), row: step.owner)
    }
  }
}
