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
    func prepareTables(_ link: PostgreSQLConnection, _ pending: PendingAccess) throws -> Bool {
      if try checkMemory(link, mayRemember: true) { return false }
      try waiting(link, pending) { try lockSchema(link) }
      // Somebody else may have made them meanwhile.
      if try checkMemory(link, mayRemember: true) { return false }
      try createTables(link)
      return true
    }

    func createTables(_ link: PostgreSQLConnection) throws {
      let memory = ServerMemory(connection: link, address: address)
      try memory.checkNamesAreFree(layout)
      _ = try link.execute("CREATE SCHEMA IF NOT EXISTS \(SQL.quoted(address.schema))")
      for statement in tables.statements { _ = try link.execute(statement) }
      try memory.remember(description)
    }

    /// Keeps others from making or changing the store's tables until the transaction ends.
    private func lockSchema(_ link: PostgreSQLConnection) throws {
      _ = try link.query(
        "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", .text("broker:\(address.schema)"))
    }

    /// Runs `body`, which waits for others for as long as the options say.
    private func waiting(
      _ link: PostgreSQLConnection, _ pending: PendingAccess, _ body: () throws -> Void
    ) throws {
      let before = link.isCancelled
      link.isCancelled = { !pending.waitsOn() }
      defer { link.isCancelled = before }
      do {
        try body()
      } catch let error as CancellationError {
        try pending.checkWait(for: address.shown)
        throw error
      }
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
