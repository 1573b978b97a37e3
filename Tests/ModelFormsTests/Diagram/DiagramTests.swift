import Foundation
#if canImport(FoundationXML)
  import FoundationXML
#endif
import ModelForms
import ObjectModel
import Testing

@Suite struct DiagramTests {
  private static let bands = #"""
    {"name": "Band", "attributes": [{"name": "name", "type": "string"}], "unique": [["name"]],
     "relationships": [
      {"name": "albums", "destination": "Album", "toMany": true, "inverse": "band"},
      {"name": "fans", "destination": "Fan", "toMany": true, "inverse": "bands"},
      {"name": "rival", "destination": "Band"}]},
    {"name": "Album", "abstract": true, "attributes": [{"name": "id", "type": "integer64"}],
     "relationships": [{"name": "band", "destination": "Band", "optional": false, "inverse": "albums"}]},
    {"name": "Live Album", "parent": "Album", "attributes": [{"name": "place", "type": "string", "optional": true}]},
    {"name": "Fan", "relationships": [{"name": "bands", "destination": "Band", "toMany": true, "inverse": "fans"}]}
    """#

  private func text(_ form: ModelDiagram.Form) throws -> String {
    try ModelDiagram(SampleModels.model(Self.bands), title: "My \"bands\"").text(form)
  }

  @Test func mermaid() throws {
    let text = try text(.mermaid)
    #expect(text.hasPrefix("---\ntitle: \"My 'bands'\"\n---\nclassDiagram\n"))
    #expect(text.contains("  class E2[\"Live Album\"] {\n    string? place\n  }\n"))
    #expect(text.contains("    <<abstract>>\n"))
    #expect(text.contains("  E1 <|-- E2\n"))
    #expect(text.contains("  E0 \"1\" -- \"*\" E1 : albums / band\n"))
    #expect(text.contains("  E0 \"*\" -- \"*\" E3 : fans / bands\n"))
    #expect(text.contains("  E0 --> \"0..1\" E0 : rival\n"))
  }

  @Test func dot() throws {
    let text = try text(.dot)
    #expect(text.contains(#"graph [label="My \"bands\"", "#))
    #expect(text.contains(#"  E0:r1 -> E1:r1 [headlabel="*", taillabel="1"]"#))
    #expect(text.contains("  E1:head -> E2:head [dir=back, arrowtail=empty]\n"))
  }

  @Test func dbml() throws {
    let text = try text(.dbml)
    #expect(text.contains("Table Band {\n  name string [pk]\n  rival string\n}\n"))
    #expect(text.contains("Table Fan {\n  _id integer64 [pk]\n}\n"))
    #expect(text.contains("Ref: \"Live Album\".id - Album.id\n"))
    #expect(text.contains("Ref: Album.band > Band.name\n"))
    #expect(text.contains("Ref: Band.name <> Fan._id\n"))
  }

  /// The picture is well-formed XML whatever the names are, and says in words what it shows.
  @Test func svg() throws {
    let model = Model(entities: [
      Entity(name: "<&\"\u{0}\u{202E}]]>", attributes: [Attribute(name: "'-->", type: .string)]),
      Entity(name: "B"),
    ])
    let hostile = try ModelDiagram(model, title: "</title>").text(.svg)
    #expect(XMLParser(data: Data(hostile.utf8)).parse())
    let text = try text(.svg)
    #expect(XMLParser(data: Data(text.utf8)).parse())
    #expect(text.contains("role=\"img\" aria-labelledby=\"title description\""))
    #expect(text.contains("Album: id integer64, band Band. Live Album: place string?."))
    #expect(text.contains("@media (prefers-color-scheme: dark)"))
    #expect(text.contains(">1</text>") && text.contains(">*</text>"))
  }

  @Test func tooManyEntities() throws {
    let model = Model(entities: (0..<501).map { Entity(name: "E\($0)") })
    let diagram = try ModelDiagram(model, title: "")
    #expect(throws: TooManyEntities.self) { try diagram.text(.svg) }
    #expect(try diagram.text(.dbml).contains("Table E500 {"))
  }
}
