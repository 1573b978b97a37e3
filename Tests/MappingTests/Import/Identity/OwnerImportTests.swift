import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Imports of objects whose identity names their owner.
@Suite struct OwnerImportTests {
  static let crates = """
    Crate
      id: string
      name: string
      versions: [Version] <- crate | ordered
    Version | identityAttributes=crate,num
      num: string
      size: integer64
      crate: Crate <- versions
      downloads: [Download] <- version
    Download | identityAttributes=version,day
      day: integer16
      count: integer64
      version: Version <- downloads
    """

  private func fixture() throws -> Fixture { try Fixture(Self.crates) }

  private let tables = ["SELECT * FROM Crate", "SELECT * FROM Version", "SELECT * FROM Download"]

  private func contents(_ fixture: Fixture) throws -> [String] {
    try tables.flatMap { try fixture.rows("\($0) ORDER BY rowid") }
  }

  @Test func tablesHaveTheOwnersKeyInTheirs() throws {
    let fixture = try fixture()
    let tables = try fixture.rows("SELECT sql FROM sqlite_schema WHERE name IN ('Version', 'Download')")
    #expect(
      tables == [
        """
        CREATE TABLE "Version" (
          "crate" TEXT NOT NULL,
          "num" TEXT NOT NULL,
          "size" INTEGER,
          "crate_order" INTEGER,
          PRIMARY KEY ("crate", "num"),
          FOREIGN KEY ("crate") REFERENCES "Crate" ("id")
        )
        """,
        """
        CREATE TABLE "Download" (
          "version_crate" TEXT NOT NULL,
          "version_num" TEXT NOT NULL,
          "day" INTEGER NOT NULL,
          "count" INTEGER,
          PRIMARY KEY ("version_crate", "version_num", "day"),
          FOREIGN KEY ("version_crate", "version_num") REFERENCES "Version" ("crate", "num")
        )
        """,
      ])
    #expect(
      try fixture.rows("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL") == [
        "broker_pending_owner_index"
      ])
  }

  @Test(arguments: [
    #"{"crates": [{"id": "serde", "name": "S", "versions": [{"num": "1.0", "size": 5, "downloads": [{"day": 1, "count": 9}]}, {"num": "1.1", "size": null}]}]}"#,
    // The owner's own identity may come last.
    #"{"crates": [{"versions": [{"downloads": [{"count": 9, "day": 1}], "size": 5, "num": "1.0"}, {"size": null, "num": "1.1"}], "name": "S", "id": "serde"}]}"#,
    #"{"crates": [{"id": "serde", "name": "S", "versions": {"1.0": {"size": 5, "downloads": {"1": {"count": 9}}}, "1.1": {"num": "1.1", "size": null}}}]}"#,
    #"{"downloads": [{"version": {"crate": {"id": "serde", "name": "S", "versions": ["1.0", {"num": "1.1", "size": null}]}, "num": "1.0", "size": 5}, "day": 1, "count": 9}]}"#,
  ])
  func nestedUnderItsOwner(json: String) throws {
    let fixture = try fixture()
    let report = try fixture.load(json)
    #expect(report.problems == [])
    #expect(report.waiting == [])
    #expect(report.inserted == ["Crate": 1, "Version": 2, "Download": 1])
    #expect(
      try contents(fixture).sorted() == ["serde 1.0 1 9", "serde 1.0 5 0", "serde 1.1 - 1", "serde S"])
    let writes = try fixture.writes()
    #expect(try fixture.load(json).updated == [:])
    #expect(try fixture.writes() == writes)
  }

  @Test(arguments: [
    #""crate_id": "serde""#, #""crate": "serde""#, #""crate": {"id": "serde"}"#, #""CrateID": "serde""#,
  ])
  func byTheOwnersKey(owner: String) throws {
    let fixture = try fixture()
    let report = try fixture.load(#"{"versions": [{\#(owner), "num": "1.0", "size": 5}]}"#)
    #expect(report.counts == "Version +1")
    #expect(report.waiting == ["Version serde,1.0 crate -> Crate serde"])
    #expect(try fixture.rows("SELECT * FROM Version") == ["serde 1.0 5 -"])
    #expect(try fixture.load(#"{"crates": [{"id": "serde", "versions": ["1.0"]}]}"#).problems == [])
    #expect(try fixture.rows("SELECT * FROM Version") == ["serde 1.0 5 -"])
    #expect(try fixture.load(#"{"versions": [{\#(owner), "num": "1.0"}]}"#).counts == "Version =1")
  }

  @Test func theOwnerMayBeNestedWithAllThatItSays() throws {
    let fixture = try fixture()
    let json =
      #"{"versions": [{"crate": {"id": "serde", "name": "S"}, "num": "1.0"}, {"num": "1.1", "crate": {"name": "T", "id": "serde"}}]}"#
    let report = try fixture.load(json)
    #expect(report.counts == "Crate +1, Version +2, 1x")
    #expect(report.waiting == [])
    let found = try contents(fixture)
    #expect(found == ["serde T", "serde 1.0 - -", "serde 1.1 - -"])
  }

  // MARK: - Without an owner

  @Test(arguments: [
    (#"{"num": "1.0"}"#, "nothing"), (#"{"num": "1.0", "crate": null}"#, "null"),
    (#"{"num": "1.0", "crate": {"name": "S"}}"#, "nothing"),
    (#"{"crate": "serde"}"#, "nothing"),
  ])
  func withoutItsIdentityItIsSkipped(version: String, found: String) throws {
    let fixture = try fixture()
    let report = try fixture.load(#"{"versions": [\#(version), {"num": "1.0", "crate": "x"}]}"#)
    #expect(
      report.problems.last
        == #"$.versions[0]: expected an identity, found \#(found); object skipped"#
        || report.problems.contains(
          #"$.versions[0]['crate,num']: expected an identity, found \#(found); object skipped"#)
    )
    #expect(report.skipped["Version"] == 1)
    #expect(report.inserted["Version"] == 1)
  }

  @Test func anOwnerThatCannotBeUsed() throws {
    let fixture = try fixture()
    let report = try fixture.load(
      #"{"versions": [{"num": "1.0", "crate": [1]}, {"num": "1", "crate": "a"}]}"#)
    #expect(
      report.problems == ["$.versions[0].crate: expected an object or a key, found a list; object skipped"])
    #expect(report.counts == "Version +1 !1")
  }

  @Test func withItsOwnerIsSkippedWhatHasNoOwnerThen() throws {
    let fixture = try fixture()
    let report = try fixture.load(
      #"{"crates": [{"versions": [{"num": "1.0", "downloads": [{"day": 1}]}], "name": "S"}, {"id": "a", "versions": ["1"]}]}"#
    )
    #expect(report.skipped == ["Crate": 1, "Version": 1, "Download": 1])
    #expect(
      report.problems == [
        "$.crates[0].id: expected an identity, found nothing; object skipped",
        "$.crates[0].versions[0].crate: expected a Crate with an identity, found one without; object skipped",
        "$.crates[0].versions[0].downloads[0].version: expected a Version with an identity, found one without; object skipped",
      ])
    #expect(report.waiting == ["Crate a versions -> Version a,1"])
  }

  @Test func whatASkippedOwnerIdentifiesIsKept() throws {
    let fixture = try Fixture(
      Self.crates.replacing("name: string", with: "name: string!"))
    let report = try fixture.load(#"{"crates": [{"id": "serde", "versions": [{"num": "1.0", "size": 1}]}]}"#)
    #expect(report.problems == ["$.crates[0].name: expected a string, found nothing; object skipped"])
    #expect(report.counts == "Crate !1, Version +1")
    #expect(report.waiting == ["Version serde,1.0 crate -> Crate serde"])
  }

  // MARK: - References

  @Test(arguments: [
    #"{"crate": "serde", "num": "1.0"}"#, #"{"crate": {"id": "serde"}, "num": "1.0"}"#,
    #"{"num": "1.0", "crate_id": "serde"}"#, #""serde,1.0""#,
  ])
  func referencesFromElsewhere(reference: String) throws {
    let fixture = try Fixture(
      Self.crates + """

        User
          id: integer64
          favourite: Version
          uses: [Version]
        """)
    let report = try fixture.load(
      #"{"users": [{"id": 1, "favourite": \#(reference), "uses": [\#(reference)]}]}"#)
    #expect(report.problems == [])
    #expect(report.counts == "User +1")
    #expect(
      report.waiting == ["User 1 favourite -> Version serde,1.0", "User 1 uses -> Version serde,1.0"])
    #expect(
      try fixture.load(#"{"crates": [{"id": "serde", "versions": [{"num": "1.0", "size": 1}]}]}"#).waiting
        == [])
    #expect(
      try fixture.exported("User") { $0.relationships = .keys } == [
        #"{"id":1,"favourite":{"crate":"serde","num":"1.0"},"uses":[{"crate":"serde","num":"1.0"}]}"#
      ])
    #expect(
      try fixture.load(#"{"users": [{"id": 1, "favourite": \#(reference), "uses": [\#(reference)]}]}"#).counts
        == "User =1")
  }

  @Test func ofNothingButOwnersATextIsAReference() throws {
    let fixture = try Fixture(
      """
      User
        id: integer64
      Post
        id: string
        votes: [Vote] <- post
      Vote | identityAttributes=user,post
        user: User
        post: Post <- votes
      Badge
        id: integer64
        vote: Vote
      Reason | identityAttributes=vote,text
        text: string
        note: string
        vote: Vote
      Mark
        id: integer64
        reason: Reason
      """)
    let report = try fixture.load(
      #"{"users": [{"id": 1}, {"id": 2}], "posts": [{"id": "a,b", "votes": [{"user": 1}, {"user": 2}]}], "badges": [{"id": 1, "vote": "1,a\\,b"}], "reasons": [{"text": "t", "vote": {"user": 1, "post": "a,b"}}], "marks": [{"id": 1, "reason": {"vote": "1,a\\,b", "text": "t"}}]}"#
    )
    #expect(report.problems == [])
    #expect(report.waiting == [])
    #expect(try fixture.rows("SELECT * FROM Vote") == ["1 a,b", "2 a,b"])
    #expect(
      try fixture.exported("Badge") { $0.relationships = .keys } == [#"{"id":1,"vote":"1,a\\,b"}"#])
    #expect(
      try fixture.exported("Mark") { $0.relationships = .keys } == [
        #"{"id":1,"reason":{"vote":"1,a\\,b","text":"t"}}"#
      ])
  }

  // MARK: - Lists

  @Test func aListCannotTakeWhatAnotherOwnerIdentifies() throws {
    let fixture = try fixture()
    try fixture.load(#"{"crates": [{"id": "serde", "versions": [{"num": "1.0", "size": 1}]}]}"#)
    let report = try fixture.load(
      #"{"crates": [{"id": "tokio", "versions": [{"crate": "serde", "num": "1.0"}, "serde,1.0", {"crate": {"id": "serde"}, "num": "1.0", "size": 3}, "2.0"]}]}"#
    )
    #expect(
      Set(report.problems) == [
        "$.crates[0].versions: expected a Version whose identity names this object, found serde,1.0, which belongs to another; not put into the list"
      ])
    #expect(report.issueCount == 3)
    #expect(try fixture.rows("SELECT * FROM Version") == ["serde 1.0 3 0"])
    #expect(report.waiting == ["Crate tokio versions -> Version tokio,2.0"])
  }

  @Test func whatAListNoLongerHasKeepsItsOwner() throws {
    let fixture = try fixture()
    try fixture.load(
      #"{"crates": [{"id": "serde", "versions": ["1.0", {"num": "1.1", "size": 1}, {"num": "1.2", "size": 1}]}]}"#
    )
    let json = #"{"crates": [{"id": "serde", "versions": [{"num": "1.2"}]}]}"#
    let report = try fixture.load(json)
    #expect(
      report.problems == [
        "$.crates[0].versions: expected Version serde,1.1 in the list, since it cannot be without its owner, found a list without it; kept its owner"
      ])
    #expect(try fixture.load(json) { $0.toMany = .merge }.problems == [])
    let pruned = try fixture.load(json) { $0.toMany = .prune }
    #expect(pruned.counts == "Crate =1, Version -1")
    #expect(try fixture.rows("SELECT crate, num FROM Version") == ["serde 1.2"])
  }

  @Test func intoAnOwnersList() throws {
    let fixture = try fixture()
    try fixture.load(
      #"{"crates": [{"id": "serde", "versions": [{"num": "1.0", "size": 1}, {"num": "0.9", "size": 1}]}, {"id": "x", "versions": [{"num": "3", "size": null}]}]}"#
    )
    let report = try fixture.load(#"[{"num": "1.0", "size": 4}, {"num": "2.0", "size": null}]"#) {
      $0.target = .relationship(entity: "Crate", identity: "serde", name: "versions")
      $0.toMany = .prune
    }
    #expect(report.counts == "Crate =1, Version +1 ~1 -1")
    #expect(
      try fixture.rows("SELECT crate, num, size FROM Version ORDER BY 1, 2") == [
        "serde 1.0 4", "serde 2.0 -", "x 3 -",
      ])
    #expect(
      try fixture.load(#"{"size": 7}"#) { $0.target = .object(entity: "Version", identity: "serde,1.0") }
        .counts
        == "Version ~1")
    let rest = try fixture.load(#"[{"day": 3, "count": 1}]"#) {
      $0.target = .relationship(entity: "Version", identity: "serde,1.0", name: "downloads")
    }
    #expect(rest.counts == "Download +1, Version =1")
  }

  // MARK: - The same object

  @Test func theSameObjectTwice() throws {
    let fixture = try fixture()
    let report = try fixture.load(
      #"{"crates": [{"id": "serde", "versions": [{"num": "1.0", "size": 1}, {"crate": "serde", "num": "1.0", "size": 2}]}], "versions": [{"num": "1.0", "crate": {"id": "serde"}, "size": 3}]}"#
    )
    #expect(report.counts == "Crate +1, Version +1, 2x")
    let found = try contents(fixture)
    #expect(found == ["serde -", "serde 1.0 3 0"])
  }

  @Test func oneRecordMayTellAnOwnerTwice() throws {
    let fixture = try fixture()
    let report = try fixture.load(
      #"{"downloads": [{"day": 1, "version": {"num": "1.0", "crate": {"id": "a", "versions": [{"num": "1.0", "downloads": [{"day": 2, "count": 1}]}, {"num": "1.0", "crate": {"id": "a", "name": "N"}}]}}}]}"#
    )
    #expect(report.problems == [])
    let found = try contents(fixture)
    #expect(found == ["a N", "a 1.0 - 0", "a 1.0 2 1", "a 1.0 1 -"])
  }

  // MARK: - Policies

  @Test func stubsHaveTheirOwners() throws {
    let fixture = try Fixture(Self.crates + "\nUser\n  id: integer64\n  favourite: Version")
    let report = try fixture.load(#"{"users": [{"id": 1, "favourite": "serde,1.0"}]}"#) {
      $0.references = .stub
    }
    #expect(report.counts == "Crate +1, User +1, Version +1")
    #expect(report.waiting == [])
    let found = try contents(fixture)
    #expect(found == ["serde -", "serde 1.0 - -"])
  }

  @Test func onlyWhatIsThereIsUpdated() throws {
    let fixture = try fixture()
    try fixture.load(#"{"crates": [{"id": "serde", "versions": [{"num": "1.0", "size": 1}]}]}"#)
    let report = try fixture.load(
      #"{"crates": [{"id": "new", "versions": [{"num": "1", "size": 1}]}], "versions": [{"crate": {"id": "serde", "name": "S"}, "num": "1.0", "size": 5}]}"#
    ) { $0.operations = [.update] }
    #expect(report.counts == "Crate ~1, Version ~1")
    #expect(report.excluded == ["Crate": 1, "Version": 1])
  }

  @Test func prunesGoByTheWholeIdentity() throws {
    let fixture = try fixture()
    try fixture.load(
      #"{"crates": [{"id": "a", "versions": [{"num": "1", "size": 1}, {"num": "2", "size": 1}]}, {"id": "b", "versions": [{"num": "1", "size": 1}]}]}"#
    )
    let report = try fixture.load(#"{"versions": [{"crate": "a", "num": "2"}]}"#) { $0.prunes = true }
    #expect(report.counts == "Version =1 -2")
    #expect(report.deletedObjects.map { $0.identity }.sorted() == ["a,1", "b,1"])
  }

  @Test func deletingAnOwner() throws {
    let fixture = try fixture()
    try fixture.load(#"{"crates": [{"id": "a", "versions": [{"num": "1", "size": 1}]}, {"id": "b"}]}"#)
    let report = try fixture.load(#"{"crates": [{"id": "b"}]}"#) { $0.prunes = true }
    #expect(report.counts == "Crate =1")
    #expect(report.problems.count == 1)
    let cascade = try Fixture(
      Self.crates.replacing("<- crate | ordered", with: "<- crate | ordered | delete=cascade"))
    try cascade.load(#"{"crates": [{"id": "a", "versions": [{"num": "1", "size": 1}]}, {"id": "b"}]}"#)
    #expect(
      try cascade.load(#"{"crates": [{"id": "b"}]}"#) { $0.prunes = true }.counts == "Crate =1 -1, Version -1"
    )
  }

  @Test func oneToOne() throws {
    let fixture = try Fixture(
      """
      User
        id: integer64
        profile: Profile <- user
      Profile | identityAttributes=user
        user: User <- profile
        text: string
      """)
    let json = #"{"users": [{"profile": {"text": "hello"}, "id": 1}, {"id": 2, "profile": {"text": "t"}}]}"#
    #expect(try fixture.load(json).counts == "Profile +2, User +2")
    #expect(try fixture.rows("SELECT rowid, * FROM Profile") == ["1 1 hello", "2 2 t"])
    #expect(try fixture.load(json).counts == "Profile =2, User =2")
    #expect(try fixture.load(#"{"profiles": [{"user": 2, "text": "u"}]}"#).counts == "Profile ~1")
    #expect(
      try fixture.load(#"{"users": [{"id": 2, "profile": null}]}"#).problems == [
        "$.users[0].profile: expected Profile 2 in the list, since it cannot be without its owner, found a list without it; kept its owner"
      ])
  }
}
