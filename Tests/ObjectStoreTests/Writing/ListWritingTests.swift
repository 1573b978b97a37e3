import ObjectModel
import ObjectStore
import Testing

/// Lists: links in the rows of their targets, links in join tables, and parts.
@Suite struct ListWritingTests {
  private func albums(_ fixture: WriterFixture) throws -> [String] {
    try fixture.store.rows("SELECT id, band, band_order FROM Album ORDER BY id")
  }

  // MARK: - Links in the targets' rows

  @Test func aListReplacesItsOwnersLinks() throws {
    let fixture = try WriterFixture()
    try fixture.write { rows in
      let band = rows.add("Band", ["name": "Japan"])
      let albums = [1, 2, 3].map { rows.add("Album", in: band, ["id": .integer($0)]) }
      rows.list(band, "albums", albums.map { .row($0) })
    }
    #expect(try albums(fixture) == ["1 Japan 0", "2 Japan 1", "3 Japan 2"])
    let outcome = try fixture.write { rows in
      let band = rows.add("Band", ["name": "Japan"])
      rows.list(band, "albums", [.key(3), .key(1)])
    }
    #expect(try albums(fixture) == ["1 Japan 1", "2 - -", "3 Japan 0"])
    // The band itself is the same; its albums changed through its list.
    #expect(outcome.counts == ["Band +0 ~0 =1", "Album +0 ~3 =0"])
  }

  @Test func listsThatMergeAdd() throws {
    let fixture = try WriterFixture()
    for ids: [Int64] in [[1, 2], [3, 1]] {
      try fixture.write(WritePolicy(toMany: .merge)) { rows in
        let band = rows.add("Band", ["name": "Japan"])
        let albums = ids.map { rows.add("Album", in: band, ["id": .integer($0)]) }
        rows.list(band, "albums", albums.map { .row($0) })
      }
    }
    #expect(try albums(fixture) == ["1 Japan 0", "2 Japan 1", "3 Japan 2"])
  }

  @Test func listsThatPruneDeleteWhatTheyLack() throws {
    let fixture = try WriterFixture()
    try fixture.write { rows in
      for (band, ids) in [("Japan", [1, 2] as [Int64]), ("Bain", [3])] {
        let owner = rows.add("Band", ["name": .text(band)])
        let albums = ids.map { rows.add("Album", in: owner, ["id": .integer($0)]) }
        rows.list(owner, "albums", albums.map { .row($0) })
      }
    }
    // Album 1 goes to another band, so it is not without an owner in the end.
    let outcome = try fixture.write(WritePolicy(toMany: .prune)) { rows in
      rows.list(rows.add("Band", ["name": "Japan"]), "albums", [])
      rows.list(rows.add("Band", ["name": "Bain"]), "albums", [.key(1), .key(3)])
    }
    #expect(try albums(fixture) == ["1 Bain 0", "3 Bain 1"])
    #expect(outcome.deleted == ["Album 2"])
  }

  @Test func theLastOfSeveralOwnersHasAnObject() throws {
    let fixture = try WriterFixture()
    for _ in 0..<2 {
      let outcome = try fixture.write { rows in
        for band in ["Japan", "Bain"] {
          let owner = rows.add("Band", ["name": .text(band)])
          let album = rows.add("Album", in: owner, ["id": 1])
          rows.list(owner, "albums", [.row(album)])
        }
      }
      #expect(outcome.deferred == ["severalOwners(relationship: 0, count: 1)"])
      #expect(try albums(fixture) == ["1 Bain 0"])
    }
  }

  @Test func aChildThatRequiresItsOwnerKeepsIt() throws {
    let fixture = try WriterFixture(
      #"""
      {"entities": [
        {"name": "Band", "attributes": [{"name": "id", "type": "integer64"}], "relationships": [
          {"name": "albums", "destination": "Album", "toMany": true, "inverse": "band"}]},
        {"name": "Album", "attributes": [{"name": "id", "type": "integer64"}], "relationships": [
          {"name": "band", "destination": "Band", "inverse": "albums", "optional": false}]}]}
      """#)
    try fixture.write { rows in
      let band = rows.add("Band", ["id": 1])
      let album = rows.add("Album", in: band, ["id": 7])
      rows.list(band, "albums", [.row(album)])
    }
    let outcome = try fixture.write { rows in
      rows.list(rows.add("Band", ["id": 1]), "albums", [])
      rows.add("Album", ["id": 8])
    }
    #expect(
      outcome.deferred == ["missingLink(relationship: 1)", "needsOwner(relationship: 0, key: \"7\")"])
    #expect(try fixture.store.rows("SELECT id, band FROM Album") == ["7 1"])
  }

  // MARK: - Join tables

  @Test func linksOfJoinTablesAreReplacedAndOrdered() throws {
    let fixture = try WriterFixture()
    try fixture.write { rows in
      let band = rows.add("Band", ["name": "Japan"])
      let tags = ["art", "pop"].map { rows.add("Tag", in: band, ["label": .text($0)]) }
      rows.list(band, "tags", tags.map { .row($0) })
    }
    let outcome = try fixture.write { rows in
      let band = rows.add("Band", ["name": "Japan"])
      rows.add("Tag", in: band, ["label": "synth"])
      rows.list(band, "tags", [.row(band + 1), .key("pop")])
    }
    #expect(outcome.counts == ["Band +0 ~1 =0", "Tag +1 ~0 =0"])
    #expect(
      try fixture.store.rows("SELECT bands, tags, tags_order FROM Band_tags ORDER BY 3") == [
        "Japan synth 0", "Japan pop 1",
      ])
    // The tags themselves stay.
    #expect(try fixture.store.rows("SELECT count(*) FROM Tag") == ["3"])
  }

  @Test func aLinkOfARelationshipToItselfGoesBothWays() throws {
    let fixture = try WriterFixture()
    try fixture.write { rows in
      rows.list(rows.add("Band", ["name": "Japan"]), "friends", [.key("Bain")])
      rows.add("Band", ["name": "Bain"])
    }
    let links = "SELECT count(*) FROM Band_friends"
    #expect(try fixture.store.rows(links) == ["2"])
    try fixture.write { $0.list($0.add("Band", ["name": "Bain"]), "friends", []) }
    #expect(try fixture.store.rows(links) == ["0"])
  }

  // MARK: - Parts

  private func write(_ notes: [String], isIncomplete: Bool = false, in fixture: WriterFixture) throws {
    try fixture.write { rows in
      let band = rows.add("Band", ["name": "Japan"])
      let parts = notes.map { rows.add("Note", in: band, ["text": .text($0)]) }
      rows.list(band, "notes", parts.map { .row($0) }, isIncomplete: isIncomplete)
    }
  }

  @Test func partsAreWrittenOverThoseThatAreThere() throws {
    let fixture = try WriterFixture()
    let notes = "SELECT _id, text, band FROM Note ORDER BY _id"
    try write(["a", "b", "c"], in: fixture)
    try write(["a", "x"], in: fixture)
    #expect(try fixture.store.rows(notes) == ["1 a Japan", "2 x Japan"])
    // Of a list that could not be read whole, nothing is missing for certain.
    try write(["y"], isIncomplete: true, in: fixture)
    #expect(try fixture.store.rows(notes) == ["1 y Japan", "2 x Japan"])
    try write([], in: fixture)
    #expect(try fixture.store.rows(notes) == [])
  }
}
