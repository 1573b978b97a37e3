#if PostgreSQL
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient
  import UnitOfWork

  /// Writes many changes: what goes by one statement for each table, what is new by COPY, what is changed by COPY to a
  /// staging table and one statement.
  struct ChangeSets {
    let session: ServerSession
    let columns: ChangeColumns

    init(_ session: ServerSession) {
      (self.session, columns) = (session, ChangeColumns(tables: session.tables))
    }

    func write(
      _ tableChanges: [ServerChanges.TableChanges], _ joinChanges: [ServerChanges.JoinChanges],
      _ waiting: ServerChanges.WaitingChanges
    ) throws {
      let (tables, joins) = (session.tables, session.tables.layout.joins)
      for (table, changes) in tableChanges.enumerated() {
        try delete(changes.deleted.map(\.row), from: tables.name(table), tables.rowColumn(table))
      }
      try deleteLinks(joinChanges)
      try delete(waiting.deleted, from: session.tables.pending, "broker_row")
      for (table, changes) in tableChanges.enumerated() {
        for group in changes.updated.groups { try update(group, table) }
        try copy(changes.inserted, to: tables.name(table), columns.names(of: table)) {
          try columns.append($0.row, $0.object, of: table, to: $1)
        }
      }
      for (join, changes) in joinChanges.enumerated() {
        try copy(changes.inserted, to: joins[join].sqlName, columns.names(ofJoin: join)) {
          try columns.append($0.link, of: join, to: $1)
        }
      }
      try copy(waiting.inserted, to: session.tables.pending, ChangeColumns.waitingNames) {
        try columns.append($0.row, $0.link, to: $1)
      }
    }

    private func delete(_ rows: [Int64], from table: String, _ column: String) throws {
      guard !rows.isEmpty else { return }
      _ = try session.idle().query(
        "DELETE FROM \(table) WHERE \(column) = ANY ($1)", PostgreSQLParameters(array: rows))
    }

    private func deleteLinks(_ changes: [ServerChanges.JoinChanges]) throws {
      guard session.tables.distribution.isDistributed else {
        for (join, changes) in changes.enumerated() {
          try delete(changes.deleted.map(\.link), ofJoin: join)
        }
        return
      }
      // Each server is told of its own links, whose keys say where they are.
      guard changes.contains(where: { !$0.deleted.isEmpty }) else { return }
      let deletions = changes.map { ServerChanges.JoinChanges(deleted: $0.deleted) }
      try ChangePipeline(session).write([], deletions, ServerChanges.WaitingChanges())
    }

    private func delete(_ links: [JoinLink], ofJoin join: Int) throws {
      guard !links.isEmpty else { return }
      let (tables, described) = (session.tables, session.tables.layout.joins[join])
      let keys = try KeyArrays(
        links.lazy.map(\.key), in: described.keyColumns.map { SQL.quoted($0.name) }, tables.joinForms[join])
      _ = try session.idle().query(
        "DELETE FROM \(described.sqlName) WHERE \(keys.condition)", keys.parameters)
    }

    private func copy<Item>(
      _ items: [Item], to table: String, _ names: [String],
      _ append: (Item, PostgreSQLCopyWriter) throws -> Void
    ) throws {
      guard !items.isEmpty else { return }
      let writer = try session.idle().copyIn(
        "COPY \(table) (\(names.joined(separator: ", "))) FROM STDIN (FORMAT binary)")
      for item in items {
        writer.beginRow()
        try append(item, writer)
        try writer.endRow()
      }
      _ = try writer.finish()
    }

    private func update(_ group: RowUpdates.Group, _ table: Int) throws {
      let (tables, described) = (session.tables, session.tables.layout.tables[table].columns)
      let staging = try session.staging(for: "changes \(table)", stagingColumns(table), beside: table)
      let shard = columns.shardColumn(of: table)
      let staged = group.columns + (shard.map { [$0] } ?? [])
      let replaced = group.columns.map { SQL.quoted(described[$0].name) }
      let same = [tables.rowColumn(table)] + (shard.map { [SQL.quoted(described[$0].name)] } ?? [])
      let names = [same[0]] + staged.map { SQL.quoted(described[$0].name) }
      let forms = tables.forms[table]
      try copy(group.rows, to: staging, names) { item, writer in
        writer.append(int8: item.row)
        for column in staged { try forms[column].append(item.object.values[column], to: writer) }
      }
      let values = replaced.map { "\($0) = s.\($0)" }.joined(separator: ", ")
      let condition = same.map { "t.\($0) = s.\($0)" }.joined(separator: " AND ")
      _ = try session.idle().execute(
        "UPDATE \(tables.name(table)) t SET \(values) FROM \(staging) s WHERE \(condition)")
      _ = try session.idle().execute("TRUNCATE \(staging)")
    }

    /// The columns of a table as those of a staging table.
    private func stagingColumns(_ table: Int) -> [StagingTables.Column] {
      let described = session.tables.layout.tables[table]
      let values = zip(described.columns, session.tables.forms[table]).map {
        StagingTables.Column(name: $0.name, form: $1, matching: $0.name)
      }
      return values + (described.kindColumn.map { [.init(name: $0, form: .text)] } ?? [])
        + (described.keyIsRowID ? [] : [.init(name: "broker_row", form: .integer)])
    }
  }
#endif
