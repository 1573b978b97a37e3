import Testing

/// Schemas of other languages wherever a command takes a model.
@Suite struct SchemaAsModelTests {
  private let folder: Folder

  private static let openAPI = """
    openapi: 3.0.0
    components:
      schemas:
        Pet:
          type: object
          required: [id]
          properties:
            id: {type: integer}
            ownerId: {type: integer}
        Owner: {type: object, properties: {id: {type: integer}, name: {type: string}}}
    """
  private static let swagger = """
    {"swagger": "2.0", "definitions": {
      "Pet": {"type": "object", "properties": {"id": {"type": "integer"}, "ownerId": {"type": "integer"}}},
      "Owner": {"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}}}}
    """
  private static let jsonSchema = """
    {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": {
      "Pet": {"type": "object", "properties": {"id": {"type": "integer"}, "ownerId": {"type": "integer"}}},
      "Owner": {"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}}}}
    """
  private static let graphQL = """
    # Pets and who has them.
    \"\"\"An animal.\"\"\"
    type Pet { id: ID!, owner: Owner }
    type Owner { id: ID!, name: String }
    """

  init() throws {
    folder = try Folder()
    try folder.write(
      #"{"pets": [{"id": 1, "ownerId": 7}], "owners": [{"id": 7, "name": "Ann"}]}"#, to: "data.json")
  }

  /// Forms, under names that say nothing or something else.
  private static let forms: [(text: String, name: String, document: String)] = [
    (openAPI, "api.yaml", "an OpenAPI document"), (openAPI, "api.json", "an OpenAPI document"),
    (openAPI, "api", "an OpenAPI document"), (swagger, "api.json", "a Swagger document"),
    (swagger, "api.yaml", "a Swagger document"), (jsonSchema, "schema.txt", "a JSON Schema"),
    (graphQL, "s.graphql", "a GraphQL schema"), (graphQL, "s.txt", "a GraphQL schema"),
  ]

  @Test(arguments: forms)
  func anImportTakesASchemaAsItIs(_ form: (text: String, name: String, document: String)) throws {
    try folder.write(form.text, to: form.name)
    if form.text == Self.graphQL {
      try folder.write(
        #"{"pets": [{"id": "1", "owner": "7"}], "owners": [{"id": "7", "name": "Ann"}]}"#, to: "data.json")
    }
    let first = try broker(
      "import", "data.json", "--model", form.name, "--store", "s.sqlite", "--format", "json", in: folder)
    #expect(first.status == 0, "\(first.error)")
    #expect(first.error.hasPrefix("\(form.name) is \(form.document). A model was made of it: Pet, Owner\n"))
    #expect(try first.report().inserted == ["Pet": 1, "Owner": 1])
    let rows = try broker(
      "query", "Pet", "--store", "s.sqlite", "--select", "owner.name", "--format", "csv", in: folder)
    #expect(rows.output.hasSuffix("Ann\n") || rows.output.hasSuffix("Ann\r\n"), "\(rows.output)")
    // The same schema again is the same model, and the store knows it without.
    for options in [["--model", form.name], []] {
      let again = try broker(
        ["import", "data.json", "--store", "s.sqlite", "--format", "json"] + options, in: folder)
      #expect(again.status == 0, "\(again.error)")
      #expect(try again.report().inserted == [:])
    }
    let plan = try broker("migrate", "--store", "s.sqlite", "--model", form.name, in: folder)
    #expect(plan.output.contains("Nothing to do"))
    let explained = try broker("explain", "data.json", "--model", form.name, in: folder)
    #expect(explained.status == 0, "\(explained.error)")
    for command in ["show", "check", "swift", "diagram"] {
      let outcome = try broker("model", command, form.name, in: folder)
      #expect(outcome.status == 0, "\(command): \(outcome.error)")
      #expect(outcome.error.contains(form.document))
    }
    let refined = try broker("model", "infer", "data.json", "--refine", form.name, in: folder)
    #expect(refined.status == 0, "\(refined.error)")
  }

  @Test func quietImportsAndLongSchemasSayLittle() throws {
    try folder.write(Self.openAPI, to: "api.yaml")
    let quiet = try broker(
      "import", "data.json", "--model", "api.yaml", "--store", "s.sqlite", "--quiet", in: folder)
    #expect(quiet.status == 0)
    #expect(quiet.error == "")
    let types = (1...20).map { "type T\($0) { id: ID! }\n" }.joined()
    try folder.write(types + "type Pet { id: ID!, ownerId: ID }", to: "long.graphql")
    let shown = try broker("model", "show", "long.graphql", in: folder)
    #expect(shown.status == 0)
    #expect(shown.error.split(separator: "\n").count <= 7)
    #expect(shown.error.contains("T12, …\n"))
  }

  @Test func aMistakeIsToldWithItsLine() throws {
    for (text, name, message) in [
      (
        "openapi: 3.0.0\ncomponents:\n  schemas:\n    A:\n      properties:\n        b: {$ref: '#/components/schemas/B'}",
        "a.yaml", "Error: a.yaml:6: #/components/schemas/A/properties/b: “#/components/schemas/B” leads to"
      ),
      (
        "{\n\"$schema\": \"https://json-schema.org/schema\",\n\"$defs\": {\"A\": {\"properties\": {\n\"b\": {\"$ref\": \"#/$defs/Q\"}}}}}",
        "b.json", "Error: b.json:4: #/$defs/A/properties/b: "
      ),
      ("{\"openapi\": \"3.0.0\",\n\"components\": {,}}", "c.json", "Error: c.json:2: found ','"),
      ("openapi: 3.0.0\ncomponents: [\n", "d.yaml", "Error: d.yaml:3:1: malformed YAML"),
      ("type A {\n  id: \n}", "e.txt", "Error: e.txt: 3:1: expected a type"),
    ] {
      try folder.write(text, to: name)
      for command in [["import", "data.json", "--store", "s.sqlite"], ["explain", "data.json"]] {
        let outcome = try broker(command + ["--model", name], in: folder)
        #expect(outcome.status == 1)
        #expect(outcome.error.hasPrefix(message), "\(outcome.error)")
      }
      #expect(!folder.hasStore("s.sqlite"))
    }
  }

  @Test func whereASchemaIsNoModelTheCommandIsNamed() throws {
    try folder.write(Self.openAPI, to: "api.yaml")
    let mapping = try broker(
      "import", "data.json", "--store", "s.sqlite", "--mapping", "api.yaml", in: folder)
    #expect(mapping.status == 1)
    #expect(mapping.error.contains("broker model convert api.yaml model.json"))
    for command in [["import", "api.yaml", "--store", "s.sqlite"], ["model", "infer", "api.yaml"]] {
      let outcome = try broker(command, in: folder)
      #expect(outcome.status == 1)
      #expect(outcome.error.hasPrefix("Note: api.yaml is an OpenAPI document, and is read as data here."))
      #expect(outcome.error.contains("broker import DATA --model api.yaml --store STORE"))
    }
    // Data that only names its schema is data.
    try folder.write(#"[{"$schema": "https://example.com/pet.json", "id": 1}]"#, to: "pets.json")
    let plain = try broker("model", "infer", "pets.json", in: folder)
    #expect(plain.error == "")
  }
}
