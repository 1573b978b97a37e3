import Bytes
import ObjectModel
package import ObjectStore

/// A sink of rows of which nothing has to be decided one by one: those that are new and complete, and those that tell
/// values of an object that is there and no more.
///
/// The fate of a row shows when rows are settled. Until then the database may not have them.
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

  /// The outcome of the rows that were taken, since this was last asked. They are settled.
  func takeResults() -> BulkResults
}

/// The fate of a row that is offered as a bulk row.
package enum BulkOutcome {
  /// The writer has to write it.
  case refused
  /// A new object, with the number of its row.
  case inserted(Int64)
  /// A row as good as written, whose number is known; whether it changes anything shows later.
  case taken(Int64)
  /// A row as good as written, whose number shows when it is settled.
  case takenWithoutNumber
}

/// The outcome of bulk rows once they are settled.
package struct BulkResults {
  /// Of rows whose number was known, those that were inserted or updated.
  package var changes: [(row: Int64, entity: Int, isNew: Bool)] = []
  /// Of the others all, in the order in which they were taken.
  package var rows: [(row: Int64, entity: Int, outcome: WriteCounter.Outcome)] = []
  /// Foreign keys that lead to no object.
  package var missing: [(relationship: Int, entity: Int, row: Int64)] = []

  package init() {}
}

/// The conditions on an entity's rows to go in bulk.
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
  init?(_ rules: EntityRules, _ layout: Layout, _ policy: WritePolicy) {
    let entity = rules.layout.entity
    let table = layout.tables[rules.layout.table]
    guard !policy.isLocal, policy.operations.contains([.insert, .update]), entity.hasIdentity,
      !entity.isAbstract, table.kindColumn == nil, !table.holdsMixedKeys, rules.layout.kindValueSlot == nil,
      table.kindValueColumn == nil, rules.versionSlot == nil, rules.uniqueSlots.isEmpty,
      !table.columns.contains(where: \.holdsMixedKeys), rules.layout.slots.count < 63,
      rules.layout.keySlots == rules.layout.identitySlots, rules.comparedSlots.isEmpty
    else { return nil }
    for relationship in entity.relationships.map({ layout.schema.relationships[$0] }) {
      let key = rules.foreignKeys.first { $0.relationship.index == relationship.index }
      if let key, !Self.isEligible(key, layout, policy) { return nil }
      if relationship.isIdentity || (key == nil && relationship.requiresTarget) { return nil }
    }
    (self.layout, defaults, count) = (rules.layout, rules.defaults, rules.layout.slots.count)
    references = rules.foreignKeys.map { ($0.relationship.index, $0.slots) }
    let leading = layout.schema.relationships.filter { entity.ancestry.contains($0.destination) }
    isAwaited = leading.contains {
      if case .inverse = layout.relationships[$0.index] { true } else { false }
    }
    isAlone = entity.relationships.isEmpty && leading.isEmpty
    let links = rules.foreignKeys.filter(\.relationship.requiresTarget).map { $0.slots[0] }
    required = rules.layout.keySlots + rules.required + links
  }

  /// Whether a foreign key concerns no other row than its own.
  private static func isEligible(
    _ key: ForeignKey, _ layout: Layout, _ policy: WritePolicy
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

/// Records that are bulk rows go to the database without the writer, as long as that makes no difference.
extension WorkingWriter {
  package func storedKind(of row: Int, _ batch: borrowing RowBatch) throws -> Int? {
    try settleBulkRows(checksReferences: false)
    return records.storedKind(of: row, batch)
  }

  package func write(_ records: Range<Int>, of batch: inout RowBatch) throws {
    try lock(records, batch)
    if let renamed = context.unsynced?.renamed { batch.replaceFormerKeys(renamed, in: records, layout) }
    let first = problems.count
    wantedBatchSize = nil
    if let bulk = transaction.bulkRows, !context.policy.isLocal, context.unsynced == nil,
      bulk.isWorthwhile(records, of: batch)
    {
      try write(records, of: &batch, bulk)
    } else {
      try settleBulkRows(checksReferences: false)
      try writeByRules(Array(records), &batch)
    }
    // Records that waited told their problems late, and values that are not kept are told early.
    if problems.count > first + 1 { sortProblems(from: first, batch) }
    try transaction.recordsWereWritten()
  }

  private func writeByRules(_ records: [Int], _ batch: inout RowBatch) throws {
    wantedBatchSize = transaction.ruledBatchSize
    if transaction.hasValueLimits { applyLimits(to: records, &batch) }
    prefetchRecords(for: records, batch)
    for record in records { writeByRules(record, &batch) }
    try checkStack()
  }

  /// - Throws: ``StoreError`` if a row was not written since there was no stack for it.
  func checkStack() throws {
    if let failure = rows.stackFailure { throw StoreError.tooDeep(failure) }
  }

  /// Locks the entities of records, unless that was done.
  private func lock(_ records: Range<Int>, _ batch: borrowing RowBatch) throws {
    guard let first = records.first, let last = records.last else { return }
    var comes = Array(repeating: false, count: layout.entities.count)
    for row in batch.roots[first]..<batch.end(ofRecord: last) { comes[batch.rows[row].entity] = true }
    let entities = Set(comes.indices.filter { comes[$0] }).subtracting(locked)
    guard !entities.isEmpty else { return }
    try lock(entities)
    self.entities.formUnion(entities)
    locked.formUnion(entities)
  }

  /// Locks what an import of entities may touch, and learns what it has to leave as it is: others may have changed that until
  /// the lock was there.
  func lock(_ entities: Set<Int>) throws {
    // Where others may come later, all are locked at once: out of their order, two imports could wait for each other.
    let mayBeMore = context.policy.entity == nil && !context.policy.isLocal
    try transaction.lock(mayBeMore ? Set(layout.entities.indices) : entities)
    if !context.policy.isLocal {
      context.unsynced = try transaction.unsyncedChanges(isProtective: !context.policy.overwritesUnsent)
    }
  }

  private func writeByRules(_ record: Int, _ batch: inout RowBatch) {
    records.write(root: batch.roots[record], to: batch.end(ofRecord: record), over: nil, &batch)
  }

  /// The state while the records of a batch are written.
  private struct Progress {
    /// Records that have to be written by the rules, but only after the bulk rows of the batch.
    var waiting: [Int] = []
    /// Rows that were taken and whose numbers are not known yet.
    var numberless: [Int] = []
    /// Whether rows of an entity can be taken now, the one that was last asked for.
    var mayTake = false
    var entity = -1
  }

  private func write(_ records: Range<Int>, of batch: inout RowBatch, _ bulk: any BulkRows) throws {
    var progress = Progress()
    // Bulk rows are compared with what the database has.
    if state.hasChanges { try transaction.recordsWereWritten() }
    for record in records where try !take(record, &batch, bulk, &progress) {
      try settle(bulk, &progress, &batch)
      // The changes of a record are not on the server before the batch is written, so the rest is written by the rules too.
      try writeByRules(Array(record..<records.upperBound), &batch)
      break
    }
    if !progress.waiting.isEmpty || !progress.numberless.isEmpty { try settle(bulk, &progress, &batch) }
  }

  /// Sorts problems by their records. Those of one record stay in the order in which they were found.
  private func sortProblems(from first: Int, _ batch: borrowing RowBatch) {
    var records: [Int] = []
    for problem in problems[first...] { records.append(record(of: problem.row, batch)) }
    guard zip(records, records.dropFirst()).contains(where: { $0 > $1 }) else { return }
    let order = records.indices.sorted { (records[$0], $0) < (records[$1], $1) }
    let found = Array(problems[first...])
    problems[first...] = ArraySlice(order.map { found[$0] })
  }

  /// The record that a row belongs to.
  private func record(of row: Int, _ batch: borrowing RowBatch) -> Int {
    var (low, high) = (0, batch.roots.count)
    while low + 1 < high {
      let middle = (low + high) / 2
      if batch.roots[middle] <= row { low = middle } else { high = middle }
    }
    return low
  }

  private func isLone(_ record: Int, _ batch: borrowing RowBatch) -> Bool {
    let row = batch.roots[record]
    return batch.end(ofRecord: record) == row + 1 && batch.rows[row].firstList < 0
  }

  /// Has the database take a record as a bulk row, or has it wait until the end of the batch. False if it has to be
  /// written by the rules now.
  private func take(
    _ record: Int, _ batch: inout RowBatch, _ bulk: any BulkRows, _ progress: inout Progress
  ) throws -> Bool {
    let row = batch.roots[record]
    let header = batch.rows[row]
    guard isLone(record, batch), let kind = bulkEligibility(of: header.entity) else { return false }
    if !header.isObject, kind.isAlone {
      records.write(root: row, to: row + 1, over: nil, &batch)
      return true
    }
    if header.entity != progress.entity {
      (progress.mayTake, progress.entity) = (try mayTakeBulk(kind, bulk), header.entity)
    }
    if progress.mayTake, header.isObject, header.operations == .all, kind.isEligible(row, batch) {
      let outcome = try bulk.take(row, of: batch, kind)
      // A nested object is not told again if it was told otherwise meanwhile.
      if case .refused = outcome {} else { context.repetitions.forget(inTable: kind.layout.table) }
      switch outcome {
      case .inserted(let number):
        note(row, number, .inserted, &batch)
        return true
      case .taken(let number):
        note(row, number, .unchanged, &batch)
        return true
      case .takenWithoutNumber:
        progress.numberless.append(row)
        return true
      case .refused: break
      }
    }
    guard kind.isAlone else { return false }
    try bulk.avoid(row, of: batch, kind)
    progress.waiting.append(record)
    return true
  }

  private func note(_ row: Int, _ number: Int64, _ outcome: WriteCounter.Outcome, _ batch: inout RowBatch) {
    let entity = batch.rows[row].entity
    batch.rows[row].rowID = number
    batch.rows[row].isNew = outcome == .inserted
    context.tally.count(outcome, row: number, entity: entity, table: layout.entities[entity].table)
  }

  private func bulkEligibility(of entity: Int) -> BulkEligibility? {
    if bulkEligibilities.isEmpty {
      bulkEligibilities = layout.entities.indices.map {
        BulkEligibility(records.rules(ofEntity: $0), layout, context.policy)
      }
    }
    return bulkEligibilities[entity]
  }

  private func mayTakeBulk(_ entity: BulkEligibility, _ bulk: any BulkRows) throws -> Bool {
    guard context.claims.isEmpty, !entity.isAwaited || state.waiting.isEmpty, try bulk.mayTake(entity) else {
      return false
    }
    state.tables[entity.layout.table].forgetAnswers()
    return true
  }

  /// Has the database hold the bulk rows, and writes the records that waited for that.
  private func settle(
    _ bulk: any BulkRows, _ progress: inout Progress, _ batch: inout RowBatch
  ) throws {
    try bulk.settle(checksReferences: false)
    let results = bulk.takeResults()
    count(results)
    for (row, result) in zip(progress.numberless, results.rows.suffix(progress.numberless.count)) {
      batch.rows[row].rowID = result.row
      batch.rows[row].isNew = result.outcome == .inserted
    }
    progress.numberless = []
    guard !progress.waiting.isEmpty else { return }
    try writeByRules(progress.waiting, &batch)
    progress.waiting = []
  }

  private func count(_ results: BulkResults) {
    for change in results.changes {
      let table = layout.entities[change.entity].table
      if change.isNew {
        context.tally.countAsInserted(row: change.row, entity: change.entity, table: table)
      } else {
        context.tally.countChange(row: change.row, entity: change.entity, table: table)
      }
    }
    for row in results.rows {
      context.tally.count(
        row.outcome, row: row.row, entity: row.entity, table: layout.entities[row.entity].table)
    }
    for missing in results.missing {
      rows.references.append(
        UnresolvedReference(
          relationship: missing.relationship, entity: missing.entity, holder: .row(missing.row)))
    }
  }

  /// Has the database hold all bulk rows, and counts what became of them.
  func settleBulkRows(checksReferences: Bool = true) throws {
    guard let bulk = transaction.bulkRows else { return }
    try bulk.settle(checksReferences: checksReferences)
    count(bulk.takeResults())
  }
}
