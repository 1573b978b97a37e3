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
        == #"{"id":1,"shapes":[{"color":"red","radius":2,"kind":"c"},{"side":3,"kind":"Square"}]}"# + "\n")
  }

  @Test func aKeyPathIsPutTogether() throws {
    let line = try roundTrip(
      parts, .key("meta.kind"), of: "Doc", "Shape",
      #"{"id": 1, "shapes": [{"meta": {"kind": "circle"}, "radius": 2}]}"#)
    #expect(line == #"{"id":1,"shapes":[{"radius":2,"meta":{"kind":"Circle"}}]}"# + "\n")
  }

  @Test func partsSayItByTheirWrapper() throws {
    let line = try roundTrip(
      parts, .wrapper(["c": "Circle"]), of: "Doc", "Shape",
      #"{"id": 1, "shapes": [{"c": {"radius": 2}}, {"square": {"side": 3}}]}"#)
    #expect(line == #"{"id":1,"shapes":[{"c":{"radius":2}},{"Square":{"side":3}}]}"# + "\n")
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
