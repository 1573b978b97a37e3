import Foundation
import Mapping
import MemoryEngine
import ObjectModel
import ObjectStore
import Testing

/// Imports that commit in chunks.
@Suite struct ChunkTests {
  private func fixture(path: String = ":memory:") throws -> Fixture {
    try Fixture(
      """
      Band | unique=name
        name: string
        formed: integer16
        albums: [Album] <- band
        members: [Musician] <- bands | ordered
      Album | unique=title
        title: string
        band: Band <- albums
        tracks: [Track] <- album | delete=cascade ordered
      Track
        title: string
        album: Album <- tracks
      Musician
        id: integer64
        bands: [Band] <- members
        rival: Musician <- rival
      """, entity: "Band", path: path)
  }

  /// Imports JSON chunk by chunk, with others between.
  private func load(
    _ fixture: Fixture, _ json: String, _ chunks: ImportChunks,
    _ adjust: (inout ImportOptions) -> Void = { _ in },
    between: (Int) throws -> Void = { _ in }
  ) throws -> Report {
    var options = fixture.options
    options.chunks = chunks
    adjust(&options)
    let chunked = try ChunkedImport(
      Importer(fixture.store, options), [.string(json)], { false }, progress: nil)
    let twin = try fixture.twin.map {
      try ChunkedImport(Importer($0, options), [.string(json)], { false }, progress: nil)
    }
    do {
      for number in 1... {
        _ = try fixture.store.transaction { (try chunked.writeChunk(in: $0), .commit) }
        chunked.noteCommit()
        if let twin {
          _ = try fixture.twin?.transaction(isCancelled: nil) { (try twin.writeChunk(in: $0), .commit) }
          twin.noteCommit()
        }
        if let report = chunked.report {
          if let store = fixture.twin, let found = twin?.report {
            try Twin.compare(.success(report), fixture.store, .success(found), store)
          }
          return report
        }
        try between(number)
      }
    } catch {
      _ = twin?.fail(error)
      if let store = fixture.twin { try Twin.compare(fixture.store, store) }
      throw chunked.fail(error)
    }
    throw CancellationError()
  }

  private static let document = """
    [{"name": "Japan", "formed": 1974, "albums": [{"title": "Tin Drum", "tracks": [{"title": "a"}, {"title": "b"}]}],
      "members": [{"id": 2, "rival": 1}, 1]},
     {"name": "Rush", "formed": "soon", "albums": ["2112", {"title": "Signals"}], "members": [3, 1]},
     {"name": "Dalis Car", "albums": ["Tin Drum", "Waking Hour"], "members": [{"id": 4}]},
     {"name": "Japan", "formed": 1975, "members": [{"id": 1}, {"id": 2}]},
     {"name": "Rain Tree Crow", "albums": [{"title": "Rain Tree Crow", "tracks": []}, "Signals"], "members": []},
     {"formed": 1, "albums": [{"title": "nobody's"}]},
     {"name": "Trio", "members": [{"id": 5, "rival": {"id": 6}}, 3]}]
    """

  @Test(arguments: [1, 2, 3, 5, 7, 100])
  func theStoreIsTheSameAsAfterOneTransaction(_ count: Int) throws {
    let (whole, chunked) = (try fixture(), try fixture())
    for _ in 1...2 {
      let expected = try whole.load(Self.document)
      let report = try load(chunked, Self.document, .objects(count))
      #expect(report.problems.sorted() == expected.problems.sorted())
      #expect(report.waiting.sorted() == expected.waiting.sorted())
      #expect(report.pendingCount == expected.pendingCount)
      #expect(report.skipped == expected.skipped)
      #expect(report.bytes == expected.bytes)
      #expect(expected.chunks == nil)
      let tables = ["Band", "Album", "Musician", "Track"]
      for table in tables {
        #expect(try chunked.exported(table) == (try whole.exported(table)))
      }
    }
  }

  @Test func objectsAreCountedOnce() throws {
    let fixture = try fixture()
    let json = #"[{"name": "a"}, {"name": "b"}, {"name": "a", "formed": 1970}, {"name": "b"}]"#
    let report = try load(fixture, json, .objects(1))
    #expect(report.counts == "Band +2, 2x")
    #expect(report.chunks == 4)
  }

  @Test func chunksOfBytes() throws {
    let fixture = try fixture().alone()
    let bands = (0..<20_000).map { #"{"name": "band \#($0)", "formed": 1970}"# }
    let report = try load(fixture, "[" + bands.joined(separator: ",") + "]", .bytes(1))
    #expect(report.inserted == ["Band": 20_000])
    #expect((report.chunks ?? 0) > 2)
  }

  @Test func whatWasCommittedStaysWhereTheJSONIsBroken() throws {
    let fixture = try fixture().alone()
    let bands = (0..<50_000).map { #"{"name": "band \#($0)"}"# }.joined(separator: ",")
    let error = #expect(throws: PartialImportError.self) {
      try load(fixture, "[" + bands + ", nonsense", .objects(1_000)) { $0.prunes = true }
    }
    // What is read at a time is written once all of it can be read.
    let count = try #require(error).objects
    #expect(count >= 20_000 && count < 50_000 && count.isMultiple(of: 1_000))
    #expect(error?.report.inserted == ["Band": count])
    #expect((error?.cause as? ImportError)?.place?.line == 1)
    let words = "\(try #require(error))"
    #expect(words.contains("committed before that") && !words.contains("Nothing was changed"))
    #expect(try fixture.rows("SELECT count(*) FROM Band") == ["\(count)"])
    // The same again, mended, goes on.
    let report = try load(fixture, "[" + bands + "]", .objects(1_000))
    #expect(report.counts == "Band +\(50_000 - count) =\(count)")
  }

  @Test func theFirstIssueOfAStrictImportUndoesItsChunkOnly() throws {
    let fixture = try fixture()
    let json = #"[{"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "d", "formed": "soon"}]"#
    let error = #expect(throws: PartialImportError.self) {
      try load(fixture, json, .objects(2)) { $0.isStrict = true }
    }
    #expect((error?.cause as? ImportError)?.issue?.path == "$[3].formed")
    #expect(error?.objects == 2 && error?.report.chunks == 1 && error?.isCancellation == false)
    #expect(try fixture.rows("SELECT name FROM Band") == ["a", "b"])
  }

  @Test func whatFailsBeforeTheFirstCommitIsNotPartial() throws {
    let fixture = try fixture()
    #expect(throws: ImportError.self) { try load(fixture, "nonsense", .objects(1)) }
    #expect(throws: ImportError.self) {
      try load(fixture, #"[{"name": "d", "formed": "soon"}]"#, .objects(1)) { $0.isStrict = true }
    }
    #expect(try fixture.rows("SELECT count(*) FROM Band") == ["0"])
  }

  @Test func cancelling() throws {
    let fixture = try fixture()
    var options = fixture.options
    options.chunks = .objects(1)
    let count = Locked(0)
    let bands = (0..<50).map { #"{"name": "band \#($0)"}"# }
    let error = #expect(throws: PartialImportError.self) {
      try Importer(fixture.store, options).run(
        [.string("[" + bands.joined(separator: ",") + "]")],
        isCancelled: {
          count.withLock { count in
            count += 1
            return count > 20
          }
        })
    }
    #expect(error?.isCancellation == true)
    #expect(error?.description.hasPrefix("Interrupted. The first ") == true)
    #expect(try fixture.rows("SELECT count(*) FROM Band") == ["\(error?.objects ?? 0)"])
  }

  // MARK: - Pruning

  @Test(arguments: [1, 2, 10])
  func pruningIsDoneInTheEnd(_ count: Int) throws {
    let fixture = try fixture()
    try fixture.load(#"[{"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "d"}]"#)
    let report = try load(fixture, #"[{"name": "a"}, {"name": "d"}, {"name": "e"}]"#, .objects(count)) {
      $0.prunes = true
    }
    #expect(report.counts == "Band +1 =2 -2")
    #expect(report.deletedObjects.map(\.identity) == ["b", "c"])
    #expect(try fixture.rows("SELECT name FROM temp.sqlite_schema WHERE name LIKE 'broker_before%'") == [])
  }

  @Test func nothingIsPrunedWhereAChunkHadSkipped() throws {
    let fixture = try fixture()
    try fixture.load(#"[{"name": "a"}]"#)
    let report = try load(fixture, #"[{"formed": 1}, {"name": "b"}, {"name": "c"}]"#, .objects(1)) {
      $0.prunes = true
    }
    #expect(report.deleted == [:] && report.issueCount == 2)
    #expect(try fixture.rows("SELECT name FROM Band") == ["a", "b", "c"])
  }

  @Test func whatOthersMakeMeanwhileIsNotPruned() throws {
    let fixture = try fixture()
    try fixture.load(#"[{"name": "a"}, {"name": "b"}]"#)
    let report = try load(fixture, #"[{"name": "a"}, {"name": "c"}]"#, .objects(1)) {
      $0.prunes = true
    } between: { number in
      if number == 1 { try fixture.load(#"[{"name": "made meanwhile"}]"#) }
    }
    #expect(report.deletedObjects.map(\.identity) == ["b"])
    #expect(try fixture.rows("SELECT name FROM Band ORDER BY name") == ["a", "c", "made meanwhile"])
  }

  @Test func rowsThatAreUsedAgainAreOthers() throws {
    let fixture = try fixture()
    try fixture.load(#"[{"name": "a"}, {"name": "b"}]"#)
    let report = try load(fixture, #"[{"name": "a"}, {"name": "c"}]"#, .objects(1)) {
      $0.prunes = true
    } between: { number in
      guard number == 1 else { return }
      // The row of b becomes that of another.
      try fixture.load("[]") { $0.pruneCondition = try? ObjectPredicate(format: "name == 'b'") }
      try fixture.load(#"[{"name": "made meanwhile"}]"#)
    }
    #expect(report.deleted == [:])
    #expect(
      try fixture.rows("SELECT rowid, name FROM Band ORDER BY rowid") == ["1 a", "2 made meanwhile", "3 c"])
  }

  @Test func aFailedImportLeavesNoTables() throws {
    let fixture = try fixture()
    try fixture.load(#"[{"name": "a"}]"#)
    #expect(throws: PartialImportError.self) {
      try load(fixture, #"[{"name": "a"}, {"name": "b"}, {"formed": 1}]"#, .objects(1)) {
        $0.prunes = true
        $0.isStrict = true
      }
    }
    _ = try load(fixture, #"[{"name": "a"}]"#, .objects(1)) { $0.prunes = true }
    #expect(try fixture.rows("SELECT name FROM temp.sqlite_schema WHERE name LIKE 'broker_before%'") == [])
    #expect(try fixture.rows("SELECT name FROM Band") == ["a"])
  }

  @Test func anObjectThatAListPrunesMayBeInALaterOne() throws {
    let fixture = try fixture()
    try fixture.load(
      """
      [{"name": "a", "albums": [{"title": "moves", "tracks": [{"title": "t"}]}, {"title": "goes"}]}, {"name": "b"}]
      """)
    let report = try load(
      fixture, #"[{"name": "a", "albums": []}, {"name": "b", "albums": ["moves"]}]"#, .objects(1)
    ) {
      $0.toMany = .prune
    } between: { _ in
      let count = try fixture.rows("SELECT count(*) FROM Album")
      #expect(count == ["2"])
    }
    #expect(report.deletedObjects.map(\.identity) == ["goes"])
    #expect(try fixture.rows("SELECT title, band FROM Album") == ["moves b"])
    #expect(try fixture.rows("SELECT title FROM Track") == ["t"])
  }

  // MARK: - Others

  @Test func aChunkSeesWhatOthersWrote() throws {
    let fixture = try fixture()
    let json = #"[{"name": "a", "formed": 1}, {"name": "b", "formed": 2}, {"name": "c", "formed": 3}]"#
    let report = try load(fixture, json, .objects(1)) { _ in
    } between: { number in
      if number == 1 { try fixture.load(#"[{"name": "c", "formed": 7}, {"name": "a", "formed": 8}]"#) }
    }
    #expect(report.counts == "Band +2 ~1")
    #expect(try fixture.rows("SELECT name, formed FROM Band") == ["a 8", "c 3", "b 2"])
  }

  @Test func anObjectNeedsWhatItRequiresInItsChunk() throws {
    let needs = try Fixture(
      """
      Owner
        id: integer64
        things: [Thing] <- owner
      Thing
        id: integer64
        owner: Owner! <- things
      """)
    let json = #"{"things": [{"id": 1}, {"id": 2}], "owners": [{"id": 7, "things": [1, 2]}]}"#
    let whole = try needs.load(json)
    #expect(whole.counts == "Owner +1, Thing +2")
    let other = try Fixture(model: needs.store.model)
    let report = try load(other, json, .objects(2))
    #expect(report.counts == "Owner +1, Thing !2")
    #expect(report.problems.count == 2)
    #expect(report.pendingCount == 2)
  }

  @Test func aDryRunIsOneTransaction() throws {
    let fixture = try fixture()
    var options = fixture.options
    options.chunks = .objects(1)
    options.isDryRun = true
    let report = try fixture.load([.string(#"[{"name": "a"}, {"name": "b"}]"#)], options)
    #expect(report.counts == "Band +2" && report.chunks == nil)
    #expect(try fixture.rows("SELECT count(*) FROM Band") == ["0"])
  }

  @Test func referencesThatMustBeThereAreLookedForInTheEnd() throws {
    let fixture = try fixture()
    let json = #"[{"name": "a", "members": [9]}, {"name": "b", "members": [{"id": 9}]}, {"name": "c"}]"#
    let report = try load(fixture, json, .objects(1)) { $0.references = .error }
    #expect(report.counts == "Band +3, Musician +1")
    let error = #expect(throws: PartialImportError.self) {
      try load(fixture, #"[{"name": "d", "members": [10]}, {"name": "e"}]"#, .objects(1)) {
        $0.references = .error
      }
    }
    #expect(error?.objects == 1)
  }
}
