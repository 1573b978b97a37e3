#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#endif

/// Limits of the system on the process.
enum ProcessLimits {
  /// So many open files are enough for every command: the store's, its log's, those of outputs and of threads that wait.
  private static let openFiles: rlim_t = 32

  /// Raises limits that are too low, as far as that is allowed.
  ///
  /// The system's libraries end the process where they get no file.
  ///
  /// - Throws: ``CleanError`` if a limit stays too low.
  static func check() throws {
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = Int32(RLIMIT_NOFILE)
    #endif
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < openFiles else { return }
    let allowed = limit.rlim_cur
    limit.rlim_cur = min(openFiles, limit.rlim_max)
    guard limit.rlim_cur == openFiles, setrlimit(resource, &limit) == 0 else {
      throw CleanError(
        "Broker may open only \(allowed) files at once, and needs \(openFiles): ulimit -n \(openFiles) allows it."
          + " Nothing was changed.")
    }
  }
}
