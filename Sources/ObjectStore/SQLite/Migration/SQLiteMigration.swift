import ObjectModel

/// What a migration needs of SQLite.
final class SQLiteMigration: MigrationEngine {
  private let connection: OpaquePointer
  private let functions = MigrationFunctions()
  private static let aside = SQL.quoted(Migrator.oldPrefix + "pending")

  init(_ connection: OpaquePointer) throws {
    self.connection = connection
    try functions.register(on: connection)
  }

  // MARK: - Words of SQL

  // Not a view of the same name.
  func tableName(_ name: String) -> String { "main." + SQL.quoted(name) }
  func rowNumber(_ alias: String, of table: Table) -> String { "\(alias).rowid" }
  func linkNumber(_ alias: String) -> String { "\(alias).rowid" }
  func numberColumn(of table: Table) -> String { table.rowIDColumn ?? "rowid" }
  func literal(_ value: SQLValue, _ type: AttributeType) -> String { value.literal }
  // The column's affinity makes a number of it.
  func literal(ofKeyPart text: String, in column: Column) -> String? { SQL.literal(text) }
  func null(in column: Column) -> String { "NULL" }
  func rowKey(_ number: String, in table: Table) -> String { number }
  func joinedKey(_ parts: [KeyPart]) -> String { MigrationFunctions.joined(parts.map(\.sql)) }

  // MARK: - Values

  func keeps(_ conversion: ValueConversion) -> Bool { conversion.keepsAll }

  func converted(_ column: StoredColumn, _ conversion: ValueConversion) -> String? {
    if conversion.keepsAll { return nil }
    let sql = column.sql
    switch (StorageType(conversion.old), conversion.new) {
    case (.integer, .decimal) where conversion.old != .boolean,
      (.integer, .string) where conversion.old != .boolean:
      return "CAST(\(sql) AS TEXT)"
    case (.integer, .double) where conversion.old != .boolean:
      return "CASE WHEN \(sql) BETWEEN -9007199254740992 AND 9007199254740992 THEN CAST(\(sql) AS REAL) END"
    default: return functions.call(sql) { conversion.convert($0) ?? .null }
    }
  }

  func called(
    _ function: @escaping Store.Migration.Conversion, _ name: String, on column: StoredColumn?,
    rowsOf table: String, giving type: AttributeType
  ) -> String {
    functions.call(column?.sql ?? "NULL", function)
  }

  var failure: (any Error)? { functions.error }

  // MARK: - Changes in place

  var declaresForeignKeys: Bool { true }
  // SQLite would go through all rows.
  var dropsColumns: Bool { false }

  func fits(_ old: Column, _ new: Column) -> Bool {
    guard old.storage == new.storage, old.holdsMixedKeys == new.holdsMixedKeys else { return false }
    return !new.isKey || (old.type == .boolean) == (new.type == .boolean)
  }

  func hasRoom(in table: Table, forColumns count: Int) -> Bool { true }

  // MARK: - Local changes

  func journalEntries() throws -> [JournalEntry] {
    guard let hasFormer = try SQLiteJournalTable.hasFormer(prepare) else { return [] }
    let statement = try prepare(
      "\(SQLiteJournalTable.selection(hasFormer: hasFormer)) ORDER BY \"revision\"")
    var entries: [JournalEntry] = []
    while try statement.step() {
      entries.append(try SQLiteJournalTable.entry(statement))
    }
    return entries
  }

  func replaceJournal(with entries: [(entry: JournalEntry, root: String)]) throws {
    try prepare("DELETE FROM \(SQL.quoted(StoreTable.journal))").run()
    for (entry, root) in entries { try SQLiteJournalTable.put(entry, root: root, prepare) }
  }

  private func prepare(_ sql: String) throws -> PreparedStatement {
    try PreparedStatement(sql, on: connection)
  }

  // MARK: - Running

  func execute(_ sql: String) throws { try PreparedStatement(sql, on: connection).run() }

  func forEach(_ sql: String, columns: Int, _ body: (any Cursor) throws -> Void) throws {
    let statement = try PreparedStatement(sql, on: connection)
    while try statement.step() { try body(statement) }
  }

  func setPendingLinksAside() throws -> String {
    try execute("DROP INDEX IF EXISTS \(SQL.quoted(StoreTable.pending + "_owner_index"))")
    try execute("ALTER TABLE \(SQL.quoted(StoreTable.pending)) RENAME TO \(Self.aside)")
    for statement in TableDefinitions.pendingTable { try execute(statement) }
    return Self.aside
  }

  func removePendingLinksAside() throws { try execute("DROP TABLE \(Self.aside)") }

  func insertLink(_ values: [String], into join: JoinTable, _ names: [String]) throws {
    try execute(
      "INSERT OR IGNORE INTO \(SQL.quoted(join.name)) (\(SQL.list(names))) VALUES (\(values.joined(separator: ", ")))"
    )
  }
}
