import Foundation
import ModelForms
import ObjectModel
import Testing

/// Models of schemas that others have published.
@Suite struct PublishedSchemaTests {
  private static func file(_ name: String) -> URL? {
    let file = RealFile.folder.appendingPathComponent(name)
    return FileManager.default.fileExists(atPath: file.path) ? file : nil
  }

  @Test(
    .enabled(if: file("swapi.graphql") != nil),
    arguments: [
      ("openapi-3.0-link-example.json", ["Pullrequest", "Repository", "User"]),
      ("openapi-3.0-petstore-expanded.json", ["Error", "NewPet", "Pet"]),
      ("openapi-3.0-uspto.yaml", ["DataSetList", "DataSetListApi"]),
      ("openapi-3.1-tictactoe.yaml", ["Status"]),
      ("swagger-2.0-uber.json", ["Activities", "Activity", "Error", "PriceEstimate", "Product", "Profile"]),
      ("swapi.graphql", ["Film", "Person", "Planet", "Species", "Starship", "Vehicle"]),
    ])
  func entities(name: String, expected: [String]) throws {
    guard let file = Self.file(name) else { return }
    let model = try #require(try ModelReading(contentsOf: file)).model
    #expect(model.entities.map(\.name).sorted() == expected)
    #expect(model.problems().filter { $0.severity == .error } == [])
    #expect(try Model(yaml: Data(model.yaml().utf8)) == model)
  }

  @Test(
    .enabled(if: file("schema-feed.json") != nil), arguments: ["schema-feed.json", "schema-package.json"])
  func othersAreNotFetched(name: String) throws {
    guard let file = Self.file(name) else { return }
    #expect(throws: SchemaFileError.self) { try ModelReading(contentsOf: file) }
  }
}
