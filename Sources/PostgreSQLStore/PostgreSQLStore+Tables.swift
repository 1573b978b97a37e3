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
    func prepareTables(_ link: PostgreSQLConnection) throws -> Bool {
      if try checkMemory(link, mayRemember: true) { return false }
      let locks = ServerLocks(schema: address.schema, longestWait: options.timeout)
      try locks.take([locks.key("")], link)
      // Somebody else may have made them meanwhile.
      if try checkMemory(link, mayRemember: true) { return false }
      try createTables(link)
      return true
    }

    func createTables(_ link: PostgreSQLConnection) throws {
      let memory = ServerMemory(connection: link, address: address)
      try memory.checkNamesAreFree(layout)
      _ = try link.execute("CREATE SCHEMA IF NOT EXISTS \(SQL.quoted(address.schema))")
      _ = try link.execute(tables.statements.joined(separator: ";\n"))
      try memory.remember(description)
    }

    /// Sees whether there is a store, and whether it is still one of this model. False if there is none.
    ///
    /// - Throws: ``StoreError`` if it is of another version.
    func checkMemory(_ link: PostgreSQLConnection, mayRemember: Bool) throws -> Bool {
      let memory = ServerMemory(connection: link, address: address)
      guard let look = try memory.look() else { return false }
      state.noteCitus(look.hasCitus)
      if !state.isCompared(with: look.fingerprint) {
        guard let remembered = try memory.description() else { return false }
        try checkModel(against: remembered, catalog(link)?.distribution() ?? Distribution())
        state.noteComparison(with: look.fingerprint)
      }
      if mayRemember, state.hasNewWords {
        try memory.remember(description)
        state.forgetNewWords()
      }
      return true
    }
  }
#endif
