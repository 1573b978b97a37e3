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
  let values: [Value]

  struct Value {
    let slot: Int
    let value: SQLValue
    var former = SQLValue.null
  }
}

/// The values of uniqueness constraints that wait for others to give them away.
final class UniqueValues {
  private let context: WriteContext
  private let deleter: ObjectDeleter
  private var deferred: [DeferredUniqueValues] = []

  init(_ context: WriteContext, _ deleter: ObjectDeleter) {
    self.context = context
    self.deleter = deleter
  }

  /// Writes a row without the values that must be unique, after it failed with them. Nil if that fails too.
  func writeWithout(
    _ step: RowStep, _ writer: EntityWriter, _ batch: inout RowBatch
  ) throws -> EntityWriter.Result? {
    let row = step.row
    let slots = writer.uniqueSlots.filter { batch[row, $0].kind != .absent && batch[row, $0].kind != .null }
    guard !context.policy.isLocal, !step.isReplacement, !slots.isEmpty else { return nil }
    let values = try values(of: slots, step, writer, batch)
    var cells: [Cell] = []
    for slot in slots {
      cells.append(batch[row, slot])
      batch[row, slot] = .null
    }
    defer { for (slot, cell) in zip(slots, cells) { batch[row, slot] = cell } }
    writer.allowsMissing = true
    defer { writer.allowsMissing = false }
    let result = try writer.write(step, of: batch)
    guard case .written(let written) = result else { return nil }
    deferred.append(
      DeferredUniqueValues(
        ticket: context.problems.addDeferred(row: row), entity: writer.layout.entity.index,
        row: written.rowID, isNew: written.outcome == .inserted, values: values))
    return result
  }

  /// The values of a row's slots, and those that its object has.
  private func values(
    of slots: [Int], _ step: RowStep, _ writer: EntityWriter, _ batch: borrowing RowBatch
  ) throws -> [DeferredUniqueValues.Value] {
    var values: [DeferredUniqueValues.Value] = []
    for slot in slots {
      values.append(.init(slot: slot, value: batch.value(of: batch[step.row, slot])))
    }
    guard let found = try writer.find(step.row, over: step.existing, batch) else { return values }
    defer { writer.lookup.endReading(found) }
    for index in values.indices {
      values[index].former = found.value(writer.firstSlotColumn + values[index].slot)
    }
    return values
  }

  /// Sets the values that waited for others to give them away. Says where they did not: then a new object is not
  /// kept, and one that was there keeps what it had.
  func setAll() throws -> [DeferredProblem] {
    let items = deferred
    deferred = []
    var result: [DeferredProblem] = []
    for item in items {
      guard let constraint = try set(item, to: item.values.map(\.value)) else { continue }
      if item.isNew {
        try deleter.deleteInserted(item.row, of: item.entity)
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
    let layout = context.layout.entities[item.entity]
    let table = context.layout.tables[layout.table]
    let names = item.values.map { table.columns[layout.slots[$0.slot]].name }
    let settings = names.enumerated().map { "\(SQL.quoted($1)) = ?\($0 + 2)" }.joined(separator: ", ")
    let statement = try context.transaction.cached(
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
