import Foundation
import Testing

/// The README's program and what it prints.
@Suite struct ReadmeTests {
  /// The blocks of the section “In Swift”.
  private func blocks() throws -> [Block] {
    let text = try Repository.text("README.md")
    let start = try #require(text.range(of: "\n## In Swift\n")).upperBound
    let end = text[start...].range(of: "\n## ")?.lowerBound ?? text.endIndex
    return Block.all(in: String(text[start..<end]))
  }

  @Test func theProgramIsTheExample() throws {
    let program = try #require(try blocks().first { $0.language == "swift" })
    #expect(program.text == (try Repository.text("Examples/Swift/Bands.swift")))
  }

  @Test func itPrintsWhatIsSaid() throws {
    let printed = try #require(try blocks().first { $0.language == "console" })
    let lines = printed.lines.drop { $0.hasPrefix("$ ") }
    let output = try Example.run()
    #expect(output.error == "")
    #expect(output.status == 0)
    #expect(output.output == lines.joined(separator: "\n") + "\n")
  }
}

/// A run of the README's program.
struct Example {
  var status: Int32
  var output: String
  var error: String

  static func run() throws -> Example {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // Files, since pipes that fill up would block it.
    let outputs = ["out", "err"].map { folder.appending(path: $0) }
    for url in outputs { try Data().write(to: url) }
    let process = Process()
    process.executableURL = executable
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: outputs[0])
    process.standardError = try FileHandle(forWritingTo: outputs[1])
    try process.run()
    process.waitUntilExit()
    return Example(
      status: process.terminationStatus,
      output: try String(contentsOf: outputs[0], encoding: .utf8),
      error: try String(contentsOf: outputs[1], encoding: .utf8))
  }

  /// It lies beside the tests' own bundle.
  private static var executable: URL {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    return (bundle?.deletingLastPathComponent() ?? Bundle.main.bundleURL).appending(path: "BandsExample")
  }
}
