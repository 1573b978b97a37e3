import Foundation
import Testing

/// Models that cannot be used, and objects that do not keep to theirs.
@Suite("Bad models")
struct BadModelTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.makeStore()
  }

  private let intoShops = ["--entity", "Shop", "--store", "store.sqlite"]

  @Test("a model that does not exist")
  func noModel() throws {
    let outcome = try broker(
      "import", "--entity", "Shop", "--model", "Shops.xcdatamodeld", "--store", "new.sqlite", input: "[]",
      in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.error.contains("Shops.xcdatamodeld: no such file or directory"))
    #expect(!folder.hasStore("new.sqlite"))
  }

  @Test("an empty model", arguments: ["{}", #"{"entities": []}"#])
  func emptyModel(_ model: String) throws {
    try folder.write(model, to: "empty.json")
    for entity in [[], ["--entity", "Shop"]] {
      let outcome = try broker(
        ["import", "-", "--model", "empty.json", "--store", "new.sqlite"] + entity, input: "[]", in: folder)
      #expect(outcome.status == 1)
      #expect(!folder.hasStore("new.sqlite"))
      #expect(outcome.error.contains("no entities"), "\(outcome.error)")
    }
  }

  @Test(
    "a model with errors",
    arguments: [
      (
        #"{"entities": [{"name": "A", "parent": "B"}]}"#,
        "The model cannot be used:\nerror: A: its parent “B” is no entity of this model"
      ),
      (
        #"{"entities": [{"name": "A", "relationships": [{"name": "x", "destination": "Q"}]}]}"#,
        "The model cannot be used:\nerror: A.x: there is no entity “Q”"
      ),
    ])
  func badModel(_ model: String, _ message: String) throws {
    try folder.write(model, to: "bad.json")
    try folder.refused(
      ["-", "--entity", "A", "--model", "bad.json", "--store", "new.sqlite"], input: "[]", because: message)
    #expect(!folder.hasStore("new.sqlite"))
    try folder.refused(["-", "--model", "bad.json"] + intoShops, input: "[]", because: message)
  }

  @Test("two properties that claim one key")
  func rivals() throws {
    try folder.write(
      """
      {"entities": [{"name": "A", "attributes": [
        {"name": "x", "type": "string", "userInfo": {"broker.key": "k"}},
        {"name": "y", "type": "string", "userInfo": {"broker.key": "k"}}
      ]}]}
      """, to: "bad.json")
    try folder.refused(
      ["-", "--model", "bad.json", "--store", "new.sqlite"], input: #"[{"k": 1}]"#,
      because: """
        The model cannot be used:
        error: A.y: “x” and “y” both claim the JSON key “k”; give each its own key
        """)
    #expect(!folder.hasStore("new.sqlite"))
  }

  // MARK: - What the model demands

  @Test("a null for the owner that an object requires")
  func requiredOwner() throws {
    try folder.write(
      """
      {"entities": [
        {"name": "Order", "attributes": [{"name": "id", "type": "integer64"}],
         "relationships": [{"name": "lines", "destination": "Line", "toMany": true, "inverse": "order"}]},
        {"name": "Line", "attributes": [{"name": "sku", "type": "string"}],
         "relationships": [{"name": "order", "destination": "Order", "inverse": "lines", "optional": false}]}
      ]}
      """, to: "orders.json")
    for json in [#"[{"sku": "a", "order": null}]"#] {
      let outcome = try broker(
        "import", "--model", "orders.json", "--store", "new.sqlite", "--entity", "Line", "--dry-run",
        input: json,
        in: folder)
      #expect(outcome.status == 3)
    }
  }
}
