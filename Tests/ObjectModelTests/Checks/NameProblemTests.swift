import ObjectModel
import Testing

@Suite("Problems of names and inheritance")
struct NameProblemTests {
  @Test(
    "names",
    arguments: [
      (entity("E") + entity("E"), "error: E: there are two entities with this name; rename one of them"),
      (
        entity("Todo") + entity("ToDo"),
        "warning: ToDo: differs from entity “Todo” only by case, which SQLite ignores, so that its table has another name; rename one of them, or do not mind"
      ),
      (
        "<composite name='C'/><composite name='C'/>",
        "error: C: there are two composites with this name; rename one of them"
      ),
      (
        entity("sqlite_x"),
        "warning: sqlite_x: SQLite keeps names that begin with “sqlite_” for itself, so its table is called “_sqlite_x”; rename the entity, or do not mind"
      ),
      (
        entity("E", property("a") + property("a")),
        "error: E.a: there are two properties with this name; rename one of them"
      ),
      (
        entity("E", property("a") + loop("A")),
        "warning: E.A: differs from “a” only by case, which SQLite ignores, so that its column has another name; rename one of them, or do not mind"
      ),
      (
        entity("E", parent: "P", property("a")) + entity("P", property("a")),
        "error: E.a: “P”, from which it inherits, has a property with this name; remove or rename one of them"
      ),
      (entity("a&#9;b"), "error: a\u{FFFD}b: the name contains a control character; rename it"),
      (
        entity("E") + "<configuration name='C'><memberEntity name='F'/></configuration>",
        "warning: configuration “C” names “F”, which is no entity"
      ),
    ])
  func names(elements: String, problem: String) throws {
    #expect(try problems(elements) == [problem])
  }

  @Test("entities beside each other share a table, and so columns of equal name")
  func siblings() throws {
    let other = property("a", "attributeType='Date'")
    let parent = entity("P") + entity("E", parent: "P", property("a"))
    #expect(
      try problems(parent + entity("F", parent: "P", other)) == [
        "warning: F.a: “E”, which has the same root, has a different property “a”; "
          + "rename one of them, or give both the same name and type"
      ])
    #expect(try problems(parent + entity("F", parent: "P", property("a"))) == [])
    #expect(try problems(parent + entity("F", other)) == [])
  }

  @Test("inheritance")
  func inheritance() throws {
    #expect(
      try problems("<entity name='Album' parentEntity='Itm'/><entity name='Item'/>")
        == ["error: Album: its parent “Itm” is no entity of this model; did you mean “Item”?"])
    #expect(
      try problems("<entity name='A' parentEntity='A'/>")
        == ["error: A: it inherits from itself: “A” → “A”; give one of them no parent"])
    #expect(
      try problems(
        "<entity name='A' parentEntity='B'/><entity name='B' parentEntity='C'/><entity name='C' parentEntity='B'/>"
      )
        == ["error: B: it inherits from itself: “B” → “C” → “B”; give one of them no parent"])
  }

  /// What is inherited is looked at for each entity, so long lines and circles have to end.
  @Test(arguments: [500, 501, 5_000])
  func longInheritance(_ ancestors: Int) throws {
    func line(_ last: String) -> Model {
      Model(
        entities: (0...ancestors).map { index in
          Entity(
            name: "E\(index)", parent: index > 0 ? "E\(index - 1)" : last.isEmpty ? nil : last,
            attributes: [Attribute(name: "a\(index)", type: .string, isOptional: true)])
        })
    }
    let problems = line("").problems().filter { $0.severity == .error }
    if ancestors <= 500 {
      #expect(problems.isEmpty)
      #expect(try Schema(line("")).entities.last?.attributes.count == ancestors + 1)
    } else {
      #expect(
        problems.map(\.description) == [
          "error: E501: it has more than 500 ancestors; give it, or one of its ancestors, no parent"
        ])
      let error = #expect(throws: SchemaError.self) { try Schema(line("")) }
      #expect(error?.description == "The model cannot be used: E501 has more than 500 ancestors.")
    }
    let circle = line("E\(ancestors)").problems().filter { $0.severity == .error }
    #expect(circle.map(\.entity) == ["E0"])
    #expect(circle.first?.message.hasPrefix("it inherits from itself: “E0” → “E\(ancestors)” → ") == true)
    #expect(throws: SchemaError.self) { try Schema(line("E\(ancestors)")) }
  }
}
