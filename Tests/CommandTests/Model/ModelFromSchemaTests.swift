import Testing

/// `broker model convert` from schemas of other languages.
@Suite struct ModelFromSchemaTests {
  @Test func aSchemaBecomesAModelThatTakesItsJSON() throws {
    let folder = try Folder()
    try folder.write(
      """
      openapi: 3.0.0
      components:
        schemas:
          Pet:
            type: object
            required: [id]
            properties:
              id: {type: integer}
              ownerId: {type: integer}
              tags: {type: array, items: {$ref: "#/components/schemas/Tag"}}
          Owner: {type: object, properties: {id: {type: integer}, name: {type: string}}}
          Tag: {type: object, properties: {text: {type: string}}}
      """, to: "api.yaml")
    let outcome = try broker("model", "convert", "api.yaml", "model.json", in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.error.contains("Pet.owner: ownerId has the name of Owner and the type of its id\n"))
    let json = #"[{"id": 1, "ownerId": 7, "tags": [{"text": "a"}]}]"#
    let imported = try broker(
      "import", "-", "--entity", "Pet", "--model", "model.json", "--store", "s.sqlite", input: json,
      in: folder)
    #expect(imported.status == 0, "\(imported.error)")
    let exported = try broker("export", "Pet", "--store", "s.sqlite", "--relationships", "nested", in: folder)
    #expect(exported.output.contains(#""tags":[{"text":"a"}]"#), "\(exported.output)")
  }

  @Test func graphQL() throws {
    let folder = try Folder()
    try folder.write(
      "type Band { id: ID! albums: [Album!]! }\ntype Album { id: ID! band: Band! }", to: "s.graphql")
    let outcome = try broker("model", "convert", "s.graphql", "-", "--to", "yaml", in: folder)
    #expect(
      outcome.output
        == "Band: {id: string*, albums: [Album.band]}\nAlbum: {id: string*, band: Band.albums!}\n")
  }

  @Test func mistakes() throws {
    let folder = try Folder()
    try folder.write(##"{"$defs": {"A": {"properties": {"b": {"$ref": "b.json"}}}}}"##, to: "a.json")
    let outcome = try broker("model", "convert", "a.json", "-", "--to", "json", in: folder)
    #expect(outcome.status == 1)
    #expect(
      outcome.error.hasPrefix(
        "Error: a.json:1: #/$defs/A/properties/b: it refers to “b.json”, which is another"))
    try folder.write("type Band {", to: "b.graphql")
    #expect(try broker("model", "convert", "b.graphql", "-", "--to", "json", in: folder).status == 1)
  }
}
