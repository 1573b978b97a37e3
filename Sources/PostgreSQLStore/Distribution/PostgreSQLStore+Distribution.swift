#if PostgreSQL
  import ObjectModel
  package import ObjectStore
  import PostgreSQLClient

  /// Tables on several servers, by the extension Citus.
  extension PostgreSQLStore {
    /// What knows where the rows of tables are; nil in a database without the extension.
    func catalog(_ link: PostgreSQLConnection) -> CitusCatalog? {
      state.hasCitus ? CitusCatalog(connection: link, schema: address.schema) : nil
    }

    /// The tables, and where their rows are for a transaction.
    ///
    /// - Throws: ``StoreError`` if tables are distributed in a way that statements cannot be made for.
    func placedTables(_ link: PostgreSQLConnection) throws -> ServerTables {
      guard let catalog = catalog(link) else { return tables }
      var placed = tables
      placed.distribution = try catalog.distribution()
      try check(placed.distribution)
      return placed
    }

    /// Others may have distributed the tables by other columns.
    private func check(_ distribution: Distribution) throws {
      for table in layout.tables {
        guard let column = distribution.column(of: table.name) else { continue }
        let keys = table.key.map { table.columns[$0].name }
        guard !keys.contains(column) else { continue }
        throw StoreError.invalid(
          "The table \(table.name) of \(address.shown) is distributed by \(column), which is not of its key"
            + " \(keys.joined(separator: ", ")): SELECT undistribute_table('\(table.name)') makes it local again, and"
            + " broker distribute distributes it by its key.")
      }
    }

    package func distribute(
      _ request: DistributionRequest, isPlanOnly: Bool
    ) throws -> DistributionPlan {
      guard isPlanOnly || access == .readWrite else { throw StoreError.readOnlyTransaction }
      let pending = AccessRequest(options)
      let connection = try connections.take(pending, for: .patient)
      defer { connections.giveBack(connection, for: .patient) }
      var plan = try connection.transaction("BEGIN", address, pending) { link in
        guard try beginReading(link, longestWait: options.timeout) else {
          throw StoreError.missing(address.shown)
        }
        if !isPlanOnly { try lockAll(link, pending) }
        let planner = DistributionPlanner(
          tables: tables, catalog: CitusCatalog(connection: link, schema: address.schema))
        var plan = try planner.plan(request)
        guard !isPlanOnly else { return (plan, TransactionEnding.rollback) }
        guard plan.missing.isEmpty else {
          throw StoreError.invalid(
            "The tables of \(address.shown) cannot be distributed yet. "
              + plan.missing.joined(separator: " ") + " --plan says what would be done.")
        }
        for statement in plan.statements { _ = try link.execute(statement) }
        plan.isExecuted = true
        return (plan, .commit)
      }
      guard plan.isExecuted else { return plan }
      // The rows are where they belong by now: a failure of this only leaves room taken, and it is done the next time.
      _ = try connection.transaction("BEGIN", address, pending) { link in
        for statement in plan.statementsAfterCommit { _ = try link.execute(statement) }
        return ((), .commit)
      }
      plan.tables = plan.tables.map { table in
        var table = table
        table.isDone = true
        return table
      }
      return plan
    }

    /// Takes the locks of all that writers lock, in their order, so that none is in the middle of a change.
    private func lockAll(_ link: PostgreSQLConnection, _ pending: AccessRequest) throws {
      try ServerLocks(address: address, pending: pending)
        .take([""] + layout.tables.map(\.name) + ["/history"], link)
    }
  }
#endif
