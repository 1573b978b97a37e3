import Broker
import Testing

/// Conforms by hand, and lists entities and links as values, which they could be: they are `Codable`.
private struct Case: Storable {
  var name: String
  var best: Shelf?
  var all: [Shelf]
  var link: ToOne<Shelf>?
  var id: String { name }

  static let properties = Properties<Case>(
    "Case", .attribute("name", \.name, .identity), .attribute("best", \.best), .attribute("all", \.all),
    .attribute("link", \.link))

  init(row: borrowing ObjectRow) throws {
    name = try row.value(0)
    best = try row.value(1)
    all = try row.value(2)
    link = try row.value(3)
  }
}

/// What the compiler cannot tell of types that conform by hand.
@Suite struct HandwrittenMistakeTests {
  @Test("an entity, a list of entities and a link are no values of attributes")
  func entitiesAsValues() throws {
    let error = try #require(throws: TypeError.self) { try Model(describing: Case.self) }
    #expect(
      error.differences == [
        "Case.best: Shelf is an entity, so the property has to be a ToOne<Shelf>",
        "Case.all: Shelf is an entity, so the property has to be a ToMany<Shelf>",
        "Case.link: ToOne<Shelf> is a relationship, so it has to be listed as one",
      ])
  }
}
