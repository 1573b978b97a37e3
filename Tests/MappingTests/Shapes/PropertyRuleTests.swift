import Mapping
import ObjectModel
import Testing

/// What a mapping says of single properties: what may be done with nested objects, and the keys of exports.
@Suite struct PropertyRuleTests {
  private let model = """
    Track
      id: integer64
      length: double
      album: Album <- tracks
      takes: [Take] <- track
    Album
      id: integer64
      title: string
      tracks: [Track] <- album
    Take
      id: integer64
      note: string
      track: Track <- takes
    """

  private func shape(_ rules: String) throws -> JSONShape {
    try JSONShape(
      model, "Track: {identity: id, \(rules)}\nAlbum: {identity: id}\nTake: {identity: id}", entity: "Track")
  }

  @Test func nestedObjectsAreOnlyInserted() throws {
    let shape = try shape("only: {album: insert}")
    let report = try shape.load(
      """
      [{"id": 1, "album": {"id": 7, "title": "first"}}, {"id": 2, "album": {"id": 7, "title": "second"}},
       {"id": 3, "album": {"id": 8, "title": "x", "tracks": [{"id": 4, "album": {"id": 8, "title": "inner"}}]}}]
      """)
    #expect(report.problems == [])
    #expect(report.inserted == ["Track": 4, "Album": 2])
    #expect(try shape.load(#"[{"id": 1, "album": {"id": 7, "title": "third"}}]"#).excluded == ["Album": 1])
    #expect(try shape.rows("Album", "id, title") == ["7 first", "8 x"])
    #expect(try shape.rows("Track", "id, album") == ["1 7", "2 7", "3 8", "4 8"])
  }

  @Test func whatOtherPlacesSayCounts() throws {
    let shape = try JSONShape(
      model, "Track: {identity: id, only: {album: insert}}\nAlbum: {identity: id}")
    try shape.load(
      """
      {"tracks": [{"id": 1, "album": {"id": 7, "title": "short"}}], "albums": [{"id": 7, "title": "whole"}]}
      """)
    #expect(try shape.rows("Album", "id, title") == ["7 whole"])
    try shape.load(#"{"tracks": [{"id": 1, "album": {"id": 7, "title": "short"}}]}"#)
    #expect(try shape.rows("Album", "id, title") == ["7 whole"])
  }

  @Test func nestedObjectsAreOnlyUpdated() throws {
    let shape = try shape("only: {takes: update}")
    try shape.load(#"[{"id": 1, "takes": [{"id": 1, "note": "n"}]}]"#)
    #expect(try shape.rows("Take") == [])
    try shape.fixture.load(#"[{"id": 1, "note": "there"}]"#, as: "Take")
    let report = try shape.load(#"[{"id": 1, "takes": [{"id": 1, "note": "new"}, {"id": 2, "note": "x"}]}]"#)
    #expect(report.excluded == ["Take": 1])
    #expect(try shape.rows("Take", "id, note, track") == ["1 new 1"])
  }

  @Test func withoutDeletingAListPrunesNothing() throws {
    let shape = try shape("toMany: {takes: prune}, only: {takes: [insert, update]}")
    try shape.load(#"[{"id": 1, "takes": [{"id": 1, "note": "m"}, {"id": 2, "note": "n"}]}]"#)
    let report = try shape.load(#"[{"id": 1, "takes": [1]}]"#)
    #expect(report.deleted.isEmpty)
    #expect(try shape.rows("Take", "id, track") == ["1 1", "2 -"])
  }

  @Test func exportsHaveKeysOfTheirOwn() throws {
    let shape = try shape(
      "keys: {length: [duration, secs]}, exportedKeys: {length: info.seconds, album: record}")
    try shape.load(#"[{"id": 1, "duration": 2.5, "album": 7}, {"id": 2, "secs": 3}, {"id": 3, "length": 4}]"#)
    #expect(try shape.rows("Track", "id, length") == ["1 2.5", "2 3.0", "3 4.0"])
    #expect(
      try shape.fixture.exported("Track") { $0.includesNulls = false }.first
        == #"{"id":1,"info":{"seconds":2.5},"record":7,"takes":[]}"#)
    try shape.expectRoundTrip("Track")
  }

  @Test(arguments: [
    ("only: {album: delte}", "“delte” is not of insert, update and delete"),
    ("only: {length: insert}", "is no relationship"),
    ("only: {albums: insert}", "did you mean “album”?"), ("exportedKeys: {length: \"a[\"}", "is no key"),
    ("keys: {length: x}, exportedKeys: {album: x}", "both claim the key “x”"),
  ])
  func mistakesAreNamed(_ rules: String, _ words: String) {
    let error = #expect(throws: MappingError.self) { try shape(rules) }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }
}
