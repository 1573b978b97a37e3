import Testing

/// `broker model infer --refine` with what a person says.
@Suite struct RefinementWishTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.write(
      """
      Reading: {sensor: string, time: date, room: int, value: double}
      Room: {id: int, name: string}
      Visit: {day: date, room: Room}
      """, to: "model.yaml")
    try folder.write(
      """
      [{"sensor": "s1", "time": "2024-01-01T00:00:00Z", "room": 7, "value": 1.5, "place": 7},
       {"sensor": "s2", "time": "2024-01-01T00:00:00Z", "room": 7, "value": 2.5, "place": 8}]
      """, to: "readings.json")
  }

  private func refine(_ words: [String]) throws -> Outcome {
    try broker(
      ["model", "infer", "readings.json", "--refine", "model.yaml", "--mapping", "mapping.yaml"] + words,
      in: folder)
  }

  /// A model that needs no mapping is written with a file that an import takes.
  @Test func aMappingWithoutRulesIsTaken() throws {
    try folder.write(#"[{"id": 1, "title": "a"}, {"id": 2, "title": "b"}]"#, to: "entries.json")
    let files = ["--mapping", "entries.yaml"]
    let inferred = try broker(
      ["model", "infer", "entries.json", "--output", "entries-model.json"] + files, in: folder)
    #expect(inferred.status == 0, "\(inferred.error)")
    let imported = try broker(
      ["import", "entries.json", "--model", "entries-model.json", "--store", "e.sqlite"] + files, in: folder)
    #expect(imported.status == 0, "\(imported.error)")
  }

  @Test func identitiesAndNewLinksAreWrittenIntoTheModel() throws {
    let words = ["--identity", "Reading=sensor,time", "--link", "Reading.place=Room"]
    let refined = try refine(words + ["--output", "new.json"])
    #expect(refined.status == 0, "\(refined.error)")
    #expect(refined.output.contains("Reading: identity sensor, time – --identity says so\n"))
    #expect(refined.output.contains("Reading.place: is new: to-one, to Room – --link says so\n"))
    #expect(!refined.output.contains("has no identity"))
    #expect(try folder.read("mapping.yaml") == "{}\n")
    let shown = try broker("model", "show", "new.json", in: folder)
    #expect(shown.output.contains("Reading  identity: sensor, time (annotation)\n"))
    #expect(shown.output.contains("place   → Room"))
    let command = [
      "import", "readings.json", "--model", "new.json", "--store", "s.sqlite",
    ]
    for inserted in [["Reading": 2], [:]] {
      let outcome = try broker(command + ["--format", "json"], in: folder)
      #expect(outcome.status == 0, "\(outcome.error)")
      #expect(try outcome.report().inserted == inserted)
      #expect(try outcome.report().pending.count == 2)
    }
    // Said again, it is there already.
    let again = try broker(
      ["model", "infer", "readings.json", "--refine", "new.json", "--mapping", "mapping.yaml"] + words,
      in: folder)
    #expect(again.output == "The model has all that the JSON has. Nothing was changed.\n")
  }

  @Test func aMappingSaysTheIdentityToo() throws {
    try folder.write("Reading: {identity: none, keys: {value: [v]}}\n", to: "mapping.yaml")
    let refined = try refine(["--identity", "Reading=sensor,time", "--output", "new.json"])
    #expect(refined.status == 0, "\(refined.error)")
    let shown = try broker("model", "show", "new.json", "--mapping", "mapping.yaml", in: folder)
    #expect(shown.output.contains("Reading  identity: sensor, time (mapping)\n"), "\(shown.output)")
  }

  @Test func aNewEntityIsNamedAndIdentified() throws {
    try folder.write(#"[{"code": "a", "weight": 1}, {"code": "b", "weight": 1}]"#, to: "readings.json")
    let named = try refine(["--entity", "Parcel", "--identity", "Parcel=code", "--output", "new.json"])
    #expect(named.status == 0, "\(named.error)")
    let shown = try broker("model", "show", "new.json", "--mapping", "mapping.yaml", in: folder)
    #expect(shown.output.contains("Parcel  identity: code (mapping)\n"), "\(shown.output)")
    #expect(shown.output.contains("Reading  no identity\n"))
  }

  @Test(arguments: [
    (["--rename", "Reading=Measure"], "--refine keeps its names. Rename it in model.yaml"),
    (["--link", "Reading.room=Room"], "has Reading.room as an attribute, and --refine keeps it."),
    (["--not-a-link", "Visit.room"], "has Visit.room as a relationship to Room, and --refine keeps it."),
    (["--link", "Visit.room=Reading"], "Make it a relationship to Reading in model.yaml."),
    (["--identity", "Reading=sensr"], "under the key sensr. Did you mean sensor?"),
    (["--link", "Reading.plac=Room"], "Did you mean place?"),
    (["--link", "Readin.place=Room"], "Did you mean Reading?"),
    (["--link", "Reading.place=Rom"], "The JSON has no entity Rom."),
    (["--entity", "Room"], "none of its keys is one of the JSON's objects"),
  ])
  func whatIsNotFollowedIsAnError(_ words: [String], _ message: String) throws {
    let outcome = try refine(words + ["--output", "new.json"])
    #expect(outcome.status == 1)
    #expect(outcome.error.contains(message), "\(outcome.error)")
    #expect(!outcome.error.contains("--model"))
    #expect(!folder.exists("new.json"))
  }

  @Test(arguments: [
    ["--link", "Visit.room=Room"], ["--entity", "Reading"],
  ])
  func whatTheModelSaysAlreadyChangesNothing(_ words: [String]) throws {
    #expect(try refine(["--output", "plain.json"]).status == 0)
    let outcome = try refine(words + ["--output", "new.json"])
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(try folder.read("new.json") == folder.read("plain.json"))
  }

  /// Later files make no relationship of it.
  @Test func whatNamesNoObjectsIsKeptInTheModel() throws {
    let outcome = try refine(["--not-a-link", "Reading.room", "--output", "new.json"])
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(try folder.read("new.json").contains(#""broker.link""#))
  }
}
