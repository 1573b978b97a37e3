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
    let (entity, before) = (rules.layout, found.object)
    var changed: Set<Int> = []
    for slot in entity.slots.indices where batch[row, slot].kind != .absent {
      let new = Value(batch[row, slot], batch)
      if differs(before.values[entity.slots[slot]], new, slot, rules) { changed.insert(slot) }
    }
    var compared: ComparedValues?
    if !changed.isEmpty, !rules.comparedSlots.isEmpty {
      var values = ComparedValues()
      for slot in rules.comparedSlots
      where batch[row, slot].hasValue && !before.values[entity.slots[slot]].isNull {
        values.note(slot, isReplaced: changed.contains(slot))
      }
      compared = values
    }
    var ownerChange = OwnerChange.none
    for key in rules.foreignKeys where !changed.isDisjoint(with: key.slots) {
      // An object that leaves a list leaves its place in it.
      if let order = key.order, batch[row, order].kind == .absent { changed.insert(order) }
      let link = batch[row, key.slots[0]].link
      guard key.relationship.inverse != nil, link.isFromList,
        !before.values[entity.slots[key.slots[0]]].isNull
      else { continue }
      ownerChange = .made
      guard link == .claimedByList else { continue }
      // Another list may claim it too, so that is decided in the end.
      changed.subtract(key.slots + (key.order.map { [$0] } ?? []))
      ownerChange = .left
    }
    var object = before
    var formerKind: Int?
    if !state.isA(before, entity.entity.index) {
      for slot in rules.required
      where batch[row, slot].kind == .absent && before.values[entity.slots[slot]].isNull {
        return .problem(.missing(attribute: rules.attribute(of: slot)))
      }
      formerKind = before.entity
      becomeKind(&object, &changed, formerly: before.entity, row, rules, batch)
    }
    let replacesValues =
      rules.doubtsOwnership
      && (formerKind != nil
        || changed.contains { batch[row, $0].hasValue && !before.values[entity.slots[$0]].isNull })
    for slot in changed { set(slot, of: row, in: &object, rules, batch) }
    guard !changed.isEmpty || formerKind != nil else {
      return .written(WrittenRow(.unchanged, row: found.row, ownerChange: ownerChange, compared: compared))
    }
    let constraint = state.tables[entity.table].violation(object, in: found.row)
    if let constraint, !policy.isLocal { return .problem(.notUnique(constraint)) }
    if constraint != nil { noteUnchecked(RowLocation(table: entity.table, row: found.row), row: row) }
    let new = object
    state.tables[entity.table].update(found.row) { $0 = new }
    return .written(
      WrittenRow(
        .updated, row: found.row, ownerChange: ownerChange, replacesValues: replacesValues,
        compared: compared, formerKind: formerKind))
  }

  /// Whether a value is another than the one that is stored. A program may hold that in fewer digits.
  private func differs(_ stored: Value, _ new: Value, _ slot: Int, _ rules: EntityRules) -> Bool {
    guard stored != new else { return false }
    guard let equality, rules.layout.attributeSlots.contains(slot) else { return true }
    return !equality.isSame(rules.layout, slot: slot, stored: stored.sql, new: new.sql)
  }

  /// Makes an object one of another kind: it gets the defaults of what it had not, and loses what only its former kind
  /// had.
  private func becomeKind(
    _ object: inout StoredRow, _ changed: inout Set<Int>, formerly kind: Int, _ row: Int,
    _ rules: EntityRules, _ batch: borrowing RowBatch
  ) {
    let (entity, former) = (rules.layout, layout.entities[kind])
    for slot in entity.attributeSlots
    where batch[row, slot].kind == .absent && rules.defaults.cells[slot].kind != .absent
      && former.slotOfColumn[entity.slots[slot]] < 0
    {
      changed.insert(slot)
    }
    if let slot = entity.kindValueSlot { changed.insert(slot) }
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
