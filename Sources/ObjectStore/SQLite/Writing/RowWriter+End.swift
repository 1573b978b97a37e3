import Bytes
import ObjectModel

extension RowWriter {
  package func runDeferredChecks(_ request: PruneRequest) throws -> DeferredProblems {
    defer { releases.removeAll() }
    var result = DeferredProblems()
    result.problems = try checkChunk(isLast: true) + checks.orphans(among: releases.items)
    if releases.hasDeletions || !request.scopes.isEmpty {
      let found = try checks.prune(request, releases.items)
      result.problems += found.problems
      result.general = found.general
    }
    try rows.before?.drop(context.transaction)
    rows.before = nil
    return result
  }

  package func finishChunk() throws -> [DeferredProblem] { try checkChunk(isLast: false) }

  private func checkChunk(isLast: Bool) throws -> [DeferredProblem] {
    try uniqueValues.setAll() + claims.carryOut(isLast: isLast, link: linkClaimed)
      + checks.removeObjectsWithout(requiredLinks.takeMissing()) + deleter.standingRefusals()
      + uniqueValues.restoreChecks()
  }

  /// Gives children that lists took from others their new owners.
  private func linkClaimed(
    _ relationship: SchemaRelationship, _ claims: [(child: Int64, claim: OwnershipClaim<[SQLValue]>)]
  ) throws {
    let writer = try lists.childLists(for: relationship.index)
    for (child, claim) in claims { try writer.link(child, by: claim) }
  }

  private var checks: DeferredChecks<SQLiteRows> { DeferredChecks(rows, deleter) }
}

/// The required links of new objects that are still to come.
final class RequiredLinks {
  private let context: WriteContext
  private var missing: [MissingLink] = []

  init(_ context: WriteContext) { self.context = context }

  var count: Int { missing.count }

  /// Forgets those that came after there were `count`.
  func removeAll(after count: Int) { missing.removeSubrange(min(count, missing.count)...) }

  // MARK: - While rows are written

  /// Notes the required relationships that a row, just inserted, says nothing of.
  func noteMissing(of row: Int, _ writer: EntityWriter, _ batch: borrowing RowBatch) {
    for required in writer.requiredLinks {
      let leadsToDeleted = leadsToDeleted(row, required, writer, batch)
      guard leadsToDeleted || !isLinked(row, required, batch) else { continue }
      missing.append(
        MissingLink(
          ticket: context.problems.addDeferred(row: row),
          relationship: context.layout.schema.relationships[required.relationship],
          entity: writer.layout.entity.index,
          place: RowLocation(table: writer.layout.table, row: batch.rows[row].rowID),
          lists: lists(thatHave: row, writer, batch),
          namesDeleted: leadsToDeleted || isInDeleted(row, batch)))
    }
  }

  /// Whether a row's foreign key leads to an object that a program deleted and the server has not been told of.
  private func leadsToDeleted(
    _ row: Int, _ required: EntityWriter.RequiredLink, _ writer: EntityWriter, _ batch: borrowing RowBatch
  ) -> Bool {
    guard let unsent = context.unsent,
      let key = writer.foreignKeys.first(where: { $0.relationship == required.relationship })
    else { return false }
    let table = context.layout.entities[key.destination].table
    guard unsent.hasDeleted(inTable: table) else { return false }
    var cells: [Cell] = []
    for slot in key.slots { cells.append(batch[row, slot]) }
    return unsent.hasDeleted(KeyText.text(of: cells, batch), table: table)
  }

  /// Whether a row is nested in an object that is left alone, and not there.
  private func isInDeleted(_ row: Int, _ batch: borrowing RowBatch) -> Bool {
    guard context.unsent != nil else { return false }
    let parent = batch.rows[row].parent
    return parent >= 0 && batch.rows[parent].isHeld && batch.rows[parent].state == .skipped
  }

  private func lists(
    thatHave row: Int, _ writer: EntityWriter, _ batch: borrowing RowBatch
  ) -> [Int] {
    var result: [Int] = []
    for key in writer.foreignKeys {
      guard let slot = key.slots.first, batch.cell(row, slot).link.isFromList else { continue }
      if let list = context.layout.schema.relationships[key.relationship].inverse { result.append(list) }
    }
    return result
  }

  private func isLinked(
    _ row: Int, _ required: EntityWriter.RequiredLink, _ batch: borrowing RowBatch
  ) -> Bool {
    if let slot = required.slot {
      let kind = batch.cell(row, slot).kind
      return kind != .absent && kind != .null
    }
    var next = batch.rows[row].firstList
    while next >= 0 {
      let list = batch.lists[next]
      if list.relationship == required.relationship { return list.count > 0 && !list.isRejected }
      next = list.next
    }
    return false
  }

  /// The links that are missing, which are forgotten.
  func takeMissing() -> [MissingLink] {
    defer { missing = [] }
    return missing
  }
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
  private let deleter: ObjectDeleter<SQLiteRows>
  private var deferred: [DeferredUniqueValues] = []
  /// By table that is without its unique indexes, the rows that were written since, each with the ticket of its problem.
  private var unchecked: [Int: [(ticket: Int, row: Int64)]] = [:]

  init(_ context: WriteContext, _ deleter: ObjectDeleter<SQLiteRows>) {
    self.context = context
    self.deleter = deleter
  }

  // MARK: - Programs

  /// Writes a row with values that another object has, after it failed with them: that may give them away before the
  /// transaction ends. What is written is read in the same transaction, so it has its values from the begin, and the
  /// table is without the indexes that check them until the end. Nil if that fails too.
  private func writeUnchecked(
    _ step: RowStep, _ writer: EntityWriter, _ batch: inout RowBatch
  ) throws -> EntityWriter.Result? {
    guard !writer.uniqueSlots.isEmpty, try dropChecks(of: writer.layout.table) else { return nil }
    let result = try writer.write(step, of: batch)
    if case .written(let written) = result {
      noteUnchecked(written.rowID, row: step.row, table: writer.layout.table)
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
        try context.transaction.execute("DROP INDEX IF EXISTS \(SQL.quoted(index.name))")
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
          try context.transaction.execute(
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
    let statement = try context.transaction.prepare(
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
  ) throws -> EntityWriter.Result? {
    if context.policy.isLocal { return try writeUnchecked(step, writer, &batch) }
    let row = step.row
    let slots = writer.uniqueSlots.filter { batch[row, $0].kind != .absent && batch[row, $0].kind != .null }
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
