import Mapping
import ObjectModel
import Testing

/// A transformer nobody has is the matter of its property alone: an import leaves that out and says so once.
@Suite struct UnknownTransformerTests {
  @Test(arguments: [
    ("broker.transformer=trimed", "trimed"), ("broker.transformer=trimmed, Shout", "Shout"),
    ("sync.valueTransformer=WeekdayTransformer", "WeekdayTransformer"),
  ])
  func leavesThePropertyOut(_ annotation: String, _ name: String) throws {
    var functions = MappingFunctions()
    functions.transformers["shout"] = Transformer(read: { $0 }, write: { $0 })
    let fixture = try Fixture(
      "Band\n  id: integer64\n  name: string | \(annotation)\n  formed: integer16", entity: "Band",
      functions: functions)
    let report = try fixture.load(#"[{"id": 1, "name": "x", "formed": 1974}, {"id": 2, "name": "y"}]"#)
    #expect(report.issues.map(\.found) == ["“\(name)” at name in the model"])
    #expect(report.issues.map(\.action) == ["property left out"])
    #expect(try fixture.rows("SELECT id, name, formed FROM Band") == ["1 - 1974", "2 - -"])
    #expect(throws: ImportError.self) { try fixture.load(#"[{"id": 3}]"#) { $0.isStrict = true } }
    // An export has no issues to tell, and what is left out of it would be lost.
    #expect(throws: PlanError.self) { try fixture.exported("Band") }
  }

  @Test func ofTheIdentityIsRefused() throws {
    let fixture = try Fixture("Band\n  id: integer64 | broker.transformer=trimed", entity: "Band")
    let error = #expect(throws: PlanError.self) { try fixture.load(#"[{"id": 1}]"#) }
    #expect(
      error?.description == "Band.id has the transformer trimed, which is not known. Did you mean trimmed?"
        + " Register it under that name, or have a mapping say none for the property.")
  }

  /// What the list left out may have held cannot be told from what is gone.
  @Test func ofARelationshipWithholdsThePrune() throws {
    let fixture = try Fixture(
      "Band\n  id: integer64\n  rivals: [Band] | JSONTransformerName=comaSeparated", entity: "Band")
    try fixture.load(#"[{"id": 1}, {"id": 2}]"#)
    let report = try fixture.load(#"[{"id": 1, "rivals": [{"id": 2}]}]"#) { $0.prunes = true }
    #expect(report.issues.map(\.key) == ["rivals", nil])
    #expect(report.issues.last?.action == "nothing pruned")
    #expect(try fixture.rows("SELECT id FROM Band") == ["1", "2"])
  }

  @Test func annotationsThatDoNotExist() throws {
    let fixture = try Fixture(
      """
      Band | broker.identitty=name
        id: integer64
        name: string | broker.keyy=title
        motto: string
      """, entity: "Band")
    let report = try fixture.load(#"[{"id": 1, "name": "a", "title": "b", "motto": "c"}]"#)
    #expect(report.issues.map(\.action) == ["not used", "property left out"])
    #expect(try fixture.rows("SELECT id, name, motto FROM Band") == ["1 - c"])
  }

  @Test func noneIsNoTransformer() throws {
    let fixture = try Fixture("Band\n  id: integer64\n  name: string | broker.transformer=none")
    try fixture.load(#"{"id": 1, "name": " x "}"#)
    #expect(try fixture.rows("SELECT name FROM Band") == [" x "])
  }

  /// The entity that is named is the one that declares the property.
  @Test func isNamedByItsOwner() throws {
    let fixture = try Fixture(
      "Album : Record\n  id: integer64\nRecord\n  title: string | broker.transformer=trim", entity: "Album")
    #expect(try fixture.load("[]").issues.map(\.entity) == ["Record"])
  }
}
