#if PostgreSQL
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient
  import UnitOfWork

  /// The tables of a layout on a server, and the statements that make them.
  struct ServerTables: Sendable {
    let layout: Layout
    /// For each table, the form of each column.
    let forms: [[ColumnForm]]
    let joinForms: [[ColumnForm]]
    /// For each table, whether no relationship leads to its objects or from them.
    let isAlone: [Bool]
    /// For each table, itself and all that relationships lead to from there, over others too: what an import may touch.
    let linked: [Set<Int>]
    /// For each table, the indexes that a long text may not fit into, and their columns that have texts.
    let textIndexes: [[(index: TableIndex, columns: [Int])]]
    /// Where their rows are.
    var distribution = Distribution()
    private let hasICU: Bool

    /// - Parameter hasICU: Whether the server has ICU.
    init(_ layout: Layout, hasICU: Bool) {
      (self.layout, self.hasICU) = (layout, hasICU)
      let forms = layout.tables.map { $0.columns.map(ColumnForm.init) }
      self.forms = forms
      textIndexes = Self.textIndexes(layout, forms)
      linked = Self.linked(layout)
      let ends = Set(
        layout.schema.relationships.flatMap { [$0.owner, $0.destination] }.map { layout.entities[$0].table })
      isAlone = layout.tables.indices.map { !ends.contains($0) }
      joinForms = layout.joins.map { $0.keyColumns.map(ColumnForm.init) }
    }

    private static func linked(_ layout: Layout) -> [Set<Int>] {
      var group = Array(layout.tables.indices)
      for relationship in layout.schema.relationships {
        let ends = (
          layout.entities[relationship.owner].table, layout.entities[relationship.destination].table
        )
        let (kept, joined) = (group[ends.0], group[ends.1])
        for table in group.indices where group[table] == joined { group[table] = kept }
      }
      return layout.tables.indices.map { table in
        Set(layout.tables.indices.filter { group[$0] == group[table] })
      }
    }

    /// The column with the number of a row.
    func rowColumn(_ table: Int) -> String {
      let described = layout.tables[table]
      if described.keyIsRowID { return SQL.quoted(described.columns[described.key[0]].name) }
      return Self.rowName
    }

    static let rowName = "\"broker_row\""
    var metadata: String { layout.names.sqlName(StoreTable.metadata) }
    var pending: String { layout.names.sqlName(StoreTable.pending) }
    /// Gives the first number of each `pendingStep` for rows of `pending`: 1, 10001 and so on.
    var pendingNumbers: String { layout.names.sqlName(Self.pendingNumbersName) }
    static let pendingNumbersName = "broker_pending_numbers"
    static let pendingStep: Int64 = 10_000
    var imports: String { layout.names.sqlName(StoreTable.imports) }
    var journal: ServerJournalNames { ServerJournalNames(layout.names) }

    func name(_ table: Int) -> String { layout.tables[table].sqlName }

    /// The same tables in another schema.
    func moved(to schema: String) -> ServerTables {
      var names = layout.names
      names.schema = schema
      return remade(for: Layout(layout.schema, names: names))
    }

    func placement(_ table: Int) -> TablePlacement { distribution.placement(of: layout.tables[table].name) }

    /// How statements are said that ask the tables.
    var dialect: PostgreSQLDialect {
      PostgreSQLDialect(isDistributed: distribution.isDistributed, hasICU: hasICU)
    }

    /// The tables of another layout on the same server.
    func remade(for layout: Layout) -> ServerTables { ServerTables(layout, hasICU: hasICU) }

    /// The columns of a row, as a statement selects them: its number, its kind, its values.
    func selection(_ table: Int) -> String {
      let described = layout.tables[table]
      var names = [rowColumn(table), described.kindColumn.map(SQL.quoted) ?? "NULL::text"]
      names += described.columns.map { SQL.quoted($0.name) }
      return names.joined(separator: ", ")
    }

    // MARK: - Definitions

    var statements: [String] {
      [
        "CREATE TABLE \(metadata) (key text PRIMARY KEY, value text NOT NULL)",
        """
        CREATE TABLE \(pending) (broker_row bigint PRIMARY KEY, entity text COLLATE "C" NOT NULL,
          relationship text COLLATE "C" NOT NULL, owner text COLLATE "C" NOT NULL, target text COLLATE "C" NOT NULL,
          position bigint, UNIQUE (entity, target, relationship, owner))
        """,
        "CREATE SEQUENCE \(pendingNumbers) INCREMENT \(Self.pendingStep)",
        "CREATE INDEX ON \(pending) (target)",
        "CREATE INDEX ON \(pending) (relationship, owner)",
        "CREATE TABLE \(imports) (number bigint PRIMARY KEY, record text NOT NULL)",
      ] + layout.tables.indices.map(definition) + layout.joins.indices.map(joinDefinition)
    }

    /// The definition of a table without its keys and indexes.
    func definition(_ table: Int) -> String {
      let described = layout.tables[table]
      var lines: [String] = []
      if !described.keyIsRowID { lines.append("\(Self.rowName) bigint NOT NULL") }
      if let kind = described.kindColumn { lines.append("\(SQL.quoted(kind)) text COLLATE \"C\" NOT NULL") }
      for (index, column) in described.columns.enumerated() {
        lines.append(
          "\(SQL.quoted(column.name)) \(forms[table][index].declaration)\(column.isKey ? " NOT NULL" : "")")
      }
      return "CREATE TABLE \(name(table)) (\n  \(lines.joined(separator: ",\n  "))\n)"
    }

    /// The statements that add its keys to a table: that is faster once rows are there.
    func keyStatement(_ table: Int) -> String {
      let described = layout.tables[table]
      var changes = ["ADD PRIMARY KEY (\(names(described.key, described)))"]
      if !described.keyIsRowID { changes.append("ADD UNIQUE (\(Self.rowName))") }
      return "ALTER TABLE \(name(table)) \(changes.joined(separator: ", "))"
    }

    private func names(_ columns: [Int], _ table: Table) -> String {
      columns.map { SQL.quoted(table.columns[$0].name) }.joined(separator: ", ")
    }

    /// The definition of a join table without its keys and indexes.
    func joinDefinition(_ join: Int) -> String {
      let described = layout.joins[join]
      var lines = zip(described.keyColumns, joinForms[join]).map { column, form in
        "\(SQL.quoted(column.name)) \(form.declaration) NOT NULL"
      }
      lines += [described.targetOrder, described.ownerOrder].compactMap {
        $0.map { "\(SQL.quoted($0)) bigint" }
      }
      return "CREATE TABLE \(described.sqlName) (\n  \(lines.joined(separator: ",\n  "))\n)"
    }

    /// The statements that add keys and indexes to a join table.
    func joinKeyStatements(_ join: Int) -> [String] {
      let described = layout.joins[join]
      let table = described.sqlName
      func list(_ columns: [Column]) -> String {
        columns.map { SQL.quoted($0.name) }.joined(separator: ", ")
      }
      let (forward, back) = (
        list(described.keyColumns),
        list(described.targetColumns + described.ownerColumns)
      )
      return [
        "ALTER TABLE \(table) ADD PRIMARY KEY (\(forward))",
        "CREATE INDEX ON \(table) (\(back))",
      ]
    }
  }

  /// The indexes of the store's tables beside their keys.
  ///
  /// An index of texts has an order, unless one of them is too long for that: then it keeps hashes of the first column, which
  /// serve to find a value and not to sort.
  struct ServerIndexes {
    let tables: ServerTables
    let connection: PostgreSQLConnection

    /// Makes an index of a table that may have rows.
    func make(_ index: TableIndex, of table: Int) throws {
      try make(index, of: table, keepsHashes: hasLongTexts(index, of: table))
    }

    private func make(_ index: TableIndex, of table: Int, keepsHashes: Bool) throws {
      let names = tables.layout.tables[table].columns.map { SQL.quoted($0.name) }
      let columns = index.columns.map { names[$0.column] + ($0.isAscending ? "" : " DESC") }
      let place = "\(SQL.quoted(index.name)) ON \(tables.name(table))"
      let first = index.columns.first.map { names[$0.column] } ?? ""
      _ = try connection.execute(
        keepsHashes
          ? "CREATE INDEX \(place) USING hash (\(first))"
          : "CREATE INDEX \(place) (\(columns.joined(separator: ", ")))")
    }

    /// Has an index keep hashes from now on, since a text comes that is too long for another.
    func keepHashes(_ index: TableIndex, of table: Int) throws {
      let kind = try connection.query(
        "SELECT m.amname::text FROM pg_class c JOIN pg_am m ON m.oid = c.relam WHERE c.oid = to_regclass($1)",
        .text(tables.layout.names.sqlName(index.name))
      ).value { $0.isNull ? "" : try $0.string() }
      guard kind == "btree" else { return }
      _ = try connection.execute("DROP INDEX \(tables.layout.names.sqlName(index.name))")
      try make(index, of: table, keepsHashes: true)
    }

    private func hasLongTexts(_ index: TableIndex, of table: Int) throws -> Bool {
      let columns = tables.texts(in: index, of: table)
      guard !columns.isEmpty else { return false }
      let described = tables.layout.tables[table]
      let lengths = columns.map { "coalesce(octet_length(\(SQL.quoted(described.columns[$0].name))), 0)" }
      let rows = try connection.query(
        """
        SELECT 1 FROM \(tables.name(table)) WHERE \(lengths.joined(separator: " + ")) > \(ValueLimit.longestIdentity)
        LIMIT 1
        """)
      return rows.count > 0
    }
  }

  extension ServerTables {
    /// The columns of an index whose values may be of any length. Keys are short, those of other objects too.
    func texts(in index: TableIndex, of table: Int) -> [Int] {
      textIndexes[table].first { $0.index.name == index.name }?.columns ?? []
    }

    /// By table, the indexes with such columns, and these.
    static func textIndexes(
      _ layout: Layout, _ forms: [[ColumnForm]]
    ) -> [[(index: TableIndex, columns: [Int])]] {
      var links = [Set<Int>](repeating: [], count: layout.tables.count)
      for relationship in layout.schema.relationships {
        guard case .foreignKey(let columns) = layout.relationships[relationship.index] else { continue }
        links[layout.entities[relationship.owner].table].formUnion(columns)
      }
      return layout.tables.indices.map { table in
        layout.tables[table].indexes.compactMap { index in
          let columns = index.columns.map(\.column).filter { column in
            !links[table].contains(column) && !layout.tables[table].columns[column].isKey
              && (forms[table][column] == .text || forms[table][column] == .blob)
          }
          return columns.isEmpty ? nil : (index, columns)
        }
      }
    }
  }
#endif
