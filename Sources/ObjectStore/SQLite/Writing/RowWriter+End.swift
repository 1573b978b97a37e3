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

/// Values that a program gives objects and that others have: those may give them away before the transaction ends.
///
/// A row is read in the transaction that wrote it, so it has its values from the begin, and its table is without the indexes
/// that check them until the end.
final class UncheckedValues {
  private let context: WriteContext
  private let transaction: SQLiteTransaction
  /// By table that is without its unique indexes, the rows that were written since, each with the ticket of its problem.
  private var rows: [Int: [(ticket: Int, row: Int64)]] = [:]

  init(_ context: WriteContext, _ transaction: SQLiteTransaction) {
    self.context = context
    self.transaction = transaction
  }

  /// Writes a row without a check of its values, after it failed with one. Nil if that fails too.
  func write(
    _ step: RowStep, _ writer: EntityWriter, _ batch: inout RowBatch
  ) throws -> WriteResult? {
    guard !writer.rules.uniqueSlots.isEmpty, try dropChecks(of: writer.layout.table) else { return nil }
    let result = try writer.write(step, of: batch)
    if case .written(let written) = result {
      note(written.row, row: step.row, table: writer.layout.table)
    }
    return result
  }

  /// Whether rows of a table are written without a check of their values.
  func concern(table: Int) -> Bool { !rows.isEmpty && rows[table] != nil }

  /// Notes a row that was written without a check.
  func note(_ rowID: Int64, row: Int, table: Int) {
    rows[table, default: []].append((context.problems.addDeferred(row: row), rowID))
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
    let tables = rows
    rows = [:]
    var result: [DeferredProblem] = []
    for (number, written) in tables.sorted(by: { $0.key < $1.key }) {
      let table = context.layout.tables[number]
      for index in table.indexes where index.uniqueFor != nil {
        let definition = TableDefinitions(layout: context.layout).definition(of: index, table)
        do {
          try transaction.execute(
            definition.replacing(
              "CREATE UNIQUE INDEX", with: "CREATE UNIQUE INDEX IF NOT EXISTS", maxReplacements: 1))
        } catch let error as StoreError where error.isUniquenessViolation {
          let same = try rowsWithSameValues(index, table)
          let found = written.last { same.contains($0.row) } ?? written.last
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
}
