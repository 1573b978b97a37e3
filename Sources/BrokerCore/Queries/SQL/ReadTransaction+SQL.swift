public import GRDB
import ObjectStore

extension ReadTransaction {
  /// The rows of an SQL statement.
  ///
  /// ```swift
  /// let rows = try transaction.sql("SELECT label, count(*) AS bands FROM \(Band.self) GROUP BY label")
  /// ```
  ///
  /// - Throws: ``StoreError`` if SQLite does not take the statement, it is several, or writes.
  public func sql(_ statement: SQLStatement) throws -> [SQLRow] {
    var rows: [SQLRow] = []
    try visit(statement) { row, columns in
      rows.append(SQLRow(columns: columns, values: columns.indices.map { row.value($0) }))
    }
    return rows
  }

  /// The rows of an SQL statement as values of a type. Columns fill the properties with their names, and a single
  /// column can be the value itself.
  ///
  /// ```swift
  /// struct Share: Decodable {
  ///   var label: String?
  ///   var bands: Int
  /// }
  /// ```
  ///
  /// - Throws: ``StoreError`` if SQLite does not take the statement, it is several, or writes; `DecodingError` if a row
  ///   is no value of the type.
  public func sql<Value: Decodable>(_ statement: SQLStatement, as type: Value.Type) throws -> [Value] {
    try sql(statement).map { try SQLRowDecoder.decode($0, as: type) }
  }

  /// The objects whose identities an SQL statement gives, in its order. Its columns must include those of the
  /// identity, under their names, as `SELECT *` does.
  ///
  /// ```swift
  /// let bands = try transaction.fetch(Band.self, "SELECT * FROM \(Band.self) WHERE name LIKE \(pattern)")
  /// ```
  ///
  /// Rows that do not name an object of the type are left out.
  ///
  /// - Throws: ``StoreError`` if SQLite does not take the statement, it is several, or writes; ``QueryError`` if it does
  ///   not give the identities; ``ReadError`` if the store holds what the type cannot.
  public func fetch<Root: Storable>(_ type: Root.Type, _ statement: SQLStatement) throws -> [Root] {
    let columns = try TypeColumns(of: Root.self, transaction.layout)
    let finder = try transaction.cursor(
      StoredQuery(Root.entityName, .givenKey), columns.selected, isOrdered: false)
    let names = transaction.layout.keyNames(of: columns.entity)
    var objects: [Root] = []
    try visit(statement) { row, found in
      for (index, name) in names.enumerated() {
        guard let column = found.firstIndex(of: name) else {
          throw QueryError("the statement gives no column \(name), which the identity of \(Root.self) is in")
        }
        finder.bind(row.value(column), at: index + 1)
      }
      guard try finder.step() else { return }
      defer { finder.reset() }
      objects.append(try Root(row: ObjectRow(finder, columns.layout)))
    }
    return objects
  }

  private func visit(
    _ statement: SQLStatement, _ body: (any ObjectStore.Cursor, _ columns: [String]) throws -> Void
  ) throws {
    let (sql, arguments) = try statement.rendered(transaction.layout)
    let (rows, columns) = try sqlite().cursor(rawSQL: sql, arguments)
    while try rows.step() { try body(rows, columns) }
  }

  /// The transaction of a store in SQLite, which alone runs statements that a program writes.
  func sqlite() throws -> SQLiteTransaction {
    guard let sqlite = transaction as? SQLiteTransaction else {
      throw StoreError.invalid(
        "SQL of a program's own runs on stores in SQLite only: ask a database server with its own client.")
    }
    return sqlite
  }

  /// Gives access to GRDB's connection, for what only GRDB can do.
  ///
  /// ```swift
  /// let version = try transaction.withDatabase { try String.fetchOne($0, sql: "SELECT sqlite_version()") }
  /// ```
  ///
  /// The connection is inside a transaction of Broker's: it cannot be committed or rolled back there, and in a read,
  /// nothing can be written. For writes, the rules of ``WriteTransaction/execute(_:)`` apply, but nothing is refused:
  /// do not write tables whose names begin with `broker_`, and do not change the layout of the others. GRDB's own
  /// observations are not told.
  public func withDatabase<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try transaction.checkIsOngoing()
    let sqlite = try sqlite()
    guard let database = sqlite.database else {
      throw QueryError("a store that nothing was written to has no connection to lend")
    }
    guard let writing = self as? WriteTransaction else {
      do {
        return try database.readOnly { try body(database) }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_READONLY {
        throw StoreError.readOnlyTransaction
      }
    }
    writing.leaveWriter()
    try sqlite.noteForeignWrites()
    return try body(database)
  }
}

extension WriteTransaction {
  /// Runs an SQL statement that writes.
  ///
  /// ```swift
  /// try transaction.execute("UPDATE \(Album.self) SET year = year + 1 WHERE band = \(japan.id)")
  /// ```
  ///
  /// It is a part of the transaction, and observers are told. No other rule is applied: values are not validated,
  /// delete rules are not followed, the statement itself has to keep the other ends of links in join tables and the
  /// order of lists, nothing is noted for the server, and imports may overwrite what it wrote. Values must have the
  /// store's form, which interpolated values do.
  ///
  /// It refuses several statements at once, all statements but `INSERT`, `REPLACE`, `UPDATE` and `DELETE`, and writes
  /// to the store's own tables, whose names begin with `broker_`.
  ///
  /// - Returns: How many rows it changed.
  /// - Throws: ``StoreError`` if SQLite does not take the statement, or it is refused. Then it has changed nothing.
  @discardableResult
  public func execute(_ statement: SQLStatement) throws -> Int {
    let (sql, arguments) = try statement.rendered(transaction.layout)
    leaveWriter()
    let sqlite = try sqlite()
    return try sqlite.atomically { try sqlite.execute(rawSQL: sql, arguments) }
  }
}

extension Store {
  /// The rows of an SQL statement.
  ///
  /// - Throws: ``StoreError`` if SQLite does not take the statement, it is several, or writes.
  public func sql(_ statement: SQLStatement) async throws -> [SQLRow] {
    try await read { try $0.sql(statement) }
  }

  /// The rows of an SQL statement as values of a type, see ``ReadTransaction/sql(_:as:)``.
  public func sql<Value: Decodable & Sendable>(
    _ statement: SQLStatement, as type: Value.Type
  ) async throws -> [Value] {
    try await read { try $0.sql(statement, as: type) }
  }

  /// The objects whose identities an SQL statement gives, in its order, see ``ReadTransaction/fetch(_:_:)``.
  public func fetch<Root: Storable>(_ type: Root.Type, _ statement: SQLStatement) async throws -> [Root] {
    try await read { try $0.fetch(type, statement) }
  }
}
