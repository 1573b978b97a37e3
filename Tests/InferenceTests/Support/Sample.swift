import Foundation
import Inference
import Mapping
import Testing

/// The JSON of a service, and the model that somebody would write for it.
struct Sample: CustomTestStringConvertible, Sendable {
  let name: String
  private let folder: URL

  static let all: [Sample] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
    return names.filter { !$0.hasPrefix(".") }.sorted().map(Sample.init)
  }()

  private static let root = Bundle.module.bundleURL.appendingPathComponent("Samples")

  init(_ name: String) {
    self.name = name
    folder = Self.root.appendingPathComponent(name)
  }

  var testDescription: String { name }

  /// Its files of JSON and tables.
  func sources() throws -> [ImportSource] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return names.filter { $0 != "expected.txt" && !$0.hasPrefix(".") }.sorted().map {
      .file(folder.appendingPathComponent($0).path)
    }
  }

  /// What the model is to say, a line for each identity and each relationship: `Album: id`,
  /// `Band.albums => Album, band`.
  func expected() throws -> [String] {
    let text = try String(contentsOf: folder.appendingPathComponent("expected.txt"), encoding: .utf8)
    return text.split(separator: "\n").map(String.init)
  }
}
