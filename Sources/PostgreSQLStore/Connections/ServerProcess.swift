#if PostgreSQL
  import PostgreSQLClient

  /// Who else has a connection to the server, in words: `broker, process 4711 of the server, from 10.0.0.7`.
  enum ServerProcess {
    /// The one that has a lock the longest; nil if nobody has it, or that is not known.
    ///
    /// - Parameter lock: A condition of a row of `pg_locks`, named `l`, with `$1` for the key.
    static func holder(
      ofLockWhere lock: String, _ key: String, _ connection: PostgreSQLConnection
    ) throws -> String? {
      let rows = try connection.query(
        """
        SELECT a.pid::bigint, a.application_name, host(a.client_addr)
        FROM pg_locks l JOIN pg_stat_activity a USING (pid)
        WHERE l.granted AND a.pid <> pg_backend_pid() AND \(lock) ORDER BY a.xact_start LIMIT 1
        """, .text(key))
      guard rows.count > 0 else { return nil }
      let (process, name, host) = (rows.field(0, 0), rows.field(0, 1), rows.field(0, 2))
      var words = "process \(try process.int8()) of the server"
      if !name.isNull, case let name = try name.string(), !name.isEmpty { words = "\(name), \(words)" }
      if !host.isNull { words += ", from \(try host.string())" }
      return words
    }
  }
#endif
