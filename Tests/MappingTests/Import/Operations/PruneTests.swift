import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Deleting what the JSON no longer has.
@Suite struct PruneTests {
  private func fixture(_ rule: String = "nullify") throws -> Fixture {
    let fixture = try Fixture(
      """
      Band
        id: integer64
        name: string
        albums: [Album] <- band | delete=\(rule)
      Trio : Band
        leader: string
      Album
        id: integer64
        band: Band <- albums
      """, entity: "Band")
    try fixture.load(
      """
      {"bands": [{"id": 1, "albums": [1, 2]}, {"id": 2, "albums": [3]}, {"id": 3}],
       "trios": [{"id": 4}], "albums": [{"id": 1}, {"id": 2}, {"id": 3}]}
      """)
    return fixture
  }

  private func prune(
    _ fixture: Fixture, _ json: String, _ adjust: (inout ImportOptions) -> Void = { _ in }
  ) throws -> Report {
    try fixture.load(json) { options in
      options.prunes = true
      adjust(&options)
    }
  }

  private func ids(_ fixture: Fixture, _ entity: String = "Band") throws -> String {
    try fixture.rows("SELECT id FROM \(entity) ORDER BY id").joined(separator: " ")
  }

  @Test func offUnlessAskedFor() throws {
    let fixture = try fixture()
    #expect(try fixture.load(#"[{"id": 1}]"#).deleted == [:])
    #expect(try ids(fixture) == "1 2 3 4")
  }

  @Test func deletesWhatTheListLacksSubEntitiesToo() throws {
    let fixture = try fixture()
    let report = try prune(fixture, #"[{"id": 1}, {"id": 5}]"#)
    #expect(try ids(fixture) == "1 5")
    #expect(report.deleted == ["Band": 2, "Trio": 1])
    #expect(
      report.deletedObjects == [
        ObjectReference(entity: "Band", identity: "2"), ObjectReference(entity: "Band", identity: "3"),
        ObjectReference(entity: "Trio", identity: "4"),
      ])
    #expect(try fixture.rows("SELECT id, band FROM Album") == ["1 1", "2 1", "3 -"])
  }

  @Test func ofASubEntityOnlyItsOwn() throws {
    let fixture = try fixture()
    let report = try prune(fixture, #"{"trios": [{"id": 6}]}"#)
    #expect(try ids(fixture) == "1 2 3 6")
    #expect(report.deleted == ["Trio": 1])
  }

  @Test func eachListOfADocumentIsAScope() throws {
    let fixture = try fixture()
    let report = try prune(fixture, #"{"albums": [{"id": 2}], "bands": []}"#) { $0.entity = nil }
    #expect(try ids(fixture) == "")
    #expect(try ids(fixture, "Album") == "2")
    #expect(report.deleted == ["Band": 3, "Trio": 1, "Album": 2])
  }

  @Test func nestedObjectsAreNoList() throws {
    let fixture = try fixture()
    _ = try prune(fixture, #"[{"id": 1, "albums": [{"id": 1}]}]"#)
    #expect(try ids(fixture) == "1")
    #expect(try ids(fixture, "Album") == "1 2 3")
  }

  @Test(arguments: [#"{"1": {"name": "a"}}"#, "{\"id\": 1}\n{\"id\": 1, \"name\": \"b\"}"])
  func dictionariesAndLinesAreLists(_ json: String) throws {
    let fixture = try fixture()
    _ = try prune(fixture, json)
    #expect(try ids(fixture) == "1")
  }

  @Test(arguments: [#"{"id": 1}"#, "", #"{"band": {"id": 1}}"#])
  func oneObjectIsNone(_ json: String) throws {
    let fixture = try fixture()
    #expect(throws: ImportError.self) { try prune(fixture, json) }
    #expect(try ids(fixture) == "1 2 3 4")
  }

  @Test func whereNothingIsMissingNothingIsSaidOfIt() throws {
    let fixture = try fixture()
    let report = try prune(fixture, #"[{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}, {"id": "x"}]"#)
    #expect(report.issues.map(\.action) == ["object skipped"])
    #expect(try ids(fixture) == "1 2 3 4")
  }

  @Test(arguments: [#"[{"id": 1}, {"id": "x"}]"#, #"[{"id": 1}, 7]"#, #"[{"id": 1, "albums": [1, "x"]}]"#])
  func notAfterAnythingWasLeftOut(_ json: String) throws {
    let fixture = try fixture()
    let report = try prune(fixture, json)
    #expect(report.deleted == [:])
    #expect(report.issues.last?.action == "nothing pruned")
    #expect(try ids(fixture) == "1 2 3 4")
  }

  @Test func notWhenTheJSONBreaksOff() throws {
    let fixture = try fixture()
    #expect(throws: ImportError.self) { try prune(fixture, #"[{"id": 1}"#) }
    #expect(try ids(fixture) == "1 2 3 4")
  }

  @Test func valuesThatWereLeftOutDoNotMatter() throws {
    let fixture = try fixture()
    let report = try prune(fixture, #"[{"id": 1, "name": {"x": 1}}]"#)
    #expect(report.issueCount == 1 && report.deleted == ["Band": 2, "Trio": 1])
  }

  @Test func cascadesAndDenialsHold() throws {
    let cascade = try fixture("cascade")
    #expect(try prune(cascade, #"[{"id": 1}]"#).deleted == ["Band": 2, "Trio": 1, "Album": 1])
    #expect(try ids(cascade, "Album") == "1 2")
    let deny = try fixture("deny")
    let report = try prune(deny, #"[{"id": 1}]"#)
    #expect(report.deleted == ["Band": 1, "Trio": 1])
    #expect(report.issues.map(\.action) == ["not deleted"])
    #expect(try ids(deny) == "1 2")
  }

  @Test(arguments: [
    (DeletionLimit.objects(3), true), (.objects(2), false), (.percent(75), true), (.percent(74), false),
    (.percent(0), false), (.objects(0), false),
  ])
  func aLimitStopsIt(_ limit: DeletionLimit, _ isEnough: Bool) throws {
    let fixture = try fixture()
    let report = try prune(fixture, #"[{"id": 1, "name": "new"}]"#) { $0.maximumDeletions = limit }
    #expect(try ids(fixture) == (isEnough ? "1" : "1 2 3 4"))
    #expect(report.deleted == (isEnough ? ["Band": 2, "Trio": 1] : [:]))
    #expect(report.deletedObjects.count == (isEnough ? 3 : 0))
    #expect(report.issues.map(\.action) == (isEnough ? [] : ["nothing pruned"]))
    #expect(try fixture.rows("SELECT name FROM Band WHERE id = 1") == ["new"])
  }

  @Test func cascadesCountAgainstTheLimit() throws {
    let fixture = try fixture("cascade")
    let report = try prune(fixture, #"[{"id": 1}]"#) { $0.maximumDeletions = .objects(3) }
    #expect(report.deleted == [:])
    #expect(report.issues.map(\.found) == ["4"])
    #expect(try ids(fixture, "Album") == "1 2 3")
  }

  @Test func aStrictImportFailsAtTheLimit() throws {
    let fixture = try fixture()
    let before = try fixture.contents()
    #expect(throws: ImportError.self) {
      try prune(fixture, #"[{"id": 1, "name": "new"}]"#) {
        $0.maximumDeletions = .objects(1)
        $0.isStrict = true
      }
    }
    #expect(try fixture.contents() == before)
  }

  @Test func aDryRunShowsWhatItWouldDelete() throws {
    let fixture = try fixture()
    let before = try fixture.contents()
    let report = try prune(fixture, #"[{"id": 1}]"#) { $0.isDryRun = true }
    #expect(report.deletedObjects.map(\.identity) == ["2", "3", "4"])
    #expect(try fixture.contents() == before)
  }

  @Test func theLimitHoldsForListsToo() throws {
    let fixture = try fixture()
    let report = try fixture.load(#"[{"id": 1, "albums": []}, {"id": 2, "albums": []}]"#) {
      $0.toMany = .prune
      $0.maximumDeletions = .objects(2)
    }
    #expect(report.deleted == [:] && report.issues.map(\.found) == ["3"])
    #expect(try ids(fixture, "Album") == "1 2 3")
  }

  @Test func whatWasNotAllowedToBeUpdatedHasCome() throws {
    let fixture = try fixture()
    _ = try prune(fixture, #"[{"id": 1}, {"id": 2}]"#) { $0.operations = [.insert, .delete] }
    #expect(try ids(fixture) == "1 2")
  }

  @Test func policiesOfSingleRelationshipsCountMore() throws {
    var mapping = JSONMapping()
    mapping["Band"].toMany = ["albums": .merge]
    let fixture = try Fixture(
      "Band\n  id: integer64\n  albums: [Album] <- band\n  tags: [Tag]\nAlbum\n  id: integer64\n  band: Band <- albums\nTag\n  id: integer64",
      entity: "Band", mapping: mapping)
    try fixture.load(#"{"bands": [{"id": 1, "albums": [{"id": 1}], "tags": [{"id": 1}]}]}"#)
    try fixture.load(#"[{"id": 1, "albums": [{"id": 2}], "tags": []}]"#) { $0.toMany = .prune }
    #expect(try fixture.rows("SELECT id, band FROM Album") == ["1 1", "2 1"])
    #expect(try fixture.rows("SELECT * FROM Tag") == [])
  }
}

/// What pruning spares.
@Suite struct SparingPruneTests {
  @Test func whatLostItsOwnerAndIsInTheJSONStays() throws {
    let fixture = try Fixture(
      "Band\n  id: integer64\n  albums: [Album] <- band\nAlbum\n  id: integer64\n  title: string\n  band: Band <- albums"
    )
    try fixture.load(
      #"{"bands": [{"id": 1, "albums": [{"id": 1, "title": "a"}, {"id": 2, "title": "b"}, {"id": 3, "title": "c"}]}]}"#
    )
    let report = try fixture.load(
      #"{"bands": [{"id": 1, "albums": [2]}], "albums": [{"id": 1, "title": "listed"}]}"#
    ) {
      $0.toMany = .prune
    }
    #expect(report.deleted == ["Album": 1])
    #expect(try fixture.rows("SELECT id, band FROM Album ORDER BY id") == ["1 -", "2 1"])
  }

  @Test func aCascadeDoesNotTakeWhatIsInTheJSON() throws {
    let fixture = try Fixture(
      "Person\n  id: integer64\n  name: string\n  kids: [Person] <- parent | delete=cascade\n  parent: Person <- kids",
      entity: "Person")
    try fixture.load(#"[{"id": 1}, {"id": 2}, {"id": 3, "parent": 2}, {"id": 4}]"#)
    let report = try fixture.load(#"[{"id": 5, "name": "new", "parent": 2}, {"id": 1}]"#) { $0.prunes = true }
    #expect(try fixture.rows("SELECT id FROM Person ORDER BY id") == ["1", "2", "5"])
    #expect(report.deleted == ["Person": 2])
    #expect(report.issues.map(\.action) == ["not deleted"])
  }

  @Test func anOutdatedObjectCountsOnce() throws {
    var mapping = JSONMapping()
    mapping["Album"].version = "v"
    let fixture = try Fixture(
      "Band\n  id: integer64\n  albums: [Album] <- band | ordered\nAlbum\n  id: integer64\n  v: integer16\n  band: Band <- albums",
      mapping: mapping)
    try fixture.load(#"{"bands": [{"id": 1, "albums": [{"id": 1, "v": 5}]}, {"id": 2}]}"#)
    let report = try fixture.load(#"{"bands": [{"id": 2, "albums": [{"id": 1, "v": 4}]}]}"#)
    #expect(report.outdated == ["Album": 1])
    #expect(report.counts == "Band =1")
    #expect(try fixture.rows("SELECT v, band FROM Album") == ["5 2"])
  }
}
