import CoreDataMaker
import Foundation
import ObjectModel
import TestSettings
import Testing

/// The names that the maker of stores gives tables and columns are those seen in real stores.
@Suite("Names in the stores of the maker")
struct StoreMakerTests {
  @Test("properties of one name in sub-entities of one root")
  func suffixes() {
    let model = Model(entities: [
      Entity(name: "ICObject"),
      Entity(name: "ICAttachment", parent: "ICObject", attributes: [Attribute(name: "title", type: .string)]),
      Entity(name: "ICNote", parent: "ICObject", attributes: [Attribute(name: "title", type: .string)]),
      Entity(name: "ICFolder", parent: "ICObject", attributes: [Attribute(name: "title", type: .string)]),
    ])
    let layout = StoreLayout(model)
    #expect(layout.number("ICAttachment") == 1)
    #expect(layout.column("title", of: "ICAttachment")?.name == "ZTITLE")
    #expect(layout.column("title", of: "ICFolder")?.name == "ZTITLE1")
    #expect(layout.column("title", of: "ICNote")?.name == "ZTITLE2")
    #expect(layout.table(of: "ICNote") == "ZICOBJECT")
  }

  @Test("links of artworks and collections, as the app energy has them")
  func joinTable() throws {
    let model = Model(entities: [
      Entity(
        name: "Artwork",
        relationships: [
          Relationship(name: "collections", destination: "Collection", inverse: "artworks", isToMany: true)
        ]),
      Entity(
        name: "Collection",
        relationships: [
          Relationship(
            name: "artworks", destination: "Artwork", inverse: "collections", isToMany: true, isOrdered: true)
        ]),
    ])
    let table = try #require(StoreLayout(model).joinTables.first)
    #expect(table.name == "Z_1COLLECTIONS")
    #expect(Set([table.targetColumn, table.ownerColumn]) == ["Z_2COLLECTIONS", "Z_1ARTWORKS"])
  }

  @Test("one to many with an order, and a target that has sub-entities")
  func columns() {
    let model = Model(entities: [
      Entity(
        name: "Author",
        relationships: [
          Relationship(name: "books", destination: "Book", inverse: "author", isToMany: true, isOrdered: true)
        ]),
      Entity(name: "Poet", parent: "Author"),
      Entity(
        name: "Book", relationships: [Relationship(name: "author", destination: "Author", inverse: "books")]),
    ])
    let column = StoreLayout(model).column("author", of: "Book")
    #expect(column?.name == "ZAUTHOR")
    #expect(column?.entityColumn == "Z1_AUTHOR")
    #expect(column?.orderColumn == "Z_FOK_AUTHOR")
  }

  @Test("random stores can be made", arguments: Seeds.first(6, long: 100))
  func stores(seed: UInt64) throws {
    let directory = try TemporaryDirectory()
    let model = RandomCoreDataModel.model(seed: seed, forStores: true, hasDerived: true)
    let objects = RandomCoreDataObjects.objects(of: model, seed: seed)
    var options = StoreMakingOptions()
    options.keepsRowsInWAL = seed % 2 == 1
    options.hasHistory = seed % 3 == 0
    let path = directory.url.appendingPathComponent("App.sqlite").path
    try StoreMaker.make(StoreContents(model, objects, options), at: path)
    #expect(FileManager.default.fileExists(atPath: path + "-wal") == options.keepsRowsInWAL)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
    #expect(!names.contains { $0.contains("making") || $0.hasSuffix("-shm") })
    // The model can be used: what a store is read with has no errors.
    #expect(model.problems().filter { $0.severity == .error }.isEmpty)
  }
}
