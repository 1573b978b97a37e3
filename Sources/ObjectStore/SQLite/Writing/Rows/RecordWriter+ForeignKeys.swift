import Bytes
import ObjectModel

/// Writing the objects that a row's foreign keys lead to before the row itself.
extension RecordWriter {
  /// Goes on with a row when the target of one of its foreign keys has been written.
  func resume(_ step: RowStep, after key: Int, _ batch: inout RowBatch) throws {
    var step = step
    let writer = try entities.writer(for: batch.rows[step.row].entity)
    takeKey(of: writer.foreignKeys[key], &step, &batch)
    _ = try resolveForeignKeys(step, from: key + 1, writer, &batch)
  }

  /// Writes the objects that the row's foreign keys lead to and puts their keys in its cells, then stores the row. True
  /// if that takes no further steps.
  func resolveForeignKeys(
    _ step: RowStep, from first: Int, _ writer: EntityWriter, _ batch: inout RowBatch
  ) throws -> Bool {
    var step = step
    for index in first..<max(first, writer.foreignKeys.count) {
      // Passed on from the array: a copy would count references to its slots for every row.
      guard let target = try target(of: writer.foreignKeys[index], &step, writer, &batch) else { continue }
      // Only one call deep: a chain of objects takes steps.
      guard try !needsOthers(target.row, batch) else {
        steps.push(.foreignKey(step, key: index))
        steps.push(.row(target))
        return false
      }
      let depth = steps.count
      guard try begin(target, &batch) else {
        steps.insert(.foreignKey(step, key: index), above: depth)
        return false
      }
      takeKey(of: writer.foreignKeys[index], &step, &batch)
    }
    return try store(step, writer, &batch)
  }

  /// Whether the foreign keys of a row lead to rows that have to be written before it.
  private func needsOthers(_ row: Int, _ batch: borrowing RowBatch) throws -> Bool {
    for key in try entities.writer(for: batch.rows[row].entity).foreignKeys {
      guard let slot = key.slots.first else { continue }
      let cell = batch.cell(row, slot)
      if cell.kind == .row, Int(cell.bits) != batch.rows[row].parent { return true }
    }
    return false
  }

  /// The row that has to be written before a foreign key is known; nil if there is none.
  private func target(
    of key: ForeignKey, _ step: inout RowStep, _ writer: EntityWriter, _ batch: inout RowBatch
  ) throws -> RowStep? {
    guard let slot = key.slots.first else { return nil }
    let kind = batch.cell(step.row, slot).kind
    let isPart = !key.targetHasIdentity
    // What took another object's place has none of its links, but for those that other objects' lists make.
    let isEmptied = step.isReplacement && kind == .absent && !key.isFromList
    if isEmptied { for slot in key.slots { batch[step.row, slot] = .null } }
    if isPart, kind == .null || isEmptied { try releasePart(of: key, slot, &step, writer, &batch) }
    guard kind == .row else { return nil }
    let target = Int(batch[step.row, slot].bits)
    guard target != batch.rows[step.row].parent else {
      takeKey(of: key, &step, &batch)
      return nil
    }
    return RowStep(target, over: isPart ? try writer.storedReference(of: step, slot: slot, batch) : nil)
  }

  /// Notes that the part which a row led to goes, unless the import may not delete it: then the row keeps it.
  private func releasePart(
    of key: ForeignKey, _ slot: Int, _ step: inout RowStep, _ writer: EntityWriter, _ batch: inout RowBatch
  ) throws {
    guard context.policy.operations.contains(.delete) else {
      for slot in key.slots { batch[step.row, slot] = .absent }
      return
    }
    if let part = try writer.storedReference(of: step, slot: slot, batch) {
      step.parts.orNew.released.append((key.destination, part))
    }
  }

  /// Puts the key of a target that is written in the cells of a foreign key.
  private func takeKey(of key: ForeignKey, _ step: inout RowStep, _ batch: inout RowBatch) {
    guard let slot = key.slots.first else { return }
    let target = Int(batch[step.row, slot].bits)
    if !key.targetHasIdentity, batch.rows[target].isNew {
      step.parts.orNew.inserted.append((batch.rows[target].entity, batch.rows[target].rowID))
    }
    for slot in key.slots {
      let cell = context.resolved(batch[step.row, slot], of: batch)
      // The link of what took another object's place was to be this one, which cannot be used.
      let isLost = cell.kind == .absent && step.isReplacement && key.targetHasIdentity && !key.isFromList
      batch[step.row, slot] = isLost ? .null : cell
    }
  }
}
