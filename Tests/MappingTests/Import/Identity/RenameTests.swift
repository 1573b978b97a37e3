import Mapping
import ObjectModel
import Testing

/// JSON that is imported onto an object and brings another identity.
@Suite struct RenameTests {
  private let bands = """
    Band
      name: string | broker.identity=true
      formed: integer64
      albums: [Album] <- band | ordered
      fans: [Fan] <- bands
      label: Label <- star
    Album
      id: integer64
      band: Band <- albums
    Fan
      id: integer64
      bands: [Band] <- fans
    Label
      id: integer64
      star: Band <- label
    """

  private func fixture() throws -> Fixture {
    let fixture = try Fixture(bands)
    try fixture.load(
      #"{"bands": [{"name": "Japan", "albums": [2, 1, 3], "fans": [7], "label": 4}, {"name": "Queen"}], "albums": [{"id": 1}, {"id": 2}], "fans": [{"id": 7}], "labels": [{"id": 4, "star": "Japan"}]}"#
    )
    return fixture
  }

  private func rename(_ fixture: Fixture, _ json: String) throws -> Report {
    try fixture.load(json) { $0.target = .object(entity: "Band", identity: "Japan") }
  }

  @Test func everythingFollows() throws {
    let fixture = try fixture()
    let report = try rename(fixture, #"{"name": "Rain Tree Crow", "formed": 1990}"#)
    #expect(report.problems == [])
    #expect(report.updated == ["Band": 1])
    #expect(
      try fixture.rows("SELECT name, formed FROM Band ORDER BY name") == ["Queen -", "Rain Tree Crow 1990"])
    #expect(
      try fixture.rows("SELECT id, band, band_order FROM Album ORDER BY id") == [
        "1 Rain Tree Crow 1", "2 Rain Tree Crow 0",
      ])
    #expect(
      try fixture.rows("SELECT * FROM Band_fans") == ["Rain Tree Crow 7"]
        || fixture.rows("SELECT * FROM Band_fans") == ["7 Rain Tree Crow"])
    #expect(try fixture.rows("SELECT owner, target FROM broker_pending") == ["Rain Tree Crow 3"])
    // What waits comes to the new name.
    try fixture.load(#"{"albums": [{"id": 3}]}"#)
    #expect(try fixture.rows("SELECT band, band_order FROM Album WHERE id = 3") == ["Rain Tree Crow 2"])
  }

  @Test func anIdentityThatIsTakenIsAnIssueAndTheRestIsUsed() throws {
    let fixture = try fixture()
    let report = try rename(fixture, #"{"name": "Queen", "formed": 1974}"#)
    #expect(report.issueCount == 1)
    #expect(try fixture.rows("SELECT name, formed FROM Band ORDER BY name") == ["Japan 1974", "Queen -"])
  }

  @Test func whatWaitedForTheNewNameIsLinked() throws {
    let fixture = try fixture()
    try fixture.load(
      #"{"albums": [{"id": 9, "band": "Rain Tree Crow"}], "fans": [{"id": 8, "bands": ["Rain Tree Crow"]}]}"#)
    let report = try rename(fixture, #"{"name": "Rain Tree Crow"}"#)
    #expect(report.pendingCount == 0)
    #expect(try fixture.rows("SELECT count(*) FROM Band_fans") == ["2"])
  }

  /// A link that is its own inverse waited at one end: now both have it, unless the object has another.
  @Test(arguments: [("null", "2 9, 9 2"), ("5", "2 -, 9 5")])
  func whatWaitedForTheNewNameIsLinkedAtBothEnds(_ own: String, _ expected: String) throws {
    let fixture = try Fixture(
      """
      Node
        id: integer64
        partner: Node <- partner
      """)
    try fixture.load(#"[{"id": -1, "partner": \#(own)}, {"id": 2, "partner": 9}]"#)
    let report = try fixture.load(#"{"id": 9}"#) { $0.target = .object(entity: "Node", identity: "-1") }
    #expect(report.problems == [])
    let rows = try fixture.rows("SELECT id, partner FROM Node ORDER BY id")
    #expect(rows.joined(separator: ", ") == expected)
  }

  @Test func integersAreRenamedWithTheirRows() throws {
    let fixture = try Fixture(
      """
      Node
        id: integer64
        name: string
        parent: Node <- children
        children: [Node] <- parent
      """)
    try fixture.load(#"[{"id": -1, "name": "draft", "children": [{"id": 2, "name": "x"}]}]"#)
    let report = try fixture.load(#"{"id": 100, "name": "sent"}"#) {
      $0.target = .object(entity: "Node", identity: "-1")
    }
    #expect(report.problems == [])
    #expect(try fixture.rows("SELECT id, name, parent FROM Node ORDER BY id") == ["2 x 100", "100 sent -"])
  }

  @Test func aDryRunRenamesNothing() throws {
    let fixture = try fixture()
    let before = try fixture.contents()
    _ = try fixture.load(#"{"name": "Rain Tree Crow"}"#) {
      $0.target = .object(entity: "Band", identity: "Japan")
      $0.isDryRun = true
    }
    #expect(try fixture.contents() == before)
  }
}
