import Mapping
import ObjectStore
import Testing

/// Single cases of what ``RandomRoundTripTests`` looks for at random.
@Suite struct RoundTripTests {
  private let bands = """
    Band
      id: double
      albums: [Album] <- band | ordered
      tags: [Tag] | ordered
      leader: Person <- leads
    Album
      id: integer64
      title: string
      band: Band <- albums
    Tag
      name: string | broker.identity=true
      color: string
    Person
      id: integer64
      leads: Band <- leader
    """

  /// Imports, exports and imports again, and checks that this changes nothing.
  private func unchanged(
    _ notation: String, _ json: String, export entities: String...,
    adjust: (inout ExportOptions) -> Void = { _ in }
  ) throws -> [String] {
    let fixture = try Fixture(notation)
    try fixture.load(json, as: json.hasPrefix("[") ? entities[0] : nil)
    var exported: [String] = []
    for entity in entities {
      let lines = try fixture.exported(entity, adjust)
      let report = try fixture.load(lines.joined(separator: "\n"), as: entity)
      #expect(report.problems == [])
      #expect(!report.changesAnything, "\(report.counts)")
      #expect(try fixture.exported(entity, adjust) == lines)
      exported += lines
    }
    return exported
  }

  // MARK: - References to what is not there

  private static let forms: [ExportOptions.Relationships] = [.keys, .nested(depth: 1)]

  @Test(arguments: forms)
  func aReferenceThatWaitsKeepsItsPlace(_ form: ExportOptions.Relationships) throws {
    let lines = try unchanged(
      bands,
      #"{"bands": [{"id": 1e20, "albums": [3, 2, 1], "tags": ["z", "y", "x"]}], "#
        + #""albums": [{"id": 1, "title": "a"}, {"id": 3, "title": "c"}], "tags": [{"name": "x"}, {"name": "z"}]}"#,
      export: "Band"
    ) { $0.relationships = form }
    let expected =
      form == .keys
      ? #"{"id":1e+20,"albums":[3,2,1],"tags":["z","y","x"],"leader":null}"#
      : #"{"id":1e+20,"albums":[{"id":3,"title":"c"},2,{"id":1,"title":"a"}],"#
        + #""tags":[{"name":"z","color":null},"y",{"name":"x","color":null}],"leader":null}"#
    #expect(lines == [expected])
  }

  @Test(arguments: forms)
  func theFarEndOfAOneToOneWaitsToo(_ form: ExportOptions.Relationships) throws {
    let notation = """
      Ship
        id: integer64
        captain: Person <- ship
      Person
        id: integer64
        ship: Ship <- captain
      """
    let ships = try unchanged(
      notation, #"{"ships": [{"id": 1, "captain": 7}]}"#, export: "Ship"
    ) { $0.relationships = form }
    #expect(ships == [#"{"id":1,"captain":7}"#])
    let people = try unchanged(
      notation, #"{"people": [{"id": 1, "ship": 7}]}"#, export: "Person"
    ) { $0.relationships = form }
    #expect(people == [#"{"id":1,"ship":7}"#])
  }

  @Test func theKeysOfSeveralPartsHaveTheNamesOfTheObject() throws {
    let lines = try unchanged(
      """
      Place | identityAttributes=row,column
        row: integer16 | broker.key=column
        column: integer16 | broker.key=at.row
        name: string
        next: Place
      """, #"[{"column": 1, "at": {"row": 2}, "next": {"column": 3, "at": {"row": 4}}}]"#, export: "Place")
    #expect(
      lines == [#"{"column":1,"at":{"row":2},"name":null,"next":{"column":3,"at":{"row":4}}}"#])
  }

  // MARK: - Parts

  /// What the JSON of a part does not mention would be gone after an import.
  @Test func partsAreWrittenWholeOrNotAtAll() throws {
    let lines = try unchanged(
      """
      Song
        id: integer64
        next: Song
        notes: [Note] | ordered
      Note
        text: string
        lines: [Line]
        author: Song
      Line
        text: string
      """,
      #"[{"id": 1, "next": 2, "notes": [{"text": "a", "lines": [{"text": "b"}], "author": 1}]}]"#,
      export: "Song"
    ) {
      $0.relationships = .none
      $0.nested = ["notes"]
    }
    #expect(lines == [#"{"id":1,"notes":[{"text":"a","lines":[{"text":"b"}],"author":1}]}"#])
  }

  // MARK: - Order

  @Test func anOrderThatNobodyToldIsThatOfTheKeys() throws {
    let fixture = try Fixture(bands)
    try fixture.load(#"{"albums": [{"id": 2, "band": 1}, {"id": 1, "band": 1}], "bands": [{"id": 1}]}"#)
    #expect(try fixture.exported("Band") == [#"{"id":1,"albums":[1,2],"tags":[],"leader":null}"#])
  }

  private func isFixed(_ notation: String, _ json: String...) throws -> Bool {
    let fixture = try Fixture(notation)
    for json in json { try fixture.load(json) }
    let lines = try fixture.exported("Band").joined(separator: "\n")
    return try !fixture.load(lines, as: "Band").changesAnything
  }

  private let fans = """
    Band
      id: integer64
      fans: [Fan] <- bands | ordered
    Fan
      id: integer64
      bands: [Band] <- fans
    """

  @Test func aListWhoseOrderNobodyToldIsUnchanged() throws {
    #expect(try isFixed(fans, #"{"fans": [{"id": 1, "bands": [1]}], "bands": [{"id": 1}]}"#))
    #expect(try isFixed(bands, #"{"albums": [{"id": 1, "band": 1}], "bands": [{"id": 1}]}"#))
  }

  @Test func aListThatLostAnElementIsUnchanged() throws {
    let isFixed = try isFixed(
      bands, #"{"bands": [{"id": 1, "albums": [1, 2]}], "albums": [{"id": 1}, {"id": 2}]}"#,
      #"{"bands": [{"id": 2, "albums": [1]}]}"#)
    #expect(isFixed)
  }

  @Test func aListThatLeadsToItsOwnerKeepsItsOrder() throws {
    let fixture = try Fixture(
      """
      Band | identityAttributes=x,y
        x: integer16
        y: string
        likes: [Band] <- likedBy | ordered
        likedBy: [Band] <- likes
      """)
    let (a, b) = (#"{"x":1,"y":"a"}"#, #"{"x":1,"y":"b"}"#)
    try fixture.load(#"{"x": 1, "y": "a", "likes": [\#(b), \#(a)], "likedBy": [\#(a)]}"#)
    let line = try fixture.exported("Band").first
    // An object with nothing but an identity would be made; a key of several values, joined, refers to one.
    #expect(line == #"{"x":1,"y":"a","likes":["1,b","1,a"],"likedBy":["1,a"]}"#)
  }
}
