import Mapping
import ObjectModel
import Testing

/// A model that names a transformer nobody has is refused before anything happens.
@Suite struct UnknownTransformerTests {
  @Test(arguments: [
    (
      "name: string | broker.transformer=trimed",
      "Band.name has the transformer trimed, which is not known. Did you mean trimmed? "
    ),
    (
      "name: string | broker.transformer=trimmed, Shout",
      "Band.name has the transformer Shout, which is not known. Did you mean shout? "
    ),
    (
      "name: string | sync.valueTransformer=WeekdayTransformer",
      "Band.name has the transformer WeekdayTransformer, which is not known. "
    ),
    (
      "rivals: [Band] | JSONTransformerName=comaSeparated",
      "Band.rivals has the transformer comaSeparated, which is not known. Did you mean commaSeparated? "
    ),
  ])
  func isRefused(_ property: String, _ message: String) throws {
    var functions = MappingFunctions()
    functions.transformers["shout"] = Transformer(read: { $0 }, write: { $0 })
    let fixture = try Fixture("Band\n  id: integer64\n  \(property)", entity: "Band", functions: functions)
    let expected = message + "Register it under that name, or have a mapping say none for the property."
    let importing = #expect(throws: PlanError.self) { try fixture.load(#"[{"id": 1}]"#) }
    #expect(importing?.description == expected)
    let exporting = #expect(throws: PlanError.self) { try fixture.exported("Band") }
    #expect(exporting == importing)
    #expect(try fixture.rows("SELECT count(*) FROM Band") == ["0"])
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
    let error = #expect(throws: PlanError.self) { try fixture.load("[]") }
    #expect(error?.entity == "Record")
  }
}
