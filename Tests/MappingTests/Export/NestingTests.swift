import Mapping
import Testing

/// Which objects are nested, and where nesting ends.
@Suite struct NestingTests {
  private let bands = """
    Band
      id: integer64
      albums: [Album] <- band
      members: [Person]
      label: Label
      rival: Band
    Record | abstract
      id: integer64
      title: string
    Album : Record
      band: Band <- albums
      tracks: [Track] | ordered
    Live : Album
      venue: Venue
    Person
      id: integer64
      name: string
      bestFriend: Person | broker.key=links.friend
      secret: Band | broker.exported=false
    Label
      id: integer64
      owner: Person
    Track
      id: integer64
      length: double
    Venue
      id: integer64
      city: string
    """

  private func store() throws -> Fixture {
    let fixture = try Fixture(bands)
    try fixture.load(
      """
      {"bands": [{"id": 1, "members": [1], "label": 5, "rival": 2}, {"id": 2, "rival": 1}],
       "albums": [{"id": 10, "title": "Red", "band": 1, "tracks": [21, 20]}],
       "lives": [{"id": 11, "title": "Live", "band": 1, "venue": 30}],
       "people": [{"id": 1, "name": "Ann", "links": {"friend": 2}}, {"id": 2, "name": "Bo"}],
       "labels": [{"id": 5, "owner": 2}], "tracks": [{"id": 20, "length": 1.5}, {"id": 21}],
       "venues": [{"id": 30, "city": "Rome"}]}
      """)
    return fixture
  }

  private func exported(
    _ entity: String = "Band", nested: [String],
    _ relationships: ExportOptions.Relationships = .none
  ) throws -> String? {
    try store().exported(entity) {
      $0.nested = nested
      $0.relationships = relationships
      $0.includesNulls = false
    }.first
  }

  @Test(
    arguments: [
      ([], #"{"id":1}"#),
      (["label"], #"{"id":1,"label":{"id":5}}"#),
      (
        ["label.owner", "members"],
        #"{"id":1,"members":[{"id":1,"name":"Ann"}],"label":{"id":5,"owner":{"id":2,"name":"Bo"}}}"#
      ),
      (["albums"], #"{"id":1,"albums":[{"id":10,"title":"Red"},{"type":"Live","id":11,"title":"Live"}]}"#),
      (
        ["albums.tracks"],
        #"{"id":1,"albums":[{"id":10,"title":"Red","tracks":[{"id":21},{"id":20,"length":1.5}]},"#
          + #"{"type":"Live","id":11,"title":"Live","tracks":[]}]}"#
      ),
      // A relationship that only a sub-entity has.
      (
        ["albums.venue"],
        #"{"id":1,"albums":[{"id":10,"title":"Red"},{"type":"Live","id":11,"title":"Live","venue":{"id":30,"city":"Rome"}}]}"#
      ),
      // A name in another style, and a key path of the model.
      (
        ["members.best_friend"],
        #"{"id":1,"members":[{"id":1,"name":"Ann","links":{"friend":{"id":2,"name":"Bo"}}}]}"#
      ),
      // The way back says nothing new, and no object is written inside itself.
      (
        ["albums.band", "rival.rival"],
        #"{"id":1,"albums":[{"id":10,"title":"Red"},{"type":"Live","id":11,"title":"Live"}],"rival":{"id":2,"rival":1}}"#
      ),
    ] as [([String], String)])
  func whatIsNamedIsNested(_ nested: [String], _ expected: String) throws {
    #expect(try exported(nested: nested) == expected)
  }

  @Test(arguments: [
    (
      ExportOptions.Relationships.keys,
      #"{"id":1,"albums":[10,11],"members":[1],"label":{"id":5,"owner":2},"rival":2}"#
    ),
    // Beyond the depth, what is named still is.
    (
      .nested(depth: 0),
      #"{"id":1,"albums":[10,11],"members":[1],"label":{"id":5,"owner":2},"rival":2}"#
    ),
  ])
  func theRestIsAsRelationshipsSay(_ relationships: ExportOptions.Relationships, _ expected: String) throws {
    #expect(try exported(nested: ["label"], relationships) == expected)
  }

  @Test func namesGoBeyondTheDepth() throws {
    let line = try exported("Album", nested: ["band.label.owner"], .nested(depth: 1))
    #expect(
      line?.contains(#""label":{"id":5,"owner":{"id":2,"name":"Bo","links":{}}}"#) == true, "\(line ?? "")")
    #expect(line?.contains(#""rival":2"#) == true)
  }

  @Test(arguments: [
    ("albms", "Band has no relationship albms. Did you mean albums?"),
    ("albums.trackz", "Album has no relationship trackz, as in albums.trackz. Did you mean tracks?"),
    (
      "albums.title",
      "Album.title is an attribute, so nothing can be nested there, as in albums.title. It has band, tracks, venue."
    ),
    ("label.", "Label has no relationship without a name, as in label.. It has owner."),
    ("albums.tracks.x", "Track has no relationship x, as in albums.tracks.x. It has none."),
    ("members.secret", "Person.secret cannot be nested, since the model says that it is not exported."),
  ])
  func whatIsNoRelationshipIsAnError(_ name: String, _ message: String) throws {
    let error = #expect(throws: ExportError.self) { try exported(nested: [name]) }
    #expect(error?.description == message)
  }

  // MARK: - Rails

  private func rails(_ adjust: (inout ExportOptions) -> Void) throws -> String? {
    try store().exported("Band") {
      $0.relationshipKeys = .rails
      $0.keys = .snake
      adjust(&$0)
    }.first
  }

  @Test func railsHasIdentitiesUnderIDs() throws {
    #expect(try rails { _ in } == #"{"id":1,"album_ids":[10,11],"member_ids":[1],"label_id":5,"rival_id":2}"#)
  }

  @Test func railsHasNestedObjectsUnderAttributes() throws {
    let line = try rails {
      $0.nested = ["label", "albums", "rival"]
      $0.includesNulls = false
    }
    #expect(
      line == #"{"id":1,"albums_attributes":[{"id":10,"title":"Red","track_ids":[21,20]},"#
        + #"{"type":"Live","id":11,"title":"Live","track_ids":[],"venue_id":30}],"member_ids":[1],"#
        + #""label_attributes":{"id":5,"owner_id":2},"rival_attributes":{"id":2,"album_ids":[],"#
        + #""member_ids":[],"rival_id":1}}"#)
  }

  @Test(arguments: [
    ("categories", "category_ids"), ("boxes", "box_ids"), ("people", "person_ids"), ("news", "new_ids"),
    ("bosses", "boss_ids"), ("listOfMen", "list_of_man_ids"),
  ])
  func railsHasIDsInTheSingular(_ name: String, _ key: String) throws {
    let fixture = try Fixture("Band\n  id: integer64\n  \(name): [Band]")
    try fixture.load(#"{"id": 1, "\#(name)": [1]}"#)
    let lines = try fixture.exported("Band") {
      $0.relationshipKeys = .rails
      $0.keys = .snake
    }
    #expect(lines == [#"{"id":1,"\#(key)":[1]}"#])
    #expect(try fixture.load(lines[0]).unmatchedKeys == [:])
  }

  @Test func railsDeletesByDestroy() throws {
    let fixture = try Fixture("Band\n  id: integer64\n  destroy: boolean\n  albums: [Band]")
    try fixture.load(#"{"id": 1, "destroy": true}"#)
    let lines = try fixture.exported("Band") { $0.relationshipKeys = .rails }
    #expect(lines == [#"{"id":1,"_destroy":true,"albumIds":[]}"#])
    #expect(try fixture.load(lines[0]).unmatchedKeys == [:])
    #expect(try fixture.exported("Band") { _ in } == [#"{"id":1,"destroy":true,"albums":[]}"#])
  }

  /// An attribute that mirrors the key of a relationship comes first.
  @Test func anAttributeKeepsItsKey() throws {
    let fixture = try Fixture("Band\n  id: integer64\n  rivalID: integer64\n  rival: Band")
    try fixture.load(#"{"id": 1, "rivalID": 7, "rival": {"id": 1}}"#)
    let lines = try fixture.exported("Band") {
      $0.relationshipKeys = .rails
      $0.keys = .snake
    }
    #expect(lines == [#"{"id":1,"rival_id":7}"#])
  }

  /// A list may be an object whose keys are places, as Rails' form helpers have it, if its objects have identities.
  @Test func attributesAreImportedAgain() throws {
    let fixture = try store()
    let report = try fixture.load(
      #"{"id": 1, "label_attributes": {"id": 6}, "albumsAttributes": {"0": {"id": 12, "title": "New"}}}"#,
      as: "Band")
    #expect(report.unmatchedKeys == [:])
    #expect(try fixture.rows("SELECT label FROM Band WHERE id = 1") == ["6"])
    #expect(try fixture.rows("SELECT id, title FROM Record WHERE band = 1") == ["12 New"])
  }
}
