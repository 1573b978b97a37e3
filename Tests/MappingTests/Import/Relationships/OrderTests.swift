import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Ordered relationships keep the order of their lists.
@Suite struct OrderTests {
  private let playlists = """
    Playlist
      id: integer64
      songs: [Song] <- playlists | ordered
      chapters: [Chapter] <- playlist | ordered
      covers: [Song] | ordered
    Song
      id: integer64
      title: string
      playlists: [Playlist] <- songs
    Chapter
      id: integer64
      playlist: Playlist <- chapters
    """

  private func songs(_ fixture: Fixture) throws -> String {
    try fixture.rows("SELECT songs FROM Playlist_songs WHERE playlists = 1 ORDER BY songs_order")
      .joined(separator: " ")
  }

  private func chapters(_ fixture: Fixture) throws -> String {
    try fixture.rows("SELECT id FROM Chapter WHERE playlist = 1 ORDER BY playlist_order").joined(
      separator: " ")
  }

  private func filled() throws -> Fixture {
    let fixture = try Fixture(playlists, entity: "Playlist")
    try fixture.load(
      """
      {"songs": [{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}],
       "chapters": [{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}]}
      """
    ) { $0.entity = nil }
    try fixture.load(#"{"id": 1, "songs": [3, 1, 2], "chapters": [3, 1, 2], "covers": [2, 1]}"#)
    return fixture
  }

  @Test func theOrderIsKept() throws {
    let fixture = try filled()
    #expect(try songs(fixture) == "3 1 2")
    #expect(try chapters(fixture) == "3 1 2")
    #expect(try fixture.rows("SELECT covers FROM Playlist_covers ORDER BY covers_order") == ["2", "1"])
  }

  @Test func mergingAppends() throws {
    let fixture = try filled()
    try fixture.load(#"{"id": 1, "songs": [4], "chapters": [4]}"#) { $0.toMany = .merge }
    try #expect(songs(fixture) == "3 1 2 4")
    try #expect(chapters(fixture) == "3 1 2 4")
  }

  @Test func anObjectTwiceInAListOfLinks() throws {
    let fixture = try filled()
    let json = #"{"id": 1, "songs": [4, 1, 4], "chapters": [4, 1, 4]}"#
    try fixture.load(json)
    let before = try (songs(fixture), chapters(fixture), fixture.writes())
    #expect(before.0.split(separator: " ").sorted() == ["1", "4"])
    try fixture.load(json)
    #expect(try songs(fixture) == before.0)
    #expect(try chapters(fixture) == before.1)
    try #expect(fixture.writes() == before.2)
  }

  @Test func aChildThatNamesItsOwnerHasItsPlace() throws {
    let fixture = try Fixture(playlists)
    let json =
      #"{"playlists": [{"id": 1, "chapters": [6, 5]}], "chapters": [{"id": 5, "playlist": 1}, {"id": 6}]}"#
    try fixture.load(json)
    try #expect(fixture.rows("SELECT id, playlist_order FROM Chapter ORDER BY id") == ["5 1", "6 0"])
  }

  @Test func aChildThatLeavesKeepsNoPlace() throws {
    let fixture = try filled()
    try fixture.load(#"[{"id": 3, "playlist": null}, {"id": 4, "playlist": 1}]"#, as: "Chapter")
    try #expect(fixture.rows("SELECT playlist_order FROM Chapter WHERE playlist IS NULL") == ["-"])
  }
}
