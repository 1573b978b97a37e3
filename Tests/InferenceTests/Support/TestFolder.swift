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

  /// Makes a symbolic link in the folder.
  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: url.appendingPathComponent(name).path, withDestinationPath: target)
  }

  /// All files of the folder.
  func sources(below path: String = "") throws -> [ImportSource] { try ImportSource.files(url.path + path) }

  /// One of them.
  func source(_ name: String) -> ImportSource { .file(url.path + "/" + name) }
}
