import Foundation
import Mapping
import ObjectModel
import ObjectStore
import Testing

/// A store that is opened again, with its own model, another, or none.
@Suite struct ReopeningTests {
  private let bands = """
    Band
      id: integer64
      name: string
      albums: [Album] <- band
    Album
      id: integer64
      band: Band <- albums
    """

  /// A store file with one band in it.
  private func storeFile() throws -> (directory: TemporaryDirectory, path: String) {
    let directory = try TemporaryDirectory()
    let path = directory.path("bands.sqlite")
    let fixture = try Fixture(bands, entity: "Band", path: path)
    try fixture.load(#"{"id": 1, "name": "Japan", "albums": [5]}"#)
    try fixture.store.close()
    return (directory, path)
  }

  @Test func theStoreRemembersItsModel() throws {
    let (directory, path) = try storeFile()
    let fixture = try Fixture(model: nil, path: path)
    #expect(try fixture.store.model == model(bands))
    #expect(try fixture.load(#"{"albums": [{"id": 5}]}"#).counts == "Album +1")
    #expect(try fixture.rows("SELECT * FROM Album") == ["5 1"])
    _ = directory
  }

  @Test(arguments: [
    ("  name: string", "  name: integer16", ["Band.name", "string", "integer16"]),
    ("  name: string", "  name: string\n  formed: date", ["Band.formed is new"]),
    ("  name: string\n", "", ["Band.name is removed"]),
    ("Album\n", "Album | unique=id\nLabel\n", ["Label is new"]),
    ("  id: integer64\n  name", "  id: string\n  name", ["Band.id"]),
    ("  albums: [Album] <- band", "  albums: [Album] <- band | ordered", ["Band.albums has an order"]),
    ("Band\n", "Band | identityAttributes=name\n", ["Band is identified by name, was id"]),
    ("Band\n", "Band | index=name\n", ["Band has an index of name"]),
  ])
  func aChangedModelIsRefusedIfThatIsAskedFor(_ old: String, _ new: String, _ words: [String]) throws {
    let (directory, path) = try storeFile()
    let changed = try model(bands.replacing(old, with: new, maxReplacements: 1))
    let before = try Data(contentsOf: URL(filePath: path))
    var options = Store.Options()
    options.migration = .refused
    let error = #expect(throws: StoreError.self) { try Store(path: path, model: changed, options: options) }
    for word in words {
      #expect(error?.description.contains(word) == true, "\(word): \(error?.description ?? "")")
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    let fixture = try Fixture(model: nil, path: path)
    #expect(try fixture.rows("SELECT name FROM Band") == ["Japan"])
    _ = directory
  }

  @Test func aChangeThatNeedsNoOtherTablesIsTaken() throws {
    let (directory, path) = try storeFile()
    let changed = try model(bands.replacing("  name: string", with: "  name: string | broker.key=title"))
    let fixture = try Fixture(model: changed, entity: "Band", path: path)
    try fixture.load(#"{"id": 1, "title": "XTC"}"#)
    #expect(try Fixture(model: nil, path: path).store.model == changed)
    #expect(try fixture.rows("SELECT name FROM Band") == ["XTC"])
    _ = directory
  }

  @Test func whatIsNoStoreIsLeftAlone() throws {
    let directory = try TemporaryDirectory()
    let text = try directory.write(
      "this is no database, but long enough to look like one. " + bands, to: "text")
    #expect(throws: StoreError.self) { try Store(path: text, model: model(bands)) }
    #expect(try String(contentsOfFile: text, encoding: .utf8).hasPrefix("this is no database"))
    #expect(throws: StoreError.self) { try Store(path: directory.url.path, model: model(bands)) }
    #expect(throws: StoreError.self) { try Store(path: directory.path("new"), model: nil) }
    #expect(throws: StoreError.self) {
      try Store(path: directory.path("no/such/folder"), model: model(bands))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path) == ["text"])
  }

  @Test func anotherProgramsDatabaseIsLeftAlone() throws {
    let (directory, path) = try storeFile()
    let fixture = try Fixture(model: nil, path: path)
    try fixture.store.transaction { transaction in
      try transaction.execute("DROP TABLE broker_store")
      return ((), .commit)
    }
    try fixture.store.close()
    let error = #expect(throws: StoreError.self) { try Store(path: path, model: model(bands)) }
    #expect(error?.description.contains("Broker did not make") == true)
    _ = directory
  }

  @Test func aFailedImportLeavesNoNewFile() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("bands.sqlite")
    for json in ["[", #"[{"id": 1}"#] {
      let fixture = try Fixture(bands, entity: "Band", path: path)
      #expect(throws: ImportError.self) { try fixture.load(json) }
      try fixture.store.close()
    }
    let rehearsal = try Fixture(bands, entity: "Band", path: path)
    try rehearsal.load(#"{"id": 1}"#) { $0.isDryRun = true }
    try rehearsal.store.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path) == [])
  }

  @Test func aStoreThatIsReadOnlyIsNotWritten() throws {
    let (directory, path) = try storeFile()
    let store = try Store(path: path, access: .readOnly)
    var options = ImportOptions()
    options.entity = "Band"
    #expect(throws: StoreError.self) { try Importer(store, options).run([.string(#"{"id": 2}"#)]) }
    #expect(try Fixture(model: nil, path: path).rows("SELECT id FROM Band") == ["1"])
    _ = directory
  }

  @Test func theSameImportIntoAFileWritesNoMoreThanItsRecord() throws {
    let (directory, path) = try storeFile()
    let fixture = try Fixture(model: nil, entity: "Band", path: path)
    try fixture.load(#"{"id": 1, "name": "Japan"}"#)
    let before = try Data(contentsOf: URL(filePath: path))
    let log = (try? Data(contentsOf: URL(filePath: path + "-wal")))?.count ?? 0
    #expect(try fixture.load(#"{"id": 1, "name": "Japan"}"#).counts == "Band =1")
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    // One page of the history.
    let added = ((try? Data(contentsOf: URL(filePath: path + "-wal")))?.count ?? 0) - log
    #expect(added <= 4096 + 56)
    _ = directory
  }
}
