import Mapping
import ObjectModel
import Testing

/// Renaming objects that are parts of others' identities, and objects that name others in theirs.
@Suite struct OwnerRenameTests {
  private let model = """
    Crate
      id: string
      name: string
      versions: [Version] <- crate | ordered
    Version | identityAttributes=crate,num
      num: string
      size: integer64
      crate: Crate <- versions
      downloads: [Download] <- version
      tags: [Tag] <- versions
    Download | identityAttributes=version,day
      day: integer16
      count: integer64
      version: Version <- downloads
    Tag
      id: integer64
      versions: [Version] <- tags
      first: Version
    """

  private func fixture() throws -> Fixture {
    let fixture = try Fixture(model)
    try fixture.load(
      #"{"crates": [{"id": "serde", "name": "S", "versions": [{"num": "2", "size": 1, "tags": [1]}, {"num": "1", "downloads": [{"day": 5, "count": 1}, 6]}, "3"]}, {"id": "tokio", "versions": [{"num": "9", "size": 1}]}], "tags": [{"id": 1, "first": "serde,1"}, {"id": 2, "first": "serde,7"}]}"#
    )
    return fixture
  }

  private func rename(
    _ fixture: Fixture, _ entity: String, _ identity: String, _ json: String
  ) throws -> Report {
    try fixture.load(json) { $0.target = .object(entity: entity, identity: identity) }
  }

  private func contents(_ fixture: Fixture) throws -> [String] {
    try [
      "SELECT * FROM Crate ORDER BY 1", "SELECT * FROM Version ORDER BY 1, 2", "SELECT * FROM Download",
      "SELECT * FROM Version_tags", "SELECT * FROM Tag ORDER BY 1",
      "SELECT owner, target FROM broker_pending ORDER BY 1, 2",
    ].flatMap { try fixture.rows($0) }
  }

  @Test func whatAnOwnerIdentifiesFollows() throws {
    let fixture = try fixture()
    let report = try rename(fixture, "Crate", "serde", #"{"id": "serde2", "name": "T"}"#)
    #expect(report.problems == [])
    #expect(report.updated == ["Crate": 1, "Version": 2, "Download": 1])
    let found = try contents(fixture)
    #expect(
      found == [
        "serde2 T", "tokio -", "serde2 1 - 1", "serde2 2 1 0", "tokio 9 1 0", "serde2 1 5 1", "serde2 2 1",
        "1 serde2 1", "2 serde2 7", "serde2 serde2,3", "serde2,1 serde2,1,6",
      ])
    // What waits comes under the new names.
    try fixture.load(#"{"versions": [{"crate": "serde2", "num": "3", "size": 3}]}"#)
    #expect(try fixture.rows("SELECT crate_order FROM Version WHERE num = 3") == ["2"])
  }

  /// Two forms of one letter are two texts to a database, and one `String` to Swift.
  @Test func anIdentityMayChangeToALookalike() throws {
    let fixture = try Fixture(model)
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    try fixture.load(#"{"crates": [{"id": "\#(composed)", "versions": [{"num": "1", "size": 1}, "2"]}]}"#)
    let report = try rename(fixture, "Crate", composed, #"{"id": "\#(decomposed)", "name": "N"}"#)
    #expect(report.problems == [])
    let texts =
      try fixture.rows("SELECT id FROM Crate UNION ALL SELECT crate FROM Version")
      + fixture.rows("SELECT owner FROM broker_pending")
    #expect(texts.count == 3)
    #expect(texts.allSatisfy { Array($0.utf8) == Array(decomposed.utf8) }, "\(texts)")
  }

  @Test func anotherOwner() throws {
    let fixture = try fixture()
    let report = try rename(
      fixture, "Version", "serde,1", #"{"crate": {"id": "tokio", "name": "K"}, "size": 8}"#)
    #expect(report.problems == [])
    #expect(report.updated == ["Crate": 1, "Version": 1, "Download": 1])
    let found = try contents(fixture)
    #expect(
      found == [
        "serde S", "tokio K", "serde 2 1 0", "tokio 1 8 -", "tokio 9 1 0", "tokio 1 5 1", "serde 2 1",
        "1 tokio 1", "2 serde 7", "serde serde,3", "tokio,1 tokio,1,6",
      ])
  }

  @Test func anIdentityThatIsTaken() throws {
    let fixture = try fixture()
    try fixture.load(#"{"versions": [{"crate": "late", "num": "2", "size": 7}]}"#)
    let before = try fixture.contents()
    // The crate is free, but a version that waits for it is not.
    let report = try rename(fixture, "Crate", "serde", #"{"id": "late"}"#)
    #expect(
      report.problems == [
        "$.id: expected an identity that no other object has, found \"late\"; not renamed"
      ] || report.problems == ["$.id: expected an identity that no other object has, found late; not renamed"]
    )
    #expect(try fixture.contents() == before)
    let version = try rename(
      fixture, "Version", "serde,1", #"{"crate": {"id": "tokio", "name": "K"}, "num": "9", "size": 4}"#)
    #expect(version.problems.count == 1)
    #expect(try fixture.rows("SELECT name FROM Crate WHERE id = 'tokio'") == ["K"])
    #expect(try fixture.rows("SELECT size FROM Version WHERE crate = 'serde' AND num = 1") == ["4"])
  }

  @Test func aRenamedOwnerConnectsWhatWaitedForIt() throws {
    let fixture = try fixture()
    try fixture.load(#"{"versions": [{"crate": "late", "num": "5", "size": 7}]}"#)
    let report = try rename(fixture, "Crate", "tokio", #"{"id": "late"}"#)
    #expect(report.problems == [])
    let exported = try fixture.exported("Crate") { $0.relationships = .keys }.first
    #expect(
      exported
        == #"{"id":"late","name":null,"versions":[{"crate":"late","num":"9"},{"crate":"late","num":"5"}]}"#)
  }

  @Test func anObjectThatNamesOneTwice() throws {
    let fixture = try Fixture(
      """
      Team
        id: string
      Match | identityAttributes=home,away,day
        day: integer16
        score: string
        home: Team
        away: Team
      """)
    try fixture.load(
      #"{"teams": [{"id": "a"}, {"id": "b"}], "matchs": [], "matches": [{"home": "a", "away": "a", "day": 1}, {"home": "a", "away": "b", "day": 1}, {"home": "b", "away": "a", "day": 1}]}"#
    )
    #expect(try rename(fixture, "Team", "a", #"{"id": "c"}"#).problems == [])
    #expect(try fixture.rows("SELECT * FROM Match") == ["c c 1 -", "c b 1 -", "b c 1 -"])
  }

  @Test func integersThatAreRows() throws {
    let fixture = try Fixture(
      """
      User
        id: integer64
        profile: Profile <- user
      Profile | identityAttributes=user
        text: string
        user: User <- profile
        notes: [Note] <- profile
      Note | identityAttributes=profile,number
        number: integer16
        profile: Profile <- notes
      """)
    try fixture.load(
      #"{"users": [{"id": 1, "profile": {"text": "a", "notes": [{"number": 3}]}}, {"id": 2}]}"#)
    let report = try rename(fixture, "User", "1", #"{"id": 7}"#)
    #expect(report.problems == [])
    #expect(try fixture.rows("SELECT rowid, * FROM Profile") == ["7 7 a"])
    #expect(try fixture.rows("SELECT * FROM Note") == ["7 3"])
  }
}
