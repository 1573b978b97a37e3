import Foundation
import Synchronization

/// An event that happens once, for which threads and tasks wait.
final class Signal: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let flag = Atomic<Bool>(false)

  func give() {
    flag.store(true, ordering: .releasing)
    semaphore.signal()
  }

  /// Waits for the event. False if it does not happen within a minute.
  @discardableResult func wait() -> Bool {
    let came = semaphore.wait(timeout: .now() + 600) == .success
    if came { semaphore.signal() }
    return came
  }

  /// Waits for the event in a task, without blocking its thread.
  func come() async throws {
    while !flag.load(ordering: .acquiring) { try await Task.sleep(for: .milliseconds(1)) }
  }
}
