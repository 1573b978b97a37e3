import JSONStream
import Mapping
import ObjectModel
import Testing

/// Transformers on attributes and relationships, on the way in and back.
@Suite struct TransformerImportTests {
  private static let notation = """
    Song
      id: integer64 | broker.transformer=numberAsString
      title: string! | broker.transformer=trimmed,emptyIsNull,htmlEntities
      length: double | broker.transformer=milliseconds
      rating: integer16 | broker.transformer=numberAsString
      active: boolean | broker.transformer=yesNo
      genres: string | broker.transformer=commaSeparated
      extra: transformable | broker.transformer=embeddedJSON
      mood: string | broker.key=state.mood | broker.transformer=unknownForNull
      tags: [Tag] | ordered | broker.transformer=commaSeparated
      band: Band | broker.transformer=emptyIsNull
      credits: [Credit] | broker.transformer=embeddedJSON
    Tag
      name: string | broker.identity=true
    Band
      code: string | broker.identity=true | broker.transformer=trimmed,lowercase
      name: string
    Credit
      role: string
      share: integer16
    """

  private static let functions: MappingFunctions = {
    var functions = MappingFunctions()
    functions.transformers["unknownForNull"] = Transformer(
      read: { $0 == .null ? "unknown" : $0 }, write: { $0 == "unknown" ? .null : $0 })
    functions.transformers["trouble"] = Transformer(
      read: { _ in throw Trouble() }, write: { _ in throw Trouble() })
    functions.transformers["nonsense"] = Transformer(
      read: { _ in .number("1-2") }, write: { _ in .array([.number("")]) })
    return functions
  }()

  private struct Trouble: Error, CustomStringConvertible {
    let description = "no trouble"
  }

  private func songs(_ notation: String = Self.notation) throws -> Fixture {
    try Fixture(notation, entity: "Song", functions: Self.functions)
  }

  private func load(_ members: String, before: String = "") throws -> (Fixture, Report) {
    let fixture = try songs()
    if !before.isEmpty { try fixture.load(#"{"id": 1, "title": "x", \#(before)}"#) }
    return (fixture, try fixture.load(#"{"id": 1, "title": "x", \#(members)}"#))
  }

  // MARK: - Attributes

  @Test(arguments: [
    ("length", "215500", "215.5"), ("length", "null", "-"), ("rating", #""5""#, "5"), ("rating", "5", "5"),
    ("active", #""Yes""#, "1"), ("active", "false", "0"), ("genres", #""a, b""#, #"["a","b"]"#),
    ("genres", #"["a"]"#, #"["a"]"#), ("extra", #""{\"b\":[1.0],\"a\":null}""#, #"{"a":null,"b":[1.0]}"#),
    ("extra", #""\"text\"""#, #""text""#), ("extra", #""null""#, "-"),
    ("title", #"" Tom &amp; Jerry ""#, "Tom & Jerry"),
  ])
  func aValueIsTransformedThenConverted(_ key: String, _ json: String, _ stored: String) throws {
    let (fixture, report) = try load("\"\(key)\": \(json)")
    #expect(try fixture.rows("SELECT \(key) FROM Song") == [stored])
    #expect(report.problems == [])
  }

  @Test(arguments: [
    (#""length": "long""#, #"$.length: expected a number, found "long"; value left out"#),
    (#""length": [1]"#, "$.length: expected a number, found a list; value left out"),
    (
      #""rating": "70000""#,
      #"$.rating: expected a whole number from -32768 to 32767, found "70000"; value left out"#
    ),
    (#""rating": "high""#, #"$.rating: expected a number in a string, found "high"; value left out"#),
    (#""active": "perhaps""#, #"$.active: expected yes or no, found "perhaps"; value left out"#),
    (#""extra": "{""#, #"$.extra: expected JSON in a string, found "{"; value left out"#),
    // The value in the JSON is what was found, not what became of it on the way.
    (#""title": "  ""#, #"$.title: expected a string, found "  "; object skipped"#),
    (#""title": null"#, "$.title: expected a string, found null; object skipped"),
    (#""id": "one""#, #"$.id: expected a number in a string, found "one"; object skipped"#),
  ])
  func whatCannotBeTransformedIsAnIssue(_ member: String, _ problem: String) throws {
    let (_, report) = try load(member, before: #""length": 1000"#)
    #expect(report.problems == [problem])
    #expect(!report.changesAnything)
  }

  @Test(arguments: ["trouble", "nonsense"])
  func otherErrorsAreIssuesToo(_ name: String) throws {
    let fixture = try songs("Song\n  id: integer64\n  note: string | broker.transformer=\(name)")
    let report = try fixture.load(#"{"id": 1, "note": "n"}"#)
    let expected = name == "trouble" ? "no trouble" : "a number"
    #expect(report.problems == [#"$.note: expected \#(expected), found "n"; value left out"#])
  }

  @Test(arguments: [
    (#""other": 1"#, "calm"), (#""state": {}"#, "calm"), (#""state": {"mood": null}"#, "unknown"),
    (#""state": null"#, "unknown"),
  ])
  func nullIsTransformedAndWhatIsAbsentIsNot(_ member: String, _ mood: String) throws {
    let (fixture, _) = try load(member, before: #""state": {"mood": "calm"}"#)
    #expect(try fixture.rows("SELECT mood FROM Song") == [mood])
  }

  @Test func transformersChainInOrder() throws {
    let fixture = try songs(
      "Song\n  id: integer64\n  hidden: boolean | broker.transformer=trimmed,emptyIsNull,yesNo,not")
    try fixture.load(#"[{"id": 1, "hidden": " YES"}, {"id": 2, "hidden": " "}, {"id": 3, "hidden": "n"}]"#)
    #expect(try fixture.rows("SELECT hidden FROM Song ORDER BY id") == ["0", "-", "1"])
    let expected = [#"{"id":1,"hidden":"yes"}"#, #"{"id":2,"hidden":""}"#, #"{"id":3,"hidden":"no"}"#]
    #expect(try fixture.exported("Song") == expected)
  }

  @Test func ownTransformersComeBeforeBroker() throws {
    var functions = MappingFunctions()
    functions.transformers["trimmed"] = Transformer(read: { _ in "mine" }, write: { $0 })
    let fixture = try Fixture(
      "Song\n  id: integer64\n  note: string | broker.transformer=trimmed", entity: "Song",
      functions: functions)
    try fixture.load(#"{"id": 1, "note": " n "}"#)
    #expect(try fixture.rows("SELECT note FROM Song") == ["mine"])
  }

  // MARK: - Identities

  @Test func anIdentityAndItsReferencesGoThroughItsTransformers() throws {
    let fixture = try songs()
    let report = try fixture.load(
      """
      {"bands": [{"code": " JPN ", "name": "Japan"}, {"code": "jpn", "name": "Japan"}],
       "songs": [{"id": "1", "title": "a", "band": "Jpn "}, {"id": 2, "title": "b", "band": {"code": "JPN"}},
                 {"id": 3, "title": "c", "band": ""}, {"id": 4, "title": "d", "band_id": "  jpN"}]}
      """)
    #expect(report.problems == [])
    #expect(report.waiting == [])
    #expect(report.counts == "Band +1, Song +4, 1x")
    #expect(try fixture.rows("SELECT id, band FROM Song ORDER BY id") == ["1 jpn", "2 jpn", "3 -", "4 jpn"])
  }

  @Test func theKeysOfADictionaryGoThroughTheTransformersOfTheIdentity() throws {
    let fixture = try songs()
    let report = try fixture.load(#"{" JPN": {"name": "Japan"}, "xtc ": {"name": "XTC"}}"#, as: "Band")
    #expect(report.problems == [])
    #expect(try fixture.rows("SELECT * FROM Band ORDER BY code") == ["jpn Japan", "xtc XTC"])
  }

  @Test func theDateFormatOfAnIdentityIsThatOfReferences() throws {
    let fixture = try Fixture(
      """
      Day
        day: date | broker.identity=true | broker.dateFormat=dd.MM.yyyy
        next: Day
        near: [Day]
      """, entity: "Day")
    let report = try fixture.load(
      #"[{"day": "01.02.2014", "next": "02.02.2014", "near": ["02.02.2014"]}, {"day": "02.02.2014"}]"#)
    #expect(report.problems == [])
    #expect(report.waiting == [])
    #expect(
      try fixture.exported("Day").first
        == #"{"day":"01.02.2014","next":"02.02.2014","near":["02.02.2014"]}"#)
  }

  // MARK: - Relationships

  @Test(arguments: [
    (#""rock,pop""#, ["rock", "pop"]), (#""pop , jazz""#, ["pop", "jazz"]), (#""""#, []), ("null", []),
    (#"["a,b"]"#, ["a,b"]),
  ])
  func aTextOfKeysBecomesLinks(_ json: String, _ names: [String]) throws {
    let (fixture, report) = try load(#""tags": \#(json)"#, before: #""tags": "rock,jazz""#)
    #expect(report.problems == [])
    #expect(try fixture.rows("SELECT tags FROM Song_tags ORDER BY tags_order") == names)
  }

  @Test func aTextOfObjectsBecomesObjects() throws {
    let json = #""[{\"role\": \"bass\", \"share\": 50}, {\"role\": \"drums\", \"share\": \"half\"}]""#
    let (fixture, report) = try load(#""credits": \#(json)"#)
    #expect(try fixture.rows("SELECT role, share FROM Credit") == ["bass 50", "drums -"])
    #expect(
      report.problems == [
        #"$.credits[1].share: expected a whole number from -32768 to 32767, found "half"; value left out"#
      ])
  }

  @Test(arguments: [
    (#""credits": "[{""#, #"$.credits: expected JSON in a string, found "[{"; value left out"#),
    (
      #""credits": "[7]""#,
      "$.credits[0]: expected Credit, as an object, found 7; element left out"
    ),
    (#""band": ["x"]"#, "$.band: expected an object or a key, found a list; value left out"),
  ])
  func whatGivesNoObjectsIsAnIssue(_ member: String, _ problem: String) throws {
    #expect(try load(member).1.problems == [problem])
  }

  @Test(arguments: [
    (#""band": """#, "-"), (#""band": []"#, "-"), (#""band": null"#, "-"), (#""band": " XTC ""#, "xtc"),
    (#""band": {"code": "XTC"}"#, "xtc"),
  ])
  func whatIsEmptyInPlaceOfAnObjectIsNull(_ member: String, _ band: String) throws {
    let (fixture, report) = try load(member, before: #""band": {"code": "jpn"}"#)
    #expect(report.problems == [])
    #expect(try fixture.rows("SELECT band FROM Song") == [band])
    let written = band == "-" ? #""band":"","# : #""band":"xtc","#
    #expect(try fixture.exported("Song").first?.contains(written) == true)
  }

  /// Objects in such a relationship are not read as a whole first: they may nest as deep as any others, and each issue has its place.
  @Test func objectsBesideEmptinessAreReadAsOthers() throws {
    let notation = """
      Reply
        id: integer64 | broker.identity=true
        votes: integer16
        parent: Reply <- replies
        replies: [Reply] <- parent | ordered | broker.key=replies.children | broker.transformer=emptyIsNull
        origin: Origin | broker.transformer=emptyIsNull
      Origin
        app: string
      """
    let fixture = try Fixture(notation, entity: "Reply")
    var json = #"{"id": 0, "replies": "", "origin": [], "votes": "many"}"#
    for id in 1...150 {
      json = #"{"id": \#(id), "origin": {"app": "a\#(id)"}, "replies": {"children": [\#(json)]}}"#
    }
    let report = try fixture.load(json)
    let place = "$" + String(repeating: ".replies.children[0]", count: 150) + ".votes"
    #expect(
      report.problems == [
        #"\#(place): expected a whole number from -32768 to 32767, found "many"; value left out"#
      ])
    let counts = try fixture.rows("SELECT count(*), count(parent) FROM Reply")
    #expect(counts == ["151 150"])
    #expect(try fixture.rows("SELECT count(*) FROM Origin") == ["150"])
    let again = try fixture.load(json)
    #expect(!again.changesAnything)
  }

  /// On the way of a key path what is empty is null where all attributes behind it say so, and an issue otherwise.
  @Test(arguments: ["\"\"", "[]"])
  func whatIsEmptyOnTheWayOfAKeyPath(_ empty: String) throws {
    func load(_ second: String) throws -> (rows: [String], problems: [String]) {
      let fixture = try Fixture(
        """
        User
          id: integer64
          city: string | broker.key=address.city | broker.transformer=emptyIsNull
          street: string | broker.key=address.street\(second)
        """, entity: "User")
      try fixture.load(#"{"id": 1, "address": {"city": "Ulm", "street": "A"}}"#)
      let report = try fixture.load(#"{"id": 1, "address": \#(empty)}"#)
      return (try fixture.rows("SELECT city, street FROM User"), report.problems)
    }
    let all = try load(" | broker.transformer=trimmed,emptyIsNull")
    #expect(all.rows == ["Ulm A"] && all.problems.count == 1)
    let both = try load(" | broker.transformer=emptyIsNull")
    #expect(both.rows == ["- -"] && both.problems == [])
  }

  /// `false` says that there is no object: it is not the one with the number 0.
  @Test func falseNamesNoObject() throws {
    let fixture = try Fixture(
      "Page\n  id: integer64 | broker.identity=true\n  parent: Page\n  hidden: integer16", entity: "Page")
    let report = try fixture.load(#"[{"id": 7, "parent": false, "hidden": false}]"#)
    #expect(report.issues.map(\.path) == ["$[0].parent"])
    #expect(report.waiting == [])
    #expect(try fixture.rows("SELECT id, parent, hidden FROM Page") == ["7 - 0"])
  }

  /// What a transformer gives may not nest deeper than the JSON around it leaves room for.
  @Test func aTransformerThatNestsWithoutEndIsAnIssue() throws {
    var functions = MappingFunctions()
    functions.transformers["again"] = Transformer(
      read: { _ in ["name": "n", "child": "again"] }, write: { $0 })
    let fixture = try Fixture(
      "Box\n  name: string\n  child: Box | broker.transformer=again", entity: "Box", functions: functions)
    let report = try fixture.load(#"{"name": "n", "child": "x"}"#) { $0.maximumDepth = 20 }
    #expect(report.issues.map(\.expected) == ["JSON that nests less deep"])
  }

  @Test func ofTwoKeysTheBetterCountsWhateverItsTransformerMakesOfIt() throws {
    let (fixture, report) = try load(#""band_id": "xtc", "band": " JPN""#)
    #expect(try fixture.rows("SELECT band FROM Song") == ["jpn"])
    #expect(report.issues.map(\.expected) == ["one key for band"])
    #expect(try load(#""band_id": "jpn ", "band": " JPN""#).1.problems == [])
  }

  // MARK: - There and back

  private static let whole = """
    {"id": "1", "title": "Tom &amp; Jerry", "length": 215500, "rating": "5", "active": "no",
     "genres": "a, b", "extra": "{\\"b\\":[1.0],\\"a\\":null}", "state": {"mood": null}, "tags": "rock, pop",
     "band": {"code": "JPN"}, "credits": "[{\\"role\\":\\"bass\\",\\"share\\":50}]"}
    """

  @Test func whatIsWrittenIsWhatWasRead() throws {
    let fixture = try songs()
    try fixture.load(Self.whole)
    #expect(
      try fixture.exported("Song") == [
        #"{"id":"1","title":"Tom &amp; Jerry","length":215500,"rating":"5","active":"no","genres":"a, b","#
          + #""extra":"{\"a\":null,\"b\":[1.0]}","state":{"mood":null},"tags":"rock, pop","band":"jpn","#
          + #""credits":"[{\"role\":\"bass\",\"share\":50}]"}"#
      ])
  }

  @Test(arguments: [true, false], [ExportOptions.Relationships.keys, .nested(depth: 2)])
  func importingWhatWasExportedChangesNothing(
    _ nulls: Bool, _ relationships: ExportOptions.Relationships
  ) throws {
    let fixture = try songs()
    try fixture.load(
      Self.whole, #"{"id": 2, "title": "t", "tags": ["a,b"], "state": {"mood": "calm"}}"#,
      #"{"id": 3, "title": "u", "state": null}"#)
    let lines = try fixture.exported("Song") {
      $0.includesNulls = nulls
      $0.relationships = relationships
    }
    let before = try fixture.contents()
    let report = try fixture.load(lines.joined(separator: "\n"))
    #expect(report.problems == [])
    #expect(!report.changesAnything)
    #expect(try fixture.contents() == before)
  }

  @Test(arguments: ["trouble", "nonsense"])
  func whatCannotBeWrittenIsWrittenAsItIs(_ name: String) throws {
    let fixture = try songs(
      "Song\n  id: integer64\n  note: string | default=n | broker.transformer=\(name)")
    try fixture.load(#"{"id": 1}"#)
    #expect(try fixture.exported("Song") == [#"{"id":1,"note":"n"}"#])
  }

  @Test func theKeysOfObjectsThatHaveNotArrivedAreWrittenLikeOthers() throws {
    let fixture = try Fixture(
      """
      Band
        id: integer64
        albums: [Album] <- band
        fans: [Fan]
      Album
        code: integer64 | broker.identity=true | broker.transformer=numberAsString
        band: Band <- albums
        cover: Fan
      Fan
        sure: boolean | broker.identity=true | broker.transformer=yesNo
      """)
    try fixture.load(
      #"{"bands": [{"id": 1, "albums": ["7"], "fans": ["yes"]}], "albums": [{"code": "8", "cover": "no"}]}"#)
    #expect(try fixture.exported("Band") == [#"{"id":1,"albums":["7"],"fans":["yes"]}"#])
    for relationships in [ExportOptions.Relationships.keys, .nested(depth: 1)] {
      let albums = try fixture.exported("Album") { $0.relationships = relationships }
      #expect(albums == [#"{"code":"8","band":null,"cover":"no"}"#])
    }
  }
}
