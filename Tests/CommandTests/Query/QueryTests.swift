import Foundation
import Testing

@Suite("broker query")
struct QueryTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.makeStore()
    let outcome = try broker(
      "import", "--entity", "Record", "--store", "store.sqlite",
      input: """
        [{"id": 10, "title": "Red, \\"and\\" blue", "shop": 1}, {"id": 11, "title": null, "shop": 1},
         {"id": 12, "title": "Lost", "shop": 99}]
        """, in: folder)
    #expect(outcome.status == 0)
  }

  private func queried(_ arguments: String..., status: Int32 = 0) throws -> String {
    let outcome = try broker(["query"] + arguments + ["--store", "store.sqlite"], in: folder)
    #expect(outcome.status == status, "\(outcome.error)")
    return status == 0 ? outcome.output : outcome.error
  }

  @Test("a table for people")
  func table() throws {
    #expect(
      try queried("Shop", "--select", "id,name,floors") == """
        id  name         floors
        ──  ───────────  ──────
         1  Rough Trade       2
         2  Amoeba            1

        """)
  }

  @Test("all attributes and the identities that to-one relationships point to")
  func everything() throws {
    let output = try queried("Record", "--limit", "1")
    #expect(output.hasPrefix("id  title            shop\n"))
  }

  @Test("key paths; through a to-many they give lists")
  func keyPaths() throws {
    #expect(
      try queried("Shop", "--select", "name,records,records.title", "--format", "lines") == """
        {"name":"Rough Trade","records":[10,11],"records.title":["Red, \\"and\\" blue",null]}
        {"name":"Amoeba","records":[],"records.title":[]}

        """)
    #expect(
      try queried("Record", "--select", "id,shop.name", "--format", "lines") == """
        {"id":10,"shop.name":"Rough Trade"}
        {"id":11,"shop.name":"Rough Trade"}
        {"id":12,"shop.name":null}

        """)
  }

  @Test("a pending reference reads as null")
  func pending() throws {
    #expect(
      try queried("Record", "--select", "shop", "--id", "12", "--format", "lines") == "{\"shop\":null}\n")
  }

  @Test("comma-separated values, quoted where they must be")
  func csv() throws {
    #expect(
      try queried("Record", "--select", "id,title", "--format", "csv")
        == "id,title\r\n10,\"Red, \"\"and\"\" blue\"\r\n11,\r\n12,Lost\r\n")
  }

  @Test("JSON")
  func json() throws {
    struct Shop: Decodable, Equatable {
      var id: Int
      var name: String
      var opened: String?
    }
    let output = try queried("Shop", "--format", "json")
    let shops = try JSONDecoder().decode([Shop].self, from: Data(output.utf8))
    #expect(shops == [Shop(id: 1, name: "Rough Trade"), Shop(id: 2, name: "Amoeba")])
  }

  @Test("how many")
  func count() throws {
    #expect(try queried("Record", "--count") == "3\n")
    #expect(try queried("Shop", "--count", "--format", "json") == "2\n")
    #expect(try queried("Shop", "--count", "--id", "1") == "1\n")
  }

  @Test("sorted by a key path, descending")
  func sorted() throws {
    #expect(
      try queried("Record", "--sort=-shop.name,-id", "--select", "id", "--format", "csv")
        == "id\r\n11\r\n10\r\n12\r\n")
    let output = try queried("Record", "--sort", "-id", "--select", "id", "--format", "csv")
    #expect(output == "id\r\n12\r\n11\r\n10\r\n")
  }

  @Test("the first example of the command's own help")
  func example() throws {
    let files = ["bands.json", "albums.jsonl"].map { "\(Folder.bands)/\($0)" }
    _ = try broker(
      ["import"] + files + ["--model", "\(Folder.bands)/Bands.xcdatamodeld", "--store", "bands.sqlite"],
      in: folder)
    let help = try broker("--help", in: folder).output
    let line = try #require(help.split(separator: "\n").first { $0.contains("broker query") })
    let words = line.split(separator: " ").dropFirst().map(String.init)
    let outcome = try broker(words, in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("Tin Drum"))
  }

  @Test(
    "what is not there, with status 1",
    arguments: [
      (["Shpo"], "There is no entity Shpo. Did you mean Shop?"),
      (["Shop", "--select", "flors"], "Shop has no property flors. Did you mean floors?"),
      (["Record", "--select", "shop.nme"], "Shop has no property nme. Did you mean name?"),
      (["Shop", "--sort", "records"], "records leads to many objects, so it gives no order."),
    ])
  func refused(_ arguments: [String], _ message: String) throws {
    let outcome = try broker(["query", "--store", "store.sqlite"] + arguments, in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.error == "Error: \(message)\n")
    #expect(outcome.output == "")
  }

  @Test("nothing to select is wrong usage")
  func emptySelection() throws {
    let outcome = try broker("query", "Shop", "--store", "store.sqlite", "--select", "", in: folder)
    #expect(outcome.status == 64)
  }

  @Test("looking at a store leaves nothing beside it", .onSQLite("about the files of a store"))
  func leavesNothing() throws {
    _ = try queried("Shop")
    let names = try folder.names(like: "store.sqlite")
    #expect(names == ["store.sqlite"])
  }
}
