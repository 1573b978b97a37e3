#if PostgreSQL
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient
  import WorkingCopy

  /// Writes a few changes, each by a prepared statement, without waiting for the answers in between.
  final class ChangePipeline {
    private let session: ServerSession
    private let columns: ChangeColumns
    private var steps: [(statement: PostgreSQLStatement, parameters: PostgreSQLParameters)] = []

    init(_ session: ServerSession) {
      (self.session, columns) = (session, ChangeColumns(tables: session.tables))
    }

    func write(
      _ tableChanges: [ServerChanges.TableChanges], _ joinChanges: [ServerChanges.JoinChanges],
      _ waiting: ServerChanges.WaitingChanges
    ) throws {
      // Statements are prepared before the first is sent.
      let (tables, joins) = (session.tables, session.tables.layout.joins)
      for (table, changes) in tableChanges.enumerated() {
        try delete(changes.deleted, from: tables.name(table), tables.rowColumn(table))
      }
      for (join, changes) in joinChanges.enumerated() {
        try delete(changes.deleted, from: SQL.quoted(joins[join].name), ServerTables.rowName)
      }
      try delete(waiting.deleted, from: ServerTables.pending, "broker_row")
      for (table, changes) in tableChanges.enumerated() {
        try update(changes.updated, table)
        for (row, object) in changes.inserted {
          try insert(into: tables.name(table), columns.names(of: table), columns.types(of: table)) {
            try columns.append(row, object, of: table, to: $0)
          }
        }
      }
      for (join, changes) in joinChanges.enumerated() {
        for (row, link) in changes.inserted {
          try insert(
            into: SQL.quoted(joins[join].name), columns.names(ofJoin: join), columns.types(ofJoin: join)
          ) {
            try columns.append(row, link, of: join, to: $0)
          }
        }
      }
      for (row, link) in waiting.inserted {
        try insert(into: ServerTables.pending, ChangeColumns.waitingNames, ChangeColumns.waitingTypes) {
          try columns.append(row, link, to: $0)
        }
      }
      try session.idle().pipeline { pipeline in
        for step in steps { try pipeline.send(step.statement, step.parameters) }
        try pipeline.sync()
      }
    }

    private func add(
      _ sql: String, _ types: [PostgreSQLType], _ bind: (PostgreSQLParameters) throws -> Void
    ) throws {
      let parameters = PostgreSQLParameters()
      try bind(parameters)
      steps.append((try session.idle().prepare(sql, types), parameters))
    }

    private func delete(_ rows: [Int64], from table: String, _ column: String) throws {
      for row in rows {
        try add("DELETE FROM \(table) WHERE \(column) = $1", [.int8]) { $0.append(int8: row) }
      }
    }

    private func insert(
      into table: String, _ names: [String], _ types: [PostgreSQLType],
      _ bind: (PostgreSQLParameters) throws -> Void
    ) throws {
      let places = names.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
      try add("INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(places))", types, bind)
    }

    private func update(_ rows: [(row: Int64, object: StoredRow)], _ table: Int) throws {
      guard !rows.isEmpty else { return }
      let (names, types) = (columns.names(of: table), columns.types(of: table))
      let values = names.enumerated().map { "\($1) = $\($0 + 1)" }.joined(separator: ", ")
      let tables = session.tables
      let sql =
        "UPDATE \(tables.name(table)) SET \(values) WHERE \(tables.rowColumn(table)) = $\(names.count + 1)"
      for (row, object) in rows {
        try add(sql, types + [.int8]) {
          try columns.append(row, object, of: table, to: $0)
          $0.append(int8: row)
        }
      }
    }
  }
#endif
