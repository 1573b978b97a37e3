import Foundation
import ObjectModel
import ObjectStore
import TestSettings
import Testing

/// Transactions within transactions.
@Suite struct NestingTests {
  private let bands =
    #"{"entities": [{"name": "Band", "attributes": [{"name": "id", "type": "integer64"}]}]}"#

  @Test func readsMayBeNested() throws {
    let directory = try TemporaryDirectory()
    for store in [try directory.store(bands), try store(bands)] {
      let result = try store.read { _ in
        try store.read { _ in try store.read { _ in try store.bands() } }
      }
      #expect(result == 0)
    }
  }

  @Test func nestedReadsOnManyThreadsDoNotWaitForEachOther() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.store(bands)
    let errors = inParallel(16) { _ in
      for _ in 0..<20 {
        let result = try store.read { _ in try store.bands() }
        #expect(result == 0)
      }
    }
    #expect(errors == [])
  }

  @Test func aReadWithinATransactionSeesWhatWasCommitted() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.store(bands)
    try store.transaction { transaction in
      try transaction.add(1)
      #expect(try store.bands() == 0)
      #expect(try transaction.bands() == 1)
      return ((), .commit)
    }
  }

  @Test func readsAndTransactionsOfEachOtherDoNotLock() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.store(bands)
    // All readers are taken by those that wait to write, while who writes wants to read.
    let errors = inParallel(12) { index in
      for _ in 0..<10 {
        try store.read { outer in
          _ = try outer.bands()
          try store.write()
        }
        try store.transaction { _ in
          _ = try store.bands()
          return ((), .commit)
        }
      }
    }
    #expect(errors == [])
  }

  @Test(.onSQLite("about a store in memory")) func aStoreInMemorySaysWhatItCannot() throws {
    let store = try store(bands)
    try store.transaction { transaction in
      try transaction.add(1)
      #expect(throws: StoreError.self) { try store.bands() }
      return ((), .commit)
    }
    _ = try store.read { _ in
      #expect(throws: StoreError.self) { try store.write() }
    }
    #expect(try store.bands() == 1)
  }

  @Test func aTransactionWithinATransactionIsRefused() throws {
    let directory = try TemporaryDirectory()
    for store in [try directory.store(bands), try store(bands)] {
      try store.transaction { transaction in
        try transaction.add(1)
        let error = #expect(throws: StoreError.self) { try store.write() }
        #expect(error?.description.contains("in a transaction") == true)
        return ((), .commit)
      }
      #expect(try store.bands() == 1)
    }
  }

  @Test func aStoreWithoutTablesReadsNested() throws {
    let store = try Place.open(":memory:", Model(json: Data(bands.utf8)))
    let result = try store.read { _ in try store.bands() }
    #expect(result == 0)
  }

  @Test func otherStoresAreNoneOfItsBusiness() throws {
    let (first, second) = (try store(bands), try store(bands))
    try first.transaction { transaction in
      try second.transaction { inner in
        try inner.add(1)
        // Of a store in memory, who writes has the only connection.
        if !Engine.isServer { #expect(throws: StoreError.self) { try first.bands() } }
        return ((), .commit)
      }
      #expect(try second.bands() == 1)
      #expect(try transaction.bands() == 0)
      return ((), .commit)
    }
  }

  @Test(.onSQLite("about SQL of a program's own")) func nothingIsCommittedBehindTheBackOfATransaction() throws
  {
    let store = try store(bands)
    struct Failure: Error {}
    let transaction = { (transaction: any StoreTransaction) throws -> (Void, TransactionEnding) in
      try transaction.add(1)
      #expect(throws: StoreError.self) { try transaction.execute("COMMIT") }
      #expect(throws: StoreError.self) { try transaction.add(2) }
      throw Failure()
    }
    #expect(throws: Failure.self) { try store.transaction(transaction) }
    #expect(try store.bands() == 0)
  }
}
