import Foundation
import TestSettings
import Testing

/// `broker model infer`, and imports without a model.
@Suite("broker model infer")
struct InferTests {
  private let folder: Folder

  private static let bands = """
    [{"id": 1, "name": "Japan", "formed": 1974, "albums": [{"id": 10, "title": "Tin Drum"}]},
     {"id": 2, "name": "Can", "formed": 1968, "albums": []}]
    """
  private static let more = """
    [{"id": 3, "name": "Neu", "formed": 3000000000, "label": {"id": 7, "name": "Brain"}, "albums": []}]
    """

  init() throws {
    folder = try Folder()
    try folder.makeFolder("later")
    try folder.write(Self.bands, to: "bands.json")
    try folder.write(Self.more, to: "later/bands.json")
  }

  @Test func writesAModelAndAMappingThatImport() throws {
    let inferred = try broker(
      "model", "infer", "bands.json", "--output", "model.json", "--mapping", "map.yaml", in: folder)
    #expect(inferred.status == 0)
    #expect(
      inferred.output.contains("Band.id: is the identity – all 2 objects have “id”, and all values differ"))
    let outcome = try broker(
      "import", "bands.json", "--model", "model.json", "--store", "s.sqlite", "--format", "json", in: folder)
    #expect(try outcome.report().inserted == ["Album": 1, "Band": 2])
  }

  /// Few objects with many keys are objects, as long as a table of SQLite has room for so many columns. A server has room for
  /// fewer, and says so.
  @Test(arguments: [(1_500, 0, 1), (1_800, 0, 1), (2_500, 1, 1)])
  func manyKeys(_ count: Int, _ status: Int32, _ statusOfServer: Int32) throws {
    let keys = (0..<count).map { #""c\#($0)": \#($0)"# }.joined(separator: ", ")
    let rows = (1...3).map { #"{"id": \#($0), \#(keys)}"# }
    try folder.write("[\(rows.joined(separator: ","))]", to: "shops.json")
    let outcome = try broker("import", "shops.json", "--store", "s.sqlite", "--format", "json", in: folder)
    #expect(outcome.status == (Engine.isServer ? statusOfServer : status), "\(outcome.error)")
    if outcome.status == 0 {
      #expect(try outcome.report().inserted == ["Shop": 3])
    } else if status == 0 {
      #expect(outcome.error.contains("A PostgreSQL server has room for"), "\(outcome.error)")
    } else {
      #expect(outcome.error.contains("or more than 1900"), "\(outcome.error)")
    }
  }

  @Test func theProposedCommandIsSafe() throws {
    let name = "a'; touch ran; '$(touch ran) b.json"
    try folder.write(Self.bands, to: name)
    let inferred = try broker("model", "infer", name, in: folder)
    let command = try #require(inferred.output.split(separator: "\n").last { $0.contains("broker import") })
    // A shell takes the name as one word, and runs nothing of it.
    let shown = try Tool.run(
      "sh", ["-c", "broker() { printf '<%s>' \"$@\"; }; \(command)"], in: folder)
    #expect(shown.output.contains("<\(name)>"), "\(shown.output)")
    #expect(!folder.exists("ran"))
  }

  @Test func saysAllAsJSON() throws {
    let outcome = try broker("model", "infer", "bands.json", "--format", "json", in: folder)
    let object = try #require(JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    #expect(
      Set(object.keys).isSuperset(of: ["model", "mapping", "guesses", "bytes", "records", "isWhole"]))
  }

  @Test func aPathLeadsToTheObjects() throws {
    try folder.write(
      #"{"page": {"title": "x", "bands": [{"id": 1, "name": "Japan"}, {"id": 2, "name": "Can"}]}}"#,
      to: "page.json")
    let inferred = try broker(
      "model", "infer", "page.json", "--at", "page.bands", "--output", "m.json", "--mapping", "m.yaml",
      in: folder)
    #expect(inferred.status == 0)
    let outcome = try broker(
      "import", "page.json", "--model", "m.json", "--mapping", "m.yaml", "--store", "s.sqlite", "--format",
      "json", in: folder)
    #expect(try outcome.report().inserted.values.reduce(0, +) == 2)
  }

  @Test func refinesAModel() throws {
    _ = try broker("model", "infer", "bands.json", "--output", "model.json", in: folder)
    let outcome = try broker(
      "model", "infer", "later/bands.json", "--refine", "model.json", "--output", "model.json", in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("Band.formed: becomes integer64"))
    let same = try broker("model", "infer", "bands.json", "--refine", "model.json", in: folder)
    #expect(same.output == "The model has all that the JSON has. Nothing was changed.\n")
  }

  @Test func anImportIntoANewStoreNeedsNoModel() throws {
    let first = try broker(
      "import", "bands.json", "--store", "s.sqlite", "--save-model", "saved.json", in: folder)
    #expect(first.status == 0)
    #expect(first.error == "Took a model from the JSON: Band, Album\n")
    #expect(try broker("model", "check", "saved.json", in: folder).output == "No problems.\n")
    let later = try broker("import", "later/bands.json", "--store", "s.sqlite", in: folder)
    #expect(later.status == 0)
    #expect(later.error.contains("Widened the model: Band.label: is new: to one, Label"))
    let rows = try broker("query", "Band", "--store", "s.sqlite", "--format", "csv", in: folder)
    #expect(rows.output.contains("3,Neu,3000000000,7"))
    let again = try broker("import", "later/bands.json", "--store", "s.sqlite", in: folder)
    #expect(again.error == "")
  }

  /// What was null and empty at first is linked when objects come, as it is where all comes at once.
  @Test("values of any type find a place, one file after another, where only nulls were known at first")
  func valuesAfterNulls() throws {
    let folder = try Folder()
    for (number, values) in ["null", #"{"ref": "a", "w": 1}"#, "30000000000", #""text""#, "[1]"].enumerated()
    {
      let rows = (0..<20).map { #"{"id": \#(100 * number + $0), "name": "n\#($0)", "mix": \#(values)}"# }
      try folder.write("[\(rows.joined(separator: ","))]", to: "things\(number).json")
      for _ in 0..<2 {
        let outcome = try broker("import", "things\(number).json", "--store", "s.sqlite", in: folder)
        #expect(outcome.status == 0, "\(values): \(outcome.error)")
      }
    }
    let export = try broker("export", "--store", "s.sqlite", "--nulls", "omit", in: folder)
    #expect(export.output.components(separatedBy: #""mix":"#).count == 81)
    #expect(export.output.components(separatedBy: #""mix":{"ref":"a","w":1}"#).count == 21)
  }

  @Test func nullsAndEmptyListsBecomeLinks() throws {
    try folder.write(
      #"[{"id": 1, "title": "a", "owner": null, "tags": []}, {"id": 2, "title": "b", "owner": null, "tags": []}]"#,
      to: "posts-1.json")
    try folder.write(
      #"[{"id": 3, "title": "c", "owner": {"id": 5, "name": "Ann"}, "tags": [{"id": 7, "name": "red"}]}]"#,
      to: "posts-2.json")
    for file in ["posts-1.json", "posts-2.json"] {
      let outcome = try broker("import", file, "--store", "s.sqlite", in: folder)
      #expect(outcome.status == 0, "\(outcome.error)")
    }
    _ = try broker("import", "posts-1.json", "posts-2.json", "--store", "whole.sqlite", in: folder)
    let exports = try ["s.sqlite", "whole.sqlite"].map { store in
      try broker("export", "--store", store, in: folder).output.split(separator: "\n").map {
        $0.trimmingCharacters(in: [","])
      }.sorted()
    }
    #expect(exports[0] == exports[1])
    #expect(exports[0].contains(#""Owner":[{"id":5,"name":"Ann"}]"#), "\(exports[0])")
    let again = try broker(
      "import", "posts-1.json", "posts-2.json", "--store", "s.sqlite", "--format", "json", in: folder)
    #expect(again.error == "")
    #expect(try again.report().updated == [:])
  }

  /// Where a program gave such an attribute a value, nothing is dropped in silence.
  @Test func valuesOfWhatWasNullStay() throws {
    try folder.write(#"[{"id": 1, "owner": null}, {"id": 2, "owner": null}]"#, to: "posts-1.json")
    try folder.write(#"[{"id": 3, "owner": {"id": 5, "name": "Ann"}}]"#, to: "posts-2.json")
    _ = try broker("import", "posts-1.json", "--store", "s.sqlite", in: folder)
    let set = try broker(
      "import", "-", "--onto", "Post/1", "--store", "s.sqlite",
      input: #"{"id": 1, "owner": {"name": "Bob"}}"#, in: folder)
    #expect(set.status == 0, "\(set.error)")
    let outcome = try broker("import", "posts-2.json", "--store", "s.sqlite", in: folder)
    #expect(outcome.status == 0, "\(outcome.error)")
    let output = try broker("export", "Post", "--store", "s.sqlite", in: folder).output
    #expect(output.contains(#"{"id":1,"owner":{"name":"Bob"}}"#), "\(output)")
    #expect(output.contains(#"{"id":3,"owner":{"id":5,"name":"Ann"}}"#), "\(output)")
  }

  /// Later objects under an identity that is known are told where they say different things under one of its values.
  @Test func differentObjectsOfAKnownIdentityAreTold() throws {
    _ = try broker("import", "bands.json", "--store", "s.sqlite", in: folder)
    try folder.write(#"[{"id": 9, "name": "Neu"}, {"id": 9, "name": "Faust"}]"#, to: "bands-2.json")
    let outcome = try broker("import", "bands-2.json", "--store", "s.sqlite", in: folder)
    #expect(outcome.status == 0)
    #expect(
      outcome.error
        == "Note: Band.id: is the identity – one of its values came with different objects, which are one in the store\n"
    )
    #expect(outcome.output.contains("1 object came more than once."))
  }

  @Test func aPipeIsReadTwice() throws {
    let outcome = try broker("import", "-", "--store", "s.sqlite", input: Self.bands, in: folder)
    #expect(outcome.status == 0)
    #expect(try broker("query", "Record", "--store", "s.sqlite", "--count", in: folder).output == "2\n")
  }

  @Test func aModelThatSomebodyGaveIsNotWidened() throws {
    _ = try broker("model", "infer", "bands.json", "--output", "model.json", in: folder)
    _ = try broker("import", "bands.json", "--model", "model.json", "--store", "s.sqlite", in: folder)
    let outcome = try broker("import", "later/bands.json", "--store", "s.sqlite", in: folder)
    #expect(outcome.status == 3)
    #expect(!outcome.error.contains("Widened"))
  }

  /// Pages without objects, by themselves and among others, change nothing and are no error.
  @Test func aPageMayHaveNoObjects() throws {
    let pages = [
      #"{"data": {"items": [{"id": "a1", "n": 1}, {"id": "a2", "n": 2}]}}"#, #"{"data": {}}"#,
      #"{"data": {"items": []}}"#,
      #"{"data": null}"#, #"{"data": {"items": null}}"#, "[]",
    ]
    try folder.makeFolder("pages")
    for (number, page) in pages.enumerated() { try folder.write(page, to: "pages/\(number).json") }
    for names in [["pages"], pages.indices.map { "pages/\($0).json" }] {
      let store = "\(names.count).sqlite"
      var inserted = 0
      for name in names + names {
        let outcome = try broker("import", name, "--store", store, "--format", "json", in: folder)
        #expect(outcome.status == 0, "\(name): \(outcome.error)")
        inserted += try outcome.report().inserted.values.reduce(0, +)
      }
      #expect(inserted == 2)
      // A path that somebody gave has to lead somewhere.
      let wrong = try broker("import", "pages/1.json", "--at", "dta.items", "--store", store, in: folder)
      #expect(wrong.status == 1)
    }
  }

  @Test func aDryRunMakesNoStore() throws {
    let outcome = try broker("import", "bands.json", "--store", "s.sqlite", "--dry-run", in: folder)
    #expect(outcome.status == 0)
    #expect(!folder.hasStore("s.sqlite"))
  }

  @Test(arguments: ["", "[]", "{", "[[1], [2]]"])
  func whatHasNoObjectsIsRefused(_ json: String) throws {
    try folder.write(json, to: "bad.json")
    let outcome = try broker("model", "infer", "bad.json", in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.error.hasPrefix("Error: "))
    #expect(try broker("import", "bad.json", "--store", "s.sqlite", in: folder).status == 1)
    #expect(!folder.hasStore("s.sqlite"))
  }
}
