import Foundation
import Testing

@Suite("broker explain")
struct ExplainTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.write(Folder.model, to: "model.json")
  }

  private let json = """
    [{"ID": 1, "shop_name": "x", "floors": "two", "floors_count": 3, "Opened": "1976-02-23", "recrods": []},
     {"ID": 2, "name": "Amoeba", "floors": 1, "record_ids": [7]}]
    """

  @Test("says which key fills which property, why, and why not")
  func text() throws {
    let outcome = try broker(
      "explain", "-", "--model", "model.json", "--entity", "Shop", input: json, in: folder)
    #expect(outcome.status == 0 && outcome.error == "")
    #expect(
      outcome.output == """
        Shop (identity id, taken for it by its name)
          ID            → id       its name in another style, 2 times
          floors        → floors   its name, 2 times
              unusable at $[0].floors: expected a whole number from -32768 to 32767, found "two"; value left out
          Opened        → opened   its name in another style, 1 time
          name          → name     its name, 1 time
              unusable at $[0].name: expected a string, found nothing; object skipped
          record_ids    → records  a reference by key, 1 time
          shop_name       –        matches nothing, 1 time
          floors_count    –        matches nothing, 1 time
          recrods         –        matches nothing, 1 time
          no key for
            rating: would take rating

        No objects of Record.

        Inferred, since nothing says it: which object an object is, of Shop by id. To say something else, write “identity: NAME” or “identity: none” for the entity in the file of --mapping, or annotate it with broker.identity in the model.

        """)
  }

  @Test("entities that nothing matched come first, then keys by how often they came")
  func order() throws {
    let json = """
      {"shops": [{"id": 1, "rating": 1, "name": "a", "x": 1}, {"id": 2, "name": "b", "y": 1, "x": 2}, {"name": "c", "id": 3}],
       "records": [{"nr": 1, "label": "x"}, {"nr": 2}], "pages": 1, "links": [1], "links": [2]}
      """
    let outcome = try broker("explain", "-", "--model", "model.json", input: json, in: folder)
    let lines = outcome.output.split(separator: "\n").map {
      $0.split(separator: " ").first.map(String.init) ?? ""
    }
    #expect(lines.filter { ["Record", "Shop", "The"].contains($0) } == ["Record", "Shop", "The"])
    #expect(
      outcome.output.hasPrefix(
        "Record (identity id, taken for it by its name, no key matches anything)\n  nr     "))
    let places = ["id", "name", "rating", "x", "y"].compactMap { lines[3...].firstIndex(of: $0) }
    #expect(places.count == 5 && places == places.sorted(), "\(outcome.output)")
    let found = try explanation(json)
    #expect(found.entities.map(\.entity) == ["Record", "Shop"])
    #expect(found.entities.map(\.isMatched) == [false, true])
    #expect(found.entities.last?.keys.map(\.count) == [3, 3, 1, 2, 1])
    #expect(found.absentEntities == [])
  }

  private struct Explained: Decodable {
    struct Entity: Decodable {
      struct Key: Decodable {
        var key: String
        var count: Int
      }
      var entity: String
      var identity: [String]
      var identitySource: String?
      var isMatched: Bool
      var keys: [Key]
    }
    var entities: [Entity]
    var absentEntities: [String]
  }

  private func explanation(_ json: String, _ options: String..., model: String = "model.json") throws
    -> Explained
  {
    let outcome = try broker(
      ["explain", "-", "--model", model, "--format", "json"] + options, input: json, in: folder)
    return try JSONDecoder().decode(Explained.self, from: Data(outcome.output.utf8))
  }

  @Test("says which identities were inferred, and how to say others")
  func identities() throws {
    let json = #"{"shops": [{"id": 1, "name": "x"}], "records": [{"id": 1, "shop": 1}]}"#
    #expect(try explanation(json).entities.map(\.identitySource) == ["name", "name"])
    try folder.write("Shop:\n  identity: name\nRecord:\n  identity: none\n", to: "api.yaml")
    let said = try explanation(json, "--mapping", "api.yaml")
    #expect(said.entities.map(\.identity) == [["name"], []])
    #expect(said.entities.map(\.identitySource) == ["stated", nil])
    let text = try broker(
      "explain", "-", "--model", "model.json", "--mapping", "api.yaml", input: json, in: folder
    ).output
    #expect(text.contains("Shop (identity name)\n"))
    #expect(text.contains("Record (no identity)\n"))
    #expect(!text.contains("Inferred"))

    try folder.write(
      Folder.model.replacing(
        #"{"name": "Shop","#, with: #"{"name": "Shop", "unique": [["name"]],"#), to: "unique.json")
    let unique = try explanation(json, model: "unique.json")
    #expect(unique.entities.map(\.identitySource) == ["uniquenessConstraint", "name"])
    let advice = try broker("explain", "-", "--model", "unique.json", input: json, in: folder).output
    #expect(advice.contains("Shop (identity name, the only uniqueness constraint)\n"))
    #expect(advice.contains("of Shop by name; Record by id. To say something else, write “identity: NAME”"))
  }

  @Test("the same for programs, and nothing is changed")
  func forPrograms() throws {
    try folder.makeStore()
    let before = folder.store()
    let outcome = try broker(
      "explain", "-", "--store", "store.sqlite", "--entity", "Shop", "--format", "json",
      input: #"[{"id": 1, "nmae": "x"}]"#, in: folder)
    #expect(outcome.status == 0)
    #expect(folder.store() == before)
    let explanation = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    let shop = (explanation?["entities"] as? [[String: Any]])?.first
    let keys = shop?["keys"] as? [[String: Any]]
    #expect(keys?.map { $0["reason"] as? String } == ["name", "unmatched"])
    #expect(keys?.last?["nearest"] as? String == "name")
    let unfilled = shop?["unfilled"] as? [[String: Any]]
    #expect(unfilled?.first { $0["property"] as? String == "name" }?["isRequired"] as? Bool == true)
  }

  @Test("a mapping's keys are named as such, key paths and what is ignored too")
  func mapping() throws {
    try folder.write("Shop:\n  keys: {name: d.n}\n  ignore: rating\n", to: "api.yaml")
    let outcome = try broker(
      "explain", "-", "--model", "model.json", "--mapping", "api.yaml", "--entity", "Shop",
      input: #"{"id": 1, "d": {"n": "x", "m": 2}, "rating": 4}"#, in: folder)
    #expect(outcome.output.contains("d.n     → name  mapped, 1 time"))
    #expect(outcome.output.contains("rating    –     ignored on purpose, 1 time"))
    #expect(outcome.output.contains("d         –     on the way of key paths, 1 time"))
    #expect(outcome.output.contains("d.m       –     matches nothing, 1 time"))
  }

  @Test("a transformer with arguments that does not fit is the first issue of its key")
  func transformer() throws {
    try folder.write("Shop:\n  transformers: {name: {prefix: Shop/}}\n", to: "api.yaml")
    let outcome = try broker(
      "explain", "-", "--model", "model.json", "--mapping", "api.yaml", "--entity", "Shop",
      input: #"[{"id": 1, "name": "Shop/x"}, {"id": 2, "name": "y"}]"#, in: folder)
    #expect(outcome.output.contains("a text that begins with “Shop/”"))
    try folder.write("Shop:\n  transformers: {name: {prefx: Shop/}}\n", to: "api.yaml")
    let wrong = try broker(
      "explain", "-", "--model", "model.json", "--mapping", "api.yaml", "--entity", "Shop", input: "[]",
      in: folder)
    #expect(wrong.error.contains("api.yaml:2: Shop.transformers: “prefx(\"Shop/\")” is not a transformer"))
    #expect(wrong.error.contains("did you mean “prefix”?"))
  }

  @Test("keys of a document that name nothing, and documents without objects")
  func documents() throws {
    let outcome = try broker(
      "explain", "-", "--model", "model.json", input: #"{"shops": [{"id": 1}], "page": {"n": 2}}"#, in: folder
    )
    #expect(
      outcome.output.contains(
        "\n\nThe document\n  page  names no entity, 1 time\n\nNo objects of Record.\n\n"))
    let empty = try broker(
      "explain", "-", "--model", "model.json", "--entity", "Shop", input: "[]", in: folder)
    #expect(empty.output == "There are no objects.\n")
  }

  @Test(
    "wrong usage and broken JSON",
    arguments: [
      ([String](), 64), (["--model", "model.json", "--store", "x"], 64),
      (["--model", "model.json", "--entity", "Shop"], 1),
    ])
  func errors(_ options: [String], _ status: Int) throws {
    #expect(try broker(["explain", "-"] + options, input: "[{", in: folder).status == Int32(status))
  }
}
