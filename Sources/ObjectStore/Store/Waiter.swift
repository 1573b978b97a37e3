import Dispatch
import Synchronization

/// Who waits for a connection.
final class Waiter: Sendable {
  enum Kind {
    case thread(DispatchSemaphore)
    case task(CheckedContinuation<Connection?, Never>, Cancellation)
  }

  private let kind: Kind
  private let found = Mutex<Connection?>(nil)

  init(_ kind: Kind) {
    self.kind = kind
  }

  /// What a thread was given.
  var connection: Connection? { found.withLock { $0 } }

  func isFor(_ cancellation: Cancellation) -> Bool {
    if case .task(_, let own) = kind { own === cancellation } else { false }
  }

  /// Ends the wait, with a connection or to try again. To be called once.
  func resume(with connection: Connection?) {
    switch kind {
    case .thread(let semaphore):
      found.withLock { $0 = connection }
      semaphore.signal()
    case .task(let continuation, _): continuation.resume(returning: connection)
    }
  }
}
