import CoreDataMaker
import Foundation
import JSONStream
import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Stores without a model: links are taken where names and values prove them, and nothing is lost without a note.
@Suite struct TableModelTests {
  private static func many(_ name: String, _ destination: String, _ inverse: String, ordered: Bool = false)
    -> Relationship
  {
    Relationship(
      name: name, destination: destination, inverse: inverse, isToMany: true, isOrdered: ordered)
  }

  private static var model: Model {
    Model(entities: [
      Entity(name: "Media", isAbstract: true, attributes: [Attribute(name: "title", type: .string)]),
      Entity(
        name: "Person", attributes: [Attribute(name: "name", type: .string)],
        relationships: [
          many("friends", "Person", "friends"), many("follows", "Person", "followers", ordered: true),
          many("followers", "Person", "follows"), many("reviews", "Review", "author", ordered: true),
        ]),
      Entity(name: "Photo", parent: "Media"),
      Entity(
        name: "Playlist", attributes: [Attribute(name: "name", type: .string)],
        relationships: [
          many("items", "PlaylistItem", "playlist", ordered: true),
          many("tags", "Tag", "playlists", ordered: true),
        ]),
      Entity(
        name: "PlaylistItem", attributes: [Attribute(name: "position", type: .integer16)],
        relationships: [
          Relationship(name: "playlist", destination: "Playlist", inverse: "items"),
          Relationship(name: "media", destination: "Media"),
        ]),
      Entity(
        name: "Review", attributes: [Attribute(name: "year", type: .integer16)],
        relationships: [Relationship(name: "author", destination: "Person", inverse: "reviews")]),
      Entity(
        name: "Tag", attributes: [Attribute(name: "name", type: .string)],
        relationships: [many("playlists", "Playlist", "tags")]),
      Entity(name: "Year", attributes: [Attribute(name: "name", type: .string)]),
    ])
  }

  private static func object(
    _ entity: String, _ key: Int64, _ values: [String: StoreValue] = [:], _ links: [String: [String]] = [:]
  ) -> StoreObject {
    var values = values
    if !["PlaylistItem", "Review"].contains(entity) {
      values[entity == "Photo" ? "title" : "name"] = .text("\(entity) \(key)")
    }
    return StoreObject(
      entity, key, values,
      links: links.mapValues { names in
        names.map { name in
          let parts = name.split(separator: "/")
          return StoreLink(String(parts[0]), Int64(parts[1]) ?? 0)
        }
      })
  }

  private static var objects: [StoreObject] {
    [
      object("Photo", 7), object("Year", 1), object("Tag", 1), object("Tag", 2), object("Tag", 3),
      object("Person", 11, [:], ["friends": ["Person/12"], "follows": ["Person/13", "Person/12"]]),
      object("Person", 12, [:], ["reviews": ["Review/5", "Review/4"], "followers": ["Person/11"]]),
      object("Person", 13, [:], ["followers": ["Person/11"]]),
      object(
        "Playlist", 3, [:], ["items": ["PlaylistItem/9", "PlaylistItem/8"], "tags": ["Tag/3", "Tag/1"]]),
      object(
        "PlaylistItem", 8, ["position": .integer(1)], ["playlist": ["Playlist/3"], "media": ["Photo/7"]]),
      object("PlaylistItem", 9, ["position": .integer(2)], ["playlist": ["Playlist/3"]]),
      object("Review", 4, ["year": .integer(1981)], ["author": ["Person/12"]]),
      object("Review", 5, ["year": .integer(1982)], ["author": ["Person/12"]]),
    ]
  }

  private func fixture(_ changes: String = "") throws -> CoreDataFixture {
    var contents = StoreContents(Self.model, Self.objects)
    contents.options.modelCache = .empty
    let fixture = try CoreDataFixture(contents)
    try SQLiteFile(fixture.path).run(changes)
    return fixture
  }

  private func objects(
    _ fixture: CoreDataFixture
  ) throws -> (objects: [String: [String: [String: JSONValue]]], report: Report) {
    let source = try fixture.open()
    #expect(source.modelOrigin == .tables)
    let report = try fixture.run(source)
    #expect(report.issues.isEmpty, "\(report.issues)")
    #expect(report.pendingCount == 0)
    return (try fixture.exported(), report)
  }

  @Test func toOneLinks() throws {
    let (objects, report) = try objects(try fixture())
    // By the name of the column, by Z1_MEDIA, and by being the only entity with such keys.
    #expect(objects["PlaylistItem"]?["PlaylistItem/p8"]?["playlist"] == "Playlist/p3")
    #expect(objects["PlaylistItem"]?["PlaylistItem/p8"]?["media"] == "Photo/p7")
    #expect(objects["Review"]?["Review/p4"]?["author"] == "Person/p12")
    #expect(report.notes.contains { $0.contains("is left out") } == false, "\(report.notes)")
  }

  @Test func orderedLists() throws {
    let (objects, report) = try objects(try fixture())
    #expect(
      objects["Playlist"]?["Playlist/p3"]?["playlistitems"] == ["PlaylistItem/p9", "PlaylistItem/p8"])
    #expect(objects["Playlist"]?["Playlist/p3"]?["tags"] == ["Tag/p3", "Tag/p1"])
    #expect(objects["Person"]?["Person/p11"]?["follows"] == ["Person/p13", "Person/p12"])
    #expect(objects["Person"]?["Person/p12"]?["reviews"] == ["Review/p5", "Review/p4"])
    #expect(
      report.notes.contains(
        "Playlist.playlistitems is the ordered list that leads to PlaylistItem.playlist; its name is not in the file"
      ))
  }

  @Test func aRelationshipThatIsItsOwnInverse() throws {
    let (objects, _) = try objects(try fixture())
    #expect(objects["Person"]?["Person/p11"]?["friends"] == ["Person/p12"])
    #expect(objects["Person"]?["Person/p12"]?["friends"] == ["Person/p11"])
  }

  @Test func aListWithoutAnInverse() throws {
    let (objects, _) = try objects(
      try fixture("ALTER TABLE ZTAG ADD Z2BADGES INTEGER; UPDATE ZTAG SET Z2BADGES = 11 WHERE Z_PK > 1"))
    #expect(objects["Person"]?["Person/p11"]?["badges"] == ["Tag/p2", "Tag/p3"])
  }

  @Test func aNameAloneProvesNothing() throws {
    let (objects, report) = try objects(try fixture())
    #expect(objects["Review"]?["Review/p4"]?["year"] == 1981)
    #expect(
      report.notes.contains(
        "Review.year is a number, not a link: not all of its values are keys of Year"))
  }

  @Test func whatIsLeftOutIsNoted() throws {
    let (objects, report) = try objects(
      try fixture(
        """
        UPDATE ZREVIEW SET ZAUTHOR = 99;
        CREATE TABLE Z_77GONE (Z_77GONE INTEGER, Z_2OTHERS INTEGER); INSERT INTO Z_77GONE VALUES (1, 2);
        CREATE TABLE ZLOST (Z_PK INTEGER); INSERT INTO ZLOST VALUES (1), (2);
        CREATE TABLE ZEMPTY (Z_PK INTEGER);
        ALTER TABLE ZTAG ADD Z_FOK_2ODD INTEGER; UPDATE ZTAG SET Z_FOK_2ODD = 1 WHERE Z_PK = 1
        """))
    #expect(objects["Review"]?["Review/p4"]?["author"] == 99)
    let lines = [
      "Review.author is a number, not a link: nothing proves which entity ZAUTHOR leads to",
      "the column Z_FOK_AUTHOR of ZREVIEW, with 2 values, is left out",
      "the column Z_FOK_2ODD of ZTAG, with 1 value, is left out",
      "the table Z_77GONE, with 1 row, is left out: the file has no entity 77",
      "the table ZLOST, with 2 rows, is left out: no entity has it",
    ]
    for line in lines { #expect(report.notes.contains(line), "\(line): \(report.notes)") }
    #expect(!report.notes.contains { $0.contains("ZEMPTY") })
  }
}
