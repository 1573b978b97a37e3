import Foundation
import GRDB
import GRDBSQLite

/// The file of a Core Data store, opened only to be read. Nothing is written to it or beside it.
///
/// A file without a log is read as it is, and looked at afterwards: if somebody wrote to it meanwhile, what was read is an
/// error. A file with a log (`-wal`) or an unfinished transaction (`-journal`) is copied with it, and the copy is read.
package final class CoreDataFile: Sendable {
  package let path: String
  private let file: StoreFile
  private let fingerprint: StoreFile.Fingerprint?
  /// The folder of the copy; nil if the file itself is read.
  private let copy: URL?
  private let database: DatabaseQueue

  /// The largest size of a text or a blob. Larger ones are an error, since a damaged file may claim any size.
  private static let longestValue: Int32 = 64 << 20

  /// - Parameter ignoresLog: Whether to look at the file alone, as of its last checkpoint, which never takes a copy.
  /// - Throws: ``StoreError`` if the file cannot be read or is no SQLite database.
  package init(path: String, ignoresLog: Bool = false) throws {
    self.path = path
    file = StoreFile(path)
    try Self.check(file, path)
    if file.hasLogOrJournal, !ignoresLog {
      let made = try CoreDataCopy(of: file, path)
      do {
        database = try Self.open(made.path, path, isCopy: true)
      } catch {
        // Nobody else knows of it.
        try? FileManager.default.removeItem(at: made.folder)
        throw error
      }
      copy = made.folder
      fingerprint = nil
    } else {
      copy = nil
      fingerprint = ignoresLog ? nil : file.fingerprint
      database = try Self.open("file:\(file.uriPath)?immutable=1", path, isCopy: false)
    }
  }

  deinit {
    try? database.close()
    if let copy { try? FileManager.default.removeItem(at: copy) }
  }

  /// Whether a file begins as SQLite databases do.
  package static func isDatabase(_ path: String) -> Bool {
    let path = StoreFile(path).path
    var status = stat()
    // A pipe is not even opened: who writes to it would find that nobody reads any more.
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    let descriptor = sysOpenToRead(path)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    var header = [UInt8](repeating: 0, count: 16)
    return pread(descriptor, &header, header.count, 0) == header.count
      && header == Array("SQLite format 3\0".utf8)
  }

  private static func check(_ file: StoreFile, _ path: String) throws {
    guard file.isThere else {
      throw StoreError(.unreadable(path: path, why: "there is no such file"))
    }
    guard access(file.path, R_OK) == 0 else {
      throw StoreError(.unreadable(path: path, why: "permission denied"))
    }
    guard isDatabase(path) else {
      throw StoreError(.notCoreData(path: path, why: "it is no SQLite database, or it is encrypted"))
    }
  }

  private static func open(_ name: String, _ path: String, isCopy: Bool) throws -> DatabaseQueue {
    var configuration = GRDB.Configuration()
    configuration.readonly = !isCopy
    configuration.foreignKeysEnabled = false
    configuration.label = "broker.coredata"
    configuration.prepareDatabase { database in
      sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_LENGTH, longestValue)
      try UntrustedFile.distrust(database)
      try database.execute(sql: "PRAGMA temp_store = FILE")
    }
    do {
      return try DatabaseQueue(path: name, configuration: configuration)
    } catch let error as DatabaseError {
      if error.resultCode == .SQLITE_NOTADB {
        throw StoreError(.notCoreData(path: path, why: "it is no SQLite database, or it is encrypted"))
      }
      throw StoreError(.unreadable(path: path, why: error.reason))
    }
  }

  /// Runs `body` on what the file holds at one moment.
  ///
  /// - Parameter isCancelled: Asked now and then; once it says true, the statement that runs ends with an error.
  /// - Throws: What `body` throws; ``StoreError`` if the file is damaged, or somebody wrote to it meanwhile;
  ///   `CancellationError`.
  package func read<Result>(
    isCancelled: @escaping @Sendable () -> Bool = { false }, _ body: (OpaquePointer) throws -> Result
  ) throws -> Result {
    do {
      return try database.unsafeReentrantRead { database in
        guard let handle = database.sqliteConnection else { throw StoreError.closed }
        let result = try Self.interruptible(handle, isCancelled) { try body(handle) }
        if let fingerprint, file.fingerprint != fingerprint || file.hasLogOrJournal {
          throw StoreError(.changedWhileRead(path: path))
        }
        return result
      }
    } catch let error as DatabaseError {
      throw StoreError(.unreadable(path: path, why: error.reason))
    } catch let error as StoreError {
      if isCancelled(), error.isGivingUp { throw CancellationError() }
      guard case .sqlite(_, let message, _) = error.kind else { throw error }
      throw StoreError(.unreadable(path: path, why: message))
    }
  }

  private static func interruptible<Result>(
    _ handle: OpaquePointer, _ isCancelled: @escaping @Sendable () -> Bool, _ body: () throws -> Result
  ) throws -> Result {
    let box = CancellationBox(isCancelled)
    sqlite3_progress_handler(
      handle, 10_000,
      { context in
        guard let context else { return 0 }
        return Unmanaged<CancellationBox>.fromOpaque(context).takeUnretainedValue().isCancelled() ? 1 : 0
      }, Unmanaged.passUnretained(box).toOpaque())
    defer { sqlite3_progress_handler(handle, 0, nil, nil) }
    return try withExtendedLifetime(box) { try body() }
  }

  private final class CancellationBox {
    let isCancelled: @Sendable () -> Bool

    init(_ isCancelled: @escaping @Sendable () -> Bool) {
      self.isCancelled = isCancelled
    }
  }
}

private func sysOpenToRead(_ path: String) -> Int32 { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }

extension StoreFile {
  /// Whether there is something beside the file that has to be read with it.
  var hasLogOrJournal: Bool {
    logSize > 0 || size(ofJournal: "-journal") > 0
  }

  private func size(ofJournal suffix: String) -> Int {
    var status = stat()
    return stat(path + suffix, &status) == 0 ? Int(status.st_size) : 0
  }
}

/// A copy of a database with its log, of one state of both.
struct CoreDataCopy {
  let folder: URL
  var path: String { folder.appendingPathComponent("store.sqlite").path }

  /// How often to try while another program writes.
  private static let attempts = 20

  /// - Throws: ``StoreError`` if it cannot be copied.
  init(of file: StoreFile, _ name: String) throws {
    let manager = FileManager.default
    folder = manager.temporaryDirectory.appendingPathComponent("broker-coredata-\(UUID().uuidString)")
    do {
      try manager.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError(
        .unreadable(
          path: name,
          why:
            "no copy of it can be made in \(manager.temporaryDirectory.path): \(SystemReason.text(of: error))"
        ))
    }
    do {
      for _ in 0..<Self.attempts {
        // The log is read after the file. Unless the file changed meanwhile, nothing of the log was moved into it, and
        // what the log has got since only adds transactions at its end, the last of which may be cut: SQLite ignores it.
        let before = file.fingerprint
        try copy(file.path, to: path)
        for suffix in ["-wal", "-journal"] where manager.fileExists(atPath: file.path + suffix) {
          try copy(file.path + suffix, to: path + suffix)
        }
        if before != nil, file.fingerprint == before { return }
        usleep(50_000)
      }
    } catch {
      try? manager.removeItem(at: folder)
      throw StoreError(
        .unreadable(path: name, why: "it cannot be copied to \(folder.path): \(SystemReason.text(of: error))")
      )
    }
    try? manager.removeItem(at: folder)
    throw StoreError(.changedWhileRead(path: name))
  }

  private func copy(_ source: String, to target: String) throws {
    try? FileManager.default.removeItem(atPath: target)
    do {
      try FileManager.default.copyItem(atPath: source, toPath: target)
    } catch {
      // Another program may have removed the log since it was seen.
      guard !FileManager.default.fileExists(atPath: source), !source.hasSuffix(".sqlite") else { throw error }
      return
    }
    // The copy has the permissions of the file, and is to be opened for writing.
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target)
  }
}
