#if PostgreSQL
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient
  import UnitOfWork

  /// What a function of Swift makes of each value of a column: a temporary table on the server, which goes with the
  /// transaction. It is made when a statement is about to need it.
  final class ConvertedValues {
    private let function: Store.Migration.Conversion
    private let name: String
    private let form: ColumnForm
    /// The column, as its table is called now; nil where all rows get what becomes of no value.
    private var column: StoredColumn?
    private var rows: String
    private var isMade = false

    /// How many values are read, converted and written at a time.
    private static let portion = 10_000

    init(
      _ function: @escaping Store.Migration.Conversion, number: Int, _ column: StoredColumn?,
      rowsOf rows: String, giving type: AttributeType
    ) {
      (self.function, self.column, self.rows) = (function, column, rows)
      name = "pg_temp.broker_converted_\(number)"
      form = ColumnForm(type)
    }

    /// Notes what the table is called that the values are read from.
    func found(_ column: StoredColumn?, rowsOf rows: String) {
      (self.column, self.rows) = (column, rows)
    }

    /// SQL for what becomes of a value.
    func sql(_ value: String?) -> String {
      let ofNull = "(SELECT c.new_value FROM \(name) c WHERE c.old_value IS NULL)"
      guard let value else { return ofNull }
      return
        "CASE WHEN \(value) IS NULL THEN \(ofNull) ELSE (SELECT c.new_value FROM \(name) c WHERE c.old_value = \(value)) END"
    }

    /// Whether a statement needs the table.
    func isNeeded(by sql: String) -> Bool { !isMade && sql.contains("FROM \(name) c ") }

    /// - Throws: What the function throws; ``StoreError`` for a value that is none of its type.
    func make(_ engine: ServerMigration) throws {
      isMade = true
      let before = column.map { ColumnForm($0.column) } ?? .text
      try engine.execute(
        "CREATE TEMPORARY TABLE \(name) (old_value \(before.declaration), new_value \(form.declaration))"
          + " ON COMMIT DROP")
      let values =
        column.map { "SELECT DISTINCT \($0.name) FROM \($0.table)" }
        ?? "SELECT CAST(NULL AS text) WHERE EXISTS (SELECT FROM \(rows))"
      var pairs: [(SQLValue, SQLValue)] = []
      try engine.forEach(values, columns: 1) { cursor in
        let value = cursor.value(0)
        pairs.append((value, try function(value)))
        if pairs.count == Self.portion { try write(&pairs, before, engine) }
      }
      try write(&pairs, before, engine)
      // Of values of any length, which an ordered index does not take.
      try engine.execute("CREATE INDEX ON \(name) USING hash (old_value)")
      try engine.execute("ANALYZE \(name)")
    }

    private func write(
      _ pairs: inout [(SQLValue, SQLValue)], _ before: ColumnForm, _ engine: ServerMigration
    ) throws {
      let copy = try engine.connection.copyIn("COPY \(name) FROM STDIN (FORMAT binary)")
      do {
        for (old, new) in pairs {
          copy.beginRow()
          try before.append(Value(old), to: copy)
          try form.append(Value(new), to: copy)
          try copy.endRow()
        }
        _ = try copy.finish()
      } catch {
        copy.abort("the migration failed")
        throw error
      }
      pairs = []
    }
  }
#endif
