#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that is written beside its place and put there when it is whole. What is no file, `/dev/null` for
/// example, is written as it is.
final class OutputFile {
  let descriptor: Int32
  private let path: String
  private let temporary: String?
  private var isFinished = false

  init(_ path: String) throws {
    self.path = path
    var status = stat()
    let isSpecial = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    temporary = isSpecial ? nil : "\(path).\(getpid())"
    descriptor = open(temporary ?? path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw CleanError("\(path) cannot be written: \(String(cString: strerror(errno))).")
    }
  }

  deinit {
    close(descriptor)
    if !isFinished, let temporary { unlink(temporary) }
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
    isFinished = true
    guard let temporary else { return }
    guard rename(temporary, path) == 0 else {
      throw CleanError("\(path) cannot be written: \(String(cString: strerror(errno))).")
    }
  }
}
