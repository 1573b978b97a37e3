#if PostgreSQL
  import ObjectModel
  package import ObjectStore
  import PostgreSQLClient

  /// Where the rows of a table are.
  enum TablePlacement: Sendable, Equatable {
    /// On the server of the connection, as those of any table of PostgreSQL's.
    case local
    /// All on each server.
    case reference
    /// Each on one server, by the value of a column.
    case distributed(column: String)
  }

  /// Where the rows of a store's tables are. Statements that depend on it ask here.
  struct Distribution: Sendable, Equatable {
    /// The tables that are not local, by their names.
    var placements: [String: TablePlacement] = [:]

    /// Whether any table is not local.
    var isDistributed: Bool { !placements.isEmpty }

    func placement(of table: String) -> TablePlacement { placements[table] ?? .local }

    /// The column that says on which server a row of a table is; nil if none does.
    func column(of table: String) -> String? {
      if case .distributed(let column) = placement(of: table) { column } else { nil }
    }

    // MARK: - What cannot be done to it

    /// A reason that keeps a distributed store from becoming one of another layout.
    struct Obstacle {
      /// The root entity, in the old layout, of the table that it is about; nil for a table of links.
      let entity: Int?
      let reason: String

      /// The sentence for who wants the other version.
      var sentence: String {
        "\(reason). Make the tables local again with broker distribute --undo, and distribute them afterwards"
      }
    }

    /// The first obstacle to another layout of a distributed store; nil if there is none.
    ///
    /// - Parameter rewritten: The names of the tables that would be written anew.
    func obstacle(from former: Layout, to new: Layout, rewriting rewritten: [String]) -> Obstacle? {
      for table in former.tables {
        guard let name = column(of: table.name), let column = table.columns.first(where: { $0.name == name }),
          let kept = new.tables.first(where: { $0.name == table.name })
        else { continue }
        let entity = former.schema.entities[table.root].name
        let same = kept.columns.first { $0.name == name }
        guard let same, same.isKey else {
          return Obstacle(
            entity: table.root,
            reason:
              "the objects of \(entity) are distributed by \(name), which would not be their identity any more"
          )
        }
        if ColumnForm(same) != ColumnForm(column) {
          return Obstacle(
            entity: table.root,
            reason: "the objects of \(entity) are distributed by \(name), whose type cannot be changed then")
        }
      }
      guard let name = rewritten.first(where: { placement(of: $0) != .local }) else { return nil }
      return Obstacle(
        entity: former.tables.first { $0.name == name }?.root,
        reason: "the table \(name) is on several servers and would have to be written anew")
    }

    /// The error for a version of the model that a distributed store cannot become one of.
    static func refusal(_ obstacle: Obstacle, _ place: String) -> StoreError {
      StoreError.invalid(
        "\(place) cannot become a store of another version of its model: \(obstacle.sentence). Nothing was changed."
      )
    }
  }

  /// Tables on several servers, by the extension Citus.
  extension PostgreSQLStore {
    /// The catalog of where the rows of tables are; nil in a database without the extension.
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
        try execute(plan, request, link)
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

    /// Executes the statements of a transaction, and tells before each table how far it is.
    private func execute(
      _ plan: DistributionPlan, _ request: DistributionRequest, _ link: PostgreSQLConnection
    ) throws {
      let moved = plan.tables.filter { !$0.isDone }
      var number = 0
      for statement in plan.statements {
        if number < moved.count,
          CitusStatements.moves(statement, tables.layout.names.sqlName(moved[number].name))
        {
          let table = moved[number]
          number += 1
          request.onProgress?(
            DistributionProgress(table: table.name, rows: table.rows, number: number, count: moved.count))
        }
        do {
          _ = try link.execute(statement)
        } catch let error as PostgreSQLError where plan.isUndo && error.isUniqueViolation {
          throw StoreError.invalid(
            "Two rows of a table of \(address.shown) have the same number (broker_row), which another program must have"
              + " given: \(error.detail ?? error.message). Nothing was changed. Give one of them another number."
          )
        }
      }
      // A table that is made local again is a new one.
      if plan.isUndo { try ServerComments(tables).refresh(link, replacing: []) }
    }

    /// Takes the locks of all that writers lock, in their order, so that none is in the middle of a change.
    private func lockAll(_ link: PostgreSQLConnection, _ pending: AccessRequest) throws {
      try ServerLocks(address: address, pending: pending)
        .take([""] + layout.tables.map(\.name) + ["/history"], link)
    }
  }

  /// The staging tables of a transaction: rows are copied to them, and from there go to a table of the store.
  ///
  /// For a local table, they are temporary. Of a table on several servers, the rows have to lie where those of the table
  /// do, which those of a temporary table cannot: then it is an unlogged one that the transaction drops before its end.
  struct StagingTables {
    /// A column of a staging table.
    struct Column {
      let name: String
      let form: ColumnForm
      /// The column of the store's table that it holds values of.
      var matching: String?
    }

    /// By what they are for, the names of those that are there.
    private var names: [String: String] = [:]
    private var unlogged: [String] = []
    private static let prefix = "broker_stage"

    /// The statements that make a staging table for a purpose, and its name; no statements if it is there.
    ///
    /// - Parameters:
    ///   - number: A number that no other staging table of the transaction has.
    ///   - process: The process of the server, since an unlogged table has a name among those of all sessions.
    mutating func make(
      for purpose: String, _ columns: [Column], beside table: String, _ placement: TablePlacement,
      number: Int, process: Int32, in layout: Layout
    ) -> (name: String, statements: [String]) {
      if let known = names[purpose] { return (known, []) }
      let name =
        placement == .local
        ? "pg_temp.\(Self.prefix)_\(number)"
        : layout.names.sqlName(layout.freeName("\(Self.prefix)_\(process)_\(number)"))
      names[purpose] = name
      let list = columns.map { "\(SQL.quoted($0.name)) \($0.form.declaration)" }.joined(separator: ", ")
      switch placement {
      case .local: return (name, ["CREATE TEMP TABLE \(name) (\(list)) ON COMMIT DROP"])
      case .reference:
        unlogged.append(name)
        return (name, ["CREATE UNLOGGED TABLE \(name) (\(list))", CitusStatements.makeReference(name)])
      case .distributed(let column):
        unlogged.append(name)
        let own = columns.first { $0.matching == column }?.name ?? column
        return (
          name,
          [
            "CREATE UNLOGGED TABLE \(name) (\(list))",
            CitusStatements.distribute(name, by: own, with: table),
          ]
        )
      }
    }

    /// The statement that drops those that do not go by themselves; nil if there are none.
    mutating func drop() -> String? {
      guard !unlogged.isEmpty else { return nil }
      defer { self = StagingTables() }
      return "DROP TABLE \(unlogged.joined(separator: ", "))"
    }
  }

  /// The statement that finds references that lead to no object.
  struct MissingReferences {
    /// The columns of the object that has the reference.
    let selecting: String
    /// The table with the references, and the condition that a row has one: `"Album" t WHERE …`.
    let from: String
    /// The columns of the references.
    let references: [String]
    /// The table of what they lead to, which the statement names `o`, and its key.
    let target: String
    let keys: [String]
    /// Which of its rows are meant; nil for all.
    let kind: String?

    init(
      selecting: String, from: String, references: [String], target: String, keys: [String], kind: String?
    ) {
      (self.selecting, self.from, self.references) = (selecting, from, references)
      (self.target, self.keys, self.kind) = (target, keys, kind)
    }

    func statement(isDistributed: Bool) -> String {
      let pairs = zip(keys, references).map { "\($0) = \($1)" }.joined(separator: " AND ")
      let filter = kind.map { " AND " + $0 } ?? ""
      guard isDistributed else {
        return
          "SELECT \(selecting) FROM \(from) AND NOT EXISTS (SELECT 1 FROM \(target) o WHERE \(pairs)\(filter))"
      }
      // A statement cannot look into a distributed table from the rows of another: what is there is read ahead.
      let row = keys.count == 1 ? keys[0] : "(\(keys.joined(separator: ", ")))"
      let known = """
        SELECT \(keys.joined(separator: ", ")) FROM \(target) o
        WHERE \(row) IN (SELECT \(references.joined(separator: ", ")) FROM \(from))\(filter)
        """
      return """
        WITH broker_targets AS MATERIALIZED (\(known))
        SELECT \(selecting) FROM \(from) AND NOT EXISTS (SELECT 1 FROM broker_targets o WHERE \(pairs))
        """
    }
  }
#endif
