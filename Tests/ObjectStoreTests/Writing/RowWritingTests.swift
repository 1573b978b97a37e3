import ObjectModel
import ObjectStore
import Testing

/// Rows by themselves: inserted, updated, left alone.
@Suite struct RowWritingTests {
  @Test func newRowsAreInsertedWithTheirDefaults() throws {
    let fixture = try WriterFixture()
    let outcome = try fixture.write { rows in
      rows.add("Band", ["name": "Japan", "formed": 1974])
      rows.add("Band", ["name": "Rain Tree Crow", "genre": "art rock"])
    }
    #expect(outcome.counts == ["Band +2 ~0 =0"])
    #expect(
      try fixture.store.rows("SELECT name, formed, genre FROM Band ORDER BY name") == [
        "Japan 1974 pop", "Rain Tree Crow - art rock",
      ])
  }

  @Test func onlyWhatDiffersIsWritten() throws {
    let fixture = try WriterFixture()
    try fixture.write { rows in
      for name in ["Japan", "Dalis Car", "Bain"] { rows.add("Band", ["name": .text(name), "formed": 1974]) }
    }
    let outcome = try fixture.write { rows in
      rows.add("Band", ["name": "Japan", "formed": 1974])
      rows.add("Band", ["name": "Dalis Car", "formed": 1984])
      // What is absent stays, and null clears.
      rows.add("Band", ["name": "Bain", "genre": nil])
    }
    #expect(outcome.counts == ["Band +0 ~2 =1"])
    #expect(
      try fixture.store.rows("SELECT name, formed, genre FROM Band ORDER BY rowid") == [
        "Japan 1974 pop", "Dalis Car 1984 pop", "Bain 1974 -",
      ])
  }

  @Test func oneObjectInSeveralRowsIsCountedOnce() throws {
    let fixture = try WriterFixture()
    let outcome = try fixture.write { rows in
      rows.add("Band", ["name": "Japan", "formed": 1970])
      rows.add("Band", ["name": "Japan", "formed": 1974])
    }
    #expect(outcome.counts == ["Band +1 ~0 =0"])
    #expect(outcome.duplicates == 1)
    #expect(try fixture.store.rows("SELECT formed FROM Band") == ["1974"])
  }

  @Test func anObjectThatItsOwnRecordNestsIsOneRow() throws {
    let fixture = try WriterFixture()
    let outcome = try fixture.write { rows in
      let band = rows.add("Band", ["name": "Japan", "formed": 1970])
      let album = rows.add("Album", in: band, ["id": 1])
      let again = rows.add("Band", in: album, ["name": "Japan", "formed": 1974])
      rows.link(album, "band", to: .row(again))
      rows.list(band, "albums", [.row(album)])
    }
    #expect(outcome.counts == ["Band +1 ~0 =0", "Album +1 ~0 =0"])
    #expect(try fixture.store.rows("SELECT formed FROM Band") == ["1974"])
    #expect(try fixture.store.rows("SELECT id, band FROM Album") == ["1 Japan"])
  }

  @Test func aRowThatLacksWhatItsEntityRequiresIsSkipped() throws {
    let fixture = try WriterFixture(
      #"""
      {"entities": [{"name": "Band", "attributes": [
        {"name": "name", "type": "string", "userInfo": {"broker.identity": "true"}},
        {"name": "formed", "type": "integer16", "optional": false}]}]}
      """#)
    let outcome = try fixture.write { rows in
      rows.add("Band", ["name": "Japan"])
      rows.add("Band", ["name": "Bain", "formed": 1984])
    }
    #expect(outcome.counts == ["Band +1 ~0 =0 skipped 1"])
    #expect(outcome.problems == ["0: missing(attribute: 1)"])
    // One that is there keeps its value.
    #expect(try fixture.write { $0.add("Band", ["name": "Bain"]) }.counts == ["Band +0 ~0 =1"])
  }

  @Test func uniqueValuesCanBeSwapped() throws {
    let fixture = try WriterFixture(
      #"""
      {"entities": [{"name": "Seat", "unique": ["guest"], "attributes": [
        {"name": "id", "type": "integer64", "userInfo": {"broker.identity": "true"}},
        {"name": "guest", "type": "string", "optional": true}]}]}
      """#)
    try fixture.write { rows in
      rows.add("Seat", ["id": 1, "guest": "Mick"])
      rows.add("Seat", ["id": 2, "guest": "Steve"])
    }
    let swap = try fixture.write { rows in
      rows.add("Seat", ["id": 1, "guest": "Steve"])
      rows.add("Seat", ["id": 2, "guest": "Mick"])
    }
    #expect(swap.problems.isEmpty && swap.deferred.isEmpty)
    #expect(try fixture.store.rows("SELECT guest FROM Seat ORDER BY id") == ["Steve", "Mick"])
    let taken = try fixture.write { $0.add("Seat", ["id": 3, "guest": "Mick"]) }
    #expect(taken.deferred == ["notUnique(\"Seat.guest\")"])
    #expect(try fixture.store.rows("SELECT id FROM Seat ORDER BY id") == ["1", "2"])
  }

  @Test func whatMayNotBeWrittenIsHeldBackButNotWhatItNests() throws {
    let fixture = try WriterFixture()
    try fixture.write { $0.add("Band", ["name": "Japan", "formed": 1974]) }
    let outcome = try fixture.write(WritePolicy(operations: [.insert])) { rows in
      let band = rows.add("Band", ["name": "Japan", "formed": 1980])
      let album = rows.add("Album", in: band, ["id": 1])
      rows.list(band, "albums", [.row(album)])
    }
    #expect(outcome.counts == ["Band +0 ~0 =0 excluded 1", "Album +1 ~0 =0"])
    #expect(try fixture.store.rows("SELECT formed FROM Band") == ["1974"])
  }

  @Test func theDepthOfARecordCostsNoStack() throws {
    let fixture = try WriterFixture()
    // Each band is the rival of the one that nests it, and each nests the next.
    let depth = 20_000
    let outcome = try fixture.write { rows in
      var parent = rows.add("Band", ["name": "0"])
      for index in 1..<depth {
        let album = rows.add("Album", in: parent, ["id": .integer(Int64(index))])
        let band = rows.add("Band", in: album, ["name": .text("\(index)")])
        rows.link(album, "band", to: .row(band))
        rows.list(parent, "albums", [.row(album)])
        parent = band
      }
    }
    #expect(outcome.counts == ["Band +\(depth) ~0 =0", "Album +\(depth - 1) ~0 =0"])
  }
}
