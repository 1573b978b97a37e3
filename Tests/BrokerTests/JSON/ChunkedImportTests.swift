import Broker
import Foundation
import Testing

/// Imports in chunks, beside others that write.
@Suite struct ChunkedImportTests {
  private static func bands(_ count: Int) -> String {
    "[" + (0..<count).map { #"{"name": "band \#($0)", "formed": 1970}"# }.joined(separator: ",") + "]"
  }

  private func options(_ chunks: ImportChunks) -> ImportOptions {
    var options = ImportOptions()
    options.chunks = chunks
    return options
  }

  @Test func writersComeBetween() async throws {
    let file = try TemporaryFile()
    let store = try await Store(at: .file(file.url), for: Band.self)
    let other = try await Store(at: .file(file.url), for: Band.self)
    let importing = Task {
      try await store.import(Self.bands(20_000), as: Band.self, options: options(.objects(500)))
    }
    // The writes of this store and of another one are seen before the import has ended.
    var seen: [Int] = []
    for number in 0..<10 {
      let writer = number.isMultiple(of: 2) ? store : other
      try await writer.save(Label(name: "label \(number)", country: nil, bands: ToMany()))
      seen.append(try await store.count(Band.all))
    }
    let report = try await importing.value
    #expect(report.inserted == ["Band": 20_000] && report.chunks == 40)
    #expect(Set(seen).count > 2 && seen.allSatisfy { $0.isMultiple(of: 500) })
    #expect(try await store.count(Label.all) == 10)
  }

  @Test func cancelling() async throws {
    let store = try await Store(at: .scratch, for: Band.self)
    let (started, continuation) = AsyncStream.makeStream(of: Int.self)
    let importing = Task {
      try await store.import(Self.bands(50_000), as: Band.self, options: options(.objects(100))) {
        continuation.yield($0.objects)
      }
    }
    for await objects in started where objects > 1_000 { break }
    importing.cancel()
    let error = await #expect(throws: PartialImportError.self) { try await importing.value }
    #expect(error?.isCancellation == true && error?.cause is CancellationError)
    #expect(try await store.count(Band.all) == error?.objects)
  }

  @Test func observersSeeEachChunk() async throws {
    let store = try await Store(at: .scratch, for: Band.self)
    let changes = Follower(store.changes())
    try await store.import(Self.bands(10), as: Band.self, options: options(.objects(4)))
    #expect(await eventually { changes.all.count == 3 })
    #expect(changes.all.map { $0.inserted(Band.self).count } == [4, 4, 2])
    #expect(changes.all.allSatisfy { $0.isImport })
  }

  @Test func objectsOfAllChunks() async throws {
    let store = try await Store(at: .scratch, for: Band.self)
    let (bands, report) = try await store.importObjects(
      Self.bands(5), as: Band.self, options: options(.objects(2)))
    #expect(bands.map(\.name) == (0..<5).map { "band \($0)" })
    #expect(report.objects?.count == 5)
  }

  @Test func localChangesMadeBetweenAreKept() async throws {
    let file = try TemporaryFile()
    let store = try await Store(at: .file(file.url), for: Band.self, tracksLocalChanges: true)
    try await store.import(Self.bands(6_000), as: Band.self)
    let importing = Task {
      try await store.import(Self.bands(6_000), as: Band.self, options: options(.objects(100)))
    }
    try await store.update(Band.self, "band 5999") { $0.formed = 2000 }
    let report = try await importing.value
    #expect(report.keptLocal == ["Band": 1])
    #expect(try await store.find(Band.self, "band 5999").formed == 2000)
  }

  @Test func aTransactionTakesNoChunks() async throws {
    let store = try await Store(at: .scratch, for: Band.self)
    await #expect(throws: ImportError.self) {
      try await store.write { transaction in
        try transaction.import(Self.bands(5), as: Band.self, options: options(.objects(2)))
      }
    }
  }

  /// What a server does: many requests at once, some of which write, beside a large import.
  @Test func twoHundredTasksBesideALargeImport() async throws {
    let file = try TemporaryFile()
    let store = try await Store(at: .file(file.url), for: Band.self)
    let importing = Task {
      try await store.import(Self.bands(10_000), as: Band.self, options: options(.objects(1_000)))
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<200 {
        group.addTask {
          for step in 0..<5 {
            let name = "task \(task)"
            switch step {
            case 0:
              try await store.save(Band(name: name, albums: ToMany(), members: ToMany(), notes: ToMany()))
            case 1: try await store.update(Band.self, name) { $0.formed += 1 }
            case 2: #expect(try await store.find(Band.self, name).formed == 1971)
            case 3:
              _ = try await store.fetch(Band.filter(#Predicate { $0.formed == 1971 }).limit(10))
              try await store.import(#"{"name": "\#(name)", "band": "\#(name)"}"#, as: Album.self)
            default: if task.isMultiple(of: 2) { try await store.delete(Band.self, name) }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await importing.value.inserted == ["Band": 10_000])
    #expect(try await store.count(Band.all) == 10_100)
    #expect(try await store.count(Album.all) == 100)
  }
}
