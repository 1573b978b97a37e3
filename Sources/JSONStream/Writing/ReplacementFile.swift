#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that is written beside its place and put there when it is whole. What is no file, `/dev/null` for example, is
/// written as it is.
///
/// A file that is there keeps its permissions and, where that is allowed, its owner. Where the path is a symbolic link,
/// the file that it leads to is replaced.
package final class ReplacementFile {
  package let descriptor: Int32
  private let path: String
  /// Nil if there is none.
  package let temporaryPath: String?
  private var isFinished = false

  /// - Throws: ``SourceError`` if the file cannot be written.
  package init(_ path: String) throws(SourceError) {
    let path = try Self.target(of: path)
    self.path = path
    var status = stat()
    let isThere = stat(path, &status) == 0
    if isThere, status.st_mode & S_IFMT != S_IFREG {
      temporaryPath = nil
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
    } else {
      // The name cannot be foretold, and nothing that has it already is opened.
      var template = Array("\(path).XXXXXX".utf8CString)
      descriptor = mkstemp(&template)
      temporaryPath = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    guard descriptor >= 0 else { throw SourceError(String(cString: strerror(errno))) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    guard temporaryPath != nil else { return }
    if isThere {
      if fchown(descriptor, status.st_uid, status.st_gid) != 0 { _ = fchown(descriptor, .max, status.st_gid) }
      fchmod(descriptor, status.st_mode & 0o777)
    } else {
      fchmod(descriptor, 0o666 & ~Self.mask)
    }
  }

  deinit {
    close(descriptor)
    if !isFinished, let temporaryPath { unlink(temporaryPath) }
  }

  /// Puts the file in its place.
  package func finish() throws(SourceError) {
    guard let temporaryPath else { return }
    guard rename(temporaryPath, path) == 0 else { throw SourceError(String(cString: strerror(errno))) }
    isFinished = true
  }

  /// Where symbolic links lead, whether there is a file or not.
  private static func target(of path: String) throws(SourceError) -> String {
    var path = path
    for _ in 0..<40 {
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlink(path, &buffer, buffer.count)
      guard count > 0 else { return path }
      let target = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
      path = target.hasPrefix("/") ? target : folder + target
    }
    throw SourceError(String(cString: strerror(ELOOP)))
  }

  /// The permissions that new files do not get. The system tells them only when they are set.
  private static let mask: mode_t = {
    let mask = umask(0o077)
    umask(mask)
    return mask
  }()
}
