import Foundation
import Testing

@Suite("broker import")
struct ImportTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
  }

  private var bandsModel: [String] { ["--model", "\(Folder.bands)/Bands.xcdatamodeld"] }

  // MARK: - Statuses

  @Test("status 0 when all is imported, and nothing on standard error")
  func complete() throws {
    try folder.write(Folder.model, to: "model.json")
    let outcome = try broker(
      "import", "-", "--store", "new.sqlite", "--model", "model.json", "--entity", "Shop",
      input: #"{"id": 1, "name": "Rough Trade"}"#, in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.error == "")
    #expect(outcome.output.hasPrefix("Imported 1 object from 32 bytes in "))
    #expect(outcome.output.hasSuffix("\n\n         inserted\n  Shop          1\n"))
    #expect(folder.hasStore("new.sqlite"))
  }

  @Test("status 3 when something could not be used; the rest is imported")
  func issues() throws {
    try folder.makeStore()
    let outcome = try broker(
      "import", "-", "--store", "store.sqlite", "--entity", "Shop",
      input: #"[{"id": 3, "name": "Fopp", "floors": "two"}, {"name": "nobody"}]"#, in: folder)
    #expect(outcome.status == 3)
    #expect(outcome.error == "")
    #expect(
      outcome.output.contains(
        """
        Issues (2):
          $[0].floors  expected a whole number from -32768 to 32767, found "two": value left out (Shop 3)
          $[1].id  expected an identity, found nothing: object skipped (Shop)
        """))
  }

  @Test("an import needs no model once the store has one")
  func secondTime() throws {
    try folder.makeStore()
    let outcome = try broker(
      "import", "-", "--store", "store.sqlite", "--entity", "Shop",
      input: #"[{"id": "1", "floors": 3}, {"id": 2}]"#, in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("          updated  unchanged\n  Shop          1          1\n"))
  }

  @Test("an import that changes nothing leaves every row, and is remembered")
  func unchanged() throws {
    try folder.makeStore()
    let before = try folder.contents()
    let outcome = try broker(
      "import", "-", "--store", "store.sqlite", "--entity", "Shop", "--format", "json",
      input: #"[{"id": 1, "name": "Rough Trade", "floors": 2}]"#, in: folder)
    #expect(try outcome.report().unchanged == ["Shop": 1])
    #expect(try folder.contents() == before)
  }

  // MARK: - Reports

  @Test("the example's report, as JSON")
  func reportForPrograms() throws {
    let outcome = try broker(
      ["import", "\(Folder.bands)/bands.json", "--store", "b.sqlite", "--format", "json"] + bandsModel,
      in: folder)
    #expect(outcome.status == 3)
    #expect(outcome.error == "")
    let report = try outcome.report()
    #expect(
      report.inserted == ["Album": 106, "Band": 36, "BandMember": 154, "Label": 36, "Musician": 151])
    #expect(report.skipped["Band"] == 1)
    #expect(report.updated == [:] && report.unchanged == [:] && report.deleted == [:])
    #expect(report.unmatchedKeys == ["Band": ["chart_position": 3]])
    #expect(report.pending.count == 11)
    #expect(
      report.pending.first
        == ReportJSON.Pending(
          entity: "Band", identity: "The Beatles", relationship: "albums", target: "Album", key: "2901"))
    #expect(
      report.issues == [
        ReportJSON.Issue(
          path: "$.bands[2].albums[5].id", entity: "Album", key: "id", expected: "an identity",
          found: "nothing", action: "object skipped"),
        ReportJSON.Issue(
          path: "$.bands[36].formed", entity: "Band", identity: "Ramones", key: "formed",
          expected: "a whole number from -32768 to 32767", found: "\"nineteen seventy-four\"",
          action: "object skipped"),
      ])
    let size = try Data(contentsOf: URL(fileURLWithPath: "\(Folder.bands)/bands.json")).count
    #expect(report.bytes == size)
    #expect(report.seconds > 0 && report.seconds < 60)
  }

  /// A number behind the name of a file, of several in numbers, says nothing of its objects; without a mark it belongs to the name.
  @Test func filesInNumbersAreOfWhatTheyAreCalled() throws {
    for name in ["bands-2.json", "albums_17.json"] {
      try folder.write(#"[{"id": 1}]"#, to: name)
      let outcome = try broker(
        ["import", name, "--store", "n.sqlite", "--format", "json"] + bandsModel, in: folder)
      let report = try outcome.report()
      #expect(
        Set(report.inserted.keys).union(report.skipped.keys) == [name.hasPrefix("b") ? "Band" : "Album"])
    }
    try folder.write(#"[{"id": 1}]"#, to: "bands2.json")
    let outcome = try broker(["import", "bands2.json", "--store", "n.sqlite"] + bandsModel, in: folder)
    #expect(outcome.status == 1 && outcome.error.contains("--entity"), "\(outcome.error)")
  }

  @Test("several files are one import; paths of issues name the file")
  func severalFiles() throws {
    let files = ["bands.json", "albums.jsonl", "ramones.json"].map { "\(Folder.bands)/\($0)" }
    let outcome = try broker(
      ["import"] + files + ["--store", "b.sqlite", "--format", "json"] + bandsModel, in: folder)
    let report = try outcome.report()
    #expect(report.inserted["Band"] == 37)
    #expect(
      report.issues.map(\.path) == [
        "\(files[0]): $.bands[2].albums[5].id", "\(files[0]): $.bands[36].formed",
      ])
    #expect(
      report.pending == [
        ReportJSON.Pending(
          entity: "Album", identity: "9001", relationship: "band", target: "Band", key: "Rain Tree Crow")
      ])
  }

  @Test("one bad file of several, and none is imported")
  func oneBadFile() throws {
    try folder.makeStore()
    let before = folder.store()
    try folder.write(#"[{"id": 7, "name": "Good"}]"#, to: "good.json")
    try folder.write(#"[{"id": 8, "name": "Bad"}"#, to: "bad.json")
    let outcome = try broker(
      "import", "good.json", "bad.json", "--entity", "Shop", "--store", "store.sqlite", in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.error.contains("bad.json is not valid JSON"))
    #expect(folder.store() == before)
  }

  @Test("JSON Lines")
  func lines() throws {
    try folder.makeStore()
    let outcome = try broker(
      "import", "-", "--store", "store.sqlite", "--entity", "Record", "--format", "json",
      input:
        "{\"id\": 1, \"shop_id\": 1}\n{\"id\": 2, \"shop\": \"2\"}\n{\"id\": 3, \"shop\": {\"id\": 9}}\n",
      in: folder)
    let report = try outcome.report()
    #expect(outcome.status == 0)
    #expect(report.inserted == ["Record": 3])
    #expect(
      report.pending == [
        ReportJSON.Pending(entity: "Record", identity: "3", relationship: "shop", target: "Shop", key: "9")
      ])
  }

  @Test("a file's name tells the entity")
  func entityFromName() throws {
    try folder.makeStore()
    try folder.write(#"[{"id": 1, "title": "Red"}]"#, to: "records.json")
    let outcome = try broker(
      "import", "records.json", "--store", "store.sqlite", "--format", "json", in: folder)
    #expect(try outcome.report().inserted == ["Record": 1])
  }

  @Test("--at finds the objects further in")
  func at() throws {
    try folder.makeStore()
    let outcome = try broker(
      "import", "--at", "response.items", "--entity", "Record", "--store", "store.sqlite", "--format", "json",
      input: #"{"status": [1], "response": {"page": 1, "items": [{"id": 1}, {"id": 2}]}}"#, in: folder)
    #expect(try outcome.report().inserted == ["Record": 2])
  }

  @Test("--quiet prints no report")
  func quiet() throws {
    let outcome = try broker(
      ["import", "\(Folder.bands)/ramones.json", "--store", "b.sqlite", "--quiet"] + bandsModel, in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.output == "")
    #expect(outcome.error == "")
  }

  @Test("--quiet keeps the status of an import with issues, and the report for programs")
  func quietWithIssues() throws {
    let arguments = ["import", "\(Folder.bands)/bands.json", "--store", "b.sqlite", "--quiet"] + bandsModel
    let silent = try broker(arguments, in: folder)
    #expect(silent.status == 3)
    #expect(silent.output == "" && silent.error == "")
    let report = try broker(arguments + ["--format", "json"], in: folder).report()
    #expect(report.unchanged["Band"] == 36)
  }

  @Test("no colour and no progress where there is no terminal")
  func plain() throws {
    let lines = (1...60_000).map { #"{"id": \#($0), "name": "A shop with number \#($0)", "floors": 1}"# }
    try folder.write(Folder.model, to: "model.json")
    let outcome = try broker(
      "import", "-", "--entity", "Shop", "--model", "model.json", "--store", "large.sqlite",
      input: lines.joined(separator: "\n"), in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.error == "")
    #expect(!outcome.output.contains("\u{1B}") && !outcome.output.contains("\r"))
    #expect(outcome.output.contains("  Shop     60,000\n"))
  }

  // MARK: - Dry runs

  @Test("--dry-run reports the same and makes no file")
  func dryRunOfNewStore() throws {
    let arguments = ["import", "\(Folder.bands)/bands.json", "--store", "b.sqlite"] + bandsModel
    let dry = try broker(arguments + ["--dry-run", "--format", "json"], in: folder)
    #expect(dry.status == 3)
    #expect(folder.store("b.sqlite") == [nil, nil, nil])
    #expect(!folder.hasStore("b.sqlite"))
    let real = try broker(arguments + ["--format", "json"], in: folder)
    var (first, second) = (try dry.report(), try real.report())
    first.seconds = 0
    second.seconds = 0
    #expect(first == second)
  }

  @Test("--dry-run leaves a store as it was, and says so")
  func dryRun() throws {
    try folder.makeStore()
    let before = folder.store()
    let outcome = try broker(
      "import", "--entity", "Shop", "--store", "store.sqlite", "--dry-run",
      input: #"[{"id": 1, "floors": 9}, {"id": 5, "name": "New"}]"#, in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("Would import 2 objects"))
    #expect(outcome.output.hasSuffix("This was a dry run: nothing was changed.\n"))
    #expect(folder.store() == before)
  }

  // MARK: - Absent, null and empty

  @Test("absent keeps, null clears, [] empties")
  func absentNullEmpty() throws {
    try folder.makeStore()
    func importing(_ json: String) throws -> ReportJSON {
      try broker(
        "import", "--entity", "Shop", "--store", "store.sqlite", "--format", "json", input: json, in: folder
      ).report()
    }
    let records = #"{"id": 1, "records": [{"id": 7, "title": "Red"}]}"#
    #expect(try importing(records).inserted == ["Record": 1])
    #expect(try importing(records).unchanged == ["Record": 1, "Shop": 1])
    #expect(try importing(#"{"id": 1}"#).unchanged == ["Shop": 1])
    #expect(try importing(#"{"id": 1, "floors": null}"#).updated == ["Shop": 1])
    #expect(try importing(#"{"id": 1, "floors": null}"#).unchanged == ["Shop": 1])
    #expect(try importing(records).unchanged == ["Record": 1, "Shop": 1])
    #expect(try importing(#"{"id": 1, "records": []}"#).updated == ["Record": 1], "its row has the link")
    #expect(try importing(#"{"id": 1, "records": []}"#).unchanged == ["Shop": 1])
    #expect(try importing(records).inserted == [:], "the record is still there, only its link was gone")
    let outcome = try broker(
      "import", "--entity", "Shop", "--store", "store.sqlite", input: #"{"id": 1, "name": null}"#, in: folder)
    #expect(outcome.status == 3)
    #expect(outcome.output.contains("$.name  expected a string, found null: object skipped (Shop 1)"))
  }

  // MARK: - Order

  @Test(
    "an ordered list keeps its order, whether its objects name their owner or not",
    arguments: [
      #"[{"id": 10, "title": "a"}, {"id": 11, "title": "b"}, {"id": 12, "title": "c"}]"#,
      #"[{"id": 10, "list": 1}, {"id": 11, "list": 1}, {"id": 12, "list": 1}]"#,
    ])
  func order(_ parts: String) throws {
    try folder.write(
      """
      {"entities": [
        {"name": "List",
         "attributes": [{"name": "id", "type": "integer64"}],
         "relationships": [
           {"name": "parts", "destination": "Part", "toMany": true, "ordered": true, "inverse": "list"}
         ]},
        {"name": "Part",
         "attributes": [
           {"name": "id", "type": "integer64"}, {"name": "title", "type": "string", "optional": true}
         ],
         "relationships": [{"name": "list", "destination": "List", "inverse": "parts"}]}
      ]}
      """, to: "lists.json")
    let document = #"{"lists": [{"id": 1, "parts": [12, 11, 10]}], "parts": \#(parts)}"#
    let outcome = try broker(
      "import", "--model", "lists.json", "--store", "l.sqlite", input: document, in: folder)
    #expect(outcome.status == 0)
    let query = try broker(
      "query", "List", "--select", "parts", "--format", "lines", "--store", "l.sqlite", in: folder)
    #expect(query.output == "{\"parts\":[12,11,10]}\n")
  }
}
