import Mapping
import Testing

/// Both ends of a relationship agree after every step.
@Suite struct BothEndsTests {
  private let people = """
    Person
      id: integer64
      name: string
      passport: Passport <- holder
      spouse: Person <- spouse
      friends: [Person] <- friends
      boss: Person <- staff
      staff: [Person] <- boss
      follows: [Person] <- followers
      followers: [Person] <- follows
    Passport
      id: integer64
      holder: Person <- passport
    """

  @Test func oneToOneFromEitherEnd() throws {
    let fixture = try Fixture(people)
    try fixture.load(
      #"{"people": [{"id": 1, "passport": {"id": 7}}, {"id": 2}], "passports": [{"id": 7}, {"id": 8}]}"#)
    let links = "SELECT id, passport FROM Person WHERE passport IS NOT NULL ORDER BY id"
    #expect(try fixture.rows(links) == ["1 7"])
    try fixture.load(#"{"passports": [{"id": 8, "holder": 2}]}"#)
    #expect(try fixture.rows(links) == ["1 7", "2 8"])
    try fixture.load(
      #"{"passports": [{"id": 8, "holder": null}, {"id": 7, "holder": {"id": 1, "name": "Ann"}}]}"#)
    #expect(try fixture.rows(links) == ["1 7"])
    // The passport's word is the last: person 2 has it now, and person 1 has it no more.
    try fixture.load(#"{"passports": [{"id": 7, "holder": 2}]}"#)
    #expect(try fixture.rows(links) == ["2 7"])
    try fixture.load(#"{"people": [{"id": 2, "passport": null}]}"#)
    #expect(try fixture.rows(links) == [])
  }

  @Test func manyToManyThatIsItsOwnInverse() throws {
    let fixture = try Fixture(people, entity: "Person")
    let links = "SELECT * FROM Person_friends ORDER BY 1, 2"
    try fixture.load(#"[{"id": 1, "friends": [2, 3]}, {"id": 2}, {"id": 3, "friends": [1]}]"#)
    #expect(try fixture.rows(links) == ["1 2", "1 3", "2 1", "3 1"])
    try fixture.load(#"[{"id": 2, "friends": [3]}]"#)
    #expect(try fixture.rows(links) == ["1 3", "2 3", "3 1", "3 2"])
    try fixture.load(#"[{"id": 3, "friends": []}]"#)
    #expect(try fixture.rows(links) == [])
    try fixture.load(#"[{"id": 3, "friends": [3]}]"#)
    #expect(try fixture.rows(links) == ["3 3"])
  }

  @Test func aTree() throws {
    let fixture = try Fixture(people, entity: "Person")
    try fixture.load(
      """
      {"id": 1, "staff": [
        {"id": 2, "name": "b", "staff": [{"id": 3, "name": "c"}, 4]}, {"id": 5, "boss": 9}
      ]}
      """)
    try fixture.load(#"[{"id": 4}]"#)
    let links = "SELECT id, boss FROM Person ORDER BY id"
    #expect(try fixture.rows(links) == ["1 -", "2 1", "3 2", "4 2", "5 1"])
    try fixture.load(#"[{"id": 1, "boss": 3}, {"id": 2, "staff": [2]}]"#)
    #expect(try fixture.rows(links) == ["1 3", "2 2", "3 -", "4 -", "5 1"])
  }

  @Test func bothEndsOfAManyToManyToItself() throws {
    let fixture = try Fixture(people, entity: "Person")
    let links = "SELECT followers, follows FROM Person_follows ORDER BY 1, 2"
    try fixture.load(#"[{"id": 1, "follows": [2, 3], "followers": [3]}]"#)
    #expect(try fixture.rows(links) == ["1 2", "1 3", "3 1"])
    try fixture.load(#"[{"id": 3, "followers": [2], "follows": []}]"#)
    #expect(try fixture.rows(links) == ["1 2", "2 3"])
  }

  @Test func anObjectNestedInItself() throws {
    let fixture = try Fixture(people, entity: "Person")
    let report = try fixture.load(
      #"{"id": 1, "boss": {"id": 1, "name": "x"}, "friends": [{"id": 1, "name": "y"}]}"#)
    #expect(try fixture.rows("SELECT id, name, boss FROM Person") == ["1 y 1"])
    #expect(report.counts == "Person +1, 2x")
  }

  @Test func theParentMayBeNestedInItsChild() throws {
    let fixture = try Fixture(people, entity: "Person")
    try fixture.load(#"{"id": 1, "staff": [{"id": 2, "boss": {"id": 1, "name": "a"}}]}"#)
    #expect(try fixture.rows("SELECT id, boss FROM Person ORDER BY id") == ["1 -", "2 1"])
    try #expect(fixture.rows("SELECT name FROM Person WHERE id = 1") == ["a"])
  }
}
