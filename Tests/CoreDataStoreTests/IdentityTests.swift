import CoreDataMaker
import Foundation
import JSONStream
import Mapping
import ObjectModel
import ObjectStore
import Testing

/// What objects are told by, and newer copies of a file.
@Suite struct IdentityTests {
  private func contents(unique: Bool, _ change: (inout [StoreObject]) -> Void = { _ in }) -> StoreContents {
    var contents = Bands.contents(change)
    if unique { contents.model.entities[0].uniquenessConstraints = [["name"]] }
    contents.options.hasConstraints = false
    return contents
  }

  @Test func aUniquenessConstraintIsTheIdentity() throws {
    let fixture = try CoreDataFixture(contents(unique: true))
    let source = try fixture.open()
    let report = try fixture.run(source)
    #expect(report.notes.contains("Band is identified by name: it is the entity's uniqueness constraint"))
    let album = try fixture.exported()["Album"]?["Album/p1"]
    #expect(album?["band"] == "Japan")
    #expect(try fixture.exported(identity: "name")["Band"]?["Japan"]?["albums"] == ["Album/p2", "Album/p1"])
  }

  @Test func whatIsNotUniqueIsNone() throws {
    let fixture = try CoreDataFixture(contents(unique: true) { $0[1].values["name"] = .text("Japan") })
    let report = try fixture.run(try fixture.open())
    #expect(
      report.notes.contains(
        "Band is identified by objectID, Core Data's own key: 1 value of name is not unique"))
    #expect(report.inserted["Band"] == 2)
  }

  @Test func aCallerChooses() throws {
    var options = CoreDataStore.Options()
    options.identities = ["Band": "objectID", "Album": "title"]
    let fixture = try CoreDataFixture(contents(unique: true))
    try fixture.run(try fixture.open([], options))
    #expect(try fixture.exported()["Band"]?.keys.sorted() == ["Band/p1", "Band/p4"])
    #expect(try fixture.exported(identity: "title")["Album"]?.keys.sorted() == ["Quiet Life", "Tin Drum"])
  }

  @Test(arguments: [
    (["Bnad": "name"], "There is no entity Bnad. Did you mean Band?"),
    (["Band": "nmae"], "Band has no property nmae. Did you mean name?"),
    (["Band": "formed"], "formed cannot be the identity of Band: 1 object has no formed."),
  ])
  func choicesThatCannotBeAreRefused(choice: [String: String], message: String) throws {
    let fixture = try CoreDataFixture(Bands.contents)
    var options = CoreDataStore.Options()
    options.identities = choice
    do {
      _ = try fixture.open([], options)
      Issue.record("it was taken")
    } catch {
      #expect("\(error)" == message)
    }
  }

  @Test func aNewerCopyUpdatesAndPrunes() throws {
    let fixture = try CoreDataFixture(Bands.contents)
    try fixture.run(try fixture.open())
    try StoreMaker.make(
      Bands.contents { objects in
        objects.removeAll { $0.entity == "Band" && $0.key == 4 }
        objects[0].values["members"] = .integer(4)
        objects[0].links["albums"] = [StoreLink("Album", 1), StoreLink("Album", 2)]
        objects.append(StoreObject("Band", 7, ["name": .text("Dolphin Brothers")]))
      }, at: fixture.path)
    var options = ImportOptions()
    options.prunes = true
    let report = try fixture.run(try fixture.open(), options)
    #expect(report.inserted == ["Band": 1])
    #expect(report.deleted == ["Band": 1])
    #expect(report.updated["Band"] == 1)
    let band = try fixture.exported()["Band"]?["Band/p1"]
    #expect(band?["members"] == 4)
    #expect(band?["albums"] == ["Album/p1", "Album/p2"])
  }
}
