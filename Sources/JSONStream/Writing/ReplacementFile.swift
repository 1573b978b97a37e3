import Bytes

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that is written beside its place and put there when it is whole and on the disk. What is no file, `/dev/null` for
/// example, is written as it is.
///
/// A file that is there keeps its permissions and, where that is allowed, its owner. Where the path is a symbolic link,
/// the file that it leads to is replaced. A process that is killed leaves nothing where the system has files without names;
/// elsewhere, what it leaves is removed by the next that writes to the same place.
package final class ReplacementFile {
  package let descriptor: Int32
  private let path: String
  private let kind: Kind

  private enum Kind {
    /// No file: it is written as it is.
    case place
    /// A file without a name.
    case nameless
    case named(UnfinishedFile)
  }

  /// The path of the file in the making; nil if it has none.
  package var temporaryPath: String? {
    if case .named(let file) = kind { file.path } else { nil }
  }

  /// - Throws: ``SourceError`` if the file cannot be written.
  package init(_ path: String) throws(SourceError) {
    let path = try Self.target(of: path)
    self.path = path
    var status = stat()
    let isThere = stat(path, &status) == 0
    if isThere, status.st_mode & S_IFMT != S_IFREG {
      kind = .place
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw SourceError(String(cString: strerror(errno))) }
      return
    }
    if let nameless = Self.nameless(beside: path) {
      (kind, descriptor) = (.nameless, nameless)
    } else {
      let file = try Self.translating { () throws(SystemError) in try UnfinishedFile(beside: path) }
      (kind, descriptor) = (.named(file), file.descriptor)
    }
    if isThere {
      if fchown(descriptor, status.st_uid, status.st_gid) != 0 { _ = fchown(descriptor, .max, status.st_gid) }
      fchmod(descriptor, status.st_mode & 0o777)
    } else {
      fchmod(descriptor, 0o666 & ~Self.mask)
    }
  }

  deinit {
    if case .named = kind { return }
    close(descriptor)
  }

  /// Puts the file in its place, once its bytes are on the disk.
  package func finish() throws(SourceError) {
    if case .place = kind { return }
    try Self.translating { () throws(SystemError) in
      try DurableFile.synchronize(descriptor)
      switch kind {
      case .place: return
      case .named(let file): try file.move(to: path)
      case .nameless: try nameAndMove()
      }
      try DurableFile.synchronizeFolder(of: path)
    }
  }

  private static func translating<Result>(
    _ body: () throws(SystemError) -> Result
  ) throws(SourceError) -> Result {
    do {
      return try body()
    } catch {
      throw SourceError(error.message)
    }
  }

  /// Replaces a file by a text.
  package static func write(_ text: String, to path: String) throws(SourceError) {
    let file = try ReplacementFile(path)
    var sink = DescriptorSink(descriptor: file.descriptor)
    var text = text
    let failure: SourceError? = text.withUTF8 { bytes in
      do throws(SourceError) {
        try sink.write(bytes)
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
    try file.finish()
  }

  // MARK: - Files without names

  /// A file without a name in the folder of a place; nil where the system or the file system has none, or where it could not be
  /// given a name, for which /proc is needed.
  private static func nameless(beside path: String) -> Int32? {
    #if os(Linux)
      guard access("/proc/self/fd", X_OK) == 0 else { return nil }
      // O_TMPFILE, a macro that Swift does not read.
      let temporary: Int32 = 0o20_000_000 | O_DIRECTORY
      let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
      let folder = path[..<end].isEmpty ? "." : String(path[..<end])
      let descriptor = open(folder, O_WRONLY | O_CLOEXEC | temporary, 0o600)
      return descriptor >= 0 ? descriptor : nil
    #else
      return nil
    #endif
  }

  /// Gives the file a name that nobody else has, and puts it in its place.
  private func nameAndMove() throws(SystemError) {
    #if os(Linux)
      try UnfinishedFile.name(descriptor, path)
    #endif
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
