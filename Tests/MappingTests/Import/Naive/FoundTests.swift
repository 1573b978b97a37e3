import Mapping
import ObjectModel
import ObjectStore
import Testing

/// What the random tests found: the smallest imports that show it.
@Suite struct FoundTests {
  private let bands = """
    Band
      id: integer64
      name: string
      leader: Person
      fans: [Person]
      albums: [Album] <- band
      manager: Person <- managed
    Person
      id: integer64
      age: integer16!
      managed: Band <- manager
    Album
      id: integer64
      length: integer16!
      band: Band <- albums
    """

  @Test func theLaterOfTwoNestedValuesWins() throws {
    let fixture = try Fixture(bands)
    try fixture.load(#"{"bands": [{"id": 1, "fans": [{"id": 4, "age": 1}], "leader": {"id": 4, "age": 2}}]}"#)
    let ages = try fixture.rows("SELECT age FROM Person")
    #expect(ages == ["2"])
  }

  /// A part takes the place of another. A link that cannot be used is then no link, whatever it is.
  @Test(arguments: ["{}", "1.5", #"{"id": "x"}"#])
  func aPartDoesNotKeepTheLinkOfAnother(_ label: String) throws {
    let fixture = try Fixture(
      """
      Person
        id: integer64
        notes: [Note] | ordered
      Note
        text: string
        label: Band
      Band
        id: integer64
        name: string
      """)
    try fixture.load(#"{"people": [{"id": 1, "notes": [{"text": "a", "label": 1}]}]}"#)
    try fixture.load(#"{"people": [{"id": 1, "notes": [{"text": "b", "label": \#(label)}]}]}"#)
    #expect(try fixture.rows("SELECT text, label FROM Note") == ["b -"])
  }

  @Test func aReferenceIsReportedUnderItsOwnName() throws {
    let fixture = try Fixture(
      """
      Band
        id: integer64
        name: string
        home: Band <- albums
        albums: [Band] <- home
        origin: Band <- tags
        tags: [Band] <- origin
      """)
    let report = try fixture.load(
      #"[{"id": 2, "albums": [{"id": 4, "tags": [3], "origin": {"id": 1, "albums": [{"id": 4}]}}]}]"#)
    #expect(report.waiting == ["Band 4 tags -> Band 3"])
  }

  @Test func aPartOfAnObjectThatLacksAValueIsSkippedWithIt() throws {
    let fixture = try Fixture(
      "Band\n  id: integer64\n  name: string!\n  note: Note\nNote\n  text: string", entity: "Band")
    let report = try fixture.load(#"[{"id": 1, "note": {"text": "x"}}]"#)
    let notes = try fixture.rows("SELECT count(*) FROM Note")
    #expect(notes == ["0"])
    #expect(report.counts == "Band !1, Note !1")
  }

  @Test func theLinksThatAnObjectWhichIsNotKeptMadeWaitForIt() throws {
    let fixture = try Fixture(
      """
      Band
        id: integer64
        name: string
        home: Flat!
        albums: [Album] <- band
      Flat
        id: integer64
        floor: integer16
      Album
        id: integer64
        title: string
        band: Band <- albums
      """)
    try fixture.load(#"{"albums": [{"id": 4}]}"#)
    let report = try fixture.load(#"{"bands": [{"id": 1, "albums": [4, 5]}]}"#)
    try fixture.load(#"{"albums": [{"id": 5}]}"#)
    let albums = try fixture.rows("SELECT id, band FROM Album ORDER BY id")
    #expect(report.waiting == ["Album 4 band -> Band 1"])
    #expect(albums == ["4 1", "5 -"])
  }

  @Test(arguments: ["tags", "albums"])
  func aListThatHasAnObjectThatIsNotKeptWaitsForIt(_ key: String) throws {
    let fixture = try Fixture(
      """
      Band
        id: integer64
        name: string
        tags: [Album]
        albums: [Album] <- band
      Album
        id: integer64
        title: string
        home: Band!
        band: Band <- albums
      """)
    let report = try fixture.load(#"{"bands": [{"id": 1, "\#(key)": [{"id": 4, "title": "x"}]}]}"#)
    #expect(report.counts == "Album !1, Band +1")
    #expect(report.waiting == ["Band 1 \(key) -> Album 4"])
  }

  @Test func mergingIsForListsOnly() throws {
    let fixture = try Fixture(
      """
      Band
        id: integer64
        name: string
        leader: Person <- band
      Person
        id: integer64
        name: string
        band: Band <- leader
      """)
    try fixture.load(#"{"bands": [{"id": 2}, {"id": 4, "leader": 1}], "persons": [{"id": 1}]}"#)
    try fixture.load(#"{"persons": [{"id": 1, "band": 2}]}"#) { $0.toMany = .merge }
    let leaders = try fixture.rows("SELECT id, leader FROM Band ORDER BY id")
    #expect(leaders == ["2 1", "4 -"])
  }

  @Test func aStubThatIsToldLaterIsAsIfItHadNotBeen() throws {
    let fixture = try Fixture(
      "Band\n  id: integer64\n  leader: Person\nPerson\n  id: integer64\n  age: integer16! | default=7")
    let report = try fixture.load(#"{"bands": [{"id": 1, "leader": 3}], "persons": [{"id": 3}]}"#) {
      $0.references = .stub
    }
    let ages = try fixture.rows("SELECT age FROM Person")
    #expect(ages == ["7"])
    #expect(report.duplicates == 0)
  }

  private let kinds = """
    Band
      id: integer64
      name: string | default=none
      label: Solo <- songs
    Solo : Band
      songs: [Band] <- label
      home: Person <- albums
    Group : Band
      size: integer16
    Person
      id: integer64
      age: integer16
      albums: [Solo] <- home
    """

  @Test func anObjectCountsOnceUnderOneOfItsKinds() throws {
    let fixture = try Fixture(kinds, entity: "Solo")
    try fixture.load(#"[{"id": 0}]"#)
    let report = try fixture.load(#"[{"id": 0, "songs": [0]}]"#)
    #expect(report.counts == "Solo ~1")
  }

  @Test func aLinkThatWaitsIsNotTakenByASibling() throws {
    let fixture = try Fixture(
      """
      Venue
        id: integer64
        fans: [Solo] <- idol
      Solo : Venue
        idol: Venue <- fans
      Group : Venue
        size: integer16
      """)
    try fixture.load(#"{"groups": [{"id": 1, "fans": [2]}]}"#)
    try fixture.load(#"{"groups": [{"id": 2, "size": 3}]}"#)
    #expect(try fixture.rows("SELECT _entity, id, idol FROM Venue") == ["Group 1 -", "Group 2 -"])
    try fixture.load(#"{"groups": [{"id": 4, "fans": [5]}, {"id": 5}], "solos": [{"id": 5}]}"#)
    #expect(
      try fixture.rows("SELECT id, idol FROM Venue WHERE idol IS NOT NULL") == ["5 4"])
  }

  @Test func whatOnlyTheFormerKindWaitedForIsForgotten() throws {
    let fixture = try Fixture(
      """
      Venue
        id: integer64
        idol: Venue <- fans
      Solo : Venue
        fans: [Venue] <- idol
      Group : Venue
        size: integer16
      """)
    try fixture.load(#"{"solos": [{"id": 1, "fans": [2]}]}"#)
    try fixture.load(#"{"groups": [{"id": 1}]}"#)
    try fixture.load(#"{"solos": [{"id": 2}]}"#)
    #expect(try fixture.rows("SELECT id, idol FROM Venue ORDER BY id") == ["1 -", "2 -"])
  }

  @Test func aListThatNamesAnObjectOfASiblingWaits() throws {
    let fixture = try Fixture(kinds)
    try fixture.load(#"{"groups": [{"id": 3}]}"#)
    let report = try fixture.load(#"{"persons": [{"id": 1, "albums": [3]}]}"#)
    #expect(report.counts == "Person +1")
    #expect(report.waiting == ["Person 1 albums -> Solo 3"])
  }
}
