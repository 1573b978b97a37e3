import Foundation
import ModelForms
import ObjectModel

/// Schemas as files, and what is made of them.
enum Schemas {
  static func read(_ text: String, _ name: String = "schema.json") throws -> ModelReading? {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent(name)
    try Data(text.utf8).write(to: file)
    return try ModelReading(contentsOf: file)
  }

  /// What stands against a schema.
  static func message(_ text: String, _ name: String = "schema.json") -> String {
    do {
      return try read(text, name) == nil ? "no schema" : "no error"
    } catch {
      return "\(error)"
    }
  }
}
