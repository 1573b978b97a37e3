import Foundation

/// Runs what is written by recursion on threads that wait for each other, each for some levels, so that the depth of a record
/// does not use up the stack of a thread. A level takes up to 13 kB in a debug build.
enum FreshStack {
  /// For how many levels of nested rows any thread has room, one with 512 kB too.
  private static let levelsOfAny = 20
  private static let levels = 1_000
  private static let size = levels * 20 << 10

  /// Whether a row goes to a new thread that is nested in so many others.
  static func isNeeded(at depth: Int) -> Bool {
    depth == levelsOfAny || depth > levelsOfAny && (depth - levelsOfAny).isMultiple(of: levels)
  }

  /// Runs `body` on a new thread, and waits for it.
  static func run(_ body: () -> Void) {
    withoutActuallyEscaping(body) { body in
      let work = Work(body)
      let thread = Thread { work.run() }
      thread.stackSize = size
      thread.start()
      work.wait()
    }
  }

  /// Only one of the two threads does anything at a time.
  private final class Work: @unchecked Sendable {
    private var body: (() -> Void)?
    private let done = DispatchSemaphore(value: 0)

    init(_ body: @escaping () -> Void) { self.body = body }

    func run() {
      perform()
      done.signal()
    }

    /// Whoever waits must find that nobody has `body` any more.
    private func perform() {
      let body = body.take()
      body?()
    }

    func wait() { done.wait() }
  }
}
