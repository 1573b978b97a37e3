import Foundation
import Inference
import JSONStream
import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Objects that only their source identifies: what the same source does when it comes again.
@Suite struct SourceTests {
  private func imported(
    _ folder: TestFolder, _ change: (inout ImportOptions) -> Void = { _ in }
  ) throws -> (store: Store, report: Report) {
    let inferred = try InferredModel(from: folder.sources())
    let store = try Store(path: ":memory:", model: inferred.model, mapping: inferred.mapping)
    var wanted = options(inferred)
    change(&wanted)
    return (store, try Importer(store, wanted).run(folder.sources()))
  }

  /// All objects of a store as an export writes them, without where they came from.
  private func content(_ store: Store) throws -> String {
    try Exporter(store).wholeText().replacing(#/"@source":\s*"[^"]*",?\s*/#, with: "")
  }

  private func count(_ report: Report) -> Int { report.inserted.values.reduce(0, +) }

  @Test(arguments: [
    ("rows.json", #"{"items": [{"t": 1, "v": "x"}, {"t": 1, "v": "x"}]}"#),
    ("rows.json", #"{"response": {"items": [{"t": 1, "v": "x"}, {"t": 1, "v": "x"}], "total": 2}}"#),
    ("rows.json", #"{"readings": [{"t": 1, "v": "x"}, {"t": 1, "v": "x"}]}"#),
    ("rows.csv", "t,v\n1,x\n1,x\n"),
  ])
  func wrappedListsAndTablesBelongToTheirSource(_ name: String, _ text: String) throws {
    let folder = try TestFolder([name: text])
    let (store, report) = try imported(folder)
    #expect(report.issues.isEmpty, "\(report.issues)")
    #expect(count(report) == 2)
    let again = try Importer(store).run(folder.sources())
    #expect(again.inserted.isEmpty && again.updated.isEmpty && again.deleted.isEmpty)
  }

  /// A table has texts only: what reads as a number or a truth value is one, as JSON beside it says.
  @Test func tablesAndJSONOfTheSamePeopleAreOneEntity() throws {
    let folder = try TestFolder([
      "people.csv":
        "id,name,age,active,zip,rate\n1,Ann,30,true,0,1.5\n2,Bob,41,false,7,2\n3,Cy,22,true,12,2.5\n",
      "people.json": #"""
      [{"id": 3, "name": "Cy", "age": 22, "active": true, "zip": 12, "rate": 2.5},
      {"id": 4, "name": "Di", "age": 50, "active": false, "zip": 0, "rate": 3},
      {"id": 5, "name": "Ed", "age": 9, "active": true, "zip": 3, "rate": 1}]
      """#,
    ])
    let (store, report) = try imported(folder)
    #expect(report.issues.map(\.description) == [])
    #expect(report.inserted == ["Person": 5])
    let person = try #require(store.model.entities.first { $0.name == "Person" })
    #expect(
      person.attributes.map { "\($0.name) \($0.type)" } == [
        "id integer64", "name string", "age integer32", "active boolean", "zip integer32", "rate double",
      ])
    let again = try Importer(store).run(folder.sources())
    #expect(again.inserted.isEmpty && again.updated.isEmpty && again.deleted.isEmpty)
  }

  @Test func anObjectWithoutKeysIsOneOfWhichNothingIsSaid() throws {
    let folder = try TestFolder(["rows.json": #"[{"t": 1, "v": "x"}, {}, {"t": 1, "v": "x"}]"#])
    let (store, report) = try imported(folder)
    #expect(report.issues.map(\.description) == [])
    #expect(count(report) == 3)
    let again = try Importer(store).run(folder.sources())
    #expect(again.inserted.isEmpty && again.updated.isEmpty && again.deleted.isEmpty)
    let export = try Exporter(store).wholeText()
    let copy = try Store(path: ":memory:", like: store)
    #expect(try Importer(copy).run([.string(export)]).issues.map(\.description) == [])
    #expect(try Exporter(copy).wholeText() == export)
  }

  @Test(arguments: [
    ("null", []), ("7", ["7"]), ("[]", []), ("{}", []), ("[{}, {}]", []), ("[[], null]", []),
  ])
  func aFileWithoutObjectsIsLeftOutOfAFolder(_ text: String, _ found: [String]) throws {
    let folder = try TestFolder([
      "bands.json": #"[{"id": 1, "name": "a"}]"#, "tours.json": #"[{"id": 9, "city": "b"}]"#, "x.json": text,
    ])
    let (_, report) = try imported(folder)
    #expect(report.inserted == ["Band": 1, "Tour": 1])
    #expect(report.issues.map(\.found) == found)
    #expect(report.issues.allSatisfy { $0.action == "file left out" && $0.path.contains("x.json") })
  }

  /// A server that failed may have written such a file: nothing is deleted for it, though nothing else is wrong with it.
  @Test(arguments: ["null", "{}", "[{}, {}]"])
  func aFileThatSaysNothingDeletesNothing(_ text: String) throws {
    let folder = try TestFolder([
      "users-1.json": #"[{"id": 1, "name": "a"}]"#, "users-2.json": #"[{"id": 2, "name": "b"}]"#,
    ])
    let inferred = try InferredModel(from: folder.sources())
    let (store, _) = try InferenceTests.imported(inferred, folder.sources())
    try folder.add(["users-2.json": text])
    var pruning = options(inferred)
    pruning.prunes = true
    let report = try Importer(store, pruning).run(folder.sources())
    #expect(report.deleted == [:])
    #expect(report.issues.map(\.action) == ["nothing pruned"])
    let again = try Importer(store, options(inferred)).run(folder.sources())
    #expect(again.issues.isEmpty && again.deleted == [:])
  }

  @Test func theyDoSoWhereTheCallerSaysThePlace() throws {
    let folder = try TestFolder(["a.json": #"{"x": {"rows": [{"t": 1, "v": "x"}, {"t": 1, "v": "x"}]}}"#])
    var options = InferenceOptions()
    options.input.root = "x.rows"
    let inferred = try InferredModel(from: folder.sources(), options: options)
    let store = try Store(path: ":memory:", model: inferred.model, mapping: inferred.mapping)
    let report = try Importer(store, options.input).run(folder.sources())
    #expect(report.issues.isEmpty, "\(report.issues)")
    #expect(count(report) == 2)
  }

  @Test func whatAFormAddsComesWhereTheCallerSaysThePlaceToo() throws {
    var mapping = JSONMapping()
    mapping["Row"].identity = ["source", "position"]
    mapping.document.forms = [
      SourceForm(root: "old", entity: "Row", added: ["source": .source, "position": .position])
    ]
    let model = Model(entities: [
      Entity(
        name: "Row",
        attributes: [
          Attribute(name: "source", type: .string), Attribute(name: "position", type: .integer64),
          Attribute(name: "v", type: .string, isOptional: true),
        ])
    ])
    let store = try Store(path: ":memory:", model: model, mapping: mapping)
    let folder = try TestFolder(["a.json": #"{"new": [{"v": "x"}, {"v": "x"}]}"#])
    var options = ImportOptions()
    options.root = "new"
    let report = try Importer(store, options).run(folder.sources())
    #expect(report.issues.isEmpty, "\(report.issues)")
    #expect(count(report) == 2)
    // The caller's own word stands above the form's.
    try folder.add(["a.json": #"{"old": [{"v": "x"}]}"#])
    var own = ImportOptions()
    own.added = ["source": .value(.string("mine"))]
    #expect(count(try Importer(store, own).run(folder.sources())) == 1)
    #expect(try Exporter(store).wholeText().contains(#""mine""#))
  }

  @Test func aFolderByADotHasNoName() throws {
    let folder = try TestFolder(["one.json": "[]"])
    #expect(try folder.sources(below: "/.").map(\.entityHints) == [["one"]])
  }

  @Test func aFileOfOneObjectMayHaveSeveralLater() throws {
    let folder = try TestFolder(["a.json": #"{"v": 1, "w": "x"}"#, "b.json": #"{"v": 2, "w": "y"}"#])
    let (store, report) = try imported(folder)
    #expect(count(report) == 2)
    try folder.add(["a.json": #"[{"v": 1, "w": "x"}, {"v": 3, "w": "x"}, {"v": 4, "w": "z"}]"#])
    let again = try Importer(store).run(folder.sources())
    #expect(again.issues.isEmpty, "\(again.issues)")
    #expect(count(again) == 2)
  }

  @Test func filesOfOneNameAreTwoWhereverTheyLie() throws {
    let folder = try TestFolder([
      "f1/alpha.json": #"{"v": 1, "w": "x"}"#, "f2/alpha.json": #"{"v": 2, "w": "x"}"#,
      "f1/alpha.jsonl": #"{"v": 3, "w": "x"}"#,
    ])
    let inferred = try InferredModel(from: [folder.source("f1/alpha.json")])
    let store = try Store(path: ":memory:", model: inferred.model, mapping: inferred.mapping)
    for name in ["f1/alpha.json", "f2/alpha.json", "f1/alpha.jsonl"] {
      let report = try Importer(store, options(inferred)).run([folder.source(name)])
      #expect(count(report) == 1, "\(name)")
      #expect(report.deleted.isEmpty)
    }
    // However a path is written, and whatever links lead there, it is the same file.
    try folder.link("link", to: "f2")
    for name in ["f2/../f1/./alpha.json", "link/alpha.json"] {
      let report = try Importer(store, options(inferred)).run([folder.source(name)])
      #expect(report.inserted.isEmpty && report.deleted.isEmpty, "\(name)")
    }
  }

  @Test func aListThatShrinksAtItsFrontMixesNothing() throws {
    let nested = (1...12).map { #""k\#($0)": \#($0)"# }.joined(separator: ", ")
    let before = [
      #"{"a": 1, "b": 2, "at": {"x": 1, "y": 2}, "big": {\#(nested)}, "parts": [{"p": 1, "q": 2}, {"p": 2, "q": 3}]}"#,
      #"{"a": 3, "big": {"k1": 5}, "parts": [{"p": 1}]}"#, #"{"a": 3, "parts": []}"#, #"{"a": 4}"#,
    ]
    let folder = try TestFolder(["rows.json": "[\(before.joined(separator: ", "))]"])
    let (store, report) = try imported(folder)
    #expect(report.issues.isEmpty, "\(report.issues)")
    try folder.add(["rows.json": "[\(before.dropFirst().joined(separator: ", "))]"])
    let again = try Importer(store).run(folder.sources())
    #expect(again.issues.isEmpty, "\(again.issues)")
    // What is there now is what a store has that never had the first.
    let fresh = try Store(path: ":memory:", model: store.declared.model, mapping: store.declared.mapping)
    _ = try Importer(fresh).run(folder.sources())
    #expect(try content(store) == content(fresh))
  }

  @Test func positionsAreCountedByEntity() throws {
    let text = { (count: Int) in
      let rows = (0..<count).map { _ in #"{"a": 1, "b": "x"}"# }.joined(separator: ", ")
      return #"{"lefts": [\#(rows)], "rights": [{"c": true, "d": 1.5}, {"c": true, "d": 1.5}]}"#
    }
    let folder = try TestFolder(["both.json": text(3)])
    let (store, report) = try imported(folder)
    #expect(count(report) == 5)
    try folder.add(["both.json": text(2)])
    let again = try Importer(store).run(folder.sources())
    #expect(again.inserted.isEmpty && again.updated.isEmpty)
    #expect(again.deleted.values.reduce(0, +) == 1)
  }

  @Test(arguments: [
    ["rows.json": #"[{"v": 1, "w": "x"}, {"v": 1, "w": "x"}, {"v": 2, "w": "x"}]"#],
    ["a.json": #"{"v": 1, "w": "x"}"#, "b.json": #"{"v": 1, "w": "x"}"#],
    ["rows.json": #"{"items": [{"v": 1, "w": "x"}, {"v": 1, "w": "x"}]}"#],
    ["rows.csv": "v,w\n1,x\n1,x\n"],
    [
      "own.json":
        #"[{"@source": "s", "@position": 1, "@file": "f", "v": 1}, {"@source": "s", "@position": 1, "@file": "f", "v": 1}]"#
    ],
  ])
  func theirExportFillsAnEmptyStoreWithTheSame(_ files: [String: String]) throws {
    let (store, report) = try imported(TestFolder(files))
    #expect(report.issues.isEmpty, "\(report.issues)")
    let export = try Exporter(store).wholeText()
    let folder = try TestFolder(["export.json": export])
    let (copy, second) = try imported(folder)
    #expect(second.issues.isEmpty, "\(second.issues)")
    #expect(count(second) == count(report))
    #expect(try Exporter(copy).wholeText().contains(#""@source""#))
    // The export again changes nothing.
    let third = try Importer(copy).run(folder.sources())
    #expect(third.inserted.isEmpty && third.updated.isEmpty && third.deleted.isEmpty)
    // With its model, the store is the same.
    let same = try Store(path: ":memory:", model: store.declared.model, mapping: store.declared.mapping)
    let fourth = try Importer(same).run(folder.sources())
    #expect(fourth.issues.isEmpty, "\(fourth.issues)")
    #expect(try Exporter(same).wholeText() == export)
  }

  @Test func anOddFirstObjectDropsNothing() throws {
    let folder = try TestFolder([
      "p.json": #"{"data": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]}"#,
      "o.json":
        #"{"result": {"items": [{"number": "A1", "sum": 3, "paid": true}, {"number": "A2", "sum": 4, "paid": true}]}}"#,
    ])
    let inferred = try InferredModel(from: folder.sources())
    let (store, report) = try filled(inferred, folder.sources())
    #expect(count(report) == 4)
    try folder.add([
      "p2.json": #"{"data": [{"name": "new"}, {"id": 4, "name": "c"}, {"id": 5, "name": "d"}]}"#
    ])
    let odd = try Importer(store, options(inferred)).run([folder.source("p2.json")])
    #expect(count(odd) == 2)
    #expect(odd.issueCount == 1)
    // A document of none of the forms is told.
    try folder.add(["e.json": #"{"error": {"code": 7}, "reason": "no"}"#])
    let error = try Importer(store, options(inferred)).run([folder.source("e.json")])
    #expect(error.issues.map(\.action) == ["file left out"])
    var strict = options(inferred)
    strict.isStrict = true
    #expect(throws: ImportError.self) { try Importer(store, strict).run([folder.source("e.json")]) }
    // So is the second list of a document that has two.
    try folder.add([
      "two.json":
        #"{"data": [{"id": 9, "name": "z"}], "result": {"items": [{"number": "A9", "sum": 3, "paid": true}]}}"#
    ])
    let two = try Importer(store, options(inferred)).run([folder.source("two.json")])
    #expect(count(two) == 1)
    #expect(two.issues.map(\.action) == ["objects left out"])
  }

  @Test(arguments: [
    "{}", "[{}]", #"{"error": {"code": 7, "text": "no"}, "reason": "limit"}"#,
    #"{"errors": [{"code": 7, "detail": "no"}]}"#, #"{"message": "no", "status": 500}"#,
  ])
  func aMessageInPlaceOfTheFileSpoilsNothing(_ message: String) throws {
    let folder = try TestFolder([
      "rows.json": #"[{"amount": 1, "note": "n"}, {"amount": 1, "note": "n"}, {"amount": 2, "note": "m"}]"#
    ])
    let known = try InferredModel(from: folder.sources())
    let (store, _) = try filled(known, folder.sources())
    let before = try Exporter(store).wholeText()
    try folder.add(["rows.json": message])
    if let inferred = try? InferredModel(from: folder.sources()) {
      let widened = inferred.refining(known.model, mapping: known.mapping)
      #expect(widened.model == known.model)
      #expect(widened.mapping.text() == known.mapping.text())
    }
    let report = try Importer(store, options(known)).run(folder.sources())
    #expect(report.issueCount > 0)
    #expect(try Exporter(store).wholeText() == before)
  }

  @Test func aModelThatGivesThemNoIdentityIsTold() throws {
    let folder = try TestFolder(["rows.json": #"[{"amount": 1, "note": "n"}, {"amount": 1, "note": "n"}]"#])
    let inferred = try InferredModel(from: folder.sources())
    var known = inferred.model
    known.entities[0].attributes.removeAll { ["source", "position"].contains($0.name) }
    let refined = inferred.refining(known, mapping: JSONMapping())
    #expect(refined.guesses.map(\.subject) == [.identity])
    #expect(refined.model == known)
  }

  @Test func nullsAtTheFrontOfAListChangeNothing() throws {
    let rows = #"{"amount": 1, "note": "n"}, {"amount": 2, "note": "m"}"#
    let folder = try TestFolder(["a/one.json": "[\(rows)]", "a/two.json": "[null, \(rows)]"])
    let inferred = try InferredModel(from: folder.sources())
    #expect(inferred.model.entities.count == 1)
    let (_, report) = try filled(inferred, folder.sources())
    #expect(count(report) == 4)
  }

  @Test func theExportOfADictionaryAndOfWhatItsObjectsNameGoesBack() throws {
    let days = (0..<12).map {
      #""2024-01-\#($0 + 10)": {"size": \#($0), "sponsor": {"url": "http://x.org/\#($0 % 4)", "name": "s\#($0 % 4)"}}"#
    }
    let folder = try TestFolder(["days.json": "{\(days.joined(separator: ", "))}"])
    let inferred = try InferredModel(from: folder.sources())
    let (store, _) = try filled(inferred, folder.sources())
    let export = try Exporter(store).wholeText()
    let again = try Importer(store).run([.string(export)])
    #expect(again.issues.isEmpty && again.inserted.isEmpty && again.updated.isEmpty, "\(again.updated)")
    #expect(try Exporter(store).wholeText() == export)
    // What comes as identities here were dates before, and still is.
    let came = try InferredModel(from: [.string(export)])
    let refined = came.refining(inferred.model, mapping: inferred.mapping)
    #expect(refined.model == inferred.model, "\(refined.guesses.map(\.choice))")
  }

  @Test func whatIsGoneIsDeletedHoweverTheFileComes() throws {
    let rows = { (count: Int) in
      (0..<count).map { _ in #"{"amount": 1, "note": "n"}"# }.joined(separator: "\n")
    }
    let folder = try TestFolder(["rows.jsonl": rows(5)])
    let inferred = try InferredModel(from: folder.sources())
    let (store, _) = try filled(inferred, folder.sources())
    try folder.add(["rows.jsonl": rows(3)])
    var chunked = options(inferred)
    chunked.chunks = .objects(2)
    #expect(try Importer(store, chunked).run(folder.sources()).deleted.values.reduce(0, +) == 2)
    try folder.add(["rows.jsonl": rows(1)])
    var limited = options(inferred)
    limited.maximumDeletions = .objects(1)
    let kept = try Importer(store, limited).run(folder.sources())
    #expect(kept.deleted.isEmpty && kept.issueCount == 1)
    try folder.add(["rows.jsonl": ""])
    #expect(try Importer(store, limited).run([folder.source("rows.jsonl")]).unmatchedKeys.isEmpty)
    #expect(try Importer(store, options(inferred)).run(folder.sources()).deleted.values.reduce(0, +) == 3)
  }

  /// A store of an inferred model with the JSON in it, and the report of the import.
  private func filled(
    _ inferred: InferredModel, _ sources: [ImportSource]
  ) throws -> (store: Store, report: Report) {
    let store = try Store(path: ":memory:", model: inferred.model, mapping: inferred.mapping)
    return (store, try Importer(store, options(inferred)).run(sources))
  }
}
