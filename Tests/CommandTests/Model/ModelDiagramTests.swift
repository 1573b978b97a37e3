import Testing

/// `broker model diagram`
@Suite struct ModelDiagramTests {
  @Test func theOutputsNameTellsTheForm() throws {
    let folder = try Folder()
    let model = "\(Folder.bands)/Bands.xcdatamodeld"
    for (name, start) in [
      ("a.svg", "<svg "), ("a.mmd", "---\ntitle"), ("a.dot", "digraph"), ("a.dbml", "Project"),
    ] {
      #expect(try broker("model", "diagram", model, "--output", name, in: folder).status == 0)
      #expect(try folder.read(name).hasPrefix(start))
    }
    let outcome = try broker("model", "diagram", model, "--format", "mermaid", "--title", "Music", in: folder)
    #expect(outcome.output.hasPrefix("---\ntitle: \"Music\"\n"))
    #expect(try broker("model", "diagram", model, in: folder).output.hasPrefix("<svg "))
  }

  @Test func mistakes() throws {
    let folder = try Folder()
    let model = "\(Folder.bands)/Bands.xcdatamodeld"
    #expect(try broker("model", "diagram", model, "--format", "png", in: folder).status == 64)
    #expect(try broker("model", "diagram", "none.json", in: folder).error.contains("no such file"))
  }
}
