import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Turns Ctrl-C into a request to stop, which leaves the store as it was.
enum Interruption {
  /// The exit status of a command that was interrupted.
  static let exitStatus: Int32 = 130

  /// How often Ctrl-C came.
  private static let count = Atomic<Int>(0)

  static func watch() {
    // Used once before any signal can come: a handler must not be what initialises it.
    _ = count.load(ordering: .relaxed)
    signal(SIGINT) { _ in
      if Interruption.count.add(1, ordering: .relaxed).oldValue > 0 {
        // The second time, somebody is in a hurry. What was not committed is not in the store.
        _exit(130)
      }
    }
  }

  static var isRequested: Bool { count.load(ordering: .relaxed) > 0 }
}
