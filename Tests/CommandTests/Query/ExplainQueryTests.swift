import Foundation
import Testing

#if PostgreSQL
  import PostgreSQLServer
#endif

/// `broker query --explain`
@Suite("broker query --explain")
struct ExplainQueryTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.write(
      #"[{"id": 1, "name": "Japan", "albums": [{"id": 7, "title": "Tin Drum"}]}, {"id": 2, "name": "Can", "albums": []}]"#,
      to: "bands.json")
  }

  private func explained(_ store: String, _ arguments: String...) throws -> String {
    let outcome = try broker(["query", "Band", "--explain", "--store", store] + arguments, in: folder)
    #expect(outcome.status == 0, "\(outcome.error)")
    return outcome.output
  }

  private func importBands(into store: String) throws {
    let outcome = try broker("import", "bands.json", "--entity", "Band", "--store", store, in: folder)
    #expect(outcome.status == 0, "\(outcome.error)")
  }

  @Test("a file: the statement with its values, and SQLite's plan", .onSQLite("about a file"))
  func file() throws {
    try importBands(into: "store.sqlite")
    let text = try explained("store.sqlite", "--where", "name == 'Japan'", "--select", "name,albums.title")
    #expect(text.hasPrefix("Statement\n  SELECT "), "\(text)")
    #expect(text.contains("'Japan'") && text.contains("\nPlan\n  SCAN "), "\(text)")
    #expect(text.contains("\nRead for each object\n  albums.title\n"), "\(text)")
    let count = try explained("store.sqlite", "--count", "--id", "1")
    #expect(count.contains("count(*)") && count.contains("SEARCH"), "\(count)")
  }

  @Test("long values are shortened", .onSQLite("about a file"))
  func longValues() throws {
    try importBands(into: "store.sqlite")
    let name = String(repeating: "x", count: 300)
    let text = try explained("store.sqlite", "--where", "name == '\(name)'")
    #expect(text.contains("x…' /* 300 characters */") && !text.contains(name), "\(text)")
    let json = try explained("store.sqlite", "--format", "json")
    #expect(json.contains(#""plan" : ["#) && json.contains(#""statement" : "SELECT"#), "\(json)")
  }

  @Test("what does not go with it", .onSQLite("about a file"))
  func usage() throws {
    try importBands(into: "store.sqlite")
    for more in [["--format", "csv"], ["--matching", "a", "--snippet"]] {
      let outcome = try broker(["query", "Band", "--explain", "--store", "store.sqlite"] + more, in: folder)
      #expect(outcome.status == 64, "\(outcome)")
    }
  }

  #if PostgreSQL
    @Test(
      "a server: its own plan, and what is evaluated on the rows", .enabled(if: PostgreSQLServer.isWanted))
    func server() throws {
      let store = try PostgreSQLServer.required().makeDatabase() + "&schema=bands"
      try importBands(into: store)
      let text = try explained(store, "--where", "name == 'Japan'")
      #expect(text.contains("'Japan'"), "\(text)")
      #expect(text.contains("Scan") && text.contains("rows="), "\(text)")
      let evaluated = try explained(store, "--where", "name MATCHES 'J.*'")
      #expect(evaluated.contains("Evaluated on its rows, before limits\n  name MATCHES"), "\(evaluated)")
      // Of the objects, only the text is read that the condition is about.
      let counted = try explained(store, "--where", "name MATCHES 'J.*'", "--count")
      #expect(counted.contains("\"name\"") && !counted.contains("\"formed\""), "\(counted)")
      let behind = try explained(store, "--where", "ANY albums.title LIKE 'Tin?Dr*'", "--count")
      #expect(behind.contains("ARRAY['Tin Drum']") && behind.contains("count(*)"), "\(behind)")
    }

    @Test(
      "a server: no statement is compiled, however dear it looks", .enabled(if: PostgreSQLServer.isWanted))
    func noCompilation() throws {
      let store = try PostgreSQLServer.required().makeDatabase() + "&schema=bands"
      try importBands(into: store)
      let dear = store + "&options=-cjit_above_cost%3D0"
      let text = try explained(dear, "--where", "albums.@sum.id > 1")
      #expect(text.contains("Scan") && !text.contains("JIT"), "\(text)")
    }
  #endif
}
