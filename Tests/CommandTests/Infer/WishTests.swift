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

  @Test func aMappingStandsAboveWhatTheDataSays() throws {
    try folder.write(#"[{"a": 1, "b": "x"}, {"a": 1, "b": "x"}, {"a": 2, "b": "y"}]"#, to: "rows.json")
    try folder.write("Row:\n  names: [lines]\n  transformers: {b: [trimmed]}\n", to: "mapping.yaml")
    for inserted in [3, 0] {
      let outcome = try broker(
        "import", "rows.json", "--store", "s.sqlite", "--entity", "Row", "--mapping", "mapping.yaml",
        "--format", "json", in: folder)
      #expect(outcome.status == 0, "\(outcome.error)")
      #expect(try outcome.report().inserted.values.reduce(0, +) == inserted)
    }
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

  @Test func aBrokenFileKeepsWhatItHadBefore() throws {
    try folder.makeFolder("data")
    try folder.write(#"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#, to: "data/one.json")
    try folder.write(#"[{"id": 3, "name": "c"}, {"id": 4, "name": "d"}]"#, to: "data/two.json")
    #expect(try broker("import", "data", "--store", "s.sqlite", in: folder).status == 0)
    try folder.write(#"[{"id": 3, "na"#, to: "data/two.json")
    try folder.write(#"[{"id": 1, "name": "a"}]"#, to: "data/one.json")
    let outcome = try broker(
      "import", "data", "--store", "s.sqlite", "--skip-broken", "--prune", "--format", "json", in: folder)
    #expect(outcome.status == 3)
    #expect(try outcome.report().deleted == [:])
    #expect(outcome.output.contains("nothing pruned"))
  }

  @Test func whatAFileNoLongerSaysIsGoneFromItsRows() throws {
    try folder.write(
      #"[{"a": 1, "b": 2, "c": {"d": 1}, "e": [{"f": 1, "g": 2}]}, {"a": 3, "e": [{"f": 2}]}, {"a": 3}]"#,
      to: "rows.json")
    #expect(try broker("import", "rows.json", "--store", "s.sqlite", in: folder).status == 0)
    try folder.write(#"[{"a": 3, "e": [{"f": 2}]}, {"a": 3}]"#, to: "rows.json")
    #expect(try broker("import", "rows.json", "--store", "s.sqlite", in: folder).status == 0)
    let export = try broker("export", "--store", "s.sqlite", "--nulls", "omit", in: folder)
    #expect(export.status == 0)
    for gone in [#""b":2"#, #""d":1"#, #""g":2"#, #""f":1"#] {
      #expect(!export.output.contains(gone), "\(export.output)")
    }
    try folder.write(#"[{"a": 3}]"#, to: "rows.json")
    let limited = try broker(
      "import", "rows.json", "--store", "s.sqlite", "--max-delete", "0", "--format", "json", in: folder)
    #expect(limited.status == 3)
    // Of what is still there, the parts go that the file no longer has.
    #expect(try limited.report().deleted["R"] == nil)
  }

  @Test(arguments: [
    ["--model", "m.json", "--identity", "Reading=sensor"], ["--onto", "Reading/1", "--rename", "A=B"],
    ["--into", "Reading/1/x", "--link", "A.b=C"], ["--onto", "Reading/1", "--identity", "Reading=sensor"],
  ])
  func wishesWithoutAModelToTakeAreWrongUsage(_ options: [String]) throws {
    let outcome = try broker(["import", "readings.json", "--store", "s.sqlite"] + options, in: folder)
    #expect(outcome.status == 64)
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

  @Test func whatIsDoubtfulComesLastWithTheOptionThatSettlesIt() throws {
    try folder.makeFolder("notes")
    for number in 0..<4 {
      try folder.write(#"{"size": \#(number), "note": "n"}"#, to: "notes/\(number).json")
    }
    let outcome = try broker("import", "notes", "--store", "doubts.sqlite", in: folder)
    #expect(outcome.status == 0)
    let lines = outcome.error.split(separator: "\n")
    #expect(lines.first == "Took a model from the JSON: Note")
    #expect(lines.dropFirst().first?.hasPrefix("  doubtful: Note: is owned by its source") ?? false)
    #expect(lines.dropFirst().first?.hasSuffix("(--identity Note=KEY)") ?? false)
    let again = try broker("import", "notes", "--store", "doubts.sqlite", in: folder)
    #expect(!again.error.contains("doubtful"))
  }
}
