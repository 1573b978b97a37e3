#if PostgreSQL
  package import ObjectModel
  package import ObjectStore
  import PostgreSQLClient

  /// The backend of a ``Store`` in a schema of a PostgreSQL database.
  package final class PostgreSQLStore: Sendable {
    let address: DatabaseAddress
    package let layout: Layout
    package let description: StoreDescription
    /// The options of the caller: a model, a mapping.
    let isModelGiven: Bool
    let isMappingGiven: Bool
    package let functions: MappingFunctions
    package let checks: [ValueCheck.Place: ValueCheck]
    let sizes: WriteSizes
    /// Whether what programs change is to be noted until the server that the JSON comes from was told.
    let journalsLocalChanges: Bool
    let delivery = ChangeDelivery()
    let access: Store.Access
    let options: Store.Options
    let tables: ServerTables
    let connections: ConnectionPool<ServerConnection>
    let replica: ReadReplica?
    let state: ServerState
    let listener: ServerListener

    /// Opens a store, or makes a new one. Its schema and its tables are made by the first transaction that writes.
    ///
    /// - Parameters:
    ///   - model: The model; nil for the one that the store remembers.
    ///   - mapping: What is said of the JSON beyond the model's annotations; nil for what the store remembers.
    ///   - checks: What attributes demand of their values beyond what the model says.
    ///   - reads: The address of a replica of the server, for reads.
    /// - Throws: ``StoreError`` if the server cannot be reached, there is something else in the schema, or the store has
    ///   another model; ``MappingError`` if the mapping does not fit the model; ``SchemaError`` if the model cannot be
    ///   used.
    package init(
      _ address: DatabaseAddress, reads: DatabaseAddress? = nil, model: Model?, mapping: JSONMapping? = nil,
      access: Store.Access = .readWrite, options: Store.Options = Store.Options(),
      checks: [ValueCheck.Place: ValueCheck] = [:], journalsLocalChanges: Bool = false,
      sizes: WriteSizes = WriteSizes()
    ) throws {
      (self.address, self.access) = (address, access)
      (self.checks, self.sizes) = (checks, sizes)
      self.journalsLocalChanges = journalsLocalChanges
      functions = mapping?.functions ?? MappingFunctions()
      (isModelGiven, isMappingGiven) = (model != nil, mapping != nil)
      let onStatement = options.onStatement
      let opening = AccessRequest(options)
      let first = try ServerConnection(address, opening, onStatement: onStatement)
      first.link.isCancelled = { opening.isCancelled }
      defer { first.link.isCancelled = { false } }
      let memory = first.memory(of: address)
      var remembered = try memory.described { try $0.description() }
      if model == nil, remembered == nil, access == .readWrite {
        try memory.waitUntilMade(AccessRequest(options))
        remembered = try memory.described { try $0.description() }
      }
      try options.basis?.check(remembered, path: address.shown)
      guard let known = model ?? remembered?.model else {
        throw access == .readOnly
          ? StoreError.missing(address.shown) : StoreError.modelNeeded(address.shown)
      }
      if access == .readOnly, remembered == nil { throw StoreError.missing(address.shown) }
      let given = StoreDescription(model: known, mapping: try mapping ?? remembered?.mapping(for: known))
      let guesses = try memory.described { memory in
        try InferredIdentities(given, over: model == nil ? nil : remembered, names: address.names) { sql in
          try memory.connection.query(sql).value { try $0.int8() }
        }
      }
      description = guesses.description
      var settled = options
      settled.migration.lostGuesses.formUnion(guesses.entities)
      self.options = settled
      layout = Layout(try Schema(try description.mappedModel()), names: address.names)
      try layout.checkServerLimits()
      tables = ServerTables(layout, hasICU: first.hasICU)
      state = ServerState()
      listener = ServerListener(address)
      replica = reads.map { ReadReplica($0, limit: address.settings.connections, onStatement: onStatement) }
      connections = ConnectionPool(
        [first], limit: address.settings.connections, mostPatient: address.settings.writers,
        path: address.shown
      ) {
        try ServerConnection(address, $0, onStatement: onStatement)
      }
      if let remembered {
        try memory.described { try StoredColumns($0).check(of: remembered) }
        try compareModel(with: remembered)
      }
      if state.needsMigration, !options.migration.isDelayed { try migrate() }
    }

    /// Becomes a store of its model now.
    private func migrate() throws {
      do {
        try transaction(isCancelled: nil) { _ in ((), .commit) }
      } catch {
        try? close()
        throw error
      }
    }

    deinit { connections.closeIdle() }

    /// Whether there is a store at an address.
    ///
    /// - Throws: ``StoreError`` if the server cannot be asked, or there is something else in its place.
    package static func isThere(_ address: DatabaseAddress) throws -> Bool {
      let connection = try ServerConnection(address, nil)
      defer { connection.close() }
      return try connection.memory(of: address).described { try $0.isThere() }
    }

    /// Compares the model with the one that the store remembers, when it is opened.
    ///
    /// - Throws: ``StoreError`` if they are two versions, and the store is only read.
    private func compareModel(with remembered: StoreDescription) throws {
      guard isModelGiven || isMappingGiven else { return }
      let difference = try StoreDifference(from: remembered, to: description, layout)
      if access == .readOnly, difference == .version { throw try changedModel(remembered) }
      state.noteOpening(difference, mayMigrate: access == .readWrite)
    }

    /// How the model differs from the one that the store remembers, as an error.
    func changedModel(_ remembered: StoreDescription) throws -> StoreError {
      let changes = try Model.changes(from: remembered.mappedModel(), to: layout.schema.model)
      return StoreError.modelChanged(address.shown, changes.map(\.description))
    }
  }

  /// The state that a transaction finds in the schema, and the work on it before anything is written.
  extension PostgreSQLStore {
    /// The changes of the tables.
    enum Preparation {
      case found, made, migrated
    }

    /// Makes the tables of a new store; or sees whether those that are there are still the model's, and makes them so if they
    /// may be changed.
    ///
    /// - Throws: ``StoreError`` if the schema holds something else, or a store of another version of the model that must stay
    ///   as it is.
    func prepareTables(
      _ link: PostgreSQLConnection, _ locks: ServerLocks, _ pending: AccessRequest
    ) throws -> Preparation {
      try checkBasis(link)
      if try isStoreThere(link) { return try prepareStore(link, locks, pending) }
      try locks.takeThatOfTables(link)
      // Somebody else may have made them meanwhile.
      try checkBasis(link)
      if try isStoreThere(link) { return try prepareStore(link, locks, pending) }
      try locks.checkLocks(link)
      try createTables(link)
      try prepareJournal(link, locks)
      return .made
    }

    /// Sees, in a transaction that writes, whether the store remembers still what the model was made of. After the first
    /// commit, it remembers what it was opened with.
    func checkBasis(_ link: PostgreSQLConnection) throws {
      guard let basis = options.basis, !state.hasCommitted else { return }
      let memory = MetadataTable(connection: link, address: address)
      try basis.check(memory.isTableThere() ? memory.description() : nil, path: address.shown)
    }

    private func prepareStore(
      _ link: PostgreSQLConnection, _ locks: ServerLocks, _ pending: AccessRequest
    ) throws -> Preparation {
      var result = Preparation.found
      if state.needsMigration {
        if try migrateTables(link, locks, pending) {
          result = .migrated
        } else {
          // Another program has migrated it meanwhile. Nobody is kept from the store for that any longer.
          _ = try link.execute("ROLLBACK; BEGIN")
          _ = try isStoreThere(link)
        }
      }
      if state.needsMemory {
        if options.basis != nil, !state.hasCommitted {
          // Two programs that add words to what they read must not write over each other's.
          try locks.takeThatOfTables(link)
          try checkBasis(link)
        }
        let memory = MetadataTable(connection: link, address: address)
        let remembered = try memory.description()
        try memory.remember(description)
        try refreshComments(link, formerly: remembered)
      }
      try prepareJournal(link, locks)
      return result
    }

    /// Makes the journal's table where it is wanted and not there.
    private func prepareJournal(_ link: PostgreSQLConnection, _ locks: ServerLocks) throws {
      guard journalsLocalChanges, try !ServerJournalTable.isThere(tables.journal, link) else { return }
      try locks.takeThatOfTables(link)
      _ = try link.execute(tables.journal.definition)
    }

    func createTables(_ link: PostgreSQLConnection) throws {
      let memory = MetadataTable(connection: link, address: address)
      try memory.checkNamesAreFree(layout)
      // A role that may create tables in a schema that is there need not be allowed to make schemas.
      if try !memory.isSchemaThere() { _ = try link.execute("CREATE SCHEMA \(SQL.quoted(address.schema))") }
      let comments = ServerComments(tables).statements
      _ = try link.execute((tables.statements + comments).joined(separator: ";\n"))
      try memory.remember(description)
    }

    /// Says in the comments of tables and columns what the model says now.
    ///
    /// - Parameter former: What the store remembered before.
    func refreshComments(_ link: PostgreSQLConnection, formerly former: StoreDescription?) throws {
      let texts = try former.map { former in
        try ServerComments(tables.remade(for: former.layout(names: layout.names))).texts
      }
      try ServerComments(tables).refresh(link, replacing: texts ?? [])
    }

    /// Makes tables that only this session sees and that go with the transaction: a store that nothing was written to reads
    /// as an empty one. Nobody waits for that, and it takes no rights but that to make temporary tables.
    func createEmptyTables(_ link: PostgreSQLConnection) throws -> ServerTables {
      let tables = tables.moved(to: "pg_temp")
      _ = try link.execute(tables.statements.joined(separator: ";\n"))
      return tables
    }

    /// Sees, in a transaction that writes, whether there is a store, and whether it is still one of this model or may become
    /// one.
    ///
    /// - Throws: ``StoreError`` if it is of another version, and has to stay so.
    private func isStoreThere(_ link: PostgreSQLConnection) throws -> Bool {
      let memory = MetadataTable(connection: link, address: address)
      guard try memory.isTableThere() else { return false }
      guard let remembered = try newMemory(memory) else { return true }
      if try difference(from: remembered) == .version, !state.mayMigrate || !isGiven {
        // Another program may have made the store since the basis was checked.
        try checkBasis(link)
        throw isGiven ? try changedModel(remembered) : StoreError.migratedByOthers(address.shown)
      }
      return true
    }

    /// The beginning of a transaction that writes.
    static let writing = "BEGIN"

    // MARK: - Reading

    /// The beginning of a transaction that reads the state of one moment.
    static let reading = "BEGIN ISOLATION LEVEL REPEATABLE READ"

    /// Begins to read: has no other version of the model come until the end of the transaction. False if there is no store.
    ///
    /// - Parameter longestWait: How long to wait for a migration.
    /// - Throws: ``StoreError`` if the store is of another version.
    func beginReading(_ link: PostgreSQLConnection, longestWait: Duration?) throws -> Bool {
      let lock = ServerVersionLock(address: address, connection: link)
      let memory = MetadataTable(connection: link, address: address)
      while try !lock.share(longestWait: longestWait) {
        _ = try link.execute("ROLLBACK; \(Self.reading)")
        guard try memory.isTableThere() else { return false }
        // The connection has been made just now.
        _ = try link.execute("ROLLBACK; \(Self.reading)")
      }
      guard let remembered = try newMemory(memory) else { return true }
      guard try difference(from: remembered) == .version else { return true }
      throw state.mayMigrate ? try changedModel(remembered) : StoreError.migratedByOthers(address.shown)
    }

    // MARK: - Comparing

    private var isGiven: Bool { isModelGiven || isMappingGiven }

    /// The metadata of the store, if it is not what the model was last compared with.
    private func newMemory(_ memory: MetadataTable) throws -> StoreDescription? {
      let look = try memory.look()
      state.noteCitus(look.hasCitus)
      let fingerprint = look.fingerprint
      if let fingerprint, state.isCompared(with: fingerprint), !state.needsMigration { return nil }
      guard let remembered = try memory.description(), let fingerprint else { return nil }
      let difference = try difference(from: remembered)
      if difference != .version || state.mayMigrate { state.noteComparison(with: fingerprint, difference) }
      return remembered
    }

    private func difference(from remembered: StoreDescription) throws -> StoreDifference {
      guard isGiven else { return try description.isSame(as: remembered) ? .none : .version }
      return try StoreDifference(from: remembered, to: description, layout)
    }
  }

  extension PostgreSQLStore {
    package var logBytes: Int { 0 }

    package func size() async throws -> Store.Size {
      try await asyncRead(isLong: false, isolation: nil) { transaction in
        let bytes = try transaction.pageBytes()
        return Store.Size(pages: bytes.all, free: bytes.free, log: 0)
      }
    }

    package func vacuum() async throws {
      let pending = AccessRequest(options)
      try await withTaskCancellationHandler {
        try await TaskAccess(connections, pending).run { [self] connection in
          defer { connections.giveBack(connection) }
          connection.link.isCancelled = { pending.isCancelled }
          defer { connection.link.isCancelled = { false } }
          do {
            guard try connection.memory(of: address).isThere() else { return }
            for name in layout.tables.map(\.sqlName) + layout.joins.map(\.sqlName) {
              _ = try connection.link.execute("VACUUM ANALYZE \(name)")
            }
          } catch {
            throw ServerFailure(address).described(error)
          }
        }
      } onCancel: {
        pending.cancel()
        connections.wake(pending)
      }
    }

    package func backup(to path: String, progress: (@Sendable (Double) -> Void)?) async throws {
      throw StoreError.invalid(
        "A store in PostgreSQL is backed up by the server's own means: pg_dump --schema=\(address.schema), or continuous"
          + " archiving.")
    }

    package func close() throws {
      guard OngoingAccess.all(of: self).isEmpty else {
        throw StoreError.invalid("A store cannot be closed within one of its transactions.")
      }
      // Whether closing fails or not, nothing more can be observed.
      defer { delivery.observers.end() }
      try connections.close()
      try replica?.connections.close()
    }
  }
#endif
