import Foundation
import ObjectModel
import ObjectStore
import TestSettings
import Testing

/// Stores that are closed or deallocated.
@Suite struct ClosingTests {
  private let bands =
    #"{"entities": [{"name": "Band", "attributes": [{"name": "id", "type": "integer64"}]}]}"#

  @Test func closingClearsAway() async throws {
    let directory = try TemporaryDirectory()
    let store = try directory.store(bands)
    _ = try store.bands()
    if !Engine.isServer { #expect(directory.files.count == 3) }
    try store.close()
    if !Engine.isServer { #expect(directory.files == ["store.sqlite"]) }
    let error = #expect(throws: StoreError.self) { try store.bands() }
    #expect(error?.description == "The store is closed.")
    #expect(throws: StoreError.self) { try store.write() }
    await #expect(throws: StoreError.self) { try await store.asyncBands() }
    try store.close()
  }

  @Test(.onSQLite("about files")) func lettingGoClearsAway() throws {
    let directory = try TemporaryDirectory()
    for _ in 0..<20 {
      let store = try directory.store(bands)
      _ = try store.read { _ in try store.transaction { _ in (try store.bands(), .commit) } }
    }
    #expect(directory.files == ["store.sqlite"])
  }

  @Test func closingWaitsForWhatGoesOn() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.store(bands)
    let (isReading, isWriting) = (Signal(), Signal())
    let errors = inParallel(3) { index in
      switch index {
      case 0:
        _ = try store.read { transaction in
          isReading.give()
          usleep(50_000)
          return try transaction.bands()
        }
      case 1:
        try store.transaction { transaction in
          isWriting.give()
          usleep(50_000)
          return (try transaction.add(1), .commit)
        }
      default:
        isReading.wait()
        isWriting.wait()
        try store.close()
      }
    }
    #expect(errors == [])
    #expect(try directory.open().read { try $0.bands() } == 1)
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
      Task.detached { _ = try? await store.asyncBands() }
    }
    try await Task.sleep(for: .milliseconds(100))
    if !Engine.isServer { #expect(directory.files.first == "store.sqlite") }
  }
}
