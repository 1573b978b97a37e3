import GRDB
import GRDBSQLite

/// A store's connection for the time of a transaction.
package final class StoreTransaction {
  package let layout: Layout
  /// SQLite's own handle, for statements that run millions of times.
  package let connection: OpaquePointer

  init(_ database: Database, _ layout: Layout) throws {
    guard let connection = database.sqliteConnection else {
      throw StoreError.invalid("The store is closed.")
    }
    self.layout = layout
    self.connection = connection
  }

  package func prepare(_ sql: String) throws -> PreparedStatement {
    try PreparedStatement(sql, on: connection)
  }

  package func execute(_ sql: String) throws {
    try prepare(sql).run()
  }
}
