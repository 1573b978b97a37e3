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

  /// What waits for objects that are not there, whatever the order.
  private func waiting(_ store: Store) throws -> [String] {
    try Fixture(store: store).rows(
      "SELECT entity, relationship, owner, target FROM broker_pending ORDER BY 1, 2, 3, 4")
  }
}

extension RandomVersion {
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
