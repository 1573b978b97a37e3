import ObjectModel
import ObjectStore
import Testing

/// The changes that observers receive after writes.
@Suite(.onSQLite("about SQL of a program's own")) struct ChangeTests {
  private let store: Store
  private let received = ReceivedChanges()
  private let token: ObservationToken

  init() throws {
    store = try ObjectStoreTests.store(Zoo.model)
    token = store.observe { [received] in received.add($0) }
  }

  /// Runs statements in a transaction, and returns what observers receive.
  private func changes(_ statements: String...) throws -> [String] {
    try store.transaction { transaction in
      for statement in statements { try transaction.execute(statement) }
      return ((), .commit)
    }
    return received.lines(store)
  }

  @Test func objectsOfEachKind() throws {
    let inserted = try changes(
      "INSERT INTO Animal (id, _entity) VALUES (1, 'Animal'), (2, 'Dog')",
      "INSERT INTO Tag (label) VALUES ('red')", "INSERT INTO Seat VALUES ('A', 1, 9.5)",
      "INSERT INTO Note (text) VALUES ('x')")
    #expect(inserted == ["+Animal 1 +Dog 2 +Note 1 +Seat A,1 +Tag red"])
    #expect(
      try changes("UPDATE Animal SET name = 'x'", "UPDATE Seat SET price = 1", "UPDATE Tag SET color = 'x'")
        == ["~Animal 1 ~Dog 2 ~Seat A,1 ~Tag red"])
    #expect(try changes("UPDATE Note SET animal = 2") == ["~Note 1"])
    #expect(
      try changes("DELETE FROM Animal", "DELETE FROM Tag", "DELETE FROM Seat", "DELETE FROM Note")
        == ["-Animal 1 -Dog 2 -Note 1 -Seat A,1 -Tag red"])
    _ = token
  }

  @Test func whatComesOfItInTheEndCounts() throws {
    _ = try changes("INSERT INTO Tag VALUES ('there', NULL)")
    #expect(
      try changes("INSERT INTO Tag VALUES ('a', 'x')", "UPDATE Tag SET color = 'y' WHERE label = 'a'")
        == ["+Tag a"])
    #expect(try changes("INSERT INTO Tag VALUES ('b', 'x')", "DELETE FROM Tag WHERE label = 'b'") == [])
    #expect(
      try changes("UPDATE Tag SET color = 'z' WHERE label = 'a'", "DELETE FROM Tag WHERE label = 'a'")
        == ["-Tag a"])
    #expect(
      try changes("DELETE FROM Tag WHERE label = 'there'", "INSERT INTO Tag VALUES ('there', 'x')")
        == ["~Tag there"])
    #expect(
      try changes(
        "DELETE FROM Tag", "INSERT INTO Tag VALUES ('there', 'x')", "DELETE FROM Tag") == ["-Tag there"])
  }

  @Test func whatIsNoChangeIsNotTold() throws {
    #expect(try changes() == [])
    #expect(try changes("DELETE FROM Animal") == [])
    #expect(try changes("UPDATE Animal SET name = 'x' WHERE id = 7") == [])
    _ = try changes("INSERT INTO Tag VALUES ('a', 'x')")
    #expect(try changes("INSERT INTO Tag VALUES ('a', 'y') ON CONFLICT DO NOTHING") == [])
    #expect(
      try changes("INSERT INTO Tag VALUES ('a', 'y') ON CONFLICT DO UPDATE SET color = 'y'") == ["~Tag a"])
  }

  @Test func whatIsUndoneIsNotTold() throws {
    struct Failure: Error {}
    try store.transaction { (try $0.execute("INSERT INTO Tag VALUES ('a', 'x')"), .rollback) }
    #expect(throws: Failure.self) {
      try store.transaction { transaction -> (Void, TransactionEnding) in
        try transaction.execute("INSERT INTO Tag VALUES ('b', 'x')")
        throw Failure()
      }
    }
    #expect(received.lines(store) == [])
    #expect(try changes("INSERT INTO Tag VALUES ('c', 'x')") == ["+Tag c"])
  }

  @Test func savepointsAreFollowed() throws {
    _ = try changes("INSERT INTO Tag VALUES ('a', 'x'), ('b', 'x')")
    try store.transaction { transaction in
      try transaction.execute("UPDATE Tag SET color = 'y' WHERE label = 'a'")
      let outer = try transaction.sqlite.setSavepoint()
      try transaction.execute("DELETE FROM Tag")
      let inner = try transaction.sqlite.setSavepoint()
      try transaction.execute("INSERT INTO Tag VALUES ('c', 'x')")
      try transaction.sqlite.release(inner)
      try transaction.sqlite.undo(to: outer)
      let kept = try transaction.sqlite.setSavepoint()
      try transaction.execute("INSERT INTO Tag VALUES ('d', 'x')")
      try transaction.sqlite.release(kept)
      return ((), .commit)
    }
    #expect(received.lines(store) == ["+Tag d ~Tag a"])
  }

  @Test func whatAFailedStatementDidIsForgotten() throws {
    _ = try changes("INSERT INTO Animal (id, _entity) VALUES (1, 'Dog'), (2, 'Dog'), (9, 'Dog')")
    try store.transaction { transaction in
      try transaction.execute("UPDATE Animal SET name = 'x' WHERE id = 1")
      for statement in [
        // Changes rows before it fails.
        "INSERT INTO Animal (id, _entity) VALUES (5, 'Dog'), (6, 'Dog'), (9, 'Dog')",
        "UPDATE Animal SET id = id + 7 WHERE id < 3",
      ] {
        #expect(throws: StoreError.self) { try transaction.execute(statement) }
      }
      try transaction.execute("UPDATE Animal SET name = 'x' WHERE id = 9")
      return ((), .commit)
    }
    #expect(received.lines(store) == ["~Dog 1 ~Dog 9"])
    try store.transaction { transaction in
      let sql = "INSERT OR FAIL INTO Animal (id, _entity) VALUES (7, 'Dog'), (9, 'Dog')"
      #expect(throws: StoreError.self) { try transaction.execute(sql) }
      return ((), .commit)
    }
    #expect(received.lines(store) == ["+Dog 7"])
  }

  @Test func anotherKeyIsAnotherObject() throws {
    _ = try changes("INSERT INTO Tag VALUES ('a', 'x')", "INSERT INTO Animal (id, _entity) VALUES (1, 'Dog')")
    #expect(try changes("UPDATE Tag SET label = 'b'") == ["+Tag b -Tag a"])
    #expect(try changes("UPDATE Animal SET id = 2, name = 'x'") == ["+Dog 2 -Dog 1"])
    _ = try changes("INSERT INTO Note (text) VALUES ('a')")
    #expect(
      try changes("UPDATE Note SET _id = 7, text = 'b'", "UPDATE Note SET _id = 7") == ["+Note 7 -Note 1"])
  }

  @Test func anotherKindIsAnUpdate() throws {
    _ = try changes("INSERT INTO Animal (id, _entity) VALUES (1, 'Animal')")
    #expect(try changes("UPDATE Animal SET _entity = 'Dog'") == ["~Dog 1"])
  }

  @Test func writingTellsNothingElse() throws {
    try store.transaction { transaction in
      let insertion = try transaction.prepare("INSERT INTO Note (text) VALUES ('a'), ('b'), ('c')")
      try insertion.run()
      #expect(insertion.changes == 3)
      #expect(insertion.lastInsertedRowID == 3)
      transaction.isImport = true
      return ((), .commit)
    }
    #expect(received.take().map(\.isImport) == [true])
    _ = try changes("DELETE FROM Note")
    #expect(received.take().isEmpty)
  }
}
