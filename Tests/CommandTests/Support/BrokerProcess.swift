import Foundation

/// The outcome of a run of the command.
struct Outcome {
  var status: Int32
  var output: String
  var error: String

  /// The report that `--format json` prints.
  func report() throws -> ReportJSON {
    try JSONDecoder().decode(ReportJSON.self, from: Data(output.utf8))
  }
}

/// Runs the command with `arguments` in `folder` and waits for its end.
///
/// Its outputs are files, so that none of them can fill up and block it, and neither is a terminal.
func broker(_ arguments: String..., input: String = "", in folder: Folder) throws -> Outcome {
  try broker(arguments, input: input, in: folder)
}

func broker(_ arguments: [String], input: String = "", in folder: Folder) throws -> Outcome {
  let running = try RunningBroker(arguments, in: folder, input: .file(input))
  return try running.finish()
}

/// A run of the command.
final class RunningBroker {
  enum Input {
    case file(String)
    /// All that is written to ``RunningBroker/input`` until it is closed.
    case pipe
  }

  let input = Pipe()
  private let process = Process()
  private let output: URL
  private let error: URL
  private let elsewhere: (any StoresElsewhere)?

  /// - Parameter destination: Where standard output goes instead of ``Outcome/output``.
  init(
    _ arguments: [String], in folder: Folder, input kind: Input, outputTo destination: String? = nil,
    executable: URL = RunningBroker.executable
  ) throws {
    let name = ".\(UUID().uuidString)"
    output = folder.url(name + ".out")
    error = folder.url(name + ".err")
    for url in [output, error] { try Data().write(to: url) }
    process.executableURL = executable
    elsewhere = executable == Self.executable ? folder.storesElsewhere : nil
    process.arguments = try elsewhere.map { try arguments.map($0.address) } ?? arguments
    process.currentDirectoryURL = folder.url
    process.standardOutput = try FileHandle(
      forWritingTo: destination.map { URL(fileURLWithPath: $0) } ?? output)
    process.standardError = try FileHandle(forWritingTo: error)
    switch kind {
    case .pipe: process.standardInput = input
    case .file(let text):
      let url = folder.url(name + ".in")
      try Data(text.utf8).write(to: url)
      process.standardInput = try FileHandle(forReadingFrom: url)
    }
    try Self.unblocked { try process.run() }
  }

  /// Runs `body` with no signal blocked. A process inherits the signals that its parent's thread blocks, and the
  /// threads that tests run on block Ctrl-C.
  private static func unblocked(_ body: () throws -> Void) rethrows {
    var none = sigset_t()
    var before = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try body()
  }

  /// Sends Ctrl-C.
  func interrupt(by signal: Int32 = SIGINT) { kill(process.processIdentifier, signal) }

  var isRunning: Bool { process.isRunning }

  var identifier: Int32 { process.processIdentifier }

  /// Waits until the process handles Ctrl-C and has opened a store's file, if the system tells that of processes (Linux
  /// does). Of a store elsewhere only the first: a connection looks like the socket that each process has from its parent.
  func waitUntilOpen(_ file: URL) {
    let process = "/proc/\(process.processIdentifier)"
    guard FileManager.default.fileExists(atPath: process) else { return }
    let path = file.resolvingSymlinksInPath().path
    let deadline = Date(timeIntervalSinceNow: 600)
    while isRunning, Date() < deadline {
      if handlesInterruption(process), elsewhere != nil || hasOpen(path, process) { return }
      usleep(5_000)
    }
  }

  /// Waits until the process handles Ctrl-C, if the system tells that of processes.
  func waitUntilInterruptible() {
    let process = "/proc/\(process.processIdentifier)"
    guard FileManager.default.fileExists(atPath: process) else { return }
    let deadline = Date(timeIntervalSinceNow: 600)
    while isRunning, Date() < deadline, !handlesInterruption(process) { usleep(5_000) }
  }

  private func handlesInterruption(_ process: String) -> Bool {
    let status = (try? String(contentsOfFile: process + "/status", encoding: .utf8)) ?? ""
    guard let mask = status.firstMatch(of: /SigCgt:\s*([0-9a-f]+)/)?.output.1 else { return false }
    return UInt64(mask, radix: 16).map { $0 & 1 << UInt64(SIGINT - 1) != 0 } ?? false
  }

  private func hasOpen(_ path: String, _ process: String) -> Bool {
    let files = FileManager.default
    let names = (try? files.contentsOfDirectory(atPath: process + "/fd")) ?? []
    let open = names.compactMap { try? files.destinationOfSymbolicLink(atPath: "\(process)/fd/\($0)") }
    return open.contains { $0.hasPrefix(path) }
  }

  /// Waits until somebody writes to a store that is there, or the process ends.
  func waitUntilWriting(_ store: String, in folder: Folder) throws {
    let deadline = Date(timeIntervalSinceNow: 600)
    while isRunning, Date() < deadline, try !folder.isBeingWritten(store) { usleep(5_000) }
  }

  /// Waits for the end. A process that does not end in time is killed, and has the status of a signal.
  func finish(within seconds: Double = 600) throws -> Outcome {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while process.isRunning, Date() < deadline { usleep(2_000) }
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    let status = process.terminationStatus
    return Outcome(
      status: process.terminationReason == .exit ? status : 128 + status,
      output: try written(to: output),
      error: try written(to: error))
  }

  private func written(to file: URL) throws -> String {
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    return try elsewhere?.withNames(text) ?? text
  }

  /// The command lies beside the tests' own bundle.
  static var executable: URL {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    let folder = bundle?.deletingLastPathComponent() ?? Bundle.main.bundleURL
    return folder.appendingPathComponent("broker")
  }
}

/// The report of an import that `--format json` prints.
struct ReportJSON: Decodable, Equatable {
  var inserted: [String: Int]
  var updated: [String: Int]
  var unchanged: [String: Int]
  var deleted: [String: Int]
  var skipped: [String: Int]
  var duplicates: Int
  var pending: [Pending]
  var unmatchedKeys: [String: [String: Int]]
  var issues: [Issue]
  var bytes: Int
  var seconds: Double

  struct Pending: Decodable, Equatable {
    var entity: String
    var identity: String
    var relationship: String
    var target: String
    var key: String
  }

  struct Issue: Decodable, Equatable {
    var path: String
    var entity: String
    var identity: String?
    var key: String?
    var expected: String
    var found: String
    var action: String
  }
}
