@preconcurrency import Dispatch
import Foundation
import Synchronization

/// An access to the store that was asked for: whether it was cancelled, and how long it waits.
package final class AccessRequest: Sendable {
  private let flag = Atomic<Bool>(false)
  private let hasTold = Atomic<Bool>(false)
  private let suspension: Suspension?
  private let hasSeenSuspension = Atomic<Bool>(false)
  private let isRequested: (@Sendable () -> Bool)?
  private let options: Store.Options
  private let start = ContinuousClock.now

  /// - Parameters:
  ///   - suspension: What ends the access as well, if the store can be suspended.
  ///   - isCancelled: Asked now and then on the thread of the access.
  package init(
    _ options: Store.Options, suspension: Suspension? = nil, isCancelled: (@Sendable () -> Bool)? = nil
  ) {
    self.options = options
    self.suspension = suspension
    isRequested = isCancelled
  }

  // MARK: - Cancellation

  package var isCancelled: Bool {
    flag.load(ordering: .relaxed) || isSuspended || isRequested?() ?? false || options.isCancelled?() ?? false
  }

  /// Whether the store was suspended meanwhile, be it that it was resumed since.
  private var isSuspended: Bool {
    guard let suspension else { return false }
    if hasSeenSuspension.load(ordering: .relaxed) { return true }
    guard suspension.isActive else { return false }
    hasSeenSuspension.store(true, ordering: .relaxed)
    return true
  }

  package func cancel() { flag.store(true, ordering: .relaxed) }

  /// - Throws: `CancellationError` if it has been cancelled; ``StoreError`` if the store was suspended.
  package func check() throws {
    if isSuspended, let suspension { throw suspension.error }
    if isCancelled { throw CancellationError() }
  }

  // MARK: - Waiting

  private var isTimeUp: Bool { options.timeout.map { start.duration(to: .now) >= $0 } ?? false }

  /// Whether to wait on. Tells that it waits, if that takes long.
  ///
  /// - Parameter holder: Who is waited for, if that is known.
  package func waitsOn(for holder: String? = nil) -> Bool {
    guard !isCancelled else { return false }
    // Also where the time is up: on a busy machine both moments may have passed since the last look.
    tellIfLong(holder)
    return !isTimeUp
  }

  package func tellIfLong(_ holder: String? = nil) {
    guard tells, start.duration(to: .now) >= options.longWait, !hasTold.exchange(true, ordering: .relaxed)
    else { return }
    options.onLongWait?()
    options.onLongWaitForWriter?(holder)
  }

  /// Whether anybody wants to know of a long wait.
  private var tells: Bool { options.onLongWait != nil || options.onLongWaitForWriter != nil }

  /// - Throws: `CancellationError` if it has been cancelled, ``StoreError`` if it has waited for as long as it may.
  package func checkWait(for path: String, _ holder: String? = nil) throws {
    try check()
    if isTimeUp, let timeout = options.timeout {
      throw StoreError.locked(path, timeout: timeout, holder: holder)
    }
  }

  /// When to look again at what waits on no thread of its own.
  var moments: [Duration] {
    let isSettled = !tells || hasTold.load(ordering: .relaxed)
    return [isSettled ? nil : options.longWait, options.timeout].compactMap { $0 }
  }

  /// How long to wait until it is to be looked at again; zero if that is at once, nil if that is never.
  package var nextMoment: Duration? {
    moments.min().map { max(.zero, $0 - start.duration(to: .now)) }
  }
}

/// A transaction that a thread is in the middle of. A thread may be in several, of the same store or others.
///
/// It is known to the thread only, so that what a closure does of itself can be told from what others do.
package final class OngoingAccess {
  package enum Kind {
    /// With the transaction, if others may read in it.
    case reading(any StoreTransaction)
    case writing
    /// Ended: observers are told.
    case delivering
  }

  private let store: ObjectIdentifier
  package let kind: Kind
  /// Whether it has the connection that writes.
  package let usesWriter: Bool
  private let outer: OngoingAccess?

  private init(_ store: AnyObject, _ kind: Kind, usesWriter: Bool, outer: OngoingAccess?) {
    self.store = ObjectIdentifier(store)
    self.kind = kind
    self.usesWriter = usesWriter
    self.outer = outer
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  private static var innermost: OngoingAccess? {
    pthread_getspecific(key).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
  }

  /// Runs `body` as part of an access.
  package static func run<Result>(
    _ store: AnyObject, _ kind: Kind, usesWriter: Bool, _ body: () throws -> Result
  ) rethrows -> Result {
    let outer = innermost
    let access = OngoingAccess(store, kind, usesWriter: usesWriter, outer: outer)
    pthread_setspecific(key, Unmanaged.passUnretained(access).toOpaque())
    defer { pthread_setspecific(key, outer.map { Unmanaged.passUnretained($0).toOpaque() }) }
    return try withExtendedLifetime(access) { try body() }
  }

  /// The accesses to a store that this thread is in, the innermost first.
  package static func all(of store: AnyObject) -> [OngoingAccess] {
    var found: [OngoingAccess] = []
    var next = innermost
    while let access = next {
      if access.store == ObjectIdentifier(store) { found.append(access) }
      next = access.outer
    }
    return found
  }

  /// Whether this thread tells a store's observers of a commit.
  package static func isDelivering(_ store: AnyObject) -> Bool {
    all(of: store).contains { if case .delivering = $0.kind { true } else { false } }
  }
}

/// The access of a task: what runs on this actor runs when there is a connection for it, on that one's thread.
///
/// Waiting for the connection is a matter of the actor's executor, not of the task. So from when it is its turn
/// until it has given the connection back no thread of the tasks is needed, all of which may be blocked by others
/// that wait for the same connection. And a task changes its thread but twice.
package actor TaskAccess<Connection: PooledConnection> {
  private let executor: AccessExecutor<Connection>

  package init(
    _ pool: ConnectionPool<Connection>, _ access: AccessRequest, for need: ConnectionPurpose = .usual
  ) {
    executor = AccessExecutor(pool, access, need)
  }

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Runs `body`, which has to give the connection back. To be called once.
  ///
  /// - Throws: What `body` throws, ``StoreError``; `CancellationError` if it was cancelled while it waited.
  package func run<Result: Sendable>(_ body: @Sendable (Connection) throws -> Result) throws -> Result {
    try body(try executor.connection())
  }
}

private final class AccessExecutor<Connection: PooledConnection>: SerialExecutor {
  private let pool: ConnectionPool<Connection>
  private let access: AccessRequest
  private let need: ConnectionPurpose
  private let result = Locked<Result<Connection, any Error>?>(nil)

  init(_ pool: ConnectionPool<Connection>, _ access: AccessRequest, _ need: ConnectionPurpose) {
    self.need = need
    self.pool = pool
    self.access = access
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    pool.request(access, for: need) { [self] result, queue in
      queue.async { [self] in
        self.result.withLock { $0 = result }
        job.runSynchronously(on: asUnownedSerialExecutor())
      }
    }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  func connection() throws -> Connection {
    guard let result = result.withLock({ $0 }) else { throw StoreError.closed }
    return try result.get()
  }
}
