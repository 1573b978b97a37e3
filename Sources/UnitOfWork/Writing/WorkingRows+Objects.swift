import Bytes
import ObjectModel
package import ObjectStore

/// Inserting and updating objects.
extension WorkingRows {
  func upsert(
    _ step: RowStep, _ rules: EntityRules, _ batch: borrowing RowBatch, allowsMissing: Bool
  ) -> WriteResult {
    let missing = allowsMissing ? nil : rules.required.first { !batch[step.row, $0].hasValue }
    if let found = find(step, rules, batch) {
      guard step.isReplacement, !rules.layout.entity.hasIdentity else {
        return update(found, step.row, rules, batch)
      }
      if let missing { return .problem(.missing(attribute: rules.attribute(of: missing))) }
      return replace(found, step.row, rules, batch)
    }
    if rules.layout.entity.isAbstract { return .problem(.unknownKind) }
    if let missing { return .problem(.missing(attribute: rules.attribute(of: missing))) }
    let table = rules.layout.table
    var object = StoredRow(
      entity: rules.layout.entity.index,
      values: Array(repeating: .null, count: layout.tables[table].columns.count))
    for slot in rules.layout.slots.indices { set(slot, of: step.row, in: &object, rules, batch) }
    let constraint = state.tables[table].violation(object, in: nil)
    if let constraint, !policy.isLocal { return .problem(.notUnique(constraint)) }
    let row = state.tables[table].insert(object, hasIdentity: rules.layout.entity.hasIdentity)
    if constraint != nil { noteUnchecked(RowLocation(table: table, row: row), row: step.row) }
    return .written(WrittenRow(.inserted, row: row))
  }

  /// Sets a slot of an object as a row says it; where it says nothing, to the default.
  private func set(
    _ slot: Int, of row: Int, in object: inout StoredRow, _ rules: EntityRules, _ batch: borrowing RowBatch
  ) {
    let cell = batch[row, slot]
    let value = cell.kind == .absent ? Value(rules.defaults.value(slot)) : Value(cell, batch)
    object.values[rules.layout.slots[slot]] = value
  }

  /// Puts a row, defaults and all, in the place of an object without identity.
  private func replace(
    _ found: (row: Int64, object: StoredRow), _ row: Int, _ rules: EntityRules, _ batch: borrowing RowBatch
  ) -> WriteResult {
    var hasDefaults = true
    for slot in rules.layout.attributeSlots where batch[row, slot].kind == .absent {
      let value = Value(rules.defaults.value(slot))
      hasDefaults = hasDefaults && found.object.values[rules.layout.slots[slot]] == value
    }
    if hasDefaults { return update(found, row, rules, batch) }
    var object = found.object
    let kind = object.entity
    for slot in rules.layout.slots.indices { set(slot, of: row, in: &object, rules, batch) }
    object.entity = kind
    let changed = object
    state.tables[rules.layout.table].update(found.row) { $0 = changed }
    return .written(WrittenRow(.updated, row: found.row))
  }

  private func update(
    _ found: (row: Int64, object: StoredRow), _ row: Int, _ rules: EntityRules, _ batch: borrowing RowBatch
  ) -> WriteResult {
    let entity = rules.layout
    let former = state.isA(found.object, entity.entity.index) ? nil : layout.entities[found.object.entity]
    let change = RowChange(
      batch.rows[row].firstCell, of: batch, over: FoundObject(object: found.object, slots: entity.slots),
      formerly: former, rules, equality)
    if let missing = change.missing { return .problem(.missing(attribute: rules.attribute(of: missing))) }
    guard !change.isEmpty else {
      return .written(
        WrittenRow(.unchanged, row: found.row, ownerChange: change.ownerChange, compared: change.compared))
    }
    var object = found.object
    if former != nil { becomeKind(&object, entity) }
    for slot in entity.slots.indices where change.slots.contains(slot) {
      set(slot, of: row, in: &object, rules, batch)
    }
    let constraint = state.tables[entity.table].violation(object, in: found.row)
    if let constraint, !policy.isLocal { return .problem(.notUnique(constraint)) }
    if constraint != nil { noteUnchecked(RowLocation(table: entity.table, row: found.row), row: row) }
    let new = object
    state.tables[entity.table].update(found.row) { $0 = new }
    return .written(
      WrittenRow(
        .updated, row: found.row, ownerChange: change.ownerChange, replacesValues: change.replacesValues,
        compared: change.compared, formerKind: change.formerKind))
  }

  /// Makes an object one of another kind, which loses what only its former kind had.
  private func becomeKind(_ object: inout StoredRow, _ entity: EntityLayout) {
    object.entity = entity.entity.index
    for (column, slot) in entity.slotOfColumn.enumerated()
    where slot < 0 && !layout.tables[entity.table].columns[column].isKey {
      object.values[column] = .null
    }
  }

  // MARK: - Values that must be unique

  /// Notes an object that a program gave values which another has: that may give them away before the transaction ends.
  private func noteUnchecked(_ place: RowLocation, row: Int) {
    uncheckedValues.append((context.problems.addDeferred(row: row), place))
  }

  /// The objects that have values which others have too.
  package func uniquenessProblems() -> [DeferredProblem] {
    let items = uncheckedValues
    uncheckedValues = []
    return items.compactMap { ticket, place in
      guard let object = state.object(place) else { return nil }
      return state.tables[place.table].violation(object, in: place.row).map { (ticket, .notUnique($0)) }
    }
  }
}

/// The stored object that a row is compared with.
private struct FoundObject: FoundRow {
  let object: StoredRow
  /// The columns of the slots.
  let slots: [Int]

  func isNull(_ slot: Int) -> Bool { object.values[slots[slot]].isNull }

  func equals(_ slot: Int, _ cell: Cell, _ batch: borrowing RowBatch) -> Bool {
    object.values[slots[slot]].equals(cell, batch)
  }

  func value(_ slot: Int) -> SQLValue { object.values[slots[slot]].sql }
}
