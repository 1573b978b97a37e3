import Bytes

/// Runs what is written by recursion on threads that wait for each other, each for some levels, so that the depth of a record
/// does not use up the stack of a thread. A level takes up to 13 kB in a debug build.
enum DeepRecursion {
  /// For how many levels of nested rows any thread has room, one with 512 kB too.
  private static let levelsOfAny = 20
  private static let levels = 1_000
  private static let size = levels * 20 << 10

  /// Whether a row goes to a new thread that is nested in so many others.
  static func isNeeded(at depth: Int) -> Bool {
    depth == levelsOfAny || depth > levelsOfAny && (depth - levelsOfAny).isMultiple(of: levels)
  }

  /// Runs `body` on a new thread, and waits for it.
  ///
  /// - Throws: ``SystemError`` if the system gives no thread.
  static func run(_ body: () -> Void) throws(SystemError) { try StackThread.run(stackSize: size, body) }
}
