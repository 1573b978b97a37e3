import CoreDataMaker
import Foundation
import ObjectModel
import Testing

/// Core Data stores at the command, as the article *Leaving Core Data* has it.
@Suite("Core Data stores")
struct CoreDataTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try Self.make(Self.objects, at: folder.path("App.sqlite"))
  }

  private static var model: Model {
    Model(entities: [
      Entity(
        name: "Band",
        attributes: [
          Attribute(name: "name", type: .string), Attribute(name: "formed", type: .date, isOptional: true),
        ],
        relationships: [
          Relationship(name: "albums", destination: "Album", inverse: "band", isToMany: true, isOrdered: true)
        ],
        uniquenessConstraints: [["name"]]),
      Entity(
        name: "Album",
        attributes: [
          Attribute(name: "title", type: .string),
          Attribute(name: "year", type: .integer32, isOptional: true),
        ],
        relationships: [Relationship(name: "band", destination: "Band", inverse: "albums")]),
    ])
  }

  private static let objects = [
    StoreObject(
      "Band", 1, ["name": .text("Japan")], links: ["albums": [StoreLink("Album", 2), StoreLink("Album", 1)]]),
    StoreObject("Band", 2, ["name": .text("Roxy Music")]),
    StoreObject(
      "Album", 1, ["title": .text("Tin Drum"), "year": .integer(1981)],
      links: ["band": [StoreLink("Band", 1)]]),
    StoreObject(
      "Album", 2, ["title": .text("Quiet Life"), "year": .integer(1979)],
      links: ["band": [StoreLink("Band", 1)]]),
  ]

  private static func make(_ objects: [StoreObject], at path: String) throws {
    var contents = StoreContents(model, objects)
    contents.options.keepsRowsInWAL = true
    try StoreMaker.make(contents, at: path)
  }

  private func run(_ arguments: String..., status: Int32 = 0) throws -> String {
    let outcome = try broker(arguments, in: folder)
    #expect(outcome.status == status, "\(outcome.error)")
    return status == 0 ? outcome.output : outcome.error
  }

  @Test("the five commands of the article")
  func article() throws {
    let places = try run("explain", "App.sqlite")
    #expect(places.hasPrefix("App.sqlite is a Core Data store. It is read by the model in the file.\n"))
    #expect(places.contains("Album  2 objects in ZALBUM"))
    #expect(places.contains("  albums  ZALBUM.ZBAND\n"))

    let report = try run("import", "App.sqlite", "--store", "app.broker.sqlite")
    #expect(report.contains("Band is identified by name: it is the entity's uniqueness constraint"))
    #expect(report.contains("Album is identified by objectID, Core Data's own key: the model names none"))

    let bands = try run(
      "query", "Band", "--store", "app.broker.sqlite", "--where", "ANY albums.year > 1980", "--sort", "name",
      "--select", "name,albums.title", "--format", "lines")
    #expect(bands == "{\"name\":\"Japan\",\"albums.title\":[\"Quiet Life\",\"Tin Drum\"]}\n")

    _ = try run("model", "swift", "app.broker.sqlite", "--output", "Models.swift")
    let types = try folder.read("Models.swift")
    #expect(types.contains("@Identity var objectID: String"))
    #expect(types.contains("@Identity var name: String"))

    var newer = Self.objects
    newer.remove(at: 1)
    try Self.make(newer, at: folder.path("Newer.sqlite"))
    let second = try run(
      "import", "Newer.sqlite", "--store", "app.broker.sqlite", "--prune", "--format", "json")
    #expect(
      second.contains("\"deleted\":{\"Band\":1}") || second.contains("\"deleted\" : {\n    \"Band\" : 1"))
  }

  @Test("query, export, info and model take the file itself")
  func withoutImport() throws {
    let albums = try run("query", "Album", "--store", "App.sqlite", "--sort", "year", "--format", "csv")
    #expect(
      albums
        == "objectID,title,year,band\r\nAlbum/p2,Quiet Life,1979,Japan\r\nAlbum/p1,Tin Drum,1981,Japan\r\n")
    let bands = try run("export", "Band", "--store", "App.sqlite", "--nulls", "omit")
    #expect(
      bands
        == "[\n{\"name\":\"Japan\",\"albums\":[\"Album/p2\",\"Album/p1\"]},\n{\"name\":\"Roxy Music\",\"albums\":[]}\n]\n"
    )
    #expect(try run("info", "--store", "App.sqlite").contains("Album  2 objects in ZALBUM"))
    #expect(try run("model", "show", "App.sqlite").contains("Band"))
    #expect(try run("model", "check", "App.sqlite", "--format", "json").contains("problems"))
    let files = try folder.names(like: "App")
    #expect(files == ["App.sqlite", "App.sqlite-wal"])
  }

  @Test("an identity that is asked for")
  func identity() throws {
    _ = try run(
      "import", "App.sqlite", "--store", "out.sqlite", "--identity", "Album=title", "--identity",
      "Band=objectID")
    let albums = try run("query", "Album", "--store", "out.sqlite", "--sort", "title", "--format", "csv")
    #expect(albums == "title,year,band\r\nQuiet Life,1979,Band/p1\r\nTin Drum,1981,Band/p1\r\n")
    #expect(
      try run("import", "App.sqlite", "--store", "other.sqlite", "--identity", "Album=band", status: 1)
        .contains("Album has no property band."))
    #expect(!folder.hasStore("other.sqlite"))
  }

  @Test("files that are called as databases are and are none, and a store on standard input")
  func filesThatAreNoDatabases() throws {
    for name in ["a.sqlite", "a.sqlite3", "a.db", "a.store"] {
      try folder.write(Data((0..<64).map { UInt8(200 - $0) }), to: name)
      for arguments in [["import", name, "--store", "s"], ["model", "infer", name]] {
        let outcome = try broker(arguments, in: folder)
        #expect(outcome.status == 1)
        #expect(
          outcome.error
            == "Error: \(name) is no SQLite file, as its name says: it is encrypted or damaged.\n")
      }
    }
    try folder.write("", to: "empty.sqlite")
    #expect(
      try run("import", "empty.sqlite", "--store", "s", status: 1)
        == "Error: empty.sqlite is empty, so it is no SQLite file.\n")
    try folder.write("[{\"id\": 1}]", to: "json.db")
    _ = try run("import", "json.db", "--store", "json.broker.sqlite")
    let input = String(decoding: Array("SQLite format 3\0".utf8) + [16, 0, 1, 1], as: UTF8.self)
    let outcome = try broker(["import", "-", "--store", "s"], input: input, in: folder)
    #expect(outcome.status == 1)
    #expect(
      outcome.error.hasPrefix(
        "Error: standard input cannot be read: it is an SQLite database; give a Core Data store as a file of its own."
      ))
  }

  @Test("wrong usage")
  func usage() throws {
    try folder.write("[]", to: "a.json")
    #expect(
      try run("import", "App.sqlite", "a.json", "--store", "s", status: 64).contains(
        "one Core Data store at a time"))
    #expect(
      try run("import", "a.json", "--store", "s", "--another-file", status: 64).contains(
        "for Core Data stores"))
    #expect(
      try run("import", "App.sqlite", "--store", "s", "--identity", "A", status: 64).contains(
        "ENTITY=ATTRIBUTE"))
    #expect(
      try run("import", "App.sqlite", "--store", "s", "--onto", "Band/Japan", status: 64)
        .contains("imported into a store, not into an object"))
  }

  @Test("a dry run writes neither store nor files")
  func dryRun() throws {
    _ = try run("import", "App.sqlite", "--store", "out.sqlite", "--external", "files", "--dry-run")
    #expect(!folder.hasStore("out.sqlite"))
    #expect(!folder.exists("files"))
  }
}
