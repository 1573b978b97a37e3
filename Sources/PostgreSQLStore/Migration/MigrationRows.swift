#if PostgreSQL
  import ObjectStore
  import PostgreSQLClient

  /// Steps through the rows of one page of a query of a migration.
  final class MigrationRows: ServerRowCursor {
    let columnCount: Int
    private let rows: PostgreSQLRows
    let values = ServerRowValues(mixedColumns: [])
    private var row = -1

    init(_ rows: PostgreSQLRows) {
      self.rows = rows
      columnCount = rows.columnCount
      values.began(rows)
    }

    // Its queries have no parameters.
    func bind(_ value: Int64, at index: Int) {}
    func bind(_ value: SQLValue, at index: Int) {}

    func step() throws -> Bool {
      row += 1
      guard row < rows.count else { return false }
      values.moved(to: row)
      return true
    }

    func reset() { row = -1 }
  }
#endif
