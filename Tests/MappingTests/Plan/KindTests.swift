import JSONStream
import Mapping
import ObjectModel
import Testing

/// Which sub-entity an object is of, and what tells it.
@Suite struct KindTests {
  private static let media = """
    Media | abstract
      id: integer64
      title: string
    Photo : Media
      width: integer32
      tags: [Tag] <- photos
    Video : Media
      seconds: double
      codec: string! | default=h264
      parts: [Part]
    LivePhoto : Photo
      frames: integer16
    Part
      text: string
    Tag
      id: string
      photos: [Photo] <- tags
    Post
      id: integer64
      cover: Media
      items: [Media] | ordered
    """

  private func fixture(_ discriminator: Discriminator? = nil, media: String = media) throws -> Fixture {
    var mapping = JSONMapping()
    mapping["Media"].discriminator = discriminator
    mapping.functions.discriminators["byShape"] = { object in
      if object["seconds"] != nil { return "Video" }
      return object["width"] == nil ? (object["shape"]?.stringValue) : "Photo"
    }
    return try Fixture(media, mapping: mapping)
  }

  private func kinds(_ fixture: Fixture) throws -> [String] {
    try fixture.rows("SELECT id, _entity FROM Media ORDER BY id")
  }

  @Test(arguments: [
    (#""type": "photo""#, "Photo"), (#""type": "LIVE_PHOTO""#, "LivePhoto"),
    (#""kind": "live-photo""#, "LivePhoto"),
    (#""__typename": "Video""#, "Video"), (#""@type": "video""#, "Video"), (#""class": "Video""#, "Video"),
  ])
  func conventionsTellIt(_ member: String, _ kind: String) throws {
    let fixture = try fixture()
    let report = try fixture.load(#"[{"id": 1, \#(member), "title": "x"}]"#, as: "Media")
    #expect(report.problems == [])
    #expect(try kinds(fixture) == ["1 \(kind)"])
  }

  @Test func wrappersTellItWithoutAWord() throws {
    let fixture = try fixture()
    let report = try fixture.load(
      #"[{"photo": {"id": 1, "width": 3}}, {"live_photo": {"id": 2, "frames": "nine"}}]"#, as: "Media")
    #expect(
      report.problems == [
        "$[1].live_photo.frames: expected a whole number from -32768 to 32767, found \"nine\"; value left out"
      ])
    #expect(try kinds(fixture) == ["1 Photo", "2 LivePhoto"])
    #expect(try fixture.rows("SELECT width FROM Media ORDER BY id") == ["3", "-"])
  }

  @Test func anAbstractEntityNeedsAKind() throws {
    let fixture = try fixture()
    let report = try fixture.load(#"[{"id": 1, "title": "x"}, {"id": 2, "type": "gif"}]"#, as: "Media")
    #expect(report.counts == "Media !2")
    #expect(report.places == ["$[0]", "$[1]"])
  }

  @Test func aKeyPathTellsItByValueOrByName() throws {
    let fixture = try fixture(.key("meta.kind", values: ["img": "Photo", "mov": "Video", "7": "LivePhoto"]))
    let report = try fixture.load(
      """
      [{"id": 1, "meta": {"size": 3, "kind": "img"}, "width": 2}, {"id": 2, "meta": {"kind": "video"}},
       {"id": 3, "meta": {"kind": 7}}, {"id": 4, "meta": {"kind": "gif"}}, {"id": 5, "meta": {}}, {"id": 6}]
      """, as: "Media")
    #expect(try kinds(fixture) == ["1 Photo", "2 Video", "3 LivePhoto"])
    #expect(
      report.problems == [
        "$[3].meta.kind: expected a kind of object: Photo, Video, LivePhoto, found \"gif\"; object skipped",
        "$[4]: expected an object of a sub-entity of Media, found an object that does not say which; object skipped",
        "$[5]: expected an object of a sub-entity of Media, found an object that does not say which; object skipped",
      ])
    #expect(report.issues.map(\.identity) == ["4", "5", "6"])
  }

  @Test func wrappersCanHaveOtherNames() throws {
    let fixture = try fixture(.wrapper(["img": "Photo"]))
    let report = try fixture.load(
      #"[{"img": {"id": 1, "width": 3}}, {"video": {"id": 2}}, {"gif": {"id": 3}}, {"id": 4}]"#, as: "Media")
    #expect(try kinds(fixture) == ["1 Photo", "2 Video"])
    #expect(report.issues.map(\.found) == ["\"gif\"", "an object without such a key"])
  }

  @Test func aFunctionTellsIt() throws {
    let fixture = try fixture(.function("byShape"))
    let report = try fixture.load(
      #"[{"id": 1, "width": 3}, {"id": 2, "seconds": 2.5}, {"id": 3, "shape": "blob"}, {"id": 4}]"#,
      as: "Media")
    #expect(try kinds(fixture) == ["1 Photo", "2 Video"])
    #expect(report.issues.map(\.found) == ["\"blob\"", "an object that does not say which"])
  }

  @Test func relationshipsHoldAllKinds() throws {
    let fixture = try fixture()
    try fixture.load(
      """
      {"posts": [{"id": 1, "cover": {"type": "photo", "id": 9, "width": 1},
        "items": [{"video": {"id": 8, "parts": [{"text": "a"}]}}, 9, {"type": "photo", "id": 7, "tags": ["x"]}]}]}
      """)
    #expect(try kinds(fixture) == ["7 Photo", "8 Video", "9 Photo"])
    #expect(try fixture.rows("SELECT items FROM Post_items ORDER BY items_order") == ["8", "9", "7"])
    #expect(try fixture.rows("SELECT cover FROM Post") == ["9"])
  }

  @Test func dictionariesHoldAllKinds() throws {
    let fixture = try fixture()
    try fixture.load(
      #"{"media": {"1": {"type": "photo", "title": "p"}, "2": {"title": "v", "type": "video"}}}"#)
    #expect(try kinds(fixture) == ["1 Photo", "2 Video"])
  }

  @Test func anObjectThatTurnsIntoAnotherKindIsTheSameObject() throws {
    let fixture = try fixture()
    try fixture.load(
      #"{"posts": {"id": 1, "cover": 1, "items": [1]}, "media": [{"type": "photo", "id": 1, "title": "t", "width": 3, "tags": ["x"]}]}"#
    )
    let report = try fixture.load(
      #"[{"type": "video", "id": 1, "seconds": 1, "parts": [{"text": "a"}]}]"#, as: "Media")
    #expect(report.counts == "Part +1, Video ~1")
    #expect(
      try fixture.rows("SELECT id, _entity, title, width, seconds, codec FROM Media") == [
        "1 Video t - 1.0 h264"
      ])
    #expect(try fixture.rows("SELECT * FROM Photo_tags") == [])
    #expect(try fixture.rows("SELECT cover FROM Post") == ["1"])
    try fixture.load(#"[{"type": "live_photo", "id": 1, "frames": 2}]"#, as: "Media")
    #expect(
      try fixture.rows("SELECT _entity, title, seconds, codec, frames FROM Media") == ["LivePhoto t - - 2"])
    #expect(try fixture.rows("SELECT * FROM Part") == [])
    #expect(
      try fixture.load(#"[{"type": "live_photo", "id": 1, "frames": 2}]"#, as: "Media").counts
        == "LivePhoto =1")
  }

  @Test func whoDoesNotTellStaysWhatItIs() throws {
    let fixture = try fixture(media: Self.media.replacing("Media | abstract", with: "Media"))
    try fixture.load(#"[{"type": "photo", "id": 1}, {"id": 2, "title": "plain"}]"#, as: "Media")
    try fixture.load(#"[{"id": 1, "title": "new"}]"#, as: "Media")
    #expect(try kinds(fixture) == ["1 Photo", "2 Media"])
    #expect(try fixture.rows("SELECT title FROM Media ORDER BY id") == ["new", "plain"])
  }

  @Test func aDiscriminatorCanBeAnAttributeToo() throws {
    let fixture = try Fixture(
      "Pet\n  id: integer64\n  type: string\nCat : Pet\n  lives: integer16\nDog : Pet\n  breed: string")
    try fixture.load(#"[{"id": 1, "type": "cat", "lives": 9}, {"id": 2, "type": "fish"}]"#, as: "Pet")
    #expect(try fixture.rows("SELECT id, _entity, type, lives FROM Pet") == ["1 Cat cat 9", "2 Pet fish -"])
  }

  @Test func annotationsTellItToo() throws {
    let fixture = try Fixture(
      """
      Pet | broker.discriminator=species
        id: integer64
      Cat : Pet | broker.kind=felis, C
      Dog : Pet
      """)
    try fixture.load(
      #"[{"id": 1, "species": "felis"}, {"id": 2, "species": "C"}, {"id": 3, "species": "dog"}]"#, as: "Pet")
    #expect(try fixture.rows("SELECT id, _entity FROM Pet") == ["1 Cat", "2 Cat", "3 Dog"])
  }

  @Test func aValueThatStandsForTwoIsRefused() throws {
    let fixture = try Fixture(
      "Pet\n  id: integer64\nCat : Pet | broker.kind=x\nDog : Pet | broker.kind=x", entity: "Pet")
    #expect(throws: PlanError.self) { try fixture.load("[]") }
  }
}
