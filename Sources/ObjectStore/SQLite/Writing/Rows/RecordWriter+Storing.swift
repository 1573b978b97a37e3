import Bytes
import ObjectModel

/// Storing a row whose foreign keys are known, and seeing to what hangs on it.
extension RecordWriter {
  /// Stores a row and puts its lists on the stack. True if it has none.
  func store(_ step: RowStep, _ writer: EntityWriter, _ batch: inout RowBatch) throws -> Bool {
    let row = step.row
    if let known = repetitions.remember(row, of: writer.layout, isNested: step.isNested, batch) {
      batch.rows[row].rowID = known
      batch.rows[row].isRepetition = true
      context.tally.countDuplicate()
    } else {
      guard try insertOrUpdate(step, writer, &batch) else {
        for part in step.parts?.inserted ?? [] { try deleter.deleteInserted(part.row, of: part.entity) }
        steps.pushIndependentParts(of: row, writer, &batch)
        return false
      }
      for part in step.parts?.released ?? [] {
        _ = try deleter.delete(part.row, ofTable: context.layout.entities[part.entity].table)
      }
    }
    let isReplacement = step.isReplacement && step.existing != nil
    if isReplacement { steps.push(.otherLists(of: row)) }
    guard batch.rows.base[row].firstList >= 0 else { return !isReplacement }
    steps.pushLists(of: row, &batch)
    return false
  }

  /// Inserts or updates the row itself. False if that failed, which is then noted.
  private func insertOrUpdate(
    _ step: RowStep, _ writer: EntityWriter, _ batch: inout RowBatch
  ) throws -> Bool {
    let row = step.row
    var result = try writer.write(step, of: batch)
    if case .problem(.notUnique) = result, let other = try uniqueValues.writeWithout(step, writer, &batch) {
      result = other
    } else if case .written(let written) = result, uniqueValues.isUnchecked(table: writer.layout.table) {
      uniqueValues.noteUnchecked(written.rowID, row: row, table: writer.layout.table)
    }
    switch result {
    case .problem(let reason):
      context.problems.add(reason, row: row)
      context.tally.countSkipped(entity: batch.rows[row].entity)
      batch.rows[row].state = .skipped
      repetitions.forgetLast(entity: batch.rows[row].entity)
      return false
    case .written(let written):
      try noteWritten(row, written, writer, &batch)
      return true
    }
  }

  /// Counts a row that was written, and makes the links at its other ends agree.
  private func noteWritten(
    _ row: Int, _ written: EntityWriter.Written, _ writer: EntityWriter, _ batch: inout RowBatch
  ) throws {
    let (entity, outcome) = (batch.rows[row].entity, written.outcome)
    batch.rows[row].rowID = written.rowID
    batch.rows[row].isNew = outcome == .inserted
    batch.rows[row].ownerChange = written.ownerChange
    context.tally.count(outcome, row: written.rowID, entity: entity, table: writer.layout.table)
    repetitions.setLastRowID(written.rowID, entity: entity)
    if outcome == .inserted || written.formerKind != nil, links.pending.hasStored {
      try links.pending.connect(row, writer.layout, batch)
    }
    if outcome == .inserted, !writer.requiredLinks.isEmpty {
      requiredLinks.noteMissing(of: row, writer, batch)
    }
    if let kind = written.formerKind {
      try deleter.dropLinks(of: written.rowID, formerly: kind, now: writer.layout.entity)
      if links.pending.hasStored { try forgetPendingLinks(of: row, formerly: kind, writer.layout, batch) }
    }
    try links.checks.check(row, writer, batch)
    if links.claims.hasDeferred { links.claims.drop(saidOtherwiseBy: row, writer, batch) }
    for links in writer.oneToOneLinks {
      try links.updateOtherEnds(of: row, isChanged: outcome != .unchanged, batch)
    }
  }

  /// Forgets what an object waits for by relationships that only its former kind had.
  private func forgetPendingLinks(
    of row: Int, formerly kind: Int, _ layout: EntityLayout, _ batch: borrowing RowBatch
  ) throws {
    var key: [Cell] = []
    for slot in layout.keySlots { key.append(context.resolved(batch[row, slot], of: batch)) }
    let owner = KeyText.text(of: key, batch)
    let schema = context.layout.schema
    for index in schema.entities[kind].relationships where !layout.entity.relationships.contains(index) {
      try links.pending.forget(schema.relationships[index], owner: owner)
    }
  }
}
