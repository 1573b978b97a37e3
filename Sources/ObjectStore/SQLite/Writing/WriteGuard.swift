import Bytes
import ObjectModel

/// Holds back rows with which nothing is wrong, but that may not be written.
///
/// What such a row nests and has an identity of its own is written all the same.
struct WriteGuard {
  private let context: WriteContext
  private let steps: WriteSteps

  init(_ context: WriteContext, _ steps: WriteSteps) {
    self.context = context
    self.steps = steps
  }

  /// Whether rows of an entity may have to be held back, for their version or what may be done with them.
  static func mayHold(
    _ entity: SchemaEntity, versionSlot: Int?, _ schema: Schema, _ policy: WritePolicy
  ) -> Bool {
    (versionSlot != nil && !policy.isLocal) || !policy.operations.isSuperset(of: [.insert, .update])
      || schema.relationships.contains { relationship in
        !policy.operations(for: relationship).isSuperset(of: [.insert, .update])
          && schema.entities[relationship.destination].root == entity.root
      }
  }

  /// Holds a row back if the store has a newer one, or if it is not to be inserted or updated. False if it may
  /// be written.
  func holdIfNeeded(_ step: RowStep, _ writer: EntityWriter, _ batch: inout RowBatch) throws -> Bool {
    let stored = try writer.storedVersion(of: step, batch)
    let operations = context.policy.operations.intersection(batch.rows[step.row].operations)
    guard let reason = reason(toHold: stored, operations) else { return false }
    hold(step.row, reason, stored: stored?.rowID, writer, &batch)
    return true
  }

  private func reason(
    toHold stored: EntityWriter.StoredVersion?, _ operations: Operations
  ) -> HoldReason? {
    guard let stored else { return operations.contains(.insert) ? nil : .excluded }
    guard operations.contains(.update) else { return .excluded }
    return stored.isNewer ? .outdated : nil
  }

  /// Holds a row back, and puts what it nests on the stack.
  ///
  /// - Parameter stored: The row id of the stored object, if it is there.
  private func hold(
    _ row: Int, _ reason: HoldReason, stored: Int64?, _ writer: EntityWriter, _ batch: inout RowBatch
  ) {
    batch.rows[row].isHeld = true
    // An object that is there can be referred to; one that is not counts as one that was skipped.
    batch.rows[row].state = stored == nil || !writer.layout.entity.hasIdentity ? .skipped : .reference
    if let stored { batch.rows[row].rowID = stored }
    context.tally.countHeld(
      reason, row: stored, entity: writer.layout.entity.index, table: writer.layout.table)
    steps.pushIndependentParts(of: row, writer, &batch)
  }

  // MARK: - What a program has changed and the server has not been told of

  /// Takes out of a row what may not be changed, or holds it back if nothing may. False if the rest is to be written.
  func holdUnsent(
    _ unsent: UnsyncedChanges, _ step: RowStep, _ writer: EntityWriter, _ batch: inout RowBatch
  ) throws -> Bool {
    let (row, table) = (step.row, writer.layout.table)
    guard let stored = try writer.storedVersion(of: step, batch) else {
      guard unsent.hasDeleted(inTable: table),
        unsent.hasDeleted(KeyText.text(of: context.declaredKey(of: row, batch), batch), table: table)
      else { return false }
      hold(row, .unsent, stored: nil, writer, &batch)
      return true
    }
    switch unsent.protection(of: stored.rowID, table: table) {
    case nil: return false
    case .everything:
      hold(row, .unsent, stored: stored.rowID, writer, &batch)
      return true
    case .properties(let names):
      let hadAny = removeProperties(names, of: row, writer, &batch)
      // The object keeps the identity that a program gave it, too.
      if hadAny || batch.rows[row].hasFormerKey {
        context.countUnsent(stored.rowID, entity: writer.layout.entity.index)
      }
      return false
    }
  }

  /// Makes properties of a row absent. True if it had any of them.
  private func removeProperties(
    _ names: Set<String>, of row: Int, _ writer: EntityWriter, _ batch: inout RowBatch
  ) -> Bool {
    var hadAny = batch.removeAttributes(names, of: row, writer.layout)
    for key in writer.foreignKeys
    where names.contains(context.layout.schema.relationships[key.relationship].name)
      && !writer.layout.entity.identityRelationships.contains(key.relationship)
    {
      guard let cell = batch.removeForeignKey(key.slots, order: key.order, of: row) else { continue }
      hadAny = true
      // The object that it holds is written all the same.
      if cell.kind == .row, Int(cell.bits) != batch.rows[row].parent {
        steps.pushIndependent(Int(cell.bits), of: row, isHeld: true, &batch)
      }
    }
    return removeLists(names, of: row, &batch) || hadAny
  }

  /// Takes lists off a row. True if there were any. Their objects are written all the same.
  private func removeLists(_ names: Set<String>, of row: Int, _ batch: inout RowBatch) -> Bool {
    let relationships = context.layout.schema.relationships
    let removed = batch.removeLists(of: row) { names.contains(relationships[$0].name) }
    for list in removed { steps.pushIndependentTargets(of: list, row, isHeld: true, &batch) }
    return !removed.isEmpty
  }
}
