import Broker
import Foundation
import Testing

/// JSON that comes and goes little by little.
@Entity private struct Visit {
  var id: Int
  @Attribute(dateFormat: "dd.MM.yyyy") var opened: Date?
  @Attribute(dateFormat: "milliseconds") var checked: Date?
  @Attribute(dateFormat: "dd.MM.yyyy") var written: Date?
}

@Suite struct StreamTests {
  private struct Broken: Error {}

  private func pieces(_ json: String, of size: Int, failing: Bool = false) -> AsyncThrowingStream<
    [UInt8], any Error
  > {
    AsyncThrowingStream { continuation in
      let bytes = Array(json.utf8)
      for start in stride(from: 0, to: bytes.count, by: size) {
        continuation.yield(Array(bytes[start..<min(start + size, bytes.count)]))
      }
      continuation.finish(throwing: failing ? Broken() : nil)
    }
  }

  @Test(arguments: [1, 7, 1000]) func piecesAreCutAnywhere(_ size: Int) async throws {
    let store = try await Store(at: .scratch, for: Band.self)
    let report = try await store.import(pieces: pieces(bandsJSON, of: size))
    #expect(report.inserted["Band"] == 2)
    #expect(report.bytes == bandsJSON.utf8.count)
  }

  @Test func bytesOneByOne() async throws {
    let store = try await Store(at: .scratch, for: Band.self)
    let bytes = AsyncStream { continuation in
      for byte in bandsJSON.utf8 { continuation.yield(byte) }
      continuation.finish()
    }
    #expect(try await store.import(bytes: bytes).inserted["Album"] == 3)
  }

  @Test func whatTheStreamThrowsComesThrough() async throws {
    let store = try await Store(at: .scratch, for: Band.self)
    await #expect(throws: Broken.self) {
      try await store.import(pieces: pieces(String(bandsJSON.dropLast(20)), of: 100, failing: true))
    }
    #expect(try await store.count(Band.all) == 0)
  }

  @Test func brokenJSONEndsTheStream() async throws {
    let store = try await Store(at: .scratch, for: Band.self)
    let endless = AsyncStream<[UInt8]>(unfolding: { Array("}}}".utf8) })
    await #expect(throws: ImportError.self) { try await store.import(pieces: endless, as: Band.self) }
  }

  @Test func cancellingRollsBack() async throws {
    let store = try await Store(at: .scratch, for: Band.self)
    let pieces = PausedPieces(#"[{"name": "Japan"},"#)
    let task = Task { try await store.import(pieces: pieces.stream, as: Band.self) }
    #expect(await eventually { pieces.isPaused })
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await store.count(Band.all) == 0)
  }

  @Test func progressIsTold() async throws {
    let store = try await Store(at: .scratch, for: Label.self)
    let json = "[" + (0..<50_000).map { "{\"name\": \"Label \($0)\"}" }.joined(separator: ",") + "]"
    let running = store.startImport(json, as: Label.self)
    var last = 0
    for await progress in running.progress {
      #expect(progress.objects >= last)
      #expect(progress.totalBytes == json.utf8.count)
      last = progress.objects
    }
    #expect(try await running.report.inserted["Label"] == 50_000)
    #expect(last == 50_000)
  }

  @Test func runningImportsCanBeEnded() async throws {
    let store = try await Store(at: .scratch, for: Label.self)
    let json = "[" + (0..<200_000).map { "{\"name\": \"Label \($0)\"}" }.joined(separator: ",") + "]"
    let running = store.startImport(json, as: Label.self)
    running.cancel()
    await #expect(throws: CancellationError.self) { try await running.report }
    #expect(try await store.count(Label.all) == 0)
  }

  @Test func exportsComeInPieces() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).sqlite")
    defer { try? FileManager.default.removeItem(at: file) }
    let store = try await Store(at: .file(file), for: Label.self)
    let json = "[" + (0..<20_000).map { "{\"name\": \"Label \($0)\"}" }.joined(separator: ",") + "]"
    try await store.import(json, as: Label.self)
    var (bytes, count) = (Data(), 0)
    for try await piece in store.exportStream(Label.all) {
      bytes += piece
      count += 1
    }
    #expect(count > 1)
    #expect(bytes == (try await store.export(Label.all)))
    // Who stops early stops the export.
    for try await _ in store.exportStream(Label.all) { break }
    try await store.delete(Label.self, "Label 1")
  }

  @Test func storesInMemoryCanBeAskedWhileTheirExportIsRead() async throws {
    let store = try await bandStore()
    for try await _ in store.exportStream(Band.all) { #expect(try await store.count(Band.all) == 2) }
  }

  @Test func namingAnotherObjectLeavesTheKnownOnes() async throws {
    let store = try await bandStore()
    var band = try #require(try await store.first(Band.filter(ids: ["Japan"]).prefetching(\.members)))
    band.members.insert(id: 9)
    #expect(band.members.count == 2)
    try await store.save(band)
    #expect(try await store.find("Band", "Japan").identity == "Japan")
  }

  @Test func exportsWithOtherRelationships() async throws {
    let store = try await bandStore()
    let options = ExportOptions.relationships(.nested(depth: 1))
    let expected = try await store.export(Band.all, options: options)
    #expect(try await store.export(Band.all, relationships: .nested(depth: 1)) == expected)
    let read = try await store.read { try $0.export(Band.all, relationships: .nested(depth: 1)) }
    #expect(read == expected)
    #expect(try await store.export(Band.all, relationships: .none) != expected)
  }

  @Test func exportsIntoFiles() async throws {
    let store = try await bandStore()
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try await store.export(Band.all, to: file, options: .relationships(.nested(depth: 1)))
    let again = try await Store(at: .scratch, for: Band.self)
    #expect(try await again.import(file, as: Band.self).inserted["Album"] == 3)
  }

  @Test func valuesAreImportedAsTheirJSON() async throws {
    struct NewBand: Encodable { var name: String; var formed: Int }
    let store = try await bandStore()
    let report = try await store.import(encoding: [NewBand(name: "Rush", formed: 1968)], as: Band.self)
    #expect(report.inserted == ["Band": 1])
    #expect(try await store.find(Band.self, "Rush").formed == 1968)
    struct Change: Encodable { var rating: Double }
    let japan = try await store.find(Band.self, "Japan")
    let (changed, _) = try await store.import(try ImportSource.value(Change(rating: 3)), onto: japan)
    #expect(changed.rating == 3)
  }

  @Test func datesOfValuesAreDatesWhateverTheFormatOfTheAttribute() async throws {
    struct NewVisit: Encodable { var id: Int; var opened: Date; var checked: Date; var written: String }
    let store = try await Store(at: .scratch, for: Visit.self)
    let date = Date(timeIntervalSinceReferenceDate: 801_000_000.25)
    let report = try await store.import(
      encoding: [NewVisit(id: 1, opened: date, checked: date, written: "13.11.1981")], as: Visit.self)
    #expect(report.issues == [])
    let visit = try await store.find(Visit.self, 1)
    #expect(visit.opened == date && visit.checked == date)
    #expect(visit.written == Date(timeIntervalSince1970: 374_457_600))
    // JSON from elsewhere has to be in the attribute's format.
    let foreign = try await store.import(#"[{"id": 2, "opened": "1981-11-13T00:00:00Z"}]"#, as: Visit.self)
    #expect(foreign.issueCount == 1)
  }

  @Test func objectsComeBackInTheOrderOfTheJSON() async throws {
    let store = try await bandStore()
    let (bands, report) = try await store.importObjects(
      #"[{"name": "Rush"}, {"name": "Japan"}, {"name": "Able"}]"#, as: Band.self)
    #expect(bands.map(\.name) == ["Rush", "Japan", "Able"])
    #expect(report.inserted["Band"] == 2)
  }

  @Test func importsIntoARelationshipOfOneObject() async throws {
    let store = try await bandStore()
    let japan = try await store.find(Band.self, "Japan")
    let report = try await store.import(
      #"[{"name": "Tin Drum"}, {"name": "Exorcising Ghosts", "year": 1984}]"#, into: japan.albums, prune: true
    )
    #expect(report.deleted == ["Album": 1])
    let names = try await store.fetch(japan.albums).map(\.name)
    #expect(names == ["Exorcising Ghosts", "Tin Drum"])
    #expect(try await store.exists(Album.self, "Spirit of Eden"))
  }

  @Test func pagesAreOneImport() async throws {
    let store = try await bandStore()
    var options = ImportOptions()
    options.prunes = true
    let report = try await store.import(
      [#"[{"name": "Japan"}]"#, #"[{"name": "Rush"}]"#], as: Band.self, options: options)
    #expect(report.deleted["Band"] == 1)
    #expect(try await store.fetch(Band.all).map(\.name) == ["Japan", "Rush"])
  }

  @Test func dryRunsChangeNothing() async throws {
    let store = try await bandStore()
    var options = ImportOptions()
    options.isDryRun = true
    let report = try await store.import(#"[{"name": "Rush"}]"#, as: Band.self, options: options)
    #expect(report.inserted == ["Band": 1])
    #expect(try await !store.exists(Band.self, "Rush"))
    try await store.write { [options] transaction in
      try transaction.import(#"[{"name": "Rush"}]"#, as: Band.self, options: options)
      #expect(try !transaction.exists(Band.self, "Rush"))
    }
  }

  @Test func typesDemandTheirValues() async throws {
    let store = try await bandStore()
    let report = try await store.import(
      #"[{"name": "Rush", "genre": "polka", "tags": {"a": 1}}]"#, as: Band.self)
    #expect(
      report.issues.map { "\($0.path): \($0.expected), \($0.found), \($0.action)" } == [
        "$[0].genre: one of \"rock\", \"pop\", \"ambient\", \"polka\", value left out",
        "$[0].tags: [String] as JSON, an object, value left out",
      ])
  }
}
