import ObjectModel
import ObjectStore
import Testing

/// Links to one object, and to objects that are not there.
@Suite struct LinkWritingTests {
  // MARK: - One to one

  @Test func aTargetBelongsToOneObjectOnly() throws {
    let fixture = try WriterFixture()
    // Whichever end keeps the link.
    let managers = """
      SELECT b.name, m.id FROM Band b JOIN Manager m ON b.manager = m.id ORDER BY 1
      """
    try fixture.write { rows in
      rows.add("Manager", ["id": 1])
      rows.link(rows.add("Band", ["name": "Japan"]), "manager", to: .key(1))
    }
    #expect(try fixture.store.rows(managers) == ["Japan 1"])
    let outcome = try fixture.write { rows in
      rows.link(rows.add("Band", ["name": "Bain"]), "manager", to: .key(1))
    }
    #expect(try fixture.store.rows(managers) == ["Bain 1"])
    #expect(outcome.counts == ["Band +1 ~1 =0"])
  }

  @Test func theFarEndTakesTheTargetAsWell() throws {
    let fixture = try WriterFixture()
    try fixture.write { rows in
      rows.link(rows.add("Band", ["name": "Japan"]), "manager", to: .key(1))
      rows.add("Manager", ["id": 1])
      rows.add("Band", ["name": "Bain"])
    }
    try fixture.write { rows in
      rows.list(rows.add("Manager", ["id": 1]), "band", [.key("Bain")])
    }
    #expect(try fixture.store.rows("SELECT name, manager FROM Band ORDER BY 1") == ["Bain 1", "Japan -"])
  }

  @Test func aRelationshipThatIsItsOwnInversePointsBack() throws {
    let fixture = try WriterFixture()
    try fixture.write { rows in
      rows.link(rows.add("Band", ["name": "Japan"]), "rival", to: .key("Bain"))
      rows.add("Band", ["name": "Bain"])
      rows.add("Band", ["name": "Cure"])
    }
    let rivals = "SELECT name, rival FROM Band ORDER BY name"
    #expect(try fixture.store.rows(rivals) == ["Bain Japan", "Cure -", "Japan Bain"])
    try fixture.write { $0.link($0.add("Band", ["name": "Cure"]), "rival", to: .key("Bain")) }
    #expect(try fixture.store.rows(rivals) == ["Bain Cure", "Cure Bain", "Japan -"])
  }

  // MARK: - Objects that are not there

  @Test func aForeignKeyWaitsForItsTarget() throws {
    let fixture = try WriterFixture()
    let outcome = try fixture.write { rows in
      rows.link(rows.add("Album", ["id": 1]), "band", to: .key("Japan"))
    }
    #expect(outcome.pending == ["Album 1.band -> Japan"])
    // The report is about the end: a target that comes later in the same write is there.
    let other = try fixture.write { rows in
      rows.link(rows.add("Album", ["id": 2]), "band", to: .key("Japan"))
      rows.add("Band", ["name": "Japan"])
    }
    #expect(other.pending == [])
  }

  @Test func aListRemembersTargetsThatAreNotThere() throws {
    let fixture = try WriterFixture()
    let outcome = try fixture.write { rows in
      rows.list(rows.add("Band", ["name": "Japan"]), "albums", [.key(1), .key(2)])
    }
    #expect(outcome.pending == ["Band Japan.albums -> 1", "Band Japan.albums -> 2"])
    try fixture.write { $0.add("Album", ["id": 2]) }
    #expect(try fixture.store.rows("SELECT id, band, band_order FROM Album") == ["2 Japan 1"])
    // An object that says its owner itself has that one.
    try fixture.write { rows in
      rows.link(rows.add("Album", ["id": 1]), "band", to: .key("Bain"))
    }
    #expect(try fixture.store.rows("SELECT band FROM Album WHERE id = 1") == ["Bain"])
    #expect(try fixture.store.rows("SELECT count(*) FROM broker_pending") == ["0"])
  }

  @Test func stubsStandForWhatIsNotThere() throws {
    let fixture = try WriterFixture()
    let outcome = try fixture.write(WritePolicy(references: .stub)) { rows in
      rows.link(rows.add("Album", ["id": 1]), "band", to: .key("Japan"))
      rows.list(rows.add("Band", ["name": "Bain"]), "tags", [.key("pop")])
    }
    #expect(outcome.counts == ["Band +2 ~0 =0", "Album +1 ~0 =0", "Tag +1 ~0 =0"])
    #expect(outcome.pending == [])
    #expect(try fixture.store.rows("SELECT name, genre FROM Band ORDER BY 1") == ["Bain pop", "Japan pop"])
  }

  @Test func aSkippedObjectIsStillReferredTo() throws {
    let fixture = try WriterFixture()
    let outcome = try fixture.write { rows in
      let band = rows.add("Band", ["name": "Japan"])
      rows.add("Tag", in: band, state: .skipped, ["label": "pop"])
      rows.list(band, "tags", [.row(band + 1)])
    }
    #expect(outcome.counts == ["Band +1 ~0 =0", "Tag +0 ~0 =0 skipped 1"])
    #expect(outcome.pending == ["Band Japan.tags -> pop"])
  }

  // MARK: - Renaming

  @Test func linksFollowANewIdentity() throws {
    let fixture = try WriterFixture()
    try fixture.write { rows in
      let band = rows.add("Band", ["name": "Japan"])
      rows.add("Album", in: band, ["id": 1])
      rows.list(band, "albums", [.row(band + 1)])
      rows.list(rows.add("Band", ["name": "Bain"]), "friends", [.key("Japan")])
    }
    try fixture.store.transaction { transaction in
      let writer = try transaction.localWriter(.local, equality: nil)
      let band = transaction.layout.schema.entities[0]
      let row = try #require(try transaction.row(of: band, identity: "Japan"))
      #expect(try writer.rename(row, of: band, to: ["Bain"]) == .taken)
      #expect(try writer.rename(row, of: band, to: ["Rain Tree Crow"]) == .renamed(row: row))
      return ((), .commit)
    }
    #expect(try fixture.store.rows("SELECT band FROM Album") == ["Rain Tree Crow"])
    #expect(
      try fixture.store.rows("SELECT count(*) FROM Band_friends WHERE friends = 'Japan'") == ["0"])
  }
}
