import Foundation
import GRDB
import Testing

@Suite("broker info")
struct InfoTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.makeStore()
  }

  private struct Info: Decodable {
    struct Entity: Decodable, Equatable {
      var name: String
      var parent: String?
      var isAbstract: Bool
      var identity: [String]
      var objects: Int
    }
    struct Model: Decodable {
      var versionIdentifier: String?
      var isInferred: Bool
      var entities: [Entity]
    }
    struct Size: Decodable {
      var file: Int
      var free: Int
      var log: Int
      var measuredBy: String
    }
    struct Part: Decodable {
      var name: String
      var kind: String
      var table: String
      var columns: [String]?
      var bytes: Int?
    }
    struct Record: Decodable, Equatable {
      var date: String
      var seconds: Double
      var sources: [String]
      var sourceCount: Int
      var inserted: [String: Int]
      var updated: [String: Int]
      var deleted: [String: Int]
      var skipped: [String: Int]
      var issueCount: Int
      var isWhole: Bool
    }

    var path: String
    var model: Model
    var size: Size
    var tables: [Part]
    var indexes: [Part]
    var pendingReferences: [String: Int]
    var localChanges: [String: [String: Int]]?
    var imports: [Record]
  }

  private func info(_ arguments: String...) throws -> Info {
    let outcome = try broker(["info"] + arguments + ["--format", "json"], in: folder)
    #expect(outcome.status == 0, "\(outcome.error)")
    return try JSONDecoder().decode(Info.self, from: Data(outcome.output.utf8))
  }

  private func importing(_ json: String, _ options: String...) throws -> Outcome {
    try broker(
      ["import", "-", "--store", "store.sqlite", "--entity", "Shop"] + options, input: json, in: folder)
  }

  @Test("the model, objects, tables and indexes with their sizes")
  func facts() throws {
    let info = try info("store.sqlite")
    #expect(
      info.model.entities == [
        Info.Entity(name: "Shop", parent: nil, isAbstract: false, identity: ["id"], objects: 2),
        Info.Entity(name: "Record", parent: nil, isAbstract: false, identity: ["id"], objects: 0),
      ])
    #expect(!info.model.isInferred)
    #expect(info.tables.map(\.name).contains("Shop"))
    #expect(info.indexes.contains { $0.table == "Record" && $0.columns == ["shop"] })
    if info.size.measuredBy == "dbstat" {
      let sum = (info.tables + info.indexes).compactMap(\.bytes).reduce(0, +)
      // SQLite's own list of tables has a page or more.
      #expect(sum > 0 && sum < info.size.file)
    }
    if folder.storesElsewhere == nil {
      #expect(info.size.file == (try folder.data("store.sqlite")).count)
    } else {
      #expect(info.size.file > 0)
    }
    #expect(try self.info("--store", "store.sqlite").path == "store.sqlite")
  }

  @Test("objects of sub-entities are theirs, and whom references wait for")
  func inheritanceAndReferences() throws {
    try folder.write(
      """
      {"entities": [
        {"name": "Work", "abstract": true, "attributes": [{"name": "id", "type": "integer64"}],
         "relationships": [
           {"name": "tags", "destination": "Tag", "toMany": true, "inverse": "works"},
           {"name": "source", "destination": "Work", "optional": true}]},
        {"name": "Book", "parent": "Work",
         "relationships": [{"name": "lead", "destination": "Tag", "optional": true, "inverse": "leads"}]},
        {"name": "Film", "parent": "Work"},
        {"name": "Tag", "attributes": [{"name": "id", "type": "string"}],
         "relationships": [
           {"name": "works", "destination": "Work", "toMany": true, "inverse": "tags"},
           {"name": "leads", "destination": "Book", "toMany": true, "inverse": "lead"}]}
      ]}
      """, to: "works.json")
    let outcome = try broker(
      "import", "-", "--store", "works.sqlite", "--model", "works.json",
      input: """
        {"books": [{"id": 1, "tags": ["a", "b"], "lead": "c"}, {"id": 2, "source": 9}],
         "films": [{"id": 3, "tags": ["a"], "source": 1}], "tags": [{"id": "b", "leads": [7, 8]}]}
        """, in: folder)
    #expect(outcome.status == 0, "\(outcome.error)\(outcome.output)")
    let info = try info("works.sqlite")
    #expect(info.model.entities.map(\.objects) == [0, 2, 1, 1])
    #expect(info.model.entities.map(\.parent) == [nil, "Work", "Work", nil])
    #expect(info.model.entities.map(\.isAbstract) == [true, false, false, false])
    #expect(info.pendingReferences == ["Tag": 3, "Work": 1, "Book": 2])
    let text = try broker("info", "works.sqlite", in: folder).output
    #expect(text.contains("Book : Work"))
    #expect(text.contains("References that wait for objects\n  Tag   3\n  Book  2\n  Work  1\n"))
  }

  @Test("the last imports: from what, what they changed, how long they took; dry runs are none")
  func imports() throws {
    try folder.write(
      #"[{"id": 1, "name": "Rough Trade", "floors": 3}, {"id": 3, "name": "x", "floors": "y"}]"#, to: "a.json"
    )
    #expect(
      try broker("import", "a.json", "--store", "store.sqlite", "--entity", "Shop", in: folder).status == 3)
    #expect(try importing(#"[{"id": 1, "name": "Rough Trade"}]"#, "--prune").status == 0)
    #expect(try importing(#"[{"id": 1, "name": "Rough Trade"}]"#).status == 0)
    #expect(try importing(#"[{"id": 9, "name": "dry"}]"#, "--dry-run").status == 0)
    #expect(try importing(#"[{"id": 9"#).status == 1)
    let imports = try info("store.sqlite").imports
    #expect(imports.map(\.sources) == [["-"], ["-"], ["a.json"], ["-"]])
    #expect(imports.map(\.sourceCount) == [1, 1, 1, 1])
    #expect(imports.map(\.inserted) == [[:], [:], ["Shop": 1], ["Shop": 2]])
    #expect(imports.map(\.updated) == [[:], [:], ["Shop": 1], [:]])
    #expect(imports.map(\.deleted) == [[:], ["Shop": 2], [:], [:]])
    #expect(imports.map(\.issueCount) == [0, 0, 1, 0])
    #expect(imports.allSatisfy { $0.isWhole && $0.seconds > 0 && $0.date.hasPrefix("20") })
    let text = try broker("info", "store.sqlite", in: folder).output
    #expect(text.contains("  a.json: inserted Shop 1; updated Shop 1; 1 issue; "))
    #expect(text.contains("  -: nothing changed; "))
  }

  @Test("a hundred imports are remembered, in the order of time", .onSQLite("writes into the file"))
  func hundred() throws {
    let database = try DatabaseQueue(path: folder.path("store.sqlite"))
    try database.write { database in
      try database.execute(
        sql: """
          WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 150)
          INSERT INTO broker_imports
          SELECT i + 1, date, seconds, '["' || i || '"]', source_count, inserted, updated, deleted, skipped, issues, whole
          FROM broker_imports, n
          """)
    }
    try database.close()
    for _ in 0..<10 { #expect(try importing("[]").status == 0) }
    let imports = try info("store.sqlite").imports
    #expect(imports.count == 100)
    #expect(imports[10].sources == ["150"])
    #expect(
      try broker("info", "store.sqlite", in: folder).output.contains(
        "  … and 90 before; --format json has all\n"))
  }

  @Test("imports are remembered beyond VACUUM", .onSQLite("about VACUUM of SQLite"))
  func vacuum() throws {
    #expect(try importing("[]", "--chunk", "1").status == 0)
    let before = try info("store.sqlite").imports
    let database = try DatabaseQueue(path: folder.path("store.sqlite"))
    try database.vacuum()
    try database.close()
    #expect(try info("store.sqlite").imports == before)
    #expect(try importing("[]").status == 0)
    #expect(try info("store.sqlite").imports.map(\.sources) == [["-"]] + before.map(\.sources))
  }

  @Test(
    "a store that is older than the history gets it with its next import, and is read without",
    .onSQLite("no store on a server is older"))
  func olderStores() throws {
    let database = try DatabaseQueue(path: folder.path("store.sqlite"))
    try database.write {
      try $0.execute(
        sql: "DROP TABLE broker_imports")
    }
    try database.close()
    #expect(try info("store.sqlite").imports.isEmpty)
    #expect(try broker("info", "store.sqlite", in: folder).output.hasSuffix("\nNo import is remembered.\n"))
    #expect(try importing(#"[{"id": 1, "name": "Rough Trade"}]"#).status == 0)
    #expect(try info("store.sqlite").imports.count == 1)
  }

  /// The history but for the seconds, which SQLite's JSON has with fewer digits.
  private func told() throws -> [Info.Record] {
    try info("store.sqlite").imports.map { record in
      var record = record
      record.seconds = 0
      return record
    }
  }

  /// The history as earlier versions kept it: rows of `sqlite_sequence` behind a view.
  private func makeHistoryAnOldOne() throws {
    let database = try DatabaseQueue(path: folder.path("store.sqlite"))
    try database.write { database in
      let names = [
        "date", "seconds", "sources", "source_count", "inserted", "updated", "deleted", "skipped", "issues",
        "whole",
      ]
      let json = names.map { name in
        ["sources", "inserted", "updated", "deleted", "skipped"].contains(name)
          ? "'\(name)', json(\(name))" : "'\(name)', \(name)"
      }.joined(separator: ", ")
      let columns = names.map { "json_extract(substr(\"name\", 16), '$.\($0)') AS \"\($0)\"" }.joined(
        separator: ", ")
      try database.execute(
        sql: """
          CREATE TABLE IF NOT EXISTS "broker_import_numbers" ("number" INTEGER PRIMARY KEY AUTOINCREMENT);
          INSERT INTO sqlite_sequence SELECT 'broker_imports ' || json_object(\(json)), number FROM broker_imports;
          DROP TABLE broker_imports;
          CREATE VIEW "broker_imports" AS
          SELECT "seq" AS "number", \(columns)
          FROM "sqlite_sequence" WHERE "name" GLOB 'broker_imports *'
          """)
    }
    try database.close()
  }

  @Test(
    "what an earlier version kept of imports is read, and goes into the table", .onSQLite("a view of SQLite"))
  func historyOfEarlierVersions() throws {
    #expect(try importing(#"[{"id": 1, "name": "Rough Trade"}]"#).status == 0)
    let before = try told()
    #expect(before.count > 1)
    try makeHistoryAnOldOne()
    #expect(try told() == before)
    #expect(try importing("[]", "--dry-run").status == 0)
    #expect(try told() == before)
    #expect(try importing("[]").status == 0)
    #expect(Array(try told().dropFirst()) == before)
    let database = try DatabaseQueue(path: folder.path("store.sqlite"))
    let left = try database.read { database in
      try Row.fetchAll(database, sql: "SELECT type, name FROM sqlite_schema WHERE name LIKE 'broker_import%'")
        .map {
          "\($0["type"] ?? "") \($0["name"] ?? "")"
        } + String.fetchAll(database, sql: "SELECT name FROM sqlite_sequence")
    }
    #expect(left.sorted() == ["table broker_import_numbers", "table broker_imports"])
    try database.close()
  }

  @Test("an import in chunks is one import")
  func chunks() throws {
    let shops = (10..<20_010).map { #"{"id": \#($0), "name": "x"}"# }.joined(separator: ",")
    #expect(try importing("[\(shops)]", "--chunk", "2000").status == 0)
    #expect(try importing("[\(shops.replacing("\"x\"", with: "\"y\""))", "--chunk", "2000").status == 4)
    let imports = try info("store.sqlite").imports
    #expect(imports.map(\.isWhole) == [false, true, true])
    #expect(imports.map(\.inserted) == [[:], ["Shop": 20_000], ["Shop": 2]])
    #expect((imports.first?.updated["Shop"] ?? 1) % 2000 == 0)
    #expect(try broker("info", "store.sqlite", in: folder).output.contains("did not come to its end"))
  }

  @Test("wrong usage, and what is no store")
  func errors() throws {
    #expect(try broker("info", in: folder).status == 64)
    #expect(try broker("info", "store.sqlite", "--store", "store.sqlite", in: folder).status == 64)
    let missing = try broker("info", "nothing.sqlite", in: folder)
    #expect(missing.status == 1)
    #expect(missing.error == "Error: There is no store at nothing.sqlite.\n")
    try folder.write("no database", to: "text")
    #expect(try broker("info", "text", in: folder).status == 1)
  }
}
