package import GRDB
import GRDBSQLite
import ObjectModel

/// A store's connection for the time of a transaction.
package final class SQLiteTransaction {
  package let layout: Layout
  /// SQLite's own handle, for statements that run millions of times.
  package let connection: OpaquePointer
  /// The cache that lives as long as the connection.
  package let cache: ConnectionCache
  /// Whether it reads with the connection that writes. Then statements that write are refused here: SQLite, told to
  /// refuse them for a while, compiles all that the connection keeps anew.
  private let isReadOnly: Bool
  /// Whether the transaction began with empty tables.
  let isFresh: Bool
  /// The connection as GRDB has it, until the transaction ends.
  package private(set) var database: Database?
  /// Whether it has ended. Who kept it writes no more.
  private var isOver = false
  /// Whether nobody has asked yet whether the tables are empty.
  private var isUntouched = true
  /// Whether what it writes is an import, for observers to know.
  package var isImport = false
  /// The indexes of a fresh store that are still to be made. Made in one go from many rows, an index costs a
  /// fraction of what it costs to keep it up to date row by row.
  private var missingIndexes: [String]
  /// The statements, still to be run, that fill the full-text indexes of a fresh store and keep them up to date: to put all rows
  /// in at once costs a fraction as well.
  private var missingSearch: [String]

  init(
    _ connection: OpaquePointer, _ database: Database, _ cache: ConnectionCache, _ layout: Layout,
    isFresh: Bool = false, isReadOnly: Bool = false
  ) {
    self.database = database
    self.layout = layout
    self.isReadOnly = isReadOnly
    self.connection = connection
    self.cache = cache
    self.isFresh = isFresh
    let definitions = isFresh ? TableDefinitions(layout: layout) : nil
    missingIndexes = definitions.map { $0.indexes + $0.elementFillings } ?? []
    missingSearch = definitions.map { $0.searchTriggers + $0.searchFillings } ?? []
  }

  /// Whether nothing was written to the tables yet. To be asked by whoever is about to: the next one is told that
  /// something was.
  func takeFreshness() -> Bool {
    defer { isUntouched = false }
    return isFresh && isUntouched
  }

  /// Makes the indexes that are not there yet. To be called before rows are looked for by anything but their
  /// keys, and at the end.
  func makeIndexes() throws {
    guard !missingIndexes.isEmpty else { return }
    let statements = missingIndexes
    missingIndexes = []
    for statement in statements { try execute(statement) }
  }

  /// Fills the full-text indexes that are not filled yet. To be called before anything is searched, or written by
  /// others, and at the end.
  func makeSearch() throws {
    guard !missingSearch.isEmpty else { return }
    try makeIndexes()
    let statements = missingSearch
    missingSearch = []
    for statement in statements { try execute(statement) }
  }

  /// Fills the indexes that a statement reads as tables, if they are not filled yet.
  func fillIndexes(for sql: String) throws {
    if !missingSearch.isEmpty, SQL.searches(sql) { try makeSearch() }
    if !missingIndexes.isEmpty, layout.readsElementIndex(sql) { try makeIndexes() }
  }

  /// Has the full-text index of an empty table filled in the end, when all its rows are there. Kept up row by row, it
  /// would cost several times as much.
  func delaySearch(ofTable index: Int) throws {
    let table = layout.tables[index]
    guard !isFresh, let search = SearchSQL(table) else { return }
    let first = try prepare("SELECT 1 FROM \(SQL.quoted(table.name)) LIMIT 1")
    guard try !first.step() else { return first.reset() }
    for statement in search.removals { try execute(statement) }
    // Whoever goes back to a savepoint brings the triggers back.
    missingSearch += search.removals + search.triggers + [search.filling]
  }

  func end() {
    isOver = true
    database = nil
  }

  /// - Throws: ``StoreError`` if it has ended.
  package func checkIsOngoing() throws {
    if isOver { throw StoreError.invalid("The transaction has ended; it is there for its closure only.") }
  }

  package func prepare(_ sql: String) throws -> PreparedStatement {
    try checkIsOngoing()
    try fillIndexes(for: sql)
    return try checked(PreparedStatement(sql, on: connection, cache.log))
  }

  package func execute(_ sql: String) throws {
    try prepare(sql).run()
  }

  /// A statement that the connection keeps for the next time, without arguments. It is the caller's for as long
  /// as something refers to it, at most until the transaction ends; asked for meanwhile, as by a function that
  /// calls itself, the same SQL gives another.
  package func cached(_ sql: String) throws -> PreparedStatement {
    try checkIsOngoing()
    return try checked(cache.statement(sql, on: connection))
  }

  private func checked(_ statement: PreparedStatement) throws -> PreparedStatement {
    guard !isReadOnly || statement.isReadOnly else { throw StoreError.readOnlyTransaction }
    return statement
  }

  // MARK: - Savepoints

  /// A state to go back to. Going back by SQL alone would leave observers with changes that were undone.
  package struct Savepoint {
    fileprivate let mark: Int64
  }

  /// Begins what can be undone by itself. Savepoints may be nested; the last is ended first.
  package func setSavepoint() throws -> Savepoint {
    try cached("SAVEPOINT broker").run()
    return Savepoint(mark: cache.log.mark)
  }

  /// Undoes all since a savepoint, and ends it.
  package func undo(to savepoint: Savepoint) throws {
    try cached("ROLLBACK TO broker").run()
    cache.log.undo(from: savepoint.mark)
    try release(savepoint)
  }

  /// Ends a savepoint; what was done since stays.
  package func release(_ savepoint: Savepoint) throws {
    try cached("RELEASE broker").run()
  }
}

/// Texts that the store remembers for the layers above, each under a key of its own.
extension SQLiteTransaction {
  /// The text under a key; nil if there is none.
  package func remembered(under key: String) throws -> String? {
    let statement = try cached(
      "SELECT \"value\" FROM \(SQL.quoted(StoreTable.metadata)) WHERE \"key\" = ?1")
    statement.bind(key, at: 1)
    defer { statement.reset() }
    return try statement.step() ? statement.string(0) : nil
  }

  /// Has the store remember a text under a key.
  package func remember(_ text: String, under key: String) throws {
    let statement = try cached(
      """
      INSERT INTO \(SQL.quoted(StoreTable.metadata)) VALUES (?1, ?2)
      ON CONFLICT ("key") DO UPDATE SET "value" = excluded."value"
      """)
    statement.bind(key, at: 1)
    statement.bind(text, at: 2)
    try statement.run()
  }
}

extension SQLiteTransaction {
  /// Runs `body`, a step of the transaction: all that it does, or if it throws, nothing.
  package func atomically<Result>(_ body: () throws -> Result) throws -> Result {
    let savepoint = try setSavepoint()
    do {
      let result = try body()
      try release(savepoint)
      return result
    } catch {
      // After some errors SQLite has rolled back all of it already; then this does not matter.
      try? undo(to: savepoint)
      throw error
    }
  }

  /// The key of the object in a row, as reports write it; nil if there is none.
  package func key(ofRow row: Int64, in table: Table) throws -> String? {
    let existence = try cached("SELECT 1 FROM \(SQL.quoted(table.name)) WHERE rowid = ?1")
    existence.bind(row, at: 1)
    guard try existence.step() else { return nil }
    existence.reset()
    return try KeyText.ofRow(row, in: table, self)
  }
}

extension SQLiteTransaction {
  package func cells(ofRow row: Int64, in table: Table) throws -> [SQLValue] {
    let statement = try cached(
      "SELECT \(SQL.list(table.columns.map(\.name))) FROM \(SQL.quoted(table.name)) WHERE rowid = ?1")
    statement.bind(row, at: 1)
    guard try statement.step() else { return [] }
    defer { statement.reset() }
    return table.columns.indices.map { statement.value($0) }
  }

  /// How many rows were written by the connection, which is another number once one more is.
  package var changeCount: Int64 { sqlite3_total_changes64(connection) }
}

extension SQLiteTransaction {
  /// Prepares a statement with its arguments.
  func prepare(_ statement: BoundSQL) throws -> PreparedStatement {
    let prepared = try prepare(statement.sql)
    prepared.bind(all: statement.values)
    return prepared
  }

  /// A statement that the connection keeps, with its arguments.
  func cached(_ statement: BoundSQL) throws -> PreparedStatement {
    try fillIndexes(for: statement.sql)
    let prepared = try cached(statement.sql)
    prepared.bind(all: statement.values)
    return prepared
  }
}

/// The contents of a store in figures, for people who look at it.
extension SQLiteTransaction {
  /// How many objects of each entity there are, those of its sub-entities not counted.
  package func objectCounts() throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for table in layout.tables {
      let kind = table.kindColumn.map(SQL.quoted) ?? SQL.literal(layout.schema.entities[table.root].name)
      let statement = try prepare("SELECT \(kind), count(*) FROM \(SQL.quoted(table.name)) GROUP BY 1")
      while try statement.step() { counts[statement.string(0)] = Int(statement.integer(1)) }
    }
    return counts
  }

  /// How many references wait for objects that are not there, by the entity of these objects.
  package func pendingReferenceCounts() throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for relationship in layout.schema.relationships {
      let statement = try prepare(MissingTargetSQL(relationship, layout).count)
      guard let count = try statement.onlyInteger(), count > 0 else { continue }
      counts[layout.schema.entities[relationship.destination].name, default: 0] += Int(count)
    }
    return counts
  }

  /// The bytes of all pages of the file, and of those that nothing is in.
  package func pageBytes() throws -> (all: Int, free: Int) {
    let statement = try prepare(
      "SELECT page_count * page_size, freelist_count * page_size"
        + " FROM pragma_page_count, pragma_freelist_count, pragma_page_size")
    guard try statement.step() else { return (0, 0) }
    defer { statement.reset() }
    return (Int(statement.integer(0)), Int(statement.integer(1)))
  }

  /// The tables and indexes of the file, each table before its indexes.
  package func storedParts() throws -> [DatabaseObject] {
    let bytes = try partBytes()
    let statement = try prepare(
      """
      SELECT s.name, s.tbl_name, s.type = 'index', coalesce(l."unique", 0),
        (SELECT group_concat(i.name, char(31)) FROM pragma_index_info(s.name) i)
      FROM sqlite_schema s LEFT JOIN pragma_index_list(s.tbl_name) l ON s.type = 'index' AND l.name = s.name
      WHERE s.type IN ('table', 'index') ORDER BY s.tbl_name, s.type = 'index', s.name
      """)
    var parts: [DatabaseObject] = []
    while try statement.step() {
      let isIndex = statement.integer(2) != 0
      let name = statement.string(0)
      parts.append(
        DatabaseObject(
          name: name, kind: !isIndex ? .table : statement.integer(3) != 0 ? .uniqueIndex : .index,
          table: statement.string(1),
          columns: isIndex ? statement.string(4).split(separator: "\u{1F}").map(String.init) : [],
          bytes: bytes.map { $0[name] ?? 0 }))
    }
    return parts
  }

  package func objectsOfOthers() throws -> [String] {
    guard let database else { return [] }
    let check = try SchemaCheck(database) { layout }
    return (check.triggers + check.views).map { "\($0.type) \($0.name)" }
  }

  /// The bytes of the pages of each table and index; nil if this SQLite was built without `dbstat`, which counts them.
  private func partBytes() throws -> [String: Int]? {
    let modules = try prepare("SELECT 1 FROM pragma_module_list WHERE name = 'dbstat'")
    guard try modules.step() else { return nil }
    let statement = try prepare("SELECT name, pgsize FROM dbstat WHERE aggregate = 1")
    var bytes: [String: Int] = [:]
    while try statement.step() { bytes[statement.string(0)] = Int(statement.integer(1)) }
    return bytes
  }
}

extension SQLiteStore {
  /// The bytes of the log beside the file, which SQLite moves into it now and then.
  package var logBytes: Int { opening.file?.logSize ?? 0 }
}
