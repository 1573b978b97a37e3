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

  @Test func aReferenceThatWaitsEndsWhenAnotherTakesItsPlace() throws {
    let fixture = try Fixture(
      """
      Person
        id: integer64
        name: string
        home: Flat <- owner
      Flat
        id: integer64
        floor: integer16
        owner: Person <- home
      """)
    try fixture.load(#"{"flats": [{"id": 3, "owner": 1}]}"#)
    try fixture.load(#"{"persons": [{"id": 2, "home": 3}]}"#)
    try fixture.load(#"{"persons": [{"id": 1, "name": "late"}]}"#)
    let homes = try fixture.rows("SELECT id, home FROM Person ORDER BY id")
    #expect(homes == ["1 -", "2 3"])
  }

  @Test(arguments: [#"{"id": 4, "length": null}"#, #"{"id": 4, "band": 7}"#])
  func anObjectThatLacksAValueStaysInItsList(_ album: String) throws {
    let fixture = try Fixture(bands)
    let report = try fixture.load(#"{"bands": [{"id": 1, "albums": [\#(album)]}]}"#)
    #expect(report.counts == "Album !1, Band +1")
    #expect(report.waiting == ["Band 1 albums -> Album 4"])
  }

  /// Which end keeps the link is the store's own affair.
  @Test(arguments: ["leader", "manager"])
  func aLinkToASkippedObjectIsTheSameFromBothEnds(_ key: String) throws {
    let fixture = try Fixture(
      bands.replacing("managed: Band <- manager", with: "managed: Band! <- manager"))
    let report = try fixture.load(#"{"bands": [{"id": 1, "\#(key)": {"id": 4, "age": "x"}}]}"#)
    #expect(report.waiting == ["Band 1 \(key) -> Person 4"])
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

  @Test func aLinkThatCannotBeReadIsLeftAsItIs() throws {
    let fixture = try Fixture(
      """
      Flat
        id: integer64
        floor: integer16
        owner: Person <- home
      Person
        id: integer64
        name: string
        home: Flat <- owner
      """)
    try fixture.load(#"{"flats": [{"id": 3, "owner": 4}], "persons": [{"id": 4}]}"#)
    try fixture.load(#"{"persons": [{"id": 4, "home": {}}]}"#)
    let owners = try fixture.rows("SELECT owner FROM Flat")
    #expect(owners == ["4"])
  }

  @Test func aStubHasTheLinkThatWaitsForIt() throws {
    let fixture = try Fixture(
      "Person\n  id: integer64\n  name: string\n  spouse: Person <- spouse\n  friends: [Person] <- friends",
      entity: "Person")
    try fixture.load(#"[{"id": 1, "spouse": 2}]"#)
    try fixture.load(#"[{"id": 3, "friends": [2]}]"#) { $0.references = .stub }
    let spouses = try fixture.rows("SELECT id, spouse FROM Person ORDER BY id")
    #expect(spouses == ["1 2", "2 1", "3 -"])
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

  @Test func whatIsNullStaysNullInAnotherKind() throws {
    let fixture = try Fixture(kinds)
    try fixture.load(#"{"solos": [{"id": 0, "name": null}]}"#)
    try fixture.load(#"{"groups": [{"id": 0}]}"#)
    let names = try fixture.rows("SELECT name FROM Band")
    #expect(names == ["-"])
  }

  @Test func aListThatNamesAnObjectOfASiblingWaits() throws {
    let fixture = try Fixture(kinds)
    try fixture.load(#"{"groups": [{"id": 3}]}"#)
    let report = try fixture.load(#"{"persons": [{"id": 1, "albums": [3]}]}"#)
    #expect(report.counts == "Person +1")
    #expect(report.waiting == ["Person 1 albums -> Solo 3"])
  }
}
