import Broker
import Foundation
import Synchronization

/// What was refused, one after another.
final class Outcome: Sendable {
  private let problems = Mutex<[String?]>([])

  func note(_ problem: String?) { problems.withLock { $0.append(problem) } }
  var all: [String?] { problems.withLock { $0 } }
}

/// Follows a sequence for as long as it is there.
final class Follower<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  private let failure = Mutex<(any Error)?>(nil)
  private let ended = Mutex(false)
  private let task = Mutex<Task<Void, Never>?>(nil)

  init<Values: AsyncSequence & Sendable>(_ sequence: Values) where Values.Element == Value {
    let task = Task { [weak self] in
      do {
        for try await value in sequence {
          guard let self else { return }
          values.withLock { $0.append(value) }
        }
      } catch {
        self?.failure.withLock { $0 = error }
      }
      self?.ended.withLock { $0 = true }
    }
    self.task.withLock { $0 = task }
  }

  deinit { task.withLock { $0?.cancel() } }

  var all: [Value] { values.withLock { $0 } }
  var last: Value? { values.withLock { $0.last } }
  var error: (any Error)? { failure.withLock { $0 } }
  var hasEnded: Bool { ended.withLock { $0 } }
}

/// Whether something comes true, with patience.
func eventually(_ seconds: Double = 60, _ condition: () async throws -> Bool) async rethrows -> Bool {
  let end = Date().addingTimeInterval(seconds)
  while Date() < end {
    if try await condition() { return true }
    try? await Task.sleep(for: .milliseconds(2))
  }
  return try await condition()
}

/// A file in a folder of its own, which goes with this.
final class TemporaryFile: Sendable {
  let url: URL

  init(_ name: String = "store.sqlite") throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    url = folder.appending(path: name)
  }

  deinit { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
}

/// A value that closures share.
final class Shared<Value: Sendable>: Sendable {
  private let state: Mutex<Value>

  init(_ value: Value) { state = Mutex(value) }

  var value: Value {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
