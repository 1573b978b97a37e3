import GRDBSQLite

/// What a filled database amounts to: counts and sums that are the same for all who imported the same rows.
enum Digest {
  static func of(_ store: String, _ subject: Subject) throws -> String? {
    switch subject {
    case .flat:
      return try text(
        of: """
          SELECT printf('%d persons, %d, %d, %.2f, %d', count(*), sum("age"), sum("active"),
            sum("score"), sum(length("bio")))
          FROM "Person"
          """, in: store)
    case .departments:
      return try text(
        of: """
          SELECT printf('%d departments, %d skills, %d employees, %d, %d',
            (SELECT count(*) FROM "Department"), (SELECT count(*) FROM "Skill"),
            count(*), sum("salary"), sum(length("email")))
          FROM "Employee"
          """, in: store) + ", \(try links(in: store)) links"
    case .export, .parts, .commands:
      return nil
    }
  }

  /// Rows of the join table, whose name is everybody's own.
  private static func links(in store: String) throws -> String {
    let table = try text(
      of: """
        SELECT name FROM sqlite_master
        WHERE type = 'table' AND name LIKE '%employee%' AND name LIKE '%skill%'
        """, in: store)
    return try text(of: #"SELECT count(*) FROM "\#(table)""#, in: store)
  }

  /// The first column of the first row.
  private static func text(of sql: String, in store: String) throws -> String {
    var connection: OpaquePointer?
    var statement: OpaquePointer?
    defer {
      sqlite3_finalize(statement)
      sqlite3_close(connection)
    }
    guard sqlite3_open_v2(store, &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK,
      sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK,
      sqlite3_step(statement) == SQLITE_ROW, let text = sqlite3_column_text(statement, 0)
    else {
      let said = connection.map { String(cString: sqlite3_errmsg($0)) } ?? "no memory"
      throw Failure(description: "the store does not hold the rows: \(said)")
    }
    return String(cString: text)
  }
}
