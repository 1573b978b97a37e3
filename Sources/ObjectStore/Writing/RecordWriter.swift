package import Bytes
import ObjectModel

/// Writes records: a root row and all that hangs on it.
///
/// First come the objects that a row's foreign keys lead to, then the row, then its lists. The rules stand here once, for every
/// engine; ``RowStore`` is what an engine does for them.
package final class RecordWriter<Rows: RowStore> {
  package let rows: Rows
  package let context: WriteContext
  let layout: Layout
  package let deleter: ObjectDeleter<Rows>
  package let pendingLinks: PendingLinks<Rows>
  /// The keys of the list that is being compared.
  var wanted = TargetKeys()
  /// The values that wait for other objects to give them away.
  var uniqueValues: [DeferredUniqueValues] = []
  private let repetitions: Repetitions
  private var folder: RecordFolder
  /// By entity, once they are needed.
  private var entityRules: [EntityRules?]
  /// By relationship, once they are needed.
  private var listRules: [ListRules?]
  /// How many rows are being written now, each nested in the one before.
  private var depth = 0

  package init(_ rows: Rows, _ deleter: ObjectDeleter<Rows>) {
    self.rows = rows
    self.deleter = deleter
    context = rows.context
    layout = context.layout
    pendingLinks = PendingLinks(rows)
    repetitions = context.repetitions
    folder = RecordFolder(layout, context.policy)
    entityRules = Array(repeating: nil, count: layout.entities.count)
    listRules = Array(repeating: nil, count: layout.schema.relationships.count)
  }

  package func rules(ofEntity entity: Int) -> EntityRules {
    if let known = entityRules[entity] { return known }
    let rules = EntityRules(entity, layout, context.policy)
    entityRules[entity] = rules
    return rules
  }

  package func rules(ofList relationship: Int) -> ListRules {
    if let known = listRules[relationship] { return known }
    let rules = ListRules(relationship, layout, context.policy)
    listRules[relationship] = rules
    return rules
  }

  /// Writes a root row and all that hangs on it: the rows from it to `end`.
  ///
  /// - Parameter existing: For an entity without identity, the row of the object to update.
  package func write(
    root: Int, to end: Int, over existing: Int64?, _ batch: inout RowBatch
  ) throws(Rows.Failure) {
    guard end - root > 1 else { return try begin(RowStep(root, over: existing), &batch) }
    let folded = folder.fold(from: root, to: end, &batch)
    for _ in 0..<folded { context.tally.countDuplicate() }
    try begin(RowStep(root, over: existing), &batch)
    if folded > 0 { try writeUnreached(from: root, to: end, &batch) }
  }

  /// Writes the objects that no row leads to any more, since a later row of the same object led to another: they came all
  /// the same. An object without identity belonged to that row.
  private func writeUnreached(from root: Int, to end: Int, _ batch: inout RowBatch) throws(Rows.Failure) {
    for row in root..<end {
      let header = batch.rows[row]
      guard header.state == .object, header.rowID == Row.unknownID,
        layout.schema.entities[header.entity].hasIdentity
      else { continue }
      try begin(RowStep(row), &batch)
    }
  }

  // MARK: - A row

  func begin(_ step: consuming RowStep, _ batch: inout RowBatch) throws(Rows.Failure) {
    depth += 1
    defer { depth -= 1 }
    guard DeepRecursion.isNeeded(at: depth) else { return try write(step, &batch) }
    try beginOnNewStack(step, &batch)
  }

  @inline(never)
  private func beginOnNewStack(_ step: RowStep, _ batch: inout RowBatch) throws(Rows.Failure) {
    var failure: Rows.Failure?
    do throws(SystemError) {
      try DeepRecursion.run {
        do throws(Rows.Failure) { try write(step, &batch) } catch { failure = error }
      }
    } catch {
      return try rows.noteFailure(error)
    }
    if let failure { throw failure }
  }

  private func write(_ step: RowStep, _ batch: inout RowBatch) throws(Rows.Failure) {
    let header = batch.rows.base[step.row]
    guard header.state != .reference else { return }
    let rules = rules(ofEntity: header.entity)
    guard header.state == .object else {
      if !header.isHeld { context.tally.countSkipped(entity: header.entity) }
      return try beginIndependentObjects(of: step.row, rules, &batch)
    }
    if rules.mayBeHeld, try holdIfNeeded(step, rules, &batch) { return }
    if let unsynced = context.unsynced {
      if unsynced.concerns(table: rules.layout.table), try holdUnsynced(unsynced, step, rules, &batch) {
        return
      }
      for key in rules.oneToOneKeys { try leaveUnsyncedTarget(of: key, step.row, &batch) }
    }
    guard !rules.foreignKeys.isEmpty else { return try store(step, rules, &batch) }
    var step = step
    for index in rules.foreignKeys.indices {
      // Passed on from the array: a copy would count references for every row.
      try writeTarget(of: rules.foreignKeys[index], &step, rules, &batch)
    }
    try store(step, rules, &batch)
  }

  // MARK: - Foreign keys

  /// Writes the object that a foreign key leads to, and puts its key in the row's cells.
  private func writeTarget(
    of key: ForeignKey, _ step: inout RowStep, _ rules: EntityRules, _ batch: inout RowBatch
  ) throws(Rows.Failure) {
    let cell = batch.cell(step.row, key.slots[0])
    let isOwned = !key.targetHasIdentity
    // An object that took another's place has none of its links, but for those that other objects' lists make.
    let isEmptied = step.isReplacement && cell.kind == .absent && !key.isFromList
    if isEmptied { for slot in key.slots { batch[step.row, slot] = .null } }
    if isOwned, cell.kind == .null || isEmptied { try releaseTarget(of: key, &step, rules, &batch) }
    guard cell.kind == .row else { return }
    let target = Int(cell.bits)
    if target != batch.rows[step.row].parent {
      let existing = isOwned ? try rows.storedReference(of: step, slot: key.slots[0], rules, batch) : nil
      try begin(RowStep(target, over: existing), &batch)
    }
    if isOwned, batch.rows[target].isNew {
      step.ownedObjects.orNew.inserted.append((batch.rows[target].entity, batch.rows[target].rowID))
    }
    for slot in key.slots {
      let cell = context.resolved(batch[step.row, slot], of: batch)
      // The link of what took another object's place was to be this one, which cannot be used.
      let isLost = cell.kind == .absent && step.isReplacement && !isOwned && !key.isFromList
      batch[step.row, slot] = isLost ? .null : cell
    }
  }

  /// Notes that the owned object which a row led to goes, unless the import may not delete it: then the row keeps it.
  private func releaseTarget(
    of key: ForeignKey, _ step: inout RowStep, _ rules: EntityRules, _ batch: inout RowBatch
  ) throws(Rows.Failure) {
    guard context.policy.operations.contains(.delete) else {
      for slot in key.slots { batch[step.row, slot] = .absent }
      return
    }
    guard let object = try rows.storedReference(of: step, slot: key.slots[0], rules, batch) else { return }
    let table = layout.entities[key.destination].table
    step.ownedObjects.orNew.released.append(RowLocation(table: table, row: object))
  }

  // MARK: - Storing

  /// Stores a row whose foreign keys are known, and writes its lists.
  private func store(_ step: RowStep, _ rules: EntityRules, _ batch: inout RowBatch) throws(Rows.Failure) {
    let row = step.row
    let isNested = batch.rows.base[row].parent >= 0
    if let known = repetitions.remember(row, of: rules.layout, isNested: isNested, batch) {
      batch.rows[row].rowID = known
      batch.rows[row].isRepetition = true
      context.tally.countDuplicate()
    } else {
      var result = try rows.write(step, rules, allowsMissing: false, &batch)
      if case .problem(.notUnique) = result,
        let other = try writeWithoutUniqueValues(step, rules, &batch)
      {
        result = other
      }
      switch result {
      case .problem(let reason): return try leaveOut(step, reason, rules, &batch)
      case .written(let written): try noteWritten(row, written, rules, &batch)
      }
      if let owned = step.ownedObjects { for place in owned.released { _ = try deleter.delete(place) } }
    }
    try writeLists(of: step, rules, &batch)
  }

  /// Notes why a row cannot be written, and writes what has an identity of its own among what it nests.
  private func leaveOut(
    _ step: RowStep, _ reason: RowProblem.Reason, _ rules: EntityRules, _ batch: inout RowBatch
  ) throws(Rows.Failure) {
    let entity = rules.layout.entity.index
    context.problems.add(reason, row: step.row)
    context.tally.countSkipped(entity: entity)
    batch.rows[step.row].state = .skipped
    repetitions.forgetLast(entity: entity)
    if let owned = step.ownedObjects {
      for object in owned.inserted { try deleter.deleteInserted(object.row, of: object.entity) }
    }
    try beginIndependentObjects(of: step.row, rules, &batch)
  }

  /// Counts a row that was written, and makes the links at its other ends agree.
  private func noteWritten(
    _ row: Int, _ written: WrittenRow, _ rules: EntityRules, _ batch: inout RowBatch
  ) throws(Rows.Failure) {
    let (entity, table, outcome) = (rules.layout.entity.index, rules.layout.table, written.outcome)
    batch.rows[row].rowID = written.row
    batch.rows[row].isNew = outcome == .inserted
    batch.rows[row].replacesValues = written.replacesValues
    batch.rows[row].ownerChange = written.ownerChange
    let isFirst = context.tally.count(outcome, row: written.row, entity: entity, table: table)
    if outcome != .inserted, !rules.comparedSlots.isEmpty {
      context.conflicts.note(written.compared, isFirst: isFirst, rules)
    }
    repetitions.setLastRowID(written.row, entity: entity)
    if outcome == .inserted || written.formerKind != nil, rows.hasPending {
      try pendingLinks.connect(row, rules.layout, batch)
    }
    if outcome == .inserted, !rules.requiredLinks.isEmpty { noteMissingLinks(of: row, rules, batch) }
    if let kind = written.formerKind {
      let place = RowLocation(table: table, row: written.row)
      try deleter.removeLinks(of: place, formerly: kind, now: rules.layout.entity)
    }
    guard !rules.foreignKeys.isEmpty else { return }
    try checkReferences(of: row, rules, batch)
    if context.claims.hasDeferred { dropClaims(contradictedBy: row, rules, batch) }
    for key in rules.oneToOneKeys {
      try updateOtherEnd(of: row, key, isChanged: outcome != .unchanged, batch)
    }
  }

  /// The entity of the stored object that has the identity of a row; nil if there is none.
  package func storedKind(of row: Int, _ batch: borrowing RowBatch) throws(Rows.Failure) -> Int? {
    let rules = rules(ofEntity: batch.rows[row].entity)
    guard let stored = try rows.storedVersion(of: RowStep(row), rules, batch) else { return nil }
    return try rows.entity(of: RowLocation(table: rules.layout.table, row: stored.row))?.index
  }
}

extension Optional where Wrapped == RowStep.OwnedObjectChanges {
  /// The changes, which are made when first needed.
  fileprivate var orNew: RowStep.OwnedObjectChanges {
    get { self ?? RowStep.OwnedObjectChanges() }
    set { self = newValue }
  }
}

// MARK: - Rows that are left alone

/// Rows with which nothing is wrong, but that may not be written. What such a row nests and has an identity of its own is
/// written all the same.
extension RecordWriter {
  /// Holds a row back if the store has a newer one, or if it is not to be inserted or updated. False if it may be written.
  private func holdIfNeeded(
    _ step: RowStep, _ rules: EntityRules, _ batch: inout RowBatch
  ) throws(Rows.Failure) -> Bool {
    let operations = context.policy.operations.intersection(batch.rows[step.row].operations)
    if rules.versionSlot == nil, operations.isSuperset(of: [.insert, .update]) { return false }
    let stored = try rows.storedVersion(of: step, rules, batch)
    let reason: HoldReason
    if let stored {
      guard stored.isNewer || !operations.contains(.update) else { return false }
      reason = operations.contains(.update) ? .outdated : .excluded
    } else {
      guard !operations.contains(.insert) else { return false }
      reason = .excluded
    }
    try hold(step.row, reason, stored: stored?.row, rules, &batch)
    return true
  }

  /// - Parameter stored: The row of the stored object, if it is there.
  private func hold(
    _ row: Int, _ reason: HoldReason, stored: Int64?, _ rules: EntityRules, _ batch: inout RowBatch
  ) throws(Rows.Failure) {
    batch.rows[row].isHeld = true
    // An object that is there can be referred to; one that is not counts as one that was skipped.
    batch.rows[row].state = stored == nil || !rules.layout.entity.hasIdentity ? .skipped : .reference
    if let stored { batch.rows[row].rowID = stored }
    context.tally.countHeld(
      reason, row: stored, entity: rules.layout.entity.index, table: rules.layout.table)
    try beginIndependentObjects(of: row, rules, &batch)
  }

  // MARK: - What a program has changed and the server has not been told of

  /// Takes out of a row what may not be changed, or holds it back if nothing may. False if the rest is to be written.
  private func holdUnsynced(
    _ unsynced: UnsyncedChanges, _ step: RowStep, _ rules: EntityRules, _ batch: inout RowBatch
  ) throws(Rows.Failure) -> Bool {
    let row = step.row
    guard let stored = try rows.storedVersion(of: step, rules, batch) else {
      let key = context.declaredKey(of: row, batch)
      guard context.isDeletedHere(key, of: rules.layout.entity.index, batch) else { return false }
      try hold(row, .unsent, stored: nil, rules, &batch)
      return true
    }
    switch unsynced.protection(of: stored.row, table: rules.layout.table) {
    case nil: return false
    case .everything:
      try hold(row, .unsent, stored: stored.row, rules, &batch)
      return true
    case .properties(let names):
      let hadAny = try removeProperties(names, of: row, rules, &batch)
      // The object keeps the identity that a program gave it, too.
      if hadAny || batch.rows[row].hasFormerKey {
        context.countUnsynced(stored.row, entity: rules.layout.entity.index)
      }
      return false
    }
  }

  /// Makes properties of a row absent. True if it had any of them. The objects that they hold are written all the same.
  private func removeProperties(
    _ names: Set<String>, of row: Int, _ rules: EntityRules, _ batch: inout RowBatch
  ) throws(Rows.Failure) -> Bool {
    var hadAny = batch.removeAttributes(names, of: row, rules.layout)
    for key in rules.foreignKeys where names.contains(key.relationship.name) && !key.relationship.isIdentity {
      guard let cell = batch.removeForeignKey(key.slots, order: key.order, of: row) else { continue }
      hadAny = true
      if cell.kind == .row, Int(cell.bits) != batch.rows[row].parent {
        try beginIndependent(Int(cell.bits), of: row, isHeld: true, &batch)
      }
    }
    let removed = batch.removeLists(of: row) { names.contains(layout.schema.relationships[$0].name) }
    for list in removed.reversed() { try beginIndependentTargets(list, of: row, isHeld: true, &batch) }
    return hadAny || !removed.isEmpty
  }

  /// Takes the link of one object to one out of a row, if a program gave its target another.
  private func leaveUnsyncedTarget(
    of key: ForeignKey, _ row: Int, _ batch: inout RowBatch
  ) throws(Rows.Failure) {
    guard !key.relationship.isIdentity, let inverse = key.inverse, batch[row, key.slots[0]].hasValue,
      !batch[row, key.slots[0]].isRow
    else { return }
    let table = layout.entities[key.destination].table
    // The name is the one that the target calls the relationship.
    guard let target = try rows.find(cells(row, key.slots, batch), inTable: table, batch),
      context.isUnsynced(inverse.name, of: target, entity: key.destination)
    else { return }
    context.countUnsynced(target, entity: key.destination)
    for slot in key.slots { batch[row, slot] = .absent }
  }

  // MARK: - Objects of rows that are not written

  /// Of a row that is not written, writes what has an identity of its own.
  private func beginIndependentObjects(
    of row: Int, _ rules: EntityRules, _ batch: inout RowBatch
  ) throws(Rows.Failure) {
    for key in rules.foreignKeys where batch[row, key.slots[0]].isRow {
      let target = Int(batch[row, key.slots[0]].bits)
      if target != batch.rows[row].parent { try beginIndependent(target, of: row, &batch) }
    }
    for list in lists(of: row, batch).reversed() { try beginIndependentTargets(list, of: row, &batch) }
  }

  /// Writes the objects of a list that is not written.
  ///
  /// - Parameter isHeld: Whether nothing is wrong with the list, so that none of its objects counts as skipped.
  func beginIndependentTargets(
    _ list: LinkList, of row: Int, isHeld: Bool = false, _ batch: inout RowBatch
  ) throws(Rows.Failure) {
    let width = rules(ofList: list.relationship).keyWidth
    var index = list.firstTarget
    for _ in 0..<list.count {
      let cell = batch.targets[index]
      index += cell.isRow ? 1 : width
      if cell.isRow { try beginIndependent(Int(cell.bits), of: row, isHeld: isHeld, &batch) }
    }
  }

  /// Writes a row though the one that holds it is not written. An object without identity is skipped with its owner.
  private func beginIndependent(
    _ row: Int, of owner: Int, isHeld: Bool = false, _ batch: inout RowBatch
  ) throws(Rows.Failure) {
    if !layout.schema.entities[batch.rows[row].entity].hasIdentity, batch.rows[row].state == .object {
      batch.rows[row].state = .skipped
      batch.rows[row].isHeld = isHeld || batch.rows[owner].isHeld
    }
    try begin(RowStep(row), &batch)
  }

  /// The lists of a row, the last first.
  func lists(of row: Int, _ batch: borrowing RowBatch) -> [LinkList] {
    var result: [LinkList] = []
    var next = batch.rows[row].firstList
    while next >= 0 {
      result.append(batch.lists[next])
      next = batch.lists[next].next
    }
    return result
  }

  func cells(_ row: Int, _ slots: [Int], _ batch: borrowing RowBatch) -> [Cell] {
    var cells: [Cell] = []
    for slot in slots { cells.append(batch[row, slot]) }
    return cells
  }
}

/// Runs what is written by recursion on threads that wait for each other, each for some levels, so that the depth of a record
/// does not use up the stack of a thread. A level takes up to 13 kB in a debug build.
enum DeepRecursion {
  /// For how many levels of nested rows any thread has room, one with 512 kB too.
  private static let levelsOfAny = 20
  private static let levels = 1_000
  private static let size = levels * 20 << 10

  /// Whether a row goes to a new thread that is nested in so many others.
  static func isNeeded(at depth: Int) -> Bool {
    depth == levelsOfAny || depth > levelsOfAny && (depth - levelsOfAny).isMultiple(of: levels)
  }

  /// Runs `body` on a new thread, and waits for it.
  ///
  /// - Throws: ``SystemError`` if the system gives no thread.
  static func run(_ body: () -> Void) throws(SystemError) { try StackThread.run(stackSize: size, body) }
}

extension StoreError {
  /// A row was not written since the system gave no stack for it.
  package static func tooDeep(_ error: SystemError) -> StoreError {
    .invalid(
      "The objects are nested too deep for the memory that the process may have: \(error.message).")
  }
}
