/// A store's connection for the time of a transaction.
package final class StoreTransaction {
  package let layout: Layout
  /// SQLite's own handle, for statements that run millions of times.
  package let connection: OpaquePointer
  /// What lives as long as the connection.
  package let cache: ConnectionCache
  /// Whether it imports, rather than that a program changes objects.
  package var isImport = false
  /// Whether the tables are empty, as far as is known.
  private var isFresh: Bool
  /// The indexes of a fresh store that are still to be made. Made in one go from many rows, an index costs a
  /// fraction of what it costs to keep it up to date row by row.
  private var missingIndexes: [String]

  init(
    _ connection: OpaquePointer, _ cache: ConnectionCache, _ layout: Layout, isFresh: Bool = false
  ) {
    self.layout = layout
    self.connection = connection
    self.cache = cache
    self.isFresh = isFresh
    missingIndexes = isFresh ? TableDefinitions(layout: layout).indexes : []
  }

  /// Whether nothing was written to the tables yet. To be asked by whoever is about to: the next one is told that
  /// something was.
  func takeFreshness() -> Bool {
    defer { isFresh = false }
    return isFresh
  }

  /// Makes the indexes that are not there yet. To be called before rows are looked for by anything but their
  /// keys, and at the end.
  func makeIndexes() throws {
    guard !missingIndexes.isEmpty else { return }
    let statements = missingIndexes
    missingIndexes = []
    for statement in statements { try execute(statement) }
  }

  package func prepare(_ sql: String) throws -> PreparedStatement {
    try PreparedStatement(sql, on: connection)
  }

  package func execute(_ sql: String) throws {
    try prepare(sql).run()
  }

  /// A statement that the connection keeps for the next time, without arguments. It is the caller's for as long
  /// as something refers to it, at most until the transaction ends; asked for meanwhile, as by a function that
  /// calls itself, the same SQL gives another.
  package func cached(_ sql: String) throws -> PreparedStatement {
    try cache.statement(sql, on: connection)
  }

  /// A statement that the connection keeps, with its arguments.
  package func cached(_ query: (sql: String, arguments: [SQLValue])) throws -> PreparedStatement {
    let statement = try cached(query.sql)
    for (index, argument) in query.arguments.enumerated() { statement.bind(argument, at: index + 1) }
    return statement
  }
}
