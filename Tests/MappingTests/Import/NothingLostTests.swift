import Mapping
import ObjectModel
import Testing

/// What was left out, and what must not be lost for that.
@Suite struct NothingLostTests {
  private let people = """
    Person
      id: integer64
      name: string
      spouse: Person
      friends: [Person]
    """

  @Test(arguments: [
    #"[{"id": 1, "spouse": [{"id": 2}]}, {"id": 3}]"#, #"[{"id": 1, "friends": "x"}, {"id": 3}]"#,
    #"[{"id": 1, "spouse": "x"}, {"id": 3}]"#, #"[{"id": 1, "friends": [{"id": 3}, [{"id": 2}]]}]"#,
  ])
  func whatWasLeftOutWithholdsAPrune(_ json: String) throws {
    let fixture = try Fixture(people)
    try fixture.load(#"[{"id": 1}, {"id": 2}, {"id": 3}]"#)
    let report = try fixture.load(json) { $0.prunes = true }
    #expect(report.deleted == [:])
    #expect(report.issueCount == 2)
    #expect(try fixture.rows("SELECT id FROM Person ORDER BY id") == ["1", "2", "3"])
  }

  /// An object that comes several times in one record, each time with an object of its own, which comes again or not.
  @Test(arguments: [
    (
      #"{"id": 5, "category": {"id": 501, "name": "C"}}"#,
      #"{"id": 5, "category": {"id": 501, "name": "C"}}"#, "5 501", "501 C"
    ),
    (
      #"{"id": 5, "category": {"id": 501, "name": "C"}}"#,
      #"{"id": 5, "category": {"id": 502, "name": "D"}}"#, "5 502", "501 C, 502 D"
    ),
    (#"{"id": 5, "category": {"id": 501, "name": "C"}}"#, #"{"id": 5, "category": 501}"#, "5 501", "501 C"),
    (#"{"id": 5, "category": 501}"#, #"{"id": 5, "category": {"id": 501, "name": "C"}}"#, "5 501", "501 C"),
    (#"{"id": 5, "category": {"id": 501, "name": "C"}}"#, #"{"id": 5, "category": null}"#, "5 -", "501 C"),
    (#"{"id": 5, "category": {"id": 501, "name": "C"}}"#, #"{"id": 5}"#, "5 501", "501 C"),
    (
      #"{"id": 5, "size": {"width": 1, "maker": {"id": 501, "name": "C"}}}"#,
      #"{"id": 5, "size": {"width": 2}}"#,
      "5 -", "501 C"
    ),
  ])
  func whatAnObjectThatComesTwiceNestsIsThere(
    _ first: String, _ second: String, _ product: String, _ categories: String
  ) throws {
    let fixture = try Fixture(
      """
      Order
        id: integer64
        items: [Item]
      Item
        product: Product
      Product
        id: integer64
        category: Category
        size: Size
      Size
        width: integer64
        maker: Category
      Category
        id: integer64
        name: string
      """)
    for _ in 0..<2 {
      let report = try fixture.load(
        #"{"id": 1, "items": [{"product": \#(first)}, {"product": \#(second)}]}"#, as: "Order")
      #expect(report.problems == [])
      #expect(try fixture.rows("SELECT id, category FROM Product") == [product])
      #expect(
        try fixture.rows("SELECT id, name FROM Category ORDER BY id").joined(separator: ", ") == categories)
    }
  }

  @Test func aTransformerThatFailsOnARelationshipWithholdsAPrune() throws {
    let fixture = try Fixture(
      """
      Person
        id: integer64
        spouse: Person | broker.transformer=embeddedJSON
      """)
    try fixture.load(#"[{"id": 1}, {"id": 2}]"#)
    let report = try fixture.load(#"[{"id": 1, "spouse": "{broken"}]"#) { $0.prunes = true }
    #expect(report.deleted == [:])
    #expect(try fixture.rows("SELECT count(*) FROM Person") == ["2"])
  }

  @Test func aDictionaryWhereAListOfPartsIsExpectedIsAnIssue() throws {
    let fixture = try Fixture(
      """
      A
        id: integer64
        bs: [B]
      B
        text: string
      """)
    let report = try fixture.load(#"{"id": 1, "bs": {"ara": {"text": "x"}, "deu": {"text": "y"}}}"#, as: "A")
    #expect(report.problems.count == 1)
    #expect(report.skipped == ["B": 1])
    #expect(try fixture.rows("SELECT count(*) FROM B") == ["0"])
    // A lone part is one, whatever else it has; and what was there stays.
    try fixture.load(#"{"id": 1, "bs": {"text": "z", "more": 1}}"#, as: "A")
    try fixture.load(#"{"id": 1, "bs": {"ara": {"text": "x"}}}"#, as: "A")
    #expect(try fixture.rows("SELECT text FROM B") == ["z"])
  }

  @Test func anObjectWithAnyOtherKeyIsNoMereKey() throws {
    let fixture = try Fixture(
      """
      Number
        id: integer64
        value: integer64
        numbers: [Number]
      """)
    let report = try fixture.load(#"[{"id": 0, "numbers": [{"id": 1, "label": "x"}, {"id": 2}]}]"#)
    #expect(report.inserted == ["Number": 2])
    #expect(report.waiting == ["Number 0 numbers -> Number 2"])
  }

  @Test func anUpdateThroughAnAbstractParentFindsTheObject() throws {
    let fixture = try Fixture(
      """
      Media | abstract
        id: integer64
        title: string
      Photo : Media
        width: integer64
      """)
    try fixture.load(#"[{"id": 1, "title": "a", "type": "photo"}]"#, as: "Media")
    let report = try fixture.load(#"[{"id": 1, "title": "b"}, {"id": 2, "title": "c"}]"#, as: "Media")
    #expect(report.updated == ["Photo": 1] || report.updated == ["Media": 1])
    #expect(report.problems.count == 1)
    #expect(try fixture.rows("SELECT _entity, id, title FROM Media") == ["Photo 1 b"])
  }

  /// The store knows the kind of an object that is there, so all keys of that kind count.
  @Test func anUpdateThroughAParentTakesAllKeysOfTheKind() throws {
    let fixture = try Fixture(
      """
      Shape
        id: integer64
        title: string
      Circle : Shape
        radius: double
        dots: [Dot] <- circle
        marks: [Mark] | ordered
      Square : Shape
        side: integer16!
        radius: string
      Dot
        id: integer64
        circle: Circle <- dots
      Mark
        text: string
      Drawing
        id: integer64
        shapes: [Shape]
      """)
    try fixture.load(
      #"[{"id": 1, "type": "Circle", "radius": 5}, {"id": 2, "type": "Square", "side": 3}, {"id": 3, "title": "x"}]"#,
      as: "Shape")
    let report = try fixture.load(
      #"""
      [{"id": 1, "radius": 9, "dots": [{"id": 4}], "marks": [{"text": "a"}, {"text": "b"}], "other": 0},
       {"id": 2, "radius": "r", "side": "many"}, {"id": 3, "title": "y", "radius": 1},
       {"id": 5, "type": "Circle", "title": "new"}, {"id": 5, "radius": 7, "title": "late"}]
      """#, as: "Shape")
    #expect(report.counts == "Circle +1 ~1, Dot +1, Mark +2, Shape ~1, Square !1, 1x")
    #expect(
      report.problems == [
        #"$[1].side: expected a whole number from -32768 to 32767, found "many"; object skipped"#
      ])
    #expect(report.unmatchedKeys == ["Circle": ["other": 1], "Shape": ["radius": 1]])
    #expect(
      try fixture.rows("SELECT id, _entity, title, radius FROM Shape ORDER BY id") == [
        "1 Circle - 9.0", "2 Square - -", "3 Shape y -", "5 Circle late 7.0",
      ])
    #expect(try fixture.rows("SELECT id, circle FROM Dot") == ["4 1"])
    #expect(try fixture.rows("SELECT text FROM Mark ORDER BY rowid") == ["a", "b"])
    let again = try fixture.load(
      #"{"drawings": [{"id": 1, "shapes": [{"id": 1, "radius": 11}, {"id": 5, "marks": [{"text": "c"}]}]}]}"#)
    #expect(again.problems == [])
    #expect(again.unmatchedKeys == [:])
    #expect(try fixture.rows("SELECT radius FROM Shape WHERE id = 1") == ["11.0"])
    #expect(try fixture.rows("SELECT * FROM Drawing_shapes ORDER BY 2") == ["1 1", "1 5"])
    #expect(try fixture.rows("SELECT count(*) FROM Mark") == ["3"])
  }

  @Test func nullClearsWhateverListsMean() throws {
    let fixture = try Fixture(people)
    try fixture.load(#"[{"id": 1, "friends": [2, 3]}, {"id": 2}, {"id": 3}]"#)
    try fixture.load(#"{"id": 1, "friends": []}"#) { $0.toMany = .merge }
    #expect(try fixture.rows("SELECT count(*) FROM Person_friends") == ["2"])
    try fixture.load(#"{"id": 1, "friends": null}"#) { $0.toMany = .merge }
    #expect(try fixture.rows("SELECT count(*) FROM Person_friends") == ["0"])
  }

  @Test func versionsCompareAsTheirTypeDoes() throws {
    let fixture = try Fixture(
      """
      Note | broker.version=version
        id: integer64
        version: decimal
        text: string
      """)
    try fixture.load(#"{"id": 1, "version": 9, "text": "nine"}"#)
    try fixture.load(#"{"id": 1, "version": 10, "text": "ten"}"#)
    try fixture.load(#"{"id": 1, "version": 9.5, "text": "old"}"#)
    #expect(try fixture.rows("SELECT version, text FROM Note") == ["10 ten"])
  }

  @Test func keysThatHashAlikeAreTwo() throws {
    let fixture = try Fixture(
      """
      Band
        name: string | broker.identity=true
      Album
        id: integer64
        band: Band
      """)
    let report = try fixture.load(
      #"{"bands": [{"name": "a"}], "albums": [{"id": 1, "band": "a"}, {"id": 2, "band": "\u0000a"}]}"#)
    #expect(report.pendingCount == 1)
  }

  @Test func theExactNameOfAnEntityWins() throws {
    let fixture = try Fixture(
      """
      User
        id: integer64
      user
        id: integer64
      """)
    try fixture.load(#"{"User": [{"id": 1}], "user": [{"id": 2}]}"#)
    #expect(try fixture.rows("SELECT id FROM User") == ["1"])
    #expect(try fixture.rows("SELECT id FROM user_") == ["2"])
  }

  @Test func uniqueValuesMayBeSwapped() throws {
    var model = try model(
      """
      Seat
        id: integer64 | broker.identity=true
        number: integer64
      """)
    model.entities[0].uniquenessConstraints = [["number"]]
    let fixture = try Fixture(model: model)
    try fixture.load(#"[{"id": 1, "number": 10}, {"id": 2, "number": 20}, {"id": 3, "number": 30}]"#)
    let report = try fixture.load(#"[{"id": 1, "number": 20}, {"id": 2, "number": 10}]"#)
    #expect(report.problems == [])
    #expect(report.updated == ["Seat": 2])
    #expect(try fixture.rows("SELECT id, number FROM Seat ORDER BY id") == ["1 20", "2 10", "3 30"])
    // What nobody gives away is an issue; the object keeps what it had.
    let second = try fixture.load(#"[{"id": 1, "number": 30}, {"id": 4, "number": 10}]"#)
    #expect(second.issueCount == 2)
    #expect(try fixture.rows("SELECT id, number FROM Seat ORDER BY id") == ["1 20", "2 10", "3 30"])
  }

  @Test(arguments: [
    (#"{"id": 1, "friends": [{"id": 5, "name": "x"}], "spouse": {"id": 5, "name": "y"}}"#, "y"),
    (#"{"id": 1, "spouse": {"id": 5, "name": "y"}, "friends": [{"id": 5, "name": "x"}]}"#, "x"),
    (
      #"{"id": 1, "friends": [{"id": 2, "friends": [{"id": 5, "name": "x"}], "spouse": {"id": 5, "name": "y"}}]}"#,
      "y"
    ),
    (#"{"id": 5, "name": "outer", "friends": [{"id": 2, "spouse": {"id": 5, "name": "inner"}}]}"#, "inner"),
    (#"{"id": 5, "friends": [{"id": 2, "spouse": {"id": 5, "name": "inner"}}], "name": "outer"}"#, "outer"),
    (#"{"id": 5, "spouse": {"id": 5, "name": "a"}, "friends": [{"id": 5, "name": "b"}]}"#, "b"),
  ])
  func theLaterValueWinsAtEveryDepth(_ json: String, _ name: String) throws {
    let fixture = try Fixture(people)
    let report = try fixture.load(json)
    #expect(report.duplicates >= 1)
    #expect(try fixture.rows("SELECT name FROM Person WHERE id = 5") == [name])
  }

  /// On both writers: what a later list of the same object replaces is neither skipped nor an issue.
  @Test func aListThatALaterOneReplacesSkipsNothing() throws {
    let fixture = try Fixture(
      """
      User
        id: integer64
        events: [Event]
        product: Product
      Event
        id: integer64
        product: Product
      Product
        id: integer64
        orders: [Order]
      Order
        price: integer64
      """)
    let report = try fixture.load(
      """
      [{"id": 2, "events": [{"id": 8, "product": {"id": 8, "orders": [{"price": 45}]}}],
        "product": {"id": 8, "orders": []}}]
      """
    ) { $0.entity = "User" }
    #expect(report.problems == [])
    #expect(report.skipped == [:])
    #expect(report.duplicates == 1)
  }
}
