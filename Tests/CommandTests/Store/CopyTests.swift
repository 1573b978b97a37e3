import Foundation
import GRDB
import TestSettings
import Testing

/// Copies of whole stores, from a file to a file.
@Suite("Copies of stores")
struct CopyTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  @Test("what a model says of JSON keeps no value back")
  func formsOfJSON() throws {
    let model = """
      {"entities": [{"name": "Event", "attributes": [
        {"name": "id", "type": "integer64"},
        {"name": "secret", "type": "string", "optional": true, "userInfo": {"broker.exported": "false"}},
        {"name": "code", "type": "string", "optional": true ANNOTATIONS},
        {"name": "day", "type": "date", "optional": true, "userInfo": {"broker.dateFormat": "FORMAT"}}]}]}
      """
    // The values of a store can be from before the model said so.
    let before = model.replacing(" ANNOTATIONS", with: "").replacing(
      "FORMAT", with: "yyyy-MM-dd'T'HH:mm:ss")
    try folder.write(before, to: "before.json")
    let after = model.replacing(
      " ANNOTATIONS", with: #", "userInfo": {"broker.ignored": "true", "broker.transformer": "trimed"}"#
    ).replacing("FORMAT", with: "dd.MM.yyyy")
    try folder.write(after, to: "after.json")
    let imported = try broker(
      "import", "--entity", "Event", "--model", "before.json", "--store", "one.sqlite",
      input: #"[{"id": 1, "secret": "x", "code": "c", "day": "2003-02-01T04:05:06"}]"#, in: folder)
    #expect(imported.status == 0, "\(imported.error)")
    let again = try broker(
      "import", "--entity", "Event", "--model", "after.json", "--store", "one.sqlite",
      input: #"[{"id": 2}]"#, in: folder)
    #expect(again.status == 0, "\(again.output)\(again.error)")

    let copied = try broker("copy", "--from", "one.sqlite", "--to", "two.sqlite", in: folder)
    #expect(copied.status == 0, "\(copied.output)\(copied.error)")
    let rows = try values("one.sqlite")
    #expect(rows.contains("2003-02-01 04:05:06") && rows.contains("x,c"), "\(rows)")
    #expect(try values("two.sqlite") == rows)
    // The copy remembers what the model says of JSON all the same.
    let exported = try broker("export", "Event", "--store", "two.sqlite", "--id", "1", in: folder)
    #expect(exported.output == #"{"id":1,"day":"01.02.2003"}"# + "\n", "\(exported.error)")
  }

  @Test("stores that took their model from data come over, whatever identifies their objects")
  func modelsFromData() throws {
    try folder.makeFolder("data")
    // Values that a mapping says to be identities, objects of their source, and parts of both.
    try folder.write(
      """
      {"items": [{"shortId": "a1", "author": {"login": "ann"}, "tags": [{"url": "https://x.org/1", "name": "t"}]},
                 {"shortId": "b2", "author": {"login": "bob"}, "tags": [{"url": "https://x.org/1", "name": "t"}]},
                 {"shortId": "c3", "author": {"login": "ann"}, "tags": []}]}
      """, to: "data/posts.json")
    try folder.write(
      #"[{"day": "Mon", "steps": [{"n": 1}, {"n": 1}]}, {"day": "Mon", "steps": []}, {"day": "Tue", "steps": [{"n": 2}]}]"#,
      to: "data/walks.json")
    let imported = try broker("import", "data", "--store", "one.sqlite", in: folder)
    #expect(imported.status == 0, "\(imported.error)")
    let shown = try broker("model", "show", "one.sqlite", in: folder).output
    #expect(shown.contains("(mapping)") && shown.contains("identity: source, position"), "\(shown)")

    let copied = try broker("copy", "--from", "one.sqlite", "--to", "two.sqlite", in: folder)
    #expect(copied.status == 0, "\(copied.output)\(copied.error)")
    let exports = try ["one.sqlite", "two.sqlite"].map { try broker("export", "--store", $0, in: folder) }
    #expect(exports[0].output.contains("Tue") && exports[0].output == exports[1].output)
    // The copy goes on as the store does.
    let again = try broker("import", "data", "--store", "two.sqlite", in: folder)
    #expect(again.status == 0 && !again.output.contains("inserted"), "\(again.output)\(again.error)")
  }

  @Test("objects without identity that several owners have come over once, with all their owners")
  func sharedParts() throws {
    // What a mapping of several files gives: a race stands in its season and is named by its circuit, a mount names facts.
    try folder.write(
      """
      {"entities": [
        {"name": "Season", "unique": [["id"]], "attributes": [{"name": "id", "type": "integer64"}], "relationships": [
          {"name": "races", "destination": "Race", "toMany": true, "ordered": true, "inverse": "season", "deleteRule": "cascade"}]},
        {"name": "Circuit", "unique": [["id"]], "attributes": [{"name": "id", "type": "integer64"}], "relationships": [
          {"name": "races", "destination": "Race", "toMany": true, "inverse": "circuit"}]},
        {"name": "Flag", "unique": [["id"]], "attributes": [{"name": "id", "type": "integer64"}], "relationships": [
          {"name": "race", "destination": "Race", "optional": true, "inverse": "flags"}]},
        {"name": "Driver", "unique": [["id"]], "attributes": [{"name": "id", "type": "integer64"}], "relationships": [
          {"name": "results", "destination": "Result", "toMany": true, "inverse": "driver"},
          {"name": "teams", "destination": "Team", "toMany": true, "inverse": "drivers"}]},
        {"name": "Race", "attributes": [{"name": "n", "type": "string", "optional": true}], "relationships": [
          {"name": "season", "destination": "Season", "optional": true, "inverse": "races"},
          {"name": "circuit", "destination": "Circuit", "optional": true, "inverse": "races"},
          {"name": "flags", "destination": "Flag", "toMany": true, "ordered": true, "inverse": "race"},
          {"name": "results", "destination": "Result", "toMany": true, "ordered": true, "inverse": "race", "deleteRule": "cascade"}]},
        {"name": "Result", "attributes": [{"name": "pos", "type": "integer64"}], "relationships": [
          {"name": "race", "destination": "Race", "optional": true, "inverse": "results"},
          {"name": "driver", "destination": "Driver", "optional": true, "inverse": "results"}]},
        {"name": "Team", "attributes": [{"name": "name", "type": "string", "optional": true}], "relationships": [
          {"name": "drivers", "destination": "Driver", "toMany": true, "inverse": "teams"}]}]}
      """, to: "model.json")
    let imported = try broker(
      "import", "-", "--model", "model.json", "--store", "one.sqlite",
      input: """
        {"Season": [
          {"id": 1, "races": [
            {"n": "a", "circuit": {"id": 7}, "flags": [31, 30], "results": [{"pos": 1, "driver": {"id": 10}}, {"pos": 2, "driver": {"id": 11}}]},
            {"n": "a", "circuit": {"id": 7}, "results": [{"pos": 1, "driver": {"id": 11}}]}]},
          {"id": 2, "races": [{"n": "b", "flags": [32], "results": []}]}],
         "Circuit": [{"id": 8, "races": [{"n": "alone"}]}],
         "Flag": [{"id": 30}, {"id": 31}, {"id": 32}],
         "Team": [{"name": "both", "drivers": [10, 11]}, {"name": "one", "drivers": [11]}]}
        """, in: folder)
    #expect(imported.status == 0, "\(imported.output)\(imported.error)")
    for options in [[], ["--chunk", "2"]] {
      let target = "two\(options.count).sqlite"
      let copied = try broker(["copy", "--from", "one.sqlite", "--to", target] + options, in: folder)
      #expect(copied.status == 0, "\(copied.output)\(copied.error)")
      for (entity, columns) in [
        ("Race", "n,season,circuit,results.pos,results.driver,flags"), ("Flag", "id,race.n"),
        ("Circuit", "id,races.n"),
        ("Team", "name,drivers"), ("Driver", "id,results.pos,teams.name"), ("Season", "id,races.n"),
      ] {
        let rows = try ["one.sqlite", target].map { store in
          let found = try broker(
            "query", entity, "--store", store, "--select", columns, "--format", "csv", in: folder)
          #expect(found.status == 0, "\(found.error)")
          return found.output.split(separator: "\n").sorted()
        }
        #expect(rows[0] == rows[1], "\(entity) \(target)")
      }
    }
    let exports = try ["one.sqlite", "two0.sqlite"].map {
      try broker("export", "--store", $0, in: folder).output
    }
    #expect(exports[0] == exports[1])
  }

  @Test("a copy that ends in the middle says what the target has", .enabled(if: !Engine.isServer))
  func endInTheMiddle() throws {
    try folder.write(
      """
      {"entities": [
        {"name": "Band", "unique": [["id"]], "attributes": [
          {"name": "id", "type": "integer64"}, {"name": "text", "type": "string", "optional": true}]},
        {"name": "Node", "attributes": [{"name": "text", "type": "string", "optional": true}], "relationships": [
          {"name": "children", "destination": "Node", "toMany": true, "inverse": "parent"},
          {"name": "parent", "destination": "Node", "optional": true, "inverse": "children"}]}]}
      """, to: "model.json")
    let text = String(repeating: "x", count: 500)
    let bands = (1...3_000).map { #"{"id": \#($0), "text": "\#(text)"}"# }.joined(separator: ",\n")
    let imported = try broker(
      "import", "-", "--model", "model.json", "--store", "one.sqlite",
      input: #"{"Band": [\#(bands)], "Node": [{"text": "a"}]}"#, in: folder)
    #expect(imported.status == 0, "\(imported.error)")
    let database = try DatabaseQueue(path: folder.path("one.sqlite"))
    try database.write { try $0.execute(sql: "UPDATE Node SET parent = rowid") }
    try database.close()

    let whole = try broker("copy", "--from", "one.sqlite", "--to", "two.sqlite", in: folder)
    #expect(whole.status == 1 && whole.error.contains("own each other in a circle"), "\(whole.error)")
    #expect(try broker("info", "two.sqlite", in: folder).output.contains("Band") == false)
    let parts = try broker(
      "copy", "--from", "one.sqlite", "--to", "three.sqlite", "--chunk", "500", in: folder)
    #expect(parts.status == 1 && parts.error.contains("own each other in a circle"), "\(parts.error)")
    #expect(
      parts.error.contains(#/three\.sqlite has \d+ objects, and what is missing is not/#), "\(parts.error)")
    #expect(!parts.error.contains("Nothing was changed"), "\(parts.error)")
  }

  private func values(_ store: String) throws -> String {
    try broker(
      "query", "Event", "--store", store, "--select", "id,secret,code,day", "--format", "csv", "--sort", "id",
      in: folder
    ).output
  }
}
