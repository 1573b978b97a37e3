import Mapping
import Testing

@Suite struct KeyPathTests {
  private let notation = """
    Ticket
      id: integer64
      label: string | broker.key=state.label
      level: integer16 | JSONKeyPath=state.meta.level
      owner: Person | broker.key=links.owner
    Person
      id: integer64
      name: string
    """

  private func tickets(_ json: String...) throws -> (rows: [String], report: Report) {
    let fixture = try Fixture(notation, entity: "Ticket")
    var report = Report()
    for json in json { report = try fixture.load(json) }
    return (try fixture.rows("SELECT * FROM Ticket"), report)
  }

  private let full = #"{"id": 1, "state": {"label": "open", "meta": {"level": 3}}, "links": {"owner": 7}}"#

  @Test func aPathReachesIntoObjects() throws {
    let (rows, report) = try tickets(full)
    #expect(rows == ["1 open 3 7"])
    #expect(report.problems == [])
  }

  @Test(arguments: [
    // A missing step is missing: what was there stays.
    (#"{"id": 1}"#, "1 open 3 7"), (#"{"id": 1, "state": {}}"#, "1 open 3 7"),
    (#"{"id": 1, "state": {"meta": {}}, "links": {}}"#, "1 open 3 7"),
    // A null on the way is null at its end.
    (#"{"id": 1, "state": null}"#, "1 - - 7"), (#"{"id": 1, "state": {"meta": null}}"#, "1 open - 7"),
    (#"{"id": 1, "state": {"label": null}}"#, "1 - 3 7"),
    (#"{"id": 1, "links": {"owner": null}}"#, "1 open 3 -"),
  ])
  func whatIsNotThere(_ json: String, _ row: String) throws {
    let (rows, report) = try tickets(full, json)
    #expect(rows == [row])
    #expect(report.problems == [])
  }

  @Test(arguments: [#""open""#, "5", "true", "[]", #"[{"label": "x"}]"#])
  func somethingElseOnTheWayIsAnIssue(_ value: String) throws {
    let (rows, report) = try tickets(full, #"{"id": 1, "state": \#(value)}"#)
    #expect(rows == ["1 open 3 7"])
    #expect(report.places == ["$.state"])
    #expect(report.issues.first?.expected == "an object")
  }

  @Test func issuesNameThePath() throws {
    let (_, report) = try tickets(#"{"id": 1, "state": {"meta": {"level": "high"}}}"#)
    #expect(report.places == ["$.state.meta.level"])
    #expect(report.issues.first?.key == "state.meta.level")
  }

  @Test func aPathAndAPropertyMayShareTheirFirstStep() throws {
    let fixture = try Fixture(
      """
      Ticket
        id: integer64
        state: transformable
        label: string | broker.key=state.label
        author: Person
        authorName: string | broker.key=author.name
      Person
        id: integer64
        name: string
      """, entity: "Ticket")
    try fixture.load(#"{"id": 1, "state": {"label": "open"}, "author": {"id": 7, "name": "Ann"}}"#)
    #expect(try fixture.rows("SELECT * FROM Ticket") == [#"1 {"label":"open"} open Ann 7"#])
    #expect(try fixture.rows("SELECT * FROM Person") == ["7 Ann"])
  }

  @Test func anAlternativePathCountsLess() throws {
    let fixture = try Fixture(
      "Ticket\n  id: integer64\n  name: string | broker.key=title | broker.key.1=meta.title", entity: "Ticket"
    )
    try fixture.load(#"[{"id": 1, "meta": {"title": "a"}}, {"id": 2, "title": "b"}]"#)
    #expect(try fixture.rows("SELECT name FROM Ticket") == ["a", "b"])
  }

  @Test func anIdentityMayLieDeeper() throws {
    let fixture = try Fixture(
      "Ticket\n  id: integer64 | broker.key=meta.id\n  name: string", entity: "Ticket")
    let report = try fixture.load(#"[{"meta": {"id": 4}, "name": "a"}, {"name": "b", "meta": {"id": "4"}}]"#)
    #expect(try fixture.rows("SELECT * FROM Ticket") == ["4 b"])
    #expect(report.counts == "Ticket +1, 1x")
  }

  @Test func aNullOnTheWayToARequiredAttributeIsAnIssue() throws {
    let fixture = try Fixture(
      "Ticket\n  id: integer64\n  label: string! | broker.key=state.label", entity: "Ticket")
    let report = try fixture.load(#"[{"id": 1, "state": {"label": "a"}}, {"id": 2, "state": null}]"#)
    #expect(report.counts == "Ticket +1 !1")
    #expect(report.places == ["$[1].state"])
  }

  @Test func aNullOnTheWayClearsARelationship() throws {
    let (rows, _) = try tickets(full, #"{"id": 1, "links": null}"#)
    #expect(rows == ["1 open 3 -"])
  }

  @Test(arguments: [
    (#"{"label": "done"}"#, "1 done"), ("{}", "1 open"), (#"{"label": null}"#, "1 -"), ("null", "1 -"),
  ])
  func aPathMayBeginWithThePropertysOwnName(_ state: String, _ row: String) throws {
    let fixture = try Fixture(
      "Ticket\n  id: integer64\n  state: string | broker.key=state.label", entity: "Ticket")
    try fixture.load(#"{"id": 1, "state": {"label": "open"}}"#)
    let report = try fixture.load(#"{"id": 1, "state": \#(state)}"#)
    try #expect(fixture.rows("SELECT * FROM Ticket") == [row])
    #expect(report.problems == [])
  }
}

/// A null on the way of a path against another key of the same property.
@Suite struct NullOnTheWayTests {
  @Test(arguments: [
    #"{"id": 1, "alt": "keep", "deep": null}"#, #"{"id": 1, "deep": null, "alt": "keep"}"#,
    #"{"id": 1, "deep": {"s": null}, "alt": "keep"}"#, #"{"id": 1, "alt": "keep", "deep": {"s": null}}"#,
  ])
  func theBetterKeyWinsWhateverTheOrder(_ json: String) throws {
    let fixture = try Fixture(
      "B\n  id: integer64\n  s: string | broker.key=deep.s | broker.key.1=alt", entity: "B")
    let report = try fixture.load(json)
    #expect(try fixture.rows("SELECT s FROM B") == ["-"])
    #expect(report.issueCount == 0)
  }

  @Test func aWorsePathThatIsNullDoesNotClear() throws {
    let fixture = try Fixture(
      "B\n  id: integer64\n  s: string | broker.key=alt | broker.key.1=deep.s", entity: "B")
    try fixture.load(#"{"id": 1, "alt": "keep", "deep": null}"#)
    #expect(try fixture.rows("SELECT s FROM B") == ["keep"])
  }
}
