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
      let wishes = try wishes(request)
      let hasCitus = try catalog.isThere()
      let present = hasCitus ? try catalog.distribution() : Distribution()
      var plan = DistributionPlan()
      (plan.missing, plan.extensionVersion) = (try catalog.missing(), try catalog.version())
      if hasCitus { plan.nodes = try catalog.nodeCount() }
      let sizes = try sizes(present)
      for (index, table) in layout.tables.enumerated() {
        plan.tables.append(
          entityTable(index, wishes[index], present, sizes[table.name] ?? 0, request, try count(table.name)))
      }
      for join in layout.joins {
        plan.tables.append(
          joinTable(join, plan, present, sizes[join.name] ?? 0, request, try count(join.name)))
      }
      for name in [StoreTable.metadata, StoreTable.pending, StoreTable.imports] {
        plan.tables.append(
          .init(
            name: name, kind: .local, rows: try count(name), bytes: sizes[name] ?? 0,
            reason: "it is the store's own, and read alone", isDone: true))
      }
      try addStatements(to: &plan, present)
      plan.limits = limits(plan)
      return plan
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
      return Int(try connection.query("SELECT count(*) FROM \(name)").field(0, 0).int8())
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
      _ index: Int, _ wish: DistributionPlan.Kind?, _ present: Distribution, _ bytes: Int,
      _ request: DistributionRequest, _ rows: Int
    ) -> DistributionPlan.Table {
      let described = layout.tables[index]
      let column = described.columns[described.key[0]].name
      func table(_ kind: DistributionPlan.Kind, _ column: String?, _ reason: String, isDone: Bool = false)
        -> DistributionPlan.Table
      {
        .init(
          name: described.name, kind: kind, column: column, rows: rows, bytes: bytes, reason: reason,
          isDone: isDone)
      }
      let asked = wish.map {
        ", though it was to be \(Self.name($0)): undistribute_table makes it local again"
      }
      switch present.placement(of: described.name) {
      case .reference:
        return table(
          .reference, nil, "it is one already" + (wish == .distributed ? asked ?? "" : ""), isDone: true)
      case .distributed(let column):
        return table(
          .distributed, column, "it is already" + (wish == .reference ? asked ?? "" : ""), isDone: true)
      case .local: break
      }
      switch wish {
      case .reference?: return table(.reference, nil, "it was asked for")
      case .distributed?: return table(.distributed, column, "it was asked for")
      default: break
      }
      if rows <= request.referenceRows {
        return table(.reference, nil, "it has at most \(request.referenceRows) rows")
      }
      let isWhole = described.key.count == 1
      return table(
        .distributed, column,
        "it has more than \(request.referenceRows) rows; \(column) is \(isWhole ? "its key" : "the first part of its key")"
      )
    }

    private static func name(_ kind: DistributionPlan.Kind) -> String {
      kind == .reference ? "a reference table" : kind.rawValue
    }

    private func joinTable(
      _ join: JoinTable, _ plan: DistributionPlan, _ present: Distribution, _ bytes: Int,
      _ request: DistributionRequest, _ rows: Int
    ) -> DistributionPlan.Table {
      let ownerIndex = layout.entities[layout.schema.relationships[join.relationship].owner].table
      let owner = plan.tables[ownerIndex]
      let column = join.ownerColumns[0].name
      func table(
        _ kind: DistributionPlan.Kind, _ column: String?, with other: String?, _ reason: String,
        isDone: Bool = false
      ) -> DistributionPlan.Table {
        .init(
          name: join.name, kind: kind, column: column, colocatedWith: other, rows: rows, bytes: bytes,
          reason: reason, isDone: isDone)
      }
      switch present.placement(of: join.name) {
      case .reference: return table(.reference, nil, with: nil, "it is one already", isDone: true)
      case .distributed(let column):
        return table(.distributed, column, with: nil, "it is already", isDone: true)
      case .local: break
      }
      guard owner.kind == .distributed else {
        if rows <= request.referenceRows {
          return table(
            .reference, nil, with: nil,
            "its owners, \(owner.name), are on each server, and it has at most \(request.referenceRows) rows")
        }
        return table(
          .distributed, column, with: nil,
          "it has more than \(request.referenceRows) rows; \(column) is its owners' key")
      }
      guard isOfOneType(join, ownerIndex, owner.column) else {
        return table(
          .distributed, column, with: nil, "by its owners, whose key has another type in \(owner.name)")
      }
      return table(.distributed, column, with: owner.name, "lists are with their owners")
    }

    /// Whether the first column of the owners in a join table can lie where their table's distribution column lies.
    private func isOfOneType(_ join: JoinTable, _ table: Int, _ column: String?) -> Bool {
      let owner = layout.tables[table]
      let key = owner.columns[owner.key[0]]
      return key.name == column && ColumnForm(key).declaration == ColumnForm(join.ownerColumns[0]).declaration
    }

    // MARK: - Statements

    private func addStatements(to plan: inout DistributionPlan, _ present: Distribution) throws {
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
      try connection.query("SELECT pg_relation_size(\(SQL.literal(name))::regclass)").field(0, 0).int8() > 0
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

    // MARK: - What does not hold

    private func limits(_ plan: DistributionPlan) -> [DistributionPlan.Limit] {
      guard plan.tables.contains(where: { $0.kind != .local }) else { return [] }
      var limits: [DistributionPlan.Limit] = []
      let distributed = plan.tables.filter { $0.kind == .distributed }
      let numbered = distributed.filter { table in
        layout.joins.contains { $0.name == table.name }
          || layout.tables.contains { $0.name == table.name && !$0.keyIsRowID }
      }
      if !numbered.isEmpty {
        limits.append(
          .init(
            "No server checks that the numbers of rows (broker_row) are unique in "
              + numbered.map(\.name).joined(separator: ", ") + ".",
            "Broker gives them under its lock. Another program that inserts rows has to take numbers of its own."
          ))
      }
      limits += uniqueness(distributed)
      if !distributed.isEmpty {
        limits.append(
          .init(
            "A transaction sees one state of each server in each statement, not one for all its statements.",
            "An export that runs while others write may contain a part of what they commit meanwhile."))
        limits.append(
          .init(
            "What a query looks up in other tables is gathered first, up to citus.max_intermediate_result_size (1 GB).",
            "A query that needs more fails. The setting can be raised."))
        limits.append(
          .init(
            "The column that a table is distributed by keeps its type.",
            "A version of the model with another identity needs a new store."))
      }
      return limits
    }

    /// Constraints of the model that a server cannot check. Broker does, on all engines.
    private func uniqueness(_ distributed: [DistributionPlan.Table]) -> [DistributionPlan.Limit] {
      layout.tables.flatMap { table in
        guard let column = distributed.first(where: { $0.name == table.name })?.column else {
          return [DistributionPlan.Limit]()
        }
        return table.indexes.filter { $0.uniqueFor != nil }.compactMap { index in
          let names = index.columns.map { table.columns[$0.column].name }
          guard !names.contains(column) else { return nil }
          return .init(
            "No server can check that \(names.joined(separator: ", ")) of \(table.name) is unique.",
            "Broker checks it under its lock at the end of each import, as in any store. Another program can break it."
          )
        }
      }
    }
  }
#endif
