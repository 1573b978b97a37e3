import Mapping
import ObjectModel
import ObjectStore
import Testing

/// What becomes of links and objects that a list no longer has.
@Suite struct PolicyTests {
  private func bands(rule: String = "nullify", band: String = "Band") throws -> Fixture {
    let fixture = try Fixture(
      """
      Band
        id: integer64
        albums: [Album] <- band
        tags: [Tag] <- bands
      Album
        id: integer64
        band: \(band) <- albums
        tracks: [Track] <- album | delete=\(rule)
      Track
        id: integer64
        album: Album <- tracks
      Tag
        id: integer64
        bands: [Band] <- tags
      """)
    try fixture.load(
      """
      {"bands": [{"id": 1, "albums": [1, 2, 3], "tags": [1, 2]}, {"id": 2, "tags": [2]}],
       "albums": [{"id": 1}, {"id": 2, "tracks": [21, 22]}, {"id": 3}], "tags": [{"id": 1}, {"id": 2}],
       "tracks": [{"id": 21}, {"id": 22}]}
      """)
    return fixture
  }

  private func load(_ fixture: Fixture, _ json: String, _ policy: ToManyPolicy) throws -> Report {
    try fixture.load(json, as: "Band") { $0.toMany = policy }
  }

  private func albums(_ fixture: Fixture) throws -> [String] {
    try fixture.rows("SELECT id, band FROM Album ORDER BY id")
  }

  private func tags(_ fixture: Fixture) throws -> [String] {
    try fixture.rows("SELECT bands, tags FROM Band_tags ORDER BY bands, tags")
  }

  @Test func replaceTakesLinksOnly() throws {
    let fixture = try bands()
    let report = try load(fixture, #"{"id": 1, "albums": [1], "tags": []}"#, .replace)
    #expect(try albums(fixture) == ["1 1", "2 -", "3 -"])
    #expect(try tags(fixture) == ["2 2"])
    #expect(try fixture.rows("SELECT id FROM Tag") == ["1", "2"])
    #expect(report.deleted == [:])
    #expect(report.counts == "Album ~2, Band ~1")
  }

  @Test func mergeAdds() throws {
    let fixture = try bands()
    let report = try load(fixture, #"{"id": 2, "albums": [9, 1], "tags": [1]}"#, .merge)
    #expect(try albums(fixture) == ["1 2", "2 1", "3 1"])
    #expect(try tags(fixture) == ["1 1", "1 2", "2 1", "2 2"])
    #expect(report.waiting == ["Band 2 albums -> Album 9"])
    _ = try load(fixture, #"{"id": 1, "albums": [], "tags": null}"#, .merge)
    #expect(try albums(fixture) == ["1 2", "2 1", "3 1"])
  }

  @Test(arguments: [("nullify", ["21 -", "22 -"]), ("cascade", [])])
  func pruneDeletesWhatLostItsOwner(_ rule: String, _ tracks: [String]) throws {
    let fixture = try bands(rule: rule)
    let report = try load(fixture, #"{"id": 1, "albums": [1, 3]}"#, .prune)
    #expect(try albums(fixture) == ["1 1", "3 1"])
    #expect(try fixture.rows("SELECT id, album FROM Track ORDER BY id") == tracks)
    #expect(report.deleted["Album"] == 1)
    #expect(report.deleted["Track"] == (rule == "cascade" ? 2 : nil))
  }

  @Test func pruneHonoursADenial() throws {
    let fixture = try bands(rule: "deny")
    let report = try load(fixture, #"{"id": 1, "albums": [1]}"#, .prune)
    #expect(try fixture.rows("SELECT id FROM Album") == ["1", "2"])
    #expect(report.deleted == ["Album": 1])
    #expect(report.issues.map(\.action) == ["not deleted"])
  }

  @Test func aChildThatNeedsItsOwnerKeepsIt() throws {
    let fixture = try bands(band: "Band!")
    let report = try load(fixture, #"{"id": 1, "albums": [1, 3]}"#, .replace)
    #expect(try albums(fixture) == ["1 1", "2 1", "3 1"])
    #expect(
      report.problems == [
        "$.albums: expected Album 2 in the list, since it cannot be without its owner, found a list without it;"
          + " kept its owner"
      ])
    #expect(try load(fixture, #"{"id": 1, "albums": [1, 3]}"#, .prune).deleted == ["Album": 1])
  }

  @Test func aChildThatNeedsAnOwnerMayChangeIt() throws {
    let fixture = try bands(band: "Band!")
    let report = try load(fixture, #"[{"id": 2, "albums": [2]}, {"id": 1, "albums": [1, 3]}]"#, .replace)
    #expect(try albums(fixture) == ["1 1", "2 2", "3 1"])
    #expect(report.problems == [])
  }

  @Test func pruneDoesNotDeleteWhatMovesToALaterOwner() throws {
    let fixture = try bands()
    _ = try load(fixture, #"[{"id": 1, "albums": [1, 3]}, {"id": 2, "albums": [2]}]"#, .prune)
    try #expect(albums(fixture) == ["1 1", "2 2", "3 1"])
  }

  @Test func pruneDoesNotDeleteWhatOthersStillHave() throws {
    let fixture = try bands()
    _ = try load(fixture, #"[{"id": 1, "tags": []}]"#, .prune)
    try #expect(tags(fixture) == ["2 2"])
    try #expect(fixture.rows("SELECT id FROM Tag") == ["2"])
  }

  @Test func nullForARequiredRelationshipIsAnIssue() throws {
    let fixture = try bands(band: "Band!")
    let report = try fixture.load(#"[{"id": 1, "band": null}]"#, as: "Album")
    #expect(report.places == ["$[0].band"])
    try #expect(albums(fixture) == ["1 1", "2 1", "3 1"])
  }

  @Test(arguments: ["notes: [Note]", "notes: Note"])
  func partsGoWithTheirOwner(_ notes: String) throws {
    let fixture = try Fixture(
      """
      Band
        id: integer64
        albums: [Album] <- band
      Album
        id: integer64
        band: Band <- albums
        \(notes)
      Note
        text: string
      """, entity: "Band")
    try fixture.load(#"{"id": 1, "albums": [{"id": 2, "notes": {"text": "x"}}]}"#)
    #expect(try fixture.rows("SELECT count(*) FROM Note") == ["1"])
    _ = try load(fixture, #"{"id": 1, "albums": []}"#, .prune)
    #expect(try fixture.rows("SELECT count(*) FROM Album") == ["0"])
    try #expect(fixture.rows("SELECT count(*) FROM Note") == ["0"])
  }
}
