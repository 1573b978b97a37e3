#if PostgreSQL
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient

  /// Decides where the rows of a store's tables are to be, and says by which statements they get there.
  struct DistributionPlanner {
    let tables: ServerTables
    let catalog: CitusCatalog
    private var layout: Layout { tables.layout }
    private var connection: PostgreSQLConnection { catalog.connection }

    init(tables: ServerTables, catalog: CitusCatalog) { (self.tables, self.catalog) = (tables, catalog) }

    /// - Throws: ``StoreError`` if a name is no entity's, or the request contradicts itself.
    func plan(_ request: DistributionRequest) throws -> DistributionPlan {
      if request.isUndo { return try planToUndo() }
      let wishes = try wishes(request)
      let hasCitus = try catalog.isThere()
      let present = hasCitus ? try catalog.distribution() : Distribution()
      var plan = DistributionPlan()
      (plan.missing, plan.extensionVersion) = (try catalog.missing(), try catalog.version())
      if hasCitus { plan.nodes = try catalog.nodeCount() }
      let sizes = try sizes(present)
      func measured(_ name: String) throws -> MeasuredTable {
        MeasuredTable(
          name: name, rows: try count(name), bytes: sizes[name] ?? 0,
          placement: present.placement(of: name), referenceRows: request.referenceRows)
      }
      for (index, table) in layout.tables.enumerated() {
        plan.tables.append(entityTable(index, try measured(table.name), wishes[index]))
      }
      for join in layout.joins {
        let owner = layout.entities[layout.schema.relationships[join.relationship].owner].table
        plan.tables.append(joinTable(join, try measured(join.name), owner, plan.tables[owner]))
      }
      for name in [StoreTable.metadata, StoreTable.pending, StoreTable.imports] {
        plan.tables.append(
          try measured(name).placed(.local, because: "it is the store's own, and read alone", isDone: true))
      }
      try addStatements(to: &plan)
      plan.limits = DistributionLimits(plan, layout).all
      return plan
    }

    // MARK: - Making tables local again

    private func planToUndo() throws -> DistributionPlan {
      let hasCitus = try catalog.isThere()
      let present = hasCitus ? try catalog.distribution() : Distribution()
      var plan = DistributionPlan()
      plan.isUndo = true
      plan.extensionVersion = try catalog.version()
      if hasCitus { plan.nodes = try catalog.nodeCount() }
      let sizes = try sizes(present)
      let own = [StoreTable.metadata, StoreTable.pending, StoreTable.imports]
      for name in layout.tables.map(\.name) + layout.joins.map(\.name) + own {
        let placement = present.placement(of: name)
        let reason =
          switch placement {
          case .local: "it is local"
          case .reference: "each server has it whole"
          case .distributed(let column): "it is distributed by \(column)"
          }
        plan.tables.append(
          .init(
            name: name, kind: .local, rows: try count(name), bytes: sizes[name] ?? 0, reason: reason,
            isDone: placement == .local))
        guard placement != .local else { continue }
        plan.statements.append(CitusStatements.undistribute(qualified(name)))
        plan.statements += try statementsOfRowNumbers(name)
      }
      return plan
    }

    /// Has the server check again that the numbers of rows are unique, which several servers could not.
    private func statementsOfRowNumbers(_ name: String) throws -> [String] {
      guard let table = layout.tables.first(where: { $0.name == name }), !table.keyIsRowID else { return [] }
      let indexes = try connection.query(
        """
        SELECT i.indisunique, quote_ident(c.relname) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey::int2[])
        WHERE i.indrelid = $1::regclass AND i.indnatts = 1 AND a.attname = 'broker_row' ORDER BY 2
        """, .text(qualified(name)))
      let found = try (0..<indexes.count).map { row in
        (isUnique: try indexes.field(row, 0).bool(), name: try indexes.field(row, 1).string())
      }
      guard !found.contains(where: \.isUnique) else { return [] }
      return found.map { "DROP INDEX \(SQL.quoted(catalog.schema)).\($0.name)" }
        + ["ALTER TABLE \(qualified(name)) ADD UNIQUE (\(ServerTables.rowName))"]
    }

    // MARK: - What is asked for

    /// For each table, the kind that was asked for.
    private func wishes(_ request: DistributionRequest) throws -> [Int: DistributionPlan.Kind] {
      var wishes: [Int: DistributionPlan.Kind] = [:]
      for (names, kind) in [
        (request.reference, DistributionPlan.Kind.reference), (request.distributed, .distributed),
      ] {
        for name in names {
          let table = layout.entities[try layout.entity(named: name).index].table
          if let known = wishes[table], known != kind {
            throw StoreError.invalid(
              "\(name) is to be a reference table and distributed: \(layout.tables[table].name) is one table."
            )
          }
          wishes[table] = kind
        }
      }
      return wishes
    }

    // MARK: - What is there

    private func count(_ table: String) throws -> Int {
      let name = "\(SQL.quoted(catalog.schema)).\(SQL.quoted(table))"
      return try connection.query("SELECT count(*) FROM \(name)").value { Int(try $0.int8()) }
    }

    /// The bytes of each table.
    private func sizes(_ present: Distribution) throws -> [String: Int] {
      let rows = try connection.query(
        """
        SELECT c.relname, (\(TableSizes.whole(present)))::bigint FROM pg_class c
        JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind IN ('r', 'p')
        """, .text(catalog.schema))
      var sizes: [String: Int] = [:]
      for row in 0..<rows.count {
        sizes[try rows.field(row, 0).string()] = Int(try rows.field(row, 1).int8())
      }
      return sizes
    }

    // MARK: - Decisions

    private func entityTable(
      _ index: Int, _ table: MeasuredTable, _ wish: DistributionPlan.Kind?
    ) -> DistributionPlan.Table {
      if let present = table.present(wish) { return present }
      let described = layout.tables[index]
      let column = described.columns[described.key[0]].name
      switch wish {
      case .reference?: return table.placed(.reference, because: "it was asked for")
      case .distributed?: return table.placed(.distributed, by: column, because: "it was asked for")
      case .local?, nil: break
      }
      if table.isSmall {
        return table.placed(.reference, because: "it has at most \(table.referenceRows) rows")
      }
      let part = described.key.count == 1 ? "its key" : "the first part of its key"
      return table.placed(
        .distributed, by: column,
        because: "it has more than \(table.referenceRows) rows; \(column) is \(part)")
    }

    /// - Parameters:
    ///   - index: The table of the owners.
    ///   - owner: Where their rows are to be.
    private func joinTable(
      _ join: JoinTable, _ table: MeasuredTable, _ index: Int, _ owner: DistributionPlan.Table
    ) -> DistributionPlan.Table {
      if let present = table.present(nil) { return present }
      let column = join.ownerColumns[0].name
      if owner.kind == .distributed {
        guard isOfOneType(join, index, owner.column) else {
          return table.placed(
            .distributed, by: column,
            because: "lists are with their owners, but their key has another type in \(owner.name)")
        }
        return table.placed(
          .distributed, by: column, with: owner.name, because: "lists are with their owners")
      }
      if table.isSmall {
        return table.placed(
          .reference,
          because:
            "its owners, \(owner.name), are on each server, and it has at most \(table.referenceRows) rows")
      }
      return table.placed(
        .distributed, by: column,
        because: "it has more than \(table.referenceRows) rows; \(column) is its owners' key")
    }

    /// Whether the first column of the owners in a join table can lie where their table's distribution column lies.
    private func isOfOneType(_ join: JoinTable, _ table: Int, _ column: String?) -> Bool {
      let owner = layout.tables[table]
      let key = owner.columns[owner.key[0]]
      return key.name == column
        && ColumnForm(key).declaration == ColumnForm(join.ownerColumns[0]).declaration
    }

    // MARK: - Statements

    private func addStatements(to plan: inout DistributionPlan) throws {
      var statements: [String] = []
      for table in plan.tables where table.kind != .local {
        let name = qualified(table.name)
        if table.isDone {
          if try hasHiddenRows(name) {
            plan.statementsAfterCommit.append(CitusStatements.removeLocalRows(name))
          }
          continue
        }
        if table.rows > 0 { plan.statementsAfterCommit.append(CitusStatements.removeLocalRows(name)) }
        guard let column = table.column, table.kind == .distributed else {
          statements.append(CitusStatements.makeReference(name))
          continue
        }
        statements += try uniquenessStatements(name, column)
        statements.append(
          CitusStatements.distribute(name, by: column, with: table.colocatedWith.map(qualified)))
      }
      let isLong = plan.tables.contains { !$0.isDone && $0.name.utf8.count >= CitusStatements.longName }
      plan.statements = (isLong && !statements.isEmpty ? [CitusStatements.sequentially] : []) + statements
    }

    private func qualified(_ table: String) -> String { "\(SQL.quoted(catalog.schema)).\(SQL.quoted(table))" }

    /// Whether rows are left that were there before a table was distributed.
    private func hasHiddenRows(_ name: String) throws -> Bool {
      try connection.query("SELECT pg_relation_size(\(SQL.literal(name))::regclass)").value {
        try $0.int8() > 0
      }
    }

    /// Drops what servers cannot check for all of them together, and makes indexes instead.
    private func uniquenessStatements(_ name: String, _ column: String) throws -> [String] {
      let rows = try connection.query(
        """
        SELECT c.conname, string_agg(quote_ident(a.attname), ', ' ORDER BY array_position(c.conkey, a.attnum))
        FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
        WHERE c.conrelid = $1::regclass AND c.contype = 'u' GROUP BY c.oid, c.conname
        HAVING NOT bool_or(a.attname = $2) ORDER BY 1
        """, .text(name), .text(column))
      return try (0..<rows.count).flatMap { row in
        [
          "ALTER TABLE \(name) DROP CONSTRAINT \(SQL.quoted(try rows.field(row, 0).string()))",
          "CREATE INDEX ON \(name) (\(try rows.field(row, 1).string()))",
        ]
      }
    }
  }

  /// A table as it is before anything is decided.
  private struct MeasuredTable {
    let name: String
    let rows: Int
    let bytes: Int
    let placement: TablePlacement
    let referenceRows: Int

    var isSmall: Bool { rows <= referenceRows }

    /// The table where it is already; nil if that is to be decided.
    ///
    /// - Parameter wish: The kind that was asked for.
    func present(_ wish: DistributionPlan.Kind?) -> DistributionPlan.Table? {
      switch placement {
      case .local: return nil
      case .reference:
        return placed(.reference, because: "it is one already" + otherWish(wish, .reference), isDone: true)
      case .distributed(let column):
        return placed(
          .distributed, by: column, because: "it is already" + otherWish(wish, .distributed), isDone: true)
      }
    }

    private func otherWish(_ wish: DistributionPlan.Kind?, _ kind: DistributionPlan.Kind) -> String {
      guard let wish, wish != kind else { return "" }
      return
        "; broker distribute --undo makes all tables local, SELECT undistribute_table('\(name)') this one, and then it can"
        + " become what was asked for"
    }

    func placed(
      _ kind: DistributionPlan.Kind, by column: String? = nil, with other: String? = nil,
      because reason: String, isDone: Bool = false
    ) -> DistributionPlan.Table {
      .init(
        name: name, kind: kind, column: column, colocatedWith: other, rows: rows, bytes: bytes,
        reason: reason, isDone: isDone)
    }
  }

  /// Limits of the tables of a plan, and their consequences.
  struct DistributionLimits {
    private let layout: Layout
    private let distributed: [DistributionPlan.Table]

    init(_ plan: DistributionPlan, _ layout: Layout) {
      self.layout = layout
      distributed = plan.tables.filter { $0.kind == .distributed }
    }

    var all: [DistributionPlan.Limit] { distributed.isEmpty ? [] : numbers + uniqueness + states }

    /// The numbers of rows, where they are not the key.
    private var numbers: [DistributionPlan.Limit] {
      let names = distributed.map(\.name).filter { name in
        layout.tables.contains { $0.name == name && !$0.keyIsRowID }
      }
      guard !names.isEmpty else { return [] }
      return [
        .init(
          "No server checks that the numbers of rows (broker_row) are unique in \(names.joined(separator: ", ")).",
          "Broker gives them under its lock. Another program that inserts rows has to take numbers of its own."
        )
      ]
    }

    /// Constraints of the model that no server can check for all.
    private var uniqueness: [DistributionPlan.Limit] {
      layout.tables.flatMap { table in
        let column = distributed.first { $0.name == table.name }?.column
        return table.indexes.compactMap { index -> DistributionPlan.Limit? in
          let names = index.columns.map { table.columns[$0.column].name }
          guard let column, index.uniqueFor != nil, !names.contains(column) else { return nil }
          return .init(
            "No server can check that \(names.joined(separator: ", ")) of \(table.name) is unique.",
            "Broker checks it under its lock at the end of each import, as in any store. Another program can break it."
          )
        }
      }
    }

    private var states: [DistributionPlan.Limit] {
      [
        .init(
          "A transaction sees one state of each server in each statement, not one for all its statements.",
          "An export that runs while others write may contain a part of what they commit meanwhile."),
        .init(
          "What a query looks up in other tables is gathered first, up to citus.max_intermediate_result_size (1 GB).",
          "A query that needs more fails. The setting can be raised."),
        .init(
          "The column that a table is distributed by keeps its type.",
          "A version of the model with another identity needs local tables: broker distribute --undo makes them so."
        ),
      ]
    }
  }
#endif
