import Foundation
import ObjectModel
import ObjectStore
import Testing

/// Stores that are closed or deallocated.
@Suite struct ClosingTests {
  private let bands =
    #"{"entities": [{"name": "Band", "attributes": [{"name": "id", "type": "integer64"}]}]}"#
  private let count = "SELECT count(*) FROM Band"

  @Test func closingClearsAway() async throws {
    let directory = try TemporaryDirectory()
    let store = try directory.store(bands)
    _ = try store.number(count)
    #expect(directory.files.count == 3)
    try store.close()
    #expect(directory.files == ["store.sqlite"])
    let error = #expect(throws: StoreError.self) { try store.number(count) }
    #expect(error?.description == "The store is closed.")
    #expect(throws: StoreError.self) { try store.write() }
    await #expect(throws: StoreError.self) { try await store.asyncNumber(count) }
    try store.close()
  }

  @Test func lettingGoClearsAway() throws {
    let directory = try TemporaryDirectory()
    for _ in 0..<20 {
      let store = try directory.store(bands)
      _ = try store.read { _ in try store.transaction { _ in (try store.number(count), .commit) } }
    }
    #expect(directory.files == ["store.sqlite"])
  }

  @Test func closingWaitsForWhatGoesOn() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.store(bands)
    let (isReading, isWriting) = (Signal(), Signal())
    let errors = inParallel(3) { [count] index in
      switch index {
      case 0:
        _ = try store.read { transaction in
          isReading.give()
          usleep(50_000)
          return try transaction.number(count)
        }
      case 1:
        try store.transaction { transaction in
          isWriting.give()
          usleep(50_000)
          return (try transaction.execute("INSERT INTO Band VALUES (1)"), .commit)
        }
      default:
        isReading.wait()
        isWriting.wait()
        try store.close()
      }
    }
    #expect(errors == [])
    #expect(try Store(path: directory.path).read { try $0.number(count) } == 1)
  }

  @Test func aStoreIsNotClosedFromWithin() throws {
    let store = try store(bands)
    _ = try store.read { _ in
      #expect(throws: StoreError.self) { try store.close() }
    }
    try store.transaction { _ in
      #expect(throws: StoreError.self) { try store.close() }
      return ((), .commit)
    }
    try store.close()
  }

  @Test func aStoreMayGoInItsOwnTransaction() async throws {
    let directory = try TemporaryDirectory()
    for _ in 0..<20 {
      let store = try directory.store(bands)
      Task.detached { [count] in _ = try? await store.asyncNumber(count) }
    }
    try await Task.sleep(for: .milliseconds(100))
    #expect(directory.files.first == "store.sqlite")
  }
}
