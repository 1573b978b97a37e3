import Foundation
import ModelForms
import ObjectModel
import Testing

@Suite struct OpenAPITests {
  private static let shop = """
    openapi: 3.1.0
    info: {title: Shop, version: "1"}
    paths: {}
    components:
      schemas:
        Order:
          description: What a customer buys.
          type: object
          required: [id, state, lines]
          properties:
            id: {type: integer, format: int64}
            state: {type: string, enum: [open, paid], default: open}
            placed: {type: [string, "null"], format: date-time}
            total: {type: string, format: decimal}
            customer_id: {type: string, format: uuid}
            lines: {type: array, items: {$ref: "#/components/schemas/Line"}}
            tags: {type: array, items: {$ref: "#/components/schemas/Tag"}}
            notes: {type: array, items: {type: string}}
            address: {type: object, properties: {street: {type: string, maxLength: 80, pattern: "^[A-Z]"}}}
            meta: {type: object, additionalProperties: {type: string}}
            payment: {$ref: "#/components/schemas/Payment"}
        Customer:
          type: object
          properties:
            id: {$ref: "#/components/schemas/Key"}
            orders: {type: array, items: {$ref: "#/components/schemas/Order"}}
        Key: {type: string, format: uuid}
        Line: {type: object, properties: {count: {type: integer, format: int32, minimum: 1}, "unit-price": {type: number}}}
        Tag: {type: object, properties: {id: {type: integer}}}
        Payment:
          oneOf: [{$ref: "#/components/schemas/Card"}, {$ref: "#/components/schemas/Cash"}]
          discriminator: {propertyName: kind, mapping: {card: "#/components/schemas/Card"}}
        Card: {type: object, properties: {number: {type: string}}}
        Cash: {type: object, properties: {currency: {type: string, nullable: true}}}
    """

  @Test func entities() throws {
    let reading = try #require(try Schemas.read(Self.shop, "shop.yaml"))
    let model = reading.model
    #expect(model.problems().filter { $0.severity == .error } == [])
    #expect(
      model.entities.map(\.name).sorted() == [
        "Card", "Cash", "Customer", "Line", "Order", "OrderAddress", "Payment", "Tag",
      ])
    let order = try #require(model[entity: "Order"])
    #expect(order.userInfo["documentation"] == "What a customer buys.")
    #expect(order[attribute: "id"].map { [$0.isOptional, $0.type == .integer64] } == [false, true])
    #expect(order[attribute: "state"]?.userInfo["broker.values"] == #"["open","paid"]"#)
    #expect(order[attribute: "state"]?.defaultValue == "open")
    #expect(order[attribute: "placed"].map { [$0.isOptional, $0.type == .date] } == [true, true])
    #expect(order[attribute: "total"]?.type == .decimal)
    #expect(order[attribute: "notes"]?.type == .transformable)
    #expect(order[attribute: "meta"]?.type == .transformable)
    #expect(model[entity: "OrderAddress"]?[attribute: "street"]?.maximum == "80")
    #expect(model[entity: "OrderAddress"]?[attribute: "street"]?.pattern == #"[A-Z][\s\S]*"#)
    #expect(model[entity: "Line"]?[attribute: "unitPrice"]?.userInfo["broker.key"] == "unit-price")
    #expect(model[entity: "Customer"]?[attribute: "id"]?.type == .uuid)
  }

  @Test func relationships() throws {
    let model = try #require(try Schemas.read(Self.shop, "shop.yaml")).model
    let order = try #require(model[entity: "Order"])
    #expect(order[relationship: "customer"]?.inverse == "orders")
    #expect(order[relationship: "customer"]?.userInfo["broker.key"] == "customer_id")
    #expect(order[relationship: "lines"]?.inverse == "order")
    #expect(model[entity: "Line"]?[relationship: "order"]?.isToMany == false)
    #expect(model[entity: "Tag"]?[relationship: "orders"]?.isToMany == true)
    #expect(order[relationship: "payment"]?.destination == "Payment")
    #expect(model[entity: "Payment"]?.isAbstract == true)
    #expect(model[entity: "Payment"]?.userInfo["broker.discriminator"] == "kind")
    #expect(model[entity: "Card"]?.parent == "Payment")
    #expect(model[entity: "Card"]?.userInfo["broker.kind"] == "card")
    #expect(model[entity: "Cash"]?.parent == "Payment")
  }

  @Test func inferencesAreSaidWithTheirReasons() throws {
    let remarks = try #require(try Schemas.read(Self.shop, "shop.yaml")).remarks.map(\.description)
    #expect(remarks.contains("Order: id identifies it, because of its name"))
    #expect(remarks.contains("Line: no name says what identifies it: others own its objects"))
    #expect(remarks.contains("Order.customer: customer_id has the name of Customer and the type of its id"))
    #expect(remarks.contains("Order.meta: it is kept as JSON: it is an object whose keys are data"))
    #expect(
      remarks.contains(
        "Order.tags: Tag.orders is added as its inverse: several may have the same, which has an identity"))
    #expect(
      remarks.contains(
        "Order.customer: it and Customer.orders are taken for inverses, since no others lead from one to the other"
      ))
  }

  @Test func allOf() throws {
    let model = try #require(
      try Schemas.read(
        #"""
        {"swagger": "2.0", "definitions": {
          "Pet": {"type": "object", "discriminator": "petType", "required": ["id"],
                  "properties": {"id": {"type": "integer"}, "petType": {"type": "string"}}},
          "Cat": {"allOf": [{"$ref": "#/definitions/Pet"}, {"type": "object", "properties": {"lives": {"type": "integer"}}}]},
          "New": {"type": "object", "properties": {"name": {"type": "string"}}},
          "Stored": {"allOf": [{"$ref": "#/definitions/New"}, {"required": ["name"], "properties": {"id": {"type": "string"}}}]},
          "Owner": {"type": "object", "properties": {"id": {"type": "string"},
            "pet": {"allOf": [{"$ref": "#/definitions/Pet"}], "description": "The best.", "x-nullable": true}}}
        }}
        """#)
    ).model
    #expect(model[entity: "Cat"]?.parent == "Pet")
    #expect(model[entity: "Cat"]?.attributes.map(\.name) == ["lives"])
    #expect(model[entity: "Pet"]?.userInfo["broker.discriminator"] == "petType")
    #expect(model[entity: "Stored"]?.attributes.map(\.name).sorted() == ["id", "name"])
    #expect(model[entity: "Stored"]?[attribute: "name"]?.isOptional == false)
    #expect(model[entity: "Owner"]?[relationship: "pet"]?.destination == "Pet")
  }

  /// What several types are together stands between them and what all of them extend.
  @Test func aUnionOfWhatExtendsOneType() throws {
    let model = try #require(
      try Schemas.read(
        #"""
        {"openapi": "3.0.0", "components": {"schemas": {
          "Event": {"oneOf": [{"$ref": "#/components/schemas/Push"}, {"$ref": "#/components/schemas/Fork"}],
                    "discriminator": {"propertyName": "type"}},
          "Push": {"allOf": [{"$ref": "#/components/schemas/Base"}, {"properties": {"size": {"type": "integer"}}}]},
          "Fork": {"allOf": [{"$ref": "#/components/schemas/Base"}, {"properties": {"forks": {"type": "integer"}}}]},
          "Base": {"type": "object", "properties": {"id": {"type": "string"}, "type": {"type": "string"}}}
        }}}
        """#)
    ).model
    #expect(model[entity: "Event"]?.parent == "Base")
    #expect(model[entity: "Push"]?.parent == "Event")
    #expect(model[entity: "Fork"]?.parent == "Event")
    #expect(model.problems().filter { $0.severity == .error } == [])
  }

  @Test func alternativesThatExtendOneType() throws {
    let reading = try #require(
      try Schemas.read(
        """
        openapi: 3.0.3
        components:
          schemas:
            Base: {type: object, properties: {id: {type: integer}, kind: {type: string}}, discriminator: {propertyName: kind}}
            Dog: {allOf: [{$ref: "#/components/schemas/Base"}, {type: object, properties: {barks: {type: boolean}}}]}
            Cat: {allOf: [{$ref: "#/components/schemas/Base"}, {type: object, properties: {lives: {type: integer}}}]}
            Stone: {type: object, properties: {weight: {type: number}}}
            Owner:
              type: object
              properties:
                pets: {type: array, items: {oneOf: [{$ref: "#/components/schemas/Dog"}, {$ref: "#/components/schemas/Cat"}]}}
                best: {anyOf: [{$ref: "#/components/schemas/Base"}, {$ref: "#/components/schemas/Cat"}]}
                thing: {oneOf: [{$ref: "#/components/schemas/Dog"}, {$ref: "#/components/schemas/Stone"}]}
        """, "pets.yaml"))
    #expect(reading.model.problems().filter { $0.severity == .error } == [])
    let owner = try #require(reading.model[entity: "Owner"])
    #expect(owner[relationship: "pets"].map { [$0.destination, "\($0.isToMany)"] } == ["Base", "true"])
    #expect(owner[relationship: "best"].map { [$0.destination, "\($0.isToMany)"] } == ["Base", "false"])
    #expect(owner[attribute: "thing"]?.type == .transformable)
    #expect(
      reading.remarks.map(\.description).contains(
        "Owner.pets: it leads to Base, since all its alternatives are or extend that"))
  }

  /// Draft 6 and 7 name a schema by `$id`, draft 4 by `id`, later ones by `$anchor`.
  @Test(arguments: [
    "\"$id\": \"#addr\"", "\"id\": \"#addr\"", "\"$id\": \"https://x.y/z#addr\"", "\"$anchor\": \"addr\"",
  ])
  func plainNames(of name: String) throws {
    let reading = try #require(
      try Schemas.read(
        """
        {"$schema": "http://json-schema.org/draft-07/schema#", "$id": "https://x.y/z", "title": "Person",
         "definitions": {"address": {\(name), "type": "object", "properties": {"zip": {"type": "string"}}}},
         "properties": {"home": {"$ref": "#addr"}}}
        """))
    #expect(reading.model[entity: "Person"]?[relationship: "home"]?.destination == "Address")
  }

  @Test func jsonSchemas() throws {
    let model = try #require(
      try Schemas.read(
        #"""
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://example.com/tree.json", "title": "Tree",
         "type": "object", "properties": {
          "id": {"type": "string"}, "root": {"$ref": "#node"}, "self": {"$ref": "tree.json#/$defs/leaf"},
          "more": {"$ref": "#/$defs/a~1b%20c"}, "again": {"$ref": "#"}, "deep": {"$ref": "#/$defs/leaf/properties/of"},
          "key": {"oneOf": [{"type": "string"}, {"$ref": "#/$defs/leaf"}]},
          "any": {"oneOf": [{"type": "string"}, {"type": "integer"}]}},
         "$defs": {
          "node": {"$anchor": "node", "type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#node"}}}},
          "leaf": {"type": "object", "properties": {"of": {"type": "object", "properties": {"x": {"const": 7}}}}},
          "a/b c": {"type": ["integer", "null"]}}}
        """#)
    ).model
    let tree = try #require(model[entity: "Tree"])
    #expect(tree[relationship: "root"]?.destination == "Node")
    #expect(tree[relationship: "self"]?.destination == "Leaf")
    #expect(tree[relationship: "again"]?.destination == "Tree")
    #expect(tree[relationship: "key"]?.destination == "Leaf")
    #expect(tree[attribute: "more"]?.type == .integer64)
    #expect(tree[attribute: "any"]?.type == .transformable)
    #expect(
      tree[relationship: "deep"].flatMap { model[entity: $0.destination] }?[attribute: "x"]?.type
        == .integer64)
    #expect(model[entity: "Node"]?[relationship: "children"]?.destination == "Node")
    #expect(model.problems().filter { $0.severity == .error } == [])
  }

  @Test(arguments: [
    (
      ##"{"$defs": {"L1": {"allOf": [{"$ref": "#/$defs/L2"}]}, "L2": {"allOf": [{"$ref": "#/$defs/L1"}]}, "A": {"properties": {"a": {"type": "string"}}}}}"##,
      "#/$defs/L1: it extends itself: L1 → L2 → L1"
    ),
    (
      ##"{"$defs": {"L1": {"allOf": [{"$ref": "#/$defs/L2"}, {"properties": {"a": {}}}]}, "L2": {"allOf": [{"allOf": [{"$ref": "#/$defs/L1"}]}, {"properties": {"b": {}}}]}}}"##,
      "#/$defs/L1: it extends itself: L1 → L2 → L1"
    ),
    (
      ##"{"$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}, "C": {"properties": {"a": {"$ref": "#/$defs/A"}}}}}"##,
      "the references lead in a circle, and to no schema: #/$defs/A → #/$defs/B → #/$defs/A"
    ),
    (
      ##"{"$defs": {"A": {"properties": {"b": {"$ref": "https://example.com/b.json"}}}}}"##,
      "it refers to “https://example.com/b.json”, which is another document: nothing is fetched"
    ),
    (
      ##"{"$defs": {"Band": {"properties": {"b": {"$ref": "#/$defs/Bnad"}}}}}"##,
      "#/$defs/Band/properties/b: “#/$defs/Bnad” leads to nothing; did you mean “#/$defs/Band”?"
    ),
    (
      ##"{"$defs": {"C": {"discriminator": {"propertyName": "k"}, "allOf": [{"$ref": "#/$defs/C"}, {"properties": {"y": {}}}]}}}"##,
      "C: it extends itself: C → C"
    ),
    (##"{"$defs": {}, "$schema": "x"}"##, "the schema describes no objects"),
    (##"{"entities": []}"##, "no schema"), (##"{"a": 1}"##, "no schema"),
  ])
  func mistakes(schema: String, expected: String) {
    #expect(Schemas.message(schema).contains(expected), "\(Schemas.message(schema))")
  }

  @Test func deepAndLargeSchemas() throws {
    let nested = String(repeating: #"{"anyOf":["#, count: 90) + "{}" + String(repeating: "]}", count: 90)
    #expect(
      Schemas.message(##"{"$defs":{"A":{"properties":{"a":\##(nested)}}}}"##).contains(
        "nested more than 64 deep"))
    let chain = (0..<200).map { ##""D\##($0)":{"$ref":"#/$defs/D\##($0 + 1)"}"## }.joined(separator: ",")
    #expect(
      Schemas.message(
        ##"{"$defs":{"A":{"properties":{"a":{"$ref":"#/$defs/D0"}}},\##(chain),"D200":{"type":"string"}}}"##
      )
      .contains("more than 50 references lead from one to the next"))
    let many = (0..<5_000).map {
      ##""D\##($0)":{"properties":{"next":{"$ref":"#/$defs/D\##(($0 + 1) % 5_000)"}}}"##
    }
    let reading = try Schemas.read(##"{"$defs":{\##(many.joined(separator: ","))}}"##)
    #expect(reading?.model.entities.count == 5_000)
  }
}
