import Bytes
import ObjectModel

/// Writes records: a root row and all that hangs on it.
final class RecordWriter {
  let context: WriteContext
  let steps: WriteSteps
  let entities: EntityWriters
  let lists: ListWriters
  let links: RowLinks
  let deleter: ObjectDeleter
  let uniqueValues: UniqueValues
  let requiredLinks: RequiredLinks
  let repetitions: Repetitions
  private let held: WriteGuard
  /// Whether there is anything that a program changed and an import may not.
  private let isCareful: Bool
  private var folder: RecordFolder

  /// What sees to the links of a row that was written, those of its lists aside.
  struct RowLinks {
    let claims: OwnershipClaims
    let pending: PendingLinks
    let checks: ReferenceChecks
  }

  init(
    _ context: WriteContext, entities: EntityWriters, lists: ListWriters, links: RowLinks,
    deleter: ObjectDeleter, uniqueValues: UniqueValues, requiredLinks: RequiredLinks
  ) {
    self.context = context
    self.entities = entities
    self.lists = lists
    self.links = links
    self.deleter = deleter
    self.uniqueValues = uniqueValues
    self.requiredLinks = requiredLinks
    repetitions = context.repetitions
    isCareful = context.unsent != nil
    steps = WriteSteps(context)
    held = WriteGuard(context, steps)
    folder = RecordFolder(context.layout, context.policy)
  }

  /// Writes a root row and all that hangs on it: the rows from it to `end`.
  ///
  /// - Parameter existing: For an entity without identity, the row id of the object to update.
  func write(root: Int, to end: Int, over existing: Int64?, _ batch: inout RowBatch) throws {
    steps.removeAll()
    if end - root > 1 {
      for _ in 0..<folder.fold(from: root, to: end, &batch) { context.tally.countDuplicate() }
    }
    if try begin(RowStep(root, over: existing, isNested: false), &batch) { return }
    while let step = steps.pop() { try run(step, &batch) }
  }

  private func run(_ step: WriteStep, _ batch: inout RowBatch) throws {
    switch step {
    case .row(let step): _ = try begin(step, &batch)
    case .foreignKey(let step, let key): try resume(step, after: key, &batch)
    case .newList(let index, let row): try beginList(batch.lists[index], of: row, &batch)
    case .emptyList(let relationship, let row):
      let list = LinkList.clearing(relationship, of: row)
      if let next = try lists.begin(list, of: row, &batch) { steps.push(next) }
    case .list(let list): try advance(list, &batch)
    case .otherLists(let row): steps.pushEmptyLists(of: row, batch)
    }
  }

  /// The entity of the stored object that has the identity of a row; nil if there is none.
  func storedKind(of row: Int, _ batch: borrowing RowBatch) throws -> Int? {
    let writer = try entities.writer(for: batch.rows[row].entity)
    guard let found = try writer.find(row, over: nil, batch) else { return nil }
    defer { writer.lookup.endReading(found) }
    return writer.table.kindColumn == nil ? nil : context.layout.schema.index(of: found.string(1))
  }

  // MARK: - Lists

  private func beginList(_ list: LinkList, of row: Int, _ batch: inout RowBatch) throws {
    if list.isIncomplete || list.isRejected { context.hasLeftOutObjects = true }
    if list.isRejected { return steps.pushIndependentTargets(of: list, row, &batch) }
    if let next = try lists.begin(list, of: row, &batch) { steps.push(next) }
  }

  /// Writes the rows that a list waits for, until one takes further steps.
  private func advance(_ list: ListStep, _ batch: inout RowBatch) throws {
    while let row = try list.advance(&batch) {
      let depth = steps.count
      guard try begin(row, &batch) else { return steps.insert(.list(list), above: depth) }
    }
  }

  // MARK: - A row

  /// Writes a row, or puts the steps on the stack that it takes. True if it took none.
  func begin(_ step: RowStep, _ batch: inout RowBatch) throws -> Bool {
    let header = batch.rows.base[step.row]
    guard header.state != .reference else { return true }
    let writer = try entities.writer(for: header.entity)
    guard header.state == .object, !writer.mayBeHeld, !isCareful else {
      let depth = steps.count
      try beginCarefully(step, writer, &batch)
      return steps.count == depth
    }
    return try resolveForeignKeys(step, from: 0, writer, &batch)
  }

  /// Writes a row that may have to be left alone, or that is not usable.
  private func beginCarefully(_ step: RowStep, _ writer: EntityWriter, _ batch: inout RowBatch) throws {
    let row = step.row
    guard batch.rows[row].state != .skipped else {
      if !batch.rows[row].isHeld { context.tally.countSkipped(entity: batch.rows[row].entity) }
      return steps.pushIndependentParts(of: row, writer, &batch)
    }
    if writer.mayBeHeld, try held.holdIfNeeded(step, writer, &batch) { return }
    if let unsent = context.unsent {
      if unsent.concerns(table: writer.layout.table), try held.holdUnsent(unsent, step, writer, &batch) {
        return
      }
      for links in writer.oneToOneLinks { try links.leaveUnsentTarget(of: row, &batch) }
    }
    _ = try resolveForeignKeys(step, from: 0, writer, &batch)
  }
}
