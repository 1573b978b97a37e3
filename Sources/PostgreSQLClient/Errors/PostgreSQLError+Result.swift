#if PostgreSQL
  import CLibPQ

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
#endif
