import Mapping
import ObjectModel
import Testing

/// Lists of several owners that have the same object, where the model allows one.
@Suite struct SeveralOwnersTests {
  private let crates = """
    Crate
      id: integer64
      versions: [Version] <- crate
    Version
      id: integer64
      crate: Crate <- versions
    """
  private let json =
    #"{"crates": [{"id": 1, "versions": [10, 11]}, {"id": 2, "versions": [10]}], "versions": [{"id": 10}, {"id": 11}]}"#

  @Test func theLastHasItAndThatIsAnIssue() throws {
    let fixture = try Fixture(crates)
    let report = try fixture.load(json)
    #expect(report.issueCount == 1)
    #expect(
      report.problems.first?.contains("$.crates[1].versions: expected each Version with one owner") ?? false)
    #expect(report.problems.first?.contains("found 1 with several") ?? false)
    #expect(try fixture.rows("SELECT id, crate FROM Version ORDER BY id") == ["10 2", "11 1"])
  }

  @Test func importingThatAgainChangesNothing() throws {
    let fixture = try Fixture(crates)
    try fixture.load(json)
    for _ in 0..<2 {
      let report = try fixture.load(json)
      #expect(!report.changesAnything)
      #expect(report.issueCount == 1)
    }
    #expect(try fixture.rows("SELECT id, crate FROM Version ORDER BY id") == ["10 2", "11 1"])
  }

  @Test func aStrictImportFails() throws {
    let fixture = try Fixture(crates)
    #expect(throws: ImportError.self) { try fixture.load(json) { $0.isStrict = true } }
    #expect(try fixture.rows("SELECT count(*) FROM Crate") == ["0"])
  }

  // MARK: - Parts

  private let pokemon = """
    Pokemon
      id: integer64
      types: [Slot] <- pokemon | ordered
    Kind
      name: string | broker.identity=true
      slots: [Slot] <- kind
    Slot
      number: integer64
      pokemon: Pokemon <- types
      kind: Kind <- slots
    """

  @Test func partsOfTwoOwnersComeBack() throws {
    let fixture = try Fixture(pokemon)
    try fixture.load(
      #"{"pokemons": [{"id": 1, "types": [{"number": 2, "kind": "fire"}, {"number": 1, "kind": "air"}]}, {"id": 2, "types": [{"number": 1, "kind": "fire"}]}], "kinds": [{"name": "air"}, {"name": "fire"}]}"#
    )
    let rows = "SELECT pokemon, kind, number, pokemon_order FROM Slot ORDER BY pokemon, pokemon_order"
    let before = try fixture.rows(rows)
    let whole = try wholeStore(fixture)
    for order in [[0, 1], [1, 0]] {
      let copy = try Fixture(pokemon)
      let lists = try ["Pokemon", "Kind"].map { try Exporter(fixture.store).text(of: $0) }
      for index in order { try copy.load(lists[index], as: ["Pokemon", "Kind"][index]) }
      #expect(try copy.rows(rows) == before)
    }
    let copy = try Fixture(pokemon)
    #expect(try copy.load(whole).problems == [])
    #expect(try copy.rows(rows) == before)
    // And again, into the store that it came from.
    #expect(try !fixture.load(whole).changesAnything)
  }

  @Test func bothEndsMayTellTheSameParts() throws {
    let fixture = try Fixture(pokemon)
    let json =
      #"{"pokemons": [{"id": 1, "types": [{"number": 1, "kind": "fire"}]}], "kinds": [{"name": "fire", "slots": [{"number": 1, "pokemon": {"id": 1}}]}]}"#
    try fixture.load(json)
    #expect(try fixture.rows("SELECT pokemon, kind, number FROM Slot") == ["1 fire 1"])
    #expect(try !fixture.load(json).changesAnything)
  }
}

/// All of a store as one document.
func wholeStore(_ fixture: Fixture) throws -> String {
  try Exporter(fixture.store).wholeText()
}
