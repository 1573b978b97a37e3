import Mapping
import ObjectModel
import Testing

/// What the model demands of values, links and lists.
@Suite struct RuleTests {
  private func model(_ change: (inout Attribute) -> Void, _ type: AttributeType) -> Model {
    var value = Attribute(name: "value", type: type, isOptional: true)
    change(&value)
    return Model(entities: [
      Entity(name: "Item", attributes: [Attribute(name: "id", type: .integer64), value])
    ])
  }

  private func problems(_ json: String, _ type: AttributeType, _ change: (inout Attribute) -> Void) throws
    -> [String]
  {
    let fixture = try Fixture(model: model(change, type), entity: "Item")
    return try fixture.load("[{\"id\": 1, \"value\": \(json)}]").issues.map { "\($0.expected), \($0.found)" }
  }

  @Test(
    arguments: [
      (AttributeType.integer16, "1", "5", ["1", "5", "\"3\""], ["0", "6"], "a number from 1 to 5"),
      (.integer64, "-9223372036854775808", "9223372036854775807", ["9223372036854775807"], [], ""),
      (.double, "0.5", nil, ["0.5", "1e9"], ["0.25", "-1"], "a number not below 0.5"),
      (.decimal, nil, "0.1", ["0.1", "0.10", "-3"], ["0.1000000000000000000001"], "a number not above 0.1"),
      (
        .string, "2", "3", ["\"ab\"", "\"äöü\"", "\"👩‍👩‍👧‍👧é\""], ["\"a\"", "\"abcd\"", "\"\""], "2 to 3 characters"
      ),
      (.string, "1", nil, ["\"a\""], ["\"\""], "at least 1 characters"),
    ] as [(AttributeType, String?, String?, [String], [String], String)])
  func bounds(
    _ type: AttributeType, _ least: String?, _ most: String?, _ good: [String], _ bad: [String],
    _ expected: String
  ) throws {
    for json in good {
      #expect(try problems(json, type) { ($0.minimum, $0.maximum) = (least, most) } == [], "\(json)")
    }
    for json in bad {
      #expect(
        try problems(json, type) { ($0.minimum, $0.maximum) = (least, most) } == ["\(expected), \(json)"])
    }
  }

  @Test func theWholeStringHasToMatch() throws {
    func check(_ json: String, _ pattern: String) throws -> Bool {
      try problems(json, .string) { $0.pattern = pattern } == []
    }
    #expect(try check("\"AB\"", "[A-Z]+"))
    #expect(try !check("\"AB1\"", "[A-Z]+"))
    #expect(try check("\"ab\"", "a|ab"))
    #expect(try !check("\"ab\\n\"", "ab"))
    #expect(try check("\"é\"", "."))
    #expect(
      try problems("\"x\"", .string) { $0.pattern = "[0-9]+" } == ["a string that matches [0-9]+, \"x\""])
  }

  @Test func aPatternThatIsNoneIsAnErrorBeforehand() throws {
    for pattern in ["[", "a)|(b"] {
      let fixture = try Fixture(model: model({ $0.pattern = pattern }, .string), entity: "Item")
      #expect(throws: PlanError.self) { try fixture.load("[]") }
    }
  }

  @Test func nullIsNotMeasuredAndARequiredValueTakesTheObjectWithIt() throws {
    #expect(try problems("null", .string) { $0.minimum = "1" } == [])
    let fixture = try Fixture(
      model: model({ ($0.minimum, $0.isOptional) = ("5", false) }, .integer32), entity: "Item")
    let report = try fixture.load(#"[{"id": 1, "value": 4}, {"id": 2, "value": 5}]"#)
    #expect(report.counts == "Item +1 !1")
  }

  @Test func anExistingObjectKeepsItsValue() throws {
    let fixture = try Fixture(model: model({ $0.maximum = "5" }, .integer32), entity: "Item")
    try fixture.load(#"[{"id": 1, "value": 4}]"#)
    try fixture.load(#"[{"id": 1, "value": 6}]"#)
    #expect(try fixture.rows("SELECT value FROM Item") == ["4"])
  }

  // MARK: - Links

  private let albums = """
    Band
      id: integer64
      name: string
      albums: [Album] <- band
    Album
      id: integer64
      title: string
      band: Band! <- albums
      notes: [Note]
    Note
      text: string
    """

  @Test func aNewObjectNeedsItsRequiredRelationship() throws {
    let fixture = try Fixture(albums, entity: "Album")
    let report = try fixture.load(
      #"[{"id": 1, "title": "a", "notes": [{"text": "n"}]}, {"id": 2, "band": 7}, {"id": 3, "band": null}]"#)
    #expect(report.counts == "Album +1 !2, Note +1 -1")
    #expect(
      report.problems == [
        "$[2].band: expected Band, as an object or by its identity, a whole number of 64 bits, found null; value left out",
        "$[0].band: expected Band, found nothing; object skipped",
        "$[2].band: expected Band, found nothing; object skipped",
      ])
    #expect(try fixture.rows("SELECT id, band FROM Album") == ["2 7"])
    #expect(try fixture.rows("SELECT * FROM Note") == [])
  }

  @Test(arguments: [
    #"{"albums": [{"id": 1, "title": "a"}], "bands": [{"id": 5, "albums": [1]}]}"#,
    #"{"bands": [{"id": 5, "albums": [{"id": 1, "title": "a"}]}]}"#,
    #"{"albums": [{"id": 1, "title": "a"}, {"id": 1, "band": {"id": 5, "name": "x"}}]}"#,
  ])
  func theLinkMayComeFromAnywhereInTheImport(_ json: String) throws {
    let fixture = try Fixture(albums)
    #expect(try fixture.load(json).problems == [])
    #expect(try fixture.rows("SELECT id, band FROM Album") == ["1 5"])
  }

  @Test func aLinkThatWaitsForItWillDo() throws {
    let fixture = try Fixture(albums)
    try fixture.load(#"{"bands": [{"id": 5, "albums": [1]}]}"#)
    #expect(try fixture.load(#"{"albums": [{"id": 1, "title": "a"}]}"#).problems == [])
    #expect(try fixture.rows("SELECT id, band FROM Album") == ["1 5"])
  }

  @Test func whatRefersToAnObjectThatIsNotKeptWaitsForIt() throws {
    let fixture = try Fixture(albums + "\nFan\n  id: integer64\n  favourite: Album")
    let report = try fixture.load(#"{"fans": [{"id": 1, "favourite": {"id": 3, "title": "t"}}]}"#)
    #expect(report.counts == "Album !1, Fan +1")
    #expect(report.waiting == ["Fan 1 favourite -> Album 3"])
  }

  @Test func anExistingObjectIsNotAsked() throws {
    let fixture = try Fixture(albums)
    try fixture.load(#"{"bands": [{"id": 5, "albums": [{"id": 1, "title": "a"}]}]}"#)
    #expect(try fixture.load(#"{"albums": [{"id": 1, "title": "b"}]}"#).counts == "Album ~1")
  }

  @Test func strictImportsFail() throws {
    let fixture = try Fixture(albums, entity: "Album")
    #expect(throws: ImportError.self) {
      try fixture.load(#"[{"id": 1, "title": "a"}]"#) { $0.isStrict = true }
    }
    #expect(try fixture.rows("SELECT * FROM Album") == [])
  }

  @Test func nothingIsPrunedAfterIt() throws {
    let fixture = try Fixture(albums, entity: "Album")
    try fixture.load(#"[{"id": 9, "band": 1}]"#)
    let report = try fixture.load(#"[{"id": 1, "title": "a"}]"#) { $0.prunes = true }
    #expect(report.deleted == [:])
    #expect(try fixture.rows("SELECT id FROM Album") == ["9"])
  }

  // MARK: - Counts

  private func counted(_ least: Int?, _ most: Int?, isOptional: Bool = true) throws -> Fixture {
    let tags = Relationship(
      name: "tags", destination: "Tag", isToMany: true, isOptional: isOptional, minimumCount: least,
      maximumCount: most)
    return try Fixture(
      model: Model(entities: [
        Entity(name: "Post", attributes: [Attribute(name: "id", type: .integer64)], relationships: [tags]),
        Entity(
          name: "Tag",
          attributes: [
            Attribute(name: "id", type: .string), Attribute(name: "t", type: .string, isOptional: true),
          ]),
      ]), entity: "Post")
  }

  @Test func aListOutsideItsCountsIsLeftOutAndItsObjectsAreNot() throws {
    let fixture = try counted(2, 3)
    try fixture.load(#"[{"id": 1, "tags": ["a", "b"]}]"#)
    let report = try fixture.load(
      #"[{"id": 1, "tags": ["a"]}, {"id": 2, "tags": [{"id": "c", "t": "x"}, "d", "e", "f"]}, {"id": 3, "tags": []}]"#
    )
    #expect(
      report.problems == [
        "$[0].tags: expected 2 to 3 in the list, found 1; list left out",
        "$[1].tags: expected 2 to 3 in the list, found 4; list left out",
      ])
    #expect(try fixture.rows("SELECT * FROM Post_tags ORDER BY 1, 2") == ["1 a", "1 b"])
    #expect(try fixture.rows("SELECT id FROM Tag") == ["c"])
    #expect(try fixture.rows("SELECT id FROM Post") == ["1", "2", "3"])
  }

  @Test func anOptionalListMayBeEmptyWhateverModelFilesSay() throws {
    let fixture = try counted(1, 1)
    #expect(try fixture.load(#"[{"id": 1, "tags": null}, {"id": 2}, {"id": 3, "tags": []}]"#).problems == [])
  }

  /// As in Core Data, where such a relationship has no minimum.
  @Test(arguments: [nil, 0]) func aRequiredListWithoutAMinimumMayBeEmpty(_ least: Int?) throws {
    let fixture = try counted(least, nil, isOptional: false)
    let report = try fixture.load(
      #"[{"id": 1, "tags": []}, {"id": 2}, {"id": 3, "tags": null}, {"id": 4, "tags": ["b"]}]"#)
    #expect(report.problems == [])
    #expect(report.counts == "Post +4")
    #expect(try fixture.load(#"[{"id": 4, "tags": []}]"#).problems == [])
    #expect(try fixture.rows("SELECT * FROM Post_tags") == [])
  }

  @Test func aRequiredListWithAMinimumMayNotBeEmpty() throws {
    let fixture = try counted(1, nil, isOptional: false)
    try fixture.load(#"[{"id": 1, "tags": ["a"]}]"#)
    let report = try fixture.load(
      #"[{"id": 1, "tags": []}, {"id": 2}, {"id": 3, "tags": null}, {"id": 4, "tags": ["b"]}]"#)
    #expect(try fixture.rows("SELECT * FROM Post_tags ORDER BY 1") == ["1 a", "4 b"])
    #expect(try fixture.rows("SELECT id FROM Post ORDER BY 1") == ["1", "4"])
    #expect(report.counts == "Post +1 =1 !2")
    #expect(report.issues.count == 4)
  }
}
