@preconcurrency package import Dispatch

/// A connection that a ``ConnectionPool`` lends.
package protocol PooledConnection: AnyObject, Sendable {
  /// Where the accesses of tasks run.
  var queue: DispatchQueue { get }
  /// Whether it is no longer of use.
  var isOutdated: Bool { get }
  func close() throws
}

/// The purpose of a connection.
package enum ConnectionPurpose: Sendable {
  case usual
  /// For something that may wait long for others while it has the connection. Only some may, so that there is always one
  /// that will soon be free.
  case patient
  /// For what others that have connections may be waiting for: there may be one more than the limit.
  case urgent
}

/// Connections, each of which one access at a time has to itself. Who finds none free waits, first come, first
/// served.
package final class ConnectionPool<Connection: PooledConnection>: Sendable {
  private struct State {
    var idle: [Connection] = []
    /// How many there are, idle or not.
    var count = 0
    /// How many of them do not count for the limit, since who has them may wait for another one.
    var urgent = 0
    var patient = 0
    var waiting: [Waiter<Connection>] = []
    var isClosed = false
    /// The error for whoever asks while no connection may be open; nil as long as that is allowed.
    var suspension: StoreError?
    /// How often a connection was taken or made.
    var uses = 0
    /// The connections that could not be closed since the suspension began.
    var unclosed = 0
    /// Waiters until all are idle.
    var closing: [DispatchSemaphore] = []

    mutating func note(_ need: ConnectionPurpose, _ change: Int) {
      switch need {
      case .usual: break
      case .patient: patient += change
      case .urgent: urgent += change
      }
    }

    /// Takes the first who waits, of those who may have a connection now.
    mutating func takePending(mostPatient: Int) -> Waiter<Connection>? {
      let index = waiting.firstIndex { $0.need != .patient || patient < mostPatient }
      return index.map { waiting.remove(at: $0) }
    }

    /// Waiters that need not wait any longer.
    mutating func takeClosing() -> [DispatchSemaphore] {
      guard isClosed || suspension != nil, idle.count == count else { return [] }
      defer { closing = [] }
      return closing
    }
  }

  private let state: Locked<State>
  private let limit: Int
  private let mostPatient: Int
  /// Where the store is, for messages.
  private let path: String
  private let make: @Sendable (AccessRequest) throws -> Connection
  /// Where tasks go on that have no connection's queue.
  private let queue = DispatchQueue(label: "broker.pool")

  /// - Parameters:
  ///   - connections: Those there are.
  ///   - limit: How many there may be.
  ///   - mostPatient: How many of them those may have who may wait long for others.
  ///   - path: Where the store is, for messages.
  ///   - make: Makes one more.
  package init(
    _ connections: [Connection] = [], limit: Int, mostPatient: Int = .max, path: String,
    _ make: @escaping @Sendable (AccessRequest) throws -> Connection
  ) {
    self.path = path
    state = Locked(State(idle: connections, count: connections.count))
    (self.limit, self.mostPatient) = (limit, mostPatient)
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
  /// - Throws: ``StoreError`` if the pool is closed, a connection cannot be made or the wait is too long;
  ///   `CancellationError`.
  package func take(_ access: AccessRequest, for need: ConnectionPurpose = .usual) throws -> Connection {
    while true {
      let semaphore = DispatchSemaphore(value: 0)
      let waiter = Waiter<Connection>(access, need, .thread(semaphore))
      switch try turn(waiter) {
      case .take(let connection): return connection
      case .make: return try makeConnection(access, for: need)
      case .wait:
        try wait(waiter, semaphore)
        if let connection = waiter.connection { return connection }
      }
    }
  }

  /// Takes a connection, which has to be given back; nil if there is none free.
  ///
  /// - Throws: ``StoreError`` if the pool is closed or a connection cannot be made.
  package func takeIfFree(_ access: AccessRequest) throws -> Connection? {
    let (isFree, connection) = try state.withLock { state in
      guard !state.isClosed else { throw StoreError.closed }
      if let suspension = state.suspension { throw suspension }
      state.uses += 1
      if let connection = state.idle.popLast() { return (true, connection as Connection?) }
      guard state.count - state.urgent < limit else { return (false, nil) }
      state.count += 1
      return (true, nil)
    }
    guard isFree else { return nil }
    return try connection ?? makeConnection(access, for: .usual)
  }

  /// Waits on a thread, which looks now and then whether it still has to.
  private func wait(_ waiter: Waiter<Connection>, _ semaphore: DispatchSemaphore) throws {
    while semaphore.wait(timeout: .now() + .milliseconds(20)) == .timedOut {
      guard !waiter.access.waitsOn(), leave(waiter) else { continue }
      return try waiter.access.checkWait(for: path)
    }
  }

  /// False if it has been, or is just being, given a connection.
  private func leave(_ waiter: Waiter<Connection>) -> Bool {
    state.withLock { state in
      guard let place = state.waiting.firstIndex(where: { $0 === waiter }) else { return false }
      state.waiting.remove(at: place)
      return true
    }
  }

  /// Has a connection, which has to be given back, passed to `body` as soon as there is one, with a queue to go on
  /// with. It is called on any thread, perhaps at once, and must not block.
  ///
  /// If it is cancelled, ``wake(_:)`` ends the wait.
  package func request(
    _ access: AccessRequest, for need: ConnectionPurpose = .usual, _ body: @escaping Waiter<Connection>.Body
  ) {
    do {
      let waiter = Waiter<Connection>(
        access, need,
        .task { [self] connection in
          guard let connection else { return request(access, for: need, body) }
          body(.success(connection), connection.queue)
        })
      switch try turn(waiter) {
      case .take(let connection): body(.success(connection), connection.queue)
      case .make:
        queue.async { [self] in
          let made = Result { try makeConnection(access, for: need) }
          // The work with the connection may take its time, for which others that need one must not wait.
          body(made, (try? made.get().queue) ?? queue)
        }
      case .wait: lookAgain(access)
      }
    } catch {
      body(.failure(error), queue)
    }
  }

  /// Looks after what waits on no thread, when that may have become too long.
  private func lookAgain(_ access: AccessRequest) {
    for moment in access.moments {
      let (seconds, attoseconds) = moment.components
      let delay = Double(seconds) + Double(attoseconds) / 1e18
      queue.asyncAfter(deadline: .now() + max(0, delay)) { [weak self, weak access] in
        guard let self, let access, self.isWaiting(access) else { return }
        if !access.waitsOn() { self.wake(access) }
      }
    }
  }

  private func isWaiting(_ access: AccessRequest) -> Bool {
    state.withLock { $0.waiting.contains { $0.access === access } }
  }

  private func turn(_ waiter: Waiter<Connection>) throws -> Turn {
    let need = waiter.need
    var outdated: [Connection] = []
    defer { for connection in outdated { try? connection.close() } }
    return try state.withLock { state in
      guard !state.isClosed else { throw StoreError.closed }
      if let suspension = state.suspension { throw suspension }
      state.uses += 1
      let mayTake = need != .patient || state.patient < mostPatient
      while mayTake, let connection = state.idle.popLast() {
        guard connection.isOutdated else {
          state.note(need, 1)
          return .take(connection)
        }
        state.count -= 1
        outdated.append(connection)
      }
      if need == .urgent || mayTake && state.count - state.urgent < limit {
        state.count += 1
        state.note(need, 1)
        return .make
      }
      // A cancellation wakes after that: it is either seen here or finds the waiter.
      try waiter.access.checkWait(for: path)
      state.waiting.append(waiter)
      return .wait
    }
  }

  private func makeConnection(_ access: AccessRequest, for need: ConnectionPurpose) throws -> Connection {
    do {
      return try make(access)
    } catch {
      // A waiter may have more luck.
      let (next, closing) = state.withLock { state in
        state.count -= 1
        state.note(need, -1)
        return (state.takePending(mostPatient: mostPatient), state.takeClosing())
      }
      next?.resume(with: nil)
      for semaphore in closing { semaphore.signal() }
      throw error
    }
  }

  /// Ends the wait of an access that was cancelled, or has waited for as long as it may.
  package func wake(_ access: AccessRequest) {
    let waiter = state.withLock { state in
      state.waiting.firstIndex { $0.access === access }.map { state.waiting.remove(at: $0) }
    }
    waiter?.resume(with: nil)
  }

  // MARK: - Giving back

  /// - Parameter need: What it was taken for.
  package func giveBack(_ connection: Connection, for need: ConnectionPurpose = .usual) {
    var next: (waiter: Waiter<Connection>, connection: Connection)?
    var surplus: Connection?
    var closing: [DispatchSemaphore] = []
    let isSuspended = state.withLock { state in
      state.note(need, -1)
      if state.suspension != nil, !state.isClosed { return true }
      if state.count - state.urgent > limit, !state.isClosed {
        state.count -= 1
        surplus = connection
      } else {
        state.idle.append(connection)
      }
      if !state.isClosed, !state.idle.isEmpty, let waiter = state.takePending(mostPatient: mostPatient) {
        state.note(waiter.need, 1)
        next = state.idle.popLast().map { (waiter, $0) }
      }
      closing = state.takeClosing()
      return false
    }
    if isSuspended { return discard(connection) }
    next?.waiter.resume(with: next?.connection)
    try? surplus?.close()
    for semaphore in closing { semaphore.signal() }
  }

  /// Closes a connection that was given back while no connection may be open. It counts until it is closed: one that cannot be
  /// closed keeps ``suspend(_:until:)`` from saying that all are.
  private func discard(_ connection: Connection) {
    do { try connection.close() } catch {
      state.withLock { $0.unclosed += 1 }
    }
    let closing = state.withLock { state in
      state.count -= 1
      return state.takeClosing()
    }
    for semaphore in closing { semaphore.signal() }
  }

  package var isClosed: Bool { state.withLock { $0.isClosed } }

  // MARK: - Suspension

  /// Whether no connection is in use, and how often one was taken since the store was opened.
  package var usage: (isIdle: Bool, uses: Int) { state.withLock { ($0.idle.count == $0.count, $0.uses) } }

  /// Closes the connections that nobody has, and from now on each that is given back. Who asks for one gets the error.
  ///
  /// - Returns: Whether all connections were closed by the deadline.
  package func suspend(_ error: StoreError, until deadline: DispatchTime) -> Bool {
    let (idle, waiting) = state.withLock { state in
      defer { (state.waiting, state.idle) = ([], []) }
      (state.suspension, state.unclosed) = (error, 0)
      return (state.idle, state.waiting)
    }
    for waiter in waiting { waiter.resume(with: nil) }
    for connection in idle { discard(connection) }
    let semaphore = state.withLock { state -> DispatchSemaphore? in
      guard state.count > 0, !state.isClosed else { return nil }
      let semaphore = DispatchSemaphore(value: 0)
      state.closing.append(semaphore)
      return semaphore
    }
    _ = semaphore?.wait(timeout: deadline)
    return state.withLock { $0.count == 0 && $0.unclosed == 0 || $0.isClosed }
  }

  /// Lets connections be made again.
  package func resume() {
    let waiting = state.withLock { state in
      state.suspension = nil
      guard !state.isClosed else { return [] as [DispatchSemaphore] }
      defer { state.closing = [] }
      return state.closing
    }
    for semaphore in waiting { semaphore.signal() }
  }

  /// Closes the connections that nobody has.
  package func closeIdle() {
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
  package func close() throws {
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

/// A waiter for a connection.
package final class Waiter<Connection: PooledConnection>: Sendable {
  /// Takes a connection, or why there is none, and a queue to go on with.
  package typealias Body = @Sendable (Result<Connection, any Error>, DispatchQueue) -> Void

  enum Kind {
    case thread(DispatchSemaphore)
    case task(@Sendable (Connection?) -> Void)
  }

  let access: AccessRequest
  let need: ConnectionPurpose
  private let kind: Kind
  private let found = Locked<Connection?>(nil)

  init(_ access: AccessRequest, _ need: ConnectionPurpose, _ kind: Kind) {
    (self.access, self.need) = (access, need)
    self.kind = kind
  }

  /// The connection that a thread was given.
  var connection: Connection? { found.withLock { $0 } }

  /// Ends the wait, with a connection or to try again. To be called once.
  func resume(with connection: Connection?) {
    switch kind {
    case .thread(let semaphore):
      found.withLock { $0 = connection }
      semaphore.signal()
    case .task(let body): body(connection)
    }
  }
}
