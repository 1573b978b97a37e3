import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Sub-entities that have an identity of their own, since their root has none.
@Suite struct OwnIdentityTests {
  private let notes = """
    Note
      text: string
      page: Page <- notes
    Photo : Note
      id: integer64
      title: string
      tags: [Tag] <- photos
      poster: Person <- photos
    Panorama : Photo
      width: integer32
    Page
      name: string | broker.identity=true
      notes: [Note] <- page | ordered
    Person
      id: integer64
      photos: [Photo] <- poster
    Tag
      id: string
      photos: [Photo] <- tags
    Album
      id: integer64
      cover: Photo
    """

  private let whole = """
    {"photos": [{"id": 1, "title": "a", "tags": ["x", "y"], "poster": 7}, {"id": 2, "title": "b"}],
     "panoramas": [{"id": 3, "width": 900}],
     "persons": [{"id": 7, "photos": [1, 3, 4]}], "tags": [{"id": "x"}, {"id": "y", "photos": [1, 2]}],
     "albums": [{"id": 5, "cover": 2}, {"id": 6, "cover": 9}, {"id": 8, "cover": {"id": 3}}],
     "pages": [{"name": "p", "notes": [{"text": "one"}, {"type": "photo", "id": 2, "text": "two"}, {"text": "three"}]}]}
    """

  @Test func theSameJSONAgainChangesNothing() throws {
    let fixture = try Fixture(notes)
    let report = try fixture.load(whole)
    #expect(report.problems == [])
    #expect(report.waiting == ["Album 6 cover -> Photo 9", "Person 7 photos -> Photo 4"])
    #expect(
      try fixture.rows("SELECT id, _entity, title, text, poster FROM Note ORDER BY id, text") == [
        "- Note - one -", "- Note - three -", "1 Photo a - 7", "2 Photo b two -", "3 Panorama - - 7",
      ])
    let contents = try fixture.contents()
    let again = try fixture.load(whole)
    #expect(again.problems == [])
    #expect(!again.changesAnything, "\(again.counts)")
    #expect(try fixture.contents() == contents)
    // What the store refers by can be joined by hand.
    #expect(
      try fixture.rows("SELECT a.id, n.id FROM Album a JOIN Note n ON n._id = a.cover ORDER BY a.id") == [
        "5 2", "8 3",
      ])
  }

  @Test func objectsAreUpdatedByIt() throws {
    let fixture = try Fixture(notes)
    try fixture.load(whole)
    let report = try fixture.load(#"[{"id": 2, "title": "c"}, {"id": 2, "text": "new"}]"#, as: "Photo")
    #expect(report.counts == "Photo ~1, 1x")
    #expect(try fixture.rows("SELECT title, text FROM Note WHERE id = 2") == ["c new"])
    let missing = try fixture.load(#"[{"title": "c"}]"#, as: "Photo")
    #expect(missing.problems == ["$[0].id: expected an identity, found nothing; object skipped"])
  }

  @Test func whatWaitsIsLinkedOnceItComes() throws {
    let fixture = try Fixture(notes)
    try fixture.load(whole)
    let report = try fixture.load(#"{"photos": [{"id": 9}, {"id": 4}]}"#)
    #expect(report.problems == [])
    #expect(report.waiting == [])
    #expect(
      try fixture.rows("SELECT a.id, n.id FROM Album a JOIN Note n ON n._id = a.cover ORDER BY a.id") == [
        "5 2", "6 9", "8 3",
      ])
    #expect(try fixture.rows("SELECT id FROM Note WHERE poster = 7 ORDER BY id") == ["1", "3", "4"])
    let stub = try fixture.load(#"{"albums": [{"id": 10, "cover": 11}]}"#) { $0.references = .stub }
    #expect(stub.problems == [])
    #expect(try fixture.rows("SELECT _id, id, _entity FROM Note WHERE id = 11") == ["Photo,11 11 Photo"])
  }

  @Test func exportsReferByIt() throws {
    let fixture = try Fixture(notes)
    try fixture.load(whole)
    #expect(
      try fixture.exported("Album") == [
        #"{"id":5,"cover":2}"#, #"{"id":6,"cover":9}"#, #"{"id":8,"cover":3}"#,
      ])
    #expect(try fixture.exported("Person") == [#"{"id":7,"photos":[1,3,4]}"#])
    let text = try wholeText(fixture)
    let copy = try Fixture(notes)
    let report = try copy.load(text)
    #expect(report.problems == [])
    #expect(try wholeText(copy) == text)
  }

  private func wholeText(_ fixture: Fixture) throws -> String {
    try Exporter(fixture.store, ExportOptions()).wholeText()
  }

  @Test func itIsAskedFor() throws {
    let fixture = try Fixture(notes)
    try fixture.load(whole)
    func albums(_ format: String) throws -> [String] {
      var query = Query("Album")
      query.predicate = try ObjectPredicate(format: format)
      return try fixture.store.read { transaction in
        let projection = try Projection(query, selecting: ["id"], transaction)
        var ids: [String] = []
        while let row = try projection.next() { ids.append("\(row[0])") }
        return ids
      }
    }
    #expect(try albums("cover == 2").count == 1)
    #expect(try albums("cover.id IN {2, 3}").count == 2)
    #expect(try albums("cover != nil").count == 2)
    #expect(try albums("cover.id > 2").count == 1)
    let found = try fixture.store.read { transaction in
      try ["3", "4"].map { try transaction.find("Photo", identity: $0)?.identity }
    }
    #expect(found == [[.integer(3)], nil])
  }

  @Test func prunesAndDeletionsKnowIt() throws {
    let fixture = try Fixture(notes)
    try fixture.load(whole)
    let report = try fixture.load(#"[{"id": 1}, {"id": 2}]"#, as: "Photo") { $0.prunes = true }
    #expect(report.deleted == ["Panorama": 1])
    #expect(try fixture.rows("SELECT id, cover FROM Album ORDER BY id") == ["5 Photo,2", "6 Photo,9", "8 -"])
  }

  @Test(arguments: [true, false])
  func partsWithItKeepTheirPlaceInLists(_ isJoined: Bool) throws {
    let fixture = try Fixture(
      """
      Note
        text: string
        \(isJoined ? "" : "page: Page <- notes")
      Photo : Note
        id: integer64
      Page
        name: string | broker.identity=true
        notes: [Note] \(isJoined ? "" : "<- page") | ordered
      """)
    func list(_ notes: String, merges: Bool = false) throws -> [String] {
      let report = try fixture.load("[{\"name\": \"p\", \"notes\": [\(notes)]}]", as: "Page") {
        if merges { $0.toMany = .merge }
      }
      #expect(report.problems == [])
      let object = try #require(try fixture.exported("Page").first)
      #expect(try fixture.rows("SELECT count(*) FROM Note") == ["\(object.count { $0 == "{" } - 1)"])
      return object.split(separator: "{").dropFirst().map { note in
        let text = note.firstMatch(of: /"text":"(\w+)"/)?.1 ?? "-"
        return "\(note.firstMatch(of: /"id":(\d+)/)?.1 ?? "-") \(text)"
      }
    }
    let (photo, one) = (#"{"type": "photo", "id": 2, "text": "two"}"#, #"{"text": "one"}"#)
    let three = #"{"text": "three"}"#
    #expect(try list("\(one), \(photo), \(three)") == ["- one", "2 two", "- three"])
    #expect(try list("\(photo), \(three)") == ["2 two", "- three"])
    #expect(try list("\(three), \(one), \(photo)") == ["- three", "- one", "2 two"])
    #expect(try list("\(photo), \(one)", merges: true) == ["- three", "- one", "2 two"])
    #expect(try list("\(one), \(three)") == ["- one", "- three"])
    #expect(try list(photo, merges: true) == ["- one", "- three", "2 two"])
  }

  @Test func itCanBeRenamed() throws {
    let fixture = try Fixture(notes)
    try fixture.load(whole)
    let report = try fixture.load(#"{"id": 20, "title": "t"}"#) {
      $0.target = .object(entity: "Photo", identity: "2")
    }
    #expect(report.problems == [])
    #expect(try fixture.rows("SELECT _id, id, title FROM Note WHERE title = 't'") == ["Photo,20 20 t"])
    #expect(try fixture.rows("SELECT cover FROM Album WHERE id = 5") == ["Photo,20"])
    #expect(try fixture.rows("SELECT count(*) FROM Photo_tags WHERE photos = 'Photo,20'") == ["1"])
  }

  @Test func itMayHaveSeveralParts() throws {
    let fixture = try Fixture(
      """
      Thing | abstract
        label: string
      Track : Thing | broker.identity=disc,number
        disc: string
        number: integer64
        plays: [Play] <- track
      Room : Thing
        id: uuid
      Play
        id: integer64
        track: Track <- plays
        place: Thing
      """)
    let json = """
      {"tracks": [{"disc": "a,b", "number": 1, "label": "x"}],
       "plays": [{"id": 1, "track": {"disc": "a,b", "number": 1}}, {"id": 2, "track": "a\\\\,b,2"},
        {"id": 3, "place": {"type": "room", "id": "6BA7B810-9DAD-11D1-80B4-00C04FD430C8", "label": "y"}}]}
      """
    let report = try fixture.load(json)
    #expect(report.problems == [])
    #expect(report.waiting == [#"Play 2 track -> Track a\,b,2"#])
    #expect(try !fixture.load(json).changesAnything)
    #expect(try fixture.rows("SELECT label FROM Thing ORDER BY label") == ["x", "y"])
    let text = try wholeText(fixture)
    let copy = try Fixture(model: fixture.store.layout.schema.model)
    #expect(try copy.load(text).problems == [])
    #expect(try wholeText(copy) == text)
  }
}
