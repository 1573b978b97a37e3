#if PostgreSQL
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient
  import UnitOfWork

  /// The migration engine of a server.
  final class ServerMigration: MigrationEngine {
    let connection: PostgreSQLConnection
    private var failed: (any Error)?
    private var conversions: [(key: String, values: ConvertedValues)] = []
    private var cursors = 0

    /// So many rows come at a time.
    private static let page = 5_000
    /// A table has room for 1,600 columns, and those that were removed count for ever.
    private static let columns = 1_590
    private static let aside = "pg_temp.broker_old_pending"
    private let names: NameRules
    private var pending: String { names.sqlName(StoreTable.pending) }
    private var journal: ServerJournalNames { ServerJournalNames(names) }

    /// - Parameter names: Those of the store's tables.
    init(_ connection: PostgreSQLConnection, _ names: NameRules) {
      (self.connection, self.names) = (connection, names)
    }

    /// The condition that could not be put into SQL.
    var failure: (any Error)? { failed }

    // MARK: - Local changes

    func journalEntries() throws -> [JournalEntry] {
      try ServerJournalTable.entries(of: journal, on: connection)
    }

    func replaceJournal(with entries: [(entry: JournalEntry, root: String)]) throws {
      try execute("DELETE FROM \(journal.table)")
      for (entry, root) in entries {
        try ServerJournalTable.put(entry, root: root, into: journal, on: connection)
      }
    }

    // MARK: - Words of SQL

    func tableName(_ name: String) -> String { names.sqlName(name) }

    func rowNumber(_ alias: String, of table: Table) -> String {
      "\(alias).\(PostgreSQLDialect().rowColumn(of: table))"
    }

    /// Where a link lies, as a number: links that came later lie behind, unless they took the room of some that were deleted.
    func linkNumber(_ alias: String) -> String {
      let place = "(\(alias).ctid::text::point)"
      return "(\(place)[0]::bigint * 65536 + \(place)[1]::bigint)"
    }

    func numberColumn(of table: Table) -> String { "broker_row" }

    func literal(_ value: SQLValue, _ type: AttributeType) -> String {
      literal(value, ColumnForm(type), SQLForm(type))
    }

    func literal(ofKeyPart text: String, in column: Column) -> String? {
      var value = SQLValue.text(text)
      switch ColumnForm(column) {
      case .integer, .boolean: value = Int64(text).map { .integer($0) } ?? value
      case .real: value = Double(text).map { .real($0) } ?? value
      case .text, .mixed, .decimal, .date, .uuid, .blob: break
      }
      guard let held = ServerArgument.value(value, as: SQLForm(column)) else { return nil }
      return Self.literal(held, ColumnForm(column))
    }

    private func literal(_ value: SQLValue, _ form: ColumnForm, _ held: SQLForm) -> String {
      guard let value = ServerArgument.value(value, as: held), let sql = Self.literal(value, form) else {
        failed = failed ?? StoreError.invalid("\(value) does not fit its column. Nothing was changed.")
        return Self.null(form)
      }
      return sql
    }

    private static func literal(_ value: SQLValue, _ form: ColumnForm) -> String? {
      let text: String
      switch (form, value) {
      case (_, .null): return null(form)
      case (.boolean, .integer(let number)): return number == 0 ? "FALSE" : "TRUE"
      case (_, .integer(let number)): text = String(number)
      case (_, .real(let number)): text = "\(number)"
      case (.date, .text(let moment)): text = moment + "+00"
      case (_, .text(let words)): text = words
      case (_, .blob(let bytes)):
        text = "\\x" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      }
      return "CAST(\(SQL.literal(text)) AS \(form.typeName))"
    }

    func null(in column: Column) -> String { Self.null(ColumnForm(column)) }

    static func null(_ form: ColumnForm) -> String { "CAST(NULL AS \(form.typeName))" }

    func rowKey(_ number: String, in table: Table) -> String {
      table.holdsMixedKeys ? "CAST(\(number) AS text)" : number
    }

    func joinedKey(_ parts: [KeyPart]) -> String {
      let texts = parts.map { Self.text($0.sql, $0.isMixed ? .mixed : ColumnForm($0.type)) }
      guard texts.count > 1 else { return texts.first ?? Self.null(.text) }
      return texts.map { #"replace(replace(\#($0), '\', '\\'), ',', '\,')"# }.joined(separator: " || ',' || ")
    }

    /// A value as texts of keys have it.
    private static func text(_ sql: String, _ form: ColumnForm) -> String {
      switch form {
      case .text, .mixed: return "CAST(\(sql) AS text)"
      case .boolean: return "CAST(CAST(\(sql) AS integer) AS text)"
      case .integer, .uuid: return "CAST(\(sql) AS text)"
      case .decimal: return "CAST(trim_scale(\(sql)) AS text)"
      case .real:
        return
          "CASE WHEN \(sql) = trunc(\(sql)) AND abs(\(sql)) < 1e15 THEN CAST(\(sql) AS text) || '.0' ELSE CAST(\(sql) AS text) END"
      case .date:
        let moment = "\(sql) AT TIME ZONE 'UTC'"
        return
          "to_char(\(moment), 'YYYY-MM-DD HH24:MI:SS') || rtrim(rtrim(to_char(\(moment), '.US'), '0'), '.')"
      case .blob: return "convert_from(\(sql), 'UTF8')"
      }
    }

    // MARK: - Values

    func keeps(_ conversion: ValueConversion) -> Bool {
      conversion.keepsAll && ColumnForm(conversion.old) == ColumnForm(conversion.new)
    }

    func converted(_ column: StoredColumn, _ conversion: ValueConversion) -> String? {
      if keeps(conversion) { return nil }
      if let sql = ServerConversion.sql(column.sql, conversion) { return sql }
      return called(
        { ServerConversion.held(conversion.convert($0), as: conversion.new) },
        "\(conversion.old) \(conversion.new)", on: column,
        rowsOf: column.table, giving: conversion.new)
    }

    /// The server cannot call Swift: the function is called here, once for each of the values that there are, and the SQL
    /// looks up what it gave.
    func called(
      _ function: @escaping Store.Migration.Conversion, _ name: String, on column: StoredColumn?,
      rowsOf table: String, giving type: AttributeType
    ) -> String {
      let key = "\(name)\u{0}\(column?.origin ?? "")\u{0}\(type)"
      if let known = conversions.firstIndex(where: { $0.key == key }) {
        conversions[known].values.found(column, rowsOf: table)
        return conversions[known].values.sql(column?.sql)
      }
      let values = ConvertedValues(
        function, number: conversions.count, column, rowsOf: table, giving: type)
      conversions.append((key, values))
      return values.sql(column?.sql)
    }

    /// Makes ready what a statement needs.
    private func prepare(_ sql: String) throws {
      if let failed { throw failed }
      for index in conversions.indices where conversions[index].values.isNeeded(by: sql) {
        try conversions[index].values.make(self)
      }
    }

    func elements(of column: StoredColumn, in key: Column) -> (source: String, value: String, place: String) {
      let source = "json_array_elements_text(\(Self.list(column))) WITH ORDINALITY AS e(value, place)"
      let type = ColumnForm(key.type).typeName
      return ("LATERAL \(source)", "CAST(e.value AS \(type))", "e.place - 1")
    }

    func isOther(_ column: StoredColumn, thanListsFor key: Column) -> String {
      // A text may be a whole number, as imports read it: `"17"`.
      let isKey =
        ColumnForm(key.type) == .integer
        ? "json_typeof(e.value) = 'number' AND CAST(e.value AS text) ~ '^-?[0-9]+$'"
          + " OR json_typeof(e.value) = 'string' AND e.value #>> '{}' ~ '^(0|-?[1-9][0-9]{0,17})$'"
        : "json_typeof(e.value) = 'string'"
      return "\(column.sql) IS NOT NULL AND (\(Self.list(column)) IS NULL OR EXISTS"
        + " (SELECT 1 FROM json_array_elements(\(Self.list(column))) AS e(value)"
        + " WHERE NOT (\(isKey))))"
    }

    func key(ofText text: String, in column: Column) -> String {
      "CAST(\(text) AS \(ColumnForm(column.type).typeName))"
    }

    func list(ofKeys query: String, of type: AttributeType) -> String {
      let value = ColumnForm(type) == .integer ? "CAST(k AS text)" : "CAST(to_json(CAST(k AS text)) AS text)"
      return "(SELECT '[' || string_agg(\(value), ',' ORDER BY p NULLS LAST, n) || ']' FROM (\(query)) AS l)"
    }

    /// The JSON list of a column; null for other texts.
    private static func list(_ column: StoredColumn) -> String {
      "CASE WHEN \(column.sql) LIKE '[%' THEN CAST(\(column.sql) AS json) END"
    }

    // MARK: - Changes in place

    // References may lead to what is not there yet.
    var declaresForeignKeys: Bool { false }
    var dropsColumns: Bool { true }
    func fits(_ old: Column, _ new: Column) -> Bool { ColumnForm(old) == ColumnForm(new) }

    func hasRoom(in table: Table, forColumns count: Int) -> Bool {
      guard count > 0 else { return true }
      do {
        let used = try number(
          "SELECT relnatts::bigint FROM pg_class WHERE oid = \(SQL.literal(tableName(table.name)))::regclass"
        )
        return Int(used) + count <= Self.columns
      } catch {
        failed = failed ?? error
        return true
      }
    }

    // MARK: - Running

    func execute(_ sql: String) throws {
      try prepare(sql)
      _ = try connection.execute(sql)
    }

    func forEach(_ sql: String, columns: Int, _ body: (any Cursor) throws -> Void) throws {
      try prepare(sql)
      cursors += 1
      let name = "broker_migration_\(cursors)"
      _ = try connection.execute("DECLARE \(name) NO SCROLL CURSOR FOR \(sql)")
      while true {
        let page = try connection.query(
          "FETCH \(Self.page) FROM \(name)", PostgreSQLParameters())
        let rows = MigrationRows(page)
        while try rows.step() { try body(rows) }
        if page.count < Self.page { break }
      }
      // A table cannot be changed while a cursor reads it.
      _ = try connection.execute("CLOSE \(name)")
    }

    func setPendingLinksAside() throws -> String {
      try execute(
        "CREATE TEMPORARY TABLE \(Self.aside) ON COMMIT DROP AS SELECT * FROM \(pending) ORDER BY \(ServerTables.rowName);"
          + " TRUNCATE \(pending)")
      return Self.aside
    }

    func removePendingLinksAside() throws { try execute("DROP TABLE \(Self.aside)") }

    func insertLink(_ values: [String], into join: JoinTable, _ names: [String]) throws {
      try execute(
        "INSERT INTO \(join.sqlName) (\(names.map(SQL.quoted).joined(separator: ", ")))"
          + " SELECT \(values.joined(separator: ", ")) ON CONFLICT DO NOTHING")
    }
  }

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

  /// The results of a function of Swift for each value of a column: a temporary table on the server, which goes with the
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

  /// The conversions of values that the server makes exactly as ``ValueConversion`` does.
  enum ServerConversion {
    /// SQL for a value in the form of another type; nil if the server cannot say that.
    static func sql(_ value: String, _ conversion: ValueConversion) -> String? {
      switch (ColumnForm(conversion.old), ColumnForm(conversion.new)) {
      case (.integer, .integer): limited(value, to: conversion.new)
      case (.boolean, .integer): "CAST(CAST(\(value) AS integer) AS bigint)"
      case (.integer, .boolean): "CASE \(value) WHEN 1 THEN TRUE WHEN 0 THEN FALSE END"
      case (.boolean, .text) where conversion.new == .string:
        "CASE \(value) WHEN TRUE THEN 'true' WHEN FALSE THEN 'false' END"
      case (.integer, .text) where conversion.new == .string: "CAST(\(value) AS text)"
      case (.uuid, .text) where conversion.new == .string || conversion.new == .uri: "CAST(\(value) AS text)"
      case (.decimal, .text) where conversion.new == .string: "CAST(trim_scale(\(value)) AS text)"
      case (.integer, .decimal): "CAST(\(value) AS numeric)"
      case (.integer, .real) where conversion.new == .double:
        "CASE WHEN \(value) BETWEEN -9007199254740992 AND 9007199254740992 THEN CAST(\(value) AS double precision) END"
      default: nil
      }
    }

    /// A value as the server keeps it: a date to the microsecond. What it does not keep is no value, and so is counted as lost.
    static func held(_ value: SQLValue?, as type: AttributeType) -> SQLValue {
      guard var value else { return .null }
      if type == .date, case .text(let text) = value {
        value = PostgreSQLDialect().nearest(.text(text), as: .date, .less).value
      }
      return ServerArgument.value(value, as: SQLForm(type)) ?? .null
    }

    /// A whole number where the new type has room for it.
    private static func limited(_ value: String, to type: AttributeType) -> String {
      switch type {
      case .integer16: "CASE WHEN \(value) BETWEEN \(Int16.min) AND \(Int16.max) THEN \(value) END"
      case .integer32: "CASE WHEN \(value) BETWEEN \(Int32.min) AND \(Int32.max) THEN \(value) END"
      default: value
      }
    }
  }
#endif
