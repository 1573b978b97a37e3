import Foundation
import ObjectModel
import ObjectStore
import Testing

/// Tasks that are cancelled in the middle of a transaction, before it or after it.
@Suite struct CancellationTests {
  private let bands =
    #"{"entities": [{"name": "Band", "attributes": [{"name": "id", "type": "integer64"}]}]}"#
  private static let endless = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n
    """

  @Test(.onSQLite("about SQL of a program's own")) func aLongStatementIsInterrupted() async throws {
    let directory = try TemporaryDirectory()
    for store in [try directory.store(bands), try store(bands)] {
      let hasBegun = Signal()
      let writing = Task {
        try await store.asyncTransaction { transaction in
          try transaction.add(1)
          hasBegun.give()
          return (try transaction.number(Self.endless), .commit)
        }
      }
      try await hasBegun.come()
      writing.cancel()
      await #expect(throws: CancellationError.self) { try await writing.value }
      let reading = Task { try await store.asyncRead { try $0.number(Self.endless) } }
      reading.cancel()
      await #expect(throws: CancellationError.self) { try await reading.value }
      #expect(try store.bands() == 0)
      try await store.asyncAdd(1)
      #expect(try store.bands() == 1)
    }
  }

  @Test(.onSQLite("about SQL of a program's own")) func manyShortStatementsAreInterrupted() async throws {
    let store = try store(bands)
    let hasBegun = Signal()
    let writing = Task {
      try await store.asyncTransaction { transaction -> (Void, TransactionEnding) in
        let insertion = try transaction.cached("INSERT INTO Band VALUES (?1)")
        var number: Int64 = 0
        while true {
          insertion.bind(number, at: 1)
          try insertion.run()
          number += 1
          if number == 10 { hasBegun.give() }
        }
      }
    }
    try await hasBegun.come()
    writing.cancel()
    await #expect(throws: CancellationError.self) { try await writing.value }
    #expect(try store.bands() == 0)
  }

  @Test(.onSQLite("about SQL of a program's own")) func nothingIsWrittenAfterAnInterruption() async throws {
    let store = try store(bands)
    let hasBegun = Signal()
    let writing = Task {
      try await store.asyncTransaction { transaction in
        try transaction.add(1)
        hasBegun.give()
        // SQLite rolls back when it interrupts a statement that writes.
        try? transaction.execute(
          "INSERT INTO Band WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n")
        try? transaction.add(-1)
        return ((), .commit)
      }
    }
    try await hasBegun.come()
    writing.cancel()
    await #expect(throws: CancellationError.self) { try await writing.value }
    #expect(try store.bands() == 0)
  }

  @Test func whoWaitsForItsTurnLeaves() async throws {
    let directory = try TemporaryDirectory()
    _ = try directory.store(bands)
    let waits = ToldWaits()
    let store = try directory.open(options: waits.options())
    let (isWriting, release) = (Signal(), Signal())
    let writing = Task.detached {
      try await store.asyncTransaction { transaction in
        try transaction.add(9)
        isWriting.give()
        return (release.wait(), .rollback)
      }
    }
    try await isWriting.come()
    let before = waits.count
    let waiting = Task.detached {
      try await store.asyncAdd(1)
    }
    try await waits.come(after: before)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    release.give()
    #expect(try await writing.value)
    #expect(try store.bands() == 0)
  }

  @Test func whoWaitsForTheFileLeaves() async throws {
    let directory = try TemporaryDirectory()
    let other = try directory.store(bands)
    let waits = ToldWaits()
    let store = try directory.open(options: waits.options())
    let (isWriting, release) = (Signal(), Signal())
    let writing = Task.detached {
      try await other.asyncTransaction { transaction in
        try transaction.add(9)
        isWriting.give()
        return (release.wait(), .rollback)
      }
    }
    try await isWriting.come()
    let before = waits.count
    let waiting = Task.detached {
      try await store.asyncAdd(1)
    }
    try await waits.come(after: before)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    release.give()
    #expect(try await writing.value)
    try store.add(2)
    #expect(try other.bands() == 1)
  }

  @Test func aTaskThatIsCancelledAlreadyDoesNothing() async throws {
    let store = try store(bands)
    let task = Task.detached {
      while !Task.isCancelled { await Task.yield() }
      try await store.asyncAdd(1)
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try store.bands() == 0)
  }

  @Test func cancelledOrNotAllOfItIsThereOrNothing() async throws {
    let directory = try TemporaryDirectory()
    let store = try directory.store(bands)
    var committed = 0
    for number in 0..<200 {
      let task = Task.detached {
        try await store.asyncTransaction { transaction in
          for part in 0..<10 { try transaction.add(number * 10 + part) }
          return ((), .commit)
        }
      }
      if number % 3 != 0 { try await Task.sleep(for: .microseconds(number * 5)) }
      task.cancel()
      switch await task.result {
      case .success: committed += 10
      case .failure(let error): #expect(error is CancellationError)
      }
    }
    #expect(try store.bands() == committed)
  }
}
