#if PostgreSQL
  package import ObjectStore
  import PostgreSQLClient

  extension PostgreSQLStore: StoreBackend {
    package var path: String { address.shown }
    package var mayBeShared: Bool { true }
    package var hasOneConnection: Bool { false }
    package var observers: Observers { delivery.observers }

    // MARK: - On the thread of the caller

    package func transaction<Result>(
      isCancelled: (@Sendable () -> Bool)?,
      _ body: (PostgreSQLTransaction) throws -> (Result, TransactionEnding)
    ) throws -> Result {
      let ongoing = OngoingAccess.all(of: self)
      guard !ongoing.contains(where: { if case .writing = $0.kind { true } else { false } }) else {
        throw StoreError.invalid(
          "The store is in a transaction here; use that one, or wait until it ends.")
      }
      let pending = PendingAccess(options) { Task.isCancelled || isCancelled?() ?? false }
      let isUrgent = !ongoing.isEmpty
      let connection = try connections.take(pending, isUrgent: isUrgent)
      let result: Result
      do {
        defer { connections.giveBack(connection, isUrgent: isUrgent) }
        result = try write(on: connection, pending, body)
      }
      delivery.deliver(self)
      return result
    }

    package func read<Result>(_ body: (PostgreSQLTransaction) throws -> Result) throws -> Result {
      let ongoing = OngoingAccess.all(of: self)
      search: for access in ongoing {
        switch access.kind {
        case .reading(let transaction):
          if let transaction = transaction as? PostgreSQLTransaction { return try body(transaction) }
        case .writing: continue
        // An observer wants to see what was committed, not what this thread was reading before.
        case .delivering: break search
        }
      }
      // All connections may be waiting for the transaction that this thread is in.
      let isUrgent = !ongoing.isEmpty
      let pending = PendingAccess(options) { Task.isCancelled }
      let connection = try connections.take(pending, isUrgent: isUrgent)
      defer { connections.giveBack(connection, isUrgent: isUrgent) }
      return try read(on: connection, pending, body)
    }

    // MARK: - In tasks

    package func asyncTransaction<Result: Sendable>(
      isolation: isolated (any Actor)?,
      _ body: @Sendable (PostgreSQLTransaction) throws -> (Result, TransactionEnding)
    ) async throws -> Result {
      try await lend { connection, pending in
        let result: Result
        do {
          defer { connections.giveBack(connection) }
          result = try write(on: connection, pending, body)
        }
        delivery.deliver(self)
        return result
      }
    }

    package func asyncRead<Result: Sendable>(
      isLong: Bool, isolation: isolated (any Actor)?,
      _ body: @Sendable (PostgreSQLTransaction) throws -> Result
    ) async throws -> Result {
      try await lend(isUrgent: isLong) { connection, pending in
        defer { connections.giveBack(connection, isUrgent: isLong) }
        return try read(on: connection, pending, body)
      }
    }

    /// Runs `body`, which gives the connection back, on a thread that tasks do not need.
    private func lend<Result: Sendable>(
      isUrgent: Bool = false, isolation: isolated (any Actor)? = #isolation,
      _ body: @Sendable (ServerConnection, PendingAccess) throws -> Result
    ) async throws -> Result {
      let pending = PendingAccess(options)
      return try await withTaskCancellationHandler {
        try pending.check()
        return try await TaskAccess(connections, pending, isUrgent: isUrgent).run { connection in
          try body(connection, pending)
        }
      } onCancel: {
        pending.cancel()
        connections.wake(pending)
      }
    }

    // MARK: - On a connection

    private func write<Result>(
      on connection: ServerConnection, _ pending: PendingAccess,
      _ body: (PostgreSQLTransaction) throws -> (Result, TransactionEnding)
    ) throws -> Result {
      guard access == .readWrite else { throw StoreError.readOnlyTransaction }
      var changes: ObjectChanges?
      let result = try connection.transaction("BEGIN", address, pending) { link in
        let isNew = try prepareTables(link)
        let session = ServerSession(
          link, try placedTables(link), ServerLocks(schema: address.schema, longestWait: options.timeout),
          catalog: catalog(link), tablesAreNew: isNew)
        session.changesTogether = changesTogether
        let transaction = PostgreSQLTransaction(session, isReadOnly: false)
        defer { transaction.end() }
        let (result, ending) = try OngoingAccess.run(self, .writing, usesWriter: true) {
          try body(transaction)
        }
        try pending.check()
        if ending == .commit {
          try transaction.finish()
          changes = try announce(transaction, link)
        }
        return (result, ending)
      }
      if let changes { delivery.post(changes) }
      return result
    }

    /// Has the server tell others of the commit, and returns what this store's observers are told.
    private func announce(
      _ transaction: PostgreSQLTransaction, _ link: PostgreSQLConnection
    ) throws -> ObjectChanges? {
      guard transaction.changeCount > 0 else { return nil }
      _ = try link.query(
        prepared: "SELECT pg_notify($1, $2)", .text(ServerListener.channel(address)), .text(listener.name))
      guard observers.areThere else { return nil }
      return ObjectChanges(isImport: transaction.isImport, isComplete: false)
    }

    private func read<Result>(
      on connection: ServerConnection, _ pending: PendingAccess,
      _ body: (PostgreSQLTransaction) throws -> Result
    ) throws -> Result {
      try connection.transaction("BEGIN ISOLATION LEVEL REPEATABLE READ", address, pending) { link in
        let isThere = try checkMemory(link, mayRemember: false)
        // A store that nothing was written to reads as an empty one.
        if isThere {
          _ = try link.execute("SET TRANSACTION READ ONLY")
        } else {
          try createTables(link)
        }
        let session = ServerSession(link, try placedTables(link), nil, tablesAreNew: !isThere)
        let transaction = PostgreSQLTransaction(session, isReadOnly: true)
        defer { transaction.end() }
        let result = try OngoingAccess.run(self, .reading(transaction), usesWriter: false) {
          try body(transaction)
        }
        try transaction.checkReading()
        return (result, .rollback)
      }
    }
  }
#endif
