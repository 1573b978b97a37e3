#if PostgreSQL
  import ObjectStore
  import PostgreSQLClient

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

    /// Who uses the store; nil if that is not known.
    private func user() throws -> String? {
      try ServerProcess.holder(ofLockWhere: "l.relation = $1::regclass", table, connection)
    }
  }
#endif
