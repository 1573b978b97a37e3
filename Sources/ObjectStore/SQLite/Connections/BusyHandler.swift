import Foundation
import Synchronization

/// Decides whether a connection waits for others that have locked the file.
final class BusyHandler: Sendable {
  private let isPatient = Atomic<Bool>(true)
  /// What goes on.
  private let access = Locked<AccessRequest?>(nil)

  /// Waits a little. False if it is to be waited no longer.
  func wait(attempt: Int) -> Bool {
    guard isPatient.load(ordering: .relaxed) else { return false }
    let access = access.withLock { $0 }
    guard access?.waitsOn() ?? true else { return false }
    // A signal ends this early.
    // Soon again at first: who imports in chunks leaves the lock to others for a few milliseconds between them.
    usleep(attempt < 10 ? 1_000 : attempt < 1_000 ? 2_000 : 10_000)
    return true
  }

  /// Runs `body`, which had better fail than wait.
  func withoutWaiting(_ body: () -> Void) {
    isPatient.store(false, ordering: .relaxed)
    body()
    isPatient.store(true, ordering: .relaxed)
  }

  /// From now on, what is waited for is waited for on behalf of `access`.
  func serve(_ access: AccessRequest?) {
    self.access.withLock { $0 = access }
  }
}
