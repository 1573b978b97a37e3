import Foundation
import Mapping
import ObjectStore
import Testing

/// Forms of input, and what happens when it breaks.
@Suite struct SourceTests {
  private let bands = "Band\n  id: integer64\n  name: string\n  formed: integer16"

  private func records(_ count: Int) -> String {
    (0..<count).map { #"{"id": \#($0), "name": "Band number \#($0)", "formed": 1970}"# }.joined(
      separator: ",\n")
  }

  @Test(arguments: [
    "[{\"id\": 1}, {\"id\": 2}]", "{\"id\": 1}\n{\"id\": 2}", "{\"id\": 1}\r\n{\"id\": 2}\r\n",
    "[{\"id\": 1}]\n[{\"id\": 2}]", "\u{FEFF}[{\"id\": 1}, {\"id\": 2}]", " \t\n[\n{\"id\":1},{\"id\":2}]\n",
    "{\"id\": 1}\n\n\n{\"id\": 2}",
  ])
  func forms(_ json: String) throws {
    let fixture = try Fixture(bands, entity: "Band")
    #expect(try fixture.load(json).counts == "Band +2")
  }

  @Test(arguments: ["", "  \n ", "\u{FEFF}"])
  func nothingIsNothing(_ json: String) throws {
    let fixture = try Fixture(bands, entity: "Band")
    if let report = try? fixture.load(json) { #expect(report.objectCount == 0) }
  }

  @Test func theSecondLineIsTheSecondRecord() throws {
    let fixture = try Fixture(bands, entity: "Band")
    let report = try fixture.load("{\"id\": 1, \"formed\": \"a\"}\n{\"id\": 2, \"formed\": \"b\"}")
    #expect(report.places == ["line 1: $.formed", "line 2: $.formed"])
  }

  @Test(arguments: [
    (
      "response.items",
      #"{"meta": {"items": 3}, "response": {"n": 1, "items": [{"id": 1}, {"id": 2}]}, "x": []}"#
    ),
    ("items", #"{"items": {"1": {"name": "a"}, "2": {"name": "b"}}}"#),
    ("a.b.c", #"{"a": {"b": {"c": [{"id": 1}, {"id": 2}]}, "d": 0}}"#),
  ])
  func aRootPath(_ path: String, _ json: String) throws {
    let fixture = try Fixture(bands, entity: "Band")
    #expect(try fixture.load(json) { $0.root = path }.counts == "Band +2")
    let report = try fixture.load(#"{"r": [{"id": 1, "formed": "x"}]}"#) { $0.root = "r" }
    #expect(report.places == ["$.r[0].formed"])
  }

  @Test(arguments: ["response.things", "nothing", "response.items.x", "meta.x"])
  func aRootPathThatLeadsNowhere(_ path: String) throws {
    let fixture = try Fixture(bands, entity: "Band")
    let error = #expect(throws: ImportError.self) {
      try fixture.load(#"{"meta": 3, "response": {"items": [{"id": 1}]}}"#) { $0.root = path }
    }
    #expect(error?.description.contains(path) == true)
  }

  @Test func severalSourcesAreOneImport() throws {
    let directory = try TemporaryDirectory()
    let fixture = try Fixture(
      "Band\n  id: integer64\n  album: Album\nAlbum\n  id: integer64\n  year: integer16")
    let sources = try [
      directory.write(#"[{"id": 1, "album": 5}]"#, to: "bands.json"),
      directory.write(#"[{"id": 5, "year": "?"}]"#, to: "albums.v2.json"),
    ]
    let report = try fixture.load(sources.map { .file($0) }, fixture.options)
    #expect(report.counts == "Album +1, Band +1")
    #expect(report.places == ["\(sources[1]): $[0].year"])
    #expect(report.waiting == [])
    let before = try fixture.contents()
    #expect(throws: ImportError.self) {
      let band = try directory.write(#"[{"id": 2}]"#, to: "band.json")
      try fixture.load([.file(band), .file("/nowhere.json")], fixture.options)
    }
    #expect(try fixture.contents() == before)
  }

  @Test(arguments: [
    "", "]]", "{", "[", ",", "nul", "\"", "{\"id\" 1}", "{\"id\": 01}", "{\"id\": 1,}", "[1 2]",
    "{\"id\": \"\\x\"}",
    "{\"id\": 1e}", "\u{1}", "{'id': 1}", "// comment", "NaN", "{\"a\": \"\t\"}", "{\"a\": \"\\ud800\"}",
  ])
  func whatBreaksOffChangesNothing(_ end: String) throws {
    let fixture = try Fixture(bands, entity: "Band").alone()
    try fixture.load(#"{"id": 1, "name": "before"}"#)
    let before = try fixture.contents()
    let error = #expect(throws: ImportError.self) { try fixture.load("[\(records(6_000)),\n\(end)") }
    #expect(error?.place?.line == 6_001)
    #expect(try fixture.contents() == before)
  }

  @Test func invalidUTF8IsBrokenJSON() throws {
    let fixture = try Fixture(bands, entity: "Band")
    let bytes = Array(#"[{"id": 1, "name": ""#.utf8) + [0xC3, 0x28] + Array(#""}]"#.utf8)
    let error = #expect(throws: ImportError.self) {
      try fixture.load([.bytes(bytes)], fixture.options)
    }
    #expect(error?.place?.offset == 20)
  }

  @Test(arguments: [(512, 600), (8, 9), (512, 100_000)])
  func depthIsLimited(_ limit: Int, _ depth: Int) throws {
    let fixture = try Fixture(bands, entity: "Band")
    let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let error = #expect(throws: ImportError.self) {
      try fixture.load(#"{"id": 1, "foo": \#(deep)}"#) { $0.maximumDepth = limit }
    }
    #expect(error?.description.contains("Nothing was changed") == true)
  }

  @Test func deepNestingOfObjectsIsNoDanger() throws {
    let fixture = try Fixture("Node\n  id: integer64\n  next: Node", entity: "Node")
    var json = "null"
    for id in 0..<500 { json = #"{"id": \#(id), "next": \#(json)}"# }
    #expect(try fixture.load(json).counts == "Node +500")
  }

  @Test func theLastOfDuplicateKeysWins() throws {
    let fixture = try Fixture(bands, entity: "Band")
    let report = try fixture.load(#"{"id": 1, "name": "a", "id": 2, "name": "b", "name": null}"#)
    #expect(try fixture.rows("SELECT * FROM Band") == ["2 - -"])
    #expect(report.issueCount == 0)
  }

  @Test(arguments: [10, 60_000])
  func cancellationChangesNothing(_ count: Int) throws {
    let fixture = try Fixture(bands, entity: "Band")
    try fixture.load(#"{"id": 1, "name": "before"}"#)
    let before = try fixture.contents()
    let questions = Locked(0)
    let error = #expect(throws: ImportError.self) {
      try Importer(fixture.store, fixture.options).run([.string("[\(records(count))]")]) {
        questions.withLock {
          $0 += 1; return $0 > (count > 1000 ? 3 : 0)
        }
      }
    }
    #expect(error?.isCancellation == true)
    #expect(try fixture.contents() == before)
  }

  @Test func progressComesToAnEnd() throws {
    let fixture = try Fixture(bands, entity: "Band")
    let json = "[\(records(20_000))]"
    var steps: [Importer.Progress] = []
    _ = try Importer(fixture.store, fixture.options).run([.string(json)], progress: { steps.append($0) })
    #expect(steps.count > 1)
    #expect(steps.map(\.bytes) == steps.map(\.bytes).sorted())
    #expect(steps.last?.bytes == json.utf8.count && steps.last?.objects == 20_000)
    #expect(steps.last?.totalBytes == json.utf8.count)
  }
}
