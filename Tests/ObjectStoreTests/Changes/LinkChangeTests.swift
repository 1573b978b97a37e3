import ObjectModel
import ObjectStore
import Testing

/// The changes that observers receive for links in join tables.
@Suite(.onSQLite("about SQL of a program's own")) struct LinkChangeTests {
  private let store: Store
  private let received = ReceivedChanges()
  private let token: ObservationToken

  init() throws {
    store = try ObjectStoreTests.store(Zoo.model)
    try store.write(
      "INSERT INTO Animal (id, _entity) VALUES (1, 'Animal'), (2, 'Dog')",
      "INSERT INTO Tag (label) VALUES ('red')", "INSERT INTO Seat VALUES ('A', 1, 9.5)")
    token = store.observe { [received] in received.add($0) }
  }

  private func changes(_ statements: String...) throws -> [String] {
    try store.transaction { transaction in
      for statement in statements { try transaction.execute(statement) }
      return ((), .commit)
    }
    return received.lines(store)
  }

  @Test func aLinkWithAnInverseIsAnUpdateOfBothEnds() throws {
    #expect(try changes("INSERT INTO Animal_tags VALUES (2, 'red', 0)") == ["~Dog 2 ~Tag red"])
    #expect(try changes("DELETE FROM Animal_tags") == ["~Dog 2 ~Tag red"])
  }

  @Test func aLinkWithoutAnInverseIsAnUpdateOfItsOwner() throws {
    #expect(try changes("INSERT INTO Seat_viewers VALUES ('A', 1, 2)") == ["~Seat A,1"])
    #expect(try changes("UPDATE Seat_viewers SET viewers = 1") == ["~Seat A,1"])
    #expect(try changes("DELETE FROM Seat_viewers") == ["~Seat A,1"])
  }

  @Test func aSymmetricLinkIsAnUpdateOfBoth() throws {
    #expect(try changes("INSERT INTO Animal_friends VALUES (1, 2), (2, 1)") == ["~Animal 1 ~Dog 2"])
  }

  @Test func anotherPlaceIsAnUpdateOfTheOwner() throws {
    _ = try changes("INSERT INTO Animal_tags VALUES (2, 'red', 0)")
    #expect(try changes("UPDATE Animal_tags SET tags_order = 7") == ["~Dog 2"])
  }

  @Test func whoComesOrGoesIsNotUpdated() throws {
    #expect(
      try changes("INSERT INTO Animal_tags VALUES (2, 'new', 0)", "INSERT INTO Tag (label) VALUES ('new')")
        == ["+Tag new ~Dog 2"])
    #expect(
      try changes("DELETE FROM Animal WHERE id = 2", "DELETE FROM Animal_tags") == ["-Dog 2 ~Tag new"])
  }

  @Test func whoIsNotThereIsNotUpdated() throws {
    #expect(try changes("INSERT INTO Animal_tags VALUES (1, 'gone', 0)") == ["~Animal 1"])
    #expect(try changes("INSERT INTO Animal_tags VALUES (77, 'gone', 0)") == [])
    #expect(try changes("INSERT INTO Tag (label) VALUES ('gone')") == ["+Tag gone"])
  }
}
