import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Key paths through lists, and keys that have dots.
@Suite struct PositionTests {
  private func run() throws -> JSONShape {
    try JSONShape(
      """
      Run
        id: integer64
        lat: double | broker.key=latlng[0]
        lng: double | broker.key=latlng[-1]
        code: string | broker.key=code.coding[0].code
        dotted: string | broker.key=["a.b"].c
      """)
  }

  @Test func placesOfLists() throws {
    let shape = try run()
    let json =
      #"{"id": 1, "latlng": [48.5, 0, 11.5], "code": {"coding": [{"code": "X"}, {"code": "Y"}]}, "a.b": {"c": "d"}}"#
    let report = try shape.load(json)
    #expect(report.problems == [])
    #expect(try shape.rows("Run") == ["1 48.5 11.5 X d"])
    #expect(
      try shape.fixture.exported("Run") == [
        #"{"id":1,"latlng":[48.5,11.5],"code":{"coding":[{"code":"X"}]},"a.b":{"c":"d"}}"#
      ])
    try shape.expectRoundTrip("Run")
  }

  @Test(arguments: [
    // What a list does not have is missing: what was there stays.
    (#"{"id": 1, "latlng": []}"#, "1 48.5 11.5 X d"),
    (#"{"id": 1, "code": {"coding": []}}"#, "1 48.5 11.5 X d"),
    // One element is the first and the last.
    (#"{"id": 1, "latlng": [7]}"#, "1 7.0 7.0 X d"),
    // A null on the way is a null.
    (#"{"id": 1, "latlng": null, "code": null}"#, "1 - - - d"),
    (#"{"id": 1, "latlng": [null, 2], "code": {"coding": null}}"#, "1 - 2.0 - d"),
    (#"{"id": 1, "code": {"coding": [null]}, "a.b": null}"#, "1 48.5 11.5 - -"),
  ])
  func whatIsNotThere(_ json: String, _ row: String) throws {
    let shape = try run()
    try shape.load(
      #"{"id": 1, "latlng": [48.5, 11.5], "code": {"coding": [{"code": "X"}]}, "a.b": {"c": "d"}}"#)
    let report = try shape.load(json)
    #expect(report.problems == [])
    #expect(try shape.rows("Run") == [row])
    try shape.expectRoundTrip("Run")
  }

  @Test(arguments: [
    (#"{"id": 1, "latlng": 5}"#, "$.latlng: expected a list, found 5; nothing taken from it"),
    (#"{"id": 1, "latlng": {"0": 1}}"#, "$.latlng: expected a list, found an object; nothing taken from it"),
    (#"{"id": 1, "code": [1]}"#, "$.code: expected an object, found a list; nothing taken from it"),
    (
      #"{"id": 1, "code": {"coding": [1]}}"#,
      "$.code.coding[0]: expected an object, found 1; nothing taken from it"
    ),
    (#"{"id": 1, "latlng": ["x"]}"#, #"$.latlng[-1]: expected a number, found "x"; value left out"#),
  ])
  func somethingElseOnTheWay(_ json: String, _ problem: String) throws {
    let report = try run().load(json)
    #expect(report.problems.contains(problem), "\(report.problems)")
    #expect(report.counts == "Run +1")
  }

  @Test func allElementsOfAList() throws {
    let shape = try JSONShape(
      """
      Meeting
        id: integer64
        states: transformable | broker.key=participant[].state
        people: [Person] <- meetings | broker.key=participant[].individual | ordered
        rooms: [Room] <- meetings | broker.key=places[].halls[].room
      Person
        id: integer64
        name: string
        meetings: [Meeting] <- people
      Room
        id: integer64
        meetings: [Meeting] <- rooms
      """, entity: "Meeting")
    let report = try shape.load(
      """
      {"id": 1, "participant": [
        {"individual": {"id": 7, "name": "Ann"}, "state": "yes"}, {"individual": 8, "state": null, "note": "x"}, {}],
       "places": [{"halls": [{"room": 1}, {"room": 2}]}, {"halls": {"room": 3}}, {}]}
      """)
    #expect(report.problems == [])
    #expect(report.waiting.count == 4)
    #expect(report.unmatchedKeys == ["Meeting": ["participant[].note": 1]])
    #expect(try shape.rows("Meeting") == [#"1 ["yes",null]"#])
    #expect(try shape.rows("Meeting_people", "people") == ["7", "8"])
    #expect(
      try shape.fixture.exported("Meeting") == [
        #"{"id":1,"participant":[{"state":"yes"},{"state":null},{"individual":7},{"individual":8}],"places":[{"halls":[{"room":1}]},{"halls":[{"room":2}]},{"halls":[{"room":3}]}]}"#
      ])
    try shape.expectRoundTrip("Meeting", "Person")
    #expect(try shape.load(#"{"id": 1, "participant": [], "places": []}"#).counts == "Meeting ~1")
    #expect(try shape.rows("Meeting") == ["1 []"])
    #expect(try shape.rows("Meeting_people") == [])
    // What no element has is missing.
    try shape.load(#"{"id": 1, "participant": [{"individual": 7}, {"individual": 8}]}"#)
    try shape.load(#"{"id": 1, "participant": [{"state": "no"}, {}]}"#)
    #expect(try shape.rows("Meeting_people", "people") == ["7", "8"])
    #expect(try shape.rows("Meeting") == [#"1 ["no"]"#])
  }

  @Test func anElementThatIsNoTargetIsAnIssue() throws {
    let shape = try JSONShape(
      """
      Meeting
        id: integer64
        people: [Person] <- meeting | broker.key=participant[].individual
      Person
        id: integer64
        meeting: Meeting <- people
      """, entity: "Meeting")
    let report = try shape.load(
      #"{"id": 1, "participant": [{"individual": true}, {"individual": [5, "x"]}, 3]}"#)
    #expect(report.places == ["$.participant[].individual[2]", "$.participant[]"])
    #expect(report.issues.map(\.action) == ["element left out", "nothing taken from it"])
  }

  @Test func objectsThatAreLists() throws {
    let shape = try JSONShape(
      """
      Track
        id: integer64
        points: [Point] <- track | ordered
      Point
        x: double | broker.key=[0]
        y: double | broker.key=[1]
        note: string | broker.key=[3]
        track: Track <- points
      """, entity: "Track")
    let report = try shape.load(#"[{"id": 1, "points": [[1, 2], [3, 4, 0, "n"], {"x": 5}, 7]}]"#)
    #expect(
      report.problems == ["$[0].points[3]: expected Point, as an object, found 7; element left out"])
    #expect(try shape.rows("Point", "x, y, note") == ["1.0 2.0 -", "3.0 4.0 n", "5.0 - -"])
    #expect(
      try shape.fixture.exported("Track") == [
        #"{"id":1,"points":[[1,2,null,null],[3,4,null,"n"],[5,null,null,null]]}"#
      ])
    try shape.expectRoundTrip("Track")
  }

  @Test func listsAtTheTopAreObjects() throws {
    let shape = try JSONShape(
      """
      Place
        id: string | broker.key=[0]
        name: string | broker.key=[1]
      """)
    let report = try shape.load(#"[["a", "A"], ["b"], [], 5]"#)
    #expect(
      report.problems == [
        "$[2][0]: expected an identity, found nothing; object skipped",
        "$[3]: expected an object, found 5; element left out",
      ])
    #expect(try shape.rows("Place") == ["a A", "b -"])
    #expect(try shape.fixture.exported("Place") == [#"["a","A"]"#, #"["b",null]"#])
    try shape.expectRoundTrip("Place")
  }

  @Test func aWholeListAndItsPlaces() throws {
    let shape = try JSONShape(
      """
      Run
        id: integer64
        start: transformable
        lat: double | broker.key=start[0]
        lng: double | broker.key=start[1]
      """)
    try shape.load(#"{"id": 1, "start": [1, 2, "more"]}"#)
    #expect(try shape.rows("Run") == [#"1 [1,2,"more"] 1.0 2.0"#])
    #expect(try shape.fixture.exported("Run") == [#"{"id":1,"start":[1,2,"more"]}"#])
    try shape.expectRoundTrip("Run")
  }

  @Test(arguments: [
    ("a[", "lacks a “]”"), ("a]", "has a “]” without a “[” before it"), ("a..b", "has an empty key"),
    ("a[x]", "has “x” in brackets, which is no position; a key stands there in quotes"),
    ("a[0]b", "lacks a dot after a “]”"), ("a[99999]", "has a position beyond 9999"),
    (#"["a"#, "lacks the quote at the end of a key"),
    (Array(repeating: "a", count: 10_000).joined(separator: "."), "has more than 100 steps"),
  ])
  func whatIsNoPathLeavesOutItsProperty(_ path: String, _ message: String) throws {
    let fixture = try Fixture("Band\n  id: integer64\n  name: string | broker.key=\(path)")
    let report = try fixture.load(#"{"id": 1, "name": "Japan"}"#)
    #expect(report.counts == "Band +1")
    #expect(report.issues.count == 1)
    #expect(report.issues.first?.expected == "a key or a key path")
    let problem = fixture.store.layout.schema.model.mappingProblems().first
    #expect(problem?.advice == "it \(message)")
  }

  @Test func aHundredStepsAreRead() throws {
    let steps = (0..<99).map { "s\($0)" }
    let shape = try JSONShape(
      "Band\n  id: integer64\n  name: string | broker.key=\(steps.joined(separator: "."))")
    let json = steps.reversed().reduce(#""deep""#) { #"{"\#($1)": \#($0)}"# }
    try shape.load(#"{"id": 1, \#(json.dropFirst())"#)
    #expect(try shape.rows("Band") == ["1 deep"])
    try shape.expectRoundTrip("Band")
  }

  @Test func allElementsNeedRoom() throws {
    let report = try Fixture(
      """
      Band
        id: integer64
        name: string | broker.key=names[].text
        album: Album | broker.key=albums[].it
      Album
        id: integer64
      """
    ).load(#"{"id": 1, "names": [{"text": "x"}]}"#, as: "Band")
    #expect(report.issues.map(\.key) == ["name", "album"])
    #expect(report.counts == "Band +1")
  }
}
