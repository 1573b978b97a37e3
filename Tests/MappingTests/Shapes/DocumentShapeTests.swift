import Foundation
import JSONStream
import Mapping
import ObjectModel
import Testing

/// Where the objects of a document are, what they get from outside, and of which entities they are.
@Suite struct DocumentShapeTests {
  private let cities = """
    City
      id: integer64
      country: string
      page: integer32
      source: string
    """

  private func rows(
    _ json: String, at root: String, _ added: [String: AddedValue] = [:]
  ) throws -> (rows: [String], report: Report) {
    let fixture = try Fixture(cities)
    let report = try fixture.load(json) {
      $0.root = root
      $0.added = added
    }
    return (try fixture.rows("SELECT * FROM City ORDER BY id"), report)
  }

  @Test(arguments: [
    (#"{"a": {"b": [{"id": 1}]}}"#, "a.b", ["1 - - -"]), (#"[{"id": 1}]"#, "$", ["1 - - -"]),
    (#"{"a": [{"b": [{"id": 1}]}, {"b": {"id": 2}}, {}, 5]}"#, "a[].b", ["1 - - -", "2 - - -"]),
    (#"{"a": {"b": {"id": 1}}}"#, "a[].b", ["1 - - -"]),
    (#"[[{"id": 1}], [{"id": 2}]]"#, "[]", ["1 - - -", "2 - - -"]),
    (#"[[{"id": 1}], [{"id": 2}]]"#, "[-1]", ["2 - - -"]),
    (#"{"a": [[{"id": 1}], [{"id": 2}]]}"#, "a[0]", ["1 - - -"]),
    (#"{"x": {"c": [{"id": 1}]}, "y": {"c": [{"id": 2}]}, "z": 1}"#, "*.c", ["1 - - -", "2 - - -"]),
    (
      #"{"DE": {"c": [{"id": 1}]}, "FR": {"c": [{"id": 2, "country": "own"}]}}"#, "{country}.c",
      ["1 DE - -", "2 own - -"]
    ),
    (
      #"{"data": [{"id": 1}], "other": 5, "included": [{"id": 2}]}"#, "data|included", ["1 - - -", "2 - - -"]
    ),
    (#"{"a.b": [{"id": 1}]}"#, #"["a.b"]"#, ["1 - - -"]),
  ])
  func wherever(_ json: String, _ root: String, _ expected: [String]) throws {
    let (rows, report) = try rows(json, at: root)
    #expect(report.problems == [])
    #expect(rows == expected)
  }

  @Test(arguments: [
    (#"{"a": {}}"#, "a.b", "the JSON has nothing at a.b: there is no key b."),
    (#"{"a": 5}"#, "a.b", "the JSON has nothing at a.b: there is no key b."),
    (#"{"a": []}"#, "a[0]", "the JSON has nothing at a[0]: there is no key [0]."),
    (#"{"a": 1}"#, "x|y", "the JSON has nothing at x|y: there is no key x|y, only a."),
    (#"{"a": 1}"#, "a[", "“a[” is no key path: it lacks a “]”."),
  ])
  func nowhere(_ json: String, _ root: String, _ message: String) throws {
    let error = #expect(throws: ImportError.self) { try rows(json, at: root) }
    #expect("\(try #require(error))".hasPrefix(message), "\(String(describing: error))")
  }

  @Test func valuesFromOutside() throws {
    let json =
      #"{"pages": [{"items": [{"id": 1}, {"id": 2, "page": 9}], "n": 4}, {"n": 5, "items": [{"id": 3}]}], "meta": {"by": "x"}}"#
    let (rows, report) = try rows(
      json, at: "pages[].items",
      [
        "page": .enclosing(1, "n"), "source": .document("meta.by"), "country": .value(.string("DE")),
        "nobody": .fileName,
      ])
    #expect(report.problems == [])
    #expect(rows == ["1 DE 4 x", "2 DE 9 x", "3 DE 5 x"])
  }

  @Test func eachLineHasItsOwn() throws {
    let json =
      "{\"n\": 1, \"items\": [{\"id\": 1}]}\n{\"items\": [{\"id\": 2}], \"n\": 2}\n{\"items\": [{\"id\": 3}]}"
    let (rows, report) = try rows(json, at: "items", ["page": .document("n")])
    #expect(report.problems == [])
    #expect(rows == ["1 - 1 -", "2 - 2 -", "3 - - -"])
  }

  @Test func valuesLinkAndIdentify() throws {
    let fixture = try Fixture(
      """
      Band
        id: integer64
        albums: [Album] <- band
      Album
        id: integer64
        band: Band <- albums
      """)
    let report = try fixture.load(#"[{"id": 5}, {"id": 6, "band": 2}, {"band": 3}]"#, as: "Album") {
      $0.added = ["band_id": .value(.number("1")), "id": .value(.number("7"))]
    }
    #expect(report.problems == [])
    #expect(try fixture.rows("SELECT * FROM Album ORDER BY id") == ["5 1", "6 2", "7 3"])
  }

  @Test func namesOfFiles() throws {
    let folder = try TemporaryDirectory()
    let place = folder.url.appendingPathComponent("berlin")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let file = place.appendingPathComponent("first.json")
    try Data(#"[{"id": 1}]"#.utf8).write(to: file)
    let fixture = try Fixture(cities)
    var options = ImportOptions()
    options.added = ["country": .folderName, "source": .fileName]
    try fixture.load([.file(file.path)], options)
    #expect(try fixture.rows("SELECT * FROM City") == ["1 berlin - first"])
  }

  @Test func aValueThatNobodyTakesIsReported() throws {
    let (_, report) = try rows(#"[{"id": 1}]"#, at: "[]", ["unknown": .value(true)])
    #expect(report.unmatchedKeys == ["$": ["unknown": 1]])
  }

  @Test func tooFewLevels() throws {
    let error = #expect(throws: ImportError.self) {
      try rows("{}", at: "a[].b", ["page": .enclosing(3, "x")])
    }
    #expect("\(try #require(error))".hasPrefix("There are fewer than 3 objects around what “a[].b” leads to"))
  }

  // MARK: - Lists of objects of several entities

  private let mixed =
    #"[{"what": {"it": "cats"}, "id": 1, "name": "a"}, {"id": 2, "what": {"it": "Dog"}}, {"what": {"it": "cow"}}, {"id": 3}, 5]"#

  @Test func aValueTellsTheEntity() throws {
    let fixture = try Fixture("Cat\n  id: integer64\n  name: string\nDog\n  id: integer64")
    let report = try fixture.load(mixed) { $0.kind = "what.it" }
    #expect(
      report.problems == [
        #"$[2]: expected a kind of object: Cat, Dog, found "cow"; object skipped"#,
        "$[3]: expected a kind of object: Cat, Dog, found an object that does not say it; object skipped",
        "$[4]: expected a kind of object: Cat, Dog, found 5; object skipped",
      ])
    #expect(report.inserted == ["Cat": 1, "Dog": 1])
    #expect(report.unmatchedKeys == [:])
  }

  /// Where a mapping asks for kinds, files of other forms come too; where an option does, it was given for these files.
  @Test(arguments: [false, true]) func theNameOfAFileTellsWhatObjectsDoNot(_ isGiven: Bool) throws {
    var mapping = JSONMapping()
    mapping.document.kind = "what.it"
    mapping.document.root = "data|included"
    let fixture = try Fixture(
      "Cat\n  id: integer64\n  name: string\nDog\n  id: integer64", mapping: mapping)
    var source = ImportSource.string(
      #"[{"id": 1, "name": "a"}, {"id": 2, "what": {"it": "Dog"}}, {"what": {"it": "cow"}}]"#)
    source.entityHints = ["cats"]
    var options = ImportOptions()
    if isGiven { options.kind = "what.it" }
    let report = try fixture.load([source], options)
    #expect(report.inserted == (isGiven ? ["Dog": 1] : ["Cat": 1, "Dog": 1]))
    #expect(report.issueCount == (isGiven ? 2 : 1))
    source = .string(#"[{"id": 3}]"#)
    source.entityHints = ["birds"]
    #expect(throws: ImportError.self) { try fixture.load([source], options) }
  }

  @Test func othersMayBePassedOver() throws {
    let fixture = try Fixture("Cat\n  id: integer64\n  name: string\nDog\n  id: integer64")
    try fixture.load(#"[{"id": 7}]"#, as: "Cat")
    let report = try fixture.load(mixed) {
      $0.kind = "what.it"
      $0.skipsOtherKinds = true
      $0.prunes = true
    }
    #expect(report.unmatchedKeys["$"]?.values.reduce(0, +) == 3)
    // One of the others may have been what seems to be missing.
    #expect(report.deleted == [:])
    #expect(report.issues.allSatisfy { $0.path == "$" })
  }

  @Test func documentsOfAMapping() throws {
    let shape = try JSONShape(
      "Cat\n  id: integer64\n  name: string\nDog\n  id: integer64",
      """
      document: {at: "answer.rows[].it", kind: what, others: skip, set: {name: $.answer.by}, constants: {version: "1"}}
      Cat: {names: [cats]}
      """)
    let report = try shape.load(
      #"{"answer": {"rows": [{"it": {"what": "cats", "id": 1}}, {"it": {"what": "Dog", "id": 2}}], "by": "x"}}"#
    )
    #expect(report.problems == [])
    #expect(try shape.rows("Cat") == ["1 x"])
    let text = try Exporter(shape.fixture.store).wholeText()
    #expect(
      text.filter { $0 != "\n" }
        == #"{"version":"1","answer":{"rows":[{"it":{"what":"cats","id":1,"name":"x"}},{"it":{"what":"Dog","id":2}}]}}"#
    )
    try shape.expectRoundTrip("Cat", "Dog")
  }

  /// Values stand for objects under all keys that the path leads through, as they do in a list.
  @Test func valuesUnderAllKeys() throws {
    let shape = try JSONShape(
      "Word\n  key: string\n  value: string",
      #"{document: {at: "texts.{key}"}, Word: {values: value}}"#)
    let report = try shape.load(
      #"{"texts": {"a": "A", "b": 5, "c": ["C", "D"], "d": {"value": "E"}, "e": null}}"#)
    #expect(
      report.problems == ["$.texts.e: expected an object, found null; element left out"],
      "\(report.problems)")
    #expect(report.unmatchedKeys == [:])
    #expect(try shape.rows("Word", "key, value") == ["a A", "b 5", "c C", "c D", "d E"])
  }

  @Test func aDocumentOfListsStandsWhereTheMappingSays() throws {
    let shape = try JSONShape(
      "Cat\n  id: integer64\nDog\n  id: integer64", "document: {at: \"pages[].items\"}")
    try shape.load(#"{"pages": [{"items": {"cats": [{"id": 1}], "dogs": [{"id": 2}]}}]}"#)
    #expect(
      try Exporter(shape.fixture.store).wholeText().filter { $0 != "\n" }
        == #"{"pages":[{"items":{"Cat":[{"id":1}],"Dog":[{"id":2}]}}]}"#)
    try shape.expectRoundTrip("Cat")
  }

  // MARK: - Kinds

  @Test func defaultsPluralsAndWildcards() throws {
    let shape = try JSONShape(
      """
      Event
        id: integer64
      Push : Event
        size: integer32
      Other : Event
      """,
      #"Event: {discriminator: {key: type, values: {"Push*": Push, "*": Other}, default: Push}}"#,
      entity: "Event")
    let report = try shape.load(
      #"[{"id": 1, "type": "PushBig", "size": 3}, {"id": 2, "type": "Fork"}, {"id": 3}, {"id": 4, "type": "others"}]"#
    )
    #expect(report.problems == [])
    #expect(try shape.rows("Event", "id, _entity") == ["1 Push", "2 Other", "3 Push", "4 Other"])
    #expect(
      try shape.fixture.exported("Event") == [
        #"{"id":1,"size":3,"type":"PushBig"}"#, #"{"id":2,"type":"Fork"}"#, #"{"id":3,"size":null}"#,
        #"{"id":4,"type":"others"}"#,
      ])
    try shape.expectRoundTrip("Event")
  }

  @Test func noIdentityAtAll() throws {
    let fixture = try Fixture(
      "Reading\n  id: integer64\n  value: double", mapping: try JSONMapping(text: "Reading: {identity: none}")
    )
    #expect(try fixture.load(#"[{"id": 1, "value": 2}, {"id": 1, "value": 2}]"#).counts == "Reading +2")
    #expect(try fixture.rows("SELECT id, value FROM Reading") == ["1 2.0", "1 2.0"])
  }
}
