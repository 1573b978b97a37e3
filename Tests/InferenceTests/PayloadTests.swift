import Foundation
import Inference
import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Folders of messages, each of which nests objects of several entities, as webhooks and events of services are.
@Suite struct PayloadTests {
  /// Imports a folder twice: nothing has an issue, nothing is skipped, and the second time nothing is added.
  private func importedTwice(_ files: [String: String]) throws -> (
    model: InferredModel, counts: [String: Int]
  ) {
    let folder = try TestFolder(files)
    let inferred = try InferredModel(from: folder.sources())
    let (store, first) = try imported(inferred, folder.sources())
    #expect(first.issues.map(\.description) == [])
    #expect(first.unmatchedKeys == [:])
    let again = try Importer(store, options(inferred)).run(folder.sources())
    #expect(again.inserted == [:])
    #expect(again.deleted == [:])
    let export = try Exporter(store).wholeText()
    let copy = try Store(path: ":memory:", model: inferred.model, mapping: inferred.mapping)
    _ = try Importer(copy).run([.string(export)])
    #expect(try Exporter(copy).wholeText() == export)
    return (inferred, first.inserted)
  }

  private let user = #"{"id": 700001, "login": "ann", "url": "https://x.org/ann"}"#

  private func repository(_ stars: Int) -> String {
    """
    {"id": 800001, "name": "oven", "url": "https://x.org/oven", "stars": \(stars), "pushed_at": "2024-01-0\(stars)T00:00:00Z",
     "owner": \(user)}
    """
  }

  private func payloads() -> [String: String] {
    var files: [String: String] = [:]
    for (number, action) in ["created", "closed"].enumerated() {
      files["issues/\(action).payload.json"] = """
        {"action": "\(action)", "issue": {"id": 5\(number), "title": "t", "url": "https://x.org/i/\(number)", "user": \(user)},
         "repository": \(repository(number + 1)), "sender": \(user)}
        """
      files["release/\(action).payload.json"] = """
        {"action": "\(action)", "release": {"id": 6\(number), "name": "v\(number)", "url": "https://x.org/r/\(number)"},
         "repository": \(repository(number + 3)), "sender": \(user)}
        """
    }
    files["fork/created.payload.json"] =
      #"{"forkee": \#(repository(5)), "repository": \#(repository(6)), "sender": \#(user)}"#
    files["star/deleted.payload.json"] =
      #"{"action": "deleted", "starred_at": null, "repository": \#(repository(7)), "sender": \#(user)}"#
    return files
  }

  @Test func whatChangesFromMessageToMessageIsTheSameObject() throws {
    let (inferred, counts) = try importedTwice(payloads())
    #expect(counts["Repository"] == 1)
    #expect(counts["User"] == 1)
    #expect(counts["Issue"] == 2)
    #expect(counts["Release"] == 2)
    #expect(inferred.mapping["Repository"].identity ?? ["id"] == ["id"])
  }

  @Test func aMessageIsNotCalledLikeTheObjectInIt() throws {
    let (inferred, _) = try importedTwice(payloads())
    let names = Set(inferred.model.entities.map(\.name))
    #expect(names.isSuperset(of: ["Issue", "Release", "Repository", "User"]))
    #expect(inferred.model[entity: "IssueDocument"]?[relationship: "issue"]?.destination == "Issue")
    #expect(inferred.model[entity: "ReleaseDocument"]?[relationship: "release"]?.destination == "Release")
  }

  @Test func aStateThatDiffersInAFewMessagesIsNoIdentity() throws {
    var files: [String: String] = [:]
    for (index, action) in ["opened", "closed", "edited", "locked", "merged", "pinned"].enumerated() {
      files["\(action).json"] =
        #"{"action": "\#(action)", "size": \#(index), "note": "n", "team": {"id": 9, "name": "Red"}}"#
    }
    let (inferred, counts) = try importedTwice(files)
    #expect(counts.values.reduce(0, +) == 7)
    #expect(inferred.model.entities.allSatisfy { inferred.mapping[$0.name].identity != ["action"] })
  }

  @Test func messagesOfObjectsAreNoDocumentsOfEntities() throws {
    let channel = #"{"id": "c1", "name": "General", "frozen": false, "created_by": \#(user)}"#
    _ = try importedTwice([
      "channels.json":
        #"{"channels": [{"id": "c1", "name": "General"}, {"id": "c2", "name": "Other"}], "users": [\#(user)]}"#,
      "events/invited.json":
        #"{"member": {"role": "guest", "invited": true}, "channel": \#(channel), "type": "invited", "cid": "x"}"#,
      "events/added.json":
        #"{"member": {"role": "owner", "invited": false}, "channel": \#(channel), "type": "added", "cid": "y"}"#,
    ])
  }

  @Test func objectsInAMessageDecideBetweenFormsWithTheSameKeys() throws {
    var files: [String: String] = [:]
    for number in 0..<3 {
      files["suspend/s\(number).json"] = """
        {"action": "suspend", "installation": {"id": \(number + 1), "account": "a", "targets": ["x"]}, "sender": \(user)}
        """
      files["member/m\(number).json"] = """
        {"action": "added", "installation": {"id": \(number + 7), "node_id": "n\(number)"}, "sender": \(user), "member": "b"}
        """
    }
    _ = try importedTwice(files)
  }

  @Test func anObjectBesideListsIsAnEntityToo() throws {
    let (inferred, counts) = try importedTwice([
      "oven.json": """
      {"crate": {"id": "oven", "name": "oven", "versions": [1203000, 1203001], "keywords": ["bake"]},
       "versions": [{"id": 1203000, "crate": "oven", "num": "1.0"}, {"id": 1203001, "crate": "oven", "num": "1.1"}],
       "keywords": [{"id": "bake", "keyword": "bake", "uses": 3}, {"id": "heat", "keyword": "heat", "uses": 2}]}
      """
    ])
    #expect(counts == ["Crate": 1, "Version": 2, "Keyword": 2])
    #expect(inferred.model[entity: "Crate"]?[relationship: "versions"]?.destination == "Version")
    // The word of a keyword is no keyword.
    #expect(inferred.model[entity: "Keyword"]?[attribute: "keyword"] != nil)
  }

  @Test func anEnvelopeOfOtherKeysIsAnotherEntity() throws {
    let record = { (id: Int, fields: String) in
      #"{"id": "rec\#(id)", "createdTime": "2024-01-01T00:00:00Z", "fields": {\#(fields)}}"#
    }
    let people = (record(1, #""Name": "Ann", "Age": 3"#), record(2, #""Name": "Bo", "Age": 4"#))
    let projects = (record(3, #""Budget": 5, "Due": "x""#), record(4, #""Budget": 6, "Due": "y""#))
    let (_, counts) = try importedTwice([
      "people.json": #"{"records": [\#(people.0), \#(people.1)]}"#,
      "projects.json": #"{"records": [\#(projects.0), \#(projects.1)]}"#,
    ])
    #expect(counts == ["Person": 2, "Project": 2])
  }

  @Test func linksOfDocumentsAreNoObjects() throws {
    let (inferred, _) = try importedTwice([
      "posts.json": """
      [{"id": 1, "title": "a", "_links": {"self": {"href": "https://x.org/1"}, "author": [{"href": "https://x.org/a"}]}},
       {"id": 2, "title": "b", "_links": {"self": {"href": "https://x.org/2"}, "author": [{"href": "https://x.org/a"}]}}]
      """
    ])
    #expect(inferred.model.entities.map(\.name) == ["Post"])
  }

  @Test func keysThatDifferByANumberNameOneEntity() throws {
    let (inferred, counts) = try importedTwice([
      "matches.json": """
      [{"num": 1, "goals1": [{"name": "A", "minute": 3}], "goals2": [{"name": "B", "minute": 5}, {"name": "C", "minute": 9}]},
       {"num": 2, "goals1": [{"name": "D", "minute": 8}], "goals2": []}]
      """
    ])
    #expect(inferred.model[entity: "Goal"] != nil)
    #expect(counts["Goal"] == 4)
  }

  @Test(arguments: ["[#]", "#", #"{"readings": [#], "total": 6}"#])
  func readingsOfOneSensorAreNotOne(_ wrapper: String) throws {
    let readings = (0..<6).map { number in
      #"{"id": "s\#(number % 2)", "name": "Kitchen", "temp": \#(number), "time": "2024-01-0\#(number + 1)T00:00:00Z"}"#
    }
    let text = readings.joined(separator: wrapper == "#" ? "\n" : ", ")
    let (_, counts) = try importedTwice(["readings.json": wrapper.replacing("#", with: text)])
    #expect(counts.values.reduce(0, +) == 6)
  }

  @Test func linesOfOrdersAreNotOneWhereEachOrderIsADocument() throws {
    var files: [String: String] = [:]
    for number in 1...4 {
      files["orders/\(number).json"] = """
        {"id": \(number), "lines": [{"id": "p1", "name": "Pen", "qty": \(number)}, {"id": "p2", "name": "Ink", "qty": \(2 * number)}]}
        """
    }
    let (_, counts) = try importedTwice(files)
    #expect(counts.values.reduce(0, +) == 12)
  }

  @Test func twoKindsOfLoneObjectsAreTwoEntities() throws {
    let (inferred, _) = try importedTwice([
      "river.json": #"{"id": 1, "name": "Loire", "area": 7, "length": 9}"#,
      "star.json": #"{"id": 2, "name": "Orion", "area": 7, "length": 9, "depth": 8}"#,
    ])
    #expect(Set(inferred.model.entities.map(\.name)) == ["River", "Star"])
  }

  @Test func aRoleIsNotOverwrittenByAnotherFilms() throws {
    let film = { (id: Int, role: String) in
      #"{"id": \#(id), "title": "F\#(id)", "cast": [{"id": 819, "name": "Ann", "character": "\#(role)"}]}"#
    }
    let (_, counts) = try importedTwice([
      "films.json": "[\(film(1, "Nun")), \(film(2, "Cop")), \(film(3, "Spy"))]"
    ])
    #expect(counts["Cast"] == 3)
  }

  @Test func aDictionaryOfItselfEnds() throws {
    var text = #"{"id": "leaf", "name": "n", "parts": {}}"#
    for level in 0..<6 {
      text =
        #"{"id": "n\#(level)", "name": "n", "parts": {"Q\#(level)1": \#(text), "Q\#(level)2": {"id": "x\#(level)", "name": "m"}}}"#
    }
    let folder = try TestFolder([
      "tree.json": text, "other.json": #"{"parts": {"Q1": {"id": "a", "name": "b"}}}"#,
    ])
    let inferred = try InferredModel(from: folder.sources())
    #expect(!inferred.guesses.contains { $0.evidence.contains("different places") })
  }
}
