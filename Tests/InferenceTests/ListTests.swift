import Foundation
import Inference
import JSONStream
import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Lists that hold something else besides objects: a head before the rows, and nulls.
@Suite struct ListTests {
  /// Imports a folder twice and its export into an empty store: nothing has an issue, the second import changes nothing, and the
  /// copy is the same.
  private func imported(_ files: [String: String]) throws -> (model: InferredModel, report: Report) {
    let folder = try TestFolder(files)
    let inferred = try InferredModel(from: folder.sources())
    let (store, report) = try InferenceTests.imported(inferred, folder.sources())
    #expect(report.issues.map(\.description) == [])
    #expect(report.skipped == [:])
    let again = try Importer(store, options(inferred)).run(folder.sources())
    #expect(again.issues.map(\.description) == [])
    #expect(again.inserted == [:] && again.updated == [:] && again.deleted == [:] && again.skipped == [:])
    let export = try Exporter(store).wholeText()
    let copy = try Store(path: ":memory:", model: inferred.model, mapping: inferred.mapping)
    #expect(try Importer(copy).run([.string(export)]).issues.map(\.description) == [])
    #expect(try Exporter(copy).wholeText() == export)
    return (inferred, report)
  }

  // MARK: - What stands around a list

  @Test(arguments: [
    (#""total": 2, "page": 1, "next": "x""#, []), (#""region": "eu", "total": 2"#, ["“region” is left out"]),
    (#""owner": "ada", "labels": ["a"]"#, ["“labels”, “owner” are left out"]),
    (#""info": {"seed": "x", "page": 1}"#, ["“info” is left out"]),
    (#""paging": {"next": "x", "limit": 5}, "labels": [], "notes": null"#, []),
  ])
  func whatSaysMoreThanAPageIsTold(_ members: String, _ told: [String]) throws {
    let rows = #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#
    let inferred = try imported(["tasks.json": "{\(members), \"items\": \(rows)}"]).model
    #expect(inferred.model.entities.map(\.name) == ["Task"])
    let doubts = inferred.guesses.filter { $0.subject == .document && $0.certainty == .doubtful }
    #expect(doubts.map(\.choice) == told)
  }

  // MARK: - A head before the rows

  private static let head = #"{"page": 1, "pages": 1, "per_page": "50", "total": 2}"#
  private static let rows = #"[{"id": "BRA", "name": "Brazil"}, {"id": "KEN", "name": "Kenya"}]"#

  @Test func rowsBehindAHeadAreObjects() throws {
    let (inferred, report) = try imported(["countries.json": "[\(Self.head), \(Self.rows)]"])
    #expect(report.inserted == ["Country": 2])
    #expect(inferred.mapping.document.root == "[1]")
    #expect(inferred.model.entities.map(\.name) == ["Country"])
    #expect(inferred.model.entities[0].attributes.map(\.name) == ["id", "name"])
    #expect(inferred.model.entities[0].declaredIdentity?.properties == ["id"])
  }

  @Test func rowsBehindHeadsAndOtherObjectsAreFoundByTheirForms() throws {
    let (inferred, report) = try imported([
      "countries.json": "[\(Self.head), \(Self.rows)]",
      "rivers.json": #"[{"number": 1, "length": 4}, {"number": 2, "length": 5}]"#,
      "towns.json": #"{"data": [{"id": 7, "country_id": "KEN", "size": 3}, {"id": 8, "country_id": "BRA"}]}"#,
    ])
    #expect(report.inserted == ["Country": 2, "River": 2, "Town": 2])
    #expect(inferred.mapping.document.forms.map(\.root).contains("[1]"))
    let link = inferred.model[entity: "Town"]?[relationship: "country"]
    #expect(link?.destination == "Country")
  }

  /// A page without rows has a null or an empty list in their place.
  @Test(arguments: ["null", "[]"])
  func pagesWithoutRows(_ rows: String) throws {
    let none = #"[{"page": 2, "pages": 1, "per_page": "50", "total": 2}, \#(rows)]"#
    let (_, report) = try imported([
      "countries-1.json": "[\(Self.head), \(Self.rows)]", "countries-2.json": none,
    ])
    #expect(report.inserted == ["Country": 2])
    let (_, forms) = try imported([
      "countries-1.json": "[\(Self.head), \(Self.rows)]", "countries-2.json": none,
      "towns.json": #"{"data": [{"id": 7, "size": 3}, {"id": 8, "size": 5}]}"#,
    ])
    #expect(forms.inserted == ["Country": 2, "Town": 2])
  }

  /// A third element, or a first one that is about itself, is no head's.
  @Test(arguments: [
    #"[{"page": 1}, [{"id": 1}], [{"id": 2}]]"#, #"[{"height": 1, "colour": "red"}, [{"id": 1}]]"#,
    #"[{"page": 1}, {"page": 2}]"#,
  ])
  func otherListsHaveNoHead(_ json: String) throws {
    #expect(try inferred(json).mapping.document.root != "[1]")
  }

  @Test func filesWithHeadsOneAfterAnother() throws {
    let folder = try TestFolder([
      "countries.json": "[\(Self.head), \(Self.rows)]",
      "rates.json":
        #"[\#(Self.head), [{"country": "BRA", "year": 2020, "rate": 1.5}, {"country": "KEN", "year": 2020, "rate": 2.5}]]"#,
    ])
    let first = try InferredModel(from: [folder.source("countries.json")])
    var options = InferenceOptions()
    options.read(as: first.mapping)
    let both = try InferredModel(from: [folder.source("rates.json")], options: options)
      .refining(first.model, mapping: first.mapping)
    let (_, report) = try InferenceTests.imported(both, folder.sources())
    #expect(report.issues.map(\.description) == [])
    #expect(report.inserted == ["Country": 2, "Rate": 2])
  }

  // MARK: - Nulls among objects

  /// Nulls stand among objects at the top, in wrappers, in dictionaries, and in lists of objects with and without identity.
  @Test(
    arguments: [
      #"[{"id": 1, "name": "a"}, null, {"id": 2, "name": "b"}]"#,
      #"[null, {"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#,
      #"[{"t": 1, "name": "a"}, null, {"t": 1, "name": "a"}]"#, #"[null, {}, null, {"price": 12}]"#,
      #"{"items": [{"id": 1, "name": "a"}, null, {"id": 2, "name": "b"}], "total": 3}"#,
      #"{"things": [{"id": 1, "name": "a"}, null], "others": [null, {"id": 2, "size": 4}]}"#,
    ])
  func nullsAmongObjectsAtTheTop(_ json: String) throws {
    let (_, report) = try imported(["doc.json": json])
    #expect(report.inserted.values.reduce(0, +) == 2)
  }

  /// Once keys are known to be data, a null is an object that is not there.
  @Test func nullsInDictionariesAtTheTop() throws {
    let members = (0..<120).map { #""Q\#($0)": \#($0 == 110 ? "null" : #"{"label": "a", "size": \#($0)}"#)"# }
    let (_, report) = try imported(["things.json": "{\(members.joined(separator: ", "))}"])
    #expect(report.inserted == ["Thing": 119])
  }

  @Test(arguments: [
    #"[{"id": 1, "parts": [{"id": 7, "n": 1}, null]}, {"id": 2, "parts": [null, {"id": 8, "n": 1}]}]"#,
    #"[{"id": 1, "parts": [{"m": 7, "n": 1}, null]}, {"id": 2, "parts": [null, {"m": 7, "n": 1}]}]"#,
    #"[{"id": 1, "parts": [{"m": 7, "n": 1}]}, {"id": 2, "parts": [null]}, {"id": 3, "parts": [{"m": 7, "n": 1}, null]}]"#,
  ])
  func nullsAmongObjectsOfObjects(_ json: String) throws {
    let (inferred, report) = try imported(["owners.json": json])
    #expect(report.inserted.values.reduce(0, +) == 4 || report.inserted["Owner"] == 3)
    #expect(inferred.model[entity: "Owner"]?[relationship: "parts"]?.isToMany == true)
  }

  /// A null in place of the only object is none among objects.
  @Test func onlyEntitiesAmongNullsOmitThem() throws {
    let (inferred, _) = try imported([
      "tasks.json": #"""
      [{"id": 1, "user": {"id": 7, "name": "A"}, "notes": [{"text": "x", "size": 1}, null]}, {"id": 2, "user": null},
      {"id": 3, "user": {"id": 8, "name": "B"}}]
      """#
    ])
    let omitting = inferred.model.entities.filter { $0.userInfo["broker.nulls"] == "omit" }
    #expect(omitting.map(\.name) == ["Note"])
  }

  /// Nulls that a later file has widen the model.
  @Test(arguments: [
    #"[{"id": 2, "parts": [{"m": 8, "n": 1}, null]}]"#, #"[{"id": 2, "parts": [null]}]"#,
  ])
  func nullsThatComeLater(_ json: String) throws {
    let folder = try TestFolder([
      "1/owners.json": #"[{"id": 1, "parts": [{"m": 7, "n": 1}]}]"#, "2/owners.json": json,
    ])
    let first = try InferredModel(from: [folder.source("1/owners.json")])
    #expect(first.model.entities.allSatisfy { $0.userInfo["broker.nulls"] == nil })
    let both = try InferredModel(from: [folder.source("2/owners.json")])
      .refining(first.model, mapping: first.mapping)
    let (_, report) = try InferenceTests.imported(both, folder.sources())
    #expect(report.issues.map(\.description) == [])
    #expect(report.inserted["Owner"] == 2)
  }

  /// A model that somebody gave says nothing of nulls: they are an issue of the data.
  @Test func nullsAreIssuesForAModelThatDoesNotOmitThem() throws {
    let inferred = try inferred(#"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#)
    let (_, report) = try InferenceTests.imported(inferred, [.string(#"[{"id": 1, "name": "a"}, null]"#)])
    #expect(report.issues.count == 1)
  }
}
