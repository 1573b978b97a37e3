import Bytes
import ObjectModel
package import ObjectStore

/// What takes rows of which nothing has to be decided one by one: those that are new and complete, and those that tell
/// values of an object that is there and no more.
///
/// What becomes of them shows when they are settled. Until then the database may not have them.
package protocol BulkRows: AnyObject {
  /// Whether it is worth to take bulk rows out of some records of a batch.
  func isWorthwhile(_ records: Range<Int>, of batch: borrowing RowBatch) -> Bool

  /// Whether rows of an entity can be taken now.
  func mayTake(_ entity: BulkEligibility) throws -> Bool

  /// Takes a row, unless it may have taken one with the same key, or the database cannot keep a value as it is.
  func take(_ row: Int, of batch: borrowing RowBatch, _ entity: BulkEligibility) throws -> BulkOutcome

  /// Notes the key of a row that the writer will write, so that no later row with that key is taken before.
  func avoid(_ row: Int, of batch: borrowing RowBatch, _ entity: BulkEligibility) throws

  /// Has the database hold all rows that were taken.
  ///
  /// - Parameter checksReferences: Whether all foreign keys that lead nowhere are to be told.
  func settle(checksReferences: Bool) throws

  /// What became of the rows that were taken, since this was last asked. They are settled.
  func takeResults() -> BulkResults
}

/// What became of a row that is offered as a bulk row.
package enum BulkOutcome {
  /// The writer has to write it.
  case refused
  /// It is new, with the number of its row.
  case inserted(Int64)
  /// It is as good as written; whether it changes anything shows later. Its number is known.
  case taken(Int64)
  /// It is as good as written; its number shows when it is settled.
  case takenWithoutNumber
}

/// What became of bulk rows once they are settled.
package struct BulkResults {
  /// Of rows whose number was known, those that were inserted or updated.
  package var changes: [(row: Int64, entity: Int, isNew: Bool)] = []
  /// Of the others all, in the order in which they were taken.
  package var rows: [(row: Int64, entity: Int, outcome: WriteCounter.Outcome)] = []
  /// Foreign keys that lead to no object.
  package var missing: [(relationship: Int, entity: Int, row: Int64)] = []

  package init() {}
}

/// What the rows of an entity have to be like to go in bulk.
package final class BulkEligibility {
  package let layout: EntityLayout
  package let defaults: DefaultCells
  /// The relationships whose links are in the rows' cells.
  package let references: [(relationship: Int, slots: [Int])]
  /// Whether links may wait for its objects.
  package let isAwaited: Bool
  /// Whether nothing links its objects, so that the order in which they are written does not matter.
  package let isAlone: Bool
  /// The slots that a new object must have.
  private let required: [Int]
  private let count: Int

  /// Nil if the rules of imports ask for more than a bulk row tells.
  init?(_ model: EntityModel, _ layout: Layout, _ policy: WritePolicy) {
    let entity = model.layout.entity
    let table = layout.tables[model.layout.table]
    guard !policy.isLocal, policy.operations.contains([.insert, .update]), entity.hasIdentity,
      !entity.isAbstract, table.kindColumn == nil, !table.holdsMixedKeys, model.layout.kindValueSlot == nil,
      table.kindValueColumn == nil, model.version == nil, model.unique.isEmpty,
      !table.columns.contains(where: \.holdsMixedKeys), model.layout.slots.count < 63,
      model.layout.keySlots == model.layout.identitySlots
    else { return nil }
    for relationship in entity.relationships.map({ layout.schema.relationships[$0] }) {
      let key = model.foreignKeys.first { $0.relationship.index == relationship.index }
      if let key, !Self.isEligible(key, layout, policy) { return nil }
      if relationship.isIdentity || (key == nil && relationship.requiresTarget) { return nil }
    }
    (self.layout, defaults, count) = (model.layout, model.defaults, model.layout.slots.count)
    references = model.foreignKeys.map { ($0.relationship.index, $0.slots) }
    let leading = layout.schema.relationships.filter { entity.ancestry.contains($0.destination) }
    isAwaited = leading.contains {
      if case .inverse = layout.relationships[$0.index] { true } else { false }
    }
    isAlone = entity.relationships.isEmpty && leading.isEmpty
    let links = model.foreignKeys.filter(\.relationship.requiresTarget).map { $0.slots[0] }
    required = model.layout.keySlots + model.required + links
  }

  /// Whether a foreign key concerns no other row than its own.
  private static func isEligible(
    _ key: EntityModel.ForeignKey, _ layout: Layout, _ policy: WritePolicy
  ) -> Bool {
    let relationship = key.relationship
    guard key.order == nil, layout.schema.entities[relationship.destination].hasIdentity,
      policy.treatment(ofReferences: relationship) != .stub
    else { return false }
    return relationship.inverse.map { layout.schema.relationships[$0].isToMany } ?? true
  }

  /// Whether a row is a record of its own that tells all that a new object needs.
  @inline(__always)
  func isEligible(_ row: Int, _ batch: borrowing RowBatch) -> Bool {
    let cells = batch.cells.base + batch.rows.base[row].firstCell
    for slot in 0..<count where cells[slot].isRow { return false }
    for slot in required where !cells[slot].hasValue { return false }
    for reference in references where cells[reference.slots[0]].link != .unknown { return false }
    return true
  }
}
