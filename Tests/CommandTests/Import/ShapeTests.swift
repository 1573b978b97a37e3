import Foundation
import Testing

/// Shapes that services send and that are easily got wrong.
@Suite("Shapes")
struct ShapeTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.write(
      """
      {"entities": [
        {"name": "Repo",
         "attributes": [
           {"name": "id", "type": "integer64"},
           {"name": "license", "type": "string", "optional": true,
            "userInfo": {"broker.key": "license.spdx_id"}},
           {"name": "avatarURL", "type": "uri", "optional": true, "userInfo": {"broker.key": "avatar_url_https"}}
         ],
         "relationships": [
           {"name": "issues", "destination": "Issue", "toMany": true, "inverse": "repo"},
           {"name": "topics", "destination": "Topic", "toMany": true, "inverse": "repos"}
         ]},
        {"name": "Issue",
         "attributes": [{"name": "number", "type": "integer32"}, {"name": "title", "type": "string"}],
         "relationships": [{"name": "repo", "destination": "Repo", "inverse": "issues"}],
         "unique": [["number", "repo"]]},
        {"name": "Topic",
         "attributes": [
           {"name": "id", "type": "integer64"}, {"name": "title", "type": "string", "optional": true}
         ],
         "relationships": [{"name": "repos", "destination": "Repo", "toMany": true, "inverse": "topics"}]}
      ]}
      """, to: "model.json")
  }

  private func importing(_ json: String, _ entity: String = "Repo") throws -> Outcome {
    try broker(
      "import", "--entity", entity, "--store", "s.sqlite", "--model", "model.json", "--format", "json",
      input: json,
      in: folder)
  }

  @Test("a key path that begins with its property's own name")
  func ownName() throws {
    let outcome = try importing(
      #"[{"id": 1, "license": {"key": "mit", "spdx_id": "MIT"}}, {"id": 2, "license": null}]"#)
    let report = try outcome.report()
    #expect(outcome.status == 0)
    #expect(report.issues == [])
    let query = try broker(
      "query", "Repo", "--select", "id,license", "--format", "csv", "--store", "s.sqlite", in: folder)
    #expect(query.output == "id,license\r\n1,MIT\r\n2,\r\n")
  }

  @Test("of two keys for one property that the mapping ranks, the better wins, and that is no issue")
  func rivals() throws {
    let outcome = try importing(
      #"[{"id": 1, "avatar_url": "http://a", "avatar_url_https": "https://a"},"#
        + #" {"id": 2, "avatar_url_https": "https://b", "avatar_url": "http://b"}]"#)
    #expect(outcome.status == 0)
    #expect(try outcome.report().issues == [])
    let query = try broker(
      "query", "Repo", "--select", "avatarURL", "--format", "csv", "--store", "s.sqlite", in: folder)
    #expect(query.output == "avatarURL\r\nhttps://a\r\nhttps://b\r\n")
  }

  @Test("a uniqueness constraint over a relationship keeps objects apart, and is no identity")
  func numberWithinOwner() throws {
    let json = #"[{"number": 1, "repo": 1, "title": "a"}, {"number": 1, "repo": 2, "title": "b"}]"#
    #expect(try importing(json, "Issue").report().inserted == ["Issue": 2])
    let second = try importing(json, "Issue")
    #expect(second.status == 3)
    #expect(try second.report().skipped == ["Issue": 2])
  }

  @Test("an export keeps references that wait, whatever its form", arguments: ["keys", "nested"])
  func pendingInManyToMany(_ form: String) throws {
    #expect(try importing(#"{"id": 1, "topics": [{"id": 1, "title": "swift"}, 2]}"#).status == 0)
    let export = try broker("export", "Repo", "--store", "s.sqlite", "--relationships", form, in: folder)
    let report = try importing(export.output).report()
    #expect(report.updated == [:])
    #expect(report.pending.map(\.key) == ["2"])
  }

  @Test("objects made only because something referred to them come back from an export")
  func stubs() throws {
    let outcome = try broker(
      "import", "--entity", "Issue", "--store", "s.sqlite", "--model", "model.json", "--references", "stub",
      "--quiet",
      input: #"[{"number": 1, "repo": 7, "title": "a"}]"#, in: folder)
    #expect(outcome.status == 0)
    let export = try broker("export", "Repo", "--nulls", "omit", "--store", "s.sqlite", in: folder)
    let back = try importing(export.output)
    #expect(back.status == 0)
    #expect(try back.report().updated == [:])
    #expect(try back.report().inserted == [:])
  }

  @Test("a byte order mark")
  func byteOrderMark() throws {
    #expect(try importing("\u{FEFF}" + #"[{"id": 1}]"#).report().inserted == ["Repo": 1])
  }

  // MARK: - Lists with something unusable in them

  private static let owners = """
    {"entities": [
      {"name": "Shop", "attributes": [{"name": "id", "type": "integer64"}],
       "relationships": [{"name": "records", "destination": "Record", "toMany": true, "inverse": "shop"}]},
      {"name": "Record",
       "attributes": [{"name": "id", "type": "integer64"}, {"name": "title", "type": "string"}],
       "relationships": [{"name": "shop", "destination": "Shop", "inverse": "records"}]}
    ]}
    """

  /// Imports a shop with three records, then a list in which one of them cannot be used; gives those that are
  /// left, and those that are left in the list.
  private func remaining(_ list: String, _ policy: String) throws -> (rows: String, list: String) {
    try folder.write(Self.owners, to: "owners.json")
    let whole = #"[{"id": 1, "title": "a"}, {"id": 2, "title": "b"}, {"id": 3, "title": "c"}]"#
    for (records, status) in [(whole, Int32(0)), (list, 3)] {
      let outcome = try broker(
        "import", "--entity", "Shop", "--model", "owners.json", "--store", "o.sqlite", "--to-many", policy,
        input: #"{"id": 1, "records": \#(records)}"#, in: folder)
      #expect(outcome.status == status)
    }
    func query(_ entity: String, _ selection: String) throws -> String {
      try broker(
        "query", entity, "--select", selection, "--format", "lines", "--store", "o.sqlite", in: folder
      ).output
    }
    let rows = try query("Record", "id").split(separator: "\n").joined()
    return (rows, try query("Shop", "records"))
  }

  @Test(
    "nothing is pruned where something in the list was unusable",
    arguments: [
      #"[{"id": 1, "title": null}, 2, 3]"#, #"[1, 2, {"id": "three"}]"#, #"[1, 2, [3]]"#, #"[1, 2, null]"#,
    ])
  func pruneWithIssues(_ list: String) throws {
    let rows = try remaining(list, "prune").rows
    #expect(rows == #"{"id":1}{"id":2}{"id":3}"#)
  }

  @Test("an object that is skipped for one of its values stays in the list that names it")
  func skippedInList() throws {
    let list = try remaining(#"[{"id": 1, "title": null}, 2, 3]"#, "replace").list
    #expect(list == "{\"records\":[1,2,3]}\n")
  }

  @Test("an object that holds only its identity is a reference, of an abstract entity too")
  func abstractReference() throws {
    try folder.write(
      """
      {"entities": [
        {"name": "Vehicle", "abstract": true, "attributes": [{"name": "id", "type": "integer64"}],
         "relationships": [{"name": "garage", "destination": "Garage", "inverse": "vehicles"}]},
        {"name": "Car", "parent": "Vehicle"},
        {"name": "Garage", "attributes": [{"name": "id", "type": "integer64"}],
         "relationships": [
           {"name": "vehicles", "destination": "Vehicle", "toMany": true, "inverse": "garage"}
         ]}
      ]}
      """, to: "vehicles.json")
    let outcome = try broker(
      "import", "--model", "vehicles.json", "--store", "v.sqlite",
      input: #"{"cars": [{"id": 1}, {"id": 2}], "garages": [{"id": 1, "vehicles": [1, {"id": 2}]}]}"#,
      in: folder)
    let query = try broker(
      "query", "Garage", "--select", "vehicles", "--format", "lines", "--store", "v.sqlite", in: folder)
    #expect(outcome.status == 0)
    #expect(query.output == "{\"vehicles\":[1,2]}\n")
  }
}
