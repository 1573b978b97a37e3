import Foundation
import JSONStream

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#endif

/// Standard output and standard error. All that the command says goes through here, so that control characters that
/// come from data reach no terminal.
enum Terminal {
  static let isErrorATerminal = isatty(STDERR_FILENO) == 1
  static let isOutputATerminal = isatty(STDOUT_FILENO) == 1

  /// Whether standard error is a terminal that obeys commands, for lines that are written again and again.
  static let showsProgress = isErrorATerminal && environment("TERM") != "dumb"

  /// How wide the terminal is that standard output goes to; nil if it goes elsewhere. `COLUMNS` says more than the
  /// terminal itself.
  static let columns: Int? = isOutputATerminal ? width(of: STDOUT_FILENO) : nil

  /// How wide the terminal is that standard error goes to.
  static let errorColumns = width(of: STDERR_FILENO)

  private static func width(of descriptor: Int32) -> Int {
    let (narrowest, usual) = (20, 80)
    if let said = environment("COLUMNS").flatMap({ Int($0) }), said > 0 { return max(narrowest, said) }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return usual }
    return max(narrowest, Int(size.ws_col))
  }

  private static func environment(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

  /// What an output is for.
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

  /// Where JSON goes piece by piece.
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

/// An error that is its message.
struct CleanError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
