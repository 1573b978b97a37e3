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
      let timeout = string.timeout ?? options.connectTimeout
      let notices = NoticeList()
      collectNotices(of: handle, notices)
      do {
        // libpq's callback does not keep the list alive.
        try withExtendedLifetime(notices) {
          try finishOpening(handle, timeout: timeout, isCancelled)
        }
        guard PQsetnonblocking(handle, 1) == 0, let cancelHandle = PostgreSQLCancelHandle(handle) else {
          throw PostgreSQLError(connection: handle)
        }
        return PostgreSQLConnection(
          handle: handle, cancelHandle: cancelHandle, notices: notices,
          openingTime: timeout > 0 ? .seconds(max(2, timeout)) : nil, isCancelled: isCancelled)
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

  /// The settings of a connection beside its connection string.
  package struct PostgreSQLConnectionOptions: Sendable {
    /// Shown by `pg_stat_activity`, unless the connection string names another.
    package var applicationName: String
    /// Seconds until opening fails, unless the connection string has a `connect_timeout`.
    package var connectTimeout: Int

    package init(applicationName: String = "broker", connectTimeout: Int = 10) {
      self.applicationName = applicationName
      self.connectTimeout = connectTimeout
    }
  }

  /// A connection string that libpq can read.
  ///
  /// libpq quotes what it cannot read in its messages, and a password with an unescaped `@`, `/` or `:` ends up
  /// in the wrong place: as a host or a port, which later messages show. Such strings are refused here, with
  /// messages that contain nothing of them.
  struct ConnectionString {
    let text: String
    /// The seconds of `connect_timeout`, if the string has it.
    let timeout: Int?

    init(_ text: String) throws {
      guard !text.utf8.contains(0) else { throw Self.unreadable }
      try Self.checkEscapes(text)
      var message: UnsafeMutablePointer<CChar>?
      guard let options = PQconninfoParse(text, &message) else {
        PQfreemem(message)
        throw Self.unreadable
      }
      defer { PQconninfoFree(options) }
      var values: [String: String] = [:]
      var option = options
      while let keyword = option.pointee.keyword {
        if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
        option += 1
      }
      try Self.check(values)
      self.text = text
      timeout = values["connect_timeout"].flatMap { Int($0) }
    }

    private static var unreadable: PostgreSQLError {
      PostgreSQLError(
        message: """
          the connection string cannot be read: write postgresql://USER:PASSWORD@HOST:PORT/DATABASE with other \
          characters than letters and digits as %XX, or host=… dbname=… user=…
          """)
    }

    /// Refuses a URL with an `@` behind the first `/`: what stands before it was meant as a password.
    private static func checkEscapes(_ text: String) throws {
      guard let scheme = text.firstRange(of: "://"), text.hasPrefix("postgres") else { return }
      let rest = text[scheme.upperBound...]
      let path = rest.prefix { $0 != "?" }.drop { $0 != "/" }
      if path.contains("@") { throw unescaped }
    }

    private static var unescaped: PostgreSQLError {
      PostgreSQLError(
        message: """
          the user name or the password of the connection string has characters with a meaning in URLs: write \
          %40 for @, %3A for :, %2F for /, %3F for ?, %23 for #
          """)
    }

    private static func check(_ values: [String: String]) throws {
      if values["host"]?.contains("@") == true { throw unescaped }
      if let port = values["port"], !port.allSatisfy({ $0 == "," || ("0"..."9").contains($0) }) {
        throw unescaped
      }
      if let timeout = values["connect_timeout"], Int(timeout) == nil {
        throw PostgreSQLError(message: "connect_timeout of the connection string is not a number of seconds")
      }
    }
  }
#endif
