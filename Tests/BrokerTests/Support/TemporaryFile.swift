import Foundation

/// A path in a new folder, which is deleted with this object.
final class TemporaryFile: Sendable {
  let url: URL

  init(_ name: String = "store.sqlite") throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    url = folder.appending(path: name)
  }

  deinit { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
}
