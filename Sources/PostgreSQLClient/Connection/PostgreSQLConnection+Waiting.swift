#if PostgreSQL
  import CLibPQ

  extension PostgreSQLConnection {
    /// Waits until the socket is ready. The result is empty after the deadline.
    func wait(for wanted: SocketReadiness, until deadline: ContinuousClock.Instant? = nil) throws
      -> SocketReadiness
    {
      let limit = isEnding ? endingDeadline : deadline
      let ready = try SocketWait.wait(
        for: wanted, on: PQsocket(try open()), until: limit, isCancelled: isEnding ? { false } : isCancelled)
      if isEnding, ready.isEmpty { throw PostgreSQLError.lost("the server does not end the statement") }
      return ready
    }

    /// Sends all that libpq holds, and reads what arrives meanwhile, so that the server cannot block.
    func flush() throws {
      let handle = try open()
      while true {
        switch PQflush(handle) {
        case 0: return
        case 1:
          // A lost connection is reported by the next result, which then has the server's last message.
          if try wait(for: [.readable, .writable]).contains(.readable), PQconsumeInput(handle) != 1 {
            return
          }
        default: return
        }
      }
    }

    /// The next result, or `nil` when the statement has no more. The caller clears it.
    func nextResult() throws -> OpaquePointer? {
      let handle = try open()
      try flush()
      // After a failure the result is ready: it has the last message of the server, if there is one.
      while PQisBusy(handle) == 1, PQstatus(handle) == CONNECTION_OK {
        _ = try wait(for: .readable)
        if PQconsumeInput(handle) != 1 { break }
      }
      return PQgetResult(handle)
    }

    /// The error of a result that failed.
    func error(of result: OpaquePointer) -> PostgreSQLError {
      PostgreSQLError(result: result, isSocketGone: isBroken)
    }

    /// The error of a call of libpq that failed.
    func callError() -> PostgreSQLError {
      handle.map { PostgreSQLError(connection: $0) } ?? .lost("the connection to the server is closed")
    }
  }
#endif
