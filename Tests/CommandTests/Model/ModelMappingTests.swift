import Testing

/// `broker model show`, `check`, `swift` and `diagram` with what a mapping says beyond the model.
@Suite struct ModelMappingTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.write(
      "Band: {name: string, formed: int}\nAlbum: {title: string, band: Band}\n", to: "model.yaml")
    try folder.write(
      "Band: {identity: name, keys: {formed: [details.founded]}}\nAlbum: {identity: [title, band]}\n",
      to: "mapping.yaml")
  }

  private func check(_ arguments: [String]) throws {
    let shown = try broker(["model", "show"] + arguments, in: folder)
    #expect(shown.status == 0, "\(shown.error)")
    #expect(shown.output.contains("Band  identity: name (mapping)\n"))
    #expect(shown.output.contains("Album  identity: title, band (mapping)\n"))
    #expect(shown.output.contains("key details.founded\n"))
    let json = try broker(["model", "show", "--format", "json"] + arguments, in: folder)
    #expect(json.output.contains("details.founded"))
    let checked = try broker(["model", "check"] + arguments, in: folder)
    #expect(checked.status == 0)
    #expect(checked.output.hasSuffix("0 errors, 1 warning\n"))
    let swift = try broker(["model", "swift"] + arguments, in: folder)
    #expect(swift.output.contains("@Identity var name: String\n"))
    #expect(swift.output.contains(#"@Key("details.founded") var formed: Int?"#))
    let diagram = try broker(["model", "diagram", "--format", "mermaid"] + arguments, in: folder)
    #expect(diagram.output.contains("string name «identity»\n"))
  }

  @Test func ofAModelAndItsMapping() throws {
    try check(["model.yaml", "--mapping", "mapping.yaml"])
    let without = try broker("model", "show", "model.yaml", in: folder)
    #expect(without.output.contains("Band  no identity\n"))
  }

  @Test func ofAStoreThatRemembersOne() throws {
    let json = #"{"bands": [{"name": "Japan"}], "albums": [{"title": "Tin Drum", "band": "Japan"}]}"#
    let imported = try broker(
      "import", "-", "--model", "model.yaml", "--mapping", "mapping.yaml", "--store", "s.sqlite", input: json,
      in: folder)
    #expect(imported.status == 0, "\(imported.error)")
    try check(["s.sqlite"])
    try folder.write("Band: {identity: none}\nAlbum: {identity: title}\n", to: "other.yaml")
    let other = try broker("model", "show", "s.sqlite", "--mapping", "other.yaml", in: folder)
    #expect(other.output.contains("Band  no identity (mapping)\n"))
    #expect(other.output.contains("Album  identity: title (mapping)\n"))
    #expect(!other.output.contains("details.founded"))
  }

  @Test func ofAMappingThatDoesNotFit() throws {
    try folder.write("Band: {identity: nam}\nAlbun: {identity: title}\n", to: "bad.yaml")
    let checked = try broker("model", "check", "model.yaml", "--mapping", "bad.yaml", in: folder)
    #expect(checked.status == 1)
    #expect(checked.output.contains("error: bad.yaml:2: there is no entity “Albun”; did you mean “Album”?\n"))
    #expect(checked.output.contains("did you mean “name”?\n"))
    #expect(checked.output.hasSuffix("2 errors, 1 warning\n"))
    for command in ["show", "swift", "diagram"] {
      let outcome = try broker("model", command, "model.yaml", "--mapping", "bad.yaml", in: folder)
      #expect(outcome.status == 1)
      #expect(outcome.output == "")
      #expect(outcome.error.hasPrefix("Error: The mapping cannot be used.\nbad.yaml:2: "))
    }
  }
}
