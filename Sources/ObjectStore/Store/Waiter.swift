@preconcurrency import Dispatch

/// Who waits for a connection.
final class Waiter: Sendable {
  /// Takes a connection, or why there is none, and a queue to go on with.
  typealias Body = @Sendable (Result<Connection, any Error>, DispatchQueue) -> Void

  enum Kind {
    case thread(DispatchSemaphore)
    case task(Cancellation, @Sendable (Connection?) -> Void)
  }

  private let kind: Kind
  private let found = Guarded<Connection?>(nil)

  init(_ kind: Kind) {
    self.kind = kind
  }

  /// What a thread was given.
  var connection: Connection? { found.withLock { $0 } }

  func isFor(_ cancellation: Cancellation) -> Bool {
    if case .task(let own, _) = kind { own === cancellation } else { false }
  }

  /// - Throws: `CancellationError` if it need not wait any longer.
  func check() throws {
    if case .task(let cancellation, _) = kind { try cancellation.check() }
  }

  /// Ends the wait, with a connection or to try again. To be called once.
  func resume(with connection: Connection?) {
    switch kind {
    case .thread(let semaphore):
      found.withLock { $0 = connection }
      semaphore.signal()
    case .task(_, let body): body(connection)
    }
  }
}
