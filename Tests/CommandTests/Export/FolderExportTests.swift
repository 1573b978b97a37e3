import Foundation
import Testing

/// Exports of all entities to a folder: they come back into an empty store, and change nothing in their own.
@Suite struct FolderExportTests {
  struct JSON: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let files: [String: String]
  }

  private static let documents = [
    JSON(
      testDescription: "lists of several entities in one document",
      files: [
        "in/tickets.json":
          #"{"users": [{"id": 1, "name": "a"}], "tickets": [{"id": 35436, "user_id": 1, "subject": "x"}, {"id": 35437, "user_id": 1, "subject": "y"}], "count": 2}"#
      ]),
    JSON(
      testDescription: "a list under a key that names its entity",
      files: [
        "in/query.json":
          #"{"QueryResponse": {"Invoice": [{"Id": "120", "DocNumber": "1030", "BillAddr": {"Id": "90", "City": "Bayshore"}, "Line": [{"Amount": 5.5}]}, {"Id": "121", "DocNumber": "1031", "BillAddr": {"Id": "91", "City": "Miami"}, "Line": [{"Amount": 7.5}]}], "startPosition": 1, "maxResults": 2}}"#
      ]),
    JSON(
      testDescription: "an entity that is called like what holds objects",
      files: [
        "in/tasks.json":
          #"{"tasks": [{"id": "86aaaaaa1", "name": "A", "list": {"id": "901", "name": "Sprint 1"}}, {"id": "86aaaaaa2", "name": "B", "list": {"id": "902", "name": "Sprint 2"}}]}"#
      ]),
    JSON(
      testDescription: "objects with the keys of those that a form of documents has",
      files: [
        "in/stops.json":
          #"[{"id": "8000105", "type": "stop", "name": "F", "zone": 1, "operators": [{"id": "odeg", "type": "operator", "name": "O"}]}, {"id": "8000106", "type": "stop", "name": "G", "zone": 2, "operators": [{"id": "db-fv", "type": "operator", "name": "D"}]}]"#,
        "in/lines.json":
          #"{"lines": [{"id": "17", "name": "L", "operator": {"id": "odeg", "type": "operator", "name": "O"}}, {"id": "18", "name": "M", "operator": {"id": "db-fv", "type": "operator", "name": "D"}}]}"#,
      ]),
    JSON(
      testDescription: "one list of objects of several kinds",
      files: [
        "in/map.json":
          #"{"osm3s": {}, "elements": [{"type": "node", "id": 743729455, "lat": 1.5}, {"type": "node", "id": 935463666, "lat": 2.5}, {"type": "way", "id": 15471626, "nodes": [743729455, 935463666]}, {"type": "relation", "id": 3770111, "members": [{"ref": 5, "role": "outer"}]}]}"#
      ]),
    JSON(
      testDescription: "connections of a graph",
      files: [
        "in/issues.json":
          #"{"data": {"issues": {"nodes": [{"id": "i-1", "title": "A", "labels": {"nodes": [{"id": "l-1", "name": "bug"}]}}, {"id": "i-2", "title": "B", "labels": {"nodes": [{"id": "l-1", "name": "bug"}, {"id": "l-2", "name": "ui"}]}}]}}}"#
      ]),
  ]

  private let folder: Folder

  init() throws { folder = try Folder() }

  private func export(_ store: String) throws -> String {
    try broker("export", "--store", store, in: folder).output
  }

  private func change(by source: String) throws -> [[String: Int]] {
    let outcome = try broker("import", source, "--store", "a.sqlite", "--format", "json", in: folder)
    #expect(outcome.status == 0, "\(outcome.error)")
    let report = try outcome.report()
    return [report.inserted, report.updated, report.deleted].filter { !$0.isEmpty }
  }

  @Test(arguments: documents, [[], ["--lines"]])
  func itIsTheSameStoreAgain(_ json: JSON, _ form: [String]) throws {
    try FileManager.default.createDirectory(at: folder.url("in"), withIntermediateDirectories: true)
    for (name, text) in json.files { try folder.write(text, to: name) }
    #expect(try broker("import", "in", "--store", "a.sqlite", in: folder).status == 0)
    let whole = try export("a.sqlite")
    try folder.write(whole, to: "whole.json")
    #expect(try broker(["export", "--store", "a.sqlite", "--folder", "x"] + form, in: folder).status == 0)
    let outcome = try broker("import", "x", "--model", "a.sqlite", "--store", "b.sqlite", in: folder)
    #expect(outcome.status == 0, "\(outcome.error)\(outcome.output)")
    #expect(try export("b.sqlite") == whole)
    #expect(try change(by: "x") == [])
    #expect(try change(by: "whole.json") == [])
    #expect(try export("a.sqlite") == whole)
  }
}
