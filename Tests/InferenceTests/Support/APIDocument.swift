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
      let value: JSONValue = try #require(JSONValue(text: text), "\(name)/\(file) is no JSON")
      values[file] = value
    }
    return values
  }

  /// Its files, those that have one list of objects cut into two: the first half of the list in one, the second in the
  /// other, with all that stands around it.
  func pages() throws -> [String: String] {
    var pages: [String: String] = [:]
    for (file, value) in try values() {
      let count = value.longestList
      guard count > 3 else {
        pages["\(name)/\(file)"] = value.text
        continue
      }
      let name = file as NSString
      for (number, range) in [0..<count / 2, count / 2..<count].enumerated() {
        let page = "\(self.name)/\(name.deletingPathExtension)-\(number + 1).\(name.pathExtension)"
        pages[page] = value.keeping(range, ofListsOf: count).text
      }
    }
    return pages
  }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0 != "expert.txt" && !$0.hasPrefix(".") }
  }
}

extension JSONValue {
  /// The value as JSON.
  fileprivate var text: String { String(decoding: JSONWriter.bytes { $0.value(self) }, as: UTF8.self) }

  /// How many objects the longest list has that stands in no other list.
  fileprivate var longestList: Int {
    switch self {
    case .array(let elements):
      let objects = elements.filter { if case .object = $0 { true } else { false } }
      if objects.count == elements.count { return objects.count }
      // Behind a head there may be the rows.
      return elements.map { if case .array = $0 { $0.longestList } else { 0 } }.max() ?? 0
    case .object(let members): return members.values.map(\.longestList).max() ?? 0
    default: return 0
    }
  }

  /// The value with a part of those of its lists that have so many objects.
  fileprivate func keeping(_ range: Range<Int>, ofListsOf count: Int) -> JSONValue {
    switch self {
    case .array(let elements) where elements.count == count && longestList == count:
      .array(Array(elements[range]))
    case .array(let elements): .array(elements.map { $0.keeping(range, ofListsOf: count) })
    case .object(let members): .object(members.mapValues { $0.keeping(range, ofListsOf: count) })
    default: self
    }
  }
}
