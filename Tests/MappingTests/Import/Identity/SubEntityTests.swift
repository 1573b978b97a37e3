import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Entities that inherit: one table, one space of identities, relationships to any of them.
@Suite struct SubEntityTests {
  private let staff = """
    Person | abstract
      id: integer64
      name: string
      team: Team <- people
    Author : Person
      penName: string
      books: [Book] <- author
    Editor : Person
      desk: string!
      penName: integer16
    Team
      id: integer64
      people: [Person] <- team
      lead: Editor
    Book
      id: integer64
      author: Author <- books
    """

  private let first = """
    {"authors": [{"id": 1, "name": "Ann", "penName": "A", "books": [7]}],
     "editors": [{"id": 2, "desk": "News", "penName": 5}], "books": [{"id": 7}],
     "teams": [{"id": 9, "people": [1, 2], "lead": {"id": 2}}]}
    """

  @Test func anObjectThatHoldsAnIdentityOnlyNeedNotSayItsKind() throws {
    let fixture = try Fixture(staff)
    try fixture.load(first)
    let report = try fixture.load(#"{"teams": [{"id": 9, "people": [{"id": 1}, {"id": 2}]}]}"#)
    #expect(report.problems == [])
    try #expect(fixture.rows("SELECT count(*) FROM Person WHERE team = 9") == ["2"])
  }

  @Test func attributesOfSiblingsAreKeptApart() throws {
    let fixture = try Fixture(staff)
    try fixture.load(first)
    #expect(try fixture.rows("SELECT id, penName, penName_ FROM Person ORDER BY id") == ["1 A -", "2 - 5"])
  }

  @Test func anAbstractEntityHasNoObjects() throws {
    let fixture = try Fixture(staff)
    let report = try fixture.load(
      #"{"people": [{"id": 3, "name": "x"}], "teams": [{"id": 9, "people": [{"id": 4, "name": "y"}]}]}"#)
    #expect(report.counts == "Person !2, Team +1")
    #expect(report.places == ["$.people[0]", "$.teams[0].people[0]"])
    #expect(try fixture.rows("SELECT count(*) FROM Person") == ["0"])
  }

  @Test func aStubOfAnAbstractEntityCannotBeMade() throws {
    let fixture = try Fixture(staff)
    let report = try fixture.load(#"{"teams": [{"id": 9, "people": [5], "lead": 6}]}"#) {
      $0.references = .stub
    }
    #expect(report.waiting == ["Team 9 people -> Person 5"])
    #expect(try fixture.rows("SELECT id, _entity FROM Person") == ["6 Editor"])
  }

  @Test func anObjectMayTurnIntoItsSibling() throws {
    let fixture = try Fixture(staff)
    try fixture.load(first)
    let report = try fixture.load(#"{"editors": [{"id": 1, "desk": "Arts"}]}"#)
    #expect(report.counts == "Editor ~1")
    #expect(
      try fixture.rows("SELECT id, _entity, name, desk FROM Person ORDER BY id") == [
        "1 Editor Ann Arts", "2 Editor - News",
      ])
  }

  @Test func aReferenceToAnEntityIsNoReferenceToItsSibling() throws {
    let fixture = try Fixture(staff)
    try fixture.load(first)
    let report = try fixture.load(#"{"teams": [{"id": 8, "lead": 1}]}"#)
    #expect(report.pendingCount == 1)
  }
}
