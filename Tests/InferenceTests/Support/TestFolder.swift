import Foundation
import Mapping

/// A folder of JSON that is gone after use.
final class TestFolder {
  private let url: URL

  init(_ files: [String: String]) throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("folder-\(UUID().uuidString)")
      .appendingPathComponent("data")
    try add(files)
  }

  deinit { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }

  /// Writes files, by their paths in the folder.
  func add(_ files: [String: String]) throws {
    for (name, json) in files {
      let file = url.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(json.utf8).write(to: file)
    }
  }

  /// All files of the folder.
  func sources() throws -> [ImportSource] { try ImportSource.files(url.path) }

  /// One of them.
  func source(_ name: String) -> ImportSource { .file(url.appendingPathComponent(name).path) }
}
