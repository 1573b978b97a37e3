import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Standard output and standard error.
enum Terminal {
  static let isErrorATerminal = isatty(STDERR_FILENO) == 1

  /// Writes to standard output.
  ///
  /// - Throws: ``CleanError`` if it cannot be written, on a full disk for example.
  static func write(_ text: String) throws {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch {
      throw CleanError("The output cannot be written: \(String(cString: strerror(errno))).")
    }
  }

  /// Writes to standard error, where there is nobody to tell of a failure.
  static func writeError(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
