#if PostgreSQL
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Android)
    import Android
  #elseif canImport(Darwin)
    import Darwin
  #endif

  import CLibPQ
  import Dispatch
  import Foundation

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
        let next = [answerLimit?.end, silenceCheck.map { .now + $0.interval }].compactMap(\.self).min()
        let ready = try SocketWait.wait(
          for: wanted, on: PQsocket(try open()), until: next, isCancelled: isCancelled)
        guard ready.isEmpty else { return ready }
        do {
          if let answerLimit, .now >= answerLimit.end {
            throw PostgreSQLError.lost("the server has not answered for \(Self.seconds(answerLimit.time))")
          }
          try silenceCheck?.check(start.duration(to: .now), isCancelled)
        } catch {
          close()
          throw error
        }
      }
    }

    private static func seconds(_ time: Duration) -> String {
      let seconds = max(1, time.components.seconds)
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

  extension PostgreSQLConnection {
    /// The longest time that ending a cancelled statement may take.
    private static let patience = Duration.seconds(2)

    /// Runs what waits for the server, and ends the statement on the server when it is cancelled.
    func cancellable<Result>(_ body: () throws -> Result) throws -> Result {
      do {
        return try body()
      } catch let cancellation as CancellationError {
        endActivity()
        throw cancellation
      }
    }

    /// Cancels what runs, and reads its results up to the end, so that the next statement can begin. If this
    /// does not succeed the connection is closed.
    func endActivity() {
      isEnding = true
      endingDeadline = ContinuousClock.now + Self.patience
      defer {
        isEnding = false
        activity = .none
      }
      do {
        if transactionStatus == .executing { try cancelOnServer() }
        if activity == .pipeline {
          try endPipeline()
        } else {
          try discardResults()
        }
      } catch {
        close()
      }
    }

    /// PQcancel cannot be given a limit of time, so another thread calls it.
    private func cancelOnServer() throws {
      let done = DispatchSemaphore(value: 0)
      let handle = cancelHandle
      Thread.detachNewThread {
        // A request that fails leaves the statement running: the wait for its end then finds that out.
        try? handle.cancel()
        done.signal()
      }
      // A request that is still under way could cancel a later statement.
      guard done.wait(timeout: .now() + 2) == .success else {
        throw PostgreSQLError.lost("the server does not answer the request to cancel")
      }
    }

    /// Reads and releases all results. A COPY that is under way is ended.
    func discardResults() throws {
      while let result = try nextResult() {
        let status = PQresultStatus(result)
        PQclear(result)
        try endCopy(status)
      }
    }

    /// Ends a COPY that a result began, without its data.
    func endCopy(_ status: ExecStatusType) throws {
      let handle = try open()
      switch status {
      case PGRES_COPY_IN: PQputCopyEnd(handle, "the client ended the COPY")
      case PGRES_COPY_OUT:
        while true {
          var row: UnsafeMutablePointer<CChar>?
          let length = PQgetCopyData(handle, &row, 1)
          PQfreemem(row)
          guard length >= 0 else { return }
          guard length == 0 else { continue }
          _ = try wait(for: .readable)
          if PQconsumeInput(handle) != 1 { return }
        }
      case PGRES_COPY_BOTH: throw PostgreSQLError.misuse("the connection is used for replication")
      default: return
      }
    }
  }

  /// Cancels what a connection executes, from any thread.
  ///
  /// `@unchecked Sendable`: libpq's object does not change after it was made, and PQcancel is thread-safe.
  package final class PostgreSQLCancelHandle: @unchecked Sendable {
    private let handle: OpaquePointer

    init?(_ connection: OpaquePointer) {
      guard let handle = PQgetCancel(connection) else { return nil }
      self.handle = handle
    }

    deinit { PQfreeCancel(handle) }

    /// Asks the server to cancel the statement, and returns when the server has the request. The connection
    /// then gets an error with `isQueryCancelled`, or its result if that was ready before.
    ///
    /// It opens a connection of its own and blocks until that is done.
    package func cancel() throws {
      var message = [CChar](repeating: 0, count: 256)
      guard PQcancel(handle, &message, Int32(message.count)) == 1 else {
        let bytes = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        throw PostgreSQLError(message: PostgreSQLError.trimmed(String(decoding: bytes, as: UTF8.self)))
      }
    }
  }

  /// The readiness of a socket.
  struct SocketReadiness: OptionSet, Sendable {
    let rawValue: Int
    static let readable = SocketReadiness(rawValue: 1)
    static let writable = SocketReadiness(rawValue: 2)
  }

  /// Waits on a socket in steps of 50 ms, so that a wait can be cancelled.
  enum SocketWait {
    private static let step: Int32 = 50

    /// - Returns: What the socket is ready for. A socket with an error or a closed one counts as ready for all
    ///   that was asked, since the next call reports it. Nothing after the deadline.
    /// - Throws: `CancellationError`, or `PostgreSQLError` where there is no socket.
    static func wait(
      for wanted: SocketReadiness, on socket: Int32, until deadline: ContinuousClock.Instant?,
      isCancelled: () -> Bool
    ) throws -> SocketReadiness {
      guard socket >= 0 else { throw PostgreSQLError.lost("the connection to the server was lost") }
      var events: Int32 = 0
      if wanted.contains(.readable) { events |= Int32(POLLIN) }
      if wanted.contains(.writable) { events |= Int32(POLLOUT) }
      while true {
        if isCancelled() { throw CancellationError() }
        var descriptor = pollfd(fd: socket, events: Int16(truncatingIfNeeded: events), revents: 0)
        let count = poll(&descriptor, 1, timeout(until: deadline))
        if count > 0 { return readiness(Int32(descriptor.revents), wanted) }
        if count < 0, errno != EINTR, errno != EAGAIN {
          throw PostgreSQLError.lost("waiting for the server failed: \(String(cString: strerror(errno)))")
        }
        if let deadline, ContinuousClock.now >= deadline { return [] }
      }
    }

    private static func timeout(until deadline: ContinuousClock.Instant?) -> Int32 {
      guard let deadline else { return step }
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else { return 0 }
      // One more than the whole milliseconds, so that the last wait does not end before the deadline.
      return left < .milliseconds(Int(step)) ? Int32(left / .milliseconds(1)) + 1 : step
    }

    private static func readiness(_ events: Int32, _ wanted: SocketReadiness) -> SocketReadiness {
      if events & Int32(POLLERR | POLLHUP | POLLNVAL) != 0 { return wanted }
      var ready: SocketReadiness = []
      if events & Int32(POLLIN) != 0 { ready.insert(.readable) }
      if events & Int32(POLLOUT) != 0 { ready.insert(.writable) }
      return ready
    }
  }
#endif
