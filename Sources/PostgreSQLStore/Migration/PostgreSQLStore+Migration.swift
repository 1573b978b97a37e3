#if PostgreSQL
  package import ObjectModel
  package import ObjectStore
  import PostgreSQLClient

  extension PostgreSQLStore {
    /// Gives the store, in the transaction that is open and has done nothing yet, the version of the model that it was opened
    /// with. False if another program has done so meanwhile.
    ///
    /// - Throws: ``StoreError`` if that may not be done; what the code of a stage throws.
    func migrateTables(
      _ link: PostgreSQLConnection, _ locks: ServerLocks, _ pending: AccessRequest
    ) throws -> Bool {
      // A transaction that needs the store alone must not share it with another that does too.
      _ = try link.execute("ROLLBACK; BEGIN")
      try locks.takeThatOfTables(link)
      try ServerVersionLock(address: address, connection: link)
        .takeAlone(pending, longestWait: options.timeout)
      try checkBasis(link)
      let memory = MetadataTable(connection: link, address: address)
      guard let remembered = try memory.description(),
        try StoreDifference(from: remembered, to: description, layout) == .version
      else { return false }
      // Other programs than Broker may have locked a table.
      if let longestWait = options.timeout {
        _ = try link.execute("SET LOCAL lock_timeout = \(ServerLocks.milliseconds(longestWait))")
      }
      // Rows that a policy hides from the role would be lost: the server is to fail instead.
      _ = try link.execute("SET LOCAL row_security = off")
      do {
        try migrate(from: remembered, link)
      } catch let error as PostgreSQLError where error.isPermissionDenied && !error.isAboutRowSecurity {
        throw try ownerNeeded(remembered, error)
      }
      _ = try link.execute("SET LOCAL lock_timeout = DEFAULT; SET LOCAL row_security = DEFAULT")
      try memory.remember(description)
      try migrateHabits(from: remembered, link)
      try refreshComments(link, formerly: remembered)
      // Statements that were prepared for the old tables are of no use for the new ones.
      try link.releaseStatements()
      if let fingerprint = try memory.look().fingerprint { state.noteComparison(with: fingerprint, .none) }
      return true
    }

    /// That a role which does not own the tables cannot give them another version of the model, and what that would change.
    private func ownerNeeded(_ remembered: StoreDescription, _ error: PostgreSQLError) throws -> StoreError {
      let most = 5
      let changes = try Model.changes(from: remembered.mappedModel(), to: layout.schema.model)
        .filter { !$0.isRule }.map(\.description)
      let more = changes.count > most ? "; and \(changes.count - most) more" : ""
      let words = changes.isEmpty ? "" : ": \(changes.prefix(most).joined(separator: "; "))\(more)"
      return .server(
        state: error.sqlState,
        "The tables of \(address.shown) would have to change for another version of the model\(words). Only their owner may do"
          + " that (\(error.message)). Nothing was changed. Have the owner import this, or migrate; an import with --model and"
          + " the store's own model (broker model convert STORE MODEL) changes no tables and reports what does not fit."
      )
    }

    private func migrate(from remembered: StoreDescription, _ link: PostgreSQLConnection) throws {
      if options.migration.backupPath != nil {
        throw StoreError.invalid(
          "A store in PostgreSQL is copied before a migration by the server's own means: pg_dump"
            + " --schema=\(address.schema). Nothing was changed.")
      }
      let steps = try options.migration.steps(from: remembered, to: description, layout, path: address.shown)
      var before = try remembered.layout(names: layout.names)
      for (index, step) in steps.enumerated() {
        let isLast = index == steps.count - 1
        let after = isLast ? layout : try description.layout(of: step.model, names: layout.names)
        try migrate(link, from: before, to: after, step)
        before = after
      }
    }

    /// Whether all that the store has to know of a version is that whole numbers may be larger.
    private func isWidened(_ before: Layout, to after: Layout) throws -> Bool {
      let (old, new) = (before.schema.model, after.schema.model)
      let widened = StoreDescription(model: old.widened(to: new), mapping: nil)
      return try StoreDifference(from: widened, to: StoreDescription(model: new, mapping: nil), after)
        != .version
    }

    private func migrate(
      _ link: PostgreSQLConnection, from before: Layout, to after: Layout, _ step: MigrationStage
    ) throws {
      // The server's columns of whole numbers are of one type: nothing has to be done, which takes no rights of an owner.
      if step.body == nil, try isWidened(before, to: after) { return }
      let migrator = try ServerMigrator(
        from: before, to: after, options.migration, link, tables: tables.remade(for: after),
        keepsOld: step.body != nil)
      try checkDistribution(migrator, link)
      var plan = try MigrationPlanner(sources: migrator.sources, countsAll: false).plan()
      // The plan cannot know the effects of a stage's own code.
      if step.body != nil { plan.leaveToCode() }
      try options.migration.check(plan, of: address.shown)
      guard let body = step.body else { return try migrator.run(nil) }
      try migrator.run { [self] in
        try run(body, link, migrator)
        try options.migration.check(migrator.journal.finish(), of: address.shown)
      }
    }

    /// - Throws: ``StoreError`` if tables would have to be written anew whose rows are on several servers, or would lose what
    ///   these go by.
    private func checkDistribution(_ migrator: ServerMigrator, _ link: PostgreSQLConnection) throws {
      guard let distribution = try catalog(link)?.distribution(), distribution.isDistributed else { return }
      let rewritten = RewrittenTables(migrator.sources, link).names(migrator.moves, migrator.joinMoves)
      if let obstacle = distribution.obstacle(
        from: migrator.oldLayout, to: migrator.newLayout, rewriting: rewritten)
      {
        throw Distribution.refusal(obstacle, address.shown)
      }
    }

    /// Says in a plan what the distribution of the tables keeps from being done.
    ///
    /// - Throws: ``StoreError`` if no step of the plan is about the table that stands against it.
    private func noteDistribution(
      in plan: inout MigrationPlan, _ sources: MigrationSources, _ rewritten: [String],
      _ link: PostgreSQLConnection
    ) throws {
      guard let distribution = try catalog(link)?.distribution(), distribution.isDistributed,
        let obstacle = distribution.obstacle(
          from: sources.oldLayout, to: sources.newLayout, rewriting: rewritten)
      else { return }
      let schema = sources.oldLayout.schema
      let family = obstacle.entity.map { root in
        Set(schema.family(of: root).map { schema.entities[$0].name })
      }
      guard
        let step = plan.steps.firstIndex(where: { step in
          step.problem == nil && (family?.contains(step.change.entity) ?? true)
        })
      else { throw Distribution.refusal(obstacle, address.shown) }
      plan.steps[step].problem = obstacle.sentence
    }

    /// Runs the code of a stage between the old tables and the new ones.
    private func run(
      _ body: (PostgreSQLTransaction, PostgreSQLTransaction) throws -> Void, _ link: PostgreSQLConnection,
      _ migrator: ServerMigrator
    ) throws {
      let writing = ServerSession(link, migrator.tables, nil, tablesAreNew: false)
      let reading = ServerSession(link, tables.remade(for: migrator.asideLayout), nil, tablesAreNew: false)
      reading.share(connectionOf: writing)
      let new = PostgreSQLTransaction(writing, isReadOnly: false)
      let old = PostgreSQLTransaction(reading, isReadOnly: true)
      defer {
        old.end()
        new.end()
      }
      try body(old, new)
      try old.checkReading()
      try new.finish()
    }

    /// The memory of the layers above of entities and properties, under the new names.
    private func migrateHabits(from remembered: StoreDescription, _ link: PostgreSQLConnection) throws {
      let rows = try link.query("SELECT value FROM \(tables.metadata) WHERE key = 'json'")
      guard rows.count > 0,
        let migrated = try ObservedJSONStyle.migrated(
          rows.field(0, 0).string(), from: remembered.model, to: description.model)
      else { return }
      _ = try link.query(
        "UPDATE \(tables.metadata) SET value = $1 WHERE key = 'json'", .text(migrated))
    }

    // MARK: - Plans

    package func plan(
      for model: Model, mapping: JSONMapping?, migration: Store.Migration
    ) throws -> MigrationPlan {
      let given = StoreDescription(model: model, mapping: try mapping ?? description.mapping(for: model))
      try given.layout(names: layout.names).checkServerLimits()
      let pending = AccessRequest(options) { Task.isCancelled }
      let need = OngoingAccess.all(of: self).isEmpty ? ConnectionPurpose.usual : .urgent
      let connection = try connections.take(pending, for: need)
      defer { connections.giveBack(connection, for: need) }
      // Not one that may only read: conversions that the server cannot make need temporary tables.
      return try connection.transaction(Self.reading, address, pending) { link in
        guard try beginReading(link, longestWait: options.timeout) else {
          return (.nothing, .rollback)
        }
        let engine = ServerMigration(link, layout.names)
        let guesses = try InferredIdentities(given, over: description, names: layout.names) {
          try engine.number($0)
        }
        var migration = migration
        migration.lostGuesses.formUnion(guesses.entities)
        let newLayout = try guesses.description.layout(names: layout.names)
        let sources = MigrationSources(layout, newLayout, migration, engine)
        var plan = try MigrationPlanner(sources: sources, countsAll: true).plan()
        let rewritten = RewrittenTables(sources, link)
        plan.rewrittenTables = try rewritten.all()
        try noteDistribution(in: &plan, sources, rewritten.names(), link)
        if let failure = engine.failure { throw failure }
        return (plan, .rollback)
      }
    }
  }

  /// The lock between who uses a store and who gives it another version of its model: that of the table `broker_store`.
  ///
  /// Every transaction reads that table and so shares the lock until it ends. Whoever migrates has it alone, so that nobody
  /// is in the middle of something, and nobody begins with tables that are about to be others.
  struct ServerVersionLock {
    let address: DatabaseAddress
    let connection: PostgreSQLConnection

    private var table: String { address.names.sqlName(StoreTable.metadata) }

    /// Shares the lock, before the transaction has seen anything: a transaction that reads the state of one moment must not
    /// have that from before a migration that it then waits for. False if the schema has no store; the transaction has failed
    /// then.
    ///
    /// - Throws: ``StoreError`` if a migration takes longer than the longest wait.
    func share(longestWait: Duration?) throws -> Bool {
      var statement = "LOCK TABLE \(table) IN ACCESS SHARE MODE"
      if let longestWait {
        statement =
          "SET LOCAL lock_timeout = \(ServerLocks.milliseconds(longestWait)); \(statement); SET LOCAL lock_timeout = DEFAULT"
      }
      do {
        if let longestWait {
          _ = try connection.expectingAnswer(within: longestWait + ServerLocks.grace) {
            try connection.execute(statement)
          }
        } else {
          _ = try connection.execute(statement)
        }
        return true
      } catch let error as PostgreSQLError where error.isMissingTable || error.isMissingSchema {
        return false
      } catch let error as PostgreSQLError where error.isLockTimeout {
        throw StoreError.locked(address.shown, timeout: longestWait ?? .zero, holder: nil)
      }
    }

    /// How long one try lasts. Others that come meanwhile wait behind it.
    private static let oneTry = "200ms"

    /// Has the store alone, once everybody has left it. It asks again and again for a short time: whoever comes while it
    /// waits would have to wait as well, and a long export would keep all others from the store.
    ///
    /// - Throws: ``StoreError`` that says who uses the store if the wait was too long; `CancellationError`.
    func takeAlone(_ pending: AccessRequest, longestWait: Duration?) throws {
      let start = ContinuousClock.now
      while true {
        _ = try connection.execute("SAVEPOINT broker_lock; SET LOCAL lock_timeout = '\(Self.oneTry)'")
        do {
          _ = try connection.execute("LOCK TABLE \(table) IN ACCESS EXCLUSIVE MODE")
          _ = try connection.execute("SET LOCAL lock_timeout = DEFAULT; RELEASE SAVEPOINT broker_lock")
          return
        } catch let error as PostgreSQLError where error.isLockTimeout || error.isDeadlock {
          _ = try connection.execute("ROLLBACK TO SAVEPOINT broker_lock; RELEASE SAVEPOINT broker_lock")
        }
        try pending.check()
        pending.tellIfLong(try user())
        if let longestWait, start.duration(to: .now) >= longestWait {
          throw StoreError.locked(address.shown, timeout: longestWait, holder: try user())
        }
        _ = try connection.execute("SELECT pg_sleep(0.05)")
      }
    }

    /// The user of the store; nil if that is not known.
    private func user() throws -> String? {
      try ServerProcess.holder(ofLockWhere: "l.relation = $1::regclass", table, connection)
    }
  }

  extension Model {
    /// The model with the larger whole numbers that another version has in its attributes.
    fileprivate func widened(to other: Model) -> Model {
      var widened = self
      for entity in entities.indices {
        guard let newer = other[entity: entities[entity].name] else { continue }
        let types = Dictionary(newer.attributes.map { ($0.name, $0.type) }, uniquingKeysWith: { $1 })
        for (index, attribute) in entities[entity].attributes.enumerated() {
          guard let before = attribute.type.wholeBytes, let type = types[attribute.name],
            let after = type.wholeBytes, before < after
          else { continue }
          widened.entities[entity].attributes[index].type = type
        }
      }
      return widened
    }
  }

  extension AttributeType {
    /// How many bytes the whole numbers of a type have; nil for other types.
    fileprivate var wholeBytes: Int? {
      switch self {
      case .integer16: 2
      case .integer32: 4
      case .integer64: 8
      default: nil
      }
    }
  }
#endif
