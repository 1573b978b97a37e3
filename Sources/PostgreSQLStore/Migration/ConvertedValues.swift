#if PostgreSQL
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient
  import WorkingCopy

  /// What a function of Swift makes of each value of a column: a temporary table on the server, which goes with the
  /// transaction.
  struct ConvertedValues {
    /// Nil where there is no column: all rows get the same.
    private let table: String?
    /// What becomes of no value, as SQL.
    private let ofNull: String

    /// How many values are read, converted and written at a time.
    private static let portion = 10_000

    /// - Throws: What `function` throws; ``StoreError`` for a value that is none of the type.
    init(
      _ function: Store.Migration.Conversion, number: Int, _ column: StoredColumn?, rowsOf rows: String,
      giving type: AttributeType, _ engine: ServerMigration
    ) throws {
      let form = ColumnForm(type)
      let hasNull =
        try engine.number(
          "SELECT CAST(CAST(EXISTS (SELECT FROM \(rows)\(column.map { " WHERE \($0.name) IS NULL" } ?? "")) AS integer) AS bigint)"
        ) > 0
      ofNull = hasNull ? engine.literal(try function(.null), type) : ServerMigration.null(form)
      if let failure = engine.failure { throw failure }
      guard let column else {
        table = nil
        return
      }
      let name = "broker_converted_\(number)"
      table = name
      try engine.execute(
        "CREATE TEMPORARY TABLE \(name) (old_value \(ColumnForm(column.column).declaration),"
          + " new_value \(form.declaration)) ON COMMIT DROP")
      try Self.fill(name, column, form, function, engine)
      // Of values of any length, which an ordered index does not take.
      try engine.execute("CREATE INDEX ON \(name) USING hash (old_value)")
      try engine.execute("ANALYZE \(name)")
    }

    /// SQL for what becomes of a value.
    func sql(_ value: String?) -> String {
      guard let table, let value else { return ofNull }
      return
        "CASE WHEN \(value) IS NULL THEN \(ofNull) ELSE (SELECT c.new_value FROM \(table) c WHERE c.old_value = \(value)) END"
    }

    private static func fill(
      _ table: String, _ column: StoredColumn, _ form: ColumnForm, _ function: Store.Migration.Conversion,
      _ engine: ServerMigration
    ) throws {
      let before = ColumnForm(column.column)
      var pairs: [(SQLValue, SQLValue)] = []
      func write() throws {
        guard !pairs.isEmpty else { return }
        let copy = try engine.connection.copyIn("COPY \(table) FROM STDIN (FORMAT binary)")
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
      try engine.forEach(
        "SELECT DISTINCT \(column.name) FROM \(column.table) WHERE \(column.name) IS NOT NULL", columns: 1
      ) { cursor in
        let value = cursor.value(0)
        pairs.append((value, try function(value)))
        if pairs.count == portion { try write() }
      }
      try write()
    }
  }
#endif
