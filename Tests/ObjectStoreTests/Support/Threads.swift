import Foundation
import ObjectStore

/// Runs `body` on `count` threads, and returns their errors.
func inParallel(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) -> [String] {
  let errors = Shared<[String]>([])
  let group = DispatchGroup()
  for index in 0..<count {
    group.enter()
    Thread {
      do { try body(index) } catch { errors.change { $0.append("\(index): \(error)") } }
      group.leave()
    }.start()
  }
  group.wait()
  return errors.now
}

/// A value that several threads change.
final class Shared<Value: Sendable>: Sendable {
  private let value: Locked<Value>

  init(_ value: Value) { self.value = Locked(value) }

  func change(_ body: (inout Value) -> Void) { value.withLock { body(&$0) } }

  var now: Value { value.withLock { $0 } }
}
