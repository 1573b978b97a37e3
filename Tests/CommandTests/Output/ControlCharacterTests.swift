import Foundation
import Testing

/// Control characters in data, which a terminal would obey.
@Suite("Control characters")
struct ControlCharacterTests {
  private let folder: Folder
  /// An escape, a bell, DEL, a command of one character, and a change of direction.
  private static let controlCharacters = "\u{1B}]0;x\u{7}\u{7F}\u{9B}2J\u{202E}"
  private static let shown = #"\u{1B}]0;x\u{7}\u{7F}\u{9B}2J\u{202E}"#

  init() throws {
    folder = try Folder()
    try folder.makeStore()
  }

  private func json(_ object: [String: Any]) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: [object]), as: UTF8.self)
  }

  private func isHarmless(_ outcome: Outcome) -> Bool {
    !(outcome.output + outcome.error).unicodeScalars.contains {
      ($0.value < 0x20 && $0 != "\n") || (0x7F...0x9F).contains($0.value)
        || (0x202A...0x202E).contains($0.value)
    }
  }

  private func isShown(_ arguments: [String], _ object: [String: Any], status: Int32) throws {
    let outcome = try broker(arguments, input: json(object), in: folder)
    #expect(outcome.status == status, "\(outcome)")
    #expect(isHarmless(outcome), "\(outcome)")
    #expect((outcome.output + outcome.error).contains(Self.shown), "\(outcome)")
  }

  private let into = ["import", "-", "--entity", "Shop", "--store", "store.sqlite"]

  @Test("are seen in reports of issues, of keys and of references")
  func reports() throws {
    let value = Self.controlCharacters
    try isShown(into, ["id": value], status: 3)
    try isShown(into, ["id": 5, "name": "A", value: 1], status: 0)
    try isShown(into + ["--strict"], ["id": value], status: 1)
    try isShown(into + ["--dry-run"], ["id": 6, "name": "B", "floors": value], status: 3)
    let document = String(try json([value: [["id": 1]]]).dropFirst().dropLast())
    let outcome = try broker("import", "-", "--store", "store.sqlite", input: document, in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.error.contains(Self.shown))
    #expect(isHarmless(outcome))
  }

  @Test("are seen in explanations")
  func explanations() throws {
    try isShown(
      ["explain", "-", "--entity", "Shop", "--store", "store.sqlite"], ["id": 5, Self.controlCharacters: 1],
      status: 0)
    try isShown(
      ["explain", "-", "--entity", "Shop", "--store", "store.sqlite"], ["id": Self.controlCharacters],
      status: 0)
  }

  @Test("are seen in tables, and come as they are for programs")
  func tables() throws {
    let name = "A\nB" + Self.controlCharacters
    #expect(try broker(into, input: json(["id": 9, "name": name]), in: folder).status == 0)
    let query = ["query", "Shop", "--id", "9", "--select", "name", "--store", "store.sqlite"]
    let table = try broker(query, in: folder)
    #expect(isHarmless(table))
    #expect(table.output.contains("A⏎B" + Self.shown))
    let lines = try broker(query + ["--format", "lines"], in: folder)
    let read = try JSONDecoder().decode([String: String].self, from: Data(lines.output.utf8))
    #expect(read == ["name": name])
    let csv = try broker(query + ["--format", "csv"], in: folder)
    #expect(csv.output == "name\r\n\"\(name)\"\r\n")
  }

  @Test("are seen in what is said of models, arguments and files")
  func models() throws {
    let value = Self.controlCharacters
    try folder.write(
      json(["name": value]).dropFirst().dropLast().description, to: "m.json")
    for arguments in [
      ["model", "show", "m.json"], ["query", value, "--store", "store.sqlite"],
      ["query", "Shop", "--store", "none\(value)"], ["model", "show", "none\(value)"],
      ["export", "Shop", "--store", "store.sqlite", "--id", value],
    ] {
      let outcome = try broker(arguments, in: folder)
      #expect(outcome.status != 0)
      #expect(isHarmless(outcome), "\(outcome)")
    }
    try folder.write(
      #"{"entities": [{"name": "E", "attributes": [{"name": "a", "type": "string", "defaultValue": "\u001b[2J"}]}]}"#,
      to: "d.json")
    #expect(isHarmless(try broker("model", "show", "d.json", in: folder)))
  }

  @Test(
    "are escaped in JSON that goes to a terminal",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script")))
  func terminal() throws {
    #expect(try broker(into, input: json(["id": 9, "name": Self.controlCharacters]), in: folder).status == 0)
    for command in [
      "export Shop --id 9 --store store.sqlite",
      "query Shop --id 9 --select name --format json --store store.sqlite",
      "query Shop --id 9 --select name --format csv --store store.sqlite",
    ] {
      let output = try folder.terminal(command)
      #expect(!output.contains("\u{1B}]0") && !output.contains("\u{9B}"), "\(output)")
      #expect(output.uppercased().contains("1B]0;X") || output.contains("1B}]0;x"), "\(output)")
    }
  }
}

extension Folder {
  /// What a command writes to a terminal.
  func terminal(_ command: String) throws -> String {
    let arguments = try command.split(separator: " ").map { word in
      try "'\(storesElsewhere?.address(String(word)) ?? String(word))'"
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/script")
    process.arguments = [
      "-qec", "'\(RunningBroker.executable.path)' \(arguments.joined(separator: " "))", "/dev/null",
    ]
    process.currentDirectoryURL = url
    let output = url(".terminal")
    try Data().write(to: output)
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return String(decoding: try Data(contentsOf: output), as: UTF8.self)
  }
}
