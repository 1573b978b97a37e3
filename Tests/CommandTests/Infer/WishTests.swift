import Foundation
import Testing

/// What a person says of a model that is taken from JSON, and files that cannot be read.
@Suite("imports without a model, with what a person says")
struct WishTests {
  private let folder: Folder

  private static let readings = """
    [{"sensor": "s1", "time": "2024-01-01T00:00:00Z", "room": 7, "value": 1.5},
     {"sensor": "s2", "time": "2024-01-01T00:00:00Z", "room": 7, "value": 2.5},
     {"sensor": "s1", "time": "2024-01-01T00:01:00Z", "room": 8, "value": 1.5}]
    """

  init() throws {
    folder = try Folder()
    try folder.write(Self.readings, to: "readings.json")
  }

  @Test func aNameAndAnIdentityAreKept() throws {
    let first = try broker(
      "import", "readings.json", "--store", "s.sqlite", "--rename", "Reading=Measurement", "--identity",
      "Measurement=sensor,time", "--format", "json", in: folder)
    #expect(first.status == 0)
    #expect(try first.report().inserted == ["Measurement": 3])
    // The same from a pipe is the same, since an identity is known.
    let again = try broker(
      "import", "-", "--store", "s.sqlite", "--entity", "Measurement", "--format", "json",
      input: Self.readings, in: folder)
    #expect(again.status == 0)
    #expect(try again.report().inserted == [:])
  }

  @Test func aPipeIsNamed() throws {
    let outcome = try broker(
      "import", "-", "--store", "s.sqlite", "--entity", "Reading", "--format", "json", input: Self.readings,
      in: folder)
    #expect(try outcome.report().inserted == ["Reading": 3])
  }

  @Test func aLinkIsSaidAndDenied() throws {
    let json = """
      {"rooms": [{"id": 7, "name": "Hall"}, {"id": 8, "name": "Attic"}],
       "readings": [{"id": 1, "place": 7, "room_id": 8}, {"id": 2, "place": 8, "room_id": 7}]}
      """
    try folder.write(json, to: "house.json")
    let plain = try broker("model", "infer", "house.json", "--format", "json", in: folder)
    #expect(plain.output.contains("\"room\""))
    let said = try broker(
      "model", "infer", "house.json", "--link", "Reading.place=Room", "--not-a-link", "Reading.roomId",
      in: folder)
    #expect(said.output.contains("place"))
    #expect(said.output.contains("→ Room"))
    #expect(!said.output.contains("room   "))
  }

  @Test func whatTheJSONDoesNotHaveIsAnError() throws {
    let outcome = try broker(
      "import", "readings.json", "--store", "s.sqlite", "--identity", "Reading=sensr", in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.error.contains("Did you mean sensor?"))
    #expect(!folder.hasStore("s.sqlite"))
    _ = try broker("import", "readings.json", "--store", "s.sqlite", in: folder)
    let known = try broker(
      "import", "readings.json", "--store", "s.sqlite", "--identity", "Reading=sensor,time", in: folder)
    #expect(known.status == 1)
    #expect(known.error.contains("broker migrate"))
  }

  @Test func aBrokenFileIsLeftOutOnRequest() throws {
    try folder.makeFolder("data")
    try folder.write(Self.readings, to: "data/readings.json")
    try folder.write("[{\"sensor\": }]", to: "data/broken.json")
    let refused = try broker("import", "data", "--store", "s.sqlite", in: folder)
    #expect(refused.status == 1)
    #expect(refused.error.contains("broken.json"))
    let outcome = try broker(
      "import", "data", "--store", "s.sqlite", "--skip-broken", "--format", "json", in: folder)
    #expect(outcome.status == 3)
    #expect(try outcome.report().inserted.values.reduce(0, +) == 3)
    #expect(outcome.output.contains("file left out"))
  }

  @Test func theSameFileAgainChangesNothingAndAppendAdds() throws {
    for (options, count) in [([String](), 3), ([], 3), (["--append"], 6)] {
      let outcome = try broker(
        ["import", "readings.json", "--store", "s.sqlite"] + options, in: folder)
      #expect(outcome.status == 0)
      let rows = try broker("query", "Reading", "--store", "s.sqlite", "--count", in: folder)
      #expect(rows.output == "\(count)\n")
    }
  }
}
