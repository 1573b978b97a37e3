import Foundation
import ObjectModel

/// A directory that lasts as long as a test.
final class TemporaryDirectory {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "model-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// Writes a file, with the directories on its path, and returns where it is.
  @discardableResult
  func write(_ text: String, to path: String) throws -> URL {
    try write(Data(text.utf8), to: path)
  }

  @discardableResult
  func write(_ data: Data, to path: String) throws -> URL {
    let file = url.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
    return file
  }
}

/// A Core Data file around these elements.
func coreData(_ elements: String) -> String {
  """
  <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
  <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="">
  \(elements)
  </model>
  """
}

/// The model that a Core Data file with these elements holds.
func model(_ elements: String) throws -> Model {
  try Model(coreDataXML: Data(coreData(elements).utf8))
}

/// The only attribute of the only entity that a Core Data file with this element holds.
func attribute(_ element: String) throws -> Attribute? {
  try model("<entity name='E'>\(element)</entity>").entities.first?.attributes.first
}

/// What is said about an operation that fails; nothing where it succeeds.
func failure(_ operation: () throws -> some Any) -> String {
  do {
    _ = try operation()
    return ""
  } catch {
    return String(describing: error)
  }
}
