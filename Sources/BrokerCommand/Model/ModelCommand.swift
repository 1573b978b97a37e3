import ArgumentParser

/// `broker model`: looks at models and converts them.
struct ModelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Show, check, convert, draw, compare and infer models.",
    discussion: """
      A model is an .xcdatamodeld bundle, an .xcdatamodel directory, its contents file, or Broker's JSON form, in \
      JSON or YAML. A store remembers its model, and a model is made of a schema: OpenAPI, Swagger, JSON Schema, \
      GraphQL. All commands that take a model take these too.

      Example: broker model show Music.xcdatamodeld
      """,
    subcommands: [
      ModelShowCommand.self, ModelCheckCommand.self, ModelConvertCommand.self, ModelDiffCommand.self,
      ModelInferCommand.self,
      ModelSwiftCommand.self, ModelDiagramCommand.self,
    ])
}
