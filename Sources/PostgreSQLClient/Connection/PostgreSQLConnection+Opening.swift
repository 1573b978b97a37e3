#if PostgreSQL
  import CLibPQ

  extension PostgreSQLConnection {
    /// Opens a connection.
    ///
    /// ```swift
    /// let connection = try PostgreSQLConnection.open("postgresql://me@localhost/bands")
    /// ```
    /// - Parameters:
    ///   - string: A URL, or libpq's keywords with values. Passwords may also come from `~/.pgpass` or the
    ///     environment. Host names are looked up before the first wait: that cannot be cancelled.
    ///   - isCancelled: Becomes the property of that name.
    /// - Throws: `PostgreSQLError`, whose message contains no password, or `CancellationError`.
    package static func open(
      _ string: String, options: PostgreSQLConnectionOptions = PostgreSQLConnectionOptions(),
      isCancelled: @escaping () -> Bool = { false }
    ) throws -> PostgreSQLConnection {
      let string = try ConnectionString(string)
      if isCancelled() { throw CancellationError() }
      guard let handle = start(string, options) else {
        throw PostgreSQLError(message: "no memory for a connection")
      }
      let notices = NoticeList()
      collectNotices(of: handle, notices)
      do {
        // libpq's callback does not keep the list alive.
        try withExtendedLifetime(notices) {
          try finishOpening(handle, timeout: string.timeout ?? options.connectTimeout, isCancelled)
        }
        guard PQsetnonblocking(handle, 1) == 0, let cancelHandle = PostgreSQLCancelHandle(handle) else {
          throw PostgreSQLError(connection: handle)
        }
        return PostgreSQLConnection(
          handle: handle, cancelHandle: cancelHandle, notices: notices, isCancelled: isCancelled)
      } catch {
        PQfinish(handle)
        throw error
      }
    }

    private static func start(_ string: ConnectionString, _ options: PostgreSQLConnectionOptions)
      -> OpaquePointer?
    {
      // The string replaces what the keywords before it say, and those behind replace what it says. A server that is gone
      // without a word is found out within a minute, where the system's own limits are hours.
      let keywords = [
        "fallback_application_name", "keepalives_idle", "keepalives_interval", "keepalives_count",
        "tcp_user_timeout", "dbname", "client_encoding",
      ]
      let values = [options.applicationName, "30", "10", "3", "60000", string.text, "UTF8"]
      return withCStrings(keywords) { keywords in
        withCStrings(values) { values in PQconnectStartParams(keywords, values, 1) }
      }
    }

    private static func withCStrings<Result>(
      _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
    ) -> Result {
      var bytes: [CChar] = []
      let offsets = strings.map { string in
        defer { bytes.append(contentsOf: string.utf8.map { CChar(bitPattern: $0) } + [0]) }
        return bytes.count
      }
      return bytes.withUnsafeBufferPointer { bytes in
        let pointers: [UnsafePointer<CChar>?] = offsets.map { offset in bytes.baseAddress.map { $0 + offset }
        }
        return (pointers + [nil]).withUnsafeBufferPointer { body($0.baseAddress) }
      }
    }

    private static func collectNotices(of handle: OpaquePointer, _ notices: NoticeList) {
      // The connection keeps the list as long as libpq's object lives.
      let context = Unmanaged.passUnretained(notices).toOpaque()
      PQsetNoticeReceiver(
        handle,
        { context, result in
          guard let context, let result else { return }
          let error = PostgreSQLError(result: result, isSocketGone: false)
          Unmanaged<NoticeList>.fromOpaque(context).takeUnretainedValue()
            .append(PostgreSQLNotice(sqlState: error.sqlState, message: error.message))
        }, context)
    }

    private static func finishOpening(
      _ handle: OpaquePointer, timeout: Int, _ isCancelled: () -> Bool
    ) throws {
      // libpq's own limit does not hold for connections that are opened without blocking.
      let deadline = timeout > 0 ? ContinuousClock.now + .seconds(max(2, timeout)) : nil
      var state = PGRES_POLLING_WRITING
      while state != PGRES_POLLING_OK {
        guard state != PGRES_POLLING_FAILED, PQstatus(handle) != CONNECTION_BAD else {
          throw openingError(handle)
        }
        // The socket changes when the next of several hosts is tried.
        let readiness = try SocketWait.wait(
          for: state == PGRES_POLLING_READING ? .readable : .writable, on: PQsocket(handle), until: deadline,
          isCancelled: isCancelled)
        guard !readiness.isEmpty else {
          var error = PostgreSQLError.lost("no connection to the server after \(max(2, timeout)) seconds")
          error.sqlState = "08001"
          throw error
        }
        state = PQconnectPoll(handle)
      }
    }

    /// libpq gives no SQLSTATE when opening fails, but the server's message says what is missing. Where the
    /// server writes another language than English, the error is that of a connection that was not made.
    private static func openingError(_ handle: OpaquePointer) -> PostgreSQLError {
      var error = PostgreSQLError(connection: handle)
      let message = error.message
      if message.contains("password authentication failed") || message.contains("no password supplied") {
        error.sqlState = "28P01"
      } else if message.contains("database \""), message.hasSuffix("does not exist") {
        error.sqlState = "3D000"
      } else if message.contains("too many clients already") {
        error.sqlState = "53300"
      } else if message.contains("the database system is ") {
        error.sqlState = "57P03"
      } else {
        error.sqlState = "08001"
      }
      error.isSocketGone = error.sqlState == "08001"
      return error
    }
  }
#endif
