import Inference
import Mapping
import ObjectModel
import Testing

/// Models that are widened by more JSON.
@Suite struct RefinementTests {
  private let first =
    #"[{"id": 1, "name": "Japan", "formed": 1974}, {"id": 2, "name": "Can", "formed": 1968}]"#

  private func refined(_ model: Model, _ mapping: JSONMapping = JSONMapping(), by json: String) throws
    -> InferredModel
  {
    try inferred(json).refining(model, mapping: mapping)
  }

  @Test func theSameJSONChangesNothing() throws {
    let model = try inferred(first).model
    let again = try refined(model, by: first)
    #expect(again.model == model)
    #expect(again.guesses.isEmpty)
  }

  @Test func whatIsNewIsAddedAndOptional() throws {
    let model = try inferred(first).model
    let json = #"[{"id": 3, "name": "Neu", "label": "Brain", "albums": [{"id": 10, "title": "Neu"}]}]"#
    let result = try refined(model, by: json).model
    let record = try #require(result[entity: "Record"])
    #expect(record.attributes.map(\.name) == ["id", "name", "formed", "label"])
    #expect(record[attribute: "label"]?.isOptional == true)
    #expect(record[relationship: "albums"]?.destination == "Album")
    #expect(result[entity: "Album"]?.relationships.first?.inverse == "albums")
    #expect(result.problems().filter { $0.severity == .error }.isEmpty)
  }

  @Test func whatAllObjectsLackIsOptional() throws {
    let json =
      "[" + (0..<20).map { "{\"id\": \($0), \"name\": \"n\", \"n\": \($0)}" }.joined(separator: ",") + "]"
    let model = try inferred(json).model
    #expect(model[entity: "Record"]?[attribute: "n"]?.isOptional == false)
    let wider = try refined(model, by: #"[{"id": 30, "name": "x"}]"#).model
    #expect(wider[entity: "Record"]?[attribute: "n"]?.isOptional == true)
  }

  @Test func typesBecomeWiderOnlyIfValuesDoNotFit() throws {
    let model = try inferred(first).model
    let wider = try refined(model, by: #"[{"id": 3, "name": "Neu", "formed": 3000000000}]"#).model
    #expect(wider[entity: "Record"]?[attribute: "formed"]?.type == .integer64)
    let text = try refined(model, by: #"[{"id": 3, "name": "Neu", "formed": "early"}]"#).model
    #expect(text[entity: "Record"]?[attribute: "formed"]?.type == .string)
    let same = try refined(wider, by: first).model
    #expect(same == wider)
  }

  @Test func whatAPersonRenamedStays() throws {
    var model = Model(entities: [
      Entity(
        name: "Band",
        attributes: [
          Attribute(name: "key", type: .integer64), Attribute(name: "title", type: .string),
          Attribute(name: "founded", type: .integer32, isOptional: true),
        ])
    ])
    model.entities[0].userInfo["broker.identity"] = "key"
    var mapping = JSONMapping()
    mapping["Band"].keys = ["key": ["id"], "title": ["name"], "founded": ["formed"]]
    let result = try refined(
      model, mapping, by: #"[{"id": 3, "name": "Neu", "formed": 1971, "city": "Bonn"}]"#)
    #expect(result.model.entities.map(\.name) == ["Band"])
    #expect(result.model.entities[0].attributes.map(\.name) == ["key", "title", "founded", "city"])
    #expect(result.model.entities[0].attributes.map(\.type) == [.integer64, .string, .integer32, .string])
  }
}
