import CoreDataMaker
import Foundation
import JSONStream
import Mapping
import ObjectModel
import ObjectStore
import TestSettings
import Testing

/// Files as they are found: with a log, in a folder that may not be written, damaged, in use, or something else.
@Suite struct FileTests {
  private func message(_ path: String, _ versions: [ModelVersion] = []) -> String {
    do {
      _ = try CoreDataStore(path: path, model: versions)
      return "it was opened"
    } catch {
      return "\(error)"
    }
  }

  // MARK: - Nothing is written

  /// The names, sizes and times of what is in a folder.
  private func state(of folder: TemporaryFolder) throws -> [String: String] {
    var state: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
      state[name] = "\(attributes[.size] ?? 0) \(attributes[.modificationDate] ?? "")"
    }
    return state
  }

  @Test(arguments: [false, true], [false, true])
  func nothingIsWrittenBesideTheFile(hasLog: Bool, isReadOnly: Bool) throws {
    var contents = Bands.contents
    contents.options.keepsRowsInWAL = hasLog
    let fixture = try CoreDataFixture(contents)
    let before = try state(of: fixture.folder)
    if isReadOnly {
      for name in before.keys {
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o400], ofItemAtPath: fixture.folder.path(name))
      }
      try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: fixture.folder.url.path)
    }
    let source = try fixture.open()
    let target = try Store(path: ":memory:", model: source.model)
    let report = try Importer(target).run([.rows(source)])
    #expect(report.inserted == ["Band": 2, "Album": 2, "Manager": 1])
    #expect(try state(of: fixture.folder) == before)
  }

  // MARK: - What is no Core Data store

  @Test func otherFilesAreRefused() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("file")
    #expect(message(path).hasSuffix("there is no such file."))
    try Data().write(to: URL(fileURLWithPath: path))
    #expect(
      message(path) == "\(path) is not a Core Data store: it is no SQLite database, or it is encrypted.")
    try Data((0..<8192).map { UInt8(truncatingIfNeeded: $0 &* 167) }).write(to: URL(fileURLWithPath: path))
    #expect(message(path).hasSuffix("it is no SQLite database, or it is encrypted."))
    #expect(message(folder.url.path).hasSuffix("it is no SQLite database, or it is encrypted."))
  }

  @Test func aStoreWhoseLogWasLeftBehindIsToldSo() throws {
    var contents = Bands.contents
    contents.options.keepsRowsInWAL = true
    let fixture = try CoreDataFixture(contents)
    try FileManager.default.removeItem(atPath: fixture.path + "-wal")
    #expect(
      message(fixture.path).hasSuffix(
        "its table Z_PRIMARYKEY is empty, so that it names no entities; if there was a file App.sqlite-wal beside it,"
          + " copy that too: it may have all rows."))
  }

  @Test func storesOfOursAreRefused() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("ours.sqlite")
    let store = try Store(path: path, model: Bands.model)
    _ = try Importer(store).run([.string(#"{"Manager": [{"name": "Simon"}]}"#)])
    try store.close()
    #expect(message(path).contains("it is a store of Broker's, not of Core Data"))
    #expect(!CoreDataStore.isThere(at: path))
  }

  // MARK: - Models that do not fit

  @Test func theVersionThatFitsIsFound() throws {
    var older = Bands.model
    older.entities[1].attributes.removeLast()
    var newer = Bands.model
    newer.entities[1].attributes.append(Attribute(name: "label", type: .string, isOptional: true))
    var contents = Bands.contents
    contents.options.modelCache = .missing
    let fixture = try CoreDataFixture(contents)
    let versions = [
      ModelVersion(name: "3", model: newer), ModelVersion(name: "2", model: Bands.model),
      ModelVersion(name: "1", model: older),
    ]
    let source = try fixture.open(versions)
    #expect(source.modelOrigin == .given(version: "2"))
    #expect(source.notes.contains("version 2 of the model fits"))
    #expect(
      message(fixture.path, [versions[0], versions[2]])
        == "No version of the model fits the Core Data store \(fixture.path). The nearest is 3: Album.label: there is no"
        + " column ZLABEL in ZALBUM.")
  }

  @Test func rowsOfNoEntityAreTold() throws {
    let fixture = try CoreDataFixture(Bands.contents)
    try SQLiteFile(fixture.path).run("UPDATE ZALBUM SET Z_ENT = 77 WHERE Z_PK = 1")
    let report = try fixture.run(try fixture.open())
    #expect(report.inserted["Album"] == 1)
    #expect(report.issues.map(\.found) == ["1 row of the entity 77, which the model does not have there"])
  }

  @Test func endsThatDisagreeAreTold() throws {
    let fixture = try CoreDataFixture(
      Bands.contents { $0[1].links["manager"] = [StoreLink("Manager", 1)] })
    let report = try fixture.run(try fixture.open())
    #expect(
      report.issues.map { "\($0.path) \($0.expected): \($0.found)" } == [
        "Band/p4.manager Manager/p1, whose band leads back: one whose band is Band/p1"
      ])
    #expect(try fixture.exported()["Band"]?["Band/p1"]?["manager"] == "Manager/p1")
  }

  @Test func theEndThatLeadsSomewhereCounts() throws {
    let fixture = try CoreDataFixture(Bands.contents { $0[0].links["manager"] = nil })
    let report = try fixture.run(try fixture.open())
    #expect(report.issues.map(\.path) == ["Manager/p1.band"])
    #expect(try fixture.exported()["Band"]?["Band/p1"]?["manager"] == "Manager/p1")
  }

  @Test func aReferenceToNothingIsPending() throws {
    let fixture = try CoreDataFixture(Bands.contents { $0[2].links["band"] = [StoreLink("Band", 99)] })
    let report = try fixture.run(try fixture.open())
    #expect(
      report.pending.map { "\($0.identity).\($0.relationship) \($0.key)" } == ["Album/p1.band Band/p99"])
  }

  // MARK: - Damage

  /// A store with random bytes changed gives an error or a report; it never ends the process.
  @Test(arguments: Seeds.first(60, long: 600))
  func damagedFilesAreAnErrorOrAReport(seed: UInt64) throws {
    let model = RandomCoreDataModel.model(seed: seed % 5, forStores: true)
    var contents = StoreContents(model, RandomCoreDataObjects.objects(of: model, seed: seed))
    if seed % 3 == 0 { contents.options.modelCache = .missing }
    let fixture = try CoreDataFixture(contents)
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: fixture.path)))
    var random = Seeded(state: seed)
    for _ in 0..<(1 + random.below(30)) {
      // Damage to the header only makes it no database.
      let place = 100 + random.below(bytes.count - 100)
      bytes[place] = UInt8(random.below(256))
    }
    if random.one(in: 5) { bytes.removeLast(random.below(bytes.count / 2)) }
    try Data(bytes).write(to: URL(fileURLWithPath: fixture.path))
    do {
      let source = try fixture.open()
      let target = try Store(path: ":memory:", model: source.model)
      _ = try Importer(target).run([.rows(source)])
    } catch let error as StoreError {
      #expect(!"\(error)".isEmpty)
    } catch is SchemaError {
    } catch is ImportError {
    } catch is PlanError {
    }
  }

  // MARK: - A store in use

  @Test func aStoreThatIsWrittenToIsReadAsOfOneMoment() throws {
    let fixture = try CoreDataFixture(Bands.contents)
    let path = fixture.path
    // Both are changed together: no reader may see one without the other.
    try SQLiteFile(path).run("PRAGMA journal_mode = WAL; UPDATE ZALBUM SET ZYEAR = 0")
    let isDone = Locked(false)
    let hasEnded = DispatchSemaphore(value: 0)
    let writer = Thread {
      defer { hasEnded.signal() }
      guard let file = try? SQLiteFile(path) else { return }
      for count in 1... where !isDone.withLock({ $0 }) {
        try? file.run(
          "BEGIN; UPDATE ZALBUM SET ZYEAR = \(count) WHERE Z_PK = 1;"
            + " UPDATE ZALBUM SET ZYEAR = \(count) WHERE Z_PK = 2; COMMIT")
        if count % 50 == 0 { try? file.run("PRAGMA wal_checkpoint(TRUNCATE)") }
        if isDone.withLock({ $0 }) { return }
      }
    }
    writer.start()
    var seen: Set<JSONValue> = []
    for _ in 0..<30 {
      do {
        let source = try CoreDataStore(path: path)
        let target = try Store(path: ":memory:", model: source.model)
        _ = try Importer(target).run([.rows(source)])
        let albums = try CoreDataFixture.exported(target)["Album"] ?? [:]
        let years = albums.values.compactMap { $0["year"] }
        #expect(years.count == 2)
        #expect(years.first == years.last)
        seen.formUnion(years)
      } catch let error as StoreError {
        #expect("\(error)".hasSuffix("Try again."), "\(error)")
      }
    }
    isDone.withLock { $0 = true }
    hasEnded.wait()
    #expect(seen.count > 1)
  }
}
