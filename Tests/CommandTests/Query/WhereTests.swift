import Foundation
import Testing

@Suite("--where")
struct WhereTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.makeStore()
    let outcome = try broker(
      "import", "--entity", "Record", "--store", "store.sqlite",
      input: """
        [{"id": 10, "title": "Été", "shop": 1}, {"id": 11, "title": null, "shop": 1},
         {"id": 12, "title": "Lost", "shop": 99}]
        """, in: folder)
    #expect(outcome.status == 0)
  }

  private func run(_ arguments: String...) throws -> Outcome {
    try broker(arguments + ["--store", "store.sqlite"], in: folder)
  }

  @Test(
    "query shows the objects that fulfil it",
    arguments: [
      ("Shop", "floors > 1", "1"), ("Shop", "ANY records.title ==[cd] 'ETE'", "1"),
      ("Shop", "records.@count == 0", "2"), ("Record", "shop == 1 AND title != nil", "10"),
      ("Record", "shop == nil", "12"), ("Record", "shop.name BEGINSWITH 'Rough'", "10 11"),
      ("Record", "- id < -11", "12"), ("Record", "FALSEPREDICATE", ""),
    ])
  func query(_ entity: String, _ predicate: String, _ ids: String) throws {
    let outcome = try run("query", entity, "--where", predicate, "--select", "id", "--format", "csv")
    #expect(outcome.status == 0)
    #expect(outcome.error == "")
    #expect(outcome.output.components(separatedBy: "\r\n").dropFirst().joined(separator: " ").trimmed == ids)
    let count = try run("query", entity, "--where", predicate, "--count")
    #expect(count.output == "\(ids.split(separator: " ").count)\n")
  }

  @Test("query joins it with the other options")
  func together() throws {
    let options = ["--sort=-shop.name,-id", "--limit", "1", "--select", "id,shop.name", "--format", "lines"]
    let outcome = try broker(
      ["query", "Record", "--where", "shop.floors == 2", "--store", "store.sqlite"] + options, in: folder)
    #expect(outcome.output == "{\"id\":11,\"shop.name\":\"Rough Trade\"}\n")
    #expect(try run("query", "Record", "--where", "shop == 1", "--id", "12", "--count").output == "0\n")
    #expect(try run("query", "Record", "--where", "shop == 1", "--id", "10", "--count").output == "1\n")
  }

  @Test("export writes the objects that fulfil it")
  func export() throws {
    let outcome = try run(
      "export", "Record", "--where", "title CONTAINS[c] 'LOS'", "--lines", "--nulls", "omit")
    #expect(outcome.status == 0)
    #expect(outcome.output == "{\"id\":12,\"title\":\"Lost\",\"shop\":99}\n")
    #expect(try run("export", "Record", "--where", "id > 99").output == "[]\n")
  }

  @Test("one that cannot be read is wrong usage, and the spot is shown", arguments: ["query", "export"])
  func unreadable(_ command: String) throws {
    let outcome = try run(command, "Shop", "--where", "floors > 'one")
    #expect(outcome.status == 64)
    #expect(outcome.output == "")
    #expect(
      outcome.error.hasPrefix(
        """
        Error: --where: The text that begins here has no end: a ' is missing.

          floors > 'one
                   ^
        Usage: broker \(command)
        """))
  }

  @Test(
    "one that does not fit the model is wrong usage, and the spot is shown", arguments: ["query", "export"])
  func unfit(_ command: String) throws {
    let unknown = try run(command, "Shop", "--where", "floors > 1 AND nmae = 'x'")
    #expect(unknown.status == 64)
    #expect(unknown.output == "")
    #expect(
      unknown.error == """
        Error: --where: Shop has no property nmae. Did you mean name?

          floors > 1 AND nmae = 'x'
                         ^

        """)
    let wrong = try run(command, "Shop", "--where", "floors == 'one'")
    #expect(wrong.status == 64)
    #expect(wrong.error.hasPrefix("Error: --where: floors is a whole number, and 'one' is not.\n"))
  }

  @Test("one that is wrong leaves the file that export would have written as it was")
  func outputFile() throws {
    try folder.write("before", to: "out.json")
    let outcome = try run("export", "Shop", "--where", "nmae = 'x'", "--output", "out.json")
    #expect(outcome.status == 64)
    #expect(try folder.read("out.json") == "before")
  }

  @Test("nobody gets out of a value")
  func injection() throws {
    let before = folder.store()
    let outcome = try run("query", "Shop", "--where", "name == \"x' OR 1=1; DROP TABLE Shop; --\"", "--count")
    #expect(outcome.output == "0\n")
    #expect(folder.store() == before)
  }

  @Test("the examples of the commands' own help run", arguments: ["query", "export"])
  func examples(_ command: String) throws {
    let files = ["bands.json", "albums.jsonl"].map { "\(Folder.bands)/\($0)" }
    _ = try broker(
      ["import"] + files + ["--model", "\(Folder.bands)/Bands.xcdatamodeld", "--store", "bands.sqlite"],
      in: folder)
    let help = try broker(command, "--help", in: folder).output
    let line = try #require(
      help.split(separator: "\n").first { $0.contains("--where \"") && $0.contains("broker ") })
    let parts = line.split(separator: "\"").map(String.init)
    try #require(parts.count >= 2)
    func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
    let arguments = words(parts[0]).dropFirst() + [parts[1]] + words(parts.dropFirst(2).joined())
    let outcome = try broker(Array(arguments), in: folder)
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(outcome.output.contains(command == "query" ? "Talk Talk" : "\"band\":\"Japan\""))
  }
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
