#if PostgreSQL
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient

  /// What a transaction finds in the schema, and has to do about it before anything is written.
  extension PostgreSQLStore {
    /// Makes the tables of a new store; or sees whether those that are there are still the model's. True if there were
    /// none.
    ///
    /// - Throws: ``StoreError`` if the schema holds something else, or a store of another version of the model.
    func prepareTables(_ link: PostgreSQLConnection, _ locks: ServerLocks) throws -> Bool {
      if try checkMemory(link, mayRemember: true) {
        try prepareJournal(link, locks)
        return false
      }
      try locks.takeThatOfTables(link)
      // Somebody else may have made them meanwhile.
      let isThere = try checkMemory(link, mayRemember: true)
      if !isThere { try createTables(link) }
      try prepareJournal(link, locks)
      return !isThere
    }

    /// Makes the journal's table where it is wanted and not there.
    private func prepareJournal(_ link: PostgreSQLConnection, _ locks: ServerLocks) throws {
      guard journalsLocalChanges, try !ServerJournalTable.isThere(link) else { return }
      try locks.takeThatOfTables(link)
      _ = try link.execute(ServerJournalTable.definition)
    }

    func createTables(_ link: PostgreSQLConnection) throws {
      let memory = ServerMemory(connection: link, address: address)
      try memory.checkNamesAreFree(layout)
      _ = try link.execute("CREATE SCHEMA IF NOT EXISTS \(SQL.quoted(address.schema))")
      _ = try link.execute(tables.statements.joined(separator: ";\n"))
      try memory.remember(description)
    }

    /// Makes tables that only this session sees and that go with the transaction: a store that nothing was written to reads
    /// as an empty one. Nobody waits for that, and it takes no rights but that to make temporary tables.
    func createEmptyTables(_ link: PostgreSQLConnection) throws {
      _ = try link.execute("SET LOCAL search_path = pg_temp")
      _ = try link.execute(tables.statements.joined(separator: ";\n"))
    }

    /// Sees whether there is a store, and whether it is still one of this model. False if there is none.
    ///
    /// - Throws: ``StoreError`` if it is of another version.
    func checkMemory(_ link: PostgreSQLConnection, mayRemember: Bool) throws -> Bool {
      let memory = ServerMemory(connection: link, address: address)
      guard let fingerprint = try memory.fingerprint() else { return false }
      if !state.isCompared(with: fingerprint) {
        guard let remembered = try memory.description() else { return false }
        try checkModel(against: remembered)
        state.noteComparison(with: fingerprint)
      }
      if mayRemember, state.hasNewWords {
        try memory.remember(description)
        state.forgetNewWords()
      }
      return true
    }
  }
#endif
