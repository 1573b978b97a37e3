import Foundation
import JSONStream
import Mapping
import Testing

/// Documents in the shape of a service's answers, and the model that an expert makes of them.
struct APIDocument: CustomTestStringConvertible, Sendable {
  let name: String
  private let folder: URL

  static let all: [APIDocument] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
    return names.filter { !$0.hasPrefix(".") }.sorted().map(APIDocument.init)
  }()

  private static let root = Bundle.module.bundleURL.appendingPathComponent("APIs")

  init(_ name: String) {
    self.name = name
    folder = Self.root.appendingPathComponent(name)
  }

  var testDescription: String { name }

  /// Its files, as a folder of them is imported.
  func sources() throws -> [ImportSource] { try ImportSource.files(folder.path) }

  func expert() throws -> ExpertModel {
    let text = try String(contentsOf: folder.appendingPathComponent("expert.txt"), encoding: .utf8)
    return try ExpertModel(text, files: files())
  }

  /// What the files hold, by their names.
  func values() throws -> [String: JSONValue] {
    var values: [String: JSONValue] = [:]
    for file in try files() {
      let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      values[file] = try #require(JSONValue(text: text), "\(name)/\(file) is no JSON")
    }
    return values
  }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0 != "expert.txt" && !$0.hasPrefix(".") }
  }
}
