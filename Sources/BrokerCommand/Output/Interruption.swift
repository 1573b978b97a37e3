import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#endif

/// Turns Ctrl-C, and what else asks a process to end, into a request to stop, which leaves everything as it was.
enum Interruption {
  /// How often it was asked for, and the signal that did.
  private static let count = Atomic<Int>(0)
  private static let last = Atomic<Int32>(SIGINT)
  /// The address of a path that is not to stay, as C has it; 0 for none. It is never freed, since a handler may be about to use it.
  private static let removable = Atomic<UInt>(0)

  /// The exit status of a command that was interrupted: 130 for Ctrl-C, as shells count.
  static var exitStatus: Int32 { 128 + last.load(ordering: .relaxed) }

  static func watch() {
    // Used once before any signal can come: a handler must not be what initialises them.
    _ = count.load(ordering: .relaxed)
    _ = last.load(ordering: .relaxed)
    _ = removable.load(ordering: .relaxed)
    for number in [SIGINT, SIGTERM] { signal(number, handle) }
    // nohup has switched this one off, and it stays so.
    if unsafeBitCast(signal(SIGHUP, SIG_IGN), to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self) {
      signal(SIGHUP, handle)
    }
  }

  private static let handle: @convention(c) (Int32) -> Void = { number in
    Interruption.last.store(number, ordering: .relaxed)
    if Interruption.count.add(1, ordering: .relaxed).oldValue > 0 {
      // The second time, somebody is in a hurry. What was not committed is not in the store.
      if let path = UnsafePointer<CChar>(bitPattern: Interruption.removable.load(ordering: .relaxed)) {
        unlink(path)
      }
      _exit(128 + number)
    }
  }

  static var isRequested: Bool { count.load(ordering: .relaxed) > 0 }

  /// Has a file removed even where there is no time to end in order.
  static func removeAtExit(_ path: String?) {
    let copy = path.flatMap { strdup($0) }
    removable.store(copy.map { UInt(bitPattern: $0) } ?? 0, ordering: .relaxed)
  }
}
