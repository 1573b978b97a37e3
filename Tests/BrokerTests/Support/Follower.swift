import Foundation
import Synchronization

/// Collects the values of a sequence until it is deallocated.
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

/// Whether a condition becomes true within some seconds.
///
/// All tests run at the same time, and a task may have to wait for its turn longer than that. So the condition is asked
/// many times at least, however long that takes: whatever it waits for has its turns meanwhile.
func eventually(_ seconds: Double = 600, _ condition: () async throws -> Bool) async rethrows -> Bool {
  let end = Date().addingTimeInterval(seconds)
  var count = 0
  while Date() < end || count < 100 {
    if try await condition() { return true }
    count += 1
    try? await Task.sleep(for: .milliseconds(2))
  }
  return try await condition()
}

/// Pieces of JSON of which the first comes at once, and the others when the test says so.
final class PausedPieces: Sendable {
  private let pieces: Mutex<[String]>
  private let paused = Mutex(false)
  private let rest = AsyncStream.makeStream(of: String.self)

  init(_ first: String) { pieces = Mutex([first]) }

  /// Whether the first piece has been taken, and the next is waited for.
  var isPaused: Bool { paused.withLock { $0 } }

  var stream: AsyncStream<[UInt8]> {
    AsyncStream { [self] in
      if let piece = pieces.withLock({ $0.popLast() }) { return Array(piece.utf8) }
      paused.withLock { $0 = true }
      var more = rest.stream.makeAsyncIterator()
      return await more.next().map { Array($0.utf8) }
    }
  }

  /// Gives the last piece, and ends the stream.
  func finish(_ last: String) {
    rest.continuation.yield(last)
    rest.continuation.finish()
  }
}
