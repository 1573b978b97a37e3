#if PostgreSQL
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient

  /// What a transaction finds in the schema, and has to do about it before anything is written.
  extension PostgreSQLStore {
    /// What was done about the tables.
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
        try memory.remember(description)
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
      _ = try link.execute(tables.statements.joined(separator: ";\n"))
      try memory.remember(description)
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
        throw isGiven ? try changedModel(remembered) : StoreError.migratedByOthers(address.shown)
      }
      return true
    }

    /// What a transaction begins with that writes. Statements about a batch are over before they would be compiled.
    static let writing = "BEGIN; SET LOCAL jit = off"

    // MARK: - Reading

    /// What a transaction begins with that reads the state of one moment.
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
        // It has been made just now.
        _ = try link.execute("ROLLBACK; \(Self.reading)")
      }
      guard let remembered = try newMemory(memory) else { return true }
      guard try difference(from: remembered) == .version else { return true }
      throw state.mayMigrate ? try changedModel(remembered) : StoreError.migratedByOthers(address.shown)
    }

    // MARK: - Comparing

    private var isGiven: Bool { isModelGiven || isMappingGiven }

    /// What the store remembers, if it is not what the model was last compared with.
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
#endif
