import Foundation
import Testing

/// Objects without identity, which are parts of their owner.
@Suite("Parts")
struct PartTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.write(
      """
      {"entities": [
        {"name": "Order",
         "attributes": [
           {"name": "id", "type": "integer64"}, {"name": "note", "type": "string", "optional": true}
         ],
         "relationships": [
           {"name": "lines", "destination": "Line", "toMany": true, "ordered": true, "inverse": "order"}
         ]},
        {"name": "Line",
         "attributes": [
           {"name": "sku", "type": "string"}, {"name": "quantity", "type": "integer32", "default": 1}
         ],
         "relationships": [{"name": "order", "destination": "Order", "inverse": "lines"}]}
      ]}
      """, to: "model.json")
  }

  private func importing(_ json: String, _ options: String...) throws -> ReportJSON {
    let arguments = ["--entity", "Order", "--model", "model.json", "--store", "s.sqlite", "--format", "json"]
    return try broker(["import"] + arguments + options, input: json, in: folder).report()
  }

  private func lines() throws -> String {
    try broker(
      "query", "Line", "--select", "sku,quantity", "--format", "lines", "--store", "s.sqlite", in: folder
    ).output
  }

  @Test("a list replaces the parts that were there; the same again changes nothing")
  func replaced() throws {
    let json = #"{"id": 1, "lines": [{"sku": "a", "quantity": 5}, {"sku": "b", "quantity": 7}]}"#
    #expect(try importing(json).inserted == ["Line": 2, "Order": 1])
    #expect(try importing(json).unchanged == ["Line": 2, "Order": 1])
    #expect(try importing(#"{"id": 1, "lines": []}"#).deleted == ["Line": 2])
    #expect(try lines() == "")
  }

  @Test("a part has nothing from the part that was in its place")
  func noInheritance() throws {
    _ = try importing(#"{"id": 1, "lines": [{"sku": "a", "quantity": 5}]}"#)
    _ = try importing(#"{"id": 1, "lines": [{"sku": "c"}]}"#)
    let lines = try lines()
    #expect(lines == "{\"sku\":\"c\",\"quantity\":1}\n")
  }

  @Test("a part that is skipped once is skipped again, and takes nothing from another")
  func skippedAgain() throws {
    let json = #"{"id": 1, "lines": [{"quantity": 5}, {"sku": "b", "quantity": 7}]}"#
    let first = try importing(json)
    #expect(first.skipped == ["Line": 1])
    let before = try lines()
    #expect(before == "{\"sku\":\"b\",\"quantity\":7}\n")
    let second = try importing(json)
    let after = try lines()
    #expect(second.skipped == ["Line": 1])
    #expect(second.inserted == [:])
    #expect(after == before)
  }

  @Test("lists that are added to do not double parts that come again")
  func merged() throws {
    let json = #"{"id": 1, "lines": [{"sku": "a"}, {"sku": "b"}]}"#
    _ = try importing(json, "--to-many", "merge")
    let second = try importing(json, "--to-many", "merge")
    #expect(second.inserted == [:])
  }

  @Test("an object that comes twice with different values ends as the last")
  func twice() throws {
    let json = #"[{"id": 1, "note": "first"}, {"id": 1, "note": "second"}]"#
    #expect(try importing(json).duplicates == 1)
    // Each of its values is written as it comes, so the object counts as updated.
    let second = try importing(json)
    #expect(second.duplicates == 1)
    #expect(second.updated == ["Order": 1])
  }
}
