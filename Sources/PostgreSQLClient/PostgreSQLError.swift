#if PostgreSQL
  import CLibPQ

  /// The error that the server or libpq answered instead of a result.
  ///
  /// It never contains the connection string. `detail` and `message` may contain values of rows.
  package struct PostgreSQLError: Error, Sendable, CustomStringConvertible {
    /// The five characters of SQLSTATE. libpq's own errors have none.
    package var sqlState: String?
    package var message: String
    package var detail: String?
    package var hint: String?
    package var schema: String?
    package var table: String?
    package var column: String?
    package var constraint: String?
    /// The server's words about the work that failed.
    package var context: String?
    /// The connection was lost, as libpq sees it.
    var isSocketGone = false

    package init(sqlState: String? = nil, message: String) {
      self.sqlState = sqlState
      self.message = message
    }

    /// The message with its SQLSTATE: without the detail, which shows values of rows.
    package var description: String {
      guard let sqlState else { return message }
      return "\(message) (SQLSTATE \(sqlState))"
    }

    /// A call that the state of the connection does not allow.
    static func misuse(_ message: String) -> PostgreSQLError { PostgreSQLError(message: message) }

    /// That nothing more comes over a connection.
    package static func lost(_ message: String) -> PostgreSQLError {
      var error = PostgreSQLError(message: message)
      error.isSocketGone = true
      return error
    }
  }

  extension PostgreSQLError {
    /// The transaction has to be tried again: another one changed what it read.
    package var isSerializationFailure: Bool { sqlState == "40001" }

    /// The transaction has to be tried again: the server ended it to resolve a deadlock.
    package var isDeadlock: Bool { sqlState == "40P01" }

    /// The connection cannot be used any more. Whether a COMMIT took place is unknown.
    package var isConnectionLost: Bool { isSocketGone || isEndOfSession }

    /// The server told why it ended the session: it was asked to, it stops, or the session was idle for too long.
    package var isEndOfSession: Bool {
      ["57P01", "57P02", "57P05", "25P03", "25P04"].contains(sqlState)
    }

    /// The server itself has lost a connection, to another server that has rows of its tables. That to the client is there.
    package var isOtherServerAway: Bool { isOfClass("08") && !isSocketGone }

    /// The server is starting, stopping or has no connection left. Trying again later may succeed.
    package var isServerUnavailable: Bool { sqlState == "57P03" || sqlState == "53300" }

    package var isUniqueViolation: Bool { sqlState == "23505" }
    package var isNotNullViolation: Bool { sqlState == "23502" }

    /// The role may not do this.
    package var isPermissionDenied: Bool { sqlState == "42501" }

    /// A policy of a table keeps the role from what it has the right to.
    package var isAboutRowSecurity: Bool { message.contains("row-level security") }

    /// The role or its password was refused.
    package var isAuthenticationFailure: Bool { isOfClass("28") }

    package var isDiskFull: Bool { sqlState == "53100" }
    package var isOutOfMemory: Bool { sqlState == "53200" }

    /// `lock_timeout` has passed, or a lock with NOWAIT was not free.
    package var isLockTimeout: Bool { sqlState == "55P03" }

    /// The statement was cancelled by another thread or session, or by `statement_timeout`.
    package var isQueryCancelled: Bool { sqlState == "57014" }

    package var isMissingTable: Bool { sqlState == "42P01" }
    package var isMissingColumn: Bool { sqlState == "42703" }
    /// Something else has the name: of a table, an index or a type.
    package var isTakenName: Bool { sqlState == "42P07" || sqlState == "42710" }
    /// The value of a calculation does not fit its type.
    package var isOutOfRange: Bool { sqlState == "22003" }

    /// The table that a COPY was writing to; nil where none was.
    package var copiedTable: String? {
      guard let context, let found = context.firstMatch(of: /^COPY (.+), line [0-9]/) else { return nil }
      return String(found.output.1)
    }

    /// The setting of the server by which it has ended the session; nil if none did.
    package var endingSetting: String? {
      switch sqlState {
      case "25P03": "idle_in_transaction_session_timeout"
      case "25P04": "transaction_timeout"
      case "57P05": "idle_session_timeout"
      default: nil
      }
    }

    package var isMissingSchema: Bool { sqlState == "3F000" }

    /// Something is longer than the server takes: a value than an index has room for.
    package var isTooLong: Bool { sqlState == "54000" }

    /// A statement was prepared before others changed the tables that it is about. It is prepared anew the next time.
    package var isPlanOutdated: Bool { sqlState == "0A000" && message.hasPrefix("cached plan") }

    /// Other objects of the database depend on what was to be removed: views, for example.
    package var hasDependents: Bool { sqlState == "2BP01" }

    package var isMissingDatabase: Bool { sqlState == "3D000" }

    /// An earlier statement failed: only ROLLBACK is possible now.
    package var isTransactionAborted: Bool { sqlState == "25P02" }

    /// The session is read only, as on a standby server.
    package var isReadOnly: Bool { sqlState == "25006" }

    /// A value of a text is not in the encoding of the database: U+0000 among them.
    package var isUnrepresentableText: Bool { sqlState == "22021" || sqlState == "22P05" }

    /// The server does not know the prepared statement any more, or its result has other columns now.
    var isStatementOutdated: Bool { sqlState == "26000" || sqlState == "0A000" }

    private func isOfClass(_ name: String) -> Bool { sqlState?.hasPrefix(name) ?? false }
  }

  extension PostgreSQLError {
    /// The error of a result that failed.
    /// - Parameter isSocketGone: The connection was lost.
    init(result: OpaquePointer, isSocketGone: Bool) {
      func field(_ code: Unicode.Scalar) -> String? {
        PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
      }
      let whole = PQresultErrorMessage(result).map { String(cString: $0) } ?? ""
      self.init(sqlState: field("C"), message: field("M") ?? Self.trimmed(whole))
      if message.isEmpty { message = "the server gave no message" }
      detail = field("D")
      hint = field("H")
      schema = field("s")
      table = field("t")
      column = field("c")
      constraint = field("n")
      context = field("W")
      self.isSocketGone = isSocketGone
    }

    /// The error that libpq keeps for a connection.
    init(connection: OpaquePointer) {
      let text = PQerrorMessage(connection).map { String(cString: $0) } ?? ""
      let message = Self.trimmed(text)
      self.init(message: message.isEmpty ? "the connection to the server was lost" : message)
      isSocketGone = PQstatus(connection) == CONNECTION_BAD
    }

    /// Without the line feeds that libpq puts at the end.
    static func trimmed(_ text: String) -> String {
      var text = Substring(text)
      while let last = text.last, last.isWhitespace { text.removeLast() }
      return String(text)
    }
  }

  /// A value that does not have the form its type demands.
  package enum PostgreSQLDataError: Error, Sendable, Equatable, CustomStringConvertible {
    /// NULL where a value is expected.
    case unexpectedNull
    /// The bytes are not the binary form of this type.
    case malformed(type: String)
    /// The text is no decimal number that `numeric` can hold.
    case notNumeric
    /// A value of 1 GB or more.
    case tooLong
    /// More parameters than a statement can have, or more columns than a row.
    case tooMany

    package var description: String {
      switch self {
      case .unexpectedNull: "NULL where a value is expected"
      case .malformed(let type): "the server sent bytes that are no \(type)"
      case .notNumeric: "not a decimal number that the type numeric can hold"
      case .tooLong: "a value of 1 GB or more"
      case .tooMany: "too many values"
      }
    }
  }
#endif
