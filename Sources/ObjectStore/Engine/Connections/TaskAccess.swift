@preconcurrency import Dispatch

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
