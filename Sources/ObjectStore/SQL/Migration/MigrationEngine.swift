package import ObjectModel

/// What a migration needs of the database whose tables it changes: what that says differently in SQL, and to run it.
package protocol MigrationEngine: AnyObject {
  // MARK: - Words of SQL

  /// A table of the store, not one of the same name that hides it.
  func tableName(_ name: String) -> String
  /// The number of a row.
  func rowNumber(_ alias: String, of table: Table) -> String
  /// The number of a link in a join table.
  func linkNumber(_ alias: String) -> String
  /// The name of what keeps the number of a row, where that is not the key.
  func numberColumn(of table: Table) -> String
  /// A value of an attribute in SQL.
  func literal(_ value: SQLValue, _ type: AttributeType) -> String
  /// A part of a key, as key texts have it, in SQL; nil if the column cannot hold it.
  func literal(ofKeyPart text: String, in column: Column) -> String?
  /// No value, for a place where the database has to know of which type that is.
  func null(in column: Column) -> String
  /// The key that is made of the number of a row.
  func rowKey(_ number: String, in table: Table) -> String
  /// The parts of a key as one text, see ``KeyText``. Null if a part is.
  func joinedKey(_ parts: [KeyPart]) -> String

  // MARK: - Values

  /// Whether the database keeps values of both types alike, so that they stay as they are.
  func keeps(_ conversion: ValueConversion) -> Bool
  /// SQL for what becomes of the value of a column; nil if it stays as it is.
  func converted(_ column: StoredColumn, _ conversion: ValueConversion) -> String?
  /// SQL for what a function makes of the value of a column, or of no value where there is no column.
  ///
  /// - Parameters:
  ///   - name: The attribute that it is about.
  ///   - table: What the rows are called that it is for.
  func called(
    _ function: @escaping Store.Migration.Conversion, _ name: String, on column: StoredColumn?,
    rowsOf table: String, giving type: AttributeType
  ) -> String
  /// What a function threw, which databases do not pass on.
  var failure: (any Error)? { get }

  // MARK: - Changes in place

  /// Whether tables say which others their columns lead to.
  var declaresForeignKeys: Bool { get }
  /// Whether columns are removed without a look at the rows.
  var dropsColumns: Bool { get }
  /// Whether a column may stay as it is declared.
  func fits(_ old: Column, _ new: Column) -> Bool
  /// Whether a table has room for more columns.
  func hasRoom(in table: Table, forColumns count: Int) -> Bool

  // MARK: - Local changes

  /// The local changes; nothing if the store keeps no journal.
  func journalEntries() throws -> [JournalEntry]
  /// Puts entries in place of all that there are, each under the name of its root entity.
  func replaceJournal(with entries: [(entry: JournalEntry, root: String)]) throws

  // MARK: - Running

  func execute(_ sql: String) throws
  /// Calls `body` with each row of a query, in constant memory. `body` may execute statements.
  func forEach(_ sql: String, columns: Int, _ body: (any Cursor) throws -> Void) throws
  /// Puts the links that wait into another table, so that the store's own is empty, and returns what that is called.
  func setPendingLinksAside() throws -> String
  func removePendingLinksAside() throws
  /// Puts a link into a join table, unless it is there.
  ///
  /// - Parameter values: Those of the columns with the names, in SQL.
  func insertLink(_ values: [String], into join: JoinTable, _ names: [String]) throws
}

extension MigrationEngine {
  /// The only value of a query.
  package func number(_ sql: String) throws -> Int64 {
    var result: Int64 = 0
    do {
      try forEach(sql, columns: 1) { result = $0.integer(0) }
    } catch {
      throw failure ?? error
    }
    return result
  }
}

/// A column of an old table, as a row of it is read.
package struct StoredColumn {
  /// What the row is called.
  package let alias: String
  /// What its table is called now, as SQL.
  package let table: String
  package let column: Column
  /// What is the same for the same column, whatever its table is called.
  package let origin: String

  /// The column behind the alias of its row.
  package var sql: String { "\(alias).\(name)" }

  /// The column without an alias.
  package var name: String { SQL.quoted(column.name) }
}

/// A part of a key that is about to become text.
package struct KeyPart {
  package let sql: String
  package let type: AttributeType
  package let isMixed: Bool

  package init(_ sql: String, _ type: AttributeType, isMixed: Bool = false) {
    (self.sql, self.type, self.isMixed) = (sql, type, isMixed)
  }

  init(_ sql: String, _ column: Column) { self.init(sql, column.type, isMixed: column.holdsMixedKeys) }
}
