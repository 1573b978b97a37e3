import Foundation
import Mapping
import ObjectModel
import ObjectStore
import TestSettings
import Testing

/// A store that goes through versions is what an import of its export into the last version makes.
@Suite("Versions: random") struct RandomVersionTests {
  @Test(
    "a migrated store equals what an export of the old one imports as",
    arguments: Seeds.first(15, long: 1_000))
  func pairs(_ seed: UInt64) throws {
    var version = RandomVersion(seed: seed)
    let old = version.notation
    let versions = try Versions(old)
    try versions.fixture().load(version.json())
    let export = try Versions.json(Store(path: versions.path))
    version.change()
    let seen = try sortedJSON(versions.json(as: version.notation))
    let migrated = try versions.migrate(to: version.notation)
    let fresh = try Fixture(version.notation)
    try fresh.load(export)
    let (found, expected) = (
      try sortedJSON(Versions.json(migrated)), try sortedJSON(Versions.json(fresh.store))
    )
    #expect(found == expected, "\(old)\n→\n\(version.notation)\n\(export)")
    #expect(seen == found, "only read: \(old)\n→\n\(version.notation)\n\(export)")
    #expect(try waiting(migrated) == waiting(fresh.store), "\(old)\n→\n\(version.notation)\n\(export)")
  }

  @Test(
    "straight from the first version to the last is what step by step gives",
    arguments: Seeds.first(5, long: 150))
  func chains(_ seed: UInt64) throws {
    var version = RandomVersion(seed: seed &+ 100_000)
    let (steps, straight) = (try Versions(version.notation), try Versions(version.notation))
    let json = version.json()
    for versions in [steps, straight] { try versions.fixture().load(json) }
    var names: [RandomVersion] = [version]
    for _ in 0..<5 {
      version.change()
      names.append(version)
      try steps.migrate(to: version.notation)
    }
    // A renaming identifier says one step; over several, the last version says the first name.
    try straight.migrate(to: names[5].renamed(since: names[0], through: names).notation)
    #expect(
      try sortedJSON(Versions.json(Store(path: steps.path)))
        == sortedJSON(Versions.json(Store(path: straight.path))))
  }

  @Test(
    "local changes come along under the present names of what they are of",
    arguments: Seeds.first(10, long: 300))
  func localChanges(_ seed: UInt64) throws {
    var version = RandomVersion(seed: seed &+ 200_000)
    let versions = try Versions(version.notation)
    try versions.fixture().load(version.json())
    let noted = try note(Seeded(state: seed), versions, version)
    for _ in 0..<3 {
      version.change()
      try versions.migrate(to: version.notation)
      let store = try Store(path: versions.path)
      var found: [String] = []
      try store.transaction { transaction in
        found = try transaction.journal()?.entries().map(Self.line) ?? []
        return ((), .rollback)
      }
      try store.close()
      #expect(found.sorted() == noted.map { $0.line(version) }.sorted(), "\(version.notation)")
    }
  }

  /// A local change of an object, by the places of its entity and of its attributes in a random version.
  private struct NotedChange {
    var entity: Int
    var key: String
    var kind: JournalEntry.Kind
    var attributes: Set<RandomVersion.Place>

    func line(_ version: RandomVersion) -> String {
      let names = attributes.map { version.entities[$0.entity].attributes[$0.attribute].name }
      return "\(version.entities[entity].name) \(key) \(kind) \(names.sorted())"
    }
  }

  private static func line(_ entry: JournalEntry) -> String {
    "\(entry.entity) \(entry.key) \(entry.kind) \(entry.properties.keys.sorted())"
  }

  /// Notes changes of some of the objects.
  private func note(_ random: Seeded, _ versions: Versions, _ version: RandomVersion) throws -> [NotedChange]
  {
    var random = random
    var result: [NotedChange] = []
    let store = Store(try SQLiteStore(path: versions.path, journalsLocalChanges: true))
    let fixture = Fixture(store: store)
    for (index, entity) in version.entities.enumerated() {
      let described = try store.layout.entity(named: entity.name)
      let table = store.layout.table(of: described.index)
      let kind = table.kindColumn.map { "WHERE \(SQL.quoted($0)) = '\(entity.name)'" } ?? ""
      let rows = try fixture.rows("SELECT rowid FROM \(SQL.quoted(table.name)) \(kind) ORDER BY 1")
      try store.transaction { transaction in
        let journal = try #require(try transaction.journal())
        for row in rows.compactMap(Int64.init) {
          let key = try #require(try transaction.key(ofRow: row, in: table))
          var change = NotedChange(entity: index, key: key, kind: .updated, attributes: [])
          switch random.below(4) {
          case 0: continue
          case 1:
            change.kind = .inserted
            try journal.noteInserted(described, key: key)
          case 2:
            change.kind = .deleted
            try journal.noteDeleted(described, key: key)
          default:
            change.attributes = Set(random.some(version.places(of: index), atMost: 3))
            guard !change.attributes.isEmpty else { continue }
            try journal.noteUpdated(
              described, key: key,
              change.attributes.map { version.entities[$0.entity].attributes[$0.attribute].name })
          }
          result.append(change)
        }
        return ((), .commit)
      }
    }
    try store.close()
    return result
  }

  /// What waits for objects that are not there, whatever the order.
  private func waiting(_ store: Store) throws -> [String] {
    try Fixture(store: store).rows(
      "SELECT entity, relationship, owner, target FROM broker_pending ORDER BY 1, 2, 3, 4")
  }
}

extension RandomVersion {
  /// The place of an attribute, which stays when names change.
  struct Place: Hashable {
    var entity: Int
    var attribute: Int
  }

  /// The attributes of an entity and of its ancestors.
  func places(of entity: Int) -> [Place] {
    entities[entity].attributes.indices.map { Place(entity: entity, attribute: $0) }
      + (entities[entity].parent.map(places) ?? [])
  }

  /// The same, with the names of an earlier version as renaming identifiers.
  func renamed(since first: RandomVersion, through all: [RandomVersion]) -> RandomVersion {
    var result = self
    for (index, entity) in first.entities.enumerated() {
      result.entities[index].was = entity.name
      for (place, attribute) in entity.attributes.enumerated() {
        result.entities[index].attributes[place].was = attribute.name
      }
      for (place, relationship) in entity.relationships.enumerated() {
        result.entities[index].relationships[place].was = relationship.name
      }
    }
    for index in result.entities.indices.dropFirst(first.entities.count) { result.entities[index].was = nil }
    return result
  }
}
