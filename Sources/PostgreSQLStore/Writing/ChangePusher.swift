#if PostgreSQL
  import Foundation

  /// A thread that writes what one batch changed while the next is decided.
  ///
  /// It has the connection until it is done. Whoever needs the connection waits for that first. All state is guarded by the
  /// condition's lock.
  final class ChangePusher: @unchecked Sendable {
    private let condition = NSCondition()
    private var thread: Thread?
    private var work: (() throws -> Void)?
    private var isWorking = false
    private var failure: (any Error)?
    private var isEnding = false

    /// How often a wait looks whether it was cancelled.
    private static let interval: TimeInterval = 0.05

    /// Whether this is the thread itself.
    var isCurrentThread: Bool {
      condition.lock()
      defer { condition.unlock() }
      return thread.map { $0 === Thread.current } ?? false
    }

    /// Begins to do something. What was begun before must be done.
    func begin(_ work: @escaping () throws -> Void) {
      condition.lock()
      defer { condition.unlock() }
      self.work = work
      condition.broadcast()
      guard thread == nil else { return }
      let made = Thread { [self] in run() }
      made.stackSize = 1 << 20
      thread = made
      made.start()
    }

    private func run() {
      condition.lock()
      defer { condition.unlock() }
      while true {
        while work == nil, !isEnding { condition.wait() }
        guard let current = work.take() else { return }
        isWorking = true
        condition.unlock()
        let result = Self.result(of: current)
        condition.lock()
        if case .failure(let error) = result { failure = error }
        isWorking = false
        condition.broadcast()
      }
    }

    /// Does something, and gives the memory back that it holds.
    private static func result(of work: consuming @escaping () throws -> Void) -> Result<Void, any Error> {
      Result { try work() }
    }

    /// Waits until all is done. Throws the error that it ended with, each time it is called.
    ///
    /// - Parameter look: Called now and then meanwhile.
    func wait(_ look: () -> Void) throws {
      condition.lock()
      defer { condition.unlock() }
      finish(look)
      if let failure { throw failure }
    }

    /// Waits until it is done, be that with an error or not, and forgets the error.
    func abandon(_ look: () -> Void) {
      condition.lock()
      defer { condition.unlock() }
      finish(look)
      failure = nil
    }

    private func finish(_ look: () -> Void) {
      while work != nil || isWorking {
        if !condition.wait(until: Date(timeIntervalSinceNow: Self.interval)) {
          condition.unlock()
          look()
          condition.lock()
        }
      }
    }

    /// Ends the thread, which has nothing to do any more.
    func end() {
      condition.lock()
      isEnding = true
      condition.broadcast()
      condition.unlock()
    }
  }
#endif
