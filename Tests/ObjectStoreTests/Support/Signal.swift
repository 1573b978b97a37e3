import Foundation
import ObjectStore
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

/// Tells that an access has begun to wait for others, so that a test need not guess when it does.
final class ToldWaits: Sendable {
  private let told = Atomic<Int>(0)

  var count: Int { told.load(ordering: .acquiring) }

  /// The options of a store that tells of each wait, as soon as it is one.
  func options() -> Store.Options {
    var options = Store.Options { [self] in told.add(1, ordering: .releasing) }
    options.longWait = .milliseconds(1)
    return options
  }

  /// Waits for a wait that is told after so many others.
  func come(after count: Int) async throws {
    while self.count <= count { try await Task.sleep(for: .milliseconds(1)) }
  }
}
