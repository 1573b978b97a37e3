#if PostgreSQL
  import CLibPQ

  extension PostgreSQLConnection {
    /// Executes one or more statements, separated by semicolons, without parameters and without their rows.
    ///
    /// Several statements are one transaction, unless they contain COMMIT or ROLLBACK: a BEGIN behind others
    /// takes these into its transaction.
    /// - Returns: The number of rows that the last statement changed.
    @discardableResult
    package func execute(_ sql: String) throws -> Int {
      try perform { PQsendQuery($0, sql) }.affectedRows
    }

    /// Executes one statement with binary parameters `$1`, `$2`…, and returns its rows in binary.
    @discardableResult
    package func query(_ sql: String, _ parameters: PostgreSQLParameters) throws -> PostgreSQLRows {
      try perform { handle in
        try parameters.withArrays {
          PQsendQueryParams(handle, sql, $0.count, $0.types, $0.values, $0.lengths, $0.formats, 1)
        }
      }
    }

    /// Executes one statement with values for `$1`, `$2`…
    @discardableResult
    package func query(_ sql: String, _ values: PostgreSQLValue...) throws -> PostgreSQLRows {
      try query(sql, filled(values))
    }

    func filled(_ values: [PostgreSQLValue]) throws -> PostgreSQLParameters {
      parameters.removeAll()
      for value in values { try parameters.append(value) }
      return parameters
    }

    // MARK: - Sending

    /// libpq's connection, when a statement can begin on it.
    func idle() throws -> OpaquePointer {
      let handle = try open()
      guard activity == .none else {
        throw PostgreSQLError.misuse("another statement of this connection has not ended")
      }
      if isCancelled() { throw CancellationError() }
      return handle
    }

    /// Sends something and waits for its last result.
    /// - Throws: The first error of the server, when all results were read.
    func perform(_ send: (OpaquePointer) throws -> Int32) throws -> PostgreSQLRows {
      let handle = try idle()
      guard try send(handle) == 1 else { throw callError() }
      return try cancellable { try lastResult() }
    }

    private func lastResult() throws -> PostgreSQLRows {
      var rows: PostgreSQLRows?
      var failure: PostgreSQLError?
      while let result = try nextResult() {
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
          rows = PostgreSQLRows(result: result)
        case let status
        where status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH:
          PQclear(result)
          failure = failure ?? .misuse("COPY from or to the client has functions of its own")
          try endCopy(status)
        default:
          failure = failure ?? error(of: result)
          PQclear(result)
        }
      }
      if let failure { throw failure }
      guard let rows else { throw callError() }
      return rows
    }
  }
#endif
