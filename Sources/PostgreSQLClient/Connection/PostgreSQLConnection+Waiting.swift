#if PostgreSQL
  import CLibPQ

  extension PostgreSQLConnection {
    /// Waits until the socket is ready. The result is empty after the deadline.
    func wait(for wanted: SocketReadiness, until deadline: ContinuousClock.Instant? = nil) throws
      -> SocketReadiness
    {
      guard deadline != nil || isEnding else { return try waitForAnswer(wanted) }
      let limit = isEnding ? endingDeadline : deadline
      let ready = try SocketWait.wait(
        for: wanted, on: PQsocket(try open()), until: limit, isCancelled: isEnding ? { false } : isCancelled)
      if isEnding, ready.isEmpty { throw PostgreSQLError.lost("the server does not end the statement") }
      return ready
    }

    /// Waits for the server, which may take any time, unless it has to answer in time or is found to be silent for good.
    private func waitForAnswer(_ wanted: SocketReadiness) throws -> SocketReadiness {
      let start = ContinuousClock.now
      while true {
        let next = [answerDeadline, silenceCheck.map { .now + $0.interval }].compactMap(\.self).min()
        let ready = try SocketWait.wait(
          for: wanted, on: PQsocket(try open()), until: next, isCancelled: isCancelled)
        guard ready.isEmpty else { return ready }
        do {
          if let answerDeadline, .now >= answerDeadline {
            throw PostgreSQLError.lost("the server has not answered for \(Self.seconds(since: start))")
          }
          try silenceCheck?.check(start.duration(to: .now), isCancelled)
        } catch {
          close()
          throw error
        }
      }
    }

    private static func seconds(since start: ContinuousClock.Instant) -> String {
      let seconds = max(1, start.duration(to: .now).components.seconds)
      return seconds == 1 ? "a second" : "\(seconds) seconds"
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
      reasoned(PostgreSQLError(result: result, isSocketGone: isBroken))
    }

    /// The error of a call of libpq that failed.
    func callError() -> PostgreSQLError {
      reasoned(
        handle.map { PostgreSQLError(connection: $0) } ?? .lost("the connection to the server is closed"))
    }

    /// An error with what the server said last, where it has ended the session while nothing was asked: that came as a
    /// notice, and libpq itself only finds the connection closed.
    private func reasoned(_ error: PostgreSQLError) -> PostgreSQLError {
      guard error.isConnectionLost, !error.isEndOfSession,
        var reason = notices.notices.last.map({ PostgreSQLError(sqlState: $0.sqlState, message: $0.message) }
        ),
        reason.isEndOfSession
      else { return error }
      reason.isSocketGone = error.isSocketGone
      return reason
    }
  }
#endif
