import Foundation
import Testing

@Suite("tables on a terminal")
struct TerminalWidthTests {
  private let folder: Folder
  private static let long = String(repeating: "Word ", count: 40)

  init() throws {
    folder = try Folder()
    try folder.makeStore()
  }

  /// Shops with names that are long, wide and made of several characters, and with control characters.
  private func addShops() throws {
    let shops = """
      [{"id": 3, "name": "\(Self.long)", "floors": 3, "opened": "1976-02-23", "rating": 4.5},
       {"id": 4, "name": "日本語の長い店の名前がここにあります。東京都渋谷区のレコード店"},
       {"id": 5, "name": "👩‍👩‍👧‍👦 🇯🇵 e\u{301}clair ❤️ 한국"},
       {"id": 6, "name": "a\\u001b[31mred\\tb"}]
      """
    #expect(
      try broker("import", "-", "--store", "store.sqlite", "--entity", "Shop", input: shops, in: folder)
        .status == 0)
  }

  /// The columns that a line takes, counted by simpler rules than those of the command.
  private func width(_ line: some StringProtocol) -> Int {
    line.reduce(0) { sum, character in
      let scalars = character.unicodeScalars
      let value = scalars.first?.value ?? 0
      let isWide =
        (0x1100...0xFFFF).contains(value) && !(0x2000...0x2E7F).contains(value)
        || value > 0x1F000 || scalars.contains { $0.value == 0xFE0F }
      return sum + (isWide ? 2 : 1)
    }
  }

  private static let commands = [
    ["query", "Shop", "--store", "store.sqlite"],
    ["info", "store.sqlite"],
    ["model", "show", "model.json"],
    ["import", "more.json", "--store", "store.sqlite", "--entity", "Shop"],
    ["explain", "more.json", "--store", "store.sqlite", "--entity", "Shop"],
  ]

  @Test("are no wider than it", arguments: commands, [40, 80, 200] as [UInt16])
  func widths(_ arguments: [String], _ columns: UInt16) throws {
    try addShops()
    try folder.write(#"[{"id": 7, "name": "x", "flors": 1, "records": [{"id": 1}]}]"#, to: "more.json")
    let run = try TerminalRun(arguments, columns: columns, in: folder)
    #expect(run.status == 0)
    // What is no table is broken into lines by the terminal itself.
    let isSentence = { (line: Substring) in
      line.hasPrefix("No room for") || line.contains("did you mean") || line.hasPrefix("Imported")
    }
    for line in run.lines where !isSentence(line) {
      #expect(width(line) <= Int(columns), "\(line)")
    }
  }

  @Test("shorten long texts, and numbers last")
  func shortening() throws {
    try addShops()
    let run = try TerminalRun(
      ["query", "Shop", "--store", "store.sqlite", "--select", "id,name,floors", "--sort", "id"], columns: 40,
      in: folder)
    #expect(
      run.output == """
        id  name                          floors
        ──  ────────────────────────────  ──────
         1  Rough Trade                        2
         2  Amoeba                             1
         3  Word Word Word Word Word Wo…       3
         4  日本語の長い店の名前がここ…
         5  👩‍👩‍👧‍👦 🇯🇵 e\u{301}clair ❤️ 한국
         6  a\\u{1B}[31mred b

        """)
  }

  @Test("leave columns out where there is no room for all, and say so")
  func missingColumns() throws {
    let run = try TerminalRun(["query", "Shop", "--store", "store.sqlite"], columns: 20, in: folder)
    #expect(run.lines.first == "id  name         flo" || run.lines.first?.hasPrefix("id  name") == true)
    #expect(run.output.contains("No room for "))
    #expect(run.output.contains("rating. --select names columns, --format lines shows all."))
  }

  @Test("COLUMNS says how wide it is; a terminal that does not tell has 80")
  func widthOfTheTerminal() throws {
    try addShops()
    let arguments = ["query", "Shop", "--store", "store.sqlite", "--select", "id,name"]
    func longest(_ run: TerminalRun) -> Int { run.lines.map(\.count).max() ?? 0 }
    #expect(longest(try TerminalRun(arguments, columns: 0, in: folder)) == 80)
    #expect(longest(try TerminalRun(arguments, columns: 100, in: folder)) == 100)
    #expect(
      longest(try TerminalRun(arguments, columns: 100, environment: ["COLUMNS": "60"], in: folder)) == 60)
    #expect(
      longest(try TerminalRun(arguments, columns: 100, environment: ["COLUMNS": "x"], in: folder)) == 100)
  }

  @Test("are as wide as they need to be elsewhere")
  func files() throws {
    try addShops()
    let outcome = try broker("query", "Shop", "--store", "store.sqlite", "--id", "3", in: folder)
    #expect(outcome.output.contains(Self.long.trimmingCharacters(in: .whitespaces)))
    #expect(!outcome.output.contains("…"))
    let explained = try broker(
      "explain", "-", "--store", "store.sqlite", "--entity", "Shop",
      input: #"{"id": 1, "\#(String(repeating: "k", count: 60))": 1}"#, in: folder)
    #expect(explained.output.contains(String(repeating: "k", count: 60)))
  }

  @Test("errors and tables have no colours and no other commands for the terminal")
  func colour() throws {
    let arguments = ["query", "Shop", "--store", "nothing.sqlite"]
    let run = try TerminalRun(arguments, columns: 80, errorsOnly: true, in: folder)
    #expect(run.output.hasPrefix("Error: There is no store"))
    for arguments in [arguments] + Self.commands.prefix(3) {
      #expect(try !TerminalRun(arguments, columns: 80, in: folder).output.contains("\u{1B}"), "\(arguments)")
    }
  }

  @Test("are not filled with spaces as wide as one very long value")
  func veryLongValues() throws {
    let long = String(repeating: "x", count: 50_000)
    let shops =
      "[{\"id\": 3, \"name\": \"\(long)\"}, "
      + (4..<104).map { "{\"id\": \($0), \"name\": \"y\"}" }.joined(separator: ", ") + "]"
    let arguments = ["import", "-", "--store", "store.sqlite", "--entity", "Shop"]
    #expect(try broker(arguments, input: shops, in: folder).status == 0)
    let outcome = try broker("query", "Shop", "--store", "store.sqlite", in: folder)
    #expect(outcome.output.contains(long))
    #expect(outcome.output.utf8.count < 50_000 + 103 * 1_000)
    #expect(!outcome.output.contains(" \n"))
  }
}
