import Foundation
import JSONStream
import ObjectModel

/// The file that `--output` names: as it was until it is whole, whatever ends the command.
final class OutputFile {
  private let path: String
  private let file: ReplacementFile

  var descriptor: Int32 { file.descriptor }

  init(_ path: String) throws {
    self.path = path
    do {
      file = try ReplacementFile(path)
    } catch {
      throw CleanError("\(path) cannot be written: \(error.message).")
    }
    Interruption.removeAtExit(file.temporaryPath)
  }

  deinit {
    Interruption.removeAtExit(nil)
  }

  /// Refuses to write over a store, or over what SQLite keeps beside it.
  static func check(_ path: String, isNot store: String) throws {
    var output = stat()
    guard stat(path, &output) == 0 else { return }
    for suffix in ["", "-wal", "-shm", "-journal"] {
      var other = stat()
      guard stat(store + suffix, &other) == 0, other.st_dev == output.st_dev, other.st_ino == output.st_ino
      else { continue }
      throw CleanError("\(path) is the store itself. Write to another file.")
    }
  }

  func finish() throws {
    do {
      try file.finish()
    } catch {
      throw CleanError("\(path) cannot be written: \(error.message).")
    }
  }
}

/// Files of text that commands write, each replaced as a whole.
enum TextFile {
  static func write(_ text: String, to path: String) throws {
    do {
      try ReplacementFile.write(text, to: path)
    } catch {
      throw CleanError("\(path) cannot be written: \(error.message).")
    }
  }

  /// Writes to a file, or to standard output if there is none.
  static func write(_ text: String, to path: String?, as form: Terminal.Form) throws {
    if let path { try write(text, to: path) } else { try Terminal.write(text, as: form) }
  }
}

/// Messages of a command beside its result, on standard error.
enum Notes {
  static func write(_ remarks: [Remark]) {
    for remark in remarks { Terminal.writeError(VisibleText.onOneLine(remark.description) + "\n") }
  }
}

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
