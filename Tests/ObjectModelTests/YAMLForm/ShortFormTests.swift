import Foundation
import ObjectModel
import Testing

@Suite struct ShortFormTests {
  private func model(_ yaml: String) throws -> Model { try Model(yaml: Data(yaml.utf8)) }

  private func message(_ yaml: String) -> String {
    do {
      _ = try model(yaml)
      return "no error"
    } catch {
      return "\(error)"
    }
  }

  @Test func aModelInAFewLines() throws {
    let model = try model(
      """
      Band: {id: int, name: string!, formed: int16 = 1970, genre: rock | free jazz, albums: [Album, ordered, cascade]}
      Album: {number: int*, title: {type: string!, key: album_title, maximum: 80}, band: Band!, label: Label?}
      LiveAlbum < Album: {place: Place, recorded: date = 2001-01-01T00:00:00Z}
      abstract Company:
      Label < Company: {code: string*, albums: [Album]}
      """.replacingOccurrences(of: "place: Place", with: "place: json"))
    let long = try Model(
      json: Data(
        #"""
        {"entities": [
          {"name": "Band", "attributes": [
            {"name": "id", "type": "integer64"}, {"name": "name", "type": "string"},
            {"name": "formed", "type": "integer16", "optional": true, "default": "1970"},
            {"name": "genre", "type": "string", "optional": true, "userInfo": {"broker.values": "[\"rock\",\"free jazz\"]"}}],
           "relationships": [
            {"name": "albums", "destination": "Album", "toMany": true, "ordered": true, "deleteRule": "cascade",
             "inverse": "band"}]},
          {"name": "Album", "attributes": [
            {"name": "number", "type": "integer64", "userInfo": {"broker.identity": "true"}},
            {"name": "title", "type": "string", "maximum": 80, "userInfo": {"broker.key": "album_title"}}],
           "relationships": [
            {"name": "band", "destination": "Band", "optional": false, "inverse": "albums"},
            {"name": "label", "destination": "Label", "inverse": "albums"}]},
          {"name": "LiveAlbum", "parent": "Album", "attributes": [
            {"name": "place", "type": "transformable", "optional": true},
            {"name": "recorded", "type": "date", "optional": true, "defaultDate": 0}]},
          {"name": "Company", "abstract": true},
          {"name": "Label", "parent": "Company", "attributes": [
            {"name": "code", "type": "string", "userInfo": {"broker.identity": "true"}}],
           "relationships": [{"name": "albums", "destination": "Album", "toMany": true, "inverse": "label"}]}
        ]}
        """#.utf8))
    #expect(model == long)
    #expect(model.problems().filter { $0.severity == .error } == [])
  }

  @Test func theJSONFormTakesThemToo() throws {
    let json =
      #"{"entities": {"Band": {"id": "int", "albums": ["Album"]}, "Album": {"id": "int", "band": "Band"}}}"#
    #expect(
      try Model(json: Data(json.utf8))
        == model("Band: {id: int, albums: [Album]}\nAlbum: {id: int, band: Band}"))
  }

  @Test func everythingOfTheLongFormCanBeSaid() throws {
    let model = try model(
      """
      entities:
        Version:
          crate: Crate*
          number: int*
          cover: {destination: Crate, minimumCount: 1, inverse: null}
          home: Address
          $class: CDVersion
          $unique: [[number, crate]]
          $userInfo: {some: thing}
          $renamingIdentifier: Release
          $indexes: [{name: byNumber, elements: [number]}]
        Crate: {name: string, $identity: [name], versions: {type: [Version], toMany: true}}
      composites:
        Address: {street: string, zip: string!}
      versionIdentifier: "7"
      """)
    let version = try #require(model[entity: "Version"])
    #expect(version.userInfo == ["broker.identity": "crate,number", "some": "thing"])
    #expect(version.className == "CDVersion")
    #expect(version.uniquenessConstraints == [["number", "crate"]])
    #expect(version.indexes.map(\.name) == ["byNumber"])
    #expect(version.renamingIdentifier == "Release")
    #expect(version[attribute: "home"]?.type == .composite("Address"))
    #expect(version[relationship: "crate"]?.inverse == "versions")
    #expect(version[relationship: "cover"]?.inverse == nil)
    #expect(model[entity: "Crate"]?.userInfo == ["broker.identity": "name"])
    #expect(model.composites.map(\.attributes.count) == [2])
    #expect(model.versionIdentifier == "7")
  }

  @Test func inverses() throws {
    let named = try model(
      """
      Person: {id: int, parent: Person.children, children: [Person], friends: [Person.friends], home: Town.people}
      Town: {id: int, people: [Person], mayor: {type: Person, inverse: null}}
      Child < Person: {toys: [Toy]}
      Toy: {owner: Person}
      """)
    #expect(named[entity: "Person"]?[relationship: "children"]?.inverse == "parent")
    #expect(named[entity: "Person"]?[relationship: "friends"]?.inverse == "friends")
    #expect(named[entity: "Town"]?[relationship: "people"]?.inverse == "home")
    #expect(named[entity: "Town"]?[relationship: "mayor"]?.inverse == nil)
    // A toy's owner may be another person than a child: it does not lead back from every toy of a child alone.
    #expect(named[entity: "Child"]?[relationship: "toys"]?.inverse == "owner")
    #expect(
      message("A: {one: B, two: B}\nB: {a: A}")
        == "1:5: A.one: its inverse is not clear among A.two, B.a: name it, as A.… in the type at one end, or write"
        + " {type: …, inverse: null} where there is none")
  }

  @Test(arguments: [
    (
      "Band: {name: strng}",
      "1:8: Band.name: “strng” is not an entity or an attribute type, as “type” must be; did"
    ),
    ("Band: {albums: [Albm]}\nAlbum: {id: int}", "1:8: Band.albums: “Albm” is not an entity"),
    (
      "Band:\n  albums: [Album, orderd]\nAlbum: {id: int}",
      "2:3: Band.albums: “orderd” is not one of ordered,"
    ),
    (
      "Band: {tags: [string]}",
      "1:8: Band.tags: a list of “string” is no relationship: take the type transformable"
    ),
    (
      "Band: {name: {type: string, maximun: 3}}",
      "1:8: Band.name: unknown key “maximun”; did you mean “maximum”?"
    ),
    ("Band: {$uniqe: [name]}", "1:1: Band: unknown key “$uniqe”; did you mean “$unique”?"),
    (
      "Band: {$identity: 7}",
      "1:1: Band: “7” is not the name of a property, or a list of names, as “$identity” must"
    ),
    ("Band: {$userInfo: x}", "1:1: Band: “x” is not an object, as “$userInfo” must be"),
    ("Band: {$parent: [A]}", "1:1: Band: “[…]” is not the name of an entity, as “$parent” must be"),
    ("Band: {name: 7}", "1:8: Band.name: “7” is not a type, as int or [Album]"),
    ("Band: {name: string", "malformed YAML: "),
    ("Band: {a: int, a: int}", "malformed YAML: a is said twice"),
    ("", "the file is empty"),
    ("Band: {a: Album = 3}\nAlbum: {}", "1:8: Band.a: a relationship has no default"),
  ])
  func mistakesHaveALineAndAColumn(yaml: String, expected: String) {
    #expect(message(yaml).contains(expected), "\(message(yaml))")
  }

  @Test func bombs() {
    var levels = ["a: &a {x: int, y: int, z: int}"]
    for (one, next) in zip("abcdefghi", "bcdefghij") {
      levels.append("\(next): &\(next) {\((0..<9).map { "k\($0): *\(one)" }.joined(separator: ", "))}")
    }
    let words = "its anchors and aliases make it larger than any model"
    #expect(message(levels.joined(separator: "\n")).contains(words))
    #expect(message((levels + ["? *j\n: 1\n? *i\n: 2"]).joined(separator: "\n")).contains(words))
    #expect(message(String(repeating: "[", count: 100_000)).contains("malformed YAML: Maximum nesting level"))
    #expect(
      message("a: " + String(repeating: "[", count: 300) + String(repeating: "]", count: 300)).contains(
        "200 deep"))
  }

  @Test func anchorsMayRepeatAProperty() throws {
    let model = try model("Band: {name: &name {type: string!, maximum: 80}}\nAlbum: {title: *name}")
    #expect(model[entity: "Album"]?[attribute: "title"]?.maximum == "80")
  }
}
