import Foundation
import Inference
import JSONStream
import Mapping
import ObjectModel
import Testing

/// Entities, identities and links of small documents.
@Suite struct ShapeTests {
  private func lines(_ json: String) throws -> [String] { try ModelSummary(inferred(json)).lines }

  @Test func keysThatAreDataMakeADictionary() throws {
    let stats = { (value: Int) in
      (1990...2004).map { "\"\($0)\": {\"count\": \(value)}" }.joined(separator: ",")
    }
    let json = "[\((1...4).map { "{\"id\": \($0), \"years\": {\(stats($0))}}" }.joined(separator: ","))]"
    let inferred = try inferred(json)
    #expect(inferred.mapping["Record"].dictionaries["years"] == DictionaryRule("key"))
    #expect(inferred.model[entity: "Year"]?[attribute: "key"] != nil)
  }

  @Test func valuesThatRepeatWithOtherContentAreNoIdentity() throws {
    let json =
      "[{\"id\": 1, \"v\": \"a\"}, {\"id\": 2, \"v\": \"b\"}, {\"id\": 1, \"v\": \"c\"}, {\"id\": 2, \"v\": \"d\"}]"
    #expect(try lines(json) == ["Record: none"])
  }

  @Test func aNumberWithinAListIsNoIdentity() throws {
    let json = """
      {"teams": [{"id": 10, "players": [{"id": 1, "name": "A"}, {"id": 2, "name": "B"}]},
                 {"id": 11, "players": [{"id": 1, "name": "C"}, {"id": 2, "name": "D"}]}]}
      """
    #expect(try lines(json).contains("Player: none"))
  }

  @Test func objectsInsideTheirLikeAreOfOneEntity() throws {
    let json = """
      [{"id": 1, "name": "a", "children": [{"id": 2, "name": "b", "children": [{"id": 3, "name": "c", "children": []}]}]}]
      """
    let lines = try lines(json)
    #expect(lines.filter { $0.contains(": ") }.count == 1)
    #expect(lines.contains("Record.children => Record, childrenOf"))
  }

  @Test func objectsOfOneListWithLittleInCommonAreOfSeveralEntities() throws {
    let json = """
      [{"type": "page", "id": "p1", "title": "Plan", "icon": "x", "archived": false},
       {"type": "database", "id": "d1", "name": "Tasks", "columns": 4, "schema": "s"},
       {"type": "page", "id": "p2", "title": "Goals", "icon": "y", "archived": true},
       {"type": "database", "id": "d2", "name": "Bugs", "columns": 5, "schema": "t"}]
      """
    let inferred = try inferred(json)
    #expect(Set(inferred.model.entities.map(\.name)) == ["Page", "Database"])
    #expect(inferred.mapping.document.kind == "type")
    #expect(try imported(inferred, [.string(json)]).report.issues.isEmpty)
  }

  @Test func kindsOfOneThingHaveACommonParent() throws {
    let json = """
      [{"id": 1, "type": "photo", "title": "a", "taken": "2014-01-01", "width": 10, "height": 20},
       {"id": 2, "type": "video", "title": "b", "taken": "2014-01-02", "duration": 7, "codec": "h"},
       {"id": 3, "type": "photo", "title": "c", "taken": "2014-01-03", "width": 11, "height": 21},
       {"id": 4, "type": "video", "title": "d", "taken": "2014-01-04", "duration": 8, "codec": "g"}]
      """
    let inferred = try inferred(json)
    let parent = try #require(inferred.model.entities.first { $0.isAbstract })
    #expect(
      Set(inferred.model.entities.filter { $0.parent == parent.name }.map(\.name)) == ["Photo", "Video"])
    let source = ImportSource.string(json)
    #expect(try imported(inferred, [source]).report.inserted == ["Photo": 2, "Video": 2])
  }

  @Test func listsUnderKeysOfADictionaryGetTheKey() throws {
    let json = #"{"2019": [{"id": 1, "n": "a"}], "2020": [{"id": 2, "n": "b"}, {"id": 3, "n": "c"}]}"#
    let inferred = try inferred(json)
    #expect(inferred.mapping.document.root == "{key}")
    #expect(try imported(inferred, [.string(json)]).report.inserted == ["Record": 3])
  }

  @Test func aSampleReadsNoMoreThanItsRecords() throws {
    let json = (1...100).map { "{\"id\": \($0)}" }.joined(separator: "\n")
    let inferred = try inferred(json, records: 10)
    #expect(inferred.records == 10)
    #expect(!inferred.isWhole)
  }

  @Test func aKeyAndAMomentAreAnIdentityWhereNothingElseIs() throws {
    let readings = (0..<20).map { place in
      "{\"sensor_id\": \"sensor-\(place % 4)\", \"time\": \"2024-01-01T00:\(10 + place):00Z\", \"value\": 1.5}"
    }
    let sensors = (0..<4).map { "{\"id\": \"sensor-\($0)\", \"model\": \"T1\"}" }
    let json =
      "{\"readings\": [\(readings.joined(separator: ","))], \"sensors\": [\(sensors.joined(separator: ","))]}"
    let inferred = try inferred(json)
    #expect(try ModelSummary(inferred).lines.contains("Reading: sensor,time"))
    let (store, report) = try imported(inferred, [.string(json)])
    #expect(report.inserted == ["Reading": 20, "Sensor": 4])
    #expect(try Importer(store).run([.string(json)]).inserted == [:])
  }

  /// A series of values names its owner by a word for one, or by a key. A log does not.
  @Test(arguments: [
    ("sensor", "Reading: sensor,time"), ("station_id", "Reading: stationId,time"), ("level", "Reading: none"),
  ])
  func aSeriesIsIdentifiedByItsOwnerAndTheMoment(_ owner: String, _ expected: String) throws {
    let readings = (0..<24).map { place in
      "{\"\(owner)\": \"o\(place % 3)\", \"time\": \"2024-01-01T\(10 + place / 3):00:00Z\", \"value\": \(place % 5)}"
    }
    let inferred = try inferred("{\"readings\": [\(readings.joined(separator: ","))]}")
    let lines = try ModelSummary(inferred).lines
    #expect(lines.contains { $0.hasPrefix(expected) }, "\(lines)")
  }

  @Test func keysThatAProgramMadeAreIdentities() throws {
    let json = """
      {"users": {"-Nabc0xYz12": {"name": "A", "joined": 1600000000000}, "-Nabc1xYz12": {"name": "B", "joined": 1600000000001}},
       "posts": {"-Npst0xYz34": {"title": "P", "author": "-Nabc0xYz12"}, "-Npst1xYz34": {"title": "Q", "author": "-Nabc1xYz12"}}}
      """
    let lines = try lines(json)
    #expect(lines.contains("User: id"))
    #expect(lines.contains("Post.author -> User, posts"))
  }

  @Test func anIdentityMayStandInAnObject() throws {
    let people = (0..<4).map { "{\"_id\": {\"$oid\": \"5f43a1b2c3d4e5f\($0)\"}, \"name\": \"N\($0)\"}" }
    let json = "[\(people.joined(separator: ","))]"
    let inferred = try inferred(json)
    #expect(inferred.mapping["Record"].keys["id"] == ["_id.$oid"])
    #expect(try imported(inferred, [.string(json)]).report.issues.isEmpty)
  }

  @Test func anObjectMaySayMoreAtOnePlaceThanAtAnother() throws {
    let json = """
      {"users": [{"id": 1, "login": "a", "email": "a@x.org"}, {"id": 2, "login": "b", "email": "b@x.org"}],
       "issues": [{"id": 7, "user": {"id": 1, "login": "a"}}, {"id": 8, "user": {"id": 2, "login": "b"}}]}
      """
    let lines = try lines(json)
    #expect(lines.contains("User: id"))
    #expect(lines.contains("Issue.user -> User, issues"))
  }

  @Test func linksOfAGraphAreNoMeta() throws {
    let json = """
      {"nodes": [{"id": "a", "group": 1}, {"id": "b", "group": 2}, {"id": "c", "group": 1}],
       "links": [{"source": "a", "target": "b", "value": 3}, {"source": "b", "target": "c", "value": 4}]}
      """
    #expect(Set(try lines(json).filter { $0.contains(": ") }) == ["Node: id", "Link: none"])
  }

  @Test func doubtsComeFirst() throws {
    let guesses = try inferred(#"[{"id": 1, "a": null, "b": "x"}]"#).guesses
    #expect(guesses.map(\.certainty) == guesses.map(\.certainty).sorted())
    #expect(guesses.first?.property == "a")
  }
}
