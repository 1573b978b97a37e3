import Synchronization

/// Whether a connection waits for others that hold the file.
final class Patience: Sendable {
  private let flag = Atomic<Bool>(true)

  var isPatient: Bool { flag.load(ordering: .relaxed) }

  /// Runs `body`, which had better fail than wait.
  func whileImpatient(_ body: () -> Void) {
    flag.store(false, ordering: .relaxed)
    body()
    flag.store(true, ordering: .relaxed)
  }
}
