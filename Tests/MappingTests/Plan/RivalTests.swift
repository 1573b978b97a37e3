import Mapping
import ObjectModel
import Testing

/// Two keys that come to one property are told only where it is not clear which is meant, and once.
@Suite struct RivalTests {
  @Test(arguments: [
    // The model ranks them.
    ("name: string | broker.key=title | broker.key.1=caption", #""title": "good", "caption": "bad""#),
    ("name: string | broker.key=title", #""title": "good", "name": "bad""#),
    ("name: string | broker.key=info.title", #""info": {"title": "good"}, "name": "bad""#),
    ("name: string | broker.key=title", #""name": "bad", "title": "good""#),
  ])
  func keysThatAreRankedAreNoIssue(_ property: String, _ members: String) throws {
    let fixture = try Fixture("Band\n  id: integer64\n  \(property)", entity: "Band")
    let report = try fixture.load(#"{"id": 1, \#(members)}"#)
    #expect(report.problems == [])
    #expect(try fixture.rows("SELECT name FROM Band") == ["good"])
  }

  @Test func idBesideTheIdentityIsNoIssue() throws {
    for members in [#""id": 9, "code": 1"#, #""code": 1, "id": 9"#] {
      let fixture = try Fixture(
        "Band | broker.identity=code\n  code: integer64\n  name: string", entity: "Band")
      let report = try fixture.load("[{\(members)}]")
      #expect(report.problems == [])
      #expect(try fixture.rows("SELECT code FROM Band") == ["1"])
    }
  }

  @Test func anImportOfManySourcesSaysItOnce() throws {
    let fixture = try Fixture("Band\n  id: integer64\n  firstName: string", entity: "Band")
    let sources = (1...5).map { #"{"id": \#($0), "firstName": "a", "first_name": "b"}"# }
    let report = try fixture.load(sources[0], sources[1], sources[2], sources[3], sources[4])
    #expect(report.issues.map(\.expected) == ["one key for firstName"])
    // The next import says it again.
    #expect(try fixture.load(sources[0]).issueCount == 1)
  }

  @Test(arguments: [0, 254, 255, 256, 511])
  func keysInBetweenHideNoRival(_ count: Int) throws {
    let fixture = try Fixture("Band\n  id: integer64\n  firstName: string", entity: "Band")
    let others = (0..<count).map { "\"key\($0)\": 0, " }.joined()
    let report = try fixture.load(#"{"id": 1, "first_name": "a", \#(others)"FirstName": "b"}"#)
    #expect(report.issues.map(\.expected) == ["one key for firstName"])
    #expect(try fixture.rows("SELECT firstName FROM Band") == ["b"])
  }

  @Test(arguments: ["meta.kind", "meta.type.name", "kind"])
  func whatTellsTheKindIsKnown(_ path: String) throws {
    var model = try model(
      "Media\n  id: integer64\n  size: integer16 | broker.key=meta.size\nPhoto : Media\n  width: integer16")
    for index in model.entities.indices where model.entities[index].name == "Media" {
      model.entities[index].userInfo["broker.discriminator"] = path
    }
    let fixture = try Fixture(model: model, entity: "Media")
    var json = #""Photo""#
    for key in path.split(separator: ".").dropFirst().reversed() { json = #"{"\#(key)": \#(json)}"# }
    if path.contains(".") { json = json.replacing("{\"kind\"", with: "{\"size\": 3, \"other\": 4, \"kind\"") }
    let first = path.split(separator: ".")[0]
    let report = try fixture.load(#"[{"id": 1, "\#(first)": \#(json)}]"#)
    #expect(report.problems == [])
    #expect(report.unmatchedKeys == (path == "meta.kind" ? ["Photo": ["meta.other": 1]] : [:]))
  }
}
