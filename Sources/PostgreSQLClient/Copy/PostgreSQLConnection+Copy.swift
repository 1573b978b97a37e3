#if PostgreSQL
  import CLibPQ

  extension PostgreSQLConnection {
    /// Begins a `COPY … FROM STDIN (FORMAT binary)`.
    package func copyIn(_ sql: String) throws -> PostgreSQLCopyWriter {
      try beginCopy(sql, expecting: PGRES_COPY_IN)
      activity = .copyIn
      return PostgreSQLCopyWriter(self)
    }

    /// Begins a `COPY … TO STDOUT (FORMAT binary)`.
    package func copyOut(_ sql: String) throws -> PostgreSQLCopyReader {
      try beginCopy(sql, expecting: PGRES_COPY_OUT)
      activity = .copyOut
      return PostgreSQLCopyReader(self)
    }

    private func beginCopy(_ sql: String, expecting status: ExecStatusType) throws {
      let handle = try idle()
      guard PQsendQueryParams(handle, sql, 0, nil, nil, nil, nil, 1) == 1 else { throw callError() }
      try cancellable {
        guard let result = try nextResult() else { throw callError() }
        let found = PQresultStatus(result)
        if found == status, PQbinaryTuples(result) == 1 { return PQclear(result) }
        let failure =
          found == PGRES_FATAL_ERROR
          ? error(of: result)
          : PostgreSQLError.misuse("not a binary COPY in the direction that was asked for")
        PQclear(result)
        try endCopy(found)
        try discardResults()
        throw failure
      }
    }

    // MARK: - Data to the server

    /// Sends a piece of a COPY. It waits until the pieces before it are sent: libpq holds one at most.
    func put(_ bytes: UnsafeRawBufferPointer) throws {
      try flush()
      let handle = try open()
      guard let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
      var offset = 0
      while offset < bytes.count {
        let length = min(bytes.count - offset, 1 << 30)
        switch PQputCopyData(handle, start + offset, Int32(length)) {
        case 1: offset += length
        case 0: _ = try wait(for: .writable)
        default: throw copyError()
        }
      }
      // The rest is sent while the next piece is made.
      if PQflush(handle) < 0 { throw copyError() }
      if isBroken { throw copyError() }
    }

    /// Why data could not be sent: the server's last message if there is one.
    private func copyError() -> any Error {
      guard let handle else { return callError() }
      _ = PQputCopyEnd(handle, "the client lost the connection")
      guard PQstatus(handle) == CONNECTION_BAD, let result = PQgetResult(handle) else { return callError() }
      defer { PQclear(result) }
      return error(of: result)
    }

    /// Ends a COPY and waits for its result.
    /// - Parameter message: Why nothing is to be inserted, or `nil`.
    func endCopyIn(_ message: String?) throws -> Int {
      let handle = try open()
      while true {
        let status = PQputCopyEnd(handle, message)
        if status == 1 { break }
        guard status == 0 else { throw copyError() }
        _ = try wait(for: .writable)
      }
      var rows = 0
      var failure: PostgreSQLError?
      while let result = try nextResult() {
        if PQresultStatus(result) == PGRES_COMMAND_OK {
          rows = PostgreSQLRows(result: result).affectedRows
        } else {
          failure = failure ?? error(of: result)
          PQclear(result)
        }
      }
      if let failure { throw failure }
      return rows
    }

    /// Ends a COPY without inserting. The server's answer, an error with the message, is expected.
    func abortCopyIn(_ message: String) {
      guard !isBroken else { return }
      do {
        _ = try cancellable { try endCopyIn(message) }
      } catch {
        // The connection is usable, or it is broken, which the next statement reports.
        return
      }
    }
  }
#endif
