import Foundation
import ObjectModel
import SwiftForm
import TestSettings
import Testing

/// The types that are made from models compile, and describe the same models.
@Suite struct GeneratedTypesTests {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static func models() throws -> [Model] {
    let real = root.appendingPathComponent("Tests/RealDataTests/Models")
    return [
      try SampleModels.everything(),
      try SampleModels.names(),
      try Model(contentsOf: real.appendingPathComponent("Catalog.json")),
      try Model(contentsOf: real.appendingPathComponent("Twitter.json")),
      try Model(contentsOf: root.appendingPathComponent("Examples/Bands/Bands.xcdatamodeld")),
    ]
  }

  /// Builds a package with a program for each model, which prints the model of its types.
  @Test(.enabled(if: Seeds.isLong)) func theyDescribeTheSameModel() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let models = try Self.models()
    for (number, model) in models.enumerated() {
      let code = try SwiftCode(model, isPublic: number == 1)
      let sources = folder.appendingPathComponent("Sources/Model\(number)")
      try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
      for file in code.files {
        try Data(file.text.utf8).write(to: sources.appendingPathComponent(file.name))
      }
      let names = code.types.map { "\($0.name).self" }.joined(separator: ", ")
      let main = "import Broker\n\nprint(try Model(describing: \(names)).json())\n"
      try Data(main.utf8).write(to: sources.appendingPathComponent("main.swift"))
    }
    try Data(Self.manifest(models.count).utf8).write(to: folder.appendingPathComponent("Package.swift"))
    // The versions of dependencies that are there already.
    let versions = Self.root.appendingPathComponent("Package.resolved")
    if FileManager.default.fileExists(atPath: versions.path) {
      try FileManager.default.copyItem(at: versions, to: folder.appendingPathComponent("Package.resolved"))
    }
    for (number, model) in models.enumerated() {
      let output = try Self.run(
        "swift", "run", "--package-path", folder.path, "--scratch-path",
        Self.root.appendingPathComponent(".build/outside").path, "Model\(number)")
      let described = try Model(json: Data(output.utf8))
      #expect(try ModelFacts.of(described) == ModelFacts.of(model))
    }
  }

  private static func manifest(_ count: Int) -> String {
    let targets = (0..<count).map {
      #".executableTarget(name: "Model\#($0)", dependencies: [.product(name: "Broker", package: "Broker")])"#
    }
    return """
      // swift-tools-version: 6.1
      import PackageDescription

      let package = Package(
        name: "Generated", platforms: [.macOS(.v15)],
        dependencies: [.package(name: "Broker", path: "\(root.path)")],
        targets: [\(targets.joined(separator: ", "))],
        swiftLanguageModes: [.v6])
      """
  }

  /// Runs a program and returns its output.
  private static func run(_ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    let output = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data().write(to: output)
    defer { try? FileManager.default.removeItem(at: output) }
    process.standardOutput = try FileHandle(forWritingTo: output)
    try process.run()
    process.waitUntilExit()
    let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
    #expect(process.terminationStatus == 0, "\(text)")
    return text
  }
}
