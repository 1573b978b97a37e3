#if PostgreSQL
  /// What the server or libpq answered instead of a result.
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
#endif
