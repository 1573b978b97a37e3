#if PostgreSQL
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// What a socket is ready for.
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
