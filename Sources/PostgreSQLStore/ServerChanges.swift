#if PostgreSQL
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient
  import WorkingCopy

  /// Writes what was changed in a working copy: what goes first, then what came, so that a key is free before it is taken.
  struct ServerChanges {
    let connection: PostgreSQLConnection
    let tables: ServerTables
    private var layout: Layout { tables.layout }

    init(_ connection: PostgreSQLConnection, _ tables: ServerTables) {
      self.connection = connection
      self.tables = tables
    }

    private struct Step {
      var statement: PostgreSQLStatement
      var parameters: PostgreSQLParameters
    }

    func write(_ state: WorkingState) throws {
      // Statements are prepared before the first is sent.
      var steps: [Step] = []
      for table in layout.tables.indices { try delete(state.tables[table].changes.keys, table, &steps) }
      for join in layout.joins.indices { try deleteLinks(state.joins[join].changes.keys, join, &steps) }
      for row in state.waiting.changes.keys {
        try run("DELETE FROM \(ServerTables.pending) WHERE broker_row = $1", [.int8], &steps) {
          $0.append(int8: row)
        }
      }
      for table in layout.tables.indices {
        for (row, object) in state.tables[table].changes.sorted(by: { $0.key < $1.key }) {
          if let object { try insert(row, object, table, &steps) }
        }
      }
      for join in layout.joins.indices {
        for (row, link) in state.joins[join].changes.sorted(by: { $0.key < $1.key }) {
          if let link { try insert(row, link, join, &steps) }
        }
      }
      for (row, link) in state.waiting.changes.sorted(by: { $0.key < $1.key }) {
        if let link { try insert(row, link, &steps) }
      }
      guard !steps.isEmpty else { return }
      try connection.pipeline { pipeline in
        for step in steps { try pipeline.send(step.statement, step.parameters) }
        try pipeline.sync()
      }
    }

    private func run(
      _ sql: String, _ types: [PostgreSQLType], _ steps: inout [Step],
      _ bind: (PostgreSQLParameters) throws -> Void
    ) throws {
      let parameters = PostgreSQLParameters()
      try bind(parameters)
      steps.append(Step(statement: try connection.prepare(sql, types), parameters: parameters))
    }

    private func delete(_ rows: some Sequence<Int64>, _ table: Int, _ steps: inout [Step]) throws {
      let sql = "DELETE FROM \(tables.name(table)) WHERE \(tables.rowColumn(table)) = $1"
      for row in rows { try run(sql, [.int8], &steps) { $0.append(int8: row) } }
    }

    private func insert(
      _ row: Int64, _ object: StoredRow, _ table: Int, _ steps: inout [Step]
    ) throws {
      let described = layout.tables[table]
      var names = described.columns.map { SQL.quoted($0.name) }
      var types = tables.forms[table].map(\.type)
      if described.kindColumn != nil {
        names.append(SQL.quoted(described.kindColumn ?? ""))
        types.append(.text)
      }
      if !described.keyIsRowID {
        names.append(ServerTables.rowName)
        types.append(.int8)
      }
      let sql =
        "INSERT INTO \(tables.name(table)) (\(names.joined(separator: ", "))) VALUES (\(Self.places(names.count)))"
      try run(sql, types, &steps) { parameters in
        for (form, value) in zip(tables.forms[table], object.values) {
          try form.append(value, to: parameters)
        }
        if described.kindColumn != nil {
          try parameters.append(text: layout.schema.entities[object.entity].name)
        }
        if !described.keyIsRowID { parameters.append(int8: row) }
      }
    }

    private func deleteLinks(_ rows: some Sequence<Int64>, _ join: Int, _ steps: inout [Step]) throws {
      let sql = "DELETE FROM \(SQL.quoted(layout.joins[join].name)) WHERE \(ServerTables.rowName) = $1"
      for row in rows { try run(sql, [.int8], &steps) { $0.append(int8: row) } }
    }

    private func insert(_ row: Int64, _ link: JoinLink, _ join: Int, _ steps: inout [Step]) throws {
      let described = layout.joins[join]
      let orders = [described.targetOrder, described.ownerOrder]
      let names =
        [ServerTables.rowName]
        + (described.ownerColumns + described.targetColumns).map { SQL.quoted($0.name) }
        + orders.compactMap { $0.map(SQL.quoted) }
      let forms = tables.joinForms[join]
      let types = [.int8] + forms.map(\.type) + orders.compactMap { $0 == nil ? nil : PostgreSQLType.int8 }
      let sql =
        "INSERT INTO \(SQL.quoted(described.name)) (\(names.joined(separator: ", "))) VALUES (\(Self.places(names.count)))"
      try run(sql, types, &steps) { parameters in
        parameters.append(int8: row)
        for (form, value) in zip(forms, link.keys[0] + link.keys[1]) {
          try form.append(value, to: parameters)
        }
        for (order, place) in zip(orders, link.places) where order != nil {
          if let place { parameters.append(int8: place) } else { parameters.appendNull(.int8) }
        }
      }
    }

    private func insert(_ row: Int64, _ link: WaitingLink, _ steps: inout [Step]) throws {
      let relationship = layout.schema.relationships[link.relationship]
      let target = layout.schema.entities[relationship.destination].name
      let sql = "INSERT INTO \(ServerTables.pending) VALUES (\(Self.places(6)))"
      try run(sql, [.int8, .text, .text, .text, .text, .int8], &steps) { parameters in
        parameters.append(int8: row)
        try parameters.append(text: target)
        try parameters.append(text: ServerRows.name(of: relationship, layout))
        try parameters.append(text: link.owner)
        try parameters.append(text: link.target)
        if let place = link.place { parameters.append(int8: place) } else { parameters.appendNull(.int8) }
      }
    }

    private static func places(_ count: Int) -> String {
      (1...count).map { "$\($0)" }.joined(separator: ", ")
    }
  }
#endif
