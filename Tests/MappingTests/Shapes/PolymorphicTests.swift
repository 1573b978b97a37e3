import Mapping
import ObjectModel
import Testing

/// Keys that lead to objects of any of several entities, each with a table of its own.
@Suite struct PolymorphicTests {
  private let model = """
    Comment
      id: integer64
      body: string
      kindOfTarget: string
      photo: Photo <- comments
      event: Event <- comments
    Photo
      id: integer64
      url: string
      comments: [Comment] <- photo
      feeds: [Feed] <- photos
    Event
      id: string
      title: string
      comments: [Comment] <- event
      feeds: [Feed] <- events
    Feed
      id: integer64
      photos: [Photo] <- feeds | ordered
      events: [Event] <- feeds | ordered
    """

  private func shape(_ rule: String = "[photo, event]", _ list: String = "[photos, events]") throws
    -> JSONShape
  {
    try JSONShape(
      model,
      """
      Comment: {identity: id, polymorphic: {commentable: \(rule)}}
      Feed: {identity: id, polymorphic: {items: \(list)}}
      Photo: {identity: id}
      Event: {identity: id}
      """)
  }

  @Test func theKindStandsInsideBesideOrAround() throws {
    let shape = try shape()
    let report = try shape.load(
      """
      {"comments": [
        {"id": 1, "commentable_type": "Photo", "commentable_id": 5},
        {"commentable_id": "e6", "commentable_type": "events", "id": 2},
        {"id": 3, "commentable": {"type": "photo", "id": 7, "url": "u"}},
        {"id": 4, "commentable": {"event": {"id": "e8", "title": "t"}}},
        {"id": 5, "commentable": null},
        {"id": 6, "commentable": {"id": 9, "url": "x"}, "commentableType": "PHOTO"},
        {"id": 7, "photo_id": 5}
      ]}
      """)
    #expect(report.problems == [])
    #expect(
      try shape.rows("Comment", "id, photo, event") == [
        "1 5 -", "2 - e6", "3 7 -", "4 - e8", "5 - -", "6 9 -", "7 5 -",
      ])
    #expect(
      try shape.fixture.exported("Comment") { $0.includesNulls = false } == [
        #"{"id":1,"commentable":{"type":"Photo","id":5}}"#,
        #"{"id":2,"commentable":{"type":"Event","id":"e6"}}"#,
        #"{"id":3,"commentable":{"type":"Photo","id":7}}"#,
        #"{"id":4,"commentable":{"type":"Event","id":"e8"}}"#,
        #"{"id":5}"#, #"{"id":6,"commentable":{"type":"Photo","id":9}}"#,
        #"{"id":7,"commentable":{"type":"Photo","id":5}}"#,
      ])
    try shape.expectRoundTrip("Comment", "Photo", "Event")
  }

  @Test func oneLinkTakesTheOthersAway() throws {
    let shape = try shape()
    try shape.load(
      #"{"comments": [{"id": 1, "commentable": {"type": "Photo", "id": 5}}, {"id": 2, "photo": 5}]}"#)
    try shape.load(
      """
      {"comments": [{"id": 1, "commentable": {"type": "Event", "id": "a"}}],
       "events": [{"id": "b", "comments": [{"id": 2, "body": "nested"}]}]}
      """)
    #expect(try shape.rows("Comment", "id, photo, event, body") == ["1 - a -", "2 - b nested"])
    try shape.load(#"{"comments": [{"id": 1, "commentable": null}]}"#)
    #expect(try shape.rows("Comment", "id, photo, event") == ["1 - -", "2 - b"])
  }

  @Test func whatIsNoKindIsAnIssueAndChangesNothing() throws {
    let shape = try shape()
    try shape.load(#"{"comments": [{"id": 1, "commentable": {"type": "Photo", "id": 5}}]}"#)
    let report = try shape.load(
      """
      {"comments": [
        {"id": 1, "commentable_type": "Dog", "commentable_id": 9},
        {"id": 1, "commentable": {"id": 9}},
        {"id": 1, "commentable": "Photo/9"},
        {"id": 1, "commentable": [9]},
        {"id": 1, "commentable": {"type": "Photo", "id": "x"}},
        {"id": 1, "commentable_type": "Photo"}
      ]}
      """)
    let expected = "an object of one of these kinds: Photo, Event"
    #expect(
      report.problems == [
        #"$.comments[0].commentable_id: expected \#(expected), found "Dog"; value left out"#,
        "$.comments[1].commentable: expected \(expected), found an object that does not say its kind; value left out",
        #"$.comments[2].commentable: expected \#(expected), found "Photo/9"; value left out"#,
        "$.comments[3].commentable: expected \(expected), found a list; value left out",
        #"$.comments[4].commentable.id: expected a whole number of 64 bits, found "x"; object skipped"#,
      ])
    #expect(try shape.rows("Comment", "id, photo, event") == ["1 5 -"])
  }

  @Test func listsHoldObjectsOfAllKinds() throws {
    let shape = try shape()
    let report = try shape.load(
      """
      {"feeds": [{"id": 1, "items": [
        {"type": "photo", "id": 1, "url": "p"}, {"type": "event", "id": "a"}, {"photo": {"id": 2, "url": "q"}},
        {"type": "dog"}, 5]}]}
      """)
    #expect(report.problems.count == 2)
    #expect(
      try shape.fixture.exported("Feed") { $0.relationships = .nested(depth: 1) } == [
        #"{"id":1,"items":[{"type":"Photo","id":1,"url":"p","comments":[]},{"type":"Photo","id":2,"url":"q","comments":[]},{"type":"Event","id":"a"}]}"#
      ])
    try shape.expectRoundTrip("Feed")
    try shape.load(#"{"feeds": [{"id": 1, "items": [{"type": "photo", "id": 2}]}]}"#)
    #expect(
      try shape.fixture.exported("Feed") == [#"{"id":1,"items":[{"type":"Photo","id":2}]}"#])
    try shape.load(#"{"feeds": [{"id": 1, "items": null}]}"#)
    #expect(try shape.fixture.exported("Feed") == [#"{"id":1,"items":[]}"#])
  }

  @Test func exportsTellTheKindBesideOrInTheText() throws {
    let beside = try shape(
      "{to: [photo, event], kind: target_type, key: target_id, values: {P: photo}}", "[photos, events]")
    try beside.load(
      """
      {"comments": [{"id": 1, "target_id": 5, "target_type": "P"}, {"id": 2, "target_type": "Event", "target_id": "a"},
        {"id": 3, "commentable": {"id": 6, "url": "x"}, "target_type": "Photo"}]}
      """)
    #expect(
      try beside.fixture.exported("Comment") { $0.includesNulls = false } == [
        #"{"id":1,"target_type":"P","target_id":5}"#, #"{"id":2,"target_type":"Event","target_id":"a"}"#,
        #"{"id":3,"target_type":"P","target_id":6}"#,
      ])
    try beside.expectRoundTrip("Comment")

    let text = try shape(
      "{to: [photo, event], text: \"/api/{kind}/{key}/\"}", "{to: [photos, events], text: \"{kind}#{key}\"}")
    let report = try text.load(
      """
      {"comments": [{"id": 1, "commentable": "/api/photos/5/"}, {"id": 2, "commentable": "/api/event/a/b/"},
        {"id": 3, "commentable": "/api/dogs/5/"}],
       "feeds": [{"id": 1, "items": ["photo#1", "event#a", "nothing"]}]}
      """)
    #expect(report.problems.count == 2)
    #expect(
      try text.fixture.exported("Comment") { $0.includesNulls = false } == [
        #"{"id":1,"commentable":"/api/Photo/5/"}"#, #"{"id":2,"commentable":"/api/Event/a/b/"}"#,
        #"{"id":3}"#,
      ])
    #expect(try text.fixture.exported("Feed") == [#"{"id":1,"items":["Photo#1","Event#a"]}"#])
    try text.expectRoundTrip("Comment", "Feed")
  }

  @Test func aKindMayBeAnAttributeToo() throws {
    let shape = try JSONShape(
      model,
      """
      Comment:
        identity: id
        keys: {kindOfTarget: target_type}
        polymorphic: {commentable: {to: [photo, event], kind: target_type, key: target_id}}
      Photo: {identity: id}
      Event: {identity: id}
      """, entity: "Comment")
    try shape.load(#"[{"id": 1, "target_id": 5, "target_type": "photo"}]"#)
    #expect(try shape.rows("Comment", "id, kindOfTarget, photo") == ["1 photo 5"])
    #expect(
      try shape.fixture.exported("Comment") { $0.includesNulls = false }
        == [#"{"id":1,"target_type":"photo","target_id":5}"#])
    try shape.expectRoundTrip("Comment")
  }

  @Test func dialectsHaveThemInside() throws {
    let shape = try JSONShape(
      model,
      """
      dialect: jsonapi
      Comment: {identity: id, polymorphic: {commentable: [photo, event]}}
      Feed: {identity: id, polymorphic: {items: [photos, events]}}
      Photo: {identity: id}
      Event: {identity: id}
      """)
    let report = try shape.load(
      """
      {"data": [{"type": "comments", "id": "1", "attributes": {"body": "b"},
         "relationships": {"commentable": {"data": {"type": "photos", "id": "5"}}}},
        {"type": "feeds", "id": "1", "relationships": {"items": {"data": [
          {"type": "events", "id": "a"}, {"type": "photos", "id": "5"}]}}}],
       "included": [{"type": "photos", "id": "5", "attributes": {"url": "u"}}]}
      """)
    #expect(report.problems == [])
    #expect(try shape.rows("Comment", "id, body, photo, event") == ["1 b 5 -"])
    #expect(try shape.rows("Photo", "id, url") == ["5 u"])
    try shape.expectRoundTrip("Comment", "Feed")
  }

  @Test(arguments: [
    ("[photo, event, nothing]", "“nothing”, which is no relationship"),
    ("[photo]", "needs two relationships"),
    ("[photo, photo]", "needs two relationships"),
    ("{to: [photo, event], text: \"{kind}{key}\"}", "the text “{kind}{key}”"),
    ("{to: [photo, event], key: x}", "has a key without"),
    ("{to: [photo, event], values: {x: foto}}", "“foto” for “x”"),
    ("{to: [photo, event], kinds: x}", "none of to, kind, key, text and values"),
  ])
  func mistakesAreNamed(_ rule: String, _ words: String) {
    let error = #expect(throws: MappingError.self) { try shape(rule) }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  /// Kinds are looked for once in an object, however often the key comes.
  @Test func manyKeysOfOneNameTakeNoTime() throws {
    let shape = try shape()
    let keys = Array(repeating: #""commentable_id": 5"#, count: 20_000).joined(separator: ",")
    let report = try shape.load(#"{"comments": [{"id": 1, \#(keys), "commentable_type": "Photo"}]}"#)
    #expect(report.problems == [])
    #expect(try shape.rows("Comment", "id, photo") == ["1 5"])
  }
}
