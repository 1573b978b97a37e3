import Bytes
import ObjectModel

extension RowWriter {
  package func runDeferredChecks(_ request: PruneRequest) throws -> DeferredProblems {
    let problems = try records.runDeferredChecks(request)
    try rows.before?.drop(transaction)
    rows.before = nil
    return problems
  }

  package func finishChunk() throws -> [DeferredProblem] { try records.finishChunk() }
}

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
  private let transaction: SQLiteTransaction
  private var deferred: [DeferredUniqueValues] = []
  /// By table that is without its unique indexes, the rows that were written since, each with the ticket of its problem.
  private var unchecked: [Int: [(ticket: Int, row: Int64)]] = [:]

  init(_ context: WriteContext, _ transaction: SQLiteTransaction) {
    self.context = context
    self.transaction = transaction
  }

  // MARK: - Programs

  /// Writes a row with values that another object has, after it failed with them: that may give them away before the
  /// transaction ends. What is written is read in the same transaction, so it has its values from the begin, and the
  /// table is without the indexes that check them until the end. Nil if that fails too.
  private func writeUnchecked(
    _ step: RowStep, _ writer: EntityWriter, _ batch: inout RowBatch
  ) throws -> WriteResult? {
    guard !writer.rules.uniqueSlots.isEmpty, try dropChecks(of: writer.layout.table) else { return nil }
    let result = try writer.write(step, of: batch)
    if case .written(let written) = result {
      noteUnchecked(written.row, row: step.row, table: writer.layout.table)
    }
    return result
  }

  /// Whether rows of a table are written without a check of their values.
  func isUnchecked(table: Int) -> Bool { !unchecked.isEmpty && unchecked[table] != nil }

  /// Notes a row that was written without a check.
  func noteUnchecked(_ rowID: Int64, row: Int, table: Int) {
    unchecked[table, default: []].append((context.problems.addDeferred(row: row), rowID))
  }

  /// Drops the unique indexes of a table. False if a cursor that is being read keeps SQLite from it.
  private func dropChecks(of table: Int) throws -> Bool {
    do {
      for index in context.layout.tables[table].indexes where index.uniqueFor != nil {
        try transaction.execute("DROP INDEX IF EXISTS \(SQL.quoted(index.name))")
      }
      return true
    } catch let error as StoreError where error.isLockedByOwnCursor {
      return false
    }
  }

  /// Makes the indexes again that were dropped, and says which objects stand against it.
  func restoreChecks() throws -> [DeferredProblem] {
    let tables = unchecked
    unchecked = [:]
    var result: [DeferredProblem] = []
    for (number, rows) in tables.sorted(by: { $0.key < $1.key }) {
      let table = context.layout.tables[number]
      for index in table.indexes where index.uniqueFor != nil {
        let definition = TableDefinitions(layout: context.layout).definition(of: index, table)
        do {
          try transaction.execute(
            definition.replacing(
              "CREATE UNIQUE INDEX", with: "CREATE UNIQUE INDEX IF NOT EXISTS", maxReplacements: 1))
        } catch let error as StoreError where error.isUniquenessViolation {
          let same = try rowsWithSameValues(index, table)
          let found = rows.last { same.contains($0.row) } ?? rows.last
          if let found { result.append((found.ticket, .notUnique(error.constraint))) }
        }
      }
    }
    return result
  }

  /// The rows that share the values of an index with others.
  private func rowsWithSameValues(_ index: TableIndex, _ table: Table) throws -> Set<Int64> {
    let columns = SQL.list(index.columns.map { table.columns[$0.column].name })
    var condition = ""
    if let entities = index.uniqueFor, let kind = table.kindColumn {
      let names = entities.map { SQL.literal(context.layout.schema.entities[$0].name) }
      condition = " WHERE \(SQL.quoted(kind)) IN (\(names.joined(separator: ", ")))"
    }
    let name = SQL.quoted(table.name)
    let statement = try transaction.prepare(
      "SELECT rowid FROM \(name) WHERE (\(columns)) IN (SELECT \(columns) FROM \(name)\(condition)"
        + " GROUP BY \(columns) HAVING count(*) > 1)")
    var rows: Set<Int64> = []
    while try statement.step() { rows.insert(statement.integer(0)) }
    return rows
  }

  // MARK: - Imports

  /// Writes a row without the values that must be unique, after it failed with them. Nil if that fails too.
  func writeWithout(
    _ step: RowStep, _ writer: EntityWriter, _ batch: inout RowBatch
  ) throws -> WriteResult? {
    if context.policy.isLocal { return try writeUnchecked(step, writer, &batch) }
    let row = step.row
    let slots = writer.rules.uniqueSlots.filter {
      batch[row, $0].kind != .absent && batch[row, $0].kind != .null
    }
    guard !step.isReplacement, !slots.isEmpty else { return nil }
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
        row: written.row, isNew: written.outcome == .inserted, values: values))
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
  func setAll(_ deleter: ObjectDeleter<SQLiteRows>) throws -> [DeferredProblem] {
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
