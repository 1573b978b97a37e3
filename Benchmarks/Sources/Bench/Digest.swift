import GRDBSQLite

/// What a filled database amounts to: counts and sums that are the same for all who imported the same rows.
enum Digest {
  /// Nil if nobody fills the same.
  static func of(_ contender: Contender) throws -> String? {
    if let schema = contender.schema { return try ofServer(schema, contender.subject) }
    return try contender.store.flatMap { try of($0, contender.subject) }
  }

  private static func ofServer(_ schema: String, _ subject: Subject) throws -> String? {
    // dlt writes names as it likes them.
    let person = schema == "peer_dlt" ? "person" : "\"Person\""
    let sums = [
      Subject.server: """
      SELECT count(*), sum("age"), count(*) FILTER (WHERE "active"), round(sum("score")::numeric), sum(length("bio"))
      FROM \(schema).\(person)
      """,
      .serverDepartments: """
      SELECT (SELECT count(*) FROM \(schema)."Department"), (SELECT count(*) FROM \(schema)."Skill"),
        (SELECT count(*) FROM \(schema)."Employee_skills"), count(*), sum("salary"), sum(length("email"))
      FROM \(schema)."Employee"
      """,
    ]
    return try sums[subject].flatMap { try Server()?.prepare($0).trimmed }
  }

  private static func of(_ store: String, _ subject: Subject) throws -> String? {
    switch subject {
    case .flat, .inferred:
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
    case .inferredDepartments, .export, .parts, .commands, .server, .serverDepartments:
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
