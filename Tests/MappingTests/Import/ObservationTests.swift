import Mapping
import ObjectModel
import ObjectStore
import Testing

/// What observers are told of imports.
@Suite struct ObservationTests {
  private let bands = """
    Band
      id: integer64
      name: string
      albums: [Album] <- band | delete=cascade
      tags: [Tag] <- bands
    Trio : Band
      leader: string
    Album
      id: integer64
      band: Band <- albums
    Tag
      id: integer64
      bands: [Band] <- tags
    """
  private let json = #"""
    {"bands": [{"id": 1, "albums": [{"id": 1}, {"id": 2}], "tags": [1, {"id": 2}]}, {"id": 2}],
     "trios": [{"id": 3, "leader": "Paul"}]}
    """#

  private final class TestJSON: Sendable {
    let changes = Locked<[ObjectChanges]>([])
  }

  /// Runs `body`, and returns what observers are told: how many objects of which entity, a commit an element.
  private func changes(_ fixture: Fixture, _ body: () throws -> Void) throws -> [String] {
    let told = TestJSON()
    let token = fixture.store.observe { changes in told.changes.withLock { $0.append(changes) } }
    let observerCheck = ObserverCheck(fixture.store)
    try observerCheck.watch(body)
    token.cancel()
    let entities = fixture.store.layout.schema.entities
    return told.changes.withLock { $0 }.map { changes in
      #expect(changes.isImport && changes.isComplete)
      var counts: [String: Int] = [:]
      for inTable in changes.tables.values {
        for (sign, objects) in [("+", inTable.inserted), ("~", inTable.updated), ("-", inTable.deleted)] {
          for object in objects { counts["\(entities[object.entity].name) \(sign)", default: 0] += 1 }
        }
      }
      return counts.sorted { $0.key < $1.key }.map { "\($0.key)\($0.value)" }.joined(separator: ", ")
    }
  }

  @Test(arguments: [true, false])
  func theFirstImport(isInFile: Bool) throws {
    let directory = try TemporaryDirectory()
    let fixture = try Fixture(
      bands, entity: "Band", path: isInFile ? directory.path("bands.sqlite") : ":memory:")
    #expect(try changes(fixture) { try fixture.load(json) } == ["Album +2, Band +2, Tag +1, Trio +1"])
    #expect(try changes(fixture) { try fixture.load(json) } == [])
    #expect(
      try changes(fixture) { try fixture.load(#"[{"id": 2, "tags": [2], "name": "x"}]"#) }
        == ["Band ~1, Tag ~1"])
  }

  @Test func whatIsNotKeptIsNotTold() throws {
    let fixture = try Fixture(bands, entity: "Band")
    #expect(try changes(fixture) { try fixture.load(json) { $0.isDryRun = true } } == [])
    #expect(try changes(fixture) { _ = try? fixture.load(json + "]") } == [])
    #expect(try changes(fixture) { try fixture.load(json) }.count == 1)
    #expect(try changes(fixture) { _ = try? fixture.load(#"[{"id": 7}, {"id": "#) } == [])
  }

  @Test func pruning() throws {
    let fixture = try Fixture(bands, entity: "Band")
    try fixture.load(json)
    let some = #"[{"id": 1, "name": "y"}]"#
    let limited = try changes(fixture) {
      try fixture.load(some) { options in
        options.prunes = true
        options.maximumDeletions = .objects(1)
      }
    }
    #expect(limited == ["Band ~1"])
    #expect(try changes(fixture) { try fixture.load(some) { $0.prunes = true } } == ["Band -1, Trio -1"])
    #expect(
      try changes(fixture) { try fixture.load("[]") { $0.prunes = true } } == ["Album -2, Band -1, Tag ~1"])
  }
}
