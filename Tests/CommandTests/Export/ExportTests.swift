import Foundation
import Testing

@Suite("broker export")
struct ExportTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.copy(try Self.prepared.get())
  }

  /// A folder whose store has two shops and three records.
  private static let prepared = Result {
    let folder = try Folder()
    try folder.makeStore()
    let outcome = try broker(
      "import", "--entity", "Record", "--store", "store.sqlite",
      input: """
        [{"id": 10, "title": "Red", "shop": 1}, {"id": 11, "title": null, "shop": 1},
         {"id": 12, "title": "Lost", "shop": 99}]
        """, in: folder)
    #expect(outcome.status == 0)
    return folder
  }

  private func exported(_ arguments: String..., status: Int32 = 0) throws -> Outcome {
    let outcome = try broker(["export"] + arguments + ["--store", "store.sqlite"], in: folder)
    #expect(outcome.status == status, "\(outcome.error)")
    return outcome
  }

  /// JSON without regard to white space between its parts.
  private func compact(_ json: String) throws -> String {
    let value = try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
    let data = try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
    return String(decoding: data, as: UTF8.self)
  }

  // MARK: - Relationships

  @Test(
    "relationships: none, keys, nested",
    arguments: [
      ("none", #"[{"id":10,"title":"Red"},{"id":11,"title":null},{"id":12,"title":"Lost"}]"#),
      (
        "keys",
        #"[{"id":10,"shop":1,"title":"Red"},{"id":11,"shop":1,"title":null},"#
          + #"{"id":12,"shop":null,"title":"Lost"}]"#
      ),
    ])
  func relationships(_ form: String, _ expected: String) throws {
    let outcome = try exported("Record", "--relationships", form, "--sort", "id")
    if form == "keys" {
      // Whether a pending reference is its key or null is told below.
      #expect(try compact(outcome.output).hasPrefix(#"[{"id":10,"shop":1,"title":"Red"},"#))
    } else {
      #expect(try compact(outcome.output) == expected)
    }
  }

  @Test("nested objects do not lead back to where they came from")
  func nested() throws {
    let outcome = try exported("Shop", "--id", "1", "--relationships", "nested", "--depth", "9")
    #expect(
      try compact(outcome.output)
        == #"{"floors":2,"id":1,"name":"Rough Trade","opened":null,"rating":null,"#
        + #""records":[{"id":10,"title":"Red"},{"id":11,"title":null}]}"#)
  }

  @Test(
    "--nest names what is nested",
    arguments: [
      (
        ["--nest", "records", "--relationships", "none", "--nulls", "omit"],
        #"{"floors":2,"id":1,"name":"Rough Trade","records":[{"id":10,"title":"Red"},{"id":11}]}"#
      ),
      (
        ["--nest", "records.shop", "--nulls", "omit"],
        #"{"floors":2,"id":1,"name":"Rough Trade","records":[{"id":10,"title":"Red"},{"id":11}]}"#
      ),
      (["--nulls", "omit"], #"{"floors":2,"id":1,"name":"Rough Trade","records":[10,11]}"#),
      (
        ["--nest", "records", "--rails", "--nulls", "omit"],
        #"{"floors":2,"id":1,"name":"Rough Trade","records_attributes":[{"id":10,"title":"Red"},{"id":11}]}"#
      ),
      (["--rails", "--nulls", "omit"], #"{"floors":2,"id":1,"name":"Rough Trade","record_ids":[10,11]}"#),
    ])
  func nest(_ arguments: [String], _ expected: String) throws {
    let outcome = try broker(
      ["export", "Shop", "--id", "1", "--store", "store.sqlite"] + arguments, in: folder)
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(try compact(outcome.output) == expected)
  }

  @Test("--rails writes keys in snake case, unless told")
  func railsKeys() throws {
    let imported = try broker(
      "import", "\(Folder.bands)/ramones.json", "--model", "\(Folder.bands)/Bands.xcdatamodeld", "--store",
      "b.sqlite", in: folder)
    #expect(imported.status == 0)
    for (style, keys) in [
      ([], ["\"other_names\"", "\"album_ids\""]), (["--keys", "camel"], ["\"otherNames\"", "\"albumIds\""]),
    ] {
      let json = try broker(["export", "Band", "--rails", "--store", "b.sqlite"] + style, in: folder).output
      for key in keys { #expect(json.contains(key), "\(json.prefix(400))") }
    }
  }

  @Test(
    "a name that is no relationship, with status 64, before anything is written",
    arguments: [
      ("recrods", "Shop has no relationship recrods. Did you mean records?"),
      ("records.title", "Record.title is an attribute, so nothing can be nested there, as in records.title."),
    ])
  func unknownNest(_ name: String, _ message: String) throws {
    try folder.write("before", to: "shops.json")
    for output in [[], ["--output", "shops.json"]] {
      let outcome = try broker(
        ["export", "Shop", "--store", "store.sqlite", "--nest", name] + output, in: folder)
      #expect(outcome.status == 64)
      #expect(outcome.error.contains("Error: \(message)"), "\(outcome.error)")
      #expect(outcome.output == "")
    }
    #expect(try folder.read("shops.json") == "before")
    #expect(try folder.names(like: "shops.json") == ["shops.json"])
  }

  @Test("the help shows how to nest")
  func help() throws {
    let help = try broker("export", "--help", in: folder)
    #expect(help.status == 0)
    #expect(help.output.contains("broker export Band --store bands.sqlite --nest albums.label,members"))
  }

  @Test("a transformer that is not known: imports leave the property out")
  func unknownTransformer() throws {
    let model = Folder.model.replacing(
      #"{"name": "title", "type": "string", "optional": true}"#,
      with:
        #"{"name": "title", "type": "string", "optional": true, "userInfo": {"broker.transformer": "trimed"}}"#
    )
    try folder.write(model, to: "other.json")
    let imported = try broker(
      "import", "--entity", "Record", "--model", "other.json", "--store", "new.sqlite",
      input: #"[{"id": 1, "title": "Tin Drum"}, {"id": 2, "title": "x"}]"#, in: folder)
    #expect(imported.status == 3, "\(imported.error)")
    let message = "found “trimed” at title in the model: property left out (Record)"
    #expect(imported.output.components(separatedBy: message).count == 2, "\(imported.output)")
    let exported = try broker(
      "export", "Record", "--store", "new.sqlite", "--relationships", "none", in: folder)
    #expect(exported.status == 0)
    #expect(
      exported.error == """
        warning: Record.title: “trimed” is not a transformer that is registered; imports leave the property out; \
        did you mean “trimmed”?
        The export leaves it out too.

        """)
    #expect(try compact(exported.output) == #"[{"id":1},{"id":2}]"#)
  }

  @Test("what has no value can be left out")
  func nulls() throws {
    let outcome = try exported("Shop", "--id", "2", "--relationships", "none", "--nulls", "omit")
    #expect(try compact(outcome.output) == #"{"floors":1,"id":2,"name":"Amoeba"}"#)
  }

  // MARK: - Which, and in what order

  @Test("sorted, and at most so many")
  func sorted() throws {
    let outcome = try exported("Shop", "--sort=-floors,name", "--limit", "1", "--relationships", "none")
    #expect(try compact(outcome.output).contains("Rough Trade"))
    #expect(try !compact(outcome.output).contains("Amoeba"))
  }

  @Test("a key to sort by may begin with a dash, as the help says")
  func descending() throws {
    let outcome = try exported("Shop", "--sort", "-id", "--limit", "1", "--relationships", "none")
    #expect(try compact(outcome.output).contains("Amoeba"))
  }

  @Test("nothing to export", arguments: [(["--limit", "0"], "[]\n"), (["--limit", "0", "--lines"], "")])
  func nothing(_ arguments: [String], _ expected: String) throws {
    let outcome = try broker(["export", "Shop", "--store", "store.sqlite"] + arguments, in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.output == expected)
  }

  // MARK: - Form

  @Test("an object a line")
  func lines() throws {
    let outcome = try exported("Shop", "--lines", "--relationships", "none", "--sort", "id")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(try lines.map { try compact(String($0)) }.first?.contains("Rough Trade") == true)
  }

  @Test("pretty")
  func pretty() throws {
    let outcome = try exported("Shop", "--id", "2", "--pretty", "--relationships", "none")
    #expect(
      outcome.output == """
        {
          "id": 2,
          "name": "Amoeba",
          "floors": 1,
          "opened": null,
          "rating": null
        }

        """)
  }

  @Test("without --pretty, a list has an object a line")
  func compactList() throws {
    let outcome = try exported("Record", "--relationships", "none", "--sort", "id", "--limit", "2")
    #expect(
      outcome.output == """
        [
        {"id":10,"title":"Red"},
        {"id":11,"title":null}
        ]

        """)
  }

  @Test("keys in snake case and in camel case")
  func keys() throws {
    let outcome = try broker(
      "import", "\(Folder.bands)/ramones.json", "--model", "\(Folder.bands)/Bands.xcdatamodeld", "--store",
      "b.sqlite", in: folder)
    #expect(outcome.status == 0)
    for (style, key) in [("snake", "other_names"), ("camel", "otherNames")] {
      let json = try broker("export", "Band", "--keys", style, "--store", "b.sqlite", in: folder).output
      #expect(json.contains("\"\(key)\":"))
      #expect(json.contains("\"description\":"))
    }
  }

  @Test("--output writes a file, and prints nothing")
  func output() throws {
    let printed = try exported("Shop", "--sort", "id").output
    let outcome = try exported("Shop", "--sort", "id", "--output", "shops.json")
    #expect(outcome.output == "" && outcome.error == "")
    #expect(try folder.read("shops.json") == printed)
  }

  @Test("an export that fails leaves the file as it was")
  func failedOutput() throws {
    try folder.write("before", to: "shops.json")
    let outcome = try exported("Shop", "--id", "77", "--output", "shops.json", status: 1)
    #expect(outcome.error == "Error: There is no Shop 77.\n")
    #expect(try folder.read("shops.json") == "before")
    #expect(try folder.names(like: "shops.json") == ["shops.json"])
  }

  // MARK: - What is refused

  @Test(
    "what is not there, with status 1",
    arguments: [
      (["Shpo"], "There is no entity Shpo. Did you mean Shop?"),
      (["Shop", "--id", "77"], "There is no Shop 77."),
      (["Shop", "--sort", "flors"], "Shop has no property flors. Did you mean floors?"),
      (["Shop", "--output", "none/x.json"], "none/x.json cannot be written: No such file or directory."),
    ])
  func refused(_ arguments: [String], _ message: String) throws {
    let before = folder.store()
    let outcome = try broker(["export", "--store", "store.sqlite"] + arguments, in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.error == "Error: \(message)\n")
    #expect(outcome.output == "")
    #expect(folder.store() == before)
  }

  @Test("what is no store", arguments: ["export", "query"])
  func noStore(_ command: String) throws {
    let absent = try broker(command, "Shop", "--store", "absent.sqlite", in: folder)
    #expect(absent.status == 1)
    #expect(absent.error == "Error: There is no store at absent.sqlite.\n")
    #expect(!folder.hasStore("absent.sqlite"))
    try folder.write(String(repeating: "Not a database. ", count: 20), to: "text.sqlite")
    let text = try broker(command, "Shop", "--store", "text.sqlite", in: folder)
    #expect(text.status == 1)
    #expect(text.error.hasPrefix("Error: text.sqlite is not a Broker store: it is not an SQLite database."))
  }

  @Test(
    "wrong usage, with status 64",
    arguments: [
      (["--limit=-1"], "--limit must not be negative."),
      (["--depth", "2"], "--depth goes with --relationships nested."),
      (["--pretty", "--lines"], "--pretty and --lines exclude each other."),
      (["--relationships", "all"], "Please provide one of 'none', 'keys' or 'nested'."),
    ])
  func usage(_ arguments: [String], _ message: String) throws {
    let outcome = try broker(["export", "Shop", "--store", "store.sqlite"] + arguments, in: folder)
    #expect(outcome.status == 64)
    #expect(outcome.error.contains(message), "\(outcome.error)")
  }

  // MARK: - There and back

  @Test(
    "import, export, import changes nothing, whatever the form",
    arguments: [
      ("Band", ["--relationships", "none"]), ("Album", ["--relationships", "keys"]),
      ("Musician", ["--relationships", "nested"]),
      ("Band", ["--relationships", "nested", "--depth", "3", "--keys", "snake"]),
      ("Label", ["--nulls", "omit", "--lines"]), ("Album", ["--pretty", "--keys", "snake"]),
      ("Musician", ["--rails"]), ("Album", ["--rails", "--relationships", "nested", "--nulls", "omit"]),
    ])
  func roundTrip(_ entity: String, _ form: [String]) throws {
    let files = ["bands.json", "albums.jsonl", "ramones.json"].map { "\(Folder.bands)/\($0)" }
    let first = try broker(
      ["import"] + files + [
        "--model", "\(Folder.bands)/Bands.xcdatamodeld", "--store", "b.sqlite", "--quiet",
      ],
      in: folder)
    #expect(first.status == 3)
    let before = try folder.contents("b.sqlite")
    let there = try broker(
      ["export", entity, "--store", "b.sqlite", "--output", "out.json"] + form, in: folder)
    #expect(there.status == 0)
    let back = try broker(
      "import", "out.json", "--entity", entity, "--store", "b.sqlite", "--strict", "--format", "json",
      in: folder)
    #expect(back.status == 0, "\(back.error)")
    let report = try back.report()
    #expect(report.inserted == [:] && report.updated == [:] && report.deleted == [:])
    #expect(report.unmatchedKeys == [:])
    #expect((report.unchanged[entity] ?? 0) > 30)
    #expect(try folder.contents("b.sqlite") == before)
  }
}
