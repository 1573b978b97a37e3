import ArgumentParser
import Foundation
import Inference
import JSONStream
import Mapping
import ObjectStore
import Synchronization

/// Standard output and standard error. All that the command says goes through here, so that control characters that
/// come from data reach no terminal.
enum Terminal {
  static let isErrorATerminal = isatty(STDERR_FILENO) == 1
  private static let isOutputATerminal = isatty(STDOUT_FILENO) == 1

  /// Whether standard error is a terminal that obeys commands, for lines that are written again and again.
  static let showsProgress = isErrorATerminal && environment("TERM") != "dumb"

  /// How wide the terminal is that standard output goes to; nil if it goes elsewhere. `COLUMNS` says more than the
  /// terminal itself.
  static let columns: Int? = isOutputATerminal ? width(of: STDOUT_FILENO) : nil

  /// How wide the terminal is that standard error goes to.
  fileprivate static let errorColumns = width(of: STDERR_FILENO)

  private static func width(of descriptor: Int32) -> Int {
    let (narrowest, usual) = (20, 80)
    if let said = environment("COLUMNS").flatMap({ Int($0) }), said > 0 { return max(narrowest, said) }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return usual }
    return max(narrowest, Int(size.ws_col))
  }

  private static func environment(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

  /// The purpose of an output.
  enum Form {
    /// For people: control characters are made visible, wherever it goes.
    case text
    /// For programs: on a terminal, its strings have control characters escaped.
    case json
    /// For programs: as it is, unless it goes to a terminal.
    case csv
  }

  /// Writes to standard output.
  ///
  /// - Throws: ``CleanError`` if it cannot be written, on a full disk for example.
  static func write(_ text: String, as form: Form = .text) throws {
    let shown =
      switch form {
      case .text: VisibleText.of(text)
      case .json: isOutputATerminal ? VisibleText.ofJSON(text) : text
      case .csv: isOutputATerminal ? VisibleText.of(text.replacing("\r\n", with: "\n")) : text
      }
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(shown.utf8))
    } catch {
      throw CleanError("The output cannot be written: \(String(cString: strerror(errno))).")
    }
  }

  /// A sink for JSON that comes piece by piece.
  static func jsonSink() -> any ByteSink {
    isOutputATerminal ? JSONTerminalSink() : DescriptorSink(descriptor: STDOUT_FILENO)
  }

  /// Writes to standard error, where there is nobody to tell of a failure.
  static func writeError(_ text: String) {
    writeErrorAsIs(VisibleText.of(text))
  }

  /// Writes what has commands for the terminal, and nothing that comes from data.
  static func writeErrorAsIs(_ text: String) {
    // try?: there is nobody left to tell.
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}

/// JSON on its way to a terminal. Pieces may end in the middle of a character.
private struct JSONTerminalSink: ByteSink {
  private var sink = DescriptorSink(descriptor: STDOUT_FILENO)
  private var rest: [UInt8] = []

  mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) throws(SourceError) {
    rest += bytes
    // What follows the last byte of ASCII waits for more.
    guard let end = rest.lastIndex(where: { $0 < 0x80 }) else { return }
    let text = String(decoding: rest[...end], as: UTF8.self)
    rest.removeSubrange(...end)
    var shown = Array(VisibleText.ofJSON(text).utf8)[...]
    while !shown.isEmpty {
      let piece = Array(shown.prefix(1 << 16))
      shown = shown.dropFirst(piece.count)
      let failure: SourceError? = piece.withUnsafeBufferPointer { piece in
        do throws(SourceError) {
          try sink.write(piece)
          return nil
        } catch {
          return error
        }
      }
      if let failure { throw failure }
    }
  }
}

struct CleanError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// The line on a terminal that tells how far a command has come.
final class StatusLine: @unchecked Sendable {
  // One thread shows and clears it: that of the command.
  private let start = Date()
  private var last = Date.distantPast
  private var isShown = false
  private let delay: Double
  private let interval: Double

  /// - Parameters:
  ///   - delay: The seconds before the line is shown at all.
  ///   - interval: The seconds between two texts, since nobody reads faster.
  init(delay: Double = 0, interval: Double = 0) {
    self.delay = delay
    self.interval = interval
  }

  /// Shows a text, which is made of the seconds since the start.
  func show(_ text: (Double) -> String) {
    let now = Date()
    let elapsed = now.timeIntervalSince(start)
    guard elapsed >= delay, now.timeIntervalSince(last) >= interval else { return }
    last = now
    isShown = true
    Terminal.writeErrorAsIs("\r\u{1B}[K\(TextWidth.shortened(text(elapsed), to: Terminal.errorColumns - 1))")
  }

  func clear() {
    if isShown { Terminal.writeErrorAsIs("\r\u{1B}[K") }
    isShown = false
  }
}

extension StatusLine {
  /// A line for an import, which a short one does not need.
  static var ofImport: StatusLine? {
    Terminal.showsProgress ? StatusLine(delay: 0.3, interval: 0.1) : nil
  }

  func show(_ progress: Importer.Progress) {
    show { Self.text(progress, elapsed: $0) }
  }

  private static func text(_ progress: Importer.Progress, elapsed: Double) -> String {
    let rate = Double(progress.bytes) / elapsed
    var line = "\(Quantity.bytes(progress.bytes))"
    if let total = progress.totalBytes, total > 0 {
      line += " of \(Quantity.bytes(total)) (\(progress.bytes * 100 / total) %)"
    }
    line += ", \(Quantity.grouped(progress.objects)) objects, \(Quantity.bytes(Int(rate)))/s"
    if let total = progress.totalBytes, rate > 0 {
      line += ", \(Quantity.duration(Double(max(0, total - progress.bytes)) / rate)) left"
    }
    return line
  }
}

/// Numbers as people read them.
enum Quantity {
  static func grouped(_ number: Int) -> String {
    var digits = String(number.magnitude)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return (number < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
  }

  static func bytes(_ count: Int) -> String {
    let units = ["bytes", "kB", "MB", "GB", "TB"]
    var value = Double(count)
    var unit = 0
    while value >= 1000, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    return unit == 0 ? "\(count) bytes" : "\(decimal(value, 1)) \(units[unit])"
  }

  static func duration(_ seconds: Double) -> String {
    if seconds < 1 { return "\(Int((seconds * 1000).rounded())) ms" }
    if seconds < 60 { return "\(decimal(seconds, 1)) s" }
    return "\(Int(seconds) / 60) min \(Int(seconds) % 60) s"
  }

  static func decimal(_ value: Double, _ places: Int) -> String {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let scaled = Int((value * scale).rounded())
    let fraction = String(scaled % Int(scale))
    return "\(scaled / Int(scale))." + String(repeating: "0", count: places - fraction.count) + fraction
  }

  /// `1 object`, `2 objects`
  static func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? noun : plural ?? noun + "s")"
  }
}

/// Ends the command with what went wrong.
enum Failure {
  /// The exit status where something was changed, or may have been, though the command failed.
  static let partialStatus: Int32 = 4

  static func exit(_ error: any Error) -> Never {
    if error is CancellationError {
      Terminal.writeError("Interrupted.\n")
      BrokerCommand.exit(withError: ExitCode(Interruption.exitStatus))
    }
    // Wrong usage is told with the arguments, among them pairs of an address that were not quoted as one.
    let message = BrokerCommand.fullMessage(for: error).replacing(/password\s*=[^\n]*/, with: "password=…")
    let isUncertain = (error as? StoreError)?.isCommitUncertain ?? false
    let code = isUncertain ? ExitCode(partialStatus) : BrokerCommand.exitCode(for: error)
    // Help, a version, what was said already.
    guard code != .success, !message.isEmpty else { BrokerCommand.exit(withError: error) }
    Terminal.writeError(advised(message, advice(for: error)) + "\n")
    BrokerCommand.exit(withError: code)
  }

  /// A message with advice behind it. A list, which has no full stop at its end, gets one.
  private static func advised(_ message: String, _ advice: String?) -> String {
    guard let advice else { return message }
    let isSentence = message.last.map { ".?!".contains($0) } ?? true
    return message + (isSentence ? " " : ". ") + advice
  }

  /// The command's options that help with a message of the library.
  static func advice(for error: any Error) -> String? {
    switch error {
    case is InferenceError: return "Add --model PATH."
    case let error as ImportError where error.lacksEntity:
      return "Add --entity NAME; or --at KEY.PATH, if the objects lie deeper."
    case let error as StoreError:
      return switch error.remedy {
      case .otherFile: "Name another file with --store; Broker creates it."
      case .model: "Add --model PATH."
      case .modelOfTheStore: "Import into a new store, or leave --model out to use the store's own."
      case .consent: "See “broker migrate --help” for how to decide; --dry-run tries it."
      case nil: nil
      }
    default: return nil
    }
  }
}

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

  /// Runs `body`. Where it was interrupted, says so, with `consequence`, and ends the command.
  static func telling<Result>(_ consequence: String? = nil, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as ImportError where error.isCancellation {
      Terminal.writeError("\(error)\n")
    } catch is CancellationError {
      Terminal.writeError("Interrupted.\(consequence.map { " \($0)" } ?? "")\n")
    }
    throw ExitCode(exitStatus)
  }

  /// Has a file removed even where there is no time to end in order.
  static func removeAtExit(_ path: String?) {
    let copy = path.flatMap { strdup($0) }
    removable.store(copy.map { UInt(bitPattern: $0) } ?? 0, ordering: .relaxed)
  }
}
