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

  /// An attribute takes what an import found it not to take, by the narrowest type that does; what identifies objects stays.
  @Test(
    arguments: [
      ("formed", [.wholeNumbers], .integer64), ("formed", [.numbers, .wholeNumbers], .double),
      ("formed", [.texts], .string), ("formed", [.texts, .numbers], .transformable),
      ("formed", [.nothing], .integer16),
      ("since", [.texts], .string), ("since", [.others], .transformable), ("id", [.others], .integer64),
      ("name", [.others, .nothing], .transformable), ("no such key", [.others], nil),
    ] as [(String, [ValueDoubt.Found], AttributeType?)])
  func valuesThatDoNotFit(_ key: String, _ found: [ValueDoubt.Found], _ type: AttributeType?) throws {
    let json =
      #"[{"id": 1, "name": "Japan", "formed": 1974, "since": "2024-01-05"}, {"id": 2, "name": "Can", "formed": 1968, "since": "2024-01-06"}]"#
    let before = try inferred(json)
    let doubt = ValueDoubt(entity: "Record", key: key, found: ValueDoubt.Found(found))
    let after = before.heeding([.value(doubt)])
    let attribute = after.model[entity: "Record"]?[attribute: key]
    #expect(attribute?.type == type)
    #expect(
      after.mapping["Record"].dates["since"]
        == (key == "since" ? nil : before.mapping["Record"].dates["since"]))
    let isTold = after.guesses.count > before.guesses.count
    #expect(isTold == (key != "id" && type != nil && found != [.nothing]))
    #expect(found.contains(.nothing) ? attribute?.isOptional == true : true)
  }

  /// What came as nulls and empty lists only becomes what it turns out to be.
  @Test func nullsAndEmptyListsBecomeLinks() throws {
    let empty =
      #"[{"id": 1, "name": "Japan", "label": null, "albums": []}, {"id": 2, "name": "Can", "label": null, "albums": []}]"#
    let full =
      #"[{"id": 3, "name": "Neu", "label": {"id": 7, "city": "Bonn"}, "albums": [{"id": 10, "title": "Neu"}]}]"#
    let model = try inferred(empty).model
    #expect(model[entity: "Record"]?.attributes.map(\.name) == ["id", "name", "label", "albums"])
    let again = try refined(model, by: empty)
    #expect(again.model == model)
    let result = try refined(model, by: full)
    let record = try #require(result.model[entity: "Record"])
    #expect(record.attributes.map(\.name) == ["id", "name"])
    #expect(record[relationship: "label"]?.destination == "Label")
    #expect(record[relationship: "albums"]?.isToMany == true)
    #expect(
      result.guesses.filter { $0.entity == "Record" }.map { "\($0.property): \($0.choice) – \($0.evidence)" }
        == [
          "label: becomes a relationship: to one, Label – only nulls were known of it",
          "albums: becomes a relationship: to many, Album – only empty lists were known of it",
        ])
    #expect(result.model.problems().filter { $0.severity == .error }.isEmpty)
    let later = try refined(result.model, result.mapping, by: empty)
    #expect(later.model == result.model)
  }

  /// Several links to the objects of one entity have other ends that are named after them, as where all came at once.
  @Test func otherEndsOfLaterLinksAreNamedAfterThem() throws {
    func user(_ id: Int) -> String {
      #"{"id": \#(id), "login": "l\#(id)", "node": "n\#(id)", "kind": "User", "admin": false, "name": "x\#(id)"}"#
    }
    let empty =
      #"[{"id": 1, "user": \#(user(1)), "assignee": null}, {"id": 2, "user": \#(user(2)), "assignee": null}]"#
    let full = #"[{"id": 3, "user": \#(user(2)), "assignee": \#(user(1))}]"#
    let first = try inferred(empty)
    let later = try refined(first.model, first.mapping, by: full).model
    #expect(later[entity: "Record"]?[relationship: "assignee"]?.destination == "User")
    #expect(later[entity: "User"]?.relationships.map(\.name) == ["records", "recordsByAssignee"])
  }

  /// Messages that came before their users, as the store has them.
  private func refinedByUsers(_ wishes: InferenceWishes = InferenceWishes()) throws -> InferredModel {
    let folder = try TestFolder([
      "messages.json": #"[{"id": 1, "text": "a", "user": "u1x"}, {"id": 2, "text": "b", "user": "u2x"}]"#,
      "users.json": #"[{"id": "u1x", "login": "ann"}, {"id": "u2x", "login": "bob"}]"#,
    ])
    var options = InferenceOptions()
    options.wishes = wishes
    let first = try InferredModel(from: [folder.source("messages.json")], options: options)
    options = InferenceOptions()
    options.known = first.model.entities.map {
      KnownEntity($0, mapping: first.mapping[$0.name], stored: nil) { attribute in
        attribute == "user" ? ["u1x", "u2x"] : ["a", "b"]
      }
    }
    return try InferredModel(from: [folder.source("users.json")], options: options)
      .refining(first.model, mapping: first.mapping)
  }

  /// An attribute whose values turn out to be identities becomes a relationship, and the store takes its values over.
  @Test func keysThatCameBeforeTheirTargets() throws {
    let result = try refinedByUsers()
    let message = try #require(result.model[entity: "Message"])
    #expect(message.attributes.map(\.name) == ["id", "text"])
    #expect(message[relationship: "user"]?.destination == "User")
    #expect(result.mapping["Message"].keys["user"] == nil)
    #expect(result.model[entity: "User"]?[relationship: "messages"]?.destination == "Message")
    #expect(
      result.guesses.contains {
        "\($0.entity).\($0.property): \($0.choice) – \($0.evidence)"
          == "Message.user: becomes a relationship: to one, User – 100 % of 2 different values are identities of User, which its name says too"
      })
    #expect(result.model.problems().filter { $0.severity == .error }.isEmpty)
  }

  /// The key in JSON stays, in the style of the entity's others.
  @Test func keysOfLaterLinksStay() throws {
    let folder = try TestFolder([
      "orders.json": #"[{"order_id": 1, "customer_id": "c17"}, {"order_id": 2, "customer_id": "c18"}]"#,
      "customers.json": #"[{"id": "c17", "name": "Ann"}, {"id": "c18", "name": "Bob"}]"#,
    ])
    let first = try InferredModel(from: [folder.source("orders.json")])
    var options = InferenceOptions()
    options.known = first.model.entities.map {
      KnownEntity($0, mapping: first.mapping[$0.name], isSnakeCase: true, stored: nil) { _ in
        ["c17", "c18"]
      }
    }
    let result = try InferredModel(from: [folder.source("customers.json")], options: options)
      .refining(first.model, mapping: first.mapping)
    #expect(result.model[entity: "Order"]?[relationship: "customer"]?.destination == "Customer")
    #expect(result.mapping["Order"].keys["customer"] == ["customer_id"])
  }

  /// Where another property has the name of the relationship, that of the attribute stays, as where all came at once.
  @Test func namesOfLaterLinksThatAreTaken() throws {
    let folder = try TestFolder([
      "orders.json":
        #"[{"id": 1, "customer": "Ann Lee", "customer_id": "c17"}, {"id": 2, "customer": "Bo Ek", "customer_id": "c18"}]"#,
      "customers.json": #"[{"id": "c17", "name": "Ann"}, {"id": "c18", "name": "Bob"}]"#,
    ])
    let first = try InferredModel(from: [folder.source("orders.json")])
    var options = InferenceOptions()
    options.known = first.model.entities.map {
      KnownEntity($0, mapping: first.mapping[$0.name], isSnakeCase: true, stored: nil) { attribute in
        attribute == "customerId" ? ["c17", "c18"] : ["Ann Lee", "Bo Ek"]
      }
    }
    let later = try InferredModel(from: [folder.source("customers.json")], options: options)
      .refining(first.model, mapping: first.mapping)
    let together = try InferredModel(from: folder.sources())
    for model in [later.model, together.model] {
      #expect(model[entity: "Order"]?.attributes.map(\.name) == ["id", "customer"])
      #expect(model[entity: "Order"]?[relationship: "customerId"]?.destination == "Customer")
    }
  }

  /// The word of a person that values name no objects is kept in the model.
  @Test func valuesThatAreSaidToNameNoObjectsStay() throws {
    var wishes = InferenceWishes()
    wishes.notLinks = ["Message.user"]
    let message = try #require(try refinedByUsers(wishes).model[entity: "Message"])
    #expect(message.attributes.map(\.name) == ["id", "text", "user"])
    #expect(message[attribute: "user"]?.userInfo["broker.link"] == "none")
  }

  /// `$type` and `type` are two keys; `_id`, `@id` and `id` say which object it is.
  @Test(arguments: ["_id", "@id"])
  func keysWithASign(_ identity: String) throws {
    let first = try inferred(
      #"[{"\#(identity)": "x1a", "$type": "A", "name": "n"}, {"\#(identity)": "x2b", "$type": "A", "name": "m"}]"#
    )
    let later = try inferred(
      #"[{"id": "x1a", "type": "B", "name": "n"}, {"id": "x2b", "type": "B", "name": "m"}]"#
    )
    .refining(first.model, mapping: first.mapping)
    let entity = try #require(later.model.entities.first)
    #expect(later.model.entities.count == 1)
    #expect(Set(entity.attributes.map(\.name)) == ["id", "type", "name", "type2"])
  }

  /// A list without elements may be an empty object too.
  @Test func emptyListsBecomeNoAttributesOfOtherTypes() throws {
    let model = try inferred(#"[{"id": 1, "tags": []}, {"id": 2, "tags": []}]"#).model
    let texts = try refined(model, by: #"[{"id": 3, "tags": ["red"]}]"#).model
    #expect(texts[entity: "Record"]?[attribute: "tags"]?.type == .transformable)
    let one = try refined(model, by: #"[{"id": 3, "tags": {"id": 7, "name": "red"}}]"#).model
    #expect(one[entity: "Record"]?[relationship: "tags"]?.isToMany == false)
    // Values came: it stays what it is.
    let objects = try refined(texts, by: #"[{"id": 3, "tags": [{"id": 7, "name": "red"}]}]"#).model
    #expect(objects[entity: "Record"]?[attribute: "tags"]?.type == .transformable)
    let nulls = try inferred(#"[{"id": 1, "tags": null}, {"id": 2, "tags": null}]"#).model
    let lists = try refined(nulls, by: #"[{"id": 1, "tags": []}]"#).model
    #expect(lists[entity: "Record"]?[attribute: "tags"]?.type == .transformable)
    let links = try refined(lists, by: #"[{"id": 3, "tags": [{"id": 7, "name": "red"}]}]"#).model
    #expect(links[entity: "Record"]?[relationship: "tags"]?.isToMany == true)
  }

  /// The identity of a model stays, and what came under one of its values twice is told.
  @Test func differentObjectsOfOneIdentityAreTold() throws {
    let model = try inferred(first).model
    let result = try refined(
      model, by: #"[{"id": 1, "name": "Neu", "formed": 1971}, {"id": 1, "name": "Faust", "formed": 1971}]"#)
    #expect(result.model == model)
    #expect(
      result.guesses.map { "\($0.entity).\($0.property): \($0.choice) – \($0.evidence)" } == [
        "Record.id: is the identity – one of its values came with different objects, which are one in the store"
      ])
    #expect(result.guesses.map(\.certainty) == [.doubtful])
    // The same object again is none of these, nor is a longer form of it, nor a later state.
    for again in [
      #"{"id": 1, "name": "Japan", "formed": 1974}"#, #"{"id": 1, "name": "Japan"}"#,
      #"{"id": 1, "name": "Japan", "formed": 1975}"#,
    ] {
      #expect(
        try refined(model, by: "[{\"id\": 1, \"name\": \"Japan\", \"formed\": 1974}, \(again)]").guesses
          .isEmpty)
    }
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

  /// Nested objects are none of the entity that they are called like, if they have other keys and no object of the store has one of
  /// their identities.
  @Test(arguments: [(["BR", "DE"], "SaleCountry"), (["BRA", "KEN"], "Country")])
  func objectsCalledLikeOthers(_ codes: [String], _ destination: String) throws {
    let first = try inferred(
      #"{"countries": [{"id": "BRA", "capital": "Brasilia", "area": 8}, {"id": "KEN", "capital": "Nairobi", "area": 5}]}"#
    )
    var options = InferenceOptions()
    options.known = first.model.entities.map { entity in
      KnownEntity(
        entity, mapping: first.mapping[entity.name], stored: { Set($0).intersection(["BRA", "KEN"]) },
        values: { _ in [] })
    }
    let sales = codes.enumerated().map { #"{"id": \#($0), "country": {"id": "\#($1)", "value": "x\#($0)"}}"# }
    let both = try InferredModel(
      from: [.string(#"{"sales": [\#(sales.joined(separator: ", "))]}"#)], options: options
    )
    .refining(first.model, mapping: first.mapping)
    #expect(both.model[entity: "Sale"]?[relationship: "country"]?.destination == destination)
  }

  /// The lists of keys that came before their targets, as the store has them.
  private func refinedByTags(_ lists: [String], _ tags: String) throws -> InferredModel {
    let folder = try TestFolder([
      "posts.json":
        "[\(lists.enumerated().map { #"{"id": \#($0), "tags": \#($1)}"# }.joined(separator: ", "))]",
      "tags.json": tags,
    ])
    let first = try InferredModel(from: [folder.source("posts.json")])
    var options = InferenceOptions()
    options.known = first.model.entities.map {
      KnownEntity($0, mapping: first.mapping[$0.name], stored: { Set($0).intersection(["0", "1"]) }) { _ in
        lists
      }
    }
    return try InferredModel(from: [folder.source("tags.json")], options: options)
      .refining(first.model, mapping: first.mapping)
  }

  /// A list of keys becomes a to-many when the objects come that they name.
  @Test func listsOfKeysThatCameBeforeTheirTargets() throws {
    let tags = #"[{"id": 7, "name": "red"}, {"id": 8, "name": "blue"}, {"id": 9, "name": "grey"}]"#
    let result = try refinedByTags(["[7, 8]", "[]", "[8, 9]"], tags)
    let link = try #require(result.model[entity: "Post"]?[relationship: "tags"])
    #expect(link.isToMany && link.isOrdered && link.destination == "Tag")
    #expect(result.model[entity: "Tag"]?[relationship: "posts"]?.isToMany == true)
    #expect(result.model.problems().filter { $0.severity == .error }.isEmpty)
  }

  /// A list stays one where an element is no key, or where it names nothing.
  @Test(arguments: [
    ["[7, null]", "[8]"], [#"[7, "x"]"#, "[8]"], ["[1, 2]", "[3]"], [#"{"a": 7}"#, "[8]"],
  ])
  func listsOfOtherValuesStay(_ lists: [String]) throws {
    let tags = #"[{"id": 7, "name": "red"}, {"id": 8, "name": "blue"}]"#
    #expect(try refinedByTags(lists, tags).model[entity: "Post"]?[relationship: "tags"] == nil)
  }

  /// Objects without what identifies an entity, or with another type, are none of it, though they are called like it.
  @Test func objectsOfOthersNames() throws {
    let first = try inferred(
      #"{"pokemon": [{"id": 1, "name": "a", "size": 3}, {"id": 2, "name": "b", "size": 4}]}"#)
    let later = try inferred(
      #"{"types": [{"id": 1, "word": "x", "pokemon": [{"slot": 1, "of": "a"}, {"slot": 2, "of": "b"}]}, {"id": 2, "word": "y", "pokemon": [{"slot": 1, "of": "b"}]}]}"#
    ).refining(first.model, mapping: first.mapping)
    #expect(later.model[entity: "Pokemon"]?.attributes.map(\.name) == ["id", "name", "size"])
    #expect(later.model[entity: "Type"]?[relationship: "pokemon"]?.destination == "TypePokemon")
  }

  /// Objects under another name are of the entity of which the store has objects with their identities.
  @Test func objectsUnderOtherNames() throws {
    func people(_ role: String) -> String {
      "[\((1...4).map { #"{"id": "m\#($0)", "\#(role)": {"uid": "user-000\#($0)", "login": "l\#($0)", "city": "c\#($0)"}}"# }.joined(separator: ", "))]"
    }
    let first = try inferred(#"{"posts": \#(people("writer"))}"#)
    var options = InferenceOptions()
    options.known = first.model.entities.map {
      KnownEntity($0, mapping: first.mapping[$0.name], stored: { Set($0.filter { $0.hasPrefix("user-") }) }) {
        _ in []
      }
    }
    let users =
      #"{"members": [{"uid": "user-0001", "login": "l1", "city": "c1", "bio": "b"}, {"uid": "user-0002", "login": "l2", "city": "c2", "bio": "c"}]}"#
    let later = try InferredModel(from: [.string(users)], options: options)
      .refining(first.model, mapping: first.mapping)
    #expect(later.model.entities.map(\.name) == first.model.entities.map(\.name))
    #expect(later.model.entities.contains { $0[attribute: "bio"] != nil })
  }
}
