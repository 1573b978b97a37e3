import Foundation
import Testing

/// `--mapping`, `--only`, `--prune`, `--max-delete`, `--into` and `--onto`.
@Suite("broker import, options of operations")
struct OperationOptionTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.makeStore()
  }

  private func load(_ input: String, _ options: String...) throws -> Outcome {
    try broker(
      ["import", "-", "--store", "store.sqlite", "--format", "json"] + options, input: input, in: folder)
  }

  private func shops(_ select: String = "id,name") throws -> String {
    try broker(
      "query", "Shop", "--store", "store.sqlite", "--select", select, "--format", "csv", in: folder
    ).output.replacing("\r\n", with: "\n")
  }

  @Test(
    "a mapping, in YAML or JSON, is used and remembered",
    arguments: [
      "Shop:\n  keys: {name: details.label}\n", #"{"Shop": {"keys": {"name": "details.label"}}}"#,
    ])
  func mapping(_ text: String) throws {
    try folder.write(text, to: "api.mapping")
    let json = #"[{"id": 3, "details": {"label": "Fopp"}}]"#
    #expect(try load(json, "--entity", "Shop", "--mapping", "api.mapping").status == 0)
    #expect(try load(#"[{"id": 4, "details": {"label": "HMV"}}]"#, "--entity", "Shop").status == 0)
    #expect(try shops().hasSuffix("3,Fopp\n4,HMV\n"))
    let exported = try broker("export", "Shop", "--id", "3", "--store", "store.sqlite", in: folder)
    #expect(exported.output.contains(#""details":{"label":"Fopp"}"#))
  }

  @Test("a mapping that does not fit is an error with the line, and nothing is read")
  func badMapping() throws {
    try folder.write("Shop:\n  keys:\n    nmae: label\n", to: "api.yaml")
    let before = folder.store()
    let outcome = try load(#"[{"id": 3, "name": "Fopp"}]"#, "--entity", "Shop", "--mapping", "api.yaml")
    #expect(outcome.status == 1)
    #expect(
      outcome.error
        == "Error: The mapping cannot be used.\napi.yaml:3: Shop.nmae: there is no property “nmae”; did you mean “name”?\n"
    )
    #expect(folder.store() == before)
  }

  @Test("--only")
  func only() throws {
    let json = #"[{"id": 1, "name": "new"}, {"id": 3, "name": "Fopp"}]"#
    #expect(try load(json, "--entity", "Shop", "--only", "insert").report().inserted == ["Shop": 1])
    #expect(try shops() == "id,name\n1,Rough Trade\n2,Amoeba\n3,Fopp\n")
    #expect(try load(json, "--entity", "Shop", "--only", "update,delete").report().updated == ["Shop": 1])
    #expect(try load(json, "--entity", "Shop", "--only", "upsert").status == 64)
  }

  @Test("--prune, --max-delete and --dry-run")
  func prune() throws {
    let json = #"[{"id": 2, "name": "Amoeba"}]"#
    let dry = try load(json, "--entity", "Shop", "--prune", "--dry-run")
    #expect(try dry.report().deleted == ["Shop": 1])
    #expect(dry.output.contains(#""identity" : "1""#))
    let stopped = try load(json, "--entity", "Shop", "--prune", "--max-delete", "49%")
    #expect(stopped.status == 3)
    #expect(try stopped.report().deleted == [:])
    #expect(try load(json, "--entity", "Shop", "--prune", "--max-delete", "50%").status == 0)
    #expect(try shops() == "id,name\n2,Amoeba\n")
    #expect(try load(#"{"id": 1}"#, "--entity", "Shop", "--prune").status == 1)
  }

  @Test("--prune-where deletes only among the objects that a predicate holds for")
  func pruneWhere() throws {
    let json = #"[{"id": 3, "name": "Fopp", "floors": 1}]"#
    #expect(try load(json, "--entity", "Shop", "--prune-where", "floors > 1").report().deleted == ["Shop": 1])
    #expect(try shops() == "id,name\n2,Amoeba\n3,Fopp\n")
    let wrong = try load(json, "--entity", "Shop", "--prune-where", "flors > 1")
    #expect(wrong.status == 64)
    #expect(wrong.error.contains("^") && wrong.error.contains("floors"))
    #expect(try shops() == "id,name\n2,Amoeba\n3,Fopp\n")
  }

  @Test("--into and --onto")
  func targets() throws {
    let records = #"[{"id": 1, "title": "Tin Drum"}, {"id": 2, "title": "Oil on Canvas"}]"#
    #expect(try load(records, "--into", "Shop/1/records").status == 0)
    #expect(
      try load(#"[{"id": 2, "title": "O"}]"#, "--into", "Shop/1/records", "--prune").report().deleted == [
        "Record": 1
      ])
    #expect(try load(#"{"name": "RT"}"#, "--onto", "Shop/1").report().updated == ["Shop": 1])
    #expect(
      try shops("id,name,records.title") == "id,name,records.title\n1,RT,\"[\"\"O\"\"]\"\n2,Amoeba,[]\n")
    let missing = try load("[]", "--into", "Shop/9/records")
    #expect(missing.status == 1 && missing.error == "Error: There is no Shop 9. Nothing was changed.\n")
    let wrong = try load("[]", "--into", "Shop/1/recrods")
    #expect(
      wrong.status == 1 && wrong.error == "Error: Shop has no relationship recrods. Did you mean records?\n")
  }

  @Test(
    "wrong usage",
    arguments: [
      ["--into", "Shop/1"], ["--into", "Shop"], ["--onto", "Shop"],
      ["--onto", "Shop/1", "--into", "Shop/1/records"],
      ["--onto", "Shop/1", "--prune"], ["--onto", "Shop/1", "--entity", "Shop"],
      ["--into", "Shop/1/records", "--prune-where", "id > 1"], ["--prune-where", "id >"],
      ["--prune", "--max-delete", "-1"], ["--prune", "--max-delete", "101%"],
      ["--prune", "--only", "insert"],
      ["--only", ""],
    ])
  func usage(_ options: [String]) throws {
    let outcome = try broker(["import", "-", "--store", "store.sqlite"] + options, input: "[]", in: folder)
    #expect(outcome.status == 64)
  }

  @Test("the report for people names what was deleted, and suggests what keys were meant for")
  func text() throws {
    let outcome = try broker(
      "import", "-", "--store", "store.sqlite", "--entity", "Shop", "--prune",
      input: #"[{"id": 2, "floosr": 4}]"#, in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("Deleted (1):\n  Shop 1\n"))
    #expect(outcome.output.contains("Shop: floosr, 1 time, did you mean floors?"))
  }

  @Test("keys that match nothing are a line an entity, those first of which nothing matched")
  func unmatchedKeys() throws {
    let keys = (0..<30).map { "\"shop\($0)\": 1" }.joined(separator: ", ")
    let outcome = try broker(
      "import", "-", "--store", "store.sqlite",
      input: #"{"shops": [{"id": 1, "floosr": 2, \#(keys)}], "records": [{"a": 1, "b": 2}]}"#, in: folder)
    let place = try #require(outcome.output.range(of: "Keys that match nothing (33):\n"))
    #expect(
      outcome.output[place.upperBound...] == """
          Record, of which no key matches: a, 1 time; b, 1 time
          Shop: floosr, 1 time, did you mean floors?; shop0, 1 time; shop1, 1 time; shop10, 1 time; shop11, 1 time; \
        and 26 more

        """)
  }
}
