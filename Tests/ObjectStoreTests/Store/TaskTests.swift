import Foundation
import ObjectModel
import ObjectStore
import Testing

/// Transactions of tasks.
@Suite struct TaskTests {
  private let bands =
    #"{"entities": [{"name": "Band", "attributes": [{"name": "id", "type": "integer64"}]}]}"#

  @Test(arguments: [true, false])
  func manyTasksReadAndWrite(isInMemory: Bool) async throws {
    let directory = try TemporaryDirectory()
    let store = isInMemory ? try store(bands) : try directory.store(bands)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask {
          if number.isMultiple(of: 2) {
            let written = try await store.asyncTransaction { transaction in
              try transaction.add(number, number + 1)
              return (number, .commit)
            }
            #expect(written == number)
          } else {
            let counts = try await store.asyncRead { (try $0.bands(), try $0.bands()) }
            #expect(counts.0 == counts.1 && counts.0.isMultiple(of: 2))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await store.asyncBands() == 200)
  }

  @Test func moreTasksThanThreadsWaitWithoutBlocking() async throws {
    let directory = try TemporaryDirectory()
    let store = try directory.store(bands)
    let isWriting = Signal()
    let release = Signal()
    let writing = Task.detached {
      try await store.asyncTransaction { transaction in
        try transaction.add(200)
        isWriting.give()
        return (release.wait(), .rollback)
      }
    }
    try await isWriting.come()
    let waiting = (0..<100).map { number in
      Task { try await store.asyncAdd(number) }
    }
    // If they held the threads of tasks, this one would not run.
    #expect(await Task.detached { true }.value)
    #expect(try await store.asyncBands() == 0)
    release.give()
    #expect(try await writing.value)
    for task in waiting { try await task.value }
    #expect(try await store.asyncBands() == 100)
  }

  @Test func errorsArriveAndUndo() async throws {
    struct Failure: Error {}
    let store = try store(bands)
    await #expect(throws: Failure.self) {
      try await store.asyncTransaction { transaction -> (Void, TransactionEnding) in
        try transaction.add(1)
        throw Failure()
      }
    }
    try await store.asyncTransaction { (try $0.add(2), .rollback) }
    #expect(try await store.asyncBands() == 0)
  }

  @Test func taskLocalValuesAndCancellationAreTheTasks() async throws {
    let store = try store(bands)
    let isCancelled = try await store.asyncRead { _ in Task.isCancelled }
    #expect(!isCancelled)
    #expect(try await Local.$value.withValue(7) { try await store.asyncRead { _ in Local.value } } == 7)
  }

  private enum Local {
    @TaskLocal static var value = 0
  }

  @Test func aReadOfTheStoreWithinATasksTransaction() async throws {
    let directory = try TemporaryDirectory()
    let store = try directory.store(bands)
    let seen = try await store.asyncTransaction { transaction in
      try transaction.add(1)
      return (try store.bands(), .commit)
    }
    #expect(seen == 0)
  }
}
