import CoreDataMaker
import Foundation
import ObjectModel

/// A small model with most of what Core Data has, and its objects.
enum Bands {
  static var model: Model {
    Model(entities: [
      Entity(
        name: "Band",
        attributes: [
          Attribute(name: "name", type: .string), Attribute(name: "formed", type: .date, isOptional: true),
          Attribute(name: "rating", type: .decimal, isOptional: true),
          Attribute(name: "uid", type: .uuid, isOptional: true),
          Attribute(name: "active", type: .boolean, isOptional: true),
          Attribute(name: "members", type: .integer16, isOptional: true),
          Attribute(
            name: "photo", type: .binary, isOptional: true,
            other: ["allowsExternalBinaryDataStorage": "YES"]),
          Attribute(name: "extra", type: .transformable, isOptional: true),
        ],
        relationships: [
          Relationship(
            name: "albums", destination: "Album", inverse: "band", isToMany: true, isOrdered: true),
          Relationship(name: "manager", destination: "Manager", inverse: "band"),
        ]),
      Entity(
        name: "Album",
        attributes: [
          Attribute(name: "title", type: .string),
          Attribute(name: "year", type: .integer32, isOptional: true),
        ],
        relationships: [Relationship(name: "band", destination: "Band", inverse: "albums")]),
      Entity(
        name: "Manager", attributes: [Attribute(name: "name", type: .string)],
        relationships: [Relationship(name: "band", destination: "Band", inverse: "manager")]),
    ])
  }

  static var objects: [StoreObject] {
    [
      StoreObject(
        "Band", 1, ["name": .text("Japan"), "formed": .date(-851_040_000.5), "members": .integer(5)],
        links: [
          "albums": [StoreLink("Album", 2), StoreLink("Album", 1)], "manager": [StoreLink("Manager", 1)],
        ]),
      StoreObject("Band", 4, ["name": .text("Roxy Music")]),
      StoreObject(
        "Album", 1, ["title": .text("Tin Drum"), "year": .integer(1981)],
        links: ["band": [StoreLink("Band", 1)]]),
      StoreObject("Album", 2, ["title": .text("Quiet Life")], links: ["band": [StoreLink("Band", 1)]]),
      StoreObject("Manager", 1, ["name": .text("Simon")], links: ["band": [StoreLink("Band", 1)]]),
    ]
  }

  static var contents: StoreContents { StoreContents(model, objects) }

  /// The same with one object changed.
  static func contents(_ change: (inout [StoreObject]) -> Void) -> StoreContents {
    var objects = objects
    change(&objects)
    return StoreContents(model, objects)
  }
}
