import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Importing onto an object, and into a relationship of one.
@Suite struct TargetTests {
  private func fixture() throws -> Fixture {
    let fixture = try Fixture(
      """
      Band
        id: integer64
        name: string
        label: Label <- bands
        albums: [Album] <- band | ordered
        tags: [Tag] <- bands
        notes: [Note]
      Trio : Band
        leader: string
      Label
        id: string
        bands: [Band] <- label
      Album
        id: integer64
        title: string
        band: Band <- albums
      Tag
        id: string
        bands: [Band] <- tags
      Note
        text: string
      Card | broker.identity=suit,value
        suit: string
        value: integer16
        name: string
      """)
    try fixture.load(
      """
      {"bands": [{"id": 1, "name": "Japan", "albums": [{"id": 1, "title": "t"}, {"id": 2, "title": "t"}], "tags": ["a", "b"],
        "notes": [{"text": "x"}]}, {"id": 2, "albums": [{"id": 3, "title": "t"}], "tags": ["b"]}],
       "trios": [{"id": 3}], "tags": [{"id": "a"}, {"id": "b"}, {"id": "c"}],
       "cards": [{"suit": "a,b", "value": 1}]}
      """)
    return fixture
  }

  private func into(
    _ fixture: Fixture, _ json: String, _ name: String = "albums", of band: String = "1", prunes: Bool = false
  ) throws -> Report {
    try fixture.load(json) {
      $0.target = .relationship(entity: "Band", identity: band, name: name)
      $0.prunes = prunes
    }
  }

  private func albums(_ fixture: Fixture) throws -> [String] {
    try fixture.rows("SELECT id, title, band, band_order FROM Album ORDER BY id")
  }

  @Test func aListReplacesThisObjectsLinksOnly() throws {
    let fixture = try fixture()
    let report = try into(fixture, #"[{"id": 5, "title": "five"}, 1]"#)
    #expect(try albums(fixture) == ["1 t 1 1", "2 t - -", "3 t 2 0", "5 five 1 0"])
    #expect(report.counts == "Album +1 ~2, Band =1")
    let pending = try into(fixture, #"[{"id": 7}]"#)
    #expect(pending.waiting == ["Band 1 albums -> Album 7"])
  }

  @Test func pruningDeletesThisObjectsRowsOnly() throws {
    let fixture = try fixture()
    let report = try into(fixture, #"[{"id": 1}]"#, prunes: true)
    #expect(try albums(fixture) == ["1 t 1 0", "3 t 2 0"])
    #expect(report.deletedObjects == [ObjectReference(entity: "Album", identity: "2")])
    _ = try into(fixture, "[]", "tags", prunes: true)
    #expect(try fixture.rows("SELECT id FROM Tag ORDER BY id") == ["b", "c"])
  }

  @Test(arguments: [
    #"[{"id": 5, "title": "a"}, {"id": 6, "title": "b"}]"#,
    "{\"id\": 5, \"title\": \"a\"}\n{\"id\": 6, \"title\": \"b\"}\n",
    #"{"5": {"title": "a"}, "6": {"title": "b"}}"#,
    #"{"albums": [{"id": 5, "title": "a"}, {"id": 6, "title": "b"}], "page": 3}"#,
    "[{\"id\": 5, \"title\": \"a\"}]\n[{\"id\": 6, \"title\": \"b\"}, 5]",
    "{\"album\": {\"id\": 5, \"title\": \"a\"}}\n[{\"album\": {\"id\": 6, \"title\": \"b\"}}]",
  ])
  func allFormsOfJSON(_ json: String) throws {
    let fixture = try fixture()
    let report = try into(fixture, json)
    #expect(report.problems == [])
    #expect(try fixture.rows("SELECT id FROM Album WHERE band = 1 ORDER BY band_order") == ["5", "6"])
  }

  @Test func issuesNamePlacesInTheJSON() throws {
    let fixture = try fixture()
    let report = try into(fixture, #"[{"id": 5, "title": {}}, "x", {"title": "y"}]"#)
    #expect(report.places == ["$[0].title", "$[1]", "$[2].id"])
  }

  @Test func relationshipsOfAllKinds() throws {
    let fixture = try fixture()
    _ = try into(fixture, #"["c"]"#, "tags")
    #expect(try fixture.rows("SELECT bands, tags FROM Band_tags ORDER BY 1, 2") == ["1 c", "2 b"])
    _ = try into(fixture, #"[{"text": "y"}, {"text": "z"}]"#, "notes")
    #expect(try fixture.rows("SELECT text FROM Note") == ["y", "z"])
    _ = try into(fixture, #"{"id": "virgin"}"#, "label")
    #expect(try fixture.rows("SELECT id, label FROM Band ORDER BY id") == ["1 virgin", "2 -", "3 -"])
    _ = try into(fixture, "null", "label")
    #expect(try fixture.rows("SELECT label FROM Band WHERE id = 1") == ["-"])
  }

  @Test func mergesIfSo() throws {
    let fixture = try fixture()
    _ = try fixture.load("[3, 1]") {
      $0.target = .relationship(entity: "Band", identity: "1", name: "albums")
      $0.toMany = .merge
    }
    #expect(try fixture.rows("SELECT id FROM Album WHERE band = 1 ORDER BY band_order") == ["1", "2", "3"])
  }

  @Test func whatIsNotThereIsAnError() throws {
    let fixture = try fixture()
    let before = try fixture.contents()
    for (target, message): (ImportTarget, String) in [
      (
        .relationship(entity: "Band", identity: "9", name: "albums"),
        "There is no Band 9. Nothing was changed."
      ),
      (
        .relationship(entity: "Band", identity: "1", name: "albms"),
        "Band has no relationship albms. Did you mean albums?"
      ),
      (
        .relationship(entity: "Bnd", identity: "1", name: "albums"),
        "There is no entity Bnd. Did you mean Band?"
      ),
      (.object(entity: "Band", identity: "9"), "There is no Band 9. Nothing was changed."),
      (.object(entity: "Trio", identity: "1"), "There is no Trio 1. Nothing was changed."),
      (
        .object(entity: "Card", identity: "x"),
        "The identity of Card has 2 parts, suit,value: give them joined by commas."
      ),
      (.object(entity: "Note", identity: "1"), "Note has no identity, so its objects cannot be named."),
    ] {
      do {
        _ = try fixture.load("{}") { $0.target = target }
        Issue.record("\(target) is there.")
      } catch {
        #expect("\(error)" == message)
      }
    }
    #expect(try fixture.contents() == before)
    let error = #expect(throws: ImportError.self) { try into(fixture, "[]", "albms") }
    #expect(error?.description == "Band has no relationship albms. Did you mean albums?")
  }

  // MARK: - Onto an object

  private func onto(_ fixture: Fixture, _ json: String, _ band: String = "1") throws -> Report {
    try fixture.load(json) { $0.target = .object(entity: "Band", identity: band) }
  }

  @Test func theObjectNeedNotHaveAnIdentity() throws {
    let fixture = try fixture()
    let report = try onto(fixture, #"{"name": "Rain Tree Crow", "tags": ["c"]}"#)
    #expect(report.counts == "Band ~1")
    #expect(try fixture.rows("SELECT id, name FROM Band ORDER BY id") == ["1 Rain Tree Crow", "2 -", "3 -"])
    #expect(try fixture.rows("SELECT tags FROM Band_tags WHERE bands = 1") == ["c"])
    #expect(try onto(fixture, #"{"band": {"id": "1", "name": "J"}}"#).counts == "Band ~1")
    #expect(try onto(fixture, "{}").counts == "Band =1")
  }

  @Test func anIdentityThatIsTakenIsAnIssue() throws {
    let fixture = try fixture()
    let report = try onto(fixture, #"{"id": 2, "name": "x"}"#)
    #expect(report.problems == ["$.id: expected an identity that no other object has, found 2; not renamed"])
    #expect(try fixture.rows("SELECT id, name FROM Band WHERE name = 'x'") == ["1 x"])
  }

  @Test func anObjectOfASubEntityHasAllItsProperties() throws {
    let fixture = try fixture()
    _ = try onto(fixture, #"{"leader": "Paul"}"#, "3")
    #expect(try fixture.rows("SELECT _entity, leader FROM Band WHERE id = 3") == ["Trio Paul"])
  }

  @Test func compositeIdentities() throws {
    let fixture = try fixture()
    _ = try fixture.load(#"{"name": "ace"}"#) { $0.target = .object(entity: "Card", identity: #"a\,b,1"#) }
    #expect(try fixture.rows("SELECT suit, value, name FROM Card") == ["a,b 1 ace"])
  }

  @Test(arguments: ["[]", "[{}]", "7", "", "{} {}"])
  func oneObjectIsNeeded(_ json: String) throws {
    let fixture = try fixture()
    #expect(throws: ImportError.self) { try onto(fixture, json) }
  }

  @Test func theObjectsOfTheJSONAreListedInItsOrder() throws {
    let fixture = try fixture()
    let report = try fixture.load(
      #"{"bands": [{"id": 2}, {"id": "x"}, {"id": 9}], "notes": [{"text": "n"}]}"#
    ) { $0.listsObjects = true }
    #expect(report.objects?.map(\.entity) == ["Band", "Band", "Note"])
    #expect(report.objects?.map(\.identity) == ["2", "9", "2"])
  }
}
