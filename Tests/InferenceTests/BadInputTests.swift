import Foundation
import Inference
import Mapping
import ObjectModel
import Testing

/// Input that no model can be made of, or hardly.
@Suite struct BadInputTests {
  @Test(arguments: ["[]", "{}", "3", "\"a\"", "null", "[[1], [2]]", "[null]"])
  func jsonWithoutObjectsHasNoModel(_ json: String) {
    #expect(throws: InferenceError.self) { try inferred(json) }
  }

  @Test(arguments: ["", "{", "[{\"a\": }]", "{\"a\": 1} x"])
  func brokenJSONIsAnError(_ json: String) {
    #expect(throws: ImportError.self) { try inferred(json) }
  }

  @Test func jsonThatNestsTooDeepIsAnError() {
    let deep = String(repeating: "{\"a\": [", count: 50_000)
    #expect(throws: ImportError.self) { try inferred(deep) }
  }

  @Test func deepJSONIsRead() throws {
    let depth = 250
    let json = String(repeating: "{\"id\": 1, \"a\": [", count: depth) + String(repeating: "]}", count: depth)
    #expect(try !inferred("[\(json)]").model.entities.isEmpty)
  }

  @Test func manyDifferentKeysAreADictionary() throws {
    let members = (0..<100_000).map { "\"k\($0)x\": {\"n\": \($0)}" }.joined(separator: ",")
    let inferred = try inferred("{\(members)}")
    #expect(inferred.model.entities.count == 1)
  }

  @Test func differentKeysInEveryObjectTakeBoundedMemory() throws {
    let objects = (0..<20_000).map { "{\"id\": \($0), \"a\($0)\": 1, \"b\($0)\": {\"c\($0)\": 2}}" }
    #expect(throws: InferenceError.self) { try inferred("[\(objects.joined(separator: ","))]") }
  }

  @Test func keysThatContradictEachOtherKeepTheirJSON() throws {
    let json = #"[{"id": 1, "a": {"x": 1}}, {"id": 2, "a": 5}, {"id": 3, "a": [1]}, {"id": 4, "a": "t"}]"#
    let inferred = try inferred(json)
    #expect(inferred.model.entities.first?[attribute: "a"]?.type == .transformable)
    #expect(inferred.guesses.contains { $0.property == "a" && $0.certainty == .doubtful })
    #expect(try imported(inferred, [.string(json)]).report.issues.isEmpty)
  }

  @Test(arguments: [
    "", " ", ".", "[", "a.b", "a[0]", "\"", "é", "日本", "$ref", "@id", "a b", "1", "true", "id ",
  ])
  func anyKeyCanBeRead(_ key: String) throws {
    let text = try String(decoding: JSONEncoder().encode(key), as: UTF8.self)
    let json = "[{\"id\": 1, \(text): \"x\"}, {\"id\": 2, \(text): \"y\"}]"
    let inferred = try inferred(json)
    #expect(try imported(inferred, [.string(json)]).report.issues.map(\.description) == [])
  }
}
