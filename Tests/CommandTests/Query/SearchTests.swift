import Foundation
import Testing

@Suite("--matching and MATCHES_TEXT", .onSQLite("a server has no full-text search"))
struct SearchTests {
  private let folder: Folder

  private static let model = """
    {"entities": [{"name": "Band", "attributes": [
      {"name": "name", "type": "string", "userInfo": {"broker.identity": "true", "broker.search": "true"}},
      {"name": "bio", "type": "string", "optional": true, "userInfo": {"broker.search": "true"}},
      {"name": "snippet", "type": "string", "optional": true}]}]}
    """

  init() throws {
    folder = try Folder()
    try folder.write(Self.model, to: "model.json")
    let outcome = try broker(
      "import", "--entity", "Band", "--store", "store.sqlite", "--model", "model.json",
      input: """
        [{"name": "Japan", "bio": "An art rock band of the café society"},
         {"name": "Rock Talk", "bio": "rock, post-rock"}, {"name": "Nil", "snippet": "rock"}]
        """, in: folder)
    #expect(outcome.status == 0)
  }

  private func run(_ arguments: String...) throws -> Outcome {
    try broker(arguments + ["--store", "store.sqlite"], in: folder)
  }

  @Test("the best comes first, unless another order is asked for")
  func order() throws {
    let found = try run("query", "Band", "--matching", "ROCK", "--select", "name", "--format", "csv")
    #expect(found.output == "name\r\nRock Talk\r\nJapan\r\n")
    let sorted = try run(
      "query", "Band", "--matching", "rock", "--sort", "name", "--select", "name", "--format", "csv")
    #expect(sorted.output == "name\r\nJapan\r\nRock Talk\r\n")
    #expect(try run("query", "Band", "--matching", "-rock cafe", "--count").output == "0\n")
    #expect(try run("query", "Band", "--matching", "rock -talk", "--count").output == "1\n")
    #expect(try run("query", "Band", "--matching", "\"(:*", "--count").output == "0\n")
  }

  @Test("--snippet shows where the words are")
  func snippet() throws {
    let found = try run(
      "query", "Band", "--matching", "caf*", "--snippet", "--select", "name", "--format", "lines")
    #expect(found.output == #"{"name":"Japan","snippet":"An art rock band of the [café] society"}"# + "\n")
    let beside = try run(
      "query", "Band", "--matching", "society", "--snippet", "--select", "snippet", "--format", "csv")
    #expect(beside.output == "snippet,snippet_\r\n,An art rock band of the café [society]\r\n")
    #expect(try run("query", "Band", "--snippet").status == 64)
    #expect(try run("query", "Band", "--matching", "x", "--snippet", "--count").status == 64)
  }

  @Test("export and --where")
  func export() throws {
    let found = try run("export", "Band", "--matching", "talk", "--lines", "--nulls", "omit")
    #expect(found.output == #"{"name":"Rock Talk","bio":"rock, post-rock"}"# + "\n")
    let condition = try run(
      "export", "Band", "--where", "bio MATCHES_TEXT 'rock' AND NOT SELF MATCHES_TEXT 'talk'", "--lines")
    #expect(condition.output.hasPrefix(#"{"name":"Japan""#))
    #expect(try run("export", "--matching", "talk").status == 64)
    let refused = try run("query", "Band", "--where", "snippet MATCHES_TEXT 'rock'")
    #expect(refused.status == 64)
    #expect(refused.error.contains("Band.snippet is not searched"))
  }

  @Test("prunes by words")
  func prune() throws {
    let outcome = try broker(
      "import", "--entity", "Band", "--store", "store.sqlite", "--prune-where", "bio MATCHES_TEXT 'post'",
      input: #"[{"name": "Japan"}]"#, in: folder)
    #expect(outcome.status == 0)
    #expect(try run("query", "Band", "--matching", "rock", "--count").output == "1\n")
  }

  @Test("models keep it, and check it")
  func models() throws {
    #expect(try broker("model", "check", "model.json", in: folder).status == 0)
    let converted = try broker("model", "convert", "model.json", "model.xcdatamodel", in: folder)
    #expect(converted.status == 0)
    let back = try broker("model", "convert", "model.xcdatamodel", "back.json", in: folder)
    #expect(back.status == 0)
    #expect(try folder.read("back.json").components(separatedBy: "broker.search").count == 3)
    try folder.write(
      Self.model.replacing(
        "\"snippet\", \"type\": \"string\", \"optional\": true",
        with:
          "\"snippet\", \"type\": \"string\", \"optional\": true, \"userInfo\": {\"broker.search\": \"true\"}"
      ), to: "more.json")
    let other = try broker(
      "import", "--entity", "Band", "--store", "store.sqlite", "--model", "more.json", input: "[]", in: folder
    )
    #expect(other.status == 0)
    let searched = try broker("model", "diff", "model.json", "more.json", in: folder)
    #expect(searched.output == "Band.snippet is searched now\n")
    try folder.write(
      Self.model.replacing(
        "\"string\", \"optional\": true, \"userInfo\"", with: "\"double\", \"optional\": true, \"userInfo\""),
      to: "bad.json")
    let bad = try broker("model", "check", "bad.json", in: folder)
    #expect(bad.status == 1)
    #expect((bad.output + bad.error).contains("it is to be searched, but a"))
  }

  @Test("a store that may only be read is searched")
  func readOnly() throws {
    for name in ["store.sqlite"] {
      try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: folder.path(name))
    }
    #expect(try run("query", "Band", "--matching", "rock", "--count").output == "2\n")
  }
}
