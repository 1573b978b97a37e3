import CoreDataMaker
import Foundation
import GRDBSQLite
import JSONStream
import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Stores whose app did not hold its own rules, that were renamed, or that come from elsewhere.
@Suite struct TakeoverTests {
  private func change(_ fixture: CoreDataFixture, _ sql: String) throws {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    try #require(sqlite3_open(fixture.path, &database) == SQLITE_OK)
    try #require(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
  }

  @Test func entitiesThatWereRenamedAreFoundByTheirIdentifier() throws {
    var contents = Bands.contents
    contents.model.entities[0].renamingIdentifier = "Group"
    let fixture = try CoreDataFixture(contents)
    try change(fixture, "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Group' WHERE Z_NAME = 'Band'")
    let report = try fixture.run(try fixture.open())
    #expect(report.inserted == ["Band": 2, "Album": 2, "Manager": 1])
    #expect(report.issueCount == 0)
    #expect(report.notes.last == "5 of 5 objects of the file")
    #expect(try fixture.exported()["Album"]?["Album/p1"]?["band"] == "Band/p1")
  }

  @Test func aTableMayHaveTheFormerNameToo() throws {
    var contents = Bands.contents
    contents.model.entities[0].renamingIdentifier = "Group"
    let fixture = try CoreDataFixture(contents)
    try change(
      fixture,
      "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Group' WHERE Z_NAME = 'Band'; ALTER TABLE ZBAND RENAME TO ZGROUP")
    #expect(try fixture.run(try fixture.open()).inserted["Band"] == 2)
  }

  @Test func anotherFileIsAskedFor() throws {
    let fixture = try CoreDataFixture(Bands.contents)
    let first = try fixture.open()
    let uuid = try #require(first.uuid)
    try fixture.run(first)
    var contents = Bands.contents
    contents.options.uuid = "AAAAAAAA-0000-0000-0000-000000000001"
    try FileManager.default.removeItem(atPath: fixture.path)
    try StoreMaker.make(contents, at: fixture.path)
    var options = CoreDataStore.Options()
    options.knownFiles = [uuid]
    let error = #expect(throws: StoreError.self) { try fixture.open([], options) }
    #expect(
      error.map { "\($0)" }?.contains("is another file than the one whose objects the store has") == true)
    // A caller who does not look what the store has is told so by the import.
    let unasked = try fixture.open()
    #expect(throws: StoreError.self) { try fixture.run(unasked) }
    // A copy of the store knows its files too.
    try fixture.copy()
    #expect(throws: StoreError.self) { try fixture.run(unasked) }
    options.addsAnotherFile = true
    let report = try fixture.run(try fixture.open([], options))
    #expect(report.inserted == ["Band": 2, "Album": 2, "Manager": 1])
    #expect(
      try fixture.exported()["Album"]?["\(contents.options.uuid)/Album/p1"]?["band"]
        == .string("\(contents.options.uuid)/Band/p1"))
    // Once it is known, it needs no word.
    options.addsAnotherFile = false
    options.knownFiles.append(contents.options.uuid)
    #expect(try !fixture.run(try fixture.open([], options)).changesAnything)
  }

  @Test func anEmptyTableProvesNoIdentity() throws {
    var contents = Bands.contents { objects in
      objects.removeAll { $0.entity == "Manager" || $0.entity == "Band" }
    }
    for index in contents.objects.indices { contents.objects[index].links = [:] }
    contents.model.entities[2].attributes.append(Attribute(name: "id", type: .integer64, isOptional: true))
    let fixture = try CoreDataFixture(contents)
    let source = try fixture.open()
    #expect(
      source.notes.contains {
        $0.hasPrefix("Manager is identified by objectID, Core Data's own key: id is one by its name only")
      })
  }

  @Test func objectsThatComeToOneIdentityAreAnIssue() throws {
    var contents = Bands.contents
    contents.options.hasConstraints = false
    let fixture = try CoreDataFixture(contents)
    var target = Bands.model
    target.entities[0].userInfo["broker.identity"] = "name"
    var options = CoreDataStore.Options()
    options.target = target
    try change(fixture, "UPDATE ZBAND SET ZNAME = 'Japan'")
    let report = try fixture.run(try fixture.open([], options))
    #expect(
      report.issues.contains {
        $0.expected == "one object with the identity Japan" && $0.found == "2 objects"
      })
    #expect(report.notes.last == "4 of 5 objects of the file")
  }

  @Test func rulesThatTheAppDidNotHoldAreRelaxed() throws {
    var contents = Bands.contents
    contents.model.entities[0].attributes[0].maximum = "5"
    contents.model.entities[0].attributes[5].minimum = "6"
    contents.model.entities[0].attributes[5].isOptional = false
    contents.model.entities[0].relationships[0].isOptional = false
    contents.model.entities[0].relationships[0].minimumCount = 1
    contents.model.entities[1].attributes[0].pattern = "[A-Z][a-z]+"
    contents.model.entities[1].relationships[0].isOptional = false
    let fixture = try CoreDataFixture(contents)
    try change(fixture, "UPDATE ZALBUM SET ZBAND = 99 WHERE Z_PK = 2; UPDATE ZBAND SET ZMEMBERS = 5")
    let source = try fixture.open()
    let report = try fixture.run(source)
    #expect(report.notes.last == "5 of 5 objects of the file")
    #expect(report.skipped == [:])
    for note in [
      "Band.name has bounds that 1 value exceed: the rule is left out",
      "Band.members has bounds that 2 values exceed: the rule is left out",
      "Album.title has a pattern that 2 values do not match: the rule is left out",
      "Band.albums has a number of objects that 1 object lacks: it is optional now",
      "Album.band is required by the model, that 1 object lacks: it is optional now",
    ] { #expect(source.notes.contains(note), "\(source.notes)") }
  }

  /// The copies of Core Data stores in the temporary folder, also those of tests that run now.
  private func copies() throws -> Set<String> {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: FileManager.default.temporaryDirectory.path)
    return Set(names.filter { $0.hasPrefix("broker-coredata-") })
  }

  @Test func aCopyOfADamagedStoreGoes() async throws {
    let before = try copies()
    let folder = try TemporaryFolder()
    let path = folder.path("App.sqlite")
    try Data("SQLite format 3\0".utf8 + [UInt8](repeating: 7, count: 5000)).write(to: URL(filePath: path))
    try Data([1, 2, 3]).write(to: URL(filePath: path + "-wal"))
    #expect(throws: StoreError.self) { try CoreDataStore(path: path) }
    var left = try copies().subtracting(before)
    for _ in 0..<600 where !left.isEmpty {
      try await Task.sleep(for: .milliseconds(100))
      left.formIntersection(try copies())
    }
    #expect(left.isEmpty)
  }
}
