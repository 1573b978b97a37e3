import Foundation
import Testing

@Suite("broker model")
struct ModelTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.write(Folder.model, to: "model.json")
  }

  @Test("show: a paragraph an entity, a line a property")
  func show() throws {
    let outcome = try broker("model", "show", "model.json", in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.error == "")
    #expect(outcome.output.hasPrefix("Shop  identity: id (by its name)\n  * id "))
    #expect(outcome.output.contains("records  →→ Record") || outcome.output.contains("records"))
    #expect(outcome.output.contains("\nRecord  identity: id (by its name)\n"))
  }

  @Test("show --format json is the form that loads again")
  func showJSON() throws {
    let outcome = try broker("model", "show", "model.json", "--format", "json", in: folder)
    try folder.write(outcome.output, to: "again.json")
    let again = try broker("model", "show", "again.json", "--format", "json", in: folder)
    #expect(again.output == outcome.output)
    #expect(again.status == 0)
  }

  @Test("check: nothing to say")
  func checkGood() throws {
    let outcome = try broker("model", "check", "model.json", in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.output == "No problems.\n")
  }

  @Test("check: all problems at once, status 1")
  func checkBad() throws {
    try folder.write(
      """
      {"entities": [
        {"name": "A", "parent": "B"},
        {"name": "C", "relationships": [{"name": "d", "destination": "Q", "inverse": "c"}]}
      ]}
      """, to: "bad.json")
    let outcome = try broker("model", "check", "bad.json", in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("error: A: its parent “B” is no entity of this model\n"))
    #expect(outcome.output.contains("error: C.d: there is no entity “Q”\n"))
    #expect(outcome.output.hasSuffix("2 errors, 0 warnings\n"))
    let json = try broker("model", "check", "bad.json", "--format", "json", in: folder)
    #expect(json.status == 1)
    struct Result: Decodable { var errors: Int }
    #expect(try JSONDecoder().decode(Result.self, from: Data(json.output.utf8)).errors == 2)
  }

  @Test("check: warnings alone have status 0")
  func checkWarning() throws {
    try folder.write(
      #"{"entities": [{"name": "A", "relationships": [{"name": "a", "destination": "A"}]}]}"#, to: "w.json")
    let outcome = try broker("model", "check", "w.json", in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("warning: A.a: it has no inverse"))
    #expect(outcome.output.hasSuffix("0 errors, 1 warning\n"))
  }

  @Test("convert to Core Data's form and back", arguments: ["out.xcdatamodeld", "out.xcdatamodel"])
  func convert(_ name: String) throws {
    let there = try broker("model", "convert", "model.json", name, in: folder)
    #expect(there.status == 0)
    #expect(there.output == "" && there.error == "")
    #expect(try broker("model", "convert", name, "back.json", in: folder).status == 0)
    let before = try broker("model", "show", "model.json", in: folder)
    #expect(try broker("model", "show", "back.json", in: folder).output == before.output)
    #expect(try broker("model", "show", name, in: folder).output == before.output)
  }

  @Test("convert: a name that tells no form")
  func unknownForm() throws {
    let outcome = try broker("model", "convert", "model.json", "out.txt", in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.error.contains("end the name in .xcdatamodeld, .xcdatamodel, .json or .yaml"))
    #expect(!folder.exists("out.txt"))
  }

  @Test("what is no model", arguments: ["show", "check"])
  func noModel(_ command: String) throws {
    #expect(
      try broker("model", command, "absent.json", in: folder).error.contains("no such file or directory"))
    try folder.write("not a model", to: "text.json")
    let text = try broker("model", command, "text.json", in: folder)
    #expect(text.status == 1)
    #expect(text.output == "")
    #expect(text.error.contains("text.json"))
    try folder.write(
      #"{"entities": [{"name": "A", "attributes": [{"name": "x", "type": "strnig"}]}]}"#, to: "typo.json")
    let typo = try broker("model", command, "typo.json", in: folder)
    #expect(typo.status == 1)
    #expect(typo.error.contains("A.x: “strnig” is not an attribute type"))
    #expect(typo.error.contains("did you mean “string”?"))
  }
}
