import Broker
import Foundation
import Testing

/// Streams that are not read to their end, or that never end.
@Suite struct UnfinishedStreamTests {
  private func labels(_ count: Int) async throws -> Store {
    let store = try await Store(at: .scratch, for: Label.self)
    let json = "[" + (0..<count).map { "{\"name\": \"Label \($0)\"}" }.joined(separator: ",") + "]"
    try await store.import(json, as: Label.self)
    return store
  }

  @Test func exportsThatAreLeftWhileTheyWaitEnd() async throws {
    let store = try await labels(20_000)
    for taken in 0..<3 {
      var iterator: ExportStream.AsyncIterator? = store.exportStream(Label.all).makeAsyncIterator()
      for _ in 0..<taken { _ = try await iterator?.next() }
      // Until it waits for someone to take the next.
      try await Task.sleep(for: .milliseconds(100))
      iterator = nil
      #expect(try await store.count(Label.all) == 20_000)
    }
  }

  @Test func exportsThatAreCancelledEnd() async throws {
    let store = try await labels(20_000)
    let task = Task {
      var count = 0
      for try await piece in store.exportStream(Label.all) {
        count += piece.count
        try await Task.sleep(for: .milliseconds(50))
      }
      return count
    }
    try await Task.sleep(for: .milliseconds(30))
    task.cancel()
    _ = await task.result
    #expect(try await store.count(Label.all) == 20_000)
  }

  @Test func manyExportsAtOnceEnd() async throws {
    let file = try TemporaryFile()
    let store = try await Store(at: .file(file.url), for: Label.self)
    let json = "[" + (0..<9_000).map { "{\"name\": \"Label \($0)\"}" }.joined(separator: ",") + "]"
    try await store.import(json, as: Label.self)
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<12 {
        group.addTask {
          var count = 0
          for try await piece in store.exportStream(Label.all) {
            count += piece.count
            await Task.yield()
          }
          return count
        }
      }
      return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(counts.count == 1)
  }

  @Test func streamsThatNeverEndCanBeCancelled() async throws {
    let store = try await labels(1)
    for delay in [0, 1, 5, 20] {
      let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
      continuation.yield(Array(#"[{"name": "x"},"#.utf8))
      let task = Task { try await store.import(pieces: stream, as: Label.self) }
      try await Task.sleep(for: .milliseconds(delay))
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try await store.count(Label.all) == 1)
    }
  }

  @Test func emptyPiecesAndEmptyStreams() async throws {
    let store = try await labels(1)
    let pieces = AsyncStream<[UInt8]> { continuation in
      for byte in Array(#"[{"name": "é👨‍👩‍👧"}]"#.utf8) {
        continuation.yield([])
        continuation.yield([byte])
      }
      continuation.finish()
    }
    #expect(try await store.import(pieces: pieces, as: Label.self).inserted == ["Label": 1])
    #expect(try await store.exists(Label.self, "é👨‍👩‍👧"))
    let nothing = AsyncStream<[UInt8]> { $0.finish() }
    await #expect(throws: ImportError.self) { try await store.import(pieces: nothing, as: Label.self) }
  }

  @Test func senderThatFailsAtOnceUndoesAll() async throws {
    struct Broken: Error {}
    let store = try await labels(1)
    for count in 0..<6 {
      let pieces = AsyncThrowingStream<[UInt8], any Error> { continuation in
        for number in 0..<count {
          continuation.yield(Array("\(number == 0 ? "[" : ","){\"name\":\"\(number)\"}".utf8))
        }
        continuation.finish(throwing: Broken())
      }
      await #expect(throws: Broken.self) { try await store.import(pieces: pieces, as: Label.self) }
      #expect(try await store.count(Label.all) == 1)
    }
  }
}
