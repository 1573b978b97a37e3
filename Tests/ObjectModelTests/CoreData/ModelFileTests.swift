import Foundation
import ObjectModel
import Testing

@Suite("Where models are read from")
struct ModelFileTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// A bundle whose versions each have one entity, named after the version.
  private func bundle(versions: [String], current: String?) throws -> URL {
    for version in versions {
      try directory.write(
        coreData("<entity name='\(version)'/>"), to: "M.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    if let current { try directory.write(current, to: "M.xcdatamodeld/.xccurrentversion") }
    return directory.url.appendingPathComponent("M.xcdatamodeld")
  }

  private static func currentVersion(_ name: String) -> String {
    plist("<key>_XCCurrentVersionName</key><string>\(name)</string>")
  }

  private static func plist(_ members: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0"><dict>\(members)</dict></plist>
    """
  }

  @Test("a bundle's current version need not be the last")
  func currentVersion() throws {
    let url = try bundle(versions: ["M", "M 2", "M 3"], current: Self.currentVersion("M 2.xcdatamodel"))
    #expect(try Model(contentsOf: url).entities.map(\.name) == ["M 2"])
  }

  @Test("the only version is current", arguments: [nil, plist("")])
  func onlyVersion(current: String?) throws {
    let url = try bundle(versions: ["M"], current: current)
    #expect(try Model(contentsOf: url).entities.map(\.name) == ["M"])
  }

  @Test("several versions and none current: the error lists them", arguments: [nil, plist("")])
  func severalVersions(current: String?) throws {
    let url = try bundle(versions: ["M", "M 2"], current: current)
    let message = failure { try Model(contentsOf: url) }
    #expect(message.contains("“M 2.xcdatamodel”, “M.xcdatamodel”; name the path"))
  }

  @Test(
    ".xccurrentversion can't lead out of the bundle",
    arguments: ["../Other.xcdatamodel", "/etc/passwd", "..", "a/../../b", "a\\b"])
  func escapes(name: String) throws {
    let url = try bundle(versions: ["M"], current: Self.currentVersion(name))
    try directory.write(coreData("<entity name='Other'/>"), to: "Other.xcdatamodel/contents")
    #expect(failure { try Model(contentsOf: url) }.contains("no name of a version in this bundle"))
  }

  @Test("a bundle that contradicts itself")
  func brokenBundles() throws {
    let url = try bundle(versions: ["M"], current: Self.currentVersion("N.xcdatamodel"))
    #expect(failure { try Model(contentsOf: url) }.contains("but the bundle has “M.xcdatamodel”"))
    try directory.write("<plist", to: "M.xcdatamodeld/.xccurrentversion")
    #expect(failure { try Model(contentsOf: url) }.contains(".xccurrentversion is not a property list"))
    let empty = directory.url.appendingPathComponent("Empty.xcdatamodeld")
    try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
    #expect(failure { try Model(contentsOf: empty) }.contains("the bundle contains no .xcdatamodel"))
  }

  @Test("a version directory, its contents file, and the JSON form")
  func otherForms() throws {
    let contents = try directory.write(coreData("<entity name='E'/>"), to: "V.xcdatamodel/contents")
    #expect(try Model(contentsOf: contents).entities.map(\.name) == ["E"])
    #expect(try Model(contentsOf: contents.deletingLastPathComponent()).entities.map(\.name) == ["E"])
    let json = try directory.write(#"{"entities": [{"name": "E"}]}"#, to: "m.json")
    #expect(try Model(contentsOf: json).entities.map(\.name) == ["E"])
  }

  @Test("what is no model says what it is")
  func notModels() throws {
    let missing = directory.url.appendingPathComponent("missing.xcdatamodeld")
    #expect(failure { try Model(contentsOf: missing) } == "\(missing.path): no such file or directory")
    let message = failure { try Model(contentsOf: directory.url) }
    #expect(message.contains("not a model: the directory contains neither"))
    let text = try directory.write("hello", to: "hello.txt")
    #expect(failure { try Model(contentsOf: text) }.contains("neither XML nor JSON"))
    let empty = try directory.write("", to: "empty.xcdatamodel/contents")
    #expect(failure { try Model(contentsOf: empty) }.contains("the file is empty"))
  }

  @Test("binary models say how to convert them")
  func binaryModels() throws {
    let elements = try directory.write("bplist00", to: "Old.xcdatamodel/elements")
    for url in [elements, elements.deletingLastPathComponent()] {
      #expect(failure { try Model(contentsOf: url) }.contains("open it in Xcode"))
    }
    let contents = try directory.write("bplist00", to: "Older.xcdatamodel/contents")
    #expect(failure { try Model(contentsOf: contents) }.contains("open it in Xcode"))
  }

  @Test("an error names the file and the line")
  func place() throws {
    let url = try directory.write(
      coreData("<entity name='E'>\n<attribute name='a' attributeType='X'/></entity>"),
      to: "V.xcdatamodel/contents")
    let message = failure { try Model(contentsOf: url.deletingLastPathComponent()) }
    #expect(message.hasPrefix("\(url.path):4: E.a: “X” is not an attribute type"))
  }
}
