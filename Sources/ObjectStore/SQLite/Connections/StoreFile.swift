import Foundation
import GRDB

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

  /// Whether it has one byte. SQLite takes such a file for an empty one (`unixFileSize` of its sources) and would write
  /// over it.
  var hasOneByte: Bool { status.map { $0.st_mode & S_IFMT == S_IFREG && $0.st_size == 1 } ?? false }

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

  /// A mark that differs once something was written to the file.
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

/// Says that a file that holds nothing yet is open, or about to be opened, by a shared lock on its folder.
///
/// SQLite cannot tell this: between the opening of a file and the first look into it there is no lock, and who has open
/// what another removes writes to nowhere. So an empty file is removed only by who can have this lock alone. Where a
/// folder cannot be locked, empty files stay.
final class CreationLock: Sendable {
  private let file: StoreFile
  private let descriptor: Int32
  /// Whether there was no file before.
  private let isNew: Bool

  init(_ file: StoreFile) {
    self.file = file
    descriptor = Self.lock(file.folder)
    isNew = !file.isThere
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  private static func lock(_ folder: String) -> Int32 {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return -1 }
    // A program that removes a file has the lock alone for an instant.
    for _ in 0..<200 {
      if flock(descriptor, LOCK_SH | LOCK_NB) == 0 { return descriptor }
      guard errno == EWOULDBLOCK || errno == EINTR else { break }
      usleep(1_000)
    }
    close(descriptor)
    return -1
  }

  /// Removes the file if it was new, is empty, and nobody else has it open. To be called once the own connections are
  /// closed.
  func removeEmptyFile() {
    guard isNew, descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return }
    file.removeIfEmpty()
    _ = flock(descriptor, LOCK_SH | LOCK_NB)
  }
}

/// A file that is read as if nobody ever wrote to it, by who may not write beside it.
///
/// To read a file in WAL mode, SQLite makes two files beside it. Who may not write the file cannot clear them away, and
/// whose the file is may not be able to open them; in a folder that may not be written, they cannot be made. So while
/// there is no log that has to be read, the file alone is read, and looked at afterwards. It stays consistent until
/// somebody moves his log into it.
struct ImmutableFile: Sendable {
  private let file: StoreFile
  private let fingerprint: StoreFile.Fingerprint?

  init(_ file: StoreFile) {
    self.file = file
    fingerprint = file.fingerprint
  }

  /// Whether a reader may have to do with the file alone.
  static func isNeeded(_ file: StoreFile) -> Bool {
    guard file.isThere, !file.isWritable || !file.isFolderWritable else { return false }
    return !file.hasLog
  }

  private var hasChanged: Bool { fingerprint == nil || file.fingerprint != fingerprint }

  /// - Throws: ``StoreError`` if what was read may be of several states.
  func check() throws {
    if hasChanged { throw StoreError(.changedWhileRead(path: file.path)) }
  }

  /// Whether there is something newer to read.
  var isOutdated: Bool { hasChanged || file.hasLog }
}

/// The words for a file that cannot be read as a database.
///
/// SQLite has one code for a file that is damaged and for a disk that fails while the file is read, so nobody is told that
/// a file is damaged which may be whole.
enum CorruptFile {
  static let words =
    "the file could not be read: it is damaged, or the disk failed just now. Try again; PRAGMA integrity_check says"
    + " whether the file is whole"
}

extension DatabaseError {
  /// Why SQLite failed, as a part of a sentence.
  var reason: String {
    resultCode == .SQLITE_CORRUPT ? CorruptFile.words : message ?? "\(resultCode)"
  }
}
