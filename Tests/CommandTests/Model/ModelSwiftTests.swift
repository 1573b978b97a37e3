import Foundation
import Testing

/// `broker model swift`
@Suite struct ModelSwiftTests {
  private static let model = """
    {"entities": [
      {"name": "Band", "abstract": true, "attributes": [{"name": "id", "type": "integer64"}],
       "relationships": [{"name": "albums", "destination": "Album", "toMany": true, "inverse": "band"}]},
      {"name": "Album", "attributes": [{"name": "title", "type": "string"}],
       "relationships": [{"name": "band", "destination": "Band", "inverse": "albums"}]}
    ]}
    """

  @Test func standardOutput() throws {
    let folder = try Folder()
    try folder.write(Self.model, to: "model.json")
    let outcome = try broker("model", "swift", "model.json", in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("@Entity struct Band {\n  var id: Int\n"))
    #expect(outcome.error == "Band: it is abstract; Swift's entities are not\n")
  }

  @Test func aFileOrAFolder() throws {
    let folder = try Folder()
    try folder.write(Self.model, to: "model.json")
    #expect(try broker("model", "swift", "model.json", "--output", "Types.swift", in: folder).status == 0)
    #expect(
      try broker("model", "swift", "model.json", "--public", "--output", "Types/", in: folder).status == 0)
    let whole = try String(contentsOf: folder.url("Types.swift"), encoding: .utf8)
    #expect(whole.contains("struct Album {"))
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.url("Types").path)
    #expect(files.sorted() == ["Album.swift", "Band.swift"])
    let album = try String(contentsOf: folder.url("Types/Album.swift"), encoding: .utf8)
    #expect(album.contains("public struct Album {"))
  }

  @Test func mistakes() throws {
    let folder = try Folder()
    try folder.write(#"{"entities": [{"name": "Band", "parent": "Bnad"}]}"#, to: "model.json")
    #expect(try broker("model", "swift", "model.json", in: folder).status == 1)
    try folder.write(Self.model, to: "model.json")
    let outcome = try broker("model", "swift", "model.json", "--output", "none/Types.swift", in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.error.hasPrefix("Error: none/Types.swift cannot be written: "))
  }

  @Test("the program of the plugin writes the same types as the command")
  func pluginProgram() throws {
    let folder = try Folder()
    try folder.write(Self.model, to: "model.json")
    func run(_ arguments: String...) throws -> Outcome {
      let program = RunningBroker.executable.deletingLastPathComponent().appendingPathComponent("ModelTypes")
      return try RunningBroker(arguments, in: folder, input: .file(""), executable: program).finish()
    }
    #expect(try run("model.json", "Types.swift").status == 0)
    let types = try String(contentsOf: folder.url("Types.swift"), encoding: .utf8)
    #expect(try broker("model", "swift", "model.json", in: folder).output == types)

    try folder.write(#"{"entities": [{"name": "Band", "parent": "Bnad"}]}"#, to: "wrong.json")
    try folder.write("Shelf:\n  id: int\n  books: [Tome]\n", to: "wrong.yaml")
    for (arguments, error) in [
      (["wrong.json", "Wrong.swift"], "wrong.json: error: "),
      (["wrong.yaml", "Wrong.swift"], "wrong.yaml:3:3: error: Shelf.books: “Tome” is not an entity"),
      (["none.json", "None.swift"], "none.json: error: no such file"),
      (["model.json", "none/Types.swift"], "model.json: error: "),
    ] {
      let outcome = try run(arguments[0], arguments[1])
      #expect(outcome.status == 1, "\(arguments)")
      #expect(outcome.error.contains(error), "\(outcome.error)")
    }
    #expect(try run("model.json").error.hasPrefix("usage: "))
    #expect(try folder.names(like: "Wrong.swift").isEmpty)
  }
}
