#if PostgreSQL
  import PostgreSQLClient

  /// Finds out, while a server sends nothing, whether it is still there and has the session: by another connection.
  package struct ServerProbe: Sendable {
    let address: DatabaseAddress
    /// The process of the server that serves the session.
    let process: Int32

    /// How often a silent server is asked.
    private static let interval = Duration.seconds(30)

    package init(_ address: DatabaseAddress, process: Int32) {
      (self.address, self.process) = (address, process)
    }

    var silenceCheck: PostgreSQLConnection.SilenceCheck {
      .init(every: min(Self.interval, address.settings.silence ?? Self.interval)) {
        try check(silence: $0, isCancelled: $1)
      }
    }

    /// - Parameters:
    ///   - silence: For how long the server has sent nothing.
    ///   - isCancelled: Asked while the server is; a session serves one access after another, each with its own answer.
    /// - Throws: `PostgreSQLError` with `isConnectionLost` if nothing will come; `CancellationError`.
    package func check(silence: Duration, isCancelled: @escaping () -> Bool = { false }) throws {
      let words = "the server has sent nothing for \(silence.components.seconds) seconds"
      if let longest = address.settings.silence, silence >= longest {
        throw PostgreSQLError.lost("\(words), which is as long as silence_timeout of the address allows")
      }
      do {
        let other = try PostgreSQLConnection.open(address.connection, isCancelled: isCancelled)
        defer { other.close() }
        _ = try other.execute("SET search_path = pg_catalog, pg_temp")
        let isThere = try other.query(
          "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE pid = $1)", .int8(Int64(process))
        ).value { try $0.bool() }
        guard !isThere else { return }
      } catch let error as PostgreSQLError {
        // A server that refuses another connection is there.
        guard error.isConnectionLost else { return }
        throw PostgreSQLError.lost("\(words), and takes no other connection: \(error.message)")
      }
      throw PostgreSQLError.lost("\(words), and knows the session no more")
    }
  }
#endif
