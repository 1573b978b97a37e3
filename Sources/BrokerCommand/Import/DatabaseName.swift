import Foundation
import ObjectStore

/// Files that are called as databases are and cannot be read as such.
enum DatabaseName {
  private static let extensions: Set = ["sqlite", "sqlite3", "db", "store"]

  /// Refuses a file whose name is that of a database and which is none, unless it looks like JSON.
  static func check(_ path: String) throws {
    guard path != "-" else { return }
    let path = HomeFolder.expanding(path)
    let suffix = path.split(separator: "/").last?.split(separator: ".").dropFirst().last ?? ""
    guard extensions.contains(suffix.lowercased()), let first = firstBytes(of: path) else { return }
    guard !CoreDataFile.isDatabase(path) else { return }
    let text = first.drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
    if let byte = text.first, byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { return }
    throw CleanError(
      first.isEmpty
        ? "\(path) is empty, so it is no SQLite file."
        : "\(path) is no SQLite file, as its name says: it is encrypted or damaged.")
  }

  /// The first bytes of a plain file; nil if it is none, or cannot be read.
  private static func firstBytes(of path: String) -> Data? {
    let url = URL(fileURLWithPath: path)
    // try?: the import itself says what cannot be read; this only asks what the first bytes are.
    guard (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile ?? false,
      // try?: as above.
      let file = try? FileHandle(forReadingFrom: url)
    else { return nil }
    defer { try? file.close() }
    // try?: as above.
    return try? file.read(upToCount: 64) ?? Data()
  }
}
