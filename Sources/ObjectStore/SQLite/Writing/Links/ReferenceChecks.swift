import Bytes
import ObjectModel

/// Looks whether what rows and links refer to is there.
final class ReferenceChecks {
  private let context: WriteContext
  private let references: PendingReferences
  private let stubs: StubWriter
  /// By entity; made when first needed.
  private var targets: [TargetTable?]

  init(_ context: WriteContext, _ references: PendingReferences, _ stubs: StubWriter) {
    self.context = context
    self.references = references
    self.stubs = stubs
    targets = Array(repeating: nil, count: context.layout.entities.count)
  }

  /// Looks whether the objects that a row's foreign keys name are there.
  func check(_ row: Int, _ writer: EntityWriter, _ batch: borrowing RowBatch) throws {
    for key in writer.foreignKeys {
      guard let first = key.slots.first else { continue }
      let cell = batch.cell(row, first)
      guard cell.kind != .absent, cell.kind != .null, cell.link == .unknown else { continue }
      var target: [Cell] = []
      for slot in key.slots { target.append(batch[row, slot]) }
      context.noteLinksByKey(of: key.relationship)
      guard try !findOrMakeTarget(target, of: key.relationship, in: key.destination, batch) else { continue }
      references.add(
        context.layout.schema.relationships[key.relationship], entity: writer.layout.entity.index,
        row: batch.rows[row].rowID)
    }
  }

  /// Looks whether the object that a link of a join table names is there.
  func check(
    link relationship: SchemaRelationship, row: Int64, target: [Cell], _ batch: borrowing RowBatch
  ) throws {
    guard try !findOrMakeTarget(target, of: relationship.index, in: relationship.destination, batch) else {
      return
    }
    references.add(relationship, row: row)
  }

  /// Looks for the target of a relationship, and makes a stub of it where that is the policy. False if the target is not
  /// there and is waited for.
  private func findOrMakeTarget(
    _ key: [Cell], of relationship: Int, in entity: Int, _ batch: borrowing RowBatch
  ) throws -> Bool {
    guard try !target(entity).contains(key, batch) else { return true }
    // What a program deleted is not waited for.
    let table = context.layout.entities[entity].table
    if let unsent = context.unsent, unsent.hasDeleted(inTable: table),
      unsent.hasDeleted(KeyText.text(of: key, batch), table: table)
    {
      return true
    }
    guard let stub = try stubs.makeStub(for: relationship, key, batch) else { return false }
    try checkOwners(ofStub: stub, key, in: entity, batch)
    return true
  }

  /// Looks whether the objects are there that the key of a stub names.
  func checkOwners(ofStub row: Int64, _ key: [Cell], in entity: Int, _ batch: borrowing RowBatch) throws {
    let (layout, table) = (context.layout, context.layout.table(of: entity))
    for index in layout.schema.entities[entity].identityRelationships {
      guard case .foreignKey(let columns) = layout.relationships[index] else { continue }
      let relationship = layout.schema.relationships[index]
      let owner = columns.compactMap(table.key.firstIndex).map { key[$0] }
      guard try !findOrMakeTarget(owner, of: index, in: relationship.destination, batch) else { continue }
      references.add(relationship, entity: entity, row: row)
    }
  }

  private func target(_ entity: Int) throws -> TargetTable {
    if let known = targets[entity] { return known }
    let layout = context.layout
    let target = try TargetTable(
      layout.table(of: entity), condition: layout.kindCondition(of: entity), context.transaction)
    targets[entity] = target
    return target
  }
}
