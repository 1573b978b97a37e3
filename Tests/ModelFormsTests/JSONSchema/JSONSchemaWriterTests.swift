import Foundation
import ModelForms
import ObjectModel
import Testing

@Suite struct JSONSchemaWriterTests {
  @Test func entitiesAreDefinitions() throws {
    let model = try SampleModels.model(
      #"""
      {"name": "Band", "attributes": [
        {"name": "name", "type": "string", "maximum": 80, "pattern": "[A-Z].*", "userInfo": {"broker.identity": "true"}},
        {"name": "genre", "type": "string", "optional": true, "userInfo": {"broker.values": "[\"rock\"]", "documentation": "Of its music."}}],
       "relationships": [{"name": "albums", "destination": "A/b c", "toMany": true, "minimumCount": 1}]},
      {"name": "A/b c", "parent": "Band", "attributes": [{"name": "x", "type": "boolean", "default": true, "userInfo": {"broker.key": "is_x"}}]}
      """#)
    let text = try model.jsonSchema()
    let value = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(value["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
    #expect(text.contains(#""name": {"type": "string", "maxLength": 80, "pattern": "^(?:[A-Z].*)$"}"#))
    #expect(text.contains(#"{"type": "string", "enum": ["rock"], "description": "Of its music."}"#))
    #expect(text.contains(##""$ref": "#/$defs/A~1b%20c""##))
    #expect(text.contains(#""is_x": {"type": "boolean", "default": true}"#))
    #expect(text.contains(#""minItems": 1"#))
    #expect(text.contains(#""required": ["name"]"#))
    #expect(text.contains(##"{"$ref": "#/$defs/Band"}"##))
  }

  @Test func keyPathsLieInObjects() throws {
    let model = try SampleModels.model(
      #"""
      {"name": "Album", "attributes": [
        {"name": "day", "type": "date", "userInfo": {"broker.key": "release.date"}},
        {"name": "city", "type": "string", "optional": true, "userInfo": {"broker.key": "release.place.city"}},
        {"name": "first", "type": "string", "userInfo": {"broker.key": "names[0]"}}]}
      """#)
    let text = try model.jsonSchema()
    var value = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    for key in ["$defs", "Album", "properties", "release", "properties"] {
      value = try #require(value[key] as? [String: Any])
    }
    #expect((value["date"] as? [String: Any])?["format"] as? String == "date-time")
    #expect((value["place"] as? [String: Any])?["properties"] != nil)
    #expect(!text.contains("names"))
    #expect(!text.contains("required"))
  }
}
