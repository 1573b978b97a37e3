import Inference
import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Objects that are lists of values.
@Suite struct ListRowTests {
  private static let names =
    #"[["NAME", "POP", "state"], ["Alabama", "5024279", "01"], ["Alaska", null, "02"]]"#
  private static let candles =
    #"[[1499040000000, "0.0163", "148976.1", 308], [1499043600000, "1.0163", "148976.2", 309], [1499047200000, "1.5", "3", 7]]"#
  private static let more =
    #"[[1499040000000, "7.0163", "148976.1", 12], [1499043600000, "8.0163", "148976.2", 13]]"#

  @Test func theFirstRowNamesTheColumns() throws {
    let inferred = try inferred(Self.names)
    #expect(inferred.mapping.document.columns == "first")
    let entity = try #require(inferred.model.entities.first)
    #expect(entity.attributes.map(\.name).suffix(3) == ["name", "pop", "state"])
    let (store, report) = try imported(inferred, [.string(Self.names)])
    #expect(report.issues.isEmpty)
    for format in [
      "name == 'Alabama' AND pop == '5024279' AND state == '01'", "name == 'Alaska' AND pop == nil",
    ] {
      var query = Query(entity.name)
      query.predicates = [try ObjectPredicate(format: format)]
      let count = try store.read { try $0.count(query) }
      #expect(count == 1, "\(format)")
    }
    let written = try JSONMapping(text: inferred.mapping.text())
    #expect(written.document.columns == "first")
  }

  @Test func rowsWithoutNamesHaveTheirPlaces() throws {
    let inferred = try inferred(Self.candles)
    #expect(inferred.mapping.document.columns == nil)
    let entity = try #require(inferred.model.entities.first)
    #expect(entity.attributes.map(\.name).suffix(4) == ["column1", "column2", "column3", "column4"])
    #expect(entity[attribute: "column1"]?.type == .integer64)
    #expect(entity[attribute: "column2"]?.type == .string)
    let (store, report) = try imported(inferred, [.string(Self.candles)])
    #expect(report.issues.isEmpty)
    #expect(try store.read { try $0.count(Query(entity.name)) } == 3)
  }

  /// Words in all rows may be anything: the first row is one like the others.
  @Test func wordsInAllRowsNameNothing() throws {
    let inferred = try inferred(#"[["red", "blue"], ["green", "white"]]"#)
    let (store, report) = try imported(inferred, [.string(#"[["red", "blue"], ["green", "white"]]"#)])
    #expect(report.issues.isEmpty)
    #expect(try store.read { try $0.count(Query(inferred.model.entities[0].name)) } == 2)
  }

  @Test(arguments: [
    ["a.json", "pop.json", "candles_A.json", "candles_B.json"],
    ["candles_B.json", "candles_A.json", "pop.json", "a.json"],
  ])
  func filesOfOtherObjectsBeside(_ names: [String]) throws {
    let folder = try TestFolder([
      "a.json": #"{"id": 7, "symbol": "A", "limits": [{"type": "x", "most": 3}, {"type": "y", "most": 4}]}"#,
      "pop.json": Self.names, "candles_A.json": Self.candles, "candles_B.json": Self.more,
    ])
    let sources = names.map(folder.source)
    for inferred in [try InferredModel(from: sources), try widened(sources)] {
      let store = try importedTwice(sources, inferred)
      let counts = try store.read { store in
        try inferred.model.entities.map { try store.count(Query($0.name)) }
      }
      #expect(counts.sorted() == [1, 2, 2, 5])
    }
  }

  /// A text of several documents may have others behind the rows.
  @Test func objectsBehindRows() throws {
    let json = Self.candles + #" {"id": 5, "line": [1, 2]}"#
    let inferred = try inferred(json)
    let (store, _) = try imported(inferred, [.string(json)])
    #expect(try store.read { try $0.count(Query(inferred.model.entities[0].name)) } >= 3)
    #expect(inferred.model.entities[0][attribute: "column5"] == nil)
  }

  /// Lists of lists inside of objects, and lists of other things, are kept as they were.
  @Test func otherListsOfLists() throws {
    let inside = try inferred(#"[{"id": 1, "line": [[1, 2], [3, 4]]}]"#)
    #expect(inside.model.entities[0][attribute: "line"]?.type == .transformable)
    #expect(throws: InferenceError.self) { try inferred("[[1], [2]]") }
    #expect(throws: InferenceError.self) { try inferred("[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]") }
  }
}
