@preconcurrency import Dispatch

/// Connections, each of which one access at a time has to itself. Who finds none free waits, first come, first
/// served.
final class ConnectionPool: Sendable {
  private struct State {
    var idle: [Connection] = []
    /// How many there are, idle or not.
    var count = 0
    var waiting: [Waiter] = []
    var isClosed = false
    /// Those who wait until all are idle.
    var closing: [DispatchSemaphore] = []

    /// Those who need not wait any longer.
    mutating func takeClosing() -> [DispatchSemaphore] {
      guard isClosed, idle.count == count else { return [] }
      defer { closing = [] }
      return closing
    }
  }

  private let state: Guarded<State>
  private let limit: Int
  private let make: @Sendable () throws -> Connection
  /// Where tasks go on that have no connection's queue.
  private let queue = DispatchQueue(label: "broker.pool")

  /// - Parameters:
  ///   - connections: Those there are.
  ///   - limit: How many there may be.
  ///   - make: Makes one more.
  init(_ connections: [Connection] = [], limit: Int, _ make: @escaping @Sendable () throws -> Connection) {
    state = Guarded(State(idle: connections, count: connections.count))
    self.limit = limit
    self.make = make
  }

  // MARK: - Taking

  private enum Turn {
    case take(Connection)
    case make
    case wait
  }

  /// Takes a connection, which has to be given back.
  ///
  /// - Parameter isUrgent: Whether there may be one more than the limit rather than to wait.
  /// - Throws: ``StoreError`` if the pool is closed or a connection cannot be made.
  func take(isUrgent: Bool = false) throws -> Connection {
    while true {
      let semaphore = DispatchSemaphore(value: 0)
      let waiter = Waiter(.thread(semaphore))
      switch try turn(waiter, isUrgent: isUrgent) {
      case .take(let connection): return connection
      case .make: return try makeConnection()
      case .wait:
        semaphore.wait()
        if let connection = waiter.connection { return connection }
      }
    }
  }

  /// Has a connection, which has to be given back, passed to `body` as soon as there is one, with a queue to go on
  /// with. It is called on any thread, perhaps at once, and must not block.
  ///
  /// If it is cancelled, ``wake(_:)`` ends the wait.
  func request(_ cancellation: Cancellation, _ body: @escaping Waiter.Body) {
    do {
      let waiter = Waiter(
        .task(cancellation) { [self] connection in
          guard let connection else { return request(cancellation, body) }
          body(.success(connection), connection.queue)
        })
      switch try turn(waiter, isUrgent: false) {
      case .take(let connection): body(.success(connection), connection.queue)
      case .make: queue.async { [self] in body(Result { try makeConnection() }, queue) }
      case .wait: break
      }
    } catch {
      body(.failure(error), queue)
    }
  }

  private func turn(_ waiter: Waiter, isUrgent: Bool) throws -> Turn {
    try state.withLock { state in
      guard !state.isClosed else { throw StoreError.closed }
      if let connection = state.idle.popLast() { return .take(connection) }
      if isUrgent || state.count < limit {
        state.count += 1
        return .make
      }
      // Who cancels, wakes after that: it is either seen here or finds the waiter.
      try waiter.check()
      state.waiting.append(waiter)
      return .wait
    }
  }

  private func makeConnection() throws -> Connection {
    do {
      return try make()
    } catch {
      // Who waits may have more luck.
      let (next, closing) = state.withLock { state in
        state.count -= 1
        return (state.waiting.isEmpty ? nil : state.waiting.removeFirst(), state.takeClosing())
      }
      next?.resume(with: nil)
      for semaphore in closing { semaphore.signal() }
      throw error
    }
  }

  /// Ends the wait of an access that was cancelled.
  func wake(_ cancellation: Cancellation) {
    let waiter = state.withLock { state in
      state.waiting.firstIndex { $0.isFor(cancellation) }.map { state.waiting.remove(at: $0) }
    }
    waiter?.resume(with: nil)
  }

  // MARK: - Giving back

  func giveBack(_ connection: Connection) {
    var next: Waiter?
    var surplus: Connection?
    var closing: [DispatchSemaphore] = []
    state.withLock { state in
      if !state.waiting.isEmpty, !state.isClosed {
        next = state.waiting.removeFirst()
      } else if state.count > limit, !state.isClosed {
        state.count -= 1
        surplus = connection
      } else {
        state.idle.append(connection)
        closing = state.takeClosing()
      }
    }
    next?.resume(with: connection)
    try? surplus?.close()
    for semaphore in closing { semaphore.signal() }
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Closes the connections that nobody has.
  func closeIdle() {
    let idle = state.withLock { state in
      defer {
        state.count -= state.idle.count
        state.idle = []
      }
      return state.idle
    }
    for connection in idle { try? connection.close() }
  }

  /// Closes all connections, as soon as they are given back. Who waits for one fails.
  func close() throws {
    let (waiting, semaphore) = state.withLock { state in
      state.isClosed = true
      let waiting = state.waiting
      state.waiting = []
      guard state.idle.count < state.count else { return (waiting, nil as DispatchSemaphore?) }
      let semaphore = DispatchSemaphore(value: 0)
      state.closing.append(semaphore)
      return (waiting, semaphore)
    }
    for waiter in waiting { waiter.resume(with: nil) }
    semaphore?.wait()
    for connection in state.withLock({ $0.idle }) { try connection.close() }
  }
}
