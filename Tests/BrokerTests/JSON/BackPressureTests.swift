import Broker
import Foundation
import Testing

/// Streams whose other end is slow: they hold nothing that others need.
@Suite struct BackPressureTests {
  private func labels(_ count: Int) async throws -> (file: TemporaryFile, store: Store) {
    let file = try TemporaryFile()
    let store = try await Store(at: .file(file.url), for: Label.self)
    let json = "[" + (0..<count).map { "{\"name\": \"Label \($0)\"}" }.joined(separator: ",") + "]"
    try await store.import(json, as: Label.self)
    return (file, store)
  }

  /// Whether all that was written to a pipe has been read.
  private func isEmpty(_ descriptor: Int32) -> Bool {
    var pipe = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&pipe, 1, 0) == 0
  }

  @Test(arguments: [4, 9]) func whoReadsExportsMayAskTheStore(_ tasks: Int) async throws {
    let (file, store) = try await labels(9_000)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<tasks {
        group.addTask {
          var bytes = 0
          for try await piece in store.exportStream(Label.all) {
            #expect(try await store.count(Label.all) >= 9_000)
            bytes += piece.count
          }
          #expect(bytes > 1 << 17)
        }
      }
      try await group.waitForAll()
    }
    try await store.save(Label(name: "one more", bands: []))
    withExtendedLifetime(file) {}
  }

  @Test func aSlowStreamHoldsNoLock() async throws {
    let (file, store) = try await labels(1)
    let pieces = PausedPieces(#"[{"name": "x"},"#)
    let importing = Task { try await store.import(pieces: pieces.stream, as: Label.self) }
    #expect(await eventually { pieces.isPaused })
    try await store.save(Label(name: "meanwhile", bands: []))
    let other = try await Store(at: .file(file.url), for: Label.self, options: .init(timeout: .seconds(600)))
    try await other.save(Label(name: "elsewhere", bands: []))
    pieces.finish(#"{"name": "y"}]"#)
    #expect(try await importing.value.inserted == ["Label": 2])
    #expect(try await store.count(Label.all) == 5)
  }

  @Test func aSlowPipeHoldsNoLock() async throws {
    let (file, store) = try await labels(1)
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(#"[{"name": "x"},"#.utf8))
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    let importing = Task {
      try await store.import(ImportSource.descriptor(descriptor), as: Label.self)
    }
    #expect(await eventually { isEmpty(descriptor) })
    try await store.save(Label(name: "meanwhile", bands: []))
    try pipe.fileHandleForWriting.write(contentsOf: Data(#"{"name": "y"}]"#.utf8))
    try pipe.fileHandleForWriting.close()
    #expect(try await importing.value.inserted == ["Label": 2])
    withExtendedLifetime((file, pipe)) {}
  }

  @Test func aSlowPipeCanBeLeft() async throws {
    let (file, store) = try await labels(1)
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    let importing = Task {
      try await store.import(ImportSource.descriptor(descriptor), as: Label.self)
    }
    try await Task.sleep(for: .milliseconds(20))
    importing.cancel()
    await #expect(throws: CancellationError.self) { try await importing.value }
    withExtendedLifetime((file, pipe)) {}
  }

  @Test func aLongStreamComesWhole() async throws {
    let (file, store) = try await labels(1)
    // More than is kept in memory.
    let texts = (0..<30_000).map { "{\"name\": \"A label with the number \($0)\", \"country\": \"Japan\"}" }
    let bytes = Array("[\(texts.joined(separator: ","))]".utf8)
    #expect(bytes.count > 3 << 19)
    let pieces = AsyncStream<ArraySlice<UInt8>> { continuation in
      for start in stride(from: 0, to: bytes.count, by: 100_003) {
        continuation.yield(bytes[start..<min(start + 100_003, bytes.count)])
      }
      continuation.finish()
    }
    let report = try await store.import(pieces: pieces, as: Label.self)
    #expect(report.inserted == ["Label": 30_000])
    #expect(report.bytes == bytes.count)
    withExtendedLifetime(file) {}
  }

  @Test(arguments: ["<html>", " }", #"["}"]]"#]) func whatIsNoJSONIsNotReceived(_ beginning: String)
    async throws
  {
    let (file, store) = try await labels(1)
    let endless = AsyncStream<[UInt8]>(unfolding: { Array(beginning.utf8) })
    await #expect(throws: ImportError.self) { try await store.import(pieces: endless, as: Label.self) }
    withExtendedLifetime(file) {}
  }

  @Test func aStoreThatIsFilledReadsAsEmpty() async throws {
    let file = try TemporaryFile()
    let store = try await Store(at: .file(file.url), for: Label.self)
    try await store.write { transaction in
      try transaction.save(Label(name: "x", bands: []))
      return
    }
    #expect(try await store.count(Label.all) == 1)
    let fresh = try TemporaryFile()
    let filled = try await Store(at: .file(fresh.url), for: Label.self)
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let gate = DispatchSemaphore(value: 0)
    let writing = Task.detached {
      try await filled.write { transaction in
        try transaction.save(Label(name: "x", bands: []))
        continuation.yield()
        gate.wait()
      }
    }
    for await _ in stream.prefix(1) {}
    #expect(try await filled.count(Label.all) == 0)
    let other = try await Store(at: .file(fresh.url), for: Label.self)
    #expect(try await other.count(Label.all) == 0)
    gate.signal()
    try await writing.value
    #expect(try await filled.count(Label.all) == 1)
    #expect(try await other.count(Label.all) == 1)
  }
}

/// Addresses of what is no file.
@Suite struct RemoteAddressTests {
  @Test func nothingIsReadThatHappensToHaveThePath() async throws {
    let file = try TemporaryFile("labels.json")
    try Data(#"[{"name": "x"}]"#.utf8).write(to: file.url)
    let store = try await Store(at: .scratch, for: Label.self)
    let remote = try #require(URL(string: "https://example.com\(file.url.path)"))
    let error = await #expect(throws: ImportError.self) { try await store.import(remote, as: Label.self) }
    #expect(error?.description.contains("is not a file") == true)
    #expect(try await store.import(file.url, as: Label.self).inserted == ["Label": 1])
    await #expect(throws: StoreError.self) { try await Store(at: .file(remote), for: Label.self) }
    await #expect(throws: CocoaError.self) { try await store.export(Label.all, to: remote) }
    #expect(try String(contentsOf: file.url, encoding: .utf8) == #"[{"name": "x"}]"#)
    #expect(throws: ModelError.self) { try Model(contentsOf: remote) }
    #expect(throws: MappingError.self) { try JSONMapping(contentsOf: remote) }
  }
}
