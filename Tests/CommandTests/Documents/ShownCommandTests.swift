import Foundation
import Testing

/// The commands that documents show print what these show.
@Suite("the commands that documents show")
struct ShownCommandTests {
  private static let documents = [
    "README.md", "docs/COMMAND.md", "Sources/Broker/Broker.docc/ComingFromSQLiteUtils.md",
    "Sources/Broker/Broker.docc/ComingFromDlt.md",
  ]

  /// A command that a block shows, and what it prints.
  private struct Shown {
    var command: String
    var output: [String] = []
  }

  private static let package: URL = {
    var package = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { package.deleteLastPathComponent() }
    return package
  }()

  /// All of the blocks that are marked as a console.
  private func shown(in document: String) throws -> [Shown] {
    let text = try String(contentsOf: Self.package.appendingPathComponent(document), encoding: .utf8)
    var shown: [Shown] = []
    var isInBlock = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInBlock = line == "```console"
      } else if isInBlock, line.hasPrefix("$ ") {
        shown.append(Shown(command: String(line.dropFirst(2))))
      } else if isInBlock, !shown.isEmpty {
        shown[shown.count - 1].output.append(String(line))
      }
    }
    return shown
  }

  /// What is the same each time: no times, and no spaces or empty lines at ends.
  private func essence(_ lines: [String]) -> [String] {
    var lines = lines.map { line in
      var line = line.replacing(/in [0-9.]+ m?s\b/, with: "in TIME")
      while line.last == " " { line.removeLast() }
      return line
    }
    while lines.last == "" { lines.removeLast() }
    return lines
  }

  /// Whether lines are what is shown. `…` at the end of a line stands for the rest of it, alone for any lines.
  private func matches(_ lines: ArraySlice<String>, _ shown: ArraySlice<String>) -> Bool {
    guard let pattern = shown.first else { return lines.isEmpty }
    if pattern.trimmingCharacters(in: .whitespaces) == "…" {
      return (lines.startIndex...lines.endIndex).contains { matches(lines[$0...], shown.dropFirst()) }
    }
    guard let line = lines.first else { return false }
    let isSame = pattern.hasSuffix("…") ? line.hasPrefix(pattern.dropLast()) : line == pattern
    return isSame && matches(lines.dropFirst(), shown.dropFirst())
  }

  @Test("print what is shown", arguments: documents)
  func commands(_ document: String) throws {
    let folder = try Folder()
    for name in ["bands.json", "albums.jsonl", "ramones.json"] {
      try folder.write(try Data(contentsOf: URL(fileURLWithPath: "\(Folder.bands)/\(name)")), to: name)
    }
    try FileManager.default.copyItem(
      atPath: "\(Folder.bands)/Bands.xcdatamodeld", toPath: folder.path("Bands.xcdatamodeld"))
    let bin = RunningBroker.executable.deletingLastPathComponent().path
    var count = 0
    for shown in try shown(in: document) {
      if shown.command.hasPrefix("cat ") {
        try folder.write(shown.output.joined(separator: "\n"), to: String(shown.command.dropFirst(4)))
      }
      guard shown.command.hasPrefix("broker ") else { continue }
      count += 1
      let outcome = try Tool.run("bash", ["-c", "PATH='\(bin)':$PATH; \(shown.command) 2>&1"], in: folder)
      // Lines of CSV end as RFC 4180 says.
      let printed = essence(outcome.output.replacing("\r\n", with: "\n").components(separatedBy: "\n"))
      let expected = essence(shown.output)
      #expect(matches(printed[...], expected[...]), "\(shown.command)\n\(printed.joined(separator: "\n"))")
    }
    #expect(count > 1)
  }
}
