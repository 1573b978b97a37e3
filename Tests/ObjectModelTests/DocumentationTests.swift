import Foundation
import ObjectModel
import Testing

@Suite("docs/MODELS.md")
struct DocumentationTests {
  private func text() throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(contentsOf: root.appendingPathComponent("docs/MODELS.md"), encoding: .utf8)
  }

  @Test("the example of the JSON form loads and has no problems")
  func example() throws {
    let blocks = try text().components(separatedBy: "```json\n").dropFirst()
    let json = try #require(blocks.first?.components(separatedBy: "```").first)
    let model = try Model(json: Data(json.utf8))
    #expect(model.problems() == [])
    #expect(model.entities.map(\.name) == ["Band", "Album", "LiveAlbum"])
  }

  @Test("every annotation in the table is understood")
  func annotations() throws {
    let table = try text().components(separatedBy: "## Annotations").last ?? ""
    func annotations(_ key: String, _ value: String) throws -> Annotations {
      #expect(table.contains("`\(key)`"))
      return Attribute(name: "a", type: .string, userInfo: [key: value]).annotations
    }
    for key in ["broker.identity", "JC.isIdentifier", "sync.isPrimaryKey", "hyper.isPrimaryKey"] {
      for word in ["true", "YES", "1"] { #expect(try annotations(key, word).isIdentity) }
      #expect(try !annotations(key, "NO").isIdentity)
    }
    for key in [
      "broker.identity", "identityAttributes", "identityAttribute", "relatedByAttribute", "primaryKey",
      "primaryAttributeKey",
    ] {
      #expect(try annotations(key, "suit, value").identityAttributes == ["suit", "value"])
    }
    for key in ["relatedByAttribute", "primaryRelationshipKey"] {
      #expect(try annotations(key, "id").targetIdentityAttributes == ["id"])
    }
    for key in [
      "broker.key", "sync.remoteKey", "hyper.remoteKey", "JSONKeyPath", "jsonKeyName", "mappedKeyName",
    ] {
      #expect(try annotations(key, "k").keys == ["k"])
      let alternatives = Attribute(name: "a", type: .string, userInfo: [key: "k", "\(key).1": "l"])
      #expect(alternatives.annotations.keys == ["k", "l"])
    }
    #expect(try annotations("broker.exported", "false").isExported == false)
    #expect(try annotations("sync.nonExportable", "YES").isExported == false)
    #expect(try annotations("dateFormat", "yyyy").dateFormat == "yyyy")
    #expect(try annotations("broker.timeZone", "UTC").timeZone == "UTC")
    #expect(try annotations("JSONTransformerName", "T").transformers == ["T"])
    #expect(try annotations("broker.value", "v").valueAttribute == "v")
    #expect(try annotations("broker.search", "YES").isSearched)
  }
}
