#if PostgreSQL
  package import ObjectStore
  import PostgreSQLClient

  extension PostgreSQLStore: StoreBackend {
    package var path: String { address.shown }
    package var mayBeShared: Bool { true }
    package var batchSize: BatchSize { sizes.batch }
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
      let pending = AccessRequest(options) { Task.isCancelled || isCancelled?() ?? false }
      let need = ongoing.isEmpty ? ConnectionPurpose.patient : .urgent
      let connection = try connections.take(pending, for: need)
      let result: Result
      do {
        defer { connections.giveBack(connection, for: need) }
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
      let need = ongoing.isEmpty ? ConnectionPurpose.usual : .urgent
      let pending = AccessRequest(options) { Task.isCancelled }
      // Where this thread migrates the store, it would wait for itself.
      let isWriting = ongoing.contains { if case .writing = $0.kind { true } else { false } }
      let longestWait = isWriting ? .seconds(1) : options.timeout
      func read(_ source: ReadSource) throws -> Result {
        let connection = try source.connections.take(pending, for: need)
        defer { source.connections.giveBack(connection, for: need) }
        return try self.read(on: connection, source, pending, longestWait: longestWait, body)
      }
      if let replica, replica.mayBeAsked {
        do { return try read(readSource(of: replica)) } catch is ReadReplica.Unavailable {}
      }
      return try read(ownSource)
    }

    // MARK: - In tasks

    package func asyncTransaction<Result: Sendable>(
      isolation: isolated (any Actor)?,
      _ body: @Sendable (PostgreSQLTransaction) throws -> (Result, TransactionEnding)
    ) async throws -> Result {
      try await lend(connections, for: .patient) { connection, pending in
        let result: Result
        do {
          defer { connections.giveBack(connection, for: .patient) }
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
      if let replica, replica.mayBeAsked {
        do {
          return try await asyncRead(readSource(of: replica), isLong: isLong, isolation: isolation, body)
        } catch is ReadReplica.Unavailable {}
      }
      return try await asyncRead(ownSource, isLong: isLong, isolation: isolation, body)
    }

    private func asyncRead<Result: Sendable>(
      _ source: ReadSource, isLong: Bool, isolation: isolated (any Actor)?,
      _ body: @Sendable (PostgreSQLTransaction) throws -> Result
    ) async throws -> Result {
      let need = isLong ? ConnectionPurpose.urgent : .usual
      return try await lend(source.connections, for: need, isolation: isolation) { connection, pending in
        defer { source.connections.giveBack(connection, for: need) }
        return try read(on: connection, source, pending, longestWait: options.timeout, body)
      }
    }

    /// Runs `body`, which gives the connection back, on a thread that tasks do not need.
    private func lend<Result: Sendable>(
      _ connections: ConnectionPool<ServerConnection>, for need: ConnectionPurpose,
      isolation: isolated (any Actor)? = #isolation,
      _ body: @Sendable (ServerConnection, AccessRequest) throws -> Result
    ) async throws -> Result {
      let pending = AccessRequest(options)
      return try await withTaskCancellationHandler {
        try pending.check()
        return try await TaskAccess(connections, pending, for: need).run { connection in
          try body(connection, pending)
        }
      } onCancel: {
        pending.cancel()
        connections.wake(pending)
      }
    }

    // MARK: - On a connection

    private func write<Result>(
      on connection: ServerConnection, _ pending: AccessRequest,
      _ body: (PostgreSQLTransaction) throws -> (Result, TransactionEnding)
    ) throws -> Result {
      guard access == .readWrite else { throw StoreError.readOnlyTransaction }
      var changes: ObjectChanges?
      var (hasCommitted, hasWritten) = (false, false)
      let result = try connection.transaction(Self.writing, address, pending) { link in
        let locks = ServerLocks(address: address, pending: pending)
        let preparation = try prepareTables(link, locks, pending)
        let session = ServerSession(
          link, try placedTables(link), locks, catalog: catalog(link), tablesAreNew: preparation == .made,
          isObserved: observers.areThere)
        session.sizes = sizes
        let transaction = PostgreSQLTransaction(session, isReadOnly: false)
        defer { transaction.end() }
        let (result, ending) = try OngoingAccess.run(self, .writing, usesWriter: true) {
          try body(transaction)
        }
        try pending.check()
        if ending == .commit {
          try transaction.finish()
          changes = try announce(transaction, link, isMigration: preparation == .migrated)
          hasWritten = transaction.changeCount > 0 || preparation != .found
        }
        hasCommitted = ending == .commit
        return (result, ending)
      } committing: { commit in
        guard let changes else { return try commit() }
        try delivery.post(changes, after: commit)
      }
      if hasCommitted { state.noteCommit() }
      if hasWritten { replica?.noteCommit(connection.link) }
      return result
    }

    // MARK: - Where to read

    /// A server that a read can go to.
    private struct ReadSource {
      let address: DatabaseAddress
      let connections: ConnectionPool<ServerConnection>
      let replica: ReadReplica?
    }

    private var ownSource: ReadSource { ReadSource(address: address, connections: connections, replica: nil) }

    private func readSource(of replica: ReadReplica) -> ReadSource {
      ReadSource(address: replica.address, connections: replica.connections, replica: replica)
    }

    /// Has the server tell others of the commit, and returns what this store's observers are told.
    private func announce(
      _ transaction: PostgreSQLTransaction, _ link: PostgreSQLConnection, isMigration: Bool
    ) throws -> ObjectChanges? {
      guard transaction.session.changes.areThere || isMigration else { return nil }
      let changes =
        isMigration
        ? ObjectChanges(isImport: transaction.isImport, isComplete: false) : try transaction.changes()
      guard !changes.isEmpty else { return nil }
      _ = try link.query(
        prepared: "SELECT pg_notify($1, $2)", .text(ServerListener.channel(address)),
        .text(Announcement.text(of: changes, by: listener.name, layout)))
      return observers.areThere ? changes : nil
    }

    private func read<Result>(
      on connection: ServerConnection, _ source: ReadSource, _ pending: AccessRequest, longestWait: Duration?,
      _ body: (PostgreSQLTransaction) throws -> Result
    ) throws -> Result {
      var hasBegun = false
      do {
        return try read(on: connection, source, pending, longestWait: longestWait, &hasBegun, body)
      } catch  where !hasBegun && !pending.isCancelled && !(error is ReadReplica.Unavailable) {
        guard let replica = source.replica else { throw error }
        replica.noteFailure()
        throw ReadReplica.Unavailable()
      }
    }

    /// - Parameter hasBegun: Set once the store was found.
    private func read<Result>(
      on connection: ServerConnection, _ source: ReadSource, _ pending: AccessRequest, longestWait: Duration?,
      _ hasBegun: inout Bool,
      _ body: (PostgreSQLTransaction) throws -> Result
    ) throws -> Result {
      // Before the transaction: what it sees is from a moment after this.
      if let replica = source.replica { try connection.ask(pending) { try replica.checkPlace($0) } }
      return try connection.transaction(Self.reading, source.address, pending) { link in
        let isThere = try beginReading(link, longestWait: longestWait)
        let tables: ServerTables
        if isThere {
          _ = try link.execute("SET TRANSACTION READ ONLY")
          tables = try placedTables(link)
        } else if source.replica != nil {
          throw StoreError.missing(source.address.shown)
        } else {
          tables = try createEmptyTables(link)
        }
        hasBegun = true
        let session = ServerSession(link, tables, nil, tablesAreNew: !isThere)
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
