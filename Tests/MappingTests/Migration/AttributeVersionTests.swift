import ObjectModel
import ObjectStore
import Testing

@Suite("Versions: attributes") struct AttributeVersionTests {
  private let bands = "Band | unique=name\n  name: string\n  formed: integer16"
  private let json = #"{"Band": [{"name": "Japan", "formed": 1974}, {"name": "Yes"}]}"#

  @Test("an optional attribute is added in place, empty") func added() throws {
    let versions = try Versions(bands, json)
    try versions.migrate(to: bands + "\n  genre: string")
    #expect(try versions.json() == #"{"Band":[{"name":"Japan","formed":1974},{"name":"Yes"}]}"#)
    let fixture = try versions.fixture()
    try fixture.load(#"{"Band": [{"name": "Yes", "genre": "rock"}]}"#)
    #expect(
      try versions.json() == #"{"Band":[{"name":"Japan","formed":1974},{"name":"Yes","genre":"rock"}]}"#)
  }

  @Test("with a default, what is there gets it", arguments: ["integer16", "integer16!"])
  func addedWithDefault(_ type: String) throws {
    let versions = try Versions(bands, json)
    try versions.migrate(to: bands + "\n  members: \(type) | default=4")
    #expect(
      try versions.json()
        == #"{"Band":[{"name":"Japan","formed":1974,"members":4},{"name":"Yes","members":4}]}"#)
  }

  @Test("without a default, a required one is refused, and a value decides") func addedRequired() throws {
    let versions = try Versions(bands, json)
    let new = bands + "\n  members: integer16!"
    let message = try versions.refusal(of: new)
    #expect(
      message.contains(
        "Band.members is new, and required (2 objects): 2 objects would have no value; give it"))
    #expect(
      try versions.refusal(of: new, .automatic.setting("many", for: "Band.members")).contains(
        "“many” is not integer16"))
    #expect(
      try versions.refusal(of: new, .automatic.setting("1", for: "Band.member")).contains(
        "did you mean Band.members?"))
    try versions.migrate(to: new, .automatic.setting("5", for: "Band.members"))
    #expect(
      try versions.json()
        == #"{"Band":[{"name":"Japan","formed":1974,"members":5},{"name":"Yes","members":5}]}"#)
  }

  @Test("to an empty entity it just comes") func addedRequiredToNone() throws {
    let versions = try Versions(bands + "\nAlbum | unique=title\n  title: string", json)
    try versions.migrate(to: bands + "\nAlbum | unique=title\n  title: string\n  year: integer16!")
    #expect(try versions.json() == #"{"Band":[{"name":"Japan","formed":1974},{"name":"Yes"}],"Album":[]}"#)
  }

  @Test("removed with consent only, which names the counts") func removed() throws {
    let versions = try Versions(bands, json)
    let new = "Band | unique=name\n  name: string"
    let message = try versions.refusal(of: new)
    #expect(message.contains("Band.formed is removed; 1 without a place"))
    try versions.migrate(to: new, .automatic.allowing(.removals))
    #expect(try versions.json() == #"{"Band":[{"name":"Japan"},{"name":"Yes"}]}"#)
  }

  @Test("renamed, with its index") func renamed() throws {
    let versions = try Versions("Band | unique=name\n  name: string\n  formed: integer16 | indexed", json)
    try versions.migrate(
      to: "Band | unique=name\n  name: string\n  founded: integer16 | indexed | was=formed")
    #expect(try versions.json() == #"{"Band":[{"name":"Japan","founded":1974},{"name":"Yes"}]}"#)
  }

  @Test("two that take each other's names") func swapped() throws {
    let versions = try Versions(
      "Band | unique=name\n  name: string\n  a: integer16\n  b: integer16",
      #"{"Band": [{"name": "Japan", "a": 1, "b": 2}]}"#)
    try versions.migrate(
      to: "Band | unique=name\n  name: string\n  a: integer16 | was=b\n  b: integer16 | was=a")
    #expect(try versions.json() == #"{"Band":[{"name":"Japan","a":2,"b":1}]}"#)
  }

  @Test("optional and required") func required() throws {
    let versions = try Versions(bands, json)
    let required = bands + "!"
    #expect(
      try versions.refusal(of: required).contains(
        "Band.formed is required (1 object): 1 object would have no value"))
    try versions.migrate(to: required + " | default=1900")
    #expect(try versions.json() == #"{"Band":[{"name":"Japan","formed":1974},{"name":"Yes","formed":1900}]}"#)
    try versions.migrate(to: bands)
    #expect(try versions.json() == #"{"Band":[{"name":"Japan","formed":1974},{"name":"Yes","formed":1900}]}"#)
  }

  @Test("objects without a value go if that is asked for, and so do links to them") func dropped() throws {
    let albums = "\nAlbum | unique=title\n  title: string\n  band: Band"
    let versions = try Versions(
      bands + albums, json,
      #"{"Album": [{"title": "Tin Drum", "band": "Japan"}, {"title": "Tago Mago", "band": "Yes"}]}"#)
    let new = bands + "!" + albums
    #expect(try versions.refusal(of: new, .automatic.dropping("Band.formed")).contains("1 without a place"))
    try versions.migrate(to: new, .automatic.dropping("Band.formed").allowing(.removals))
    #expect(
      try versions.json()
        == #"{"Band":[{"name":"Japan","formed":1974}],"Album":[{"title":"Tago Mago"},{"title":"Tin Drum","band":"Japan"}]}"#
    )
  }

  @Test(
    "types that lose nothing",
    arguments: [
      ("integer16", "integer32", "5", "5"), ("integer16", "integer64", "5", "5"),
      ("integer64", "decimal", "5", "5"),
      ("integer64", "double", "5", "5"), ("boolean", "integer32", "true", "1"),
      ("uri", "string", "\"a:b\"", "\"a:b\""),
      ("string", "transformable", "\"a\"", "\"a\""), ("integer64", "integer16", "5", "5"),
      ("double", "integer16", "5.0", "5"),
      ("string", "integer64", "\"12\"", "12"), ("integer32", "string", "12", "\"12\""),
      ("decimal", "string", "1.50", "\"1.5\""),
      ("date", "string", "\"1981-11-13T00:00:00Z\"", "\"1981-11-13T00:00:00Z\""),
      ("string", "date", "\"1981-11-13T00:00:00Z\"", "\"1981-11-13T00:00:00Z\""),
      ("string", "boolean", "\"yes\"", "true"),
      ("boolean", "string", "true", "\"true\""), ("double", "decimal", "0.1", "0.1"),
      ("decimal", "double", "0.1", "0.1"),
      ("transformable", "string", "\"x\\ny\"", "\"x\\ny\""),
      ("binary", "string", "\"AAEC\"", "\"AAEC\""), ("integer16", "boolean", "1", "true"),
    ]) func types(_ old: String, _ new: String, _ value: String, _ expected: String) throws
  {
    let versions = try Versions(
      "Thing | unique=name\n  name: string\n  value: \(old)",
      #"{"Thing": [{"name": "a", "value": \#(value)}, {"name": "b"}]}"#)
    try versions.migrate(to: "Thing | unique=name\n  name: string\n  value: \(new)")
    #expect(try versions.json() == #"{"Thing":[{"name":"a","value":\#(expected)},{"name":"b"}]}"#)
  }

  @Test("values that another type cannot hold are counted, and go with consent only") func losing() throws {
    let versions = try Versions(
      "Thing | unique=name\n  name: string\n  value: string",
      #"{"Thing": [{"name": "a", "value": "12"}, {"name": "b", "value": "much"}, {"name": "c", "value": "1.5"}]}"#
    )
    let new = "Thing | unique=name\n  name: string\n  value: integer64"
    #expect(try versions.refusal(of: new).contains("Thing.value is integer64, was string; 2 without a place"))
    let required = new + "!"
    #expect(
      try versions.refusal(of: required, .automatic.allowing(.removals)).contains(
        "2 values cannot be integer64"))
    try versions.migrate(to: new, .automatic.allowing(.removals))
    #expect(try versions.json() == #"{"Thing":[{"name":"a","value":12},{"name":"b"},{"name":"c"}]}"#)
  }

  @Test("a conversion of one's own; what it throws leaves the store as it was") func converted() throws {
    struct Failure: Error {}
    let versions = try Versions(
      "Thing | unique=name\n  name: string\n  value: string", #"{"Thing": [{"name": "a", "value": "12 s"}]}"#)
    let new = "Thing | unique=name\n  name: string\n  value: integer64"
    let before = try versions.contents()
    #expect(throws: Failure.self) {
      try versions.migrate(to: new, .automatic.converting("Thing.value") { _ in throw Failure() })
    }
    #expect(try versions.contents() == before)
    try versions.migrate(
      to: new,
      .automatic.converting("Thing.value") { value in
        guard case .text(let text) = value else { return .null }
        return Int64(text.dropLast(2)).map { .integer($0) } ?? .null
      })
    #expect(try versions.json() == #"{"Thing":[{"name":"a","value":12}]}"#)
  }

  @Test("refused altogether, if that is asked for") func refused() throws {
    let versions = try Versions(bands, json)
    let message = try versions.refusal(of: bands + "\n  genre: string", .refused)
    #expect(message.contains("The model differs from the one in the store"))
    #expect(message.contains("Band.genre is new"))
  }
}
