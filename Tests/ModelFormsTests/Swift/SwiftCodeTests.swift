import Foundation
import ObjectModel
import SwiftForm
import Testing

@Suite struct SwiftCodeTests {
  @Test func aModelAsTypes() throws {
    let model = try SampleModels.model(
      #"""
      {"name": "Band", "attributes": [
        {"name": "name", "type": "string", "maximum": 80},
        {"name": "formed", "type": "integer16", "optional": true, "default": 1970},
        {"name": "genre", "type": "string", "userInfo": {"broker.values": "[\"rock\", \"free jazz\"]"}}],
       "relationships": [
        {"name": "albums", "destination": "Album", "toMany": true, "inverse": "band", "deleteRule": "cascade"}],
       "unique": [["name"]]},
      {"name": "Album", "attributes": [{"name": "id", "type": "integer64"}, {"name": "year", "type": "date"}],
       "relationships": [{"name": "band", "destination": "Band", "optional": false, "inverse": "albums"}]}
      """#)
    let code = try SwiftCode(model)
    #expect(
      code.text == #"""
        // Made from a model by `broker model swift`.

        import Broker
        import Foundation

        /// The objects of Band, identified by `name`.
        @Entity struct Band {
          /// The values of `genre`.
          enum Genre: String, CaseIterable, Codable {
            case rock
            case freeJazz = "free jazz"
          }

          @Identity @Attribute(maximum: 80) var name: String
          var formed: Int16? = 1970
          var genre: Genre
          @Relationship(inverse: \Album.band, deleteRule: .cascade) var albums: ToMany<Album>
        }

        /// The objects of Album, identified by `id`.
        @Entity struct Album {
          var id: Int
          var year: Date
          var band: ToOne<Band>
        }

        """#)
    #expect(code.remarks == [])
  }

  @Test func aFileForEachType() throws {
    let model = try SampleModels.model(
      #"{"name": "note", "attributes": [{"name": "any", "type": "transformable"}]}, {"name": "Date"}"#)
    let files = try SwiftCode(model).files
    #expect(files.map(\.name) == ["Note.swift", "DateEntity.swift", "JSONText.swift"])
    #expect(files[0].text.contains(#"@Entity("note", identified: false) struct Note {"#))
  }

  @Test func publicTypesHaveAnInitializer() throws {
    let model = try SampleModels.model(
      #"""
      {"name": "Tag", "attributes": [{"name": "id", "type": "uuid"}, {"name": "in", "type": "string", "optional": true}],
       "relationships": [{"name": "tags", "destination": "Tag", "toMany": true}]}
      """#)
    let text = try SwiftCode(model, isPublic: true).text
    #expect(
      text.contains("  public init(id: UUID, `in`: String? = nil, tags: ToMany<Tag> = ToMany<Tag>()) {\n"))
    #expect(text.contains("  @Relationship(inverse: nil) public var tags: ToMany<Tag>\n"))
  }

  @Test func whatSwiftCannotSayIsRemarked() throws {
    let model = try SampleModels.model(
      #"""
      {"name": "Place", "abstract": true, "attributes": [
        {"name": "seen", "type": "date", "defaultDate": 0},
        {"name": "home", "type": "composite", "composite": "Address", "optional": true},
        {"name": "held", "type": "undefined", "optional": true, "transient": true},
        {"name": "code", "type": "double", "userInfo": {"broker.identity": "true"}},
        {"name": "text", "type": "string", "userInfo": {"broker.timeZone": "UTC"}}],
       "relationships": [{"name": "near", "destination": "Place", "toMany": true, "userInfo": {"broker.toMany": "merge"}}],
       "unique": [["seen", "text"], ["seen"]]}
      """#, composites: #"{"name": "Address"}"#)
    let code = try SwiftCode(model)
    #expect(
      code.remarks.map(\.description) == [
        "Place: it is abstract; Swift's entities are not",
        "Place: Swift cannot say its identity: code identifies objects and is a floating-point number",
        "Place: the constraint over seen, text has no form in Swift",
        "Place.seen: its default, “2001-01-01T00:00:00Z”, is no literal of Swift's",
        "Place.home: it is of the composite type Address, so the type leaves it out",
        "Place.held: it has no type, so the type leaves it out",
        "Place.text: broker.timeZone is “UTC”; say it in a mapping",
        "Place.near: broker.toMany is “merge”; say it in a mapping",
      ])
    for remark in code.remarks { #expect(code.text.contains("/// - \(remark)\n")) }
  }

  /// No name breaks the code out of a literal or a comment.
  @Test func hostileNames() throws {
    let name = "a\\\"\n}*/ \u{2028}\u{202E}b"
    let model = Model(entities: [
      Entity(
        name: name, attributes: [Attribute(name: name, type: .string, defaultValue: name)],
        userInfo: ["documentation": "one\n\u{2028}*/ two"]),
      Entity(
        name: "!!",
        attributes: [Attribute(name: "1", type: .integer64), Attribute(name: "2", type: .integer64)]),
    ])
    let text = try SwiftCode(model).text
    let literal = #""a\\\"\n}*/ \u{2028}\u{202E}b""#
    #expect(text.contains("@Entity(\(literal), identified: false) struct AB {\n"))
    #expect(text.contains("  @Attribute(name: \(literal)) var aB: String = \(literal)\n"))
    #expect(text.contains("/// one\n///  */ two\n") || text.contains("/// one\n/// */ two\n"))
    #expect(text.contains(#"@Entity("!!", identified: false) struct Unnamed {"#))
    #expect(text.contains(#"@Attribute(name: "1") var _1: Int"#))
  }

  /// An enumeration hides no type that the code around it names.
  @Test func namesOfEnumerations() throws {
    let model = try SampleModels.model(
      #"""
      {"name": "Label", "attributes": [
        {"name": "id", "type": "uuid"},
        {"name": "label", "type": "string", "userInfo": {"broker.values": "[\"none\", \"Type\", \"A\", \"a\"]"}},
        {"name": "string", "type": "string", "userInfo": {"broker.values": "[\"x\", \"y\"]"}}]}
      """#)
    let text = try SwiftCode(model).text
    #expect(
      text.contains("  enum LabelValue: String, CaseIterable, Codable {\n    case noneValue = \"none\"\n"))
    #expect(text.contains("    case a = \"A\"\n    case a_ = \"a\"\n"))
    #expect(text.contains("  enum StringValue: String, "))
    #expect(text.contains("  var label: LabelValue\n"))
  }
}
