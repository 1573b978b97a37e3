import ObjectModel
import ObjectStore
import Testing

@Suite("Versions: relationships") struct RelationshipVersionTests {
  private func people(_ relationships: String, _ more: String = "") -> String {
    "Person | unique=name\n  name: string\n\(relationships)\nHouse | unique=id\n  id: integer64\(more)"
  }

  @Test("added, and removed with consent") func addedAndRemoved() throws {
    let versions = try Versions(
      people("  home: House"), #"{"Person": [{"name": "a", "home": 1}], "House": [{"id": 1}]}"#)
    #expect(try versions.refusal(of: people("")).contains("Person.home is removed; 1 without a place"))
    try versions.migrate(
      to: people("  home: House\n  former: [House]\n  next: House <- buyers", "\n  buyers: [Person] <- next"))
    #expect(try versions.rows("SELECT home, next FROM Person") == ["1 -"])
    try versions.migrate(to: people(""), .automatic.allowing(.removals))
  }

  @Test("an attribute becomes a to-one: its values are the keys of the targets, be they there or not")
  func attributeToOne() throws {
    let versions = try Versions(
      people("  home: integer32"),
      #"{"Person": [{"name": "a", "home": 1}, {"name": "b", "home": 7}, {"name": "c"}], "House": [{"id": 1}]}"#
    )
    let new = people("  house: House <- owners | was=home", "\n  owners: [Person] <- house")
    let changes = try Model.changes(from: model(people("  home: integer32")), to: model(new))
    #expect(
      changes.map(\.description) == [
        "Person.house leads to House, was the attribute home, whose values are its keys",
        "House.owners is new",
      ])
    try versions.migrate(to: new)
    #expect(try versions.rows("SELECT name, house FROM Person ORDER BY name") == ["a 1", "b 7", "c -"])
    let fixture = try versions.fixture()
    #expect(try fixture.load(#"{"House": [{"id": 7}]}"#).problems == [])
    #expect(try fixture.exported("House") == [#"{"id":1,"owners":["a"]}"#, #"{"id":7,"owners":["b"]}"#])
  }

  @Test("a list of keys becomes a to-many: its elements are the keys of the targets, be they there or not")
  func keyListToMany() throws {
    for (type, keys) in [("integer64", ["1", "7"]), ("string", ["\"x\"", "\"y\""])] {
      func version(_ property: String, _ more: String = "") -> String {
        "Person | unique=name\n  name: string\n\(property)\nHouse | unique=id\n  id: \(type)\(more)"
      }
      let lists =
        #"{"name": "a", "homes": [\#(keys[1]), \#(keys[0])]}, {"name": "b", "homes": [\#(keys[0])]}"#
      let versions = try Versions(
        version("  homes: transformable"),
        #"{"Person": [\#(lists), {"name": "c", "homes": []}, {"name": "d"}], "House": [{"id": \#(keys[0])}]}"#
      )
      let new = version(
        "  houses: [House] <- owners | ordered | was=homes", "\n  owners: [Person] <- houses")
      let changes = try Model.changes(from: model(version("  homes: transformable")), to: model(new))
      #expect(
        changes.map(\.description) == [
          "Person.houses leads to House, was the attribute homes, whose lists have its keys",
          "House.owners is new",
        ])
      try versions.migrate(to: new)
      let fixture = try versions.fixture()
      #expect(try fixture.load(#"{"House": [{"id": \#(keys[1])}]}"#).problems == [])
      #expect(
        try fixture.exported("Person") == [
          #"{"name":"a","houses":[\#(keys[1]),\#(keys[0])]}"#, #"{"name":"b","houses":[\#(keys[0])]}"#,
          #"{"name":"c","houses":[]}"#, #"{"name":"d","houses":[]}"#,
        ])
    }
  }

  @Test("texts in a list that are whole numbers are keys, as imports read them")
  func listsOfNumericTexts() throws {
    let versions = try Versions(
      people("  homes: transformable"),
      #"{"Person": [{"name": "a", "homes": ["7", 1]}, {"name": "b", "homes": ["-3"]}], "House": [{"id": 1}]}"#
    )
    try versions.migrate(to: people("  homes: [House] <- owners | ordered", "\n  owners: [Person] <- homes"))
    let fixture = try versions.fixture()
    #expect(try fixture.load(#"{"House": [{"id": 7}, {"id": -3}]}"#).problems == [])
    #expect(
      try fixture.exported("Person") == [#"{"name":"a","homes":[7,1]}"#, #"{"name":"b","homes":[-3]}"#])
  }

  @Test(
    "lists with anything but keys become a to-many with consent only",
    arguments: [
      "[1, null]", "[1, \"x\"]", "{\"a\": 1}", "7", "[\"01\"]", "[\"1.0\"]", "[\"99999999999999999999\"]",
    ])
  func listsOfOtherValues(_ value: String) throws {
    let versions = try Versions(
      people("  homes: transformable"),
      #"{"Person": [{"name": "a", "homes": \#(value)}, {"name": "b", "homes": [1]}], "House": [{"id": 1}]}"#)
    let new = people("  homes: [House] <- owners", "\n  owners: [Person] <- homes")
    #expect(try versions.refusal(of: new).contains("whose lists have its keys; 1 without a place"))
  }

  @Test("a to-one becomes an attribute: its keys are the values, and what waits is one too")
  func toOneToAttribute() throws {
    let versions = try Versions(
      people("  house: House <- owners", "\n  owners: [Person] <- house"),
      #"{"Person": [{"name": "a", "house": 1}, {"name": "b", "house": 7}, {"name": "c"}], "House": [{"id": 1}]}"#
    )
    let new = people("  home: integer64 | was=house")
    let changes = try Model.changes(
      from: model(people("  house: House <- owners", "\n  owners: [Person] <- house")), to: model(new))
    #expect(
      changes.map(\.description) == [
        "Person.home is integer64, was the relationship house, whose keys are its values",
        "House.owners is removed; an attribute keeps the keys",
      ])
    try versions.migrate(to: new)
    #expect(try versions.rows("SELECT name, home FROM Person ORDER BY name") == ["a 1", "b 7", "c -"])
    try versions.migrate(to: people("  home: House | was=home"))
    #expect(try versions.rows("SELECT name, home FROM Person ORDER BY name") == ["a 1", "b 7", "c -"])
    // A list that stays has the links.
    let list = try Versions(
      people("  house: House <- owners", "\n  owners: [Person] <- house"),
      #"{"Person": [{"name": "a", "house": 1}], "House": [{"id": 1}]}"#)
    try list.migrate(to: people("  house: integer64", "\n  owners: [Person]"))
    #expect(try list.rows("SELECT house FROM Person") == ["-"])
    #expect(try list.rows("SELECT * FROM House_owners") == ["1 a"])
  }

  @Test(
    "a to-many becomes an attribute: its keys are the values of a list, and what waits is among them",
    arguments: [
      ("  homes: [House] <- owners", "\n  owners: [Person] <- homes"),
      ("  homes: [House] <- owner", "\n  owner: Person <- homes"),
      ("  homes: [House]", ""),
    ])
  func toManyToAttribute(_ homes: String, _ owners: String) throws {
    let versions = try Versions(
      people("\(homes) | ordered", owners),
      #"{"Person": [{"name": "a", "homes": [2, 1, 9]}, {"name": "b", "homes": [3]}, {"name": "c", "homes": []}],"#
        + #" "House": [{"id": 1}, {"id": 2}, {"id": 3}]}"#)
    try versions.migrate(to: people("  places: transformable | was=homes"))
    #expect(
      try versions.rows("SELECT name, places FROM Person ORDER BY name") == ["a [2,1,9]", "b [3]", "c -"])
  }

  @Test("an attribute of the same name becomes a to-one; one whose values are no keys goes with consent")
  func attributeOfTheSameName() throws {
    let json = #"{"Person": [{"name": "a", "home": "1"}], "House": [{"id": 1}]}"#
    let versions = try Versions(people("  home: string"), json)
    #expect(
      try versions.refusal(of: people("  home: House")).contains("Person.home is removed; 1 without a place"))
    let named = try Versions(
      "Person | unique=name\n  name: string\n  boss: string",
      #"{"Person": [{"name": "a", "boss": "b"}, {"name": "b", "boss": "x"}]}"#)
    try named.migrate(
      to: "Person | unique=name\n  name: string\n  boss: Person <- team\n  team: [Person] <- boss | ordered")
    #expect(try named.rows("SELECT name, boss FROM Person ORDER BY name") == ["a b", "b x"])
    // Two would have one partner.
    let twice = try Versions(
      people("  home: integer64"),
      #"{"Person": [{"name": "a", "home": 1}, {"name": "b", "home": 1}], "House": [{"id": 1}]}"#)
    let partner = people("  home: House <- owner", "\n  owner: Person <- home")
    #expect(try twice.refusal(of: partner).contains("Person.home is removed; 2 without a place"))
  }

  @Test("to-one becomes to-many, with what is pending") func toMany() throws {
    let versions = try Versions(
      people("  home: House"),
      #"{"Person": [{"name": "a", "home": 1}, {"name": "b", "home": 7}], "House": [{"id": 1}]}"#)
    try versions.migrate(to: people("  home: [House]"))
    #expect(try versions.rows("SELECT * FROM Person_home ORDER BY 1") == ["a 1", "b 7"])
    try versions.migrate(to: people("  home: House"))
    #expect(try versions.rows("SELECT name, home FROM Person") == ["a 1", "b 7"])
  }

  @Test("to-one becomes to-many whose links the other end keeps") func toManyWithInverse() throws {
    let versions = try Versions(
      people("  home: House"),
      #"{"Person": [{"name": "a", "home": 1}, {"name": "b", "home": 7}, {"name": "c", "home": 1}], "House": [{"id": 1}]}"#
    )
    let new = people("  home: [House] <- owner", "\n  owner: Person <- home")
    #expect(
      try versions.refusal(of: new).contains(
        "Person.home leads to many objects, led to one; 1 without a place; for example a; c"))
    try versions.migrate(to: new, .automatic.allowing(.removals))
    #expect(try versions.rows("SELECT id, owner FROM House") == ["1 a"])
    #expect(
      try versions.rows("SELECT relationship, owner, target FROM broker_pending") == ["Person.home b 7"])
    try versions.migrate(to: people("  home: [House]"))
    #expect(try versions.rows("SELECT * FROM Person_home ORDER BY 1") == ["a 1", "b 7"])
  }

  @Test("to-many becomes to-one: the first stays, the others go with consent") func toOne() throws {
    let versions = try Versions(
      people("  homes: [House] | ordered"),
      #"{"Person": [{"name": "a", "homes": [2, 1]}, {"name": "b", "homes": [1]}], "House": [{"id": 1}, {"id": 2}]}"#
    )
    let new = people("  home: House | was=homes")
    #expect(
      try versions.refusal(of: new).contains(
        "Person.home leads to one object, led to many; 1 without a place; for example a"))
    try versions.migrate(to: new, .automatic.allowing(.removals))
    #expect(try versions.rows("SELECT name, home FROM Person") == ["a 2", "b 1"])
  }

  @Test("an inverse is added to a to-one, and taken away") func inverse() throws {
    let versions = try Versions(
      people("  home: House"),
      #"{"Person": [{"name": "a", "home": 1}, {"name": "b", "home": 7}], "House": [{"id": 1}]}"#)
    try versions.migrate(to: people("  home: House <- owners", "\n  owners: [Person] <- home | ordered"))
    let fixture = try versions.fixture()
    #expect(try fixture.exported("House") == [#"{"id":1,"owners":["a"]}"#])
    try versions.migrate(to: people("  home: House"), .automatic.allowing(.removals))
    #expect(try versions.rows("SELECT name, home FROM Person") == ["a 1", "b 7"])
  }

  @Test("many to many becomes one to many, and back, in order") func manyToMany() throws {
    let many = people("  homes: [House] <- owners | ordered", "\n  owners: [Person] <- homes")
    let one = people("  homes: [House] <- owner | ordered", "\n  owner: Person <- homes | was=owners")
    let versions = try Versions(
      many, #"{"Person": [{"name": "a", "homes": [2, 1, 9]}], "House": [{"id": 1}, {"id": 2}, {"id": 3}]}"#)
    try versions.migrate(to: one)
    #expect(try versions.rows("SELECT id, owner FROM House ORDER BY owner_order") == ["3 -", "2 a", "1 a"])
    #expect(try versions.rows("SELECT target FROM broker_pending") == ["9"])
    try versions.migrate(to: many.replacing("<- homes", with: "<- homes | was=owner"))
    #expect(try versions.rows("SELECT homes FROM Person_homes ORDER BY homes_order") == ["2", "1", "9"])
  }

  @Test("one to one changes its keeper") func oneToOne() throws {
    let versions = try Versions(
      people("  home: House <- owner", "\n  owner: Person <- home"),
      #"{"Person": [{"name": "a", "home": 1}, {"name": "b"}], "House": [{"id": 1}, {"id": 2}]}"#)
    try versions.migrate(
      to: people("  home: House <- owner", "\n  owner: Person! <- home"),
      .automatic.allowing(.removals).setting("b", for: "House.owner"))
    #expect(try versions.rows("SELECT id, owner FROM House ORDER BY id") == ["1 a", "2 b"])
  }

  @Test("its own inverse: both directions") func symmetric() throws {
    let versions = try Versions(
      "Person | unique=name\n  name: string\n  friends: [Person]",
      #"{"Person": [{"name": "a", "friends": ["b"]}, {"name": "b"}, {"name": "c", "friends": ["a"]}]}"#)
    try versions.migrate(to: "Person | unique=name\n  name: string\n  friends: [Person] <- friends")
    #expect(try versions.rows("SELECT * FROM Person_friends ORDER BY 1, 2") == ["a b", "a c", "b a", "c a"])
  }

  @Test("another destination: links to what is none of it go with consent") func destination() throws {
    let old = "A | unique=id\n  id: integer64\nB : A\nC | unique=id\n  id: integer64\n  a: A\n  all: [A]"
    let versions = try Versions(
      old,
      #"{"A": [{"id": 1}], "B": [{"id": 2}], "C": [{"id": 1, "a": 1, "all": [1, 2]}, {"id": 2, "a": 2}]}"#)
    let new = old.replacing("a: A", with: "a: B").replacing("[A]", with: "[B]")
    let message = try versions.refusal(of: new)
    #expect(message.contains("C.a leads to B, led to A; 1 without a place"))
    #expect(message.contains("C.all leads to B, led to A; 1 without a place"))
    try versions.migrate(to: new, .automatic.allowing(.removals))
    #expect(try versions.rows("SELECT id, a FROM C ORDER BY id") == ["1 -", "2 2"])
    #expect(try versions.rows("SELECT * FROM C_all") == ["1 2"])
    try versions.migrate(to: old)
    #expect(try versions.rows("SELECT id, a FROM C ORDER BY id") == ["1 -", "2 2"])
  }

  @Test("an order is added, and taken away") func ordered() throws {
    let plain = people("  homes: [House]")
    let versions = try Versions(
      plain, #"{"Person": [{"name": "a", "homes": [2, 1]}], "House": [{"id": 1}, {"id": 2}]}"#)
    try versions.migrate(to: plain + "\nX | unique=id\n  id: integer64")
    try versions.migrate(to: people("  homes: [House] | ordered") + "\nX | unique=id\n  id: integer64")
    try versions.migrate(to: plain + "\nX | unique=id\n  id: integer64")
    #expect(try versions.rows("SELECT homes FROM Person_homes ORDER BY 1") == ["1", "2"])
  }

  @Test("indexes, of lists too, and full-text search come and go") func indexes() throws {
    let old = "Essay | unique=id\n  id: integer64\n  title: string\n  subjects: transformable"
    let new =
      "Essay | unique=id | index=title,id\n  id: integer64\n  title: string | broker.search=true\n  subjects: transformable | indexed"
    let versions = try Versions(old, #"{"Essay": [{"id": 1, "title": "On noise", "subjects": ["a", "b"]}]}"#)
    try versions.migrate(to: new)
    #expect(try versions.rows("SELECT element FROM Essay_subjects_elements ORDER BY 1") == ["a", "b"])
    #expect(try versions.rows("SELECT rowid FROM Essay_search WHERE Essay_search MATCH 'noise'") == ["1"])
    try versions.migrate(to: new + "\n  year: integer16")
    #expect(try versions.rows("SELECT rowid FROM Essay_search WHERE Essay_search MATCH 'noise'") == ["1"])
    try versions.migrate(to: old + "\n  year: integer16")
  }

  @Test("search on a table whose key is a text") func searchOnText() throws {
    let versions = try Versions(
      "Essay | unique=title\n  title: string", #"{"Essay": [{"title": "On noise"}]}"#)
    try versions.migrate(to: "Essay | unique=title\n  title: string | broker.search=true")
    #expect(try versions.rows("SELECT count(*) FROM Essay_search WHERE Essay_search MATCH 'noise'") == ["1"])
  }
}

@Suite("Versions: only read") struct ReadVersionTests {
  @Test("search and indexes of lists that are new: words are not found, elements are") func indexes() throws {
    let old = "Essay | unique=id\n  id: integer64\n  title: string\n  subjects: transformable"
    let new = old.replacing("title: string", with: "title: string | broker.search=true") + " | indexed"
    let versions = try Versions(
      old,
      #"{"Essay": [{"id": 1, "title": "On noise", "subjects": ["a", "b"]}, {"id": 2, "subjects": ["c"]}]}"#)
    let before = try versions.contents()
    let fixture = Fixture(store: try Store(path: versions.path, model: model(new), access: .readOnly))
    #expect(try fixture.found("Essay", "ANY subjects == 'b'") == ["1"])
    #expect(try fixture.rows("SELECT rowid FROM Essay_search WHERE Essay_search MATCH 'noise'") == [])
    #expect(try versions.contents() == before)
  }

  @Test("another identity, a hierarchy and lists in join tables") func shapes() throws {
    let versions = try Versions(
      "Photo | unique=url\n  url: string\n  number: integer64\nAlbum | unique=id\n  id: integer64\n  cover: Photo\n  all: [Photo]",
      #"{"Photo": [{"url": "a", "number": 7}, {"url": "b", "number": 8}], "Album": [{"id": 1, "cover": "b", "all": ["a", "b"]}]}"#
    )
    let json = try versions.json(
      as:
        "Medium | broker.identity=number\n  url: string\n  number: integer64\nPhoto : Medium\n  size: integer16 | default=3\nAlbum | unique=id\n  id: integer64\n  cover: Medium\n  all: [Medium]"
    )
    #expect(json.contains(#""cover":8,"all":[7,8]"#), "\(json)")
  }
}

@Suite("Versions: names that are words of SQL") struct QuotedVersionTests {
  @Test("quotes, words of SQL and control characters are only names") func names() throws {
    let name = #"a" AND b'; --"#
    func version(_ entity: String, _ more: (inout Entity) -> Void) -> Model {
      var main = Entity(name: entity)
      main.renamingIdentifier = name
      main.attributes = [Attribute(name: "id", type: .integer64), Attribute(name: "x", type: .integer16)]
      main.attributes[1].isOptional = true
      main.relationships = [Relationship(name: "list \(name)", destination: "Other", inverse: "owner")]
      main.relationships[0].isToMany = true
      more(&main)
      var other = Entity(name: "Other")
      other.attributes = [Attribute(name: "id", type: .integer64)]
      other.relationships = [
        Relationship(name: "owner", destination: main.name, inverse: main.relationships[0].name)
      ]
      return Model(entities: [main, other])
    }
    let directory = try TemporaryDirectory()
    let path = directory.path("store.sqlite")
    let old = try Fixture(model: version(name) { _ in }, entity: name, path: path)
    try old.load(#"[{"id": 1, "x": 5, "list a\" AND b'; --": [7, 8]}, {"id": 2}]"#)
    try old.load(#"[{"id": 7, "owner": 1}]"#, as: "Other")
    try old.store.close()
    let new = version("SELECT \"1\" FROM") { entity in
      entity.attributes[1] = Attribute(
        name: "GROUP", type: .string, isOptional: true, renamingIdentifier: "x")
      entity.relationships[0].isToMany = false
      entity.relationships[0].name = "DROP TABLE"
      entity.relationships[0].renamingIdentifier = "list \(name)"
    }
    var options = Store.Options()
    options.migration = .automatic.allowing(.removals)
    let store = try Store(path: path, model: new, options: options)
    #expect(
      try Fixture(store: store).rows(#"SELECT id, "GROUP" FROM "SELECT ""1"" FROM" ORDER BY id"#) == [
        "1 5", "2 -",
      ])
    #expect(try Versions.json(store).contains(#""DROP TABLE":7"#))
  }
}
