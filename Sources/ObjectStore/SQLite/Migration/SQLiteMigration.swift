import Bytes
import Foundation
import GRDB
import GRDBSQLite
package import ObjectModel

/// The migration engine of SQLite.
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

  func elements(of column: StoredColumn, in key: Column) -> (source: String, value: String, place: String) {
    let value =
      key.type == .uuid ? "lower(e.value)" : key.storage == .integer ? "CAST(e.value AS INTEGER)" : "e.value"
    return ("json_each(\(Self.list(column))) AS e", value, "e.key")
  }

  func isOther(_ column: StoredColumn, thanListsFor key: Column) -> String {
    // A text may be a whole number, as imports read it: `"17"`.
    let isKey =
      key.storage == .integer
      ? "e.type = 'integer' OR e.type = 'text' AND e.value = CAST(CAST(e.value AS INTEGER) AS TEXT)"
      : "e.type = 'text'"
    return "\(column.sql) IS NOT NULL AND (coalesce(json_type(\(Self.list(column))), '') <> 'array' OR EXISTS"
      + " (SELECT 1 FROM json_each(\(Self.list(column))) AS e WHERE NOT (\(isKey))))"
  }

  /// The JSON of a column. Other texts would be an error.
  private static func list(_ column: StoredColumn) -> String {
    "CASE WHEN json_valid(\(column.sql)) THEN \(column.sql) END"
  }

  func key(ofText text: String, in column: Column) -> String {
    column.storage == .integer ? "CAST(\(text) AS INTEGER)" : text
  }

  func list(ofKeys query: String, of type: AttributeType) -> String {
    "(SELECT CASE WHEN count(*) > 0 THEN json_group_array(k) END FROM"
      + " (SELECT k FROM (\(query)) ORDER BY \(SQL.place("p")), n))"
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

extension SQLiteStore {
  /// Gives the store, in the transaction that is open, the version of the model that it was opened with.
  func migrateTables(_ database: Database) throws {
    guard let handle = database.sqliteConnection,
      let remembered = try opening.remembered(database)?.description
    else {
      return
    }
    if layout.hasSearch { try FullTextSearch.check(database) }
    let steps = try options.migration.steps(from: remembered, to: description, layout, path: path)
    var before = try remembered.layout()
    for (index, step) in steps.enumerated() {
      let isLast = index == steps.count - 1
      let after = isLast ? layout : try description.layout(of: step.model, names: layout.names)
      try migrate(database, handle, from: before, to: after, step)
      before = after
    }
    try StoreOpening.remember(description, database)
    try migrateHabits(database, from: remembered)
    state.noteComparison(with: try StoreOpening.schemaVersion(database), .none)
  }

  private func migrate(
    _ database: Database, _ handle: OpaquePointer, from before: Layout, to after: Layout,
    _ step: MigrationStage
  ) throws {
    let migrator = try Migrator(
      from: before, to: after, options.migration, on: handle, keepsOld: step.body != nil)
    var plan = try MigrationPlanner(sources: migrator.sources, countsAll: false).plan()
    // The plan cannot know the effects of a stage's own code.
    if step.body != nil { plan.leaveToCode() }
    try options.migration.check(plan, of: path)
    if let backup = options.migration.backupPath, plan.steps.contains(where: \.isRemoval) {
      try backUp(to: backup)
    }
    try migrator.checkSpace(file: opening.file, database)
    try migrator.run {
      guard let body = step.body else { return }
      try run(body, handle, database, before, after)
      try options.migration.check(migrator.journal.finish(), of: path)
    }
  }

  /// Runs the code of a stage between the old tables and the new ones.
  private func run(
    _ body: (SQLiteTransaction, SQLiteTransaction) throws -> Void, _ handle: OpaquePointer,
    _ database: Database,
    _ before: Layout, _ after: Layout
  ) throws {
    let caches = (ConnectionCache(), ConnectionCache())
    defer {
      caches.0.removeAll()
      caches.1.removeAll()
    }
    let oldLayout = Layout(before.schema, tablePrefix: Migrator.oldPrefix)
    let old = SQLiteTransaction(handle, database, caches.0, oldLayout, isReadOnly: true)
    let new = SQLiteTransaction(handle, database, caches.1, after)
    defer {
      old.end()
      new.end()
    }
    try body(old, new)
  }

  // MARK: - What a migration needs besides

  /// Copies what is committed, which is all but this transaction.
  private func backUp(to path: String) throws {
    guard let file = opening.file else {
      throw StoreError.invalid("A store in memory cannot be backed up before its migration.")
    }
    let copy = StoreFile(path)
    do {
      let unfinished = try UnfinishedFile(beside: copy.path)
      defer { StoreFile.removeSidecars(at: unfinished.path) }
      var configuration = GRDB.Configuration()
      configuration.readonly = true
      let source = try DatabaseQueue(path: file.path, configuration: configuration)
      defer { try? source.close() }
      let target = try DatabaseQueue(path: unfinished.path)
      try source.backup(to: target)
      try target.close()
      try unfinished.finishBackup(at: copy, path, of: file)
    } catch let error as DatabaseError {
      throw StoreError(.unreadable(path: path, why: error.reason))
    } catch let error as SystemError {
      throw StoreError(.unreadable(path: path, why: error.message))
    }
  }

  /// Renames the entities and properties in what the layers above remember of them as JSON.
  private func migrateHabits(_ database: Database, from remembered: StoreDescription) throws {
    let select = "SELECT \"value\" FROM \(SQL.quoted(StoreTable.metadata)) WHERE \"key\" = 'json'"
    guard let text = try String.fetchOne(database, sql: select),
      let migrated = try ObservedJSONStyle.migrated(text, from: remembered.model, to: description.model)
    else { return }
    try database.execute(
      sql: "UPDATE \(SQL.quoted(StoreTable.metadata)) SET \"value\" = ? WHERE \"key\" = 'json'",
      arguments: [migrated])
  }
}

extension SQLiteStore {
  package func plan(
    for model: Model, mapping: JSONMapping?, migration: Store.Migration
  ) throws -> MigrationPlan {
    let given = StoreDescription(model: model, mapping: try mapping ?? description.mapping(for: model))
    try given.layout().checkLimits()
    if state.isBlank { return .nothing }
    return try read { transaction in
      let engine = try SQLiteMigration(transaction.connection)
      let guesses = try InferredIdentities(given, over: description) { try engine.number($0) }
      var migration = migration
      migration.lostGuesses.formUnion(guesses.entities)
      let sources = MigrationSources(layout, try guesses.description.layout(), migration, engine)
      return try MigrationPlanner(sources: sources, countsAll: true).plan()
    }
  }
}

/// The functions of a migration that SQL cannot say. Statements call them by number.
final class MigrationFunctions: @unchecked Sendable {
  typealias Function = (SQLValue) throws -> SQLValue

  /// `broker_migrated(number, value)`
  private static let name = "broker_migrated"
  /// `broker_joined(part, …)`: the parts of a key as one text
  private static let joinedName = "broker_joined"
  private var functions: [Function] = []
  /// The error of a function. SQLite passes on no errors of Swift's.
  private(set) var error: (any Error)?

  /// SQL for what a function makes of a value.
  func call(_ value: String, _ function: @escaping Function) -> String {
    functions.append(function)
    return "\(Self.name)(\(functions.count - 1), \(value))"
  }

  static func joined(_ parts: [String]) -> String { "\(joinedName)(\(parts.joined(separator: ", ")))" }

  /// Adds the functions to a connection. They stay until another migration adds its own.
  func register(on connection: OpaquePointer?) throws {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
    var code = sqlite3_create_function_v2(
      connection, Self.name, 2, flags, Unmanaged.passRetained(self).toOpaque(),
      { context, _, values in
        guard let values, let own = sqlite3_user_data(context) else { return sqlite3_result_null(context) }
        let functions = Unmanaged<MigrationFunctions>.fromOpaque(own).takeUnretainedValue()
        functions.run(Int(sqlite3_value_int64(values[0])), values[1], context)
      }, nil, nil, { own in own.map { Unmanaged<MigrationFunctions>.fromOpaque($0).release() } })
    if code == SQLITE_OK {
      code = sqlite3_create_function_v2(
        connection, Self.joinedName, -1, flags, nil,
        { context, count, values in
          guard let values else { return sqlite3_result_null(context) }
          let parts = (0..<Int(count)).map { migratedValue(values[$0]) }
          if parts.contains(.null) { return sqlite3_result_null(context) }
          giveText(KeyText.text(of: parts), context)
        }, nil, nil, nil)
    }
    guard code == SQLITE_OK else {
      throw StoreError.sqlite(code, message: "\(Self.name) cannot be added", sql: "")
    }
  }

  private func run(_ number: Int, _ value: OpaquePointer?, _ context: OpaquePointer?) {
    do {
      switch try functions[number](migratedValue(value)) {
      case .null: sqlite3_result_null(context)
      case .integer(let value): sqlite3_result_int64(context, value)
      case .real(let value): sqlite3_result_double(context, value)
      case .text(let text): giveText(text, context)
      case .blob(let bytes):
        bytes.withUnsafeBytes {
          let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
          sqlite3_result_blob64(context, $0.baseAddress, UInt64($0.count), transient)
        }
      }
    } catch {
      self.error = error
      sqlite3_result_error(context, "a conversion failed", -1)
    }
  }
}

private func migratedValue(_ value: OpaquePointer?) -> SQLValue {
  switch sqlite3_value_type(value) {
  case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
  case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
  case SQLITE_TEXT: return argument(value).map { .text(String(decoding: $0, as: UTF8.self)) } ?? .null
  case SQLITE_BLOB:
    let bytes = UnsafeRawBufferPointer(
      start: sqlite3_value_blob(value), count: Int(sqlite3_value_bytes(value)))
    return .blob(Array(bytes))
  default: return .null
  }
}

extension SQLValue {
  /// The value in the SQL of SQLite.
  var literal: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): String(value)
    case .real(let value): value.isFinite ? "\(value)" : "NULL"
    case .text(let text): SQL.literal(text)
    case .blob(let bytes): "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
    }
  }
}
