import CoreDataMaker
import Foundation
import Mapping
import ObjectModel
import ObjectStore
import TestSettings
import Testing

/// Random models and objects, written as Core Data writes them, and taken over.
@Suite struct RandomStoreTests {
  /// A random model without annotations, which may contradict each other.
  private static func model(seed: UInt64) -> Model {
    var model = RandomCoreDataModel.model(seed: seed, forStores: true)
    for entity in model.entities.indices {
      model.entities[entity].userInfo = [:]
      for index in model.entities[entity].attributes.indices {
        model.entities[entity].attributes[index].userInfo = [:]
      }
      for index in model.entities[entity].relationships.indices {
        model.entities[entity].relationships[index].userInfo = [:]
      }
    }
    return model
  }

  private static func contents(seed: UInt64) -> StoreContents {
    let model = model(seed: seed)
    var contents = StoreContents(
      model, RandomCoreDataObjects.objects(of: model, seed: seed, isConsistent: true))
    contents.options.keepsRowsInWAL = seed % 3 == 1
    contents.options.hasHistory = seed % 4 == 1
    return contents
  }

  private static func byObjectID(_ model: Model) -> CoreDataStore.Options {
    var options = CoreDataStore.Options()
    for root in model.entities where root.parent == nil { options.identities[root.name] = "objectID" }
    return options
  }

  @Test(arguments: Seeds.first(40, long: 600))
  func everythingComesOver(seed: UInt64) throws {
    let contents = Self.contents(seed: seed)
    let fixture = try CoreDataFixture(contents)
    let source = try fixture.open([], Self.byObjectID(contents.model))
    #expect(source.modelOrigin == .store)
    let report = try fixture.run(source)
    let differences = ExpectedObjects(contents).differences(from: try fixture.exported())
    #expect(differences.isEmpty, "\(differences.prefix(5).joined(separator: "\n"))")
    #expect(report.issues.allSatisfy { $0.action == "kept as its bytes in Base64" }, "\(report.issues)")
    #expect(report.pendingCount == 0)
  }

  @Test(arguments: Seeds.first(15, long: 200))
  func whatIsTheSameIsUnchanged(seed: UInt64) throws {
    let contents = Self.contents(seed: seed)
    let fixture = try CoreDataFixture(contents)
    let source = try fixture.open()
    let first = try fixture.run(source)
    let second = try fixture.run(source)
    #expect(second.inserted.isEmpty && second.updated.isEmpty, "\(second)")
    #expect(second.unchanged == first.inserted)
  }

  @Test(arguments: Seeds.first(20, long: 300))
  func theModelThatIsGivenIsAsGoodAsTheOneInTheFile(seed: UInt64) throws {
    var contents = Self.contents(seed: seed)
    contents.options.modelCache = seed % 2 == 0 ? .missing : .empty
    let fixture = try CoreDataFixture(contents)
    let source = try fixture.open([ModelVersion(model: contents.model)], Self.byObjectID(contents.model))
    #expect(source.modelOrigin == .given(version: nil))
    try fixture.run(source)
    let differences = ExpectedObjects(contents).differences(from: try fixture.exported())
    #expect(differences.isEmpty, "\(differences.prefix(5).joined(separator: "\n"))")
  }

  @Test(arguments: Seeds.first(20, long: 300))
  func damagedLinksAreTold(seed: UInt64) throws {
    let model = Self.model(seed: seed)
    let contents = StoreContents(model, RandomCoreDataObjects.objects(of: model, seed: seed))
    let fixture = try CoreDataFixture(contents)
    let report = try fixture.run(try fixture.open([], Self.byObjectID(model)))
    let count = report.inserted.values.reduce(0, +)
    #expect(count == contents.objects.count)
  }

  /// Without a model, every row is there, and what columns tell.
  @Test(arguments: Seeds.first(15, long: 200))
  func withoutAModelAllRowsComeOver(seed: UInt64) throws {
    var contents = Self.contents(seed: seed)
    contents.options.modelCache = .missing
    let fixture = try CoreDataFixture(contents)
    let source = try fixture.open()
    #expect(source.modelOrigin == .tables)
    let report = try fixture.run(source)
    #expect(report.inserted.values.reduce(0, +) == contents.objects.count)
    #expect(report.issues.isEmpty, "\(report.issues)")
    #expect(report.pendingCount == 0)
  }
}
