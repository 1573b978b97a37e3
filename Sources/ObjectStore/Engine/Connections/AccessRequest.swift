import Synchronization

/// An access to the store that was asked for: whether it was cancelled, and how long it waits.
package final class AccessRequest: Sendable {
  private let flag = Atomic<Bool>(false)
  private let hasTold = Atomic<Bool>(false)
  private let isRequested: (@Sendable () -> Bool)?
  private let options: Store.Options
  private let start = ContinuousClock.now

  /// - Parameter isCancelled: Asked now and then on the thread of the access.
  package init(_ options: Store.Options, isCancelled: (@Sendable () -> Bool)? = nil) {
    self.options = options
    isRequested = isCancelled
  }

  // MARK: - Cancellation

  package var isCancelled: Bool {
    flag.load(ordering: .relaxed) || isRequested?() ?? false || options.isCancelled?() ?? false
  }

  package func cancel() { flag.store(true, ordering: .relaxed) }

  /// - Throws: `CancellationError` if it has been cancelled.
  package func check() throws(CancellationError) {
    if isCancelled { throw CancellationError() }
  }

  // MARK: - Waiting

  private var isTimeUp: Bool { options.timeout.map { start.duration(to: .now) >= $0 } ?? false }

  /// Whether to wait on. Tells that it waits, if that takes long.
  ///
  /// - Parameter holder: Who is waited for, if that is known.
  package func waitsOn(for holder: String? = nil) -> Bool {
    guard !isCancelled else { return false }
    // Also where the time is up: on a busy machine both moments may have passed since the last look.
    tellIfLong(holder)
    return !isTimeUp
  }

  package func tellIfLong(_ holder: String? = nil) {
    guard tells, start.duration(to: .now) >= options.longWait, !hasTold.exchange(true, ordering: .relaxed)
    else { return }
    options.onLongWait?()
    options.onLongWaitForWriter?(holder)
  }

  /// Whether anybody wants to know of a long wait.
  private var tells: Bool { options.onLongWait != nil || options.onLongWaitForWriter != nil }

  /// - Throws: `CancellationError` if it has been cancelled, ``StoreError`` if it has waited for as long as it may.
  package func checkWait(for path: String, _ holder: String? = nil) throws {
    try check()
    if isTimeUp, let timeout = options.timeout {
      throw StoreError.locked(path, timeout: timeout, holder: holder)
    }
  }

  /// When to look again at what waits on no thread of its own.
  var moments: [Duration] {
    let isSettled = !tells || hasTold.load(ordering: .relaxed)
    return [isSettled ? nil : options.longWait, options.timeout].compactMap { $0 }
  }

  /// How long to wait until it is to be looked at again; zero if that is at once, nil if that is never.
  package var nextMoment: Duration? {
    moments.min().map { max(.zero, $0 - start.duration(to: .now)) }
  }
}
