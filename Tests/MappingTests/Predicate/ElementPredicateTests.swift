import Mapping
import ObjectModel
import Testing

/// Conditions on attributes that are lists.
@Suite struct ElementPredicateTests {
  private func fixture() throws -> Fixture {
    let fixture = try Fixture(
      """
      Repository
        id: integer64
        topic: string
        count: integer32
        tags: transformable
        owner: Person
      Person
        id: integer64
        skills: transformable
      """)
    try fixture.load(
      """
      {"repositories": [
        {"id": 1, "topic": "swift", "count": 2, "tags": ["swift", "SQL"], "owner": {"id": 1, "skills": ["c"]}},
        {"id": 2, "topic": "swift", "tags": ["swiftui", 2, 9007199254740993, true], "owner": {"id": 2, "skills": []}},
        {"id": 3, "topic": "x", "tags": [], "owner": 9},
        {"id": 4, "tags": null}, {"id": 5, "tags": {"a": "swift"}}, {"id": 6, "tags": "swift"},
        {"id": 7, "tags": [null, ["swift"], 1.5]}]}
      """)
    return fixture
  }

  @Test(arguments: [
    ("tags CONTAINS 'swift'", "1"), ("tags CONTAINS[c] 'sql'", "1"), ("'swiftui' IN tags", "2"),
    ("tags CONTAINS topic", "1"), ("topic IN tags", "1"), ("count IN tags", ""), ("tags CONTAINS 2", "2"),
    ("tags CONTAINS 9007199254740993", "2"), ("tags CONTAINS 1.5", "7"), ("tags CONTAINS '2'", ""),
    ("tags CONTAINS TRUE", "2"), ("tags CONTAINS nil", "7"), ("ANY tags == 'swift'", "1"),
    ("ANY tags BEGINSWITH 'swift'", "12"), ("ANY tags > 1", "27"), ("ANY tags IN {'SQL', 'x'}", "1"),
    ("NONE tags == 'swift'", "234567"), ("ALL tags BEGINSWITH 's'", "34568"),
    ("NOT tags CONTAINS 'swift'", "234567"), ("owner.skills CONTAINS 'c'", "1"),
    ("tags CONTAINS 'swift' OR tags CONTAINS 'swiftui'", "12"),
    ("tags != nil AND NOT ANY tags != 'x'", "356"),
  ])
  func elements(_ format: String, _ found: String) throws {
    #expect(try fixture().found("Repository", format).joined() == found.replacing("8", with: ""))
  }
}
