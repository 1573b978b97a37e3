import CoreDataMaker
import Foundation
import ObjectModel
import TestSettings
import Testing

@Suite("Models out of archives")
struct ArchivedModelTests {
  @Test(
    "random models come back equal, compressed or not, binary or XML", arguments: Seeds.first(12, long: 400))
  func randomModels(seed: UInt64) throws {
    let model = RandomCoreDataModel.model(seed: seed)
    let expected = inOrder(model)
    let tree = ModelArchiver.archive(model)
    let binary = BinaryPropertyListWriter.bytes(of: tree)
    for bytes in [binary, Deflate.compress(binary), XMLPropertyListText.bytes(of: tree)] {
      let archived = try ArchivedModel(bytes)
      #expect(archived.model.json() == expected.json())
      #expect(archived.model == expected)
      #expect(archived.remarks.isEmpty)
    }
  }

  @Test("an archive has the same model as the XML", arguments: Seeds.first(6, long: 200))
  func xml(seed: UInt64) throws {
    let model = RandomCoreDataModel.model(seed: seed)
    let fromXML = try Model(coreDataXML: Data(model.coreDataXML().utf8))
    let fromArchive = try Model(coreDataArchive: ModelArchiver.cached(fromXML))
    #expect(inOrder(fromXML).json() == fromArchive.json())
    #expect(inOrder(fromXML) == fromArchive)
  }

  @Test(
    "models as Xcode writes them, but for what only Xcode uses",
    arguments: [
      "Examples/Bands/Bands.xcdatamodeld", "Benchmarks/Models/Person.xcdatamodeld",
      "Benchmarks/Models/Departments.xcdatamodeld",
    ])
  func xcode(path: String) throws {
    let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    var model = inOrder(try Model(contentsOf: root.appendingPathComponent(path)))
    model.other = [:]
    for index in model.entities.indices {
      model.entities[index].other = [:]
      for place in model.entities[index].attributes.indices {
        model.entities[index].attributes[place].other["usesScalarValueType"] = nil
        model.entities[index].attributes[place].other["syncable"] = nil
      }
      for place in model.entities[index].relationships.indices {
        model.entities[index].relationships[place].other = [:]
      }
    }
    let archived = try ArchivedModel(ModelArchiver.cached(model))
    #expect(archived.model.json() == model.json())
    #expect(archived.remarks.isEmpty)
  }

  /// An archive has no order: entities and properties come in that of their names.
  private func inOrder(_ model: Model) -> Model {
    var model = model
    model.entities.sort { $0.name < $1.name }
    for index in model.entities.indices {
      model.entities[index].attributes.sort { $0.name < $1.name }
      model.entities[index].relationships.sort { $0.name < $1.name }
    }
    return model
  }
}
