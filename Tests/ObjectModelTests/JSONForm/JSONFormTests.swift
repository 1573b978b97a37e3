import Foundation
import ObjectModel
import Testing

@Suite("Broker's JSON form")
struct JSONFormTests {
  static let bands = Model(entities: [
    Entity(
      name: "Band",
      attributes: [
        Attribute(name: "name", type: .string),
        Attribute(name: "formed", type: .integer16, isOptional: true, defaultValue: "1970"),
        Attribute(name: "active", type: .boolean, defaultValue: "NO"),
        Attribute(name: "seen", type: .date, isOptional: true, defaultDate: 0),
        Attribute(name: "home", type: .composite("Address"), isOptional: true),
      ],
      relationships: [
        Relationship(
          name: "albums", destination: "Album", inverse: "band", inverseEntity: "Album", isToMany: true,
          deleteRule: .cascade),
        Relationship(name: "rival", destination: "Band", inverse: "rival"),
      ],
      uniquenessConstraints: [["name"]], userInfo: ["b": "2", "a": "1"])
  ])

  @Test("what it looks like: a line a property, defaults left out")
  func text() {
    #expect(
      Self.bands.json() == """
        {
          "entities": [
            {
              "name": "Band",
              "attributes": [
                {"name": "name", "type": "string"},
                {"name": "formed", "type": "integer16", "optional": true, "default": 1970},
                {"name": "active", "type": "boolean", "default": false},
                {"name": "seen", "type": "date", "optional": true, "defaultDate": "2001-01-01T00:00:00Z"},
                {"name": "home", "type": "composite", "composite": "Address", "optional": true}
              ],
              "relationships": [
                {
                  "name": "albums",
                  "destination": "Album",
                  "toMany": true,
                  "inverse": "band",
                  "deleteRule": "cascade"
                },
                {"name": "rival", "destination": "Band", "inverse": "rival", "inverseEntity": null}
              ],
              "unique": [["name"]],
              "userInfo": {"a": "1", "b": "2"}
            }
          ]
        }

        """)
  }

  @Test("it is read as it is written")
  func roundTrip() throws {
    #expect(try Model(json: Data(Self.bands.json().utf8)) == Self.bands)
  }

  @Test(
    "defaults of any spelling come back as they were",
    arguments: [
      "", "0", "-5", "007", "+1", "1.5", "1.50", "0.1", "1e-07", "1e+300", "123456789012345678901234567890",
      "9223372036854775807", "9223372036854775808", "0.1234567890123456789", "YES", "NO", "true", "nan", "\"",
    ])
  func defaults(text: String) throws {
    let types: [AttributeType] = [.boolean, .integer64, .double, .decimal, .string, .date]
    let model = Model(entities: [
      Entity(
        name: "E",
        attributes: types.map {
          Attribute(name: $0.name, type: $0, defaultValue: text, minimum: text.isEmpty ? nil : text)
        })
    ])
    #expect(try Model(json: Data(model.json().utf8)) == model)
    #expect(try Model(coreDataXML: Data(model.coreDataXML().utf8)) == model)
  }

  @Test(
    "any date comes back exactly",
    arguments: [0, -978_307_200, 0.1, 1e15, -63_114_076_800, .leastNonzeroMagnitude])
  func dates(seconds: Double) throws {
    let attribute = Attribute(name: "a", type: .date, defaultDate: seconds)
    let model = Model(entities: [Entity(name: "E", attributes: [attribute])])
    #expect(try Model(json: Data(model.json().utf8)) == model)
    #expect(try Model(coreDataXML: Data(model.coreDataXML().utf8)) == model)
  }

  @Test("numbers in defaults keep their digits")
  func exactNumbers() throws {
    let json =
      #"{"entities": [{"name": "E", "attributes": [{"name": "a", "type": "decimal", "default": 0.12345678901234567890123}]}]}"#
    let model = try Model(json: Data(json.utf8))
    #expect(model.entities.first?.attributes.first?.defaultValue == "0.12345678901234567890123")
  }

  @Test("a name alone may stand for a list of one in unique")
  func uniqueName() throws {
    let model = try Model(json: Data(#"{"entities": [{"name": "E", "unique": ["a", ["b", "c"]]}]}"#.utf8))
    #expect(model.entities.first?.uniquenessConstraints == [["a"], ["b", "c"]])
  }

  @Test(
    "errors name the entity and the property, and suggest what was meant",
    arguments: [
      (#"{"entities": ["#, "malformed JSON"),
      ("[]", "“[…]” is not an object, as “a model” must be"),
      (#"{"entites": []}"#, "unknown key “entites”; did you mean “entities”?"),
      (#"{"entities": 7}"#, "“7” is not a list, as “entities” must be"),
      (#"{"entities": [{}]}"#, "an entity needs “name”"),
      (
        #"{"entities": [{"name": "E", "attribute": []}]}"#,
        "E: unknown key “attribute”; did you mean “attributes”?"
      ),
      (#"{"entities": [{"name": "E", "zzz": 1}]}"#, "E: unknown key “zzz”; expected “name”, “class”"),
      (#"{"entities": [{"name": "E", "attributes": [{"name": "a"}]}]}"#, "E.a: an attribute needs “type”"),
      (
        #"{"entities": [{"name": "E", "attributes": [{"name": "a", "type": "int"}]}]}"#,
        "E.a: “int” is not an attribute type, as “type” must be; did you mean “integer64”?"
      ),
      (
        #"{"entities": [{"name": "E", "attributes": [{"name": "a", "type": "Integer 32"}]}]}"#,
        "did you mean “integer32”?"
      ),
      (
        #"{"entities": [{"name": "E", "attributes": [{"name": "a", "type": "string", "optional": "yes"}]}]}"#,
        "E.a: “yes” is not true or false, as “optional” must be"
      ),
      (
        #"{"entities": [{"name": "E", "attributes": [{"name": "a", "type": "date", "defaultDate": "soon"}]}]}"#,
        "E.a: “soon” is not a date like 2001-01-01T00:00:00Z"
      ),
      (
        #"{"entities": [{"name": "E", "relationships": [{"name": "r"}]}]}"#,
        "E.r: a relationship needs “destination”"
      ),
      (
        #"{"entities": [{"name": "E", "relationships": [{"name": "r", "destination": "E", "deleteRule": "casade"}]}]}"#,
        "E.r: “casade” is not a delete rule, as “deleteRule” must be; did you mean “cascade”?"
      ),
      (
        #"{"entities": [{"name": "E", "userInfo": {"a": 1}}]}"#,
        "E: “1” is not a string, as “userInfo” must be"
      ),
    ])
  func errors(json: String, message: String) {
    #expect(failure { try Model(json: Data(json.utf8)) }.contains(message))
  }

  @Test("deep nesting and broken bytes are refused")
  func deepAndBroken() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(failure { try Model(json: Data(deep.utf8)) }.contains("malformed JSON"))
    #expect(failure { try Model(json: Data([0x7B, 0xFF, 0x7D])) }.contains("not valid UTF-8"))
  }
}
