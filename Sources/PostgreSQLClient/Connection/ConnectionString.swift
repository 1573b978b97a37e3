#if PostgreSQL
  import CLibPQ

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
