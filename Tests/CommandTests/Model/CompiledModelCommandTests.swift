import CoreDataMaker
import Foundation
import ObjectModel
import Testing

@Suite("broker model with compiled models")
struct CompiledModelCommandTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    let attributes = [
      Attribute(name: "name", type: .string, isOptional: true),
      // A condition that no model has a word for.
      Attribute(name: "size", type: .integer32, isOptional: true, pattern: "[0-9]*"),
    ]
    let model = Model(entities: [Entity(name: "Shop", attributes: attributes)])
    try Data(ModelArchiver.compiled(model)).write(to: folder.url.appendingPathComponent("Shops.mom"))
  }

  @Test("show and convert")
  func show() throws {
    let shown = try broker("model", "show", "Shops.mom", in: folder)
    #expect(shown.status == 0)
    #expect(shown.output.hasPrefix("Shop"))
    let converted = try broker("model", "convert", "Shops.mom", "shops.json", in: folder)
    #expect(converted.status == 0)
    #expect(
      try Model(contentsOf: folder.url.appendingPathComponent("shops.json")).entities.map(\.name) == ["Shop"])
  }

  @Test("check says what of the archive is not in the model")
  func remarks() throws {
    let outcome = try broker("model", "check", "Shops.mom", in: folder)
    #expect(outcome.status == 0)
    #expect(
      outcome.output == "warning: Shop.size: a condition on its values is left out\n0 errors, 1 warning\n")
  }
}
