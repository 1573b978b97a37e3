import Foundation

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
      // Who writes may have removed the log since it was seen.
      guard !FileManager.default.fileExists(atPath: source), !source.hasSuffix(".sqlite") else { throw error }
      return
    }
    // The copy has the permissions of the file, and is to be opened for writing.
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target)
  }
}
