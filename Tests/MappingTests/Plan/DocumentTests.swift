import Mapping
import Testing

/// Wrappers, documents of several lists, and dictionaries keyed by identity.
@Suite struct DocumentTests {
  private let bands = """
    Band
      id: integer64
      name: string
      albums: [Album] <- band
      members: [BandMember] <- band
    Album
      id: integer64
      title: string
      band: Band <- albums
    BandMember
      id: integer64
      name: string
      band: Band <- members
    """

  @Test func anObjectMayBeWrappedInItsEntitysName() throws {
    let fixture = try Fixture("Todo\n  id: integer64\n  title: string", entity: "Todo")
    try fixture.load(#"[{"todo": {"id": 1, "title": "a"}}, {"Todo": {"id": 2, "title": "b"}}]"#)
    try fixture.load(#"{"todo": {"id": 3, "title": "c"}}"#)
    #expect(try fixture.rows("SELECT * FROM Todo") == ["1 a", "2 b", "3 c"])
  }

  @Test func aDocumentHoldsSeveralEntities() throws {
    let fixture = try Fixture(bands)
    let report = try fixture.load(
      """
      {"version": 2,
       "bands": [{"id": 1, "name": "Japan"}], "Album": {"id": 9, "title": "Tin Drum", "band": 1},
       "band_members": [{"id": 5, "name": "Mick"}, 7], "next": null}
      """)
    #expect(report.counts == "Album +1, Band +1, BandMember +1 !1")
    #expect(report.places == ["$.band_members[1]"])
    #expect(report.unmatchedKeys == ["$": ["version": 1, "next": 1]])
  }

  @Test(arguments: ["bands", "Bands", "band", "BAND"])
  func aKeyNamesAnEntityInAnyStyle(_ key: String) throws {
    let fixture = try Fixture(bands)
    let report = try fixture.load(#"{"\#(key)": [{"id": 1}]}"#)
    #expect(report.counts == "Band +1")
  }

  @Test(arguments: [
    ("people", "Person"), ("categories", "Category"), ("addresses", "Address"), ("boxes", "Box"),
    ("children", "Child"), ("wolves", "Wolf"), ("news", "News"), ("statuses", "Status"), ("buses", "Bus"),
    ("series", "Series"), ("indices", "Index"), ("knives", "Knife"), ("houses", "House"), ("heroes", "Hero"),
  ])
  func pluralsAreKnown(_ key: String, _ entity: String) throws {
    let fixture = try Fixture("\(entity)\n  id: integer64\nOther\n  id: integer64")
    #expect(try fixture.load(#"{"\#(key)": [{"id": 1}]}"#).counts == "\(entity) +1")
  }

  @Test func aDictionaryKeyedByIdentityIsAList() throws {
    let fixture = try Fixture(bands)
    let report = try fixture.load(
      #"{"bands": {"138586341": {"name": "Japan"}, "7": {"id": 8, "name": "XTC"}, "8": {"name": "XTC!"}}}"#)
    #expect(try fixture.rows("SELECT * FROM Band") == ["8 XTC!", "138586341 Japan"])
    #expect(report.counts == "Band +2, 1x")
  }

  @Test func aDictionaryMayBeNestedOrStandAlone() throws {
    let fixture = try Fixture(bands, entity: "Band")
    try fixture.load(
      #"{"1": {"name": "Japan", "albums": {"9": {"title": "Tin Drum"}, "10": {"title": "Quiet"}}}}"#)
    #expect(try fixture.rows("SELECT * FROM Band") == ["1 Japan"])
    #expect(try fixture.rows("SELECT id, title, band FROM Album") == ["9 Tin Drum 1", "10 Quiet 1"])
  }

  @Test func aKeyThatIsNoIdentityIsAnIssue() throws {
    let fixture = try Fixture(bands, entity: "Band")
    let report = try fixture.load(#"{"1": {"name": "Japan"}, "one": {"name": "XTC"}}"#)
    #expect(report.counts == "Band +1 !1")
    #expect(report.places.count == 1)
    #expect(report.places.first?.hasPrefix("$.one") == true)
  }

  @Test func aDictionaryFromIdentityToAValue() throws {
    let fixture = try Fixture("Area | broker.value=name\n  id: integer64\n  name: string\n  size: integer16")
    let report = try fixture.load(
      #"{"areas": {"205705993": "Arrière", "205705994": null, "205705995": 7, "205705996": {"size": 3}}}"#
    )
    #expect(
      try fixture.rows("SELECT * FROM Area") == [
        "205705993 Arrière -", "205705994 - -", "205705995 7 -", "205705996 - 3",
      ])
    #expect(report.counts == "Area +4")
  }

  @Test func dictionariesOfOneEntityMayFillDifferentProperties() throws {
    let fixture = try Fixture(
      """
      Area | broker.key=areaNames | broker.value=name | broker.key.1=areaSizes | broker.value.1=size
        id: integer64
        name: string
        size: integer16
      """)
    try fixture.load(#"{"areaNames": {"1": "Stalls", "2": "Balcony"}, "areaSizes": {"2": 40, "1": "90"}}"#)
    #expect(try fixture.rows("SELECT * FROM Area") == ["1 Stalls 90", "2 Balcony 40"])
  }

  @Test func withoutAnEntityAnImportSaysWhatIsMissing() throws {
    let fixture = try Fixture(bands)
    let error = #expect(throws: ImportError.self) { try fixture.load(#"[{"id": 1}]"#) }
    #expect(error?.description.contains("Album, Band, BandMember") == true)
    #expect(try fixture.rows("SELECT * FROM Band") == [])
  }

  @Test func anUnknownEntityGetsASuggestion() throws {
    let fixture = try Fixture(bands)
    let error = #expect(throws: ImportError.self) { try fixture.load("[]", as: "Bnad") }
    #expect(error?.description.contains("Did you mean Band?") == true)
  }

  @Test func twoEntitiesThatClaimOneKeyAreAnError() throws {
    let fixture = try Fixture(
      "Band | broker.key=items\n  id: integer64\nAlbum | broker.key=items\n  id: integer64")
    let error = #expect(throws: PlanError.self) { try fixture.load(#"{"items": []}"#) }
    #expect(error?.description == "Album.names and Band.names both claim the key items of documents.")
  }

  @Test(arguments: ["5", "null", #""bands""#, "true"])
  func aScalarIsNoObject(_ json: String) throws {
    let fixture = try Fixture(bands, entity: "Band")
    #expect(throws: ImportError.self) { try fixture.load(json) }
  }

  @Test func aListInAListIsAnIssue() throws {
    let fixture = try Fixture(bands, entity: "Band")
    let report = try fixture.load(#"[[{"id": 1}], null, "x", {"id": 2}]"#)
    #expect(report.counts == "Band +1 !3")
    #expect(report.places == ["$[0]", "$[1]", "$[2]"])
  }

  @Test func aWordThatIsAlsoTheEntitysNameIsCountedIfItMatchesNothing() throws {
    let fixture = try Fixture("Genre\n  id: integer64\n  name: string", entity: "Genre")
    let report = try fixture.load(#"[{"id": 1, "genre": "Rock"}]"#)
    #expect(report.unmatchedKeys == ["Genre": ["genre": 1]])
  }

  @Test func thePathOfAnIssueHasTheWrapper() throws {
    let fixture = try Fixture("Todo\n  id: integer64\n  size: integer16", entity: "Todo")
    let report = try fixture.load(#"[{"todo": {"id": 1, "size": "big"}}]"#)
    #expect(report.places == ["$[0].todo.size"])
  }

  @Test func aLoneObjectNeedsNoEntityIfTheModelHasOnlyOne() async {
    await #expect(processExitsWith: .success) {
      let fixture = try Fixture("Todo\n  id: integer64\n  title: string")
      #expect(try fixture.load(#"{"id": 1, "title": "a"}"#).counts == "Todo +1")
    }
  }

  @Test func anObjectOfUnknownKeysIsAnIssue() async {
    await #expect(processExitsWith: .success) {
      let fixture = try Fixture("Todo\n  id: integer64\n  title: string", entity: "Todo")
      #expect(try fixture.load(#"{"foo": 1}"#).counts == "Todo !1")
    }
  }

  @Test func anEmptyObjectWhereAListIsExpectedIsAnEmptyList() async {
    await #expect(processExitsWith: .success) {
      let fixture = try Fixture(
        "Band\n  id: integer64\n  albums: [Album] <- band\nAlbum\n  id: integer64\n  band: Band <- albums",
        entity: "Band")
      try fixture.load(#"[{"id": 1, "albums": [{"id": 2, "band": 1}]}]"#)
      #expect(try fixture.load(#"[{"id": 1, "albums": {}}]"#).problems == [])
    }
  }
}
