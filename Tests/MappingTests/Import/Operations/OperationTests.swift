import Mapping
import ObjectModel
import ObjectStore
import Testing

private let bands = """
  Band
    id: integer64
    name: string
    updated: date
    albums: [Album] <- band | ordered
    tags: [Tag] <- bands
    notes: [Note]
    home: Place
  Album
    id: integer64
    title: string
    band: Band <- albums
  Tag
    id: integer64
    bands: [Band] <- tags
  Note
    text: string
  Place
    name: string
  """

/// Inserting, updating and deleting, each alone.
@Suite struct OperationTests {
  private func fixture() throws -> Fixture {
    let fixture = try Fixture(bands, entity: "Band")
    try fixture.load(
      """
      {"bands": [{"id": 1, "name": "Japan", "albums": [1, 2], "tags": [1], "notes": [{"text": "a"}, {"text": "b"}],
        "home": {"name": "London"}}],
       "albums": [{"id": 1, "title": "one"}, {"id": 2, "title": "two"}, {"id": 3, "title": "three"}],
       "tags": [{"id": 1}, {"id": 2}]}
      """)
    return fixture
  }

  @Test func nothingButInsertions() throws {
    let fixture = try fixture()
    let before = try fixture.rows("SELECT * FROM Band") + fixture.rows("SELECT * FROM Band_tags")
    let report = try fixture.load(
      """
      [{"id": 1, "name": "new", "tags": [2], "notes": [], "home": null, "albums": [{"id": 1, "title": "1"}, {"id": 9, "title": "9"}]},
       {"id": 2, "name": "XTC", "albums": [3, {"id": 2, "title": "2"}, {"id": 8, "title": "8"}], "tags": [1]}]
      """
    ) { $0.operations = .insert }
    #expect(
      try fixture.rows("SELECT * FROM Band WHERE id = 1")
        + fixture.rows("SELECT * FROM Band_tags WHERE bands = 1") == before)
    #expect(
      try fixture.rows("SELECT id, title, band FROM Album ORDER BY id") == [
        "1 one 1", "2 two 1", "3 three -", "8 8 2", "9 9 -",
      ])
    #expect(try fixture.rows("SELECT text FROM Note") == ["a", "b"])
    #expect(report.inserted == ["Band": 1, "Album": 2])
    #expect(report.updated == [:])
    #expect(report.excluded == ["Band": 1, "Album": 2])
    #expect(report.skipped == [:] && report.issues.isEmpty)
  }

  @Test func nothingButUpdates() throws {
    let fixture = try fixture()
    let report = try fixture.load(
      #"[{"id": 1, "name": "new", "albums": [{"id": 1, "title": "1"}, {"id": 9, "title": "9"}]}, {"id": 2, "albums": [{"id": 3, "title": "3"}]}]"#
    ) { $0.operations = .update }
    #expect(try fixture.rows("SELECT id, name FROM Band") == ["1 new"])
    #expect(
      try fixture.rows("SELECT id, title, band FROM Album ORDER BY id") == ["1 1 1", "2 two -", "3 3 -"])
    #expect(report.inserted == [:] && report.issues.isEmpty)
    #expect(report.excluded == ["Band": 1, "Album": 1])
    #expect(report.waiting == ["Band 1 albums -> Album 9"])
  }

  @Test func withoutDeletionsPartsStay() throws {
    let fixture = try fixture()
    let report = try fixture.load(#"[{"id": 1, "notes": [{"text": "c"}], "home": null}]"#) {
      $0.operations = [.insert, .update]
    }
    #expect(try fixture.rows("SELECT text FROM Note ORDER BY text") == ["b", "c"])
    #expect(try fixture.rows("SELECT p.name FROM Band JOIN Place p ON home = p._id") == ["London"])
    #expect(report.deleted == [:])
    _ = try fixture.load(#"[{"id": 1, "albums": []}]"#) {
      $0.operations = [.insert, .update]
      $0.toMany = .prune
    }
    #expect(try fixture.rows("SELECT id, band FROM Album ORDER BY id") == ["1 -", "2 -", "3 -"])
  }

  @Test func allAgainIsTheSame() throws {
    let fixture = try fixture()
    let before = try fixture.contents()
    for operations in [Operations.insert, .update, .delete, []] {
      _ = try fixture.load(#"[{"id": 1, "name": "Japan", "tags": [1]}]"#) { $0.operations = operations }
      #expect(try fixture.contents() == before)
    }
  }
}

/// Older JSON does not overwrite newer.
@Suite struct VersionTests {
  private func fixture(_ version: String = "updated", _ notation: String = bands) throws -> Fixture {
    var mapping = JSONMapping()
    mapping["Band"].version = version
    return try Fixture(notation, entity: "Band", mapping: mapping)
  }

  @Test func olderIsNotWrittenNewerIs() throws {
    let fixture = try fixture()
    try fixture.load(#"[{"id": 1, "name": "b", "updated": "2020-02-01"}]"#)
    let older = try fixture.load(
      #"[{"id": 1, "name": "a", "updated": "2020-01-01", "tags": [1], "notes": [{"text": "x"}]}]"#)
    #expect(
      older.outdated == ["Band": 1] && older.counts == "" && older.issues.isEmpty && older.pending.isEmpty)
    #expect(try fixture.rows("SELECT name, updated FROM Band") == ["b 2020-02-01 00:00:00"])
    #expect(try fixture.rows("SELECT count(*) FROM Note") == ["0"])
    #expect(try fixture.load(#"[{"id": 1, "name": "c", "updated": "2020-02-01"}]"#).counts == "Band ~1")
    #expect(try fixture.load(#"[{"id": 1, "name": "d"}]"#).counts == "Band ~1")
    #expect(try fixture.load(#"[{"id": 1, "name": "e", "updated": "2020-03-01"}]"#).counts == "Band ~1")
    #expect(try fixture.rows("SELECT name FROM Band") == ["e"])
  }

  @Test func itsChildrenAreLookedAt() throws {
    let fixture = try fixture()
    try fixture.load(
      #"[{"id": 1, "updated": 20, "albums": [{"id": 1, "title": "t"}, {"id": 2, "title": "t"}]}]"#)
    let report = try fixture.load(
      #"[{"id": 1, "updated": 10, "albums": [{"id": 1, "title": "one"}, {"id": 3, "title": "t"}]}]"#)
    #expect(report.counts == "Album +1 ~1")
    #expect(
      try fixture.rows("SELECT id, title, band FROM Album ORDER BY id") == ["1 one 1", "2 t 1", "3 t -"])
  }

  @Test func anOldChildIsLinkedAsItsOwnerSays() throws {
    let fixture = try fixture(
      "updated",
      "Shelf\n  id: integer64\n  bands: [Band] <- shelf\n"
        + bands.replacing("  home: Place", with: "  home: Place\n  shelf: Shelf <- bands"))
    try fixture.load(#"[{"id": 1, "name": "new", "updated": 20}]"#)
    try fixture.load(#"[{"id": 1, "bands": [{"id": 1, "name": "old", "updated": 10}]}]"#, as: "Shelf")
    #expect(try fixture.rows("SELECT name, shelf FROM Band") == ["new 1"])
  }

  @Test(arguments: [("integer64", "10", "9"), ("double", "1.5", "1.25"), ("string", "\"b\"", "\"a\"")])
  func anyOrderedTypeWillDo(_ type: String, _ new: String, _ old: String) throws {
    let fixture = try fixture("v", "Band\n  id: integer64\n  name: string\n  v: \(type)")
    try fixture.load(#"[{"id": 1, "name": "new", "v": \#(new)}]"#)
    #expect(try fixture.load(#"[{"id": 1, "name": "old", "v": \#(old)}]"#).outdated == ["Band": 1])
    #expect(try fixture.rows("SELECT name FROM Band") == ["new"])
  }

  @Test func withinOneDocumentToo() throws {
    let fixture = try fixture()
    let report = try fixture.load(
      #"[{"id": 1, "name": "new", "updated": 20}, {"id": 1, "name": "old", "updated": 10}]"#)
    #expect(report.counts == "Band +1, 1x")
    #expect(try fixture.rows("SELECT name FROM Band") == ["new"])
  }
}
