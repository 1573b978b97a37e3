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
