import Foundation
import ObjectModel
import Testing

@Suite struct YAMLWritingTests {
  @Test func shortWhereThatSaysEverything() throws {
    let yaml = """
      Band: {name: string*, formed: int16 = 1970, active: bool! = true, albums: [Album.band, ordered, cascade]}
      Album: {id: int!, title: {type: string!, key: album_title}, band: Band.albums!}
      LiveAlbum < Album: {place: string, cover: {type: Album, inverse: null}}
      abstract Note: {text: {type: string!, maximum: 80}}

      """
    #expect(try Model(yaml: Data(yaml.utf8)).yaml() == yaml)
  }

  /// Whatever names and texts a model has, it comes back.
  @Test func namesThatMeanSomethingInYAML() throws {
    let names = [
      "int", "true", "a: b", "- x", "*a", "&a", "x < y", "abstract z", "entities", "#", "é\u{301}", "1",
      "a|b", "$x", "A.b", "", "a=b",
    ]
    for name in names {
      let known = name.isEmpty ? "E" : name
      let entity = Entity(
        name: known,
        attributes: [
          Attribute(name: known, type: .string, defaultValue: name),
          Attribute(name: "n", type: .integer64, isOptional: true, defaultValue: "= \(name) \""),
        ],
        relationships: [Relationship(name: "r", destination: known, inverse: "r", inverseEntity: known)],
        userInfo: [name: "\n\(name)\u{7}"])
      let model = Model(entities: [entity])
      #expect(try Model(yaml: Data(model.yaml().utf8)) == model, "\(model.yaml())")
    }
  }

  @Test func realModelsComeBack() throws {
    let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    for path in [
      "Tests/RealDataTests/Models/Catalog.json", "Tests/RealDataTests/Models/Twitter.json",
      "Examples/Bands/Bands.xcdatamodeld",
    ] {
      let model = try Model(contentsOf: root.appendingPathComponent(path))
      #expect(try Model(yaml: Data(model.yaml().utf8)) == model)
    }
  }

  @Test func emptyModels() throws {
    #expect(try Model(yaml: Data(Model().yaml().utf8)) == Model())
  }
}
