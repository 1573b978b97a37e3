package import GRDB

/// A store's connection for the time of a transaction.
package final class SQLiteTransaction {
  package let layout: Layout
  /// SQLite's own handle, for statements that run millions of times.
  package let connection: OpaquePointer
  /// What lives as long as the connection.
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
  /// What fills the full-text indexes of a fresh store and then keeps them up to date, still to be run: to put all rows
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
