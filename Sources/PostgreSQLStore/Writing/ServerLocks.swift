#if PostgreSQL
  import ObjectStore
  import PostgreSQLClient

  /// The locks by which writers of a store wait for each other: one for each table, one for making tables, one for the
  /// history. They are the store's own, so that readers and other programs do not wait.
  ///
  /// Whoever takes several takes them in the order of the model's tables, and that of the history last. So no two writers
  /// wait for each other.
  struct ServerLocks {
    let address: DatabaseAddress
    /// How long the access waits, and whom it tells.
    let pending: AccessRequest

    /// Takes locks, one after another.
    ///
    /// - Throws: ``StoreError`` that says who has one of them if the wait was too long; `CancellationError`.
    func take(_ keys: [String], _ connection: PostgreSQLConnection) throws {
      let all = keys.map { "broker:\(address.schema):\($0)" }.joined(separator: "\u{1}")
      while try !take(all, connection) {
        let holder = try holder(of: all, connection)
        guard pending.waitsOn(for: holder) else { return try pending.checkWait(for: address.shown, holder) }
      }
    }

    /// The lock of the tables themselves.
    func takeThatOfTables(_ connection: PostgreSQLConnection) throws { try take([""], connection) }

    /// Sees, once a lock was taken, whether the server keeps it: some have the functions, and they do nothing.
    ///
    /// - Throws: ``StoreError`` if it does not.
    func checkLocks(_ connection: PostgreSQLConnection) throws {
      let isKept = try connection.query(
        "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid = pg_backend_pid())"
      ).value { try $0.bool() }
      guard !isKept else { return }
      throw StoreError.invalid(
        "The server of \(address.shown) is none that can keep a store: its advisory locks do nothing, so that two imports"
          + " could write the same objects. Nothing was changed. broker doctor says what else it lacks.")
    }

    /// Waits for locks until they are there. False if it was time to look whom they are waited for, or whether to go on;
    /// then none of them was taken.
    private func take(_ keys: String, _ connection: PostgreSQLConnection) throws -> Bool {
      guard let wait = pending.nextMoment else {
        _ = try connection.query(prepared: Self.statement, .text(keys))
        return true
      }
      _ = try connection.execute("SAVEPOINT broker_lock; SET LOCAL lock_timeout = \(Self.milliseconds(wait))")
      do {
        _ = try connection.expectingAnswer(within: wait + Self.grace) {
          try connection.query(prepared: Self.statement, .text(keys))
        }
      } catch let error as PostgreSQLError where error.isLockTimeout {
        _ = try connection.execute("ROLLBACK TO SAVEPOINT broker_lock; RELEASE SAVEPOINT broker_lock")
        return false
      }
      _ = try connection.execute("SET LOCAL lock_timeout = DEFAULT; RELEASE SAVEPOINT broker_lock")
      return true
    }

    /// How much longer than a lock is waited for the server may take to say so.
    static let grace = Duration.seconds(5)

    /// A time as the server's settings have it, where 0 would be for ever.
    static func milliseconds(_ time: Duration) -> Int64 {
      max(1, time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000)
    }

    /// The numbers of the locks, in their order.
    private static let numbers =
      "SELECT hashtextextended(key, 0) AS number FROM unnest(string_to_array($1, E'\\x01')) AS key"
    private static let statement = "SELECT pg_advisory_xact_lock(number) FROM (\(numbers) OFFSET 0) AS locks"

    /// Who has one of some locks; nil if that is not known.
    private func holder(of keys: String, _ connection: PostgreSQLConnection) throws -> String? {
      try ServerProcess.holder(
        ofLockWhere: """
          l.locktype = 'advisory' AND l.objsubid = 1
          AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND (l.classid::bigint << 32) | l.objid::bigint IN (\(Self.numbers))
          """, keys, connection)
    }
  }
#endif
