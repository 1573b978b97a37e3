import Foundation
import ObjectModel
import ObjectStore
import Testing

/// Waits for others that write: they end when they are cancelled or have lasted for as long as they may.
///
/// Some of them block threads of tasks, of which there may be two.
@Suite(.serialized) struct WaitTests {
  private let bands =
    #"{"entities": [{"name": "Band", "attributes": [{"name": "id", "type": "integer64"}]}]}"#

  /// Runs `body` while another writes: by the same store, or by another one on the same file.
  private func whileLocked(_ body: (Store, Store.Options) async throws -> Void, _ options: Store.Options)
    async throws
  {
    let directory = try TemporaryDirectory()
    let holder = try directory.store(bands)
    let store = try directory.open(options: options)
    for locked in [holder, store] {
      let (isWriting, release) = (Signal(), Signal())
      let writing = Task.detached {
        try await locked.asyncTransaction { transaction in
          try transaction.add(9)
          isWriting.give()
          return (release.wait(), .rollback)
        }
      }
      try await isWriting.come()
      try await body(store, options)
      release.give()
      #expect(try await writing.value)
    }
    #expect(try store.bands() == 0)
  }

  @Test func aTimeoutEndsThem() async throws {
    let timeout = Store.Options(timeout: .milliseconds(60))
    try await whileLocked(
      { store, _ in
        let error = #expect(throws: StoreError.self) { try store.add(1) }
        #expect(error?.isTimeout == true, "\(String(describing: error))")
        let later = await #expect(throws: StoreError.self) {
          try await store.asyncAdd(1)
        }
        #expect(later?.isTimeout == true)
      }, timeout)
  }

  @Test func aCancellationEndsThemOnAThreadToo() async throws {
    let waits = ToldWaits()
    try await whileLocked(
      { store, _ in
        let before = waits.count
        let waiting = Task.detached { try store.add(1) }
        try await waits.come(after: before)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
      }, waits.options())
  }

  @Test func aRequestEndsThem() async throws {
    let isCancelled = Shared(false)
    let waits = ToldWaits()
    var options = waits.options()
    options.isCancelled = { isCancelled.now }
    try await whileLocked(
      { store, _ in
        isCancelled.change { $0 = false }
        let before = waits.count
        let waiting = Task.detached { try store.add(1) }
        try await waits.come(after: before)
        isCancelled.change { $0 = true }
        await #expect(throws: CancellationError.self) { try await waiting.value }
        isCancelled.change { $0 = false }
      }, options)
  }

  @Test func whoWaitsLongIsToldOnce() async throws {
    let told = Shared(0)
    var options = Store.Options(timeout: .seconds(2)) { told.change { $0 += 1 } }
    options.longWait = .milliseconds(40)
    try await whileLocked(
      { store, _ in
        told.change { $0 = 0 }
        #expect(throws: StoreError.self) { try store.add(1) }
        #expect(told.now == 1)
        await #expect(throws: StoreError.self) { try await store.asyncAdd(1) }
        #expect(told.now == 2)
      }, options)
  }

  /// What comes before a lock may take longer than the time after which a wait is told.
  @Test func aLongWaitIsToldHoweverLateItIsLookedAt() throws {
    let told = Shared(0)
    var options = Store.Options { told.change { $0 += 1 } }
    options.longWait = .zero
    let late = AccessRequest(options)
    #expect(late.nextMoment == .zero)
    #expect(late.waitsOn())
    #expect(late.waitsOn())
    #expect(told.now == 1)
    #expect(late.nextMoment == nil)
    options.timeout = .zero
    let tooLate = AccessRequest(options)
    #expect(!tooLate.waitsOn())
    #expect(told.now == 2)
    #expect(tooLate.nextMoment == .zero)
    options.isCancelled = { true }
    #expect(!AccessRequest(options).waitsOn())
    #expect(told.now == 2)
  }

  @Test func aShortWaitIsNotTold() throws {
    let told = Shared(0)
    let directory = try TemporaryDirectory()
    try directory.store(bands).close()
    let store = try directory.open(options: Store.Options { told.change { $0 += 1 } })
    try store.add(1)
    #expect(told.now == 0)
  }

  @Test(.onSQLite("about a locked file")) func theOpeningOfALockedFileCanBeEnded() throws {
    let directory = try TemporaryDirectory()
    try directory.store(bands).close()
    // Another program, with a rollback journal.
    try sqlite(directory.path, "PRAGMA journal_mode = DELETE")
    try sqlite(directory.path, "BEGIN EXCLUSIVE") {
      let error = #expect(throws: StoreError.self) {
        try directory.open(options: Store.Options(timeout: .milliseconds(50)))
      }
      #expect(error?.isTimeout == true, "\(String(describing: error))")
    }
  }
}
