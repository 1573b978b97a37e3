import Foundation
import ObjectModel
import ObjectStore
import Testing

@Suite struct TransactionTests {
  private let bands =
    #"{"entities": [{"name": "Band", "attributes": [{"name": "id", "type": "integer64"}]}]}"#

  @Test(.onSQLite("about SQLite's settings")) func waitsForTheDisk() throws {
    let directory = try TemporaryDirectory()
    for (waits, level) in [(false, "1"), (true, "3")] {
      var options = Store.Options()
      options.waitsForDisk = waits
      let store = try SQLiteStore(
        path: directory.path + ".\(waits)",
        model: Model(json: Data(bands.utf8)), options: options)
      try store.transaction { transaction in
        let statement = try transaction.prepare("PRAGMA synchronous")
        #expect(try statement.step())
        #expect(statement.string(0) == level)
        return ((), .commit)
      }
      try store.close()
    }
  }

  @Test func whatCommitsStaysAndTheRestGoes() throws {
    struct Failure: Error {}
    let store = try store(bands)
    try store.transaction { transaction in
      try transaction.add(1)
      return ((), .commit)
    }
    try store.transaction { transaction in
      try transaction.add(2)
      return ((), .rollback)
    }
    #expect(throws: Failure.self) {
      try store.transaction { transaction -> (Void, TransactionEnding) in
        try transaction.add(3)
        throw Failure()
      }
    }
    #expect(try store.rows("SELECT id FROM Band") == ["1"])
  }

  @Test(.onSQLite("about SQLite's errors")) func anErrorOfSQLiteSaysWhatAndWhere() throws {
    let store = try store(bands)
    let error = #expect(throws: StoreError.self) {
      try store.transaction { transaction in
        try transaction.execute("INSERT INTO Band VALUES (1), (1)")
        return ((), .commit)
      }
    }
    #expect(error?.sqliteCode == 1555)
    #expect(error?.description.contains("UNIQUE constraint failed: Band.id") == true)
    #expect(try store.bands() == 0)
  }

  @Test func aReadCannotWrite() throws {
    let store = try store(bands)
    _ = try store.transaction { _ in ((), .commit) }
    #expect(throws: StoreError.self) {
      try store.read { try $0.add(9) }
    }
    #expect(try store.bands() == 0)
  }

  @Test func anUnusedStoreReadsAsAnEmptyOne() throws {
    let store = try Place.open(":memory:", Model(entities: [Entity(name: "Band")]))
    #expect(try store.bands() == 0)
  }
}
