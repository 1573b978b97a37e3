#if PostgreSQL
  import ObjectStore
  import PostgreSQLClient

  /// Steps through the rows of one page of a query of a migration.
  final class MigrationRows: Cursor {
    let columnCount: Int
    private let rows: PostgreSQLRows
    private let values = ServerRowValues(mixedColumns: [])
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

    func isNull(_ column: Int) -> Bool { values.field(column).isNull }
    func storage(_ column: Int) -> StorageType? { values.storage(column) }
    func integer(_ column: Int) -> Int64 { values.integer(column) }
    func double(_ column: Int) -> Double { values.double(column) }
    func text(_ column: Int) -> UnsafeBufferPointer<UInt8> { values.text(column) }
    func blob(_ column: Int) -> UnsafeRawBufferPointer { values.blob(column) }
    func string(_ column: Int) -> String { String(decoding: values.text(column), as: UTF8.self) }
  }
#endif
