import Mapping
import ObjectModel
import ObjectStore
import Testing

/// References to objects that have not arrived, for every way in which links are kept.
@Suite struct PendingTests {
  private let bands = """
    Band
      id: integer64
      name: string
      label: Label
      albums: [Album] <- band
      tags: [Tag] <- bands
      guests: [Person]
      manager: Manager <- band
      similar: [Band] <- similar
    Label
      id: integer64
      name: string
    Album
      id: integer64
      title: string
      band: Band <- albums
    Tag
      id: integer64
      name: string
      bands: [Band] <- tags
    Person
      id: integer64
      name: string
    Manager
      id: integer64
      name: string
      band: Band! <- manager
    """

  /// A form of reference, its line in the report, JSON with its target, and SQL that counts the link.
  struct ReferenceForm: Sendable, CustomTestStringConvertible {
    let member: String
    let waiting: String
    let arrival: String
    let link: String
    var testDescription: String { member }
  }

  private static let forms = [
    ReferenceForm(
      member: #""label": 5"#, waiting: "Band 1 label -> Label 5", arrival: #"{"labels": [{"id": 5}]}"#,
      link: "SELECT count(*) FROM Band b JOIN Label l ON b.label = l.id"),
    ReferenceForm(
      member: #""label": {"id": 5}"#, waiting: "Band 1 label -> Label 5",
      arrival: #"{"labels": [{"id": 5}]}"#,
      link: "SELECT count(*) FROM Band b JOIN Label l ON b.label = l.id"),
    ReferenceForm(
      member: #""album_ids": [5]"#, waiting: "Band 1 albums -> Album 5",
      arrival: #"{"albums": [{"id": "5", "title": "x"}]}"#,
      link: "SELECT count(*) FROM Album WHERE band = 1"),
    ReferenceForm(
      member: #""albums": [{"id": 5}]"#, waiting: "Band 1 albums -> Album 5",
      arrival: #"{"albums": [{"id": 5, "title": "x"}]}"#, link: "SELECT count(*) FROM Album WHERE band = 1"),
    ReferenceForm(
      member: #""tags": [5]"#, waiting: "Band 1 tags -> Tag 5", arrival: #"{"tags": [{"id": 5}]}"#,
      link: "SELECT count(*) FROM Band_tags JOIN Tag ON tags = id"),
    ReferenceForm(
      member: #""guests": [5]"#, waiting: "Band 1 guests -> Person 5", arrival: #"{"people": [{"id": 5}]}"#,
      link: "SELECT count(*) FROM Band_guests JOIN Person ON guests = id"),
    ReferenceForm(
      member: #""manager": 5"#, waiting: "Band 1 manager -> Manager 5",
      arrival: #"{"managers": [{"id": 5}]}"#,
      link: "SELECT count(*) FROM Manager WHERE band = 1"),
    ReferenceForm(
      member: #""similar": [5]"#, waiting: "Band 1 similar -> Band 5", arrival: #"{"bands": [{"id": 5}]}"#,
      link: "SELECT count(*) / 2 FROM Band_similar, Band a, Band b WHERE a.id = 1 AND b.id = 5"),
  ]

  @Test(arguments: forms)
  func aReferenceWaitsForALaterImport(_ form: ReferenceForm) throws {
    let fixture = try Fixture(bands)
    var report = try fixture.load(#"{"bands": [{"id": 1, \#(form.member)}]}"#)
    #expect(report.waiting == [form.waiting])
    #expect(report.pendingCount == 1)
    #expect(report.counts == "Band +1")
    #expect(try fixture.rows(form.link) == ["0"])
    report = try fixture.load(form.arrival)
    #expect(report.waiting == [])
    #expect(try fixture.rows(form.link) == ["1"])
    // What arrived needs no second look.
    report = try fixture.load(#"{"bands": [{"id": 1, \#(form.member)}]}"#)
    #expect(report.counts == "Band =1")
    #expect(report.waiting == [])
  }

  @Test(arguments: forms)
  func aReferenceMayComeBeforeItsTargetInOneImport(_ form: ReferenceForm) throws {
    let fixture = try Fixture(bands)
    let report = try fixture.load(#"{"bands": [{"id": 1, \#(form.member)}]}"#, form.arrival)
    #expect(report.waiting == [])
    #expect(try fixture.rows(form.link) == ["1"])
  }

  @Test(arguments: forms)
  func aMissingTargetIsListedEachTime(_ form: ReferenceForm) throws {
    let fixture = try Fixture(bands)
    for _ in 1...2 {
      #expect(try fixture.load(#"{"bands": [{"id": 1, \#(form.member)}]}"#).waiting == [form.waiting])
    }
  }

  @Test(arguments: forms, [ToManyPolicy.replace, .merge, .prune])
  func theSameReferenceOnceMoreWritesNothing(_ form: ReferenceForm, _ policy: ToManyPolicy) throws {
    let fixture = try Fixture(bands)
    let json = #"{"bands": [{"id": 1, \#(form.member)}]}"#
    try fixture.load(json) { $0.toMany = policy }
    let writes = try fixture.writes()
    try fixture.load(json) { $0.toMany = policy }
    #expect(try fixture.writes() == writes)
  }

  /// A target that is not there comes twice, between others that are.
  @Test(arguments: ["albums: [Album] <- band", "albums: [Album] <- band | ordered"])
  func theSameListOnceMoreWritesNothing(_ list: String) throws {
    for policy in [ToManyPolicy.replace, .merge] {
      let fixture = try Fixture(bands.replacing("albums: [Album] <- band", with: list))
      let json =
        #"{"bands": [{"id": 1, "albums": [{"id": 1, "title": "x"}, 5, {"id": 2, "title": "y"}, 5]}]}"#
      try fixture.load(json) { $0.toMany = policy }
      let writes = try fixture.writes()
      try fixture.load(json) { $0.toMany = policy }
      #expect(try fixture.writes() == writes)
    }
  }

  @Test(arguments: forms)
  func stubsAreMadeWhereThatIsAsked(_ form: ReferenceForm) throws {
    let fixture = try Fixture(bands)
    let report = try fixture.load(#"{"bands": [{"id": 1, \#(form.member)}]}"#) { $0.references = .stub }
    #expect(report.waiting == [])
    #expect(report.inserted.values.reduce(0, +) == 2)
    #expect(try fixture.rows(form.link) == ["1"])
  }

  @Test(arguments: forms)
  func aMissingTargetIsAnErrorWhereThatIsAsked(_ form: ReferenceForm) throws {
    let fixture = try Fixture(bands)
    let error = #expect(throws: ImportError.self) {
      try fixture.load(#"{"bands": [{"id": 1, \#(form.member)}]}"#) { $0.references = .error }
    }
    #expect(error?.description.contains("refers by") == true)
    #expect(try fixture.rows("SELECT count(*) FROM Band") == ["0"])
    try fixture.load(#"{"bands": [{"id": 1, \#(form.member)}]}"#, form.arrival) {
      $0.references = .error
    }
    #expect(try fixture.rows(form.link) == ["1"])
  }

  /// Objects that hold an identity only, in lists that join tables keep.
  @Test(arguments: [#""tags": [{"id": 5}]"#, #""guests": [{"id": 5}]"#, #""similar": [{"id": 5}]"#])
  func anObjectThatHoldsAnIdentityOnlyIsAReference(_ member: String) throws {
    let json = #"{"bands": [{"id": 1, \#(member)}]}"#
    #expect(try Fixture(bands).load(json).pendingCount == 1)
    #expect(try Fixture(bands).load(json) { $0.references = .stub }.counts != "Band +1")
    #expect(throws: ImportError.self) { try Fixture(bands).load(json) { $0.references = .error } }
  }

  @Test func manyReferencesAreCountedAndTheFirstListed() throws {
    let fixture = try Fixture(bands)
    let rows = (0..<12_000).map { "{\"id\": \($0), \"label\": \($0)}" }.joined(separator: ",")
    let report = try fixture.load("{\"bands\": [\(rows)]}")
    #expect(report.pendingCount == 12_000)
    #expect(report.pending.count == 10_000)
  }

  @Test func keysWithAwkwardCharactersFindTheirTargets() throws {
    let fixture = try Fixture(
      """
      Box | identityAttributes=a,b
        a: string
        b: string
        parts: [Part] <- box
      Part | identityAttributes=a,b
        a: string
        b: string
        name: string
        box: Box <- parts
      """)
    let texts = [",", "\\", "\\,", "", "'", "\\\"", "a,b\\\\", "\u{301}x", ",\u{301}"]
    for (index, text) in texts.enumerated() {
      let text = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      let key = "\"a\": \"\(text)\", \"b\": \"\(text)\(index)\""
      try fixture.load("{\"boxes\": [{\(key), \"parts\": [{\(key)}]}]}")
      try fixture.load("{\"parts\": [{\(key), \"name\": \"n\"}]}")
    }
    let found = try fixture.rows("SELECT count(*) FROM Part p JOIN Box b ON p.box_a = b.a AND p.box_b = b.b")
    #expect(found == ["\(texts.count)"])
    #expect(Int(found[0]) ?? 0 >= texts.count - 1)
  }

  /// A list that names two look-alike keys waits for both, and forgets the one that it no longer names.
  @Test func keysThatLookAlikeAreTwo() throws {
    let fixture = try Fixture(
      """
      Band
        id: integer64
        albums: [Album] <- band
      Album
        id: string
        band: Band <- albums
      """)
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    func targets() throws -> [[UInt8]] {
      try fixture.rows("SELECT target FROM broker_pending").map { Array($0.utf8) }
    }
    try fixture.load(#"{"bands": [{"id": 1, "albums": ["\#(composed)", "\#(decomposed)"]}]}"#)
    #expect(try Set(targets()) == [Array(composed.utf8), Array(decomposed.utf8)])
    try fixture.load(#"{"bands": [{"id": 1, "albums": ["\#(decomposed)"]}]}"#)
    #expect(try targets() == [Array(decomposed.utf8)])
    try fixture.load(#"{"albums": [{"id": "\#(composed)"}, {"id": "\#(decomposed)"}]}"#)
    #expect(try fixture.rows("SELECT count(*) FROM Album WHERE band = 1") == ["1"])
  }

  /// A link waits for what arrives in its owner's list, and what arrives waits for something itself.
  @Test func whatArrivesInAListMayWaitForMore() throws {
    let fixture = try Fixture(
      """
      Band
        id: integer64
        albums: [Album] <- band
      Album
        id: integer64
        title: string
        band: Band <- albums
        tracks: [Track] <- album
      Track
        id: integer64
        album: Album <- tracks
      """)
    try fixture.load(#"{"bands": [{"id": 1, "albums": [5]}]}"#)
    let report = try fixture.load(
      #"{"bands": [{"id": 1, "albums": [{"id": 5, "title": "x", "tracks": [9]}]}]}"#)
    #expect(report.waiting == ["Album 5 tracks -> Track 9"])
    try fixture.load(#"{"tracks": [{"id": 9}]}"#)
    #expect(try fixture.rows("SELECT id, album FROM Track") == ["9 5"])
  }

  /// An object without identity that goes with a list of its owner waits for nothing any more.
  @Test func whatAnOwnerNoLongerHasWaitsForNothing() throws {
    let fixture = try Fixture(
      """
      Box
        id: integer64
        items: [Item] <- box
      Tag
        id: integer64
        item: Item <- tag
      Item
        text: string
        box: Box <- items
        tag: Tag <- item
      """)
    try fixture.load(#"{"boxes": [{"id": 2, "items": [{"text": "a", "tag": 3}]}]}"#)
    #expect(try fixture.load(#"{"boxes": [{"id": 2, "items": []}]}"#).deleted == ["Item": 1])
    let report = try fixture.load(#"{"tags": [{"id": 3}]}"#)
    #expect(report.waiting == [])
    #expect(try fixture.rows("SELECT count(*) FROM Tag WHERE item IS NULL") == ["1"])
  }
}
