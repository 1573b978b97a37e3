import Foundation

/// A store's file, looked at without SQLite, which would wait for whoever has it locked.
///
/// Only `stat` and the journal are used. To open and close the file itself would end the locks that SQLite has on it
/// in this process.
struct StoreFile: Sendable, Hashable {
  /// The whole path, with symbolic links followed, as SQLite does it.
  let path: String

  /// - Parameter path: A path, never a URI, which may begin with `~`.
  init(_ path: String) {
    let whole = HomeFolder.expanding(path)
    let base = FileManager.default.currentDirectoryPath
    var found = whole.hasPrefix("/") ? whole : (base.hasSuffix("/") ? base : base + "/") + whole
    // A link whose target is not there has none by realpath. SQLite creates that target.
    for _ in 0..<40 {
      // try?: what is no link is the path itself, and SQLite fails to open what cannot be read.
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: found) else { break }
      let folder = found.prefix(upTo: found.lastIndex(of: "/") ?? found.startIndex)
      found = target.hasPrefix("/") ? target : "\(folder)/\(target)"
    }
    self.path = found
  }

  /// The path as a part of a URI.
  var uriPath: String {
    path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
  }

  var folder: String {
    let end = path.lastIndex(of: "/") ?? path.startIndex
    return end == path.startIndex ? "/" : String(path[..<end])
  }

  private var journal: String { path + "-journal" }

  private var status: stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  var isThere: Bool { status != nil }

  /// Whether nothing was ever committed to it: it is not there, it is empty, or the journal of its first transaction is
  /// there, which goes with the commit.
  var isBlank: Bool {
    guard let status else { return errno == ENOENT }
    guard status.st_mode & S_IFMT == S_IFREG else { return false }
    return status.st_size == 0 || hasJournalOfFirstTransaction
  }

  /// The header of a journal: eight fixed bytes, eight others, and the count of pages that the file had before.
  private var hasJournalOfFirstTransaction: Bool {
    let descriptor = open(journal, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var header = [UInt8](repeating: 0, count: 20)
    guard pread(descriptor, &header, header.count, 0) == header.count else { return false }
    return header.prefix(8) == [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
      && header.suffix(4).allSatisfy { $0 == 0 }
  }

  /// Removes a file that is empty, and a journal of no transaction beside it. To be called only while nobody else can
  /// have it open.
  func removeIfEmpty() {
    guard let status, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 else { return }
    unlink(path)
    unlink(journal)
  }

  // MARK: - Permissions

  /// The obstacle that keeps the file from being opened, as a part of a sentence; nil if that cannot be told.
  var obstacle: String? {
    if isThere {
      if access(path, R_OK) != 0 { return String(cString: strerror(errno)) }
      guard isFolderWritable else {
        return "nothing may be written in \(folder), where SQLite keeps a log beside the file"
      }
    } else if access(folder, W_OK) != 0 {
      return "no file may be made in \(folder): \(String(cString: strerror(errno)))"
    }
    let probe = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard probe >= 0 else { return String(cString: strerror(errno)) }
    close(probe)
    return nil
  }

  var isWritable: Bool { access(path, W_OK) == 0 }
  var isFolderWritable: Bool { access(folder, W_OK) == 0 }

  /// Whether somebody has the file open in WAL mode, or left what has to be read with it.
  var hasLog: Bool {
    var status = stat()
    return stat(path + "-wal", &status) == 0 && (status.st_size > 0 || stat(path + "-shm", &status) == 0)
  }

  /// The bytes of the file; nil if it is not there.
  var size: Int? { status.map { Int($0.st_size) } }

  /// The bytes of the log beside the file.
  var logSize: Int {
    var status = stat()
    return stat(path + "-wal", &status) == 0 ? Int(status.st_size) : 0
  }

  // MARK: - Changes

  /// What differs once something was written to the file.
  struct Fingerprint: Hashable {
    private let numbers: [Int64]

    fileprivate init(_ status: stat) {
      #if canImport(Darwin)
        let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
      #else
        let (modified, changed) = (status.st_mtim, status.st_ctim)
      #endif
      numbers = [
        Int64(status.st_ino), Int64(status.st_size), Int64(modified.tv_sec), Int64(modified.tv_nsec),
        Int64(changed.tv_sec), Int64(changed.tv_nsec),
      ]
    }
  }

  /// Nil if the file is not there.
  var fingerprint: Fingerprint? { status.map { Fingerprint($0) } }
}

/// `~` at the beginning of a path, which a shell expands only where the path is a word of its own.
package enum HomeFolder {
  package static func expanding(_ path: String) -> String {
    // The home folder itself is no file: what is called just ~ is a file of that name.
    guard path.hasPrefix("~/") else { return path }
    return NSHomeDirectory() + path.dropFirst()
  }
}
