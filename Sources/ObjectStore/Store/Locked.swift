import Foundation

/// A value behind a lock.
///
/// It is what `Mutex` of the standard library is. But the thread sanitizer knows the system's locks only, and takes
/// what that one guards on Linux for races.
///
/// `@unchecked`, since the value need not be Sendable. Its guard is the lock: it is touched only while that is held.
package final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  package init(_ value: sending Value) { self.value = value }

  /// Runs `body` while nobody else has the value.
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
