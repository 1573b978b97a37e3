import Bytes
import ObjectModel
import ObjectStore

/// A row and all that hangs on it: first the objects that its foreign keys lead to, then the row, then its lists.
extension WorkingWriter {
  func begin(_ step: RowStep, _ batch: inout RowBatch) {
    depth += 1
    defer { depth -= 1 }
    guard DeepRecursion.isNeeded(at: depth) else { return write(step, &batch) }
    do {
      try DeepRecursion.run { write(step, &batch) }
    } catch {
      stackFailure = stackFailure ?? error
    }
  }

  private func write(_ step: RowStep, _ batch: inout RowBatch) {
    var step = step
    let row = step.row
    guard batch.rows[row].state != .reference else { return }
    let model = model(of: batch.rows[row].entity)
    if batch.rows[row].state == .skipped {
      if !batch.rows[row].isHeld { kept.tally.countSkipped(entity: batch.rows[row].entity) }
      return beginIndependentParts(of: row, &batch)
    }
    if holdIfNeeded(step, model, &batch) || holdUnsent(step, model, &batch) { return }
    for key in model.foreignKeys { writeTarget(of: key, &step, model, &batch) }
    store(step, model, &batch)
  }

  // MARK: - Foreign keys

  /// Writes the object that a foreign key leads to, and puts its key in the row's cells.
  private func writeTarget(
    of key: EntityModel.ForeignKey, _ step: inout RowStep, _ model: EntityModel, _ batch: inout RowBatch
  ) {
    let cell = batch[step.row, key.slots[0]]
    let isPart = key.leadsToPart
    let isFromList = key.relationship.inverse.map { layout.schema.relationships[$0].isToMany } ?? false
    // What took another object's place has none of its links, but for those that other objects' lists make.
    let isEmptied = step.isReplacement && cell.kind == .absent && !isFromList
    if isEmptied { for slot in key.slots { batch[step.row, slot] = .null } }
    if isPart, cell.kind == .null || isEmptied { release(key, &step, model, &batch) }
    guard cell.kind == .row else { return }
    let target = Int(cell.bits)
    if target != batch.rows[step.row].parent {
      let existing = isPart ? storedReference(of: step, key, model, batch) : nil
      begin(RowStep(row: target, existing: existing), &batch)
    }
    if isPart, batch.rows[target].isNew {
      step.inserted.append((batch.rows[target].entity, batch.rows[target].rowID))
    }
    for slot in key.slots {
      let cell = resolved(batch[step.row, slot], batch)
      // The link of what took another object's place was to be this one, which cannot be used.
      let isLost = cell.kind == .absent && step.isReplacement && !isPart && !isFromList
      batch[step.row, slot] = isLost ? .null : cell
    }
  }

  /// Notes that the part which a row led to goes, unless the import may not delete it.
  private func release(
    _ key: EntityModel.ForeignKey, _ step: inout RowStep, _ model: EntityModel, _ batch: inout RowBatch
  ) {
    guard policy.operations.contains(.delete) else {
      for slot in key.slots { batch[step.row, slot] = .absent }
      return
    }
    if let part = storedReference(of: step, key, model, batch) {
      step.released.append(RowLocation(table: state.tableIndex(of: key.relationship.destination), row: part))
    }
  }

  func storedReference(
    of step: RowStep, _ key: EntityModel.ForeignKey, _ model: EntityModel, _ batch: borrowing RowBatch
  ) -> Int64? {
    guard let found = find(step, model, batch),
      case .integer(let row) = found.object.values[model.layout.slots[key.slots[0]]]
    else { return nil }
    return row
  }

  /// The stored object that a row is about.
  func find(
    _ step: RowStep, _ model: EntityModel, _ batch: borrowing RowBatch
  ) -> (row: Int64, object: StoredRow)? {
    let table = state.tables[model.layout.table]
    let row =
      model.hasIdentity
      ? table.find(keyValues(step.row, batch)) : step.existing
    return row.flatMap { row in table[row].map { (row, $0) } }
  }

  // MARK: - Rows that are held back

  private func holdIfNeeded(_ step: RowStep, _ model: EntityModel, _ batch: inout RowBatch) -> Bool {
    let operations = policy.operations.intersection(batch.rows[step.row].operations)
    if model.version == nil, operations.contains([.insert, .update]) { return false }
    let found = find(step, model, batch)
    let reason: HoldReason
    if let found {
      if !operations.contains(.update) {
        reason = .excluded
      } else if isNewer(found.object, step.row, model, batch) {
        reason = .outdated
      } else {
        return false
      }
    } else if operations.contains(.insert) {
      return false
    } else {
      reason = .excluded
    }
    hold(step.row, reason, found: found?.row, model, &batch)
    return true
  }

  /// Leaves a row alone, and writes what it nests.
  func hold(
    _ row: Int, _ reason: HoldReason, found: Int64?, _ model: EntityModel, _ batch: inout RowBatch
  ) {
    batch.rows[row].isHeld = true
    // An object that is there can be referred to; one that is not counts as one that was skipped.
    let isThere = found != nil && model.layout.entity.hasIdentity
    batch.rows[row].state = isThere ? .reference : .skipped
    if let found { batch.rows[row].rowID = found }
    kept.tally.countHeld(
      reason, row: found, entity: model.layout.entity.index, table: model.layout.table)
    beginIndependentParts(of: row, &batch)
  }

  /// Whether what is stored is a newer version than a row.
  private func isNewer(
    _ object: StoredRow, _ row: Int, _ model: EntityModel, _ batch: borrowing RowBatch
  ) -> Bool {
    guard let slot = model.version, !policy.isLocal else { return false }
    let column = model.layout.slots[slot]
    let (stored, new) = (object.values[column], Value(batch[row, slot], batch))
    switch (stored, new) {
    case (.text, .text) where layout.tables[model.layout.table].columns[column].type == .decimal:
      return new.compareAsDecimal(with: stored) < 0
    case (.integer, .integer), (.real, .real), (.text, .text): return new.precedes(stored)
    default: return false
    }
  }

  /// Of a row that is not written, writes what has an identity of its own.
  func beginIndependentParts(of row: Int, _ batch: inout RowBatch) {
    for key in model(of: batch.rows[row].entity).foreignKeys where batch[row, key.slots[0]].kind == .row {
      let target = Int(batch[row, key.slots[0]].bits)
      if target != batch.rows[row].parent { beginIndependent(target, of: row, &batch) }
    }
    for list in lists(row, batch).reversed() { beginIndependentTargets(list, of: row, &batch) }
  }

  /// Writes the objects of a list that is not written.
  ///
  /// - Parameter isHeld: Whether nothing is wrong with the list, so that none of its objects counts as skipped.
  func beginIndependentTargets(
    _ list: LinkList, of row: Int, isHeld: Bool = false, _ batch: inout RowBatch
  ) {
    for case .row(let target) in targets(list, batch) {
      beginIndependent(target, of: row, isHeld: isHeld, &batch)
    }
  }

  /// Writes a row though the one that holds it is not written. A part is skipped with what holds it.
  func beginIndependent(_ row: Int, of owner: Int, isHeld: Bool = false, _ batch: inout RowBatch) {
    if !layout.schema.entities[batch.rows[row].entity].hasIdentity, batch.rows[row].state == .object {
      batch.rows[row].state = .skipped
      batch.rows[row].isHeld = isHeld || batch.rows[owner].isHeld
    }
    begin(RowStep(row: row), &batch)
  }

  // MARK: - Storing

  private func store(_ step: RowStep, _ model: EntityModel, _ batch: inout RowBatch) {
    let row = step.row
    if let known = repeated(row, model, batch) {
      batch.rows[row].rowID = known
      batch.rows[row].isRepetition = true
      kept.tally.countDuplicate()
      return writeLists(of: row, &batch)
    }
    let changesBefore = state.tables[model.layout.table].changeCount
    var result = upsert(step, model, batch)
    noteOwnChanges(of: model.layout.table, since: changesBefore)
    if case .problem(.notUnique) = result, let other = storeWithoutUnique(step, model, &batch) {
      result = other
    }
    guard case .written(let written) = result else {
      if case .problem(let reason) = result { add(reason, row: row) }
      repetitions.forgetLast(entity: batch.rows[row].entity)
      kept.tally.countSkipped(entity: batch.rows[row].entity)
      batch.rows[row].state = .skipped
      for part in step.inserted { deleter.deleteInserted(part.row, of: part.entity) }
      return beginIndependentParts(of: row, &batch)
    }
    noteWritten(row, written, model, &batch)
    for part in step.released { _ = deleter.delete(part) }
    writeLists(of: row, &batch)
    guard step.isReplacement, step.existing != nil else { return }
    // What took another object's place has nothing in the lists that it does not mention.
    let mentioned = lists(row, batch).map(\.relationship)
    for index in model.layout.entity.relationships where !mentioned.contains(index) {
      switch layout.relationships[index] {
      case .foreignKey: continue
      case .join where layout.schema.relationships[index].inverse != nil: continue
      case .inverse, .join:
        write(.clearing(index, of: row), of: row, &batch)
      }
    }
  }

  /// The entity of the stored object that has the identity of a row; nil if there is none.
  func storedEntity(of row: Int, _ batch: borrowing RowBatch) -> Int? {
    find(RowStep(row: row, existing: nil), model(of: batch.rows[row].entity), batch)?.object.entity
  }

  // MARK: - Objects that are told again

  /// The row of the object of a nested row, if the values of that came last under its key as well.
  private func repeated(_ row: Int, _ model: EntityModel, _ batch: borrowing RowBatch) -> Int64? {
    guard !policy.isLocal else { return nil }
    let table = model.layout.table
    let changes = state.tables[table].changeCount
    if changes != knownChanges[table] {
      repetitions.forget(inTable: table)
      knownChanges[table] = changes
    }
    return repetitions.remember(row, of: model.layout, isNested: batch.rows[row].parent >= 0, batch)
  }

  /// Notes that what was changed of a table since it was last looked at is a row that repetitions know.
  private func noteOwnChanges(of table: Int, since changes: Int) {
    if knownChanges[table] == changes { knownChanges[table] = state.tables[table].changeCount }
  }

  private func noteWritten(
    _ row: Int, _ written: Written, _ model: EntityModel, _ batch: inout RowBatch
  ) {
    let entity = batch.rows[row].entity
    batch.rows[row].rowID = written.row
    batch.rows[row].isNew = written.outcome == .inserted
    batch.rows[row].ownerChange = written.ownerChange
    kept.tally.count(written.outcome, row: written.row, entity: entity, table: model.layout.table)
    repetitions.setLastRowID(written.row, entity: entity)
    if written.outcome == .inserted || written.formerKind != nil { connect(row, model, batch) }
    if written.outcome == .inserted { noteMissingLinks(of: row, model, batch) }
    if let kind = written.formerKind {
      let place = RowLocation(table: model.layout.table, row: written.row)
      deleter.removeLinks(of: place, formerly: kind, now: model.layout.entity)
    }
    checkReferences(of: row, model, batch)
    dropClaims(contradictedBy: row, model, batch)
    for key in model.foreignKeys {
      updateOtherEnd(of: row, key, isChanged: written.outcome != .unchanged, batch)
    }
  }

  // MARK: - Inserting and updating

  enum Result {
    case written(Written)
    case problem(RowProblem.Reason)
  }

  struct Written {
    var row: Int64
    var outcome: WriteCounter.Outcome
    var ownerChange = OwnerChange.none
    var formerKind: Int?
  }

  private func upsert(
    _ step: RowStep, _ model: EntityModel, _ batch: borrowing RowBatch, allowsMissing: Bool = false
  ) -> Result {
    let missing = allowsMissing ? nil : model.required.first { !has(step.row, $0, batch) }
    if let found = find(step, model, batch) {
      guard step.isReplacement, !model.layout.entity.hasIdentity else {
        return update(found, step.row, model, batch)
      }
      if let missing { return .problem(.missing(attribute: model.attribute(of: missing))) }
      return replace(found, step.row, model, batch)
    }
    if model.layout.entity.isAbstract { return .problem(.unknownKind) }
    if let missing { return .problem(.missing(attribute: model.attribute(of: missing))) }
    let table = model.layout.table
    var object = StoredRow(
      entity: model.layout.entity.index,
      values: Array(repeating: .null, count: layout.tables[table].columns.count))
    for slot in model.layout.slots.indices { set(slot, of: step.row, in: &object, model, batch) }
    let constraint = state.tables[table].violation(object, in: nil)
    if let constraint, !policy.isLocal { return .problem(.notUnique(constraint)) }
    let row = state.tables[table].insert(object, hasIdentity: model.layout.entity.hasIdentity)
    if constraint != nil { noteUnchecked(RowLocation(table: table, row: row), row: step.row) }
    return .written(Written(row: row, outcome: .inserted))
  }

  /// Sets a slot of an object as a row says it; where it says nothing, to the default.
  private func set(
    _ slot: Int, of row: Int, in object: inout StoredRow, _ model: EntityModel, _ batch: borrowing RowBatch
  ) {
    let cell = batch[row, slot]
    let value = cell.kind == .absent ? Value(model.defaults.value(slot)) : Value(cell, batch)
    object.values[model.layout.slots[slot]] = value
  }

  /// Puts a row, defaults and all, in the place of an object without identity.
  private func replace(
    _ found: (row: Int64, object: StoredRow), _ row: Int, _ model: EntityModel, _ batch: borrowing RowBatch
  ) -> Result {
    var hasDefaults = true
    for slot in model.layout.attributeSlots where batch[row, slot].kind == .absent {
      let value = Value(model.defaults.value(slot))
      hasDefaults = hasDefaults && found.object.values[model.layout.slots[slot]] == value
    }
    if hasDefaults { return update(found, row, model, batch) }
    var object = found.object
    let kind = object.entity
    for slot in model.layout.slots.indices { set(slot, of: row, in: &object, model, batch) }
    object.entity = kind
    let changed = object
    state.tables[model.layout.table].update(found.row) { $0 = changed }
    return .written(Written(row: found.row, outcome: .updated))
  }

  private func update(
    _ found: (row: Int64, object: StoredRow), _ row: Int, _ model: EntityModel, _ batch: borrowing RowBatch
  ) -> Result {
    let (entity, before) = (model.layout, found.object)
    var changed: Set<Int> = []
    for slot in entity.slots.indices where batch[row, slot].kind != .absent {
      let new = Value(batch[row, slot], batch)
      if differs(before.values[entity.slots[slot]], new, slot, model) { changed.insert(slot) }
    }
    var ownerChange = OwnerChange.none
    for key in model.foreignKeys where !changed.isDisjoint(with: key.slots) {
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
      for slot in model.required
      where batch[row, slot].kind == .absent && before.values[entity.slots[slot]].isNull {
        return .problem(.missing(attribute: model.attribute(of: slot)))
      }
      formerKind = before.entity
      becomeKind(&object, &changed, formerly: before.entity, row, model, batch)
    }
    for slot in changed { set(slot, of: row, in: &object, model, batch) }
    guard !changed.isEmpty || formerKind != nil else {
      return .written(Written(row: found.row, outcome: .unchanged, ownerChange: ownerChange))
    }
    let constraint = state.tables[entity.table].violation(object, in: found.row)
    if let constraint, !policy.isLocal { return .problem(.notUnique(constraint)) }
    if constraint != nil { noteUnchecked(RowLocation(table: entity.table, row: found.row), row: row) }
    let new = object
    state.tables[entity.table].update(found.row) { $0 = new }
    return .written(
      Written(row: found.row, outcome: .updated, ownerChange: ownerChange, formerKind: formerKind))
  }

  /// Whether a value is another than the one that is stored. A program may hold that in fewer digits.
  private func differs(_ stored: Value, _ new: Value, _ slot: Int, _ model: EntityModel) -> Bool {
    guard stored != new else { return false }
    guard let equality, model.layout.attributeSlots.contains(slot) else { return true }
    return !equality.isSame(model.layout, slot: slot, stored: stored.sql, new: new.sql)
  }

  /// Makes an object one of another kind: it gets the defaults of what it had not, and loses what only its former kind
  /// had.
  private func becomeKind(
    _ object: inout StoredRow, _ changed: inout Set<Int>, formerly kind: Int, _ row: Int,
    _ model: EntityModel, _ batch: borrowing RowBatch
  ) {
    let (entity, former) = (model.layout, layout.entities[kind])
    for slot in entity.attributeSlots
    where batch[row, slot].kind == .absent && model.defaults.cells[slot].kind != .absent
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

  struct DeferredValues {
    let ticket: Int
    let entity: Int
    let row: Int64
    let isNew: Bool
    /// By column, the value to set and the one that the object had.
    let values: [(column: Int, value: Value, former: Value)]
  }

  /// Notes an object that a program gave values which another has: that may give them away before the transaction ends.
  private func noteUnchecked(_ place: RowLocation, row: Int) {
    uncheckedValues.append((addDeferred(row: row), place))
  }

  /// The objects that have values which others have too.
  func uniquenessProblems() -> [DeferredProblem] {
    let items = uncheckedValues
    uncheckedValues = []
    return items.compactMap { ticket, place in
      guard let object = state.object(place) else { return nil }
      return state.tables[place.table].violation(object, in: place.row).map { (ticket, .notUnique($0)) }
    }
  }

  /// Writes a row without the values that must be unique: another object may give them away later.
  private func storeWithoutUnique(
    _ step: RowStep, _ model: EntityModel, _ batch: inout RowBatch
  ) -> Result? {
    let row = step.row
    var slots: [Int] = []
    for slot in model.unique where has(row, slot, batch) { slots.append(slot) }
    guard !policy.isLocal, !step.isReplacement, !slots.isEmpty else { return nil }
    let found = find(step, model, batch)
    let before = cells(row, slots, batch)
    var values: [(column: Int, value: Value, former: Value)] = []
    for (slot, cell) in zip(slots, before) {
      let column = model.layout.slots[slot]
      values.append((column, Value(cell, batch), found?.object.values[column] ?? .null))
      batch[row, slot] = .null
    }
    let result = upsert(step, model, batch, allowsMissing: true)
    for (slot, cell) in zip(slots, before) { batch[row, slot] = cell }
    guard case .written(let written) = result else { return nil }
    uniqueValues.append(
      DeferredValues(
        ticket: addDeferred(row: row), entity: model.layout.entity.index, row: written.row,
        isNew: written.outcome == .inserted, values: values))
    return result
  }

  /// Sets the values that waited for others to give them away, and says where they did not.
  func setUniqueValues() -> [DeferredProblem] {
    let items = uniqueValues
    uniqueValues = []
    return items.portions.flatMap { portion in
      fetchForUniqueness(portion)
      return portion.compactMap(setUniqueValues)
    }
  }

  private func setUniqueValues(_ item: DeferredValues) -> DeferredProblem? {
    let table = state.tableIndex(of: item.entity)
    guard var object = state.tables[table][item.row] else { return nil }
    for value in item.values { object.values[value.column] = value.value }
    let constraint = state.tables[table].violation(object, in: item.row)
    if constraint != nil { for value in item.values { object.values[value.column] = value.former } }
    let changed = object
    state.tables[table].update(item.row) { $0 = changed }
    guard let constraint else { return nil }
    guard item.isNew else { return (item.ticket, .valueNotUnique(constraint)) }
    deleter.deleteInserted(item.row, of: item.entity)
    return (item.ticket, .notUnique(constraint))
  }
}
