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

    private var table: String { "\(SQL.quoted(address.schema)).\(ServerTables.metadata)" }

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
        _ = try connection.execute(statement)
        return true
      } catch let error as PostgreSQLError where error.isMissingTable || error.isMissingSchema {
        return false
      } catch let error as PostgreSQLError where error.isLockTimeout {
        throw StoreError.invalid(
          "The store \(address.shown) is being given another version of its model, or its tables are locked."
            + " It was waited for \(longestWait ?? .zero) and nothing was changed.")
      }
    }

    /// How long one try lasts. Others that come meanwhile wait behind it.
    private static let oneTry = "200ms"

    /// Has the store alone, once everybody has left it. It asks again and again for a short time: whoever comes while it
    /// waits would have to wait as well, and a long export would keep all others from the store.
    ///
    /// - Throws: ``StoreError`` that says who uses the store if the wait was too long; `CancellationError`.
    func takeAlone(_ pending: PendingAccess, longestWait: Duration?) throws {
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
        pending.tellIfLong()
        if let longestWait, start.duration(to: .now) >= longestWait {
          throw StoreError.invalid(
            "The store \(address.shown) is in use\(try user()), so its tables cannot be changed. It was waited for"
              + " \(longestWait) and nothing was changed.")
        }
        _ = try connection.execute("SELECT pg_sleep(0.05)")
      }
    }

    /// Who uses the store, as ` by …`; empty if that is not known.
    private func user() throws -> String {
      let rows = try connection.query(
        """
        SELECT a.pid::bigint, a.application_name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
        WHERE l.relation = $1::regclass AND l.granted AND a.pid <> pg_backend_pid() ORDER BY a.xact_start LIMIT 1
        """, .text(table))
      guard rows.count > 0 else { return "" }
      let name = try rows.field(0, 1).string()
      let process = "process \(try rows.field(0, 0).int8()) of the server"
      return name.isEmpty ? " by \(process)" : " by \(name), \(process)"
    }
  }
#endif
