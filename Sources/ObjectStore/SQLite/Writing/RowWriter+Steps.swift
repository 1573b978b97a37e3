import Bytes
import ObjectModel

/// What is still to be done to write a record.
///
/// Steps wait on a stack of the writer's own, so that the depth of a document costs no stack of the thread. A step
/// that needs another row to be written first puts itself back and that row on top.
enum WriteStep {
  /// Write a row, with what it needs and what needs it.
  case row(RowStep)
  /// Go on with a foreign key of a row, whose target has been written.
  case foreignKey(RowStep, key: Int)
  /// Write a list of a row that is written.
  case list(Int, of: Int)
  case childLinks(ChildLinkStep)
  case joinLinks(JoinLinkStep)
  case parts(PartListStep)
  /// Empty the lists that an object, which took another's place, does not mention.
  case otherLists(of: Int)
}

/// A row that is to be written.
struct RowStep {
  let row: Int
  /// For an entity without identity, the row id of the object to update.
  let existing: Int64?
  /// Whether another object nests it.
  let isNested: Bool
  /// Whether it takes the place of the existing object, rather than tell more of it.
  let isReplacement: Bool
  /// What happened to the objects without identity that its foreign keys lead to.
  var parts: PartChanges?

  init(_ row: Int, over existing: Int64? = nil, isNested: Bool = true, isReplacement: Bool = false) {
    self.row = row
    self.existing = existing
    self.isNested = isNested
    self.isReplacement = isReplacement
  }

  /// What happens to objects without identity that a row's foreign keys lead to.
  struct PartChanges {
    /// Those that the row is about to let go of.
    var orphaned: [(entity: Int, row: Int64)] = []
    /// Those that were made for it.
    var inserted: [(entity: Int, row: Int64)] = []
  }
}

extension RowWriter {
  func run(_ step: WriteStep, _ batch: inout RowBatch) throws {
    switch step {
    case .row(let step): _ = try begin(step, &batch)
    case .foreignKey(var step, let key):
      let writer = try writer(for: batch.rows[step.row].entity)
      adopt(writer.foreignKeys[key], &step, &batch)
      _ = try resolveForeignKeys(step, from: key + 1, writer, &batch)
    case .list(let index, let row): try write(batch.lists[index], of: row, &batch)
    case .childLinks(let step): try step.lists.advance(step, &batch, self)
    case .joinLinks(let step): try step.lists.advance(step, &batch, self)
    case .parts(let step): try step.advance(&batch, self)
    case .otherLists(let row): try emptyOtherLists(of: row, &batch)
    }
  }

  /// Writes a row that another step waits for. False if that takes further steps, which are then on the stack with
  /// the waiting one below them.
  func writesAtOnce(
    _ row: RowStep, before waiting: @autoclosure () -> WriteStep, _ batch: inout RowBatch
  ) throws -> Bool {
    let depth = steps.count
    if try begin(row, &batch) { return true }
    steps.insert(waiting(), at: depth)
    return false
  }

  // MARK: - A row

  /// Writes a row, or puts the steps on the stack that it takes. True if it took none.
  func begin(_ step: RowStep, _ batch: inout RowBatch) throws -> Bool {
    let row = step.row
    let header = batch.rows.base[row]
    guard header.state != .reference else { return true }
    let writer = try writer(for: header.entity)
    guard header.state == .object, !isGated(writer), unsent == nil else {
      let depth = steps.count
      try beginCarefully(step, writer, &batch)
      return steps.count == depth
    }
    return try resolveForeignKeys(step, from: 0, writer, &batch)
  }

  /// Writes a row that may have to be left alone, or that is not usable.
  private func beginCarefully(
    _ step: RowStep, _ writer: EntityWriter, _ batch: inout RowBatch
  ) throws {
    let row = step.row
    guard batch.rows[row].state != .skipped else {
      if !batch.rows[row].isHeld { tally.countSkipped(entity: batch.rows[row].entity) }
      return scheduleIndependentParts(of: row, writer, &batch)
    }
    if isGated(writer), try holdBack(row, over: step.existing, writer, of: &batch) { return }
    if let unsent, unsent.concerns(table: writer.layout.table),
      try keepLocalChanges(unsent, row, over: step.existing, writer, of: &batch)
    {
      return
    }
    if unsent != nil {
      for links in writer.oneToOneLinks { try links.spareTarget(of: row, &batch, self) }
    }
    _ = try resolveForeignKeys(step, from: 0, writer, &batch)
  }

  /// Writes the objects that the row's foreign keys lead to and puts their keys in its cells, then stores the row. True
  /// if that takes no further steps.
  private func resolveForeignKeys(
    _ step: RowStep, from first: Int, _ writer: EntityWriter, _ batch: inout RowBatch
  ) throws -> Bool {
    var step = step
    for index in first..<max(first, writer.foreignKeys.count) {
      guard let target = try target(of: writer.foreignKeys[index], &step, writer, &batch) else { continue }
      // Only one call deep: a chain of objects takes steps.
      guard try !needsOthers(target.row, batch) else {
        steps.append(.foreignKey(step, key: index))
        steps.append(.row(target))
        return false
      }
      guard try writesAtOnce(target, before: .foreignKey(step, key: index), &batch) else {
        return false
      }
      adopt(writer.foreignKeys[index], &step, &batch)
    }
    return try store(step, writer, &batch)
  }

  /// Whether the foreign keys of a row lead to rows that have to be written before it.
  private func needsOthers(_ row: Int, _ batch: borrowing RowBatch) throws -> Bool {
    for key in try writer(for: batch.rows[row].entity).foreignKeys {
      guard let slot = key.slots.first else { continue }
      let cell = batch.cell(row, slot)
      if cell.kind == .row, Int(cell.bits) != batch.rows[row].parent { return true }
    }
    return false
  }

  /// The row that has to be written before a foreign key is known; nil if there is none.
  private func target(
    of key: EntityWriter.ForeignKey, _ step: inout RowStep, _ writer: EntityWriter, _ batch: inout RowBatch
  ) throws -> RowStep? {
    guard let slot = key.slots.first else { return nil }
    let kind = batch.cell(step.row, slot).kind
    let isPart = !key.targetHasIdentity
    // What took another object's place has none of its links, but for those that other objects' lists make.
    let isEmptied = step.isReplacement && kind == .absent && !key.isFromList
    if isEmptied { for slot in key.slots { batch[step.row, slot] = .null } }
    if isPart, kind == .null || isEmptied { try orphanPart(of: key, slot, &step, writer, &batch) }
    guard kind == .row else { return nil }
    let target = Int(batch[step.row, slot].bits)
    guard target != batch.rows[step.row].parent else {
      adopt(key, &step, &batch)
      return nil
    }
    let current =
      isPart
      ? try writer.currentReference(of: step.row, existing: step.existing, slot: slot, in: batch) : nil
    return RowStep(target, over: current)
  }

  /// Notes the part that a row lets go of, unless the import may not delete it.
  private func orphanPart(
    of key: EntityWriter.ForeignKey, _ slot: Int, _ step: inout RowStep, _ writer: EntityWriter,
    _ batch: inout RowBatch
  ) throws {
    guard policy.operations.contains(.delete) else {
      for slot in key.slots { batch[step.row, slot] = .absent }
      return
    }
    let current = try writer.currentReference(
      of: step.row, existing: step.existing, slot: slot, in: batch)
    if let current { step.parts.orNew.orphaned.append((key.destination, current)) }
  }

  /// Puts the key of a target that is written in the cells of a foreign key.
  private func adopt(_ key: EntityWriter.ForeignKey, _ step: inout RowStep, _ batch: inout RowBatch) {
    guard let slot = key.slots.first else { return }
    let target = Int(batch[step.row, slot].bits)
    if !key.targetHasIdentity, batch.rows[target].isNew {
      step.parts.orNew.inserted.append((batch.rows[target].entity, batch.rows[target].rowID))
    }
    for slot in key.slots { batch[step.row, slot] = resolved(batch[step.row, slot], of: batch) }
  }

  // MARK: - Storing

  /// Stores a row and puts its lists on the stack. True if it has none.
  private func store(_ step: RowStep, _ writer: EntityWriter, _ batch: inout RowBatch) throws -> Bool {
    let row = step.row
    if let known = repetition(of: row, isNested: step.isNested, writer, batch) {
      batch.rows[row].rowID = known
      batch.rows[row].isRepetition = true
      tally.countDuplicate()
    } else {
      guard try insertOrUpdate(step, writer, &batch) else {
        for part in step.parts?.inserted ?? [] { try deleteInserted(part.row, of: part.entity) }
        scheduleIndependentParts(of: row, writer, &batch)
        return false
      }
      if let parts = step.parts {
        for part in parts.orphaned {
          _ = try delete(part.row, ofTable: transaction.layout.entities[part.entity].table)
        }
      }
    }
    let isReplacement = step.isReplacement && step.existing != nil
    if isReplacement { steps.append(.otherLists(of: row)) }
    guard batch.rows.base[row].firstList >= 0 else { return !isReplacement }
    scheduleLists(of: row, &batch)
    return false
  }

  /// Inserts or updates the row itself. False if that failed, which is then noted.
  private func insertOrUpdate(
    _ step: RowStep, _ writer: EntityWriter, _ batch: inout RowBatch
  ) throws -> Bool {
    let row = step.row
    var result =
      writer.layout.entity.hasIdentity
      ? try writer.upsert(row, of: batch)
      : try writer.write(row, over: step.existing, isReplacement: step.isReplacement, of: batch)
    if case .problem(.notUnique) = result, let other = try writeWithoutUniqueValues(step, writer, &batch) {
      result = other
    }
    switch result {
    case .problem(let reason):
      problems.append(RowProblem(row: row, reason: reason))
      tally.countSkipped(entity: batch.rows[row].entity)
      batch.rows[row].state = .skipped
      repetitions[batch.rows[row].entity]?.forgetLast()
      return false
    case .written(let outcome, let rowID):
      try noteWritten(row, outcome, rowID, writer, &batch)
      return true
    }
  }

  private func noteWritten(
    _ row: Int, _ outcome: Tally.Outcome, _ rowID: Int64, _ writer: EntityWriter, _ batch: inout RowBatch
  ) throws {
    let entity = batch.rows[row].entity
    batch.rows[row].rowID = rowID
    batch.rows[row].isNew = outcome == .inserted
    batch.rows[row].ownerChange = writer.ownerChange
    tally.count(outcome, row: rowID, entity: entity, table: writer.layout.table)
    repetitions[entity]?.rememberLast(rowID)
    let isOfNewKind = outcome == .updated && writer.formerKind != nil
    if outcome == .inserted || isOfNewKind, pending.hasStored {
      try pending.connect(row, rowID, writer.layout, batch, self)
    }
    if outcome == .inserted, !writer.requiredLinks.isEmpty { noteRequiredLinks(of: row, writer, batch) }
    if isOfNewKind, let kind = writer.formerKind { try dropLinks(of: rowID, formerly: kind, writer.layout) }
    try pending.check(row, rowID, writer, batch, self)
    if hasDeferredClaims { dropClaims(saidOtherwiseBy: row, rowID, writer, batch) }
    for links in writer.oneToOneLinks {
      try links.updateOtherEnds(row, rowID, isChanged: outcome != .unchanged, batch, self)
    }
  }
}

extension Optional where Wrapped == RowStep.PartChanges {
  /// The changes, which are made when first needed.
  fileprivate var orNew: RowStep.PartChanges {
    get { self ?? RowStep.PartChanges() }
    set { self = newValue }
  }
}
