import Synchronization

/// Whether a connection waits for others that hold the file.
final class Patience: Sendable {
  private let flag = Atomic<Bool>(true)
  /// What the access that goes on may be cancelled by.
  private let cancellation = Guarded<Cancellation?>(nil)

  var isPatient: Bool {
    flag.load(ordering: .relaxed) && !cancellation.withLock { $0?.isCancelled ?? false }
  }

  /// Runs `body`, which had better fail than wait.
  func whileImpatient(_ body: () -> Void) {
    flag.store(false, ordering: .relaxed)
    body()
    flag.store(true, ordering: .relaxed)
  }

  /// From now on, what is cancelled need not be waited for any longer.
  func end(with cancellation: Cancellation?) {
    self.cancellation.withLock { $0 = cancellation }
  }
}
