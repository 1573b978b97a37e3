import Foundation

/// A run of the command whose outputs are a terminal of a certain width.
struct TerminalRun {
  var status: Int32
  /// What it wrote to the terminal, with line feeds alone at the ends of lines.
  var output: String

  var lines: [Substring] { output.split(separator: "\n", omittingEmptySubsequences: false) }

  /// - Parameters:
  ///   - columns: How wide the terminal is; 0 for one that does not tell.
  ///   - environment: Variables that are set besides those of the tests. `COLUMNS`, `NO_COLOR` and `TERM` are unset, but
  ///     for the terminal's name.
  ///   - errorsOnly: Whether standard output is no terminal and is thrown away.
  init(
    _ arguments: [String], columns: UInt16, environment: [String: String] = [:], errorsOnly: Bool = false,
    in folder: Folder
  ) throws {
    let (main, other) = try Self.open(columns)
    defer { close(main) }
    let process = Process()
    process.executableURL = RunningBroker.executable
    let elsewhere = folder.storesElsewhere
    process.arguments = try elsewhere.map { try arguments.map($0.address) } ?? arguments
    process.currentDirectoryURL = folder.url
    var variables = ProcessInfo.processInfo.environment
    for name in ["COLUMNS", "NO_COLOR"] { variables[name] = nil }
    variables["TERM"] = "xterm"
    process.environment = variables.merging(environment) { $1 }
    let terminal = FileHandle(fileDescriptor: other, closeOnDealloc: false)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = errorsOnly ? FileHandle.nullDevice : terminal
    process.standardError = terminal
    try process.run()
    close(other)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    // The end of the last process that has the terminal is an error here, or the end of the file.
    while true {
      let count = read(main, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    process.waitUntilExit()
    status = process.terminationStatus
    let text = String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n")
    output = try elsewhere?.withNames(text) ?? text
  }

  struct NoTerminal: Error {}

  private static func open(_ columns: UInt16) throws -> (main: Int32, other: Int32) {
    let main = Foundation.open("/dev/ptmx", O_RDWR | O_NOCTTY)
    guard main >= 0 else { throw NoTerminal() }
    let other = Foundation.open(try name(of: main), O_RDWR | O_NOCTTY)
    guard other >= 0 else { throw NoTerminal() }
    _ = fcntl(main, F_SETFD, FD_CLOEXEC)
    var size = winsize()
    size.ws_row = 24
    size.ws_col = columns
    _ = ioctl(main, UInt(TIOCSWINSZ), &size)
    return (main, other)
  }

  /// Unlocks the other end of a terminal, and says where it is.
  private static func name(of main: Int32) throws -> String {
    #if os(Linux)
      // TIOCSPTLCK and TIOCGPTN, which are macros that Swift does not read.
      var (lock, number) = (Int32(0), Int32(0))
      guard ioctl(main, 0x4004_5431, &lock) == 0, ioctl(main, 0x8004_5430, &number) == 0 else {
        throw NoTerminal()
      }
      return "/dev/pts/\(number)"
    #else
      guard grantpt(main) == 0, unlockpt(main) == 0, let name = ptsname(main) else { throw NoTerminal() }
      return String(cString: name)
    #endif
  }
}
