import Inference
import Mapping
import ObjectModel
import Testing

/// What many objects, nulls and odd values do to a model.
@Suite struct ScaleTests {
  @Test(arguments: [50_000, 150_000])
  func anIdentityIsOneHoweverManyObjectsHaveIt(_ count: Int) throws {
    // The order is none, as that of identities that a program makes.
    let rows = (0..<count).map { "{\"id\": \(($0 &* 2_654_435_761) % 4_294_967_291), \"v\": \($0 % 7)}" }
    let inferred = try inferred("[" + rows.joined(separator: ",") + "]")
    #expect(try ModelSummary(inferred).lines == ["Record: id"])
    #expect(inferred.guesses.contains { $0.subject == .identity && $0.certainty == .certain })
  }

  @Test func anIdentityThatCameTwiceIsSeenAmongMany() throws {
    var rows = (0..<100_000).map { "{\"id\": \($0), \"v\": \"a\($0)\"}" }
    rows.append("{\"id\": 5, \"v\": \"other\"}")
    let inferred = try inferred("[" + rows.joined(separator: ",") + "]")
    #expect(!inferred.guesses.contains { $0.evidence.contains("all values differ") && $0.property == "id" })
  }

  @Test func laterNullsLeaveTypesAlone() throws {
    let first = try inferred(
      #"[{"id": 1, "at": "2024-01-01", "n": 3, "on": true, "url": "https://x.org"}, {"id": 2, "at": "2024-01-02", "n": 4, "on": false, "url": "https://y.org"}]"#
    )
    let later = try inferred(#"[{"id": 3, "at": null, "n": null, "on": null, "url": null}]"#)
      .refining(first.model, mapping: first.mapping)
    for name in ["at", "n", "on", "url"] {
      #expect(
        later.model[entity: "Record"]?[attribute: name]?.type
          == first.model[entity: "Record"]?[attribute: name]?.type)
    }
  }

  @Test func theFirstValuesTellTheTypeOfWhatWasNull() throws {
    let first = try inferred(#"[{"id": 1, "at": null}, {"id": 2, "at": null}]"#)
    let values = #"[{"id": 3, "at": "2024-01-01"}, {"id": 4, "at": "2024-01-02"}]"#
    let later = try inferred(values).refining(first.model, mapping: first.mapping)
    #expect(later.model[entity: "Record"]?[attribute: "at"]?.type == .date)
    let same = try inferred(values).refining(later.model, mapping: later.mapping)
    #expect(same.guesses.isEmpty)
  }

  @Test func aListOfAttributesIsNotJSONAPI() throws {
    let json =
      #"{"data": [{"id": 1, "type": "simple", "name": "A", "attributes": []}, {"id": 2, "type": "simple", "name": "B", "attributes": [{"name": "size"}]}]}"#
    let inferred = try inferred(json)
    #expect(inferred.mapping.dialect == nil)
    #expect(inferred.model.entities.contains { $0[attribute: "name"] != nil })
  }

  @Test func aCountIsNoLink() throws {
    let json = "[" + (1...20).map { "{\"id\": \($0), \"votes\": \($0 % 7 + 1)}" }.joined(separator: ",") + "]"
    let folder = try TestFolder(["votes.json": json])
    let inferred = try withExtendedLifetime(folder) { try InferredModel(from: folder.sources()) }
    #expect(inferred.model[entity: "Vote"]?.relationships.isEmpty == true)
  }

  @Test func membersOfATeamAreNoTeams() throws {
    let json =
      #"[{"id": 9, "team": {"id": 1, "name": "Red", "members": [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bob"}]}}]"#
    let inferred = try inferred(json)
    #expect(Set(inferred.model.entities.map(\.name)) == ["Record", "Team", "Member"])
    let report = try imported(inferred, [.string(json)]).report
    #expect(report.inserted == ["Record": 1, "Team": 1, "Member": 2])
  }

  @Test func keysThatDifferByASignStayTwo() throws {
    let json = #"[{"id": 1, "_x": "a", "x": 5}, {"id": 2, "_x": "b", "x": 6}]"#
    let first = try inferred(json)
    let same = try inferred(json).refining(first.model, mapping: first.mapping)
    #expect(same.model == first.model)
    #expect(try imported(first, [.string(json)]).report.issues.isEmpty)
  }

  @Test func aNumberThatNothingHoldsIsKeptAsItIs() throws {
    let json = #"[{"id": 1, "v": 1e300}, {"id": 2, "v": 9007199254740993}]"#
    #expect(try imported(inferred(json), [.string(json)]).report.issues.isEmpty)
  }

  /// Few objects that many lists hold: each is in more lists than are remembered of one place.
  @Test func fewObjectsInVeryManyLists() throws {
    var json = "["
    for id in 0..<15_000 {
      json += id == 0 ? "" : ","
      json +=
        #"{"id": \#(id), "skills": [{"id": \#(id % 2), "name": "s\#(id % 2)"}, {"id": 2, "name": "s2"}]}"#
    }
    let inferred = try inferred(json + "]")
    let skill = try #require(inferred.model[entity: "Skill"])
    #expect(skill.relationships.map(\.isToMany) == [true])
  }

  /// Few values that very many objects have identify none.
  @Test func fewValuesOfVeryManyObjects() throws {
    var json = "["
    for number in 0..<40_000 {
      json += number == 0 ? "" : ","
      json += #"{"code": "c\#(number % 3)", "name": "n\#(number)", "size": \#(number)}"#
    }
    let inferred = try inferred(json + "]")
    let record = try #require(inferred.model.entities.first)
    let identity = inferred.mapping[record.name].identity ?? record.declaredIdentity?.properties ?? []
    #expect(!identity.contains("code") || identity.count > 1, "\(identity)")
  }
}
