import Mapping
import Testing

/// What of an object is written, and in which form.
@Suite struct ExportFormTests {
  private func exported(
    _ notation: String, _ json: String, _ entity: String = "Event",
    _ adjust: (inout ExportOptions) -> Void = { _ in }
  ) throws -> [String] {
    let fixture = try Fixture(notation, entity: entity)
    let report = try fixture.load(json)
    #expect(report.problems == [])
    return try fixture.exported(entity, adjust)
  }

  @Test func aDateHasItsAttributesFormatAndZone() throws {
    let lines = try exported(
      """
      Event
        id: integer64
        plain: date
        zone: date | broker.timeZone=Europe/Berlin
        seconds: date | broker.dateFormat=seconds
        millis: date | dateFormat=milliseconds
        pattern: date | broker.dateFormat=yyyy/MM/dd HH:mm:ss ZZZZZ | broker.timeZone=-03:30
        local: date | dateFormat=dd.MM.yyyy HH:mm | timeZone=Europe/Berlin
      """,
      """
      {"id": 1, "plain": "2014-08-31T02:29:15.250+02:00", "zone": "2014-08-31T02:29:15", "seconds": -1.5,
       "millis": 1409437755250, "pattern": "2014/08/31 00:29:15 Z", "local": "31.12.2014 23:30"}
      """)
    #expect(
      lines == [
        #"{"id":1,"plain":"2014-08-31T00:29:15.25Z","zone":"2014-08-31T00:29:15Z","seconds":-1.5,"#
          + #""millis":1409437755250,"pattern":"2014/08/30 20:59:15 -03:30","local":"31.12.2014 23:30"}"#
      ])
  }

  @Test(arguments: [
    "broker.exported=false", "broker.exported=NO", "sync.nonExportable=1", "hyper.nonExportable=YES",
    "sync.nonExportable=NO",
    "broker.ignored=true",
  ])
  func whatIsNotExportedIsLeftOut(_ annotation: String) throws {
    let lines = try exported(
      """
      Event
        id: integer64
        secret: string | default=s | \(annotation)
        name: string
        friend: Event | \(annotation)
        deep: string | default=d | broker.key=a.b | \(annotation)
      """, #"{"id": 1, "name": "n"}"#)
    #expect(lines == [#"{"id":1,"name":"n"}"#])
  }

  @Test(arguments: [
    (true, #"{"id":1,"state":{"label":null,"owner":null},"tags":[],"friend":null}"#),
    (false, #"{"id":1,"state":{},"tags":[]}"#),
  ])
  func whatHasNoValueIsNullOrLeftOut(_ nulls: Bool, _ expected: String) throws {
    let notation = """
      Event
        id: integer64
        label: string | broker.key=state.label
        owner: Event | broker.key=state.owner
        tags: [Event]
        friend: Event
      """
    #expect(try exported(notation, #"{"id": 1}"#) { $0.includesNulls = nulls } == [expected])
  }

  /// A key path that leads to nothing is left out with it.
  @Test func keyPathsArePutTogether() throws {
    let notation = """
      Event
        id: integer64 | broker.key=meta.id
        label: string | broker.key=state.label
        level: integer16 | broker.key=state.more.level
        owner: Event | broker.key=links.owner
      """
    let json = #"{"meta": {"id": 1}, "state": {"label": "l"}}"#
    #expect(
      try exported(notation, json)
        == [#"{"meta":{"id":1},"state":{"label":"l","more":{"level":null}},"links":{"owner":null}}"#])
    let short = try exported(notation, json) {
      $0.includesNulls = false
      $0.relationships = .none
    }
    #expect(short == [#"{"meta":{"id":1},"state":{"label":"l"}}"#])
  }

  @Test func noObjectIsWrittenInsideItself() throws {
    let notation = """
      Event
        id: integer64
        next: Event
        friends: [Event] <- friends
      """
    let json =
      #"[{"id": 1, "next": 2, "friends": [1, 2]}, {"id": 2, "next": 3}, {"id": 3, "next": 1, "friends": []}]"#
    let lines = try exported(notation, json) { $0.relationships = .nested(depth: 1000) }
    #expect(
      lines.first
        == #"{"id":1,"next":{"id":2,"next":{"id":3,"next":1,"friends":[]},"friends":[1]},"#
        + #""friends":[1,{"id":2,"next":{"id":3,"next":1,"friends":[]}}]}"#)
  }

  /// Where nothing repeats, the length of a chain ends it.
  @Test func aLongChainIsCut() throws {
    let objects = (1...220).map { "{\"id\": \($0), \"next\": \($0 + 1)}" }.joined(separator: "\n")
    let lines = try exported("Event\n  id: integer64\n  next: Event", objects) {
      $0.relationships = .nested(depth: 1_000_000)
    }
    #expect(lines.first?.hasPrefix(#"{"id":1,"next":{"id":2,"next":{"id":3"#) == true)
    #expect(lines.first.map { $0.filter { $0 == "{" }.count } == 200)
  }
}
