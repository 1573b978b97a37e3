@preconcurrency package import Dispatch

/// Who waits for a connection.
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

  /// What a thread was given.
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
