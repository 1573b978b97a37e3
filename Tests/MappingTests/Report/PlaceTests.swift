import JSONStream
import Mapping
import ObjectStore
import Testing

/// Where issues say that they are: the source's path, and the line of a value that is one of several.
@Suite struct PlaceTests {
  private let bands =
    "Band\n  id: integer64\n  formed: integer16\n  albums: [Album]\nAlbum\n  id: integer64\n  year: integer16"

  private func report(_ sources: [ImportSource], _ adjust: (inout ImportOptions) -> Void = { _ in }) throws
    -> Report
  {
    let fixture = try Fixture(bands, entity: "Band")
    var options = fixture.options
    adjust(&options)
    return try fixture.load(sources, options)
  }

  @Test func filesOfOneNameAreToldApartByTheirPaths() throws {
    let directory = try TemporaryDirectory()
    let paths = try ["a", "b"].map {
      try directory.write(#"{"id": 1, "formed": "x"}"#, to: "\($0)/index.json")
    }
    #expect(paths[0] != paths[1])
    let report = try report(paths.map { .file($0) })
    #expect(report.places == paths.map { "\($0): $.formed" })
  }

  @Test func aFileOfLinesHasTheLine() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(
      "\n{\"id\": 1, \"formed\": \"a\"}\n{\"id\": 2}\n\n{\"id\": 3,\n \"albums\": [{\"id\": 1, \"year\": \"b\"}]}\n{\"formed\": 3}",
      to: "bands.jsonl")
    let places = try report([.file(path)]).places
    #expect(places == ["\(path):2: $.formed", "\(path):5: $.albums[0].year", "\(path):7: $.id"])
    let alone = try directory.write(#"{"id": 1, "formed": "a"}"#, to: "one.jsonl")
    #expect(try report([.file(alone)]).places == ["\(alone):1: $.formed"])
    #expect(try report([.file(alone), .file(path)]).places.first == "\(alone):1: $.formed")
  }

  @Test func aStrictImportNamesTheLine() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("{\"id\": 1}\n{\"id\": 2, \"formed\": \"a\"}", to: "bands.jsonl")
    let error = #expect(throws: ImportError.self) { try report([.file(path)]) { $0.isStrict = true } }
    #expect(error?.issue?.path == "\(path):2: $.formed")
  }

  @Test func valuesWithoutANameHaveTheLine() throws {
    let lines = "{\"id\": 1, \"formed\": \"a\"}\n\n[{\"id\": 2}, {\"formed\": \"b\"}]\n{\"bands\": [5]}\n"
    let found = try report([.string(lines)])
    #expect(
      found.places == ["line 1: $.formed", "line 3: $[1].formed", "line 3: $[1].id", "line 4: $.bands[0]"],
      "\(found.problems)")
    #expect(try report([.string("{\"id\": 1,\n \"formed\": \"a\"}\n")]).places == ["$.formed"])
    let named = ImportSource.stream(name: "standard input") { MemorySource(Array(lines.utf8)) }
    #expect(try report([named]).places.first == "standard input:1: $.formed")
    #expect(try report([named, named]).places.last == "standard input:4: $.bands[0]")
  }

  /// What the writer finds has the line too, also of the first value, and after looking ahead.
  @Test func whatIsMissingHasTheLine() throws {
    let fixture = try Fixture("Band\n  id: integer64\n  name: string!", entity: "Band")
    let report = try fixture.load("{\"id\": 1}\n\n{\"id\": 2, \"x\": {\n\n}}\n{\"id\": 3}")
    #expect(report.places == ["line 1: $.name", "line 3: $.name", "line 6: $.name"])
  }

  @Test func manyLinesKeepTheirNumbers() throws {
    let lines = (1...30_000).map { "{\"id\": \($0)\($0 % 10_000 == 0 ? ", \"formed\": \"?\"" : "")}" }
    let report = try report([.string(lines.joined(separator: "\n"))])
    #expect(report.places == ["line 10000: $.formed", "line 20000: $.formed", "line 30000: $.formed"])
  }

  @Test func linesThatAreReadIntoARelationship() throws {
    let fixture = try Fixture(bands, entity: "Band")
    try fixture.load(#"{"id": 1}"#)
    let report = try fixture.load(
      "{\"id\": 5, \"year\": \"a\"}\n[{\"id\": 6}, {\"year\": 2}]\n\n{\"id\": 7, \"year\": \"b\"}\n{}"
    ) {
      $0.target = .relationship(entity: "Band", identity: "1", name: "albums")
    }
    #expect(report.places.prefix(3) == ["line 1: $.year", "line 2: $[1].id", "line 4: $.year"])
  }

  @Test func whatIsMissingIsNamedByItsKey() throws {
    let fixture = try Fixture(
      "Band\n  id: integer64\n  name: string! | broker.key=title\n  label: Label! | broker.key=firm\nLabel\n  id: integer64",
      entity: "Band")
    let report = try fixture.load(
      #"[{"id": 1, "firm": 3}, {"id": 2, "title": "x"}]"#, #"{"labels": [{"id": 3}]}"#)
    #expect(report.places.sorted() == ["the JSON: $[0].title", "the JSON: $[1].firm"])
    #expect(report.issues.compactMap(\.key).sorted() == ["firm", "title"])
  }

  @Test(arguments: [
    ("123\0", 4), (#""x"]"#, 4), ("1]", 2), ("2@", 2), ("nul", 4), ("true false", 6), ("\"x\" 1", 5),
  ])
  func brokenJSONAfterAScalarHasAPlace(_ json: String, _ column: Int) throws {
    for target in [ImportTarget.store, .object(entity: "Band", identity: "1")] {
      for root in [nil, "items"] {
        let fixture = try Fixture(bands, entity: "Band")
        try fixture.load(#"{"id": 1}"#)
        let error = #expect(throws: ImportError.self) {
          try fixture.load(json) {
            $0.target = target
            $0.root = root
          }
        }
        #expect(
          error?.description.contains("line 1, column \(column)") == true, "\(error?.description ?? "")")
      }
    }
  }
}
