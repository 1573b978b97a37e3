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
  static let isOutputATerminal = isatty(STDOUT_FILENO) == 1

  static func write(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
  }

  static func writeError(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }

  /// A text in a colour, where standard error is a terminal that wants any.
  static func colored(_ text: String, _ color: Color) -> String {
    let wantsColor = isErrorATerminal && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
    return wantsColor ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
  }

  enum Color: Int {
    case red = 31
    case green = 32
    case yellow = 33
    case dim = 2
  }
}
