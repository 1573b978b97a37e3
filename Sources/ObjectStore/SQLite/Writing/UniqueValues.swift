import Bytes
import ObjectModel

/// Values of a uniqueness constraint that another object had when they were to be written.
///
/// That object may give them away later in the same import, as two that swap their values do. So the row is written
/// without them, and they are set in the end.
struct DeferredUniqueValues {
  let ticket: Int
  let entity: Int
  let row: Int64
  let isNew: Bool
  /// By slot, the values to set, and those that the row had.
  let values: [(slot: Int, value: SQLValue, former: SQLValue)]
}

extension RowWriter {
  /// Writes a row without the values that must be unique, after it failed with them. Nil if that fails too.
  func writeWithoutUniqueValues(
    _ step: RowStep, _ writer: EntityWriter, _ batch: inout RowBatch
  ) throws -> EntityWriter.Result? {
    let row = step.row
    let slots = writer.uniqueSlots.filter { batch[row, $0].kind != .absent && batch[row, $0].kind != .null }
    guard !policy.isLocal, !step.isReplacement, !slots.isEmpty else { return nil }
    var values: [(slot: Int, value: SQLValue, former: SQLValue)] = []
    var cells: [Cell] = []
    for slot in slots {
      cells.append(batch[row, slot])
      values.append((slot, batch.value(of: batch[row, slot]), .null))
    }
    if let found = try writer.find(row, over: step.existing, batch) {
      for index in values.indices {
        values[index].former = found.value(writer.firstSlotColumn + values[index].slot)
      }
      writer.lookup.leave(found)
    }
    for slot in slots { batch[row, slot] = .null }
    defer { for (slot, cell) in zip(slots, cells) { batch[row, slot] = cell } }
    writer.allowsMissing = true
    defer { writer.allowsMissing = false }
    let result =
      writer.layout.entity.hasIdentity
      ? try writer.upsert(row, of: batch)
      : try writer.write(row, over: step.existing, isReplacement: false, of: batch)
    guard case .written(let outcome, let rowID) = result else { return nil }
    problems.append(RowProblem(row: row, reason: .deferred(ticket: nextTicket)))
    deferredUniqueValues.append(
      DeferredUniqueValues(
        ticket: nextTicket, entity: writer.layout.entity.index, row: rowID, isNew: outcome == .inserted,
        values: values))
    nextTicket += 1
    return result
  }

  /// Sets the values that waited for others to give them away. Says where they did not: then a new object is not
  /// kept, and one that was there keeps what it had.
  func checkUniqueValues() throws -> [(ticket: Int, reason: RowProblem.Reason)] {
    let deferred = deferredUniqueValues
    deferredUniqueValues = []
    var result: [(ticket: Int, reason: RowProblem.Reason)] = []
    for item in deferred {
      guard let constraint = try set(item, to: item.values.map(\.value)) else { continue }
      if item.isNew {
        try deleteInserted(item.row, of: item.entity)
        result.append((item.ticket, .notUnique(constraint)))
      } else {
        _ = try set(item, to: item.values.map(\.former))
        result.append((item.ticket, .valueNotUnique(constraint)))
      }
    }
    return result
  }

  /// Sets the values of a row. Returns the constraint that stands against it.
  private func set(_ item: DeferredUniqueValues, to values: [SQLValue]) throws -> String? {
    let layout = transaction.layout.entities[item.entity]
    let table = transaction.layout.tables[layout.table]
    let names = item.values.map { table.columns[layout.slots[$0.slot]].name }
    let settings = names.enumerated().map { "\(SQL.quoted($1)) = ?\($0 + 2)" }.joined(separator: ", ")
    let statement = try transaction.cached(
      "UPDATE \(SQL.quoted(table.name)) SET \(settings) WHERE rowid = ?1")
    statement.bind(item.row, at: 1)
    for (index, value) in values.enumerated() { statement.bind(value, at: index + 2) }
    do {
      try statement.run()
      return nil
    } catch let error as StoreError where error.isUniquenessViolation {
      return error.constraint
    }
  }
}
