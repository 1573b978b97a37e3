import GRDB
import GRDBSQLite

/// A store's connection for the time of a transaction.
package final class StoreTransaction {
  package let layout: Layout
  /// SQLite's own handle, for statements that run millions of times.
  package let connection: OpaquePointer
  /// Whether the transaction began with empty tables.
  let isFresh: Bool
  /// The indexes of a fresh store that are still to be made. Made in one go from many rows, an index costs a
  /// fraction of what it costs to keep it up to date row by row.
  private var missingIndexes: [String]

  init(_ database: Database, _ layout: Layout, isFresh: Bool = false) throws {
    guard let connection = database.sqliteConnection else {
      throw StoreError.invalid("The store is closed.")
    }
    self.layout = layout
    self.connection = connection
    self.isFresh = isFresh
    missingIndexes = isFresh ? TableDefinitions(layout: layout).indexes : []
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
}
