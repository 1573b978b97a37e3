import JSONStream
import Mapping
import ObjectModel
import Testing

/// Transformers with arguments, on the way in and back.
@Suite struct ArgumentTransformerTests {
  /// A song whose property `value` has a type and transformers, as in a model.
  private func songs(_ type: String, _ transformers: String, more: String = "") throws -> Fixture {
    try Fixture(
      "Song\n  id: integer64\n  value: \(type) | broker.transformer=\(transformers)\(more)", entity: "Song")
  }

  // MARK: - Attributes

  @Test(arguments: [
    ("string", #"prefix("Patient/")"#, #""Patient/123""#, "123", #""Patient/123""#),
    ("integer64", #"prefix("Patient/")"#, #""Patient/123""#, "123", #""Patient/123""#),
    ("string", #"prefix("a, b(")"#, #""a, b(c""#, "c", #""a, b(c""#),
    ("string", #"prefix("a")"#, #""a""#, "", #""a""#),
    ("string", #"suffix("/")"#, #""x/y/""#, "x/y", #""x/y/""#),
    ("integer16", #"prefix("/type/"),suffix("/")"#, #""/type/7/""#, "7", #""/type/7/""#),
    ("string", #"trimmed, prefix("é")"#, #"" éa""#, "a", #""éa""#),
    ("integer64", #"regex("/type/(\\d+)/")"#, #""/api/v2/type/12/""#, "12", #""/type/12/""#),
    (
      "integer64", #"regex("/type/(\\d+)/", "/api/v2/type/$1/")"#, #""/api/v2/type/12/""#, "12",
      #""/api/v2/type/12/""#
    ),
    ("string", #"regex("^(?<id>[a-z]+)$")"#, #""abc""#, "abc", #""abc""#),
    ("string", #"regex("\\$(\\d+)\\.")"#, #""$12.""#, "12", #""$12.""#),
    ("string", #"table({"A": "active", "I": "inactive"})"#, #""A""#, "active", #""A""#),
    ("boolean", #"table({"Y": true, "N": false})"#, #""N""#, "0", #""N""#),
    ("integer16", #"table([["low", 1], ["high", 2]])"#, #""high""#, "2", #""high""#),
    ("string", #"table([[1, "one"], [2, "two"]])"#, "2", "two", "2"),
    ("string", #"table({"1": "one"})"#, "1", "one", #""1""#),
    ("string", #"table([["none", null]])"#, #""none""#, "-", #""none""#),
    ("string", #"table([[null, "unknown"]])"#, "null", "unknown", "null"),
    ("string", #"table([["a", "x"], ["b", "x"]])"#, #""b""#, "x", #""a""#),
    ("string", #"table({"A": "active"}, "keep")"#, #""other""#, "other", #""other""#),
    ("string", #"table({"A": "active"}, "unknown")"#, #""other""#, "unknown", #""unknown""#),
    ("string", #"table({"A": "active"}, {"value": "keep"})"#, #""other""#, "keep", #""keep""#),
    ("string", #"table({"A": "active"}, null)"#, #""other""#, "-", "null"),
    ("transformable", #"split(";")"#, #""rock;;pop ""#, #"["rock","","pop "]"#, #""rock;;pop ""#),
    ("transformable", #"split(", ")"#, #""""#, "[]", #""""#),
    ("string", #"split("|")"#, #""a|b""#, #"["a","b"]"#, #""a|b""#),
    ("transformable", ##"split(","),trimmed,prefix("#")"##, ##""#a, #b""##, #"["a","b"]"#, ##""#a,#b""##),
    ("transformable", #"prefix("x/")"#, #"["x/a","x/b"]"#, #"["a","b"]"#, #"["x/a","x/b"]"#),
    (
      "transformable", #"prefix("x/")"#, #"["x/a",null,{"k":"x/b"}]"#, #"["a",null,{"k":"x/b"}]"#,
      #"["x/a",null,{"k":"x/b"}]"#
    ),
    ("transformable", #"table({"A": "active"})"#, #"["A","A"]"#, #"["active","active"]"#, #"["A","A"]"#),
    ("transformable", #"regex("/(\\d+)/")"#, #"["/1/","/22/"]"#, #"["1","22"]"#, #"["/1/","/22/"]"#),
  ])
  func bothWays(_ type: String, _ calls: String, _ json: String, _ stored: String, _ written: String) throws {
    let fixture = try songs(type, calls)
    #expect(try fixture.load(#"{"id": 1, "value": \#(json)}"#).problems == [])
    #expect(try fixture.rows("SELECT value FROM Song") == [stored])
    let exported = try fixture.exported("Song")
    #expect(exported == [#"{"id":1,"value":\#(written)}"#])
    let again = try fixture.load(exported.joined())
    #expect(again.problems == [])
    #expect(!again.changesAnything)
  }

  @Test(arguments: [
    ("string", #"prefix("Patient/")"#, #""123""#, "a text that begins with “Patient/”", #""123""#),
    ("string", #"prefix("Patient/")"#, "123", "a text that begins with “Patient/”", "123"),
    ("string", #"suffix("/")"#, #""123""#, "a text that ends with “/”", #""123""#),
    (
      "integer64", #"prefix("a")"#, #""ab""#,
      "a whole number of 64 bits", #""ab""#
    ),
    ("string", #"regex("/(\\d+)/")"#, #""/x/""#, #"a text that matches “/(\d+)/”"#, #""/x/""#),
    ("string", #"regex("a(b)?c")"#, #""ac""#, "a text that matches “a(b)?c”", #""ac""#),
    ("string", #"table({"A": "active", "I": "inactive"})"#, #""X""#, #"one of "A", "I""#, #""X""#),
    ("transformable", #"prefix("x/")"#, #"["x/a","b"]"#, "a text that begins with “x/”", "a list"),
  ])
  func aValueThatDoesNotFitIsAnIssue(
    _ type: String, _ calls: String, _ json: String, _ expected: String, _ found: String
  ) throws {
    let report = try songs(type, calls).load(#"{"id": 1, "value": \#(json)}"#)
    #expect(report.problems == ["$.value: expected \(expected), found \(found); value left out"])
  }

  @Test(arguments: [
    #"prefix("a")"#, #"suffix("a")"#, #"regex("(a)")"#, #"table({"a": "b"})"#, #"split("a")"#,
  ])
  func nullStaysNull(_ calls: String) throws {
    let fixture = try songs("string", calls)
    #expect(try fixture.load(#"{"id": 1, "value": null}"#).problems == [])
    #expect(try fixture.exported("Song") == [#"{"id":1,"value":null}"#])
  }

  /// What to write cannot be derived from this pattern.
  @Test func aPatternThatIsNotLiteralWritesTheValueAlone() throws {
    let fixture = try songs("string", #"regex("(\\w+)-\\d+")"#)
    try fixture.load(#"{"id": 1, "value": "abc-12"}"#)
    #expect(try fixture.exported("Song") == [#"{"id":1,"value":"abc"}"#])
  }

  @Test func inKeyPaths() throws {
    let fixture = try songs("string", #"prefix("a/")"#, more: " | broker.key=state.value")
    try fixture.load(#"{"id": 1, "state": {"value": "a/b"}}"#)
    #expect(try fixture.exported("Song") == [#"{"id":1,"state":{"value":"a/b"}}"#])
  }

  @Test func ofARequiredAttributeSkipsTheObject() throws {
    let report = try songs("string!", #"prefix("a/")"#).load(#"{"id": 1, "value": "b"}"#)
    #expect(report.issues.map(\.action) == ["object skipped"])
  }

  /// An expression that backtracks without end is stopped, in one text and in many.
  @Test func aRegularExpressionThatTakesTooMuchWorkIsAnIssue() throws {
    let fixture = try songs("string", #"regex("((?:a+)+)b")"#).alone()
    let text = String(repeating: "a", count: 60)
    let lines = (0..<300).map { #"{"id": \#($0), "value": "\#(text)"}"# }
    let report = try fixture.load(lines.joined(separator: "\n"))
    #expect(!report.issues.isEmpty)
    #expect(
      report.issues.allSatisfy { $0.expected.hasSuffix("without more work than an import does to tell") })
    #expect(try fixture.rows("SELECT DISTINCT value FROM Song") == ["-"])
  }

  // MARK: - Relationships

  private static let films = """
    Person
      id: integer64 | broker.key=url | broker.transformer=regex("/people/(\\\\d+)/", "https://api/people/$1/")
      name: string
      homeworld: Planet | broker.transformer=suffix("/")
      films: [Film] <- characters | broker.transformer=trimmed,regex("/films/(\\\\d+)/", "https://api/films/$1/")
    Film
      id: integer64
      characters: [Person] <- films
    Planet
      name: string | broker.identity=true
    """

  private static let whole = """
    {"people": [{"url": "https://api/people/1/", "name": "Luke", "homeworld": "Tatooine/",
       "films": [" https://api/films/1/", {"id": 2}, "https://api/films/2/"]}],
     "films": [{"id": 1, "characters": ["https://api/people/1/", "https://api/people/2/"]}, {"id": 2}]}
    """

  @Test func listsOfReferencesAndObjectsMixed() throws {
    let fixture = try Fixture(Self.films)
    let report = try fixture.load(Self.whole)
    #expect(report.problems == [])
    #expect(try fixture.rows("SELECT id, name, homeworld FROM Person") == ["1 Luke Tatooine"])
    #expect(report.waiting.count == 2)
    let people = try fixture.exported("Person")
    #expect(
      people == [
        #"{"url":"https://api/people/1/","name":"Luke","homeworld":"Tatooine/","#
          + #""films":["https://api/films/1/","https://api/films/2/"]}"#
      ])
    let films = try fixture.exported("Film")
    #expect(
      films == [
        #"{"id":1,"characters":["https://api/people/1/","https://api/people/2/"]}"#,
        #"{"id":2,"characters":["https://api/people/1/"]}"#,
      ])
    for (entity, lines) in [("Person", people), ("Film", films)] {
      let again = try fixture.load(lines.joined(separator: "\n"), as: entity)
      #expect(again.problems == [])
      #expect(!again.changesAnything)
    }
  }

  @Test(arguments: [ExportOptions.Relationships.keys, .nested(depth: 1), .nested(depth: 3)])
  func nestedExportsLeadBack(_ relationships: ExportOptions.Relationships) throws {
    let fixture = try Fixture(Self.films)
    try fixture.load(Self.whole)
    let lines = try fixture.exported("Person") { $0.relationships = relationships }
    let again = try fixture.load(lines.joined(separator: "\n"), as: "Person")
    #expect(again.problems == [])
    #expect(!again.changesAnything)
  }

  @Test func anElementThatDoesNotFitIsLeftOutAlone() throws {
    let fixture = try Fixture(Self.films)
    let report = try fixture.load(
      #"{"url": "https://api/people/1/", "films": ["https://api/films/1/", "https://x/", 7]}"#, as: "Person")
    let expected = #"a text that matches “/films/(\d+)/”"#
    #expect(
      report.problems == [
        #"$.films[1]: expected \#(expected), found "https://x/"; element left out"#,
        "$.films[2]: expected \(expected), found 7; element left out",
      ])
    #expect(report.waiting.count == 1)
  }

  @Test(arguments: [
    (#""Mars""#, #"$.homeworld: expected a text that ends with “/”, found "Mars"; value left out"#),
    ("7", "$.homeworld: expected a text that ends with “/”, found 7; value left out"),
    ("[]", "$.homeworld: expected an object or a key, found a list; value left out"),
  ])
  func aReferenceThatDoesNotFitIsAnIssue(_ json: String, _ problem: String) throws {
    let report = try Fixture(Self.films).load(
      #"{"url": "https://api/people/1/", "homeworld": \#(json)}"#, as: "Person")
    #expect(report.problems == [problem])
  }

  @Test func aTableOnARelationshipMayKnowNull() throws {
    let fixture = try Fixture(
      """
      Song
        id: integer64
        band: Band | broker.transformer=table([["none", null], ["J", "Japan"]], "keep") | broker.key=info.band
      Band
        name: string | broker.identity=true
        formed: integer16
      """, entity: "Song")
    try fixture.load(#"{"bands": [{"name": "Japan"}, {"name": "XTC"}]}"#)
    let lines = ["none", "J", "XTC"].enumerated().map { #"{"id":\#($0),"info":{"band":"\#($1)"}}"# }
    let report = try fixture.load(lines.joined(separator: "\n"))
    #expect(report.problems == [])
    #expect(try fixture.rows("SELECT band FROM Song ORDER BY id") == ["-", "Japan", "XTC"])
    #expect(try fixture.exported("Song") == lines)
    #expect(try fixture.exported("Song") { $0.includesNulls = false } == lines)
  }

  @Test func aListInATextWithReferences() throws {
    let fixture = try Fixture(
      """
      Song
        id: integer64
        tags: [Tag] | ordered | broker.transformer=split(";"),prefix("#")
      Tag
        name: string | broker.identity=true
      """, entity: "Song")
    let report = try fixture.load(##"{"id": 1, "tags": "#rock;#pop;x"}"##)
    #expect(
      report.problems == [##"$.tags[2]: expected a text that begins with “#”, found "x"; element left out"##])
    #expect(try fixture.exported("Song") == [##"{"id":1,"tags":"#rock;#pop"}"##])
  }

  @Test func identitiesOfDictionariesAndComposedKeys() throws {
    let fixture = try Fixture(
      """
      Place | broker.identity=country,code
        country: string
        code: string
        near: [Place] | broker.transformer=prefix("place:")
      """, entity: "Place")
    try fixture.load(
      #"[{"country": "NL", "code": "1", "near": ["place:NL,2"]}, {"country": "NL", "code": "2"}]"#)
    #expect(try fixture.rows("SELECT count(*) FROM Place_near") == ["1"])
  }

  // MARK: - Mistakes

  @Test(arguments: [
    (
      #"prefx("a")"#, #"“prefx("a")” is not a transformer with arguments; imports leave the property out"#,
      "did you mean “prefix”?"
    ),
    (
      "prefx", "“prefx” is not a transformer that is registered; imports leave the property out",
      "did you mean “prefix”?"
    ),
    (
      "prefix",
      #"“prefix” is not prefix with a text that is not empty, as in prefix("Patient/"); imports leave the property out"#,
      nil
    ),
    (
      #"prefix("")"#,
      #"“prefix("")” is not prefix with a text that is not empty, as in prefix("Patient/"); imports leave the property out"#,
      nil
    ),
    (
      "prefix(a)",
      #"“prefix(a)” is not a name with arguments in JSON, as in prefix("Patient/"); imports leave the property out"#,
      nil
    ),
    (
      #"regex("(")"#,
      #"“regex("(")” is not a regular expression that can be read; imports leave the property out"#, nil
    ),
    (
      #"regex("(a)(b)")"#,
      #"“regex("(a)(b)")” is not a regular expression with one group; imports leave the property out"#,
      "write (?:…) for groups that are not read"
    ),
    (
      #"regex("a")"#,
      #"“regex("a")” is not a regular expression with one group; imports leave the property out"#, nil
    ),
    (
      #"regex("(a)", "b$$1")"#,
      #"“regex("(a)", "b$$1")” is not a regex whose text to write has $1 in place of the value; imports leave the property out"#,
      nil
    ),
    (
      #"table({"a": 1, "a": 2})"#,
      #"“table({"a": 1, "a": 2})” is not a table that has each value once; imports leave the property out"#,
      #"it has "a" twice"#
    ),
  ])
  func areFoundByTheCheckOfAModel(_ call: String, _ message: String, _ advice: String?) throws {
    let model = try model("Song\n  id: integer64\n  value: string | broker.transformer=trimmed,\(call)")
    let problems = model.mappingProblems()
    #expect(problems.map(\.message) == [message])
    #expect(problems.map(\.advice) == [advice])
    let fixture = try Fixture(model: model, entity: "Song")
    let report = try fixture.load(#"{"id": 1, "value": "x"}"#)
    #expect(report.issues.map(\.action) == ["property left out"])
    #expect(throws: PlanError.self) { try fixture.exported("Song") }
  }

  @Test func anIdentityWithWrongArgumentsIsRefused() throws {
    let fixture = try Fixture(
      #"Song | x=y\#n  id: integer64 | broker.transformer=regex("(")"#, entity: "Song")
    let error = #expect(throws: PlanError.self) { try fixture.load(#"{"id": 1}"#) }
    #expect(
      error?.description
        == #"Song.id has the transformer regex("("), which is not a regular expression that can be read."#)
  }
}
