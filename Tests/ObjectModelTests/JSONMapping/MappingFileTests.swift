import Foundation
import ObjectModel
import Testing

/// Mappings in YAML and JSON.
@Suite struct MappingFileTests {
  private let yaml = """
    # what the API says
    Band:
      identity: name
      names: [acts]
      keys:
        formed: [details.founded, started]
        name: title
      dates:
        formed: seconds
        left: {format: dd.MM.yyyy, timeZone: Europe/Berlin}
      transformers:
        name: [trimmed, htmlEntities]
      ignore: [secret]
      notExported: rating
      toMany: {albums: prune}
      references: {genres: stub}
      version: updatedAt
      values: {bandNames: name}
    Media:
      discriminator: {key: meta.kind, values: {img: Photo, 7: Video}}
    Post:
      discriminator: kind
    Item:
      discriminator: {wrapper: true}
    Area:
      values: name
    """

  private var expected: [String: EntityMapping] {
    var mapping = JSONMapping()
    mapping["Band"].identity = ["name"]
    mapping["Band"].names = ["acts"]
    mapping["Band"].keys = ["formed": ["details.founded", "started"], "name": ["title"]]
    mapping["Band"].dates = [
      "formed": DateRule("seconds"), "left": DateRule("dd.MM.yyyy", timeZone: "Europe/Berlin"),
    ]
    mapping["Band"].transformers = ["name": ["trimmed", "htmlEntities"]]
    mapping["Band"].ignored = ["secret"]
    mapping["Band"].notExported = ["rating"]
    mapping["Band"].toMany = ["albums": .prune]
    mapping["Band"].references = ["genres": .stub]
    mapping["Band"].version = "updatedAt"
    mapping["Band"].values = ["bandNames": "name"]
    mapping["Media"].discriminator = .key("meta.kind", values: ["img": "Photo", "7": "Video"])
    mapping["Post"].discriminator = .key("kind")
    mapping["Item"].discriminator = .wrapper()
    mapping["Area"].values = ["": "name"]
    return mapping.entities
  }

  @Test func everythingInYAML() throws {
    #expect(try JSONMapping(text: yaml).entities == expected)
  }

  @Test func formsOfDocuments() throws {
    let text = """
      document:
        forms:
          - {at: data, entity: Band, keys: [name, id]}
          - {at: "$", keys: bands, set: {page: $.page}}
          - {entity: Album}
      """
    let forms = try JSONMapping(text: text).document.forms
    #expect(forms.map(\.root) == ["data", nil, nil])
    #expect(forms.map(\.entity) == ["Band", nil, "Album"])
    #expect(forms.map(\.keys) == [["id", "name"], ["bands"], []])
    var mapping = JSONMapping()
    mapping.document.forms = forms
    #expect(try JSONMapping(text: mapping.text()).document.forms == forms)
  }

  @Test func theSameInJSON() throws {
    let json = #"""
      {"Band": {"identity": ["name"], "names": "acts",
        "keys": {"formed": ["details.founded", "started"], "name": "title"},
        "dates": {"formed": "seconds", "left": {"format": "dd.MM.yyyy", "timeZone": "Europe/Berlin"}},
        "transformers": {"name": ["trimmed", "htmlEntities"]}, "ignore": ["secret"], "notExported": ["rating"],
        "toMany": {"albums": "prune"}, "references": {"genres": "stub"}, "version": "updatedAt",
        "values": {"bandNames": "name"}},
       "Media": {"discriminator": {"key": "meta.kind", "values": {"img": "Photo", "7": "Video"}}},
       "Post": {"discriminator": "kind"}, "Item": {"discriminator": {"wrapper": true}}, "Area": {"values": "name"}}
      """#
    #expect(try JSONMapping(text: json).entities == expected)
  }

  @Test(arguments: [
    ("Band:\n  keyz:\n    a: b", "the mapping:2: Band.keyz: is no part of a mapping; did you mean “keys”?"),
    ("Band:\n  version: [a]", "the mapping:2: Band: expected the name of an attribute"),
    ("Band: 7", "the mapping:1: Band: expected what is said of Band: keys, dates, …"),
    ("- a", "the mapping:1: expected a mapping: the names of entities, and what is said of each"),
    (
      "Band:\n  toMany:\n    albums: prone",
      "the mapping:3: Band.toMany: “prone” is none of replace, merge, prune; did you mean “prune”?"
    ),
    ("Band:\n  keys:\n    a: {b: c}", "the mapping:3: Band.keys: expected a name or a list of names"),
    (
      "Band:\n  dates:\n    a: {fromat: x}",
      "the mapping:3: Band.dates: “fromat” is neither format nor timeZone"
    ),
    (
      "Band:\n  discriminator: {values: {a: b}}",
      "the mapping:2: Band.discriminator: needs one of key, wrapper: true and function"
    ),
    ("", "the mapping: is empty"),
  ])
  func mistakesHaveALine(_ text: String, _ message: String) throws {
    let error = #expect(throws: MappingError.self) { try JSONMapping(text: text) }
    #expect(error?.problems.first?.description == message)
  }

  @Test(arguments: ["Band: [", "Band:\n\tkeys: x", "{\"Band\": }{", "a: b: c"])
  func whatIsNeitherYAMLNorJSONHasAPlace(_ text: String) throws {
    let error = #expect(throws: MappingError.self) { try JSONMapping(text: text) }
    #expect(error?.description.contains("neither YAML nor JSON") == true)
    #expect(error?.description.contains("line") == true)
  }

  @Test func aPropertyIsSaidOnce() throws {
    let error = #expect(throws: MappingError.self) {
      try JSONMapping(text: "Band:\n  keys:\n    name: title\n    name: label")
    }
    #expect(error?.description.contains("says name twice") == true)
  }

  @Test func mistakesAgainstTheModelHaveALineToo() throws {
    let model = Model(entities: [Entity(name: "Band", attributes: [Attribute(name: "name", type: .string)])])
    let mapping = try JSONMapping(
      text: "Band:\n  keys:\n    name: a\n    nmae: b\nBnad:\n  version: x", name: "api.yaml")
    let error = #expect(throws: MappingError.self) { try mapping.applied(to: model) }
    #expect(
      error?.problems.map(\.description) == [
        "api.yaml:4: Band.nmae: there is no property “nmae”; did you mean “name”?",
        "api.yaml:5: there is no entity “Bnad”; did you mean “Band”?",
      ])
  }

  @Test func aFileThatIsNotThere() {
    let error = #expect(throws: MappingError.self) {
      try JSONMapping(contentsOf: URL(fileURLWithPath: "/nowhere/api.yaml"))
    }
    #expect(error?.description.contains("/nowhere/api.yaml: cannot be read") == true)
  }
}
