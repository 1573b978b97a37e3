import Foundation
import GRDB
import Testing

/// `broker model convert` to what is no Core Data model.
@Suite struct ModelConvertTests {
  private static let bands = "\(Folder.bands)/Bands.xcdatamodeld"

  /// The tables are those that a new store of the model has.
  @Test(.onSQLite("about SQLite's SQL")) func sqlIsWhatAStoreHas() throws {
    let folder = try Folder()
    #expect(try broker("model", "convert", Self.bands, "bands.sql", in: folder).status == 0)
    _ = try broker(
      "import", "-", "--entity", "Band", "--model", Self.bands, "--store", "s.sqlite", input: "[]", in: folder
    )
    let database = try DatabaseQueue(path: folder.path("s.sqlite"))
    let statements = try database.read {
      try String.fetchAll(
        $0,
        sql:
          "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND tbl_name NOT LIKE 'broker\\_%' ESCAPE '\\' AND name <> 'sqlite_sequence'"
      )
    }
    let text = try folder.read("bands.sql")
    #expect(text.utf8.count == statements.reduce(0) { $0 + $1.utf8.count + 2 })
    for statement in statements { #expect(text.contains("\(statement);\n")) }
  }

  @Test func yamlAndBack() throws {
    let folder = try Folder()
    #expect(try broker("model", "convert", Self.bands, "bands.yaml", in: folder).status == 0)
    #expect(try broker("model", "convert", "bands.yaml", "back.json", in: folder).status == 0)
    #expect(try broker("model", "convert", Self.bands, "bands.json", in: folder).status == 0)
    #expect(try folder.read("back.json") == folder.read("bands.json"))
    let outcome = try broker(
      "import", "\(Folder.bands)/bands.json", "--model", "bands.yaml", "--store", "s.sqlite", in: folder)
    // The example has mistakes of its own.
    #expect(outcome.status == 3, "\(outcome.error)")
  }

  @Test func standardOutput() throws {
    let folder = try Folder()
    let schema = try broker("model", "convert", Self.bands, "-", "--to", "json-schema", in: folder)
    #expect(schema.output.hasPrefix("{\n  \"$schema\": "))
    #expect(
      try broker("model", "convert", Self.bands, "-", "--to", "yaml", in: folder).output.hasPrefix(
        "entities:\n  Album:"))
    #expect(try broker("model", "convert", Self.bands, "-", "--to", "xcdatamodeld", in: folder).status == 64)
  }

  @Test func mistakesHaveALine() throws {
    let folder = try Folder()
    try folder.write("Band:\n  name: strng\n", to: "model.yaml")
    let outcome = try broker("model", "show", "model.yaml", in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.error.contains("model.yaml:2:3: Band.name: “strng” is not"))
  }
}
