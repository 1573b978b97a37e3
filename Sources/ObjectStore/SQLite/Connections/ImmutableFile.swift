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
