import ObjectModel
import Testing

/// What a mapping says becomes annotations, and what it says wrongly an error.
@Suite struct MappingApplicationTests {
  private let model = Model(entities: [
    Entity(
      name: "Band",
      attributes: [
        Attribute(name: "id", type: .integer64),
        Attribute(
          name: "name", type: .string, userInfo: ["sync.remoteKey": "title", "broker.key.1": "label"]),
        Attribute(name: "caption", type: .string, isOptional: true, userInfo: ["mappedKeyName": "text"]),
        Attribute(name: "formed", type: .date, isOptional: true),
        Attribute(name: "raw", type: .binary, isOptional: true),
      ],
      relationships: [
        Relationship(name: "albums", destination: "Album", isToMany: true),
        Relationship(name: "label", destination: "Album"),
      ]),
    Entity(name: "Trio", parent: "Band", attributes: [Attribute(name: "leader", type: .string)]),
    Entity(
      name: "Album", attributes: [Attribute(name: "id", type: .integer64)], userInfo: ["broker.key": "lps"]),
  ])

  private func applied(_ change: (inout JSONMapping) -> Void) throws -> Model {
    var mapping = JSONMapping()
    change(&mapping)
    return try mapping.applied(to: model)
  }

  private func keys(_ model: Model, _ name: String) -> [String]? {
    model.entities[0].attributes.first { $0.name == name }?.annotations.keys
  }

  @Test func nothingSaidIsNothingChanged() throws {
    #expect(try applied { _ in } == model)
  }

  @Test func keysComeBeforeThoseOfTheModel() throws {
    let mapped = try applied { $0["Band"].keys["name"] = ["details.name", "name"] }
    #expect(keys(mapped, "name") == ["details.name", "name", "title", "label"])
    #expect(keys(mapped, "caption") == ["text"])
  }

  @Test func aKeyIsTakenFromOtherProperties() throws {
    let mapped = try applied { $0["Band"].keys["caption"] = ["title"] }
    #expect(keys(mapped, "caption") == ["title", "text"])
    #expect(keys(mapped, "name") == ["label"])
  }

  @Test func moreThanTenKeys() throws {
    let many = (0..<25).map { "key\($0)" }
    let mapped = try applied { $0["Band"].keys["formed"] = many }
    #expect(keys(mapped, "formed") == many)
  }

  @Test func theRestBecomesAnnotationsToo() throws {
    let mapped = try applied { mapping in
      mapping["Band"].identity = ["id", "name"]
      mapping["Band"].names = ["acts"]
      mapping["Band"].dates["formed"] = DateRule("yyyy", timeZone: "+01:00")
      mapping["Band"].transformers["name"] = ["trimmed", "lowercase"]
      mapping["Band"].transformers["caption"] = []
      mapping["Band"].ignored = ["raw"]
      mapping["Band"].notExported = ["albums"]
      mapping["Band"].discriminator = .key("kind", values: ["3": "Trio", "three": "Trio"])
      mapping["Band"].toMany["albums"] = .prune
      mapping["Band"].references["label"] = .stub
      mapping["Band"].version = "formed"
      mapping["Album"].values = ["": "id", "albumIDs": "id"]
    }
    let band = mapped.entities[0]
    #expect(band.annotations.identityAttributes == ["id", "name"])
    #expect(band.annotations.keys == ["acts"])
    #expect(band.attributes[3].annotations.dateFormat == "yyyy")
    #expect(band.attributes[3].annotations.timeZone == "+01:00")
    #expect(band.attributes[1].annotations.transformers == ["trimmed", "lowercase"])
    #expect(band.attributes[2].annotations.transformers == [])
    #expect(band.attributes[4].annotations.isIgnored)
    #expect(!band.relationships[0].annotations.isExported)
    #expect(band.annotations.discriminatorKey == "kind")
    #expect(mapped.entities[1].annotations.kinds == ["3", "three"])
    #expect(band.relationships[0].annotations.toMany == "prune")
    #expect(band.relationships[1].annotations.references == "stub")
    #expect(band.annotations.versionAttribute == "formed")
    #expect(mapped.entities[2].annotations.valueAttribute == "id")
    #expect(mapped.entities[2].annotations.valueProperties == ["lps": "id", "albumIDs": "id"])
    #expect(mapped.entities[2].annotations.keys == ["lps", "albumIDs"])
  }

  // MARK: - Mistakes

  private static let mistakes: [(String, @Sendable (inout JSONMapping) -> Void)] = [
    ("there is no entity “Bnad”; did you mean “Band”?", { $0["Bnad"].version = "id" }),
    ("Band.nmae: there is no property “nmae”; did you mean “name”?", { $0["Band"].keys["nmae"] = ["x"] }),
    (
      "Band.started: there is no property “started”; write the property first: formed: started",
      { $0["Band"].keys["started"] = ["formed"] }
    ),
    (
      "Band.name: “caption” and “name” both claim the key “x”",
      {
        $0["Band"].keys["name"] = ["x"]
        $0["Band"].keys["caption"] = ["x"]
      }
    ),
    (
      "Band.name: “a..b” is no key and no key path: it has an empty key",
      { $0["Band"].keys["name"] = ["a..b"] }
    ),
    ("Trio.name: it is inherited; map it at “Band”", { $0["Trio"].keys["name"] = ["x"] }),
    (
      "Trio.identity: it shares the identity of “Band”, from which it inherits; map that",
      { $0["Trio"].identity = ["leader"] }
    ),
    (
      "Band.identity: there is no attribute and no to-one relationship “idd”; did you mean “id”?",
      { $0["Band"].identity = ["idd"] }
    ),
    ("Band.name: is no date", { $0["Band"].dates["name"] = DateRule("yyyy") }),
    (
      "Band.transfomer: there is no property “transfomer”",
      { $0["Band"].transformers["transfomer"] = ["trimmed"] }
    ),
    ("Band.nam: there is no property “nam”; did you mean “name”?", { $0["Band"].ignored = ["nam"] }),
    ("Band.label: is no to-many relationship", { $0["Band"].toMany["label"] = .merge }),
    ("Band.name: is no relationship", { $0["Band"].references["name"] = .stub }),
    ("Band.version: the values of “raw” have no order", { $0["Band"].version = "raw" }),
    ("Band.version: there is no attribute “frmed”; did you mean “formed”?", { $0["Band"].version = "frmed" }),
    (
      "Band.discriminator: “Album” is no sub-entity of “Band”",
      { $0["Band"].discriminator = .key("kind", values: ["a": "Album"]) }
    ),
    ("Band.discriminator: there is no function “f”", { $0["Band"].discriminator = .function("f") }),
    ("Album.idd: there is no property “idd”; did you mean “id”?", { $0["Album"].values = ["x": "idd"] }),
  ]

  @Test(arguments: mistakes.indices)
  func mistakesAreNamed(_ index: Int) throws {
    let (message, change) = Self.mistakes[index]
    let error = #expect(throws: MappingError.self) { try applied(change) }
    #expect(error?.problems.map(\.description) == [message])
  }

  @Test func allMistakesAtOnce() throws {
    let error = #expect(throws: MappingError.self) {
      try applied { mapping in
        mapping["Band"].keys["nmae"] = ["x"]
        mapping["Band"].version = "frmed"
        mapping["Nobody"].version = "id"
      }
    }
    #expect(error?.problems.count == 3)
  }
}
