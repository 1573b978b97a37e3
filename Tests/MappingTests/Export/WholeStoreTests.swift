import Mapping
import ObjectModel
import ObjectStore
import TestSettings
import Testing

/// Exports of all entities, imported into an empty store.
@Suite struct WholeStoreTests {
  @Test(arguments: Seeds.first(4, long: 40))
  func aStoreComesBackWhole(_ seed: UInt64) throws {
    for step in 0..<4 {
      var random = Seeded(state: seed &* 7_000_003 &+ UInt64(step))
      let model = RandomModel(&random, [.noAbstractTargets])
      let fixture = try Fixture(model.notation)
      try fixture.load(model.json)
      let whole = try wholeStore(fixture)
      let copy = try Fixture(model.notation)
      let report = try copy.load(whole)
      let told = "seed \(seed), step \(step)\n\(model.notation)\n\(model.json)\n\(whole)"
      try #require(report.problems.filter { !$0.contains("with one owner") } == [], "\(told)")
      try #require(report.unmatchedKeys == [:], "\(told)")
      for entity in model.roots {
        try #require(try copy.exported(entity) == fixture.exported(entity), "\(told)")
      }
    }
  }

  /// Each dialect says links and entities in its own way, whatever the identities hold.
  @Test(arguments: Dialect.allCases, Seeds.first(6, long: 60))
  func aStoreComesBackWholeInEachDialect(_ dialect: Dialect, _ seed: UInt64) throws {
    var random = Seeded(state: seed &* 9_000_011)
    let model = RandomModel(&random, [.noAbstractTargets])
    let folder = try TemporaryDirectory()
    try Fixture(model.notation, path: folder.path("store.sqlite")).load(model.json)
    var mapping = JSONMapping()
    mapping.dialect = dialect
    let fixture = try Fixture(model.notation, path: folder.path("store.sqlite"), mapping: mapping)
    let whole = try wholeStore(fixture)
    let copy = try Fixture(model.notation, mapping: mapping)
    let report = try copy.load(whole)
    let told = "seed \(seed)\n\(model.notation)\n\(model.json)\n\(whole)"
    #expect(report.problems.filter { !$0.contains("with one owner") } == [], "\(told)")
    #expect(report.unmatchedKeys == [:], "\(told)")
    for entity in model.roots {
      #expect(try copy.exported(entity) == fixture.exported(entity), "\(told)")
    }
  }

  /// Objects without identity whose owner's list is not written stand under their own entity, and name the owner.
  @Test func partsWhoseListIsNotExportedAreListed() throws {
    let notation = """
      Sensor
        id: integer64
        readings: [Reading] <- sensor | broker.exported=false
        marks: [Mark] <- sensors | broker.exported=false
        checks: [Check] <- sensor | broker.exported=false | ordered
        notes: [Note] | broker.exported=false
        faults: [Fault] <- sensor | broker.ignored=true
      Reading
        v: double
        sensor: Sensor <- readings
      Mark
        text: string
        sensors: [Sensor] <- marks
      Check
        text: string
        sensor: Sensor <- checks
      Note
        text: string
      Fault
        text: string
        sensor: Sensor <- faults
      """
    let fixture = try Fixture(notation)
    try fixture.load(
      #"""
      {"sensors": [{"id": 7, "checks": [{"text": "b"}, {"text": "a"}], "notes": [{"text": "n"}]}],
       "readings": [{"v": 1.5, "sensor": 7}, {"v": 2.5, "sensor": 8}, {"v": 3.5}],
       "marks": [{"text": "m", "sensors": [7, 9]}], "faults": [{"text": "f", "sensor": 7}]}
      """#)
    let whole = try wholeStore(fixture)
    #expect(
      whole.filter { $0 != "\n" }
        == #"{"Sensor":[{"id":7,"checks":[{"text":"b"},{"text":"a"}],"notes":[{"text":"n"}]}],"#
        + #""Reading":[{"v":1.5,"sensor":7},{"v":2.5,"sensor":8},{"v":3.5,"sensor":null}],"#
        + #""Mark":[{"text":"m","sensors":[7,9]}],"Check":[],"Note":[],"Fault":[{"text":"f","sensor":7}]}"#)
    let copy = try Fixture(notation)
    #expect(try copy.load(whole).problems == [])
    #expect(try wholeStore(copy) == whole)
    for table in ["Sensor", "Reading", "Mark", "Check", "Note", "Fault"] {
      #expect(
        try copy.rows("SELECT count(*) FROM \"\(table)\"")
          == fixture.rows("SELECT count(*) FROM \"\(table)\""))
    }
  }

  /// Of two entities without identity, the one that deletes the other with it is the owner, whichever comes first in the
  /// model.
  @Test func theOwnerOfAPartIsTheEndThatDeletesIt() throws {
    let notation = """
      Report
        id: integer64
        intervals: [Interval] <- report | delete=cascade ordered
      Total
        sum: integer64
        interval: Interval <- total
      Interval
        label: string
        report: Report <- intervals
        total: Total <- interval | delete=cascade
      """
    let fixture = try Fixture(notation)
    try fixture.load(
      #"[{"id": 1, "intervals": [{"label": "a", "total": {"sum": 3}}, {"label": "b"}]}]"#, as: "Report")
    let whole = try wholeStore(fixture)
    #expect(whole.contains(#""total":{"sum":3}"#), "\(whole)")
    let copy = try Fixture(notation)
    #expect(try copy.load(whole).problems == [])
    #expect(try wholeStore(copy) == whole)
    #expect(try copy.rows("SELECT count(*) FROM Interval") == ["2"])
  }

  /// Key paths of other properties lead into the value of a relationship. Both are written.
  @Test func attributesThatReachIntoARelationshipAreWrittenBesideIt() throws {
    let notation = """
      Observation
        id: integer64
        code: string | broker.key=coding[0].code
        texts: transformable | broker.key=coding[].text
        userName: string | broker.key=user.name
        coding: [Coding] | ordered
        user: User
      Coding | identityAttributes=code
        code: string
        display: string
      User
        id: integer64
        age: integer64
      """
    let fixture = try Fixture(notation, entity: "Observation")
    try fixture.load(
      #"[{"id": 1, "coding": [{"code": "z/1", "display": "Z", "text": "t"}, {"code": "a"}], "user": {"id": 5, "name": "Bob"}}, {"id": 2, "coding": ["y"], "user": 6}]"#
    )
    #expect(
      try fixture.exported("Observation") == [
        #"{"id":1,"code":"z/1","texts":["t"],"userName":"Bob","coding":[{"code":"z/1"},{"code":"a"}],"user":{"id":5}}"#,
        #"{"id":2,"code":null,"texts":null,"userName":null,"coding":[{"code":"y"}],"user":{"id":6}}"#,
      ])
    let whole = try wholeStore(fixture)
    let copy = try Fixture(notation)
    #expect(try copy.load(whole).problems == [])
    #expect(
      try copy.rows("SELECT id, texts, userName, user FROM Observation") == ["1 [\"t\"] Bob 5", "2 - - 6"])
    #expect(
      try copy.rows("SELECT * FROM Observation_coding ORDER BY 1, 2")
        == fixture.rows("SELECT * FROM Observation_coding ORDER BY 1, 2"))
  }

  /// JSON that an attribute holds goes out as it came while the objects that came from it say the same.
  @Test func aWholeObjectKeepsTheObjectsThatCameFromIt() throws {
    let notation = """
      Event
        id: integer64
        number: integer32 | broker.key=payload.number
        payload: transformable
        commits: [Commit] <- events | broker.key=payload.commits
        author: Person | broker.key=payload.author
        notes: [Note] | broker.key=payload.notes | ordered
      Commit | identityAttributes=sha
        sha: string
        message: string
        events: [Event] <- commits
      Person
        id: integer64
        name: string
        seen: date
      Note
        text: string
      """
    let fixture = try Fixture(notation, entity: "Event").alone()
    let json =
      #"{"id":1,"payload":{"a":1,"number":"N 7","commits":[{"sha":"b","message":"m","more":[1]},{"sha":"a"}],"author":{"id":"5","name":"Bob","seen":"1970-01-02T00:00:00+00:00"},"notes":[{"text":"x","more":0}],"end":null}}"#
    try fixture.load(json)
    let written = try fixture.exported("Event")
    #expect(written == [json])
    let copy = try Fixture(notation).alone()
    try copy.load(wholeStore(fixture))
    #expect(try wholeStore(copy) == wholeStore(fixture))
    // Objects that have changed stand for themselves, and the whole names them.
    try fixture.load(#"[{"sha": "b", "message": "new"}]"#, as: "Commit")
    try fixture.load(#"[{"id": 5, "name": "Eve"}]"#, as: "Person")
    let changed = try fixture.exported("Event")[0]
    #expect(changed.contains(##""commits":["a","b"],"author":5,"notes":[{"text":"x","more":0}],"end":null"##))
    let other = try Fixture(notation).alone()
    try other.load(wholeStore(fixture))
    #expect(try other.rows("SELECT sha, message FROM \"Commit\" ORDER BY 1") == ["b new"])
    #expect(try other.rows("SELECT name FROM Person") == ["Eve"])
  }

  /// Whichever end is asked for: no key can say what has no identity.
  @Test func linksBetweenObjectsWithoutIdentityAreNested() throws {
    let notation = """
      Line
        text: string
        sheet: Sheet <- lines
      Sheet
        note: string
        lines: [Line] <- sheet
        cover: Cover <- sheet
        binder: Binder
      Cover
        color: string
        sheet: Sheet <- cover
      Binder
        label: string
      """
    let cover =
      #"{"color":"red","sheet":{"note":"a","lines":[{"text":"x"},{"text":"y"}],"binder":{"label":"b"}}}"#
    let sheet =
      #"{"note":"a","lines":[{"text":"x"},{"text":"y"}],"cover":{"color":"red"},"binder":{"label":"b"}}"#
    for (entity, json) in [("Sheet", sheet), ("Cover", cover)] {
      let fixture = try Fixture(notation)
      try fixture.load(json, as: entity)
      for relationships in [ExportOptions.Relationships.keys, .nested(depth: 1)] {
        #expect(try fixture.exported("Sheet") { $0.relationships = relationships } == [sheet])
        #expect(try fixture.exported("Cover") { $0.relationships = relationships } == [cover])
        #expect(
          try fixture.exported("Line") { $0.relationships = relationships }.first
            == #"{"text":"x","sheet":{"note":"a","cover":{"color":"red"},"binder":{"label":"b"}}}"#)
      }
    }
  }

  @Test func partsThatNobodyHasAreListed() throws {
    let notation = """
      Shelf
        id: integer64
        books: [Book]
      Book
        title: string
        pages: [Page]
      Page
        number: integer64
      """
    let fixture = try Fixture(notation)
    try fixture.load(
      #"{"shelves": [{"id": 1, "books": [{"title": "a", "pages": [{"number": 1}]}]}], "books": [{"title": "b", "pages": [{"number": 2}, {"number": 3}]}], "pages": [{"number": 4}]}"#
    )
    let whole = try wholeStore(fixture)
    let copy = try Fixture(notation)
    try copy.load(whole)
    for table in ["Shelf", "Book", "Page", "Shelf_books", "Book_pages"] {
      #expect(try copy.rows("SELECT count(*) FROM \(table)") == fixture.rows("SELECT count(*) FROM \(table)"))
    }
    #expect(try wholeStore(copy) == whole)
  }

  @Test func referencesThatWaitAreNotMade() throws {
    let notation = """
      Band
        id: integer64
        places: [Place] | ordered
        home: Place
      Place | identityAttributes=x,y
        x: integer16
        y: string
      """
    let fixture = try Fixture(notation)
    try fixture.load(
      #"{"bands": [{"id": 1, "places": ["1,a", "2,b\\,c"], "home": "3,d"}], "places": [{"x": 1, "y": "a"}]}"#)
    #expect(try fixture.rows("SELECT count(*) FROM Place") == ["1"])
    let copy = try Fixture(notation)
    let report = try copy.load(try wholeStore(fixture))
    #expect(report.pendingCount == 2)
    #expect(try copy.contents() == fixture.contents())
  }

  @Test func aWholeObjectKeepsWhatOthersTakeFromIt() throws {
    let notation = """
      Feature
        id: integer64
        title: string | broker.key=properties.name
        size: double | broker.key=properties.measures.size
        seen: date | broker.key=properties.seen
        properties: transformable
      """
    let fixture = try Fixture(notation).alone()
    let json =
      #"{"id":1,"properties":{"more":2,"name":"A","measures":{"size":1.50,"unit":"m"},"seen":"2020-01-02","rest":[1,{"x":null}]}}"#
    try fixture.load(json)
    #expect(try fixture.exported("Feature") == [json])
    // A value that was changed takes its place among the others.
    try fixture.store.transaction { transaction in
      try transaction.execute("UPDATE Feature SET title = 'B', size = NULL")
      return ((), .commit)
    }
    #expect(
      try fixture.exported("Feature") == [
        json.replacing("\"A\"", with: "\"B\"").replacing("1.50", with: "null")
      ])
    #expect(try fixture.load(fixture.exported("Feature")[0]).problems == [])
  }
}
