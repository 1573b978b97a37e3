import Foundation
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

  private func values(_ store: String) throws -> String {
    try broker(
      "query", "Event", "--store", store, "--select", "id,secret,code,day", "--format", "csv", "--sort", "id",
      in: folder
    ).output
  }
}
