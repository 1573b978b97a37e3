#if PostgreSQL
  @preconcurrency import Dispatch
  import ObjectStore
  import PostgreSQLClient

  /// A connection to the server of a store, and what lives as long as it.
  ///
  /// `@unchecked`, since what it keeps is no value. Its guard: ``ConnectionPool`` grants it to one access at a time.
  final class ServerConnection: PooledConnection, @unchecked Sendable {
    private(set) var link: PostgreSQLConnection
    /// Whether the server knows the letters of all scripts; it is built without ICU otherwise.
    let hasICU: Bool
    let queue = DispatchQueue(label: "broker.postgresql")

    /// - Throws: ``StoreError`` if the server cannot be reached or is none that can keep a store.
    init(
      _ address: DatabaseAddress, _ access: AccessRequest?,
      onStatement: (@Sendable (Store.ExecutedStatement) -> Void)? = nil
    ) throws {
      (link, hasICU) = try Self.open(address, access)
      guard let onStatement else { return }
      link.onStatement = { onStatement(Store.ExecutedStatement(sql: $0, duration: $1)) }
    }

    /// Makes the connection anew, after it was lost.
    func reconnect(_ address: DatabaseAddress, _ access: AccessRequest?) throws {
      link.close()
      (link, _) = try Self.open(address, access)
    }

    private static func open(
      _ address: DatabaseAddress, _ access: AccessRequest?
    ) throws -> (link: PostgreSQLConnection, hasICU: Bool) {
      do {
        let link = try PostgreSQLConnection.open(of: address) { access?.isCancelled ?? false }
        let hasICU = try check(link, address)
        // Memory for temporary tables can only be asked for before the first of them. Cursors are read to their end. What
        // conditions look for in other tables is found by hashes where there is room. Compiling a statement takes longer than
        // it saves.
        try link.expectingFirstAnswer {
          _ = try link.execute(
            """
            SET client_min_messages = warning; SET temp_buffers = '64MB'; SET cursor_tuple_fraction = 1;
            SET jit = off; SET work_mem = '\(address.settings.workMemory)'
            """)
        }
        link.isCancelled = { false }
        link.silenceCheck = ServerProbe(address, process: link.processID).silenceCheck
        return (link, hasICU)
      } catch {
        throw ServerFailure(address).described(error)
      }
    }

    func memory(of address: DatabaseAddress) -> MetadataTable {
      MetadataTable(connection: link, address: address)
    }

    var isOutdated: Bool { link.isBroken }

    func close() { link.close() }

    // MARK: - What a server has to be

    /// Whether a pooler leaves a connection its session while others have transactions.
    private static func keepsSession(_ link: PostgreSQLConnection, _ address: DatabaseAddress) throws -> Bool
    {
      let other = try PostgreSQLConnection.open(of: address, isCancelled: link.isCancelled)
      defer { other.close() }
      func process() throws -> Int64 {
        try link.query("SELECT pg_backend_pid()").value { try $0.anyInteger() }
      }
      // A session that is given back is the first to be given away again, or the last.
      var processes: Set<Int64> = []
      try link.expectingFirstAnswer {
        try other.expectingFirstAnswer {
          for _ in 0..<3 {
            processes.insert(try process())
            _ = try other.execute("BEGIN")
            processes.insert(try process())
            _ = try other.execute("COMMIT")
          }
        }
      }
      return processes.count == 1
    }

    /// The newest functions among those that statements call.
    private static let neededFunctions = "sha256 hashtextextended trim_scale starts_with"

    /// Refuses a server that cannot keep a store. Returns whether it has ICU.
    private static func check(_ link: PostgreSQLConnection, _ address: DatabaseAddress) throws -> Bool {
      let encoding = link.parameter("server_encoding") ?? ""
      guard encoding == "UTF8" else {
        throw StoreError.invalid(
          "The database \(address.shown) keeps texts in \(encoding), which not all texts fit in: create one with"
            + " ENCODING 'UTF8'.")
      }
      // A pooler invents the number of the process that it tells.
      let facts = try link.expectingFirstAnswer {
        try link.query(
          """
          SELECT pg_backend_pid(), EXISTS (SELECT FROM pg_collation
          WHERE collnamespace = 'pg_catalog'::regnamespace AND collname = '\(ServerFolding.collation)'),
          (SELECT string_agg(name, ', ') FROM unnest(string_to_array('\(neededFunctions)', ' ')) AS name
          WHERE NOT EXISTS (SELECT FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND proname = name))
          """)
      }
      let missing = facts.field(0, 2)
      guard missing.isNull else {
        throw StoreError.invalid(
          "The server of \(address.shown) has no \(try missing.string()), which Broker needs: it is too old, or does less"
            + " than PostgreSQL 13. What works there is said by: broker doctor URL.")
      }
      let process = Int32(clamping: try facts.field(0, 0).anyInteger())
      if process != link.processID {
        guard try keepsSession(link, address) else {
          throw StoreError.invalid(
            "A connection pooler stands between this program and \(address.shown), and gives each transaction another"
              + " session. Broker keeps temporary tables, locks and prepared statements in its session: connect to the server"
              + " itself, or have the pooler pool sessions.")
        }
        link.noteProcess(process)
      }
      return try facts.field(0, 1).bool()
    }
  }

  extension ServerConnection {
    /// Runs `body` between `opening` and the ending that it asks for.
    ///
    /// - Parameter committing: Commits, by what it is given.
    /// - Throws: What `body` throws, after everything was undone; `CancellationError` if it was cancelled before the end;
    ///   ``StoreError`` for what the server says.
    func transaction<Result>(
      _ opening: String, _ address: DatabaseAddress, _ pending: AccessRequest,
      _ body: (PostgreSQLConnection) throws -> (Result, TransactionEnding),
      committing: (() throws -> Void) throws -> Void = { try $0() }
    ) throws -> Result {
      let failure = ServerFailure(address)
      link.isCancelled = { pending.isCancelled }
      defer { link.isCancelled = { false } }
      do {
        try begin(opening, address, pending)
      } catch {
        rollBack()
        throw failure.described(error)
      }
      var isCommitting = false
      do {
        let (result, ending) = try body(link)
        try pending.check()
        // Once the server was asked to commit, the answer is waited for.
        link.isCancelled = { false }
        isCommitting = ending == .commit
        if isCommitting {
          try committing { _ = try link.execute("COMMIT") }
        } else {
          _ = try link.execute("ROLLBACK")
        }
        return result
      } catch {
        rollBack()
        throw failure.described(error, isCommit: isCommitting)
      }
    }

    /// Undoes what a transaction that failed has left, also one that was cancelled while it began.
    private func rollBack() {
      link.isCancelled = { false }
      // try?: the error that the transaction failed with is the one to tell; a connection that fails here is made anew.
      if !link.isBroken { _ = try? link.execute("ROLLBACK") }
    }

    /// Runs `body` outside of a transaction.
    func ask(_ pending: AccessRequest, _ body: (PostgreSQLConnection) throws -> Void) throws {
      link.isCancelled = { pending.isCancelled }
      defer { link.isCancelled = { false } }
      try body(link)
    }

    /// Begins a transaction. A connection that was lost while nobody used it is made anew.
    private func begin(_ opening: String, _ address: DatabaseAddress, _ pending: AccessRequest) throws {
      do {
        _ = try link.execute(opening)
      } catch let error as PostgreSQLError where error.isConnectionLost {
        try reconnect(address, pending)
        link.isCancelled = { pending.isCancelled }
        _ = try link.execute(opening)
      }
    }
  }

  extension PostgreSQLConnection {
    /// Opens a session whose statements find functions and operators of the server's own only.
    ///
    /// Names of others in schemas of the usual path are found by no statement after that, and tables are named with their
    /// schema. A server that answers the login and nothing more is left.
    static func open(
      of address: DatabaseAddress, options: PostgreSQLConnectionOptions = PostgreSQLConnectionOptions(),
      isCancelled: @escaping () -> Bool
    ) throws -> PostgreSQLConnection {
      let link = try open(address.connection, options: options, isCancelled: isCancelled)
      if let silence = address.settings.silence {
        link.silenceCheck = .init(every: silence) { silence, _ in
          try address.settings.check(silence: silence)
        }
      }
      try link.expectingFirstAnswer { _ = try link.execute("SET search_path = pg_catalog, pg_temp") }
      return link
    }

    /// The longest time for the first answers where connecting may take any.
    private static var usualTime: Duration { .seconds(60) }

    /// Runs one of the first statements of a session, which belong to connecting: they have as long as that.
    func expectingFirstAnswer<Result>(_ body: () throws -> Result) throws -> Result {
      try expectingAnswer(within: openingTime ?? Self.usualTime, body)
    }
  }

  extension ServerSettings {
    /// - Throws: `PostgreSQLError` with `isConnectionLost` if the server has sent nothing for longer than it may.
    fileprivate func check(silence: Duration) throws {
      guard let longest = self.silence, silence >= longest else { return }
      throw PostgreSQLError.lost(
        "\(ServerProbe.words(silence)), which is as long as silence_timeout of the address allows")
    }
  }

  /// Finds out, while a server sends nothing, whether it is still there and has the session: by another connection.
  package struct ServerProbe: Sendable {
    let address: DatabaseAddress
    /// The process of the server that serves the session; nil where that is not known for certain.
    let process: Int32?

    /// How often a silent server is asked.
    private static let interval = Duration.seconds(30)

    package init(_ address: DatabaseAddress, process: Int32?) {
      (self.address, self.process) = (address, process)
    }

    var silenceCheck: PostgreSQLConnection.SilenceCheck {
      .init(every: min(Self.interval, address.settings.silence ?? Self.interval)) {
        try check(silence: $0, isCancelled: $1)
      }
    }

    static func words(_ silence: Duration) -> String {
      "the server has sent nothing for \(silence.components.seconds) seconds"
    }

    /// - Parameters:
    ///   - silence: For how long the server has sent nothing.
    ///   - isCancelled: Asked while the server is; a session serves one access after another, each with its own answer.
    /// - Throws: `PostgreSQLError` with `isConnectionLost` if nothing will come; `CancellationError`.
    package func check(silence: Duration, isCancelled: @escaping () -> Bool = { false }) throws {
      let words = Self.words(silence)
      try address.settings.check(silence: silence)
      do {
        let other = try PostgreSQLConnection.open(of: address, isCancelled: isCancelled)
        defer { other.close() }
        guard let process else { return }
        let isThere = try other.expectingFirstAnswer {
          try other.query(
            "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE pid = $1)", .int8(Int64(process))
          ).value { try $0.bool() }
        }
        guard !isThere else { return }
      } catch let error as PostgreSQLError {
        // A server that refuses another connection is there.
        guard error.isConnectionLost else { return }
        throw PostgreSQLError.lost("\(words), and takes no other connection: \(error.message)")
      }
      throw PostgreSQLError.lost("\(words), and knows the session no more")
    }
  }

  /// The other user of the server, in words: `broker, process 4711 of the server, from 10.0.0.7`.
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
