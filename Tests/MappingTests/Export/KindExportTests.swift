import Mapping
import ObjectModel
import Testing

/// Exported objects say which sub-entity they are of, so that nothing is lost on the way back.
@Suite struct KindExportTests {
  private let parts = """
    Doc
      id: integer64
      shapes: [Shape] | ordered
    Shape | abstract
      color: string
    Circle : Shape
      radius: integer16
    Square : Shape
      side: integer16
    """

  private let objects = """
    Post
      id: integer64
      items: [Media] | ordered
    Media
      id: integer64
      title: string
    Photo : Media
      width: integer16
    Video : Media
      seconds: integer16
    """

  private func roundTrip(
    _ notation: String, _ discriminator: Discriminator?, of entity: String, _ root: String, _ json: String,
    nested: Int = 0
  ) throws -> String {
    var mapping = JSONMapping()
    mapping[root].discriminator = discriminator
    let fixture = try Fixture(notation, entity: entity, mapping: mapping)
    #expect(try fixture.load(json).problems == [])
    var options = ExportOptions()
    options.relationships = .nested(depth: nested)
    options.includesNulls = false
    options.form = .lines
    let exported = try Exporter(fixture.store, options).text(of: entity)
    let again = try fixture.load(exported)
    #expect(!again.changesAnything && again.issues == [] && again.unmatchedKeys == [:])
    let copy = try Fixture(notation, entity: entity, mapping: mapping)
    try copy.load(exported)
    #expect(try copy.contents() == fixture.contents())
    return exported
  }

  @Test func partsSayItByTheirDiscriminator() throws {
    let line = try roundTrip(
      parts, .key("kind", values: ["c": "Circle"]), of: "Doc", "Shape",
      #"{"id": 1, "shapes": [{"kind": "c", "radius": 2, "color": "red"}, {"kind": "square", "side": 3}]}"#)
    #expect(
      line
        == #"{"id":1,"shapes":[{"color":"red","radius":2,"kind":"c"},{"side":3,"kind":"square"}]}"# + "\n")
  }

  @Test func aKeyPathIsPutTogether() throws {
    let line = try roundTrip(
      parts, .key("meta.kind"), of: "Doc", "Shape",
      #"{"id": 1, "shapes": [{"meta": {"kind": "circle"}, "radius": 2}]}"#)
    #expect(line == #"{"id":1,"shapes":[{"radius":2,"meta":{"kind":"circle"}}]}"# + "\n")
  }

  @Test func partsSayItByTheirWrapper() throws {
    let line = try roundTrip(
      parts, .wrapper(["c": "Circle"]), of: "Doc", "Shape",
      #"{"id": 1, "shapes": [{"c": {"radius": 2}}, {"square": {"side": 3}}]}"#)
    #expect(line == #"{"id":1,"shapes":[{"c":{"radius":2}},{"square":{"side":3}}]}"# + "\n")
  }

  @Test func ofSeveralValuesTheOneThatCameIsKept() throws {
    var mapping = JSONMapping()
    mapping["Media"].discriminator = .key(
      "type", values: ["picture": "Photo", "image": "Photo", "clip": "Video"])
    mapping["Media"].unknownKind = "Media"
    let fixture = try Fixture(objects, entity: "Media", mapping: mapping)
    func lines() throws -> [String] {
      var options = ExportOptions()
      options.includesNulls = false
      options.form = .lines
      return try Exporter(fixture.store, options).text(of: "Media").split(separator: "\n").map(String.init)
    }
    try fixture.load(
      """
      [{"type": "image", "id": 1}, {"type": "picture", "id": 2}, {"type": "clip", "id": 3},
       {"type": "gif", "id": 4}, {"id": 5}]
      """)
    #expect(
      try lines() == [
        #"{"id":1,"type":"image"}"#, #"{"id":2,"type":"picture"}"#, #"{"id":3,"type":"clip"}"#,
        #"{"id":4,"type":"gif"}"#, #"{"id":5,"type":"Media"}"#,
      ])
    // What an export writes by itself takes no room.
    #expect(try fixture.rows("SELECT _kind FROM Media ORDER BY id") == ["image", "-", "-", "gif", "-"])
    let again = try fixture.load(lines().joined(separator: "\n"))
    #expect(!again.changesAnything && again.issues == [])
    // Another value for the same kind is a change; who does not say keeps it; another kind has its own.
    try fixture.load(
      #"[{"type": "picture", "id": 1}, {"type": "video", "id": 4}, {"type": "image", "id": 3}]"#)
    try fixture.load(#"[{"type": "image", "id": 2}]"#)
    try fixture.load(#"[{"type": "Photo", "id": 3, "width": 7}]"#)
    #expect(
      try lines() == [
        #"{"id":1,"type":"picture"}"#, #"{"id":2,"type":"image"}"#, #"{"id":3,"width":7,"type":"Photo"}"#,
        #"{"id":4,"type":"video"}"#, #"{"id":5,"type":"Media"}"#,
      ])
  }

  @Test func theFirstValueOfTheMappingStandsForAKind() throws {
    var mapping = JSONMapping()
    mapping["Media"].discriminator = .wrapper(["picture": "Photo", "image": "Photo"])
    let fixture = try Fixture(objects, entity: "Media", mapping: mapping)
    let other = try Fixture(objects, entity: "Media")
    try other.load(#"[{"photo": {"id": 1}}]"#)
    try fixture.load(#"[{"image": {"id": 2}}, {"picture": {"id": 3}}]"#)
    let remembered = try JSONMapping(remembered: mapping.remembered())
    #expect(remembered.entities == mapping.entities)
    #expect(mapping["Media"].discriminator != .wrapper(["image": "Photo", "picture": "Photo"]))
    let text = try Exporter(fixture.store, ExportOptions()).text(of: "Media")
    #expect(text.contains(#"{"image":{"id":2"#) && text.contains(#"{"picture":{"id":3"#))
  }

  @Test func whereNothingIsSaidACommonKeySaysIt() throws {
    let line = try roundTrip(
      objects, nil, of: "Post", "Media",
      #"{"id": 1, "items": [{"type": "photo", "id": 1, "width": 2}, {"id": 2, "title": "plain"}]}"#, nested: 1
    )
    #expect(
      line == #"{"id":1,"items":[{"type":"Photo","id":1,"width":2},{"id":2,"title":"plain"}]}"# + "\n")
  }

  @Test func objectsOfAnEntitySayItThemselves() throws {
    let lines = try roundTrip(
      objects, nil, of: "Media", "Media",
      #"[{"type": "video", "id": 1, "seconds": 2}, {"id": 2, "title": "t"}]"#)
    #expect(lines == #"{"type":"Video","id":1,"seconds":2}"# + "\n" + #"{"id":2,"title":"t"}"# + "\n")
  }

  @Test func aPropertyThatHasTheKeyKeepsIt() throws {
    let lines = try roundTrip(
      objects.replacing("title: string", with: "title: string\n  type: string\n  kind: string"), nil,
      of: "Media", "Media", #"[{"class": "video", "id": 1, "type": "own", "kind": "mine"}]"#)
    #expect(lines == #"{"entity":"Video","id":1,"type":"own","kind":"mine"}"# + "\n")
  }

  @Test func aSubEntityThatWasAskedForSaysNothing() throws {
    let lines = try roundTrip(objects, nil, of: "Photo", "Media", #"[{"id": 1, "width": 2}]"#)
    #expect(lines == #"{"id":1,"width":2}"# + "\n")
  }
}

/// Two properties never share a key.
@Suite struct KeyCollisionTests {
  @Test func namesThatDifferInStyleKeepTheirs() throws {
    let fixture = try Fixture("E\n  id: integer64\n  fooBar: string\n  foo_bar: string", entity: "E")
    try fixture.load(#"[{"id": 1, "fooBar": "x", "foo_bar": "y"}]"#)
    var options = ExportOptions()
    options.keys = .snake
    let json = try Exporter(fixture.store, options).text(of: "E")
    #expect(json.contains(#""fooBar":"x","foo_bar":"y""#))
    #expect(try !fixture.load(json).changesAnything)
  }

  @Test func aNameGivesWayToAnAnnotatedKey() throws {
    let fixture = try Fixture(
      "E\n  id: integer64\n  a: string | broker.key=other_name\n  otherName: string", entity: "E")
    try fixture.load(#"[{"id": 1, "other_name": "x", "otherName": "y"}]"#)
    var options = ExportOptions()
    options.keys = .snake
    let json = try Exporter(fixture.store, options).text(of: "E")
    #expect(json.contains(#""other_name":"x","otherName":"y""#))
    #expect(try !fixture.load(json).changesAnything)
  }
}
