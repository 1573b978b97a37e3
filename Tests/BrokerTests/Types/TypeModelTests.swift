import Broker
import Foundation
import Testing

@Entity struct Tree {
  @Identity var name: String
  var parent: ToOne<Tree>?
  @Relationship(inverse: "parent", deleteRule: .cascade, ordered: true) var children: ToMany<Tree>
}

@Entity struct Person {
  @Identity var name: String
  var age: Int?
  @Relationship(inverse: nil) var likes: ToMany<Person>
}

@Entity struct Employee {
  @Inherited var person: Person
  var salary: Decimal
}

@Entity struct Show {
  @Identity var country: String
  @Identity var number: Int
  @Key("the.title", "title") var title: String?
  @Version var revision: Int?
  @Attribute(dateFormat: "dd.MM.yyyy") var day: Date?
  var next: ToOne<Show>?
}

@Entity struct Left {
  var id: Int
  var first: ToOne<Right>?
  var second: ToOne<Right>?
}

@Entity struct Right {
  var id: Int
  var lefts: ToMany<Left>
}

/// The models that types describe, and types over models.
@Suite struct TypeModelTests {
  @Test func typesDescribeAModel() throws {
    let model = try Model(describing: Band.self)
    #expect(Set(model.entities.map(\.name)) == ["Band", "Album", "Musician", "Label", "Note"])
    let band = try #require(model[entity: "Band"])
    #expect(band[relationship: "albums"]?.inverse == "band")
    #expect(band[relationship: "members"]?.inverse == "bands")
    #expect(band[relationship: "label"]?.inverse == "bands")
    #expect(band[attribute: "formed"]?.userInfo["broker.default"] == "1970")
    #expect(band[attribute: "genre"]?.userInfo["broker.values"]?.split(separator: ",").count == 3)
    #expect(model[entity: "Album"]?[relationship: "band"]?.isOptional == false)
    #expect(throws: Never.self) { try Schema(model) }
  }

  @Test func inversesThatAreNotClearAreErrors() {
    #expect(throws: TypeError.self) { try Model(describing: Left.self) }
  }

  @Test func treesAreTrees() async throws {
    let store = try await Store(at: .scratch, for: Tree.self)
    try await store.import(
      #"{"name": "a", "children": [{"name": "c", "children": [{"name": "d"}]}, {"name": "b"}]}"#,
      as: Tree.self)
    let root = try #require(
      try await store.first(Tree.filter(ids: ["a"]).prefetching(\.children) { $0.prefetching(\.children) }))
    #expect(root.children.map(\.name) == ["c", "b"])
    #expect(root.children[0].children.map(\.name) == ["d"])
    #expect(root.parent == nil)
    try await store.delete(Tree.self, "a")
    #expect(try await store.count(Tree.all) == 0)
  }

  @Test func entitiesInheritByComposition() async throws {
    let store = try await Store(at: .scratch, for: Employee.self)
    try await store.import(#"[{"name": "Ann", "age": 30, "salary": 1000.50}]"#, as: Employee.self)
    try await store.import(#"[{"name": "Bob"}]"#, as: Person.self)
    let ann = try await store.find(Employee.self, "Ann")
    #expect(ann.person.age == 30)
    #expect(ann.salary == Decimal(string: "1000.5"))
    #expect(try await store.fetch(Person.all).map(\.name) == ["Ann", "Bob"])
    #expect(try await store.fetch(Employee.sorted(by: \.person.age)).map(\.id) == ["Ann"])
    try await store.save(
      Employee(person: Person(name: "Cid", age: nil, likes: ToMany(ids: ["Ann"])), salary: 1))
    #expect(try await store.count(Person.all) == 3)
    #expect(try await store.fetch(try await store.find(Person.self, "Cid").likes).map(\.name) == ["Ann"])
  }

  @Test func identitiesMayHaveParts() async throws {
    let store = try await Store(at: .scratch, for: Show.self)
    try await store.import(
      #"""
      [{"country": "UK", "number": "1", "the": {"title": "One"}, "day": "13.11.1981", "revision": 2,
        "next": {"country": "UK", "number": 2}},
       {"country": "UK", "number": 2, "title": "Two"}]
      """#, as: Show.self)
    let one = try await store.find(Show.self, Show.ID(country: "UK", number: 1))
    #expect(one.title == "One")
    #expect(one.day.map { Int($0.timeIntervalSince1970) } == 374_457_600)
    #expect(one.next?.id == Show.ID(country: "UK", number: 2))
    #expect(try await store.fetch(try #require(one.next))?.title == "Two")
    let older = try await store.import(
      #"[{"country": "UK", "number": 1, "title": "Old", "revision": 1}]"#, as: Show.self)
    #expect(older.outdated == ["Show": 1])
    // Who saves says what is to be, whatever its revision.
    try await store.update(Show.self, one.id) { $0.revision = 1 }
    #expect(try await store.find(Show.self, one.id).revision == 1)
    #expect(try await store.find(Show.self, ids: [one.id, Show.ID(country: "X", number: 0)]).count == 1)
  }

  @Test func typesAreCheckedAgainstAModel() async throws {
    let model = Model(entities: [
      Entity(
        name: "Label",
        attributes: [
          Attribute(name: "name", type: .string, userInfo: ["broker.identity": "true"]),
          Attribute(name: "country", type: .integer16, isOptional: true),
        ],
        relationships: [Relationship(name: "bands", destination: "Label", isToMany: true)]),
      Entity(name: "Bnd"),
    ])
    let error = await #expect(throws: TypeError.self) {
      _ = try await Store(at: .scratch, model: model, for: Label.self)
    }
    let differences = error?.differences ?? []
    #expect(differences.contains("Label.country is String in Swift and integer16 in the model"))
    #expect(differences.contains("Label.bands leads to Band in Swift and to Label in the model"))
    #expect(differences.contains("Band is the entity Band, which the model does not have (it has Bnd)"))
  }

  @Test func typesNeedNotHaveAllOfAModel() async throws {
    let model = Model(entities: [
      Entity(
        name: "Tree",
        attributes: [
          Attribute(name: "name", type: .string, userInfo: ["broker.identity": "true"]),
          Attribute(name: "height", type: .integer16, isOptional: true),
        ],
        relationships: [
          Relationship(name: "parent", destination: "Tree", inverse: "children"),
          Relationship(name: "children", destination: "Tree", inverse: "parent", isToMany: true),
        ])
    ])
    let store = try await Store(at: .scratch, model: model, for: Tree.self)
    try await store.import(#"[{"name": "oak", "height": 20}]"#, as: Tree.self)
    try await store.update(Tree.self, "oak") { $0.parent = ToOne(id: "forest") }
    #expect(try await store.find("Tree", "oak")["height"] == 20)
  }

  @Test func storesRememberWhatTypesSay() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).sqlite")
    defer { try? FileManager.default.removeItem(at: file) }
    let store = try await Store(at: .file(file), for: Band.self)
    try await store.import(bandsJSON)
    try store.close()
    let again = try await Store(at: .file(file), model: nil, for: Band.self)
    #expect(try await again.find(Band.self, "Japan").formed == 1974)
    try again.close()
  }

  @Test func typesThatTheStoreDoesNotKnowAreErrors() async throws {
    let store = try await Store(at: .scratch, for: Tree.self)
    await #expect(throws: TypeError.self) { try await store.find(Person.self, "Ann") }
  }

  @Test func valuesThatTypesCannotHoldAreErrors() async throws {
    let store = try await Store(at: .scratch, for: Person.self)
    try await store.import(#"[{"name": "Ann", "age": 1}]"#, as: Person.self)
    let narrow = try await Store(at: .scratch, for: Person.self)
    _ = narrow
    #expect(try await store.find(Person.self, "Ann").age == 1)
  }
}
