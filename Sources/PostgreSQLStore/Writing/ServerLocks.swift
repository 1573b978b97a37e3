#if PostgreSQL
  import ObjectStore
  import PostgreSQLClient

  /// The locks by which writers of a store wait for each other: one for each table, one for making tables, one for the
  /// history. They are the store's own, so that readers and other programs do not wait.
  ///
  /// Whoever takes several takes them in the order of the model's tables, and that of the history last. So no two writers
  /// wait for each other.
  struct ServerLocks {
    let schema: String
    /// How long a transaction waits for each; nil for as long as it takes.
    let longestWait: Duration?

    /// The name of the lock of a table, or of what has no table.
    func key(_ name: String) -> String { "broker:\(schema):\(name)" }

    /// - Throws: ``StoreError`` that says who has the lock if the wait was too long; `CancellationError`.
    func take(_ keys: [String], _ connection: PostgreSQLConnection) throws {
      guard let longestWait else {
        for key in keys { try take(key, connection) }
        return
      }
      let milliseconds = Self.milliseconds(longestWait)
      for key in keys {
        _ = try connection.execute("SAVEPOINT broker_lock; SET LOCAL lock_timeout = \(milliseconds)")
        do {
          try take(key, connection)
        } catch let error as PostgreSQLError where error.isLockTimeout {
          _ = try connection.execute("ROLLBACK TO SAVEPOINT broker_lock")
          let holder = try holder(of: key, connection)
          throw StoreError.invalid(
            "The store is being written\(holder). It was waited for \(longestWait) and nothing was changed.")
        }
        _ = try connection.execute("SET LOCAL lock_timeout = DEFAULT; RELEASE SAVEPOINT broker_lock")
      }
    }

    /// A time as the server's settings have it, where 0 would be for ever.
    static func milliseconds(_ time: Duration) -> Int64 {
      max(1, time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000)
    }

    private func take(_ key: String, _ connection: PostgreSQLConnection) throws {
      _ = try connection.query(
        prepared: "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", .text(key))
    }

    /// Who has a lock, as ` by …`; empty if that is not known.
    private func holder(of key: String, _ connection: PostgreSQLConnection) throws -> String {
      let rows = try connection.query(
        """
        SELECT a.pid::bigint, a.application_name FROM pg_locks l JOIN pg_stat_activity a USING (pid),
          (SELECT hashtextextended($1, 0) AS key) k
        WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
          AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND (l.classid::bigint << 32) | l.objid::bigint = k.key
        """, .text(key))
      guard rows.count > 0 else { return "" }
      let name = try rows.field(0, 1).string()
      let process = "process \(try rows.field(0, 0).int8()) of the server"
      return name.isEmpty ? " by \(process)" : " by \(name), \(process)"
    }
  }
#endif
