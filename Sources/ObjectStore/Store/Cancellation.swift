import Synchronization

/// Whether the task that asked for an access has been cancelled.
final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)

  var isCancelled: Bool { flag.load(ordering: .relaxed) }

  func cancel() { flag.store(true, ordering: .relaxed) }

  /// - Throws: `CancellationError` if it has been cancelled.
  func check() throws(CancellationError) {
    if isCancelled { throw CancellationError() }
  }
}
