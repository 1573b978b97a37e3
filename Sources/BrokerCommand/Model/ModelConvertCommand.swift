import ArgumentParser
import Foundation
import ModelForms
import ObjectModel

/// `broker model convert`
struct ModelConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Write a model in another form.",
    discussion: """
      Example: broker model convert Music.xcdatamodeld music.json

      The extension of the output names the form: .xcdatamodeld, .xcdatamodel, .json, .yaml, or .sql for the tables. \
      A file that exists is replaced; in a bundle that exists, its current version.

      The input may also be a schema: JSON Schema, OpenAPI or Swagger in JSON or YAML, GraphQL as .graphql or as the \
      answer to an introspection query. What is inferred from its names is said on standard error.
      """)

  @Argument(help: "The model, or the schema, to read.", completion: .file())
  var input: String

  @Argument(help: "Where to write it; - for standard output.", completion: .file())
  var output: String

  @Option(
    help: "The form, if the output's name does not tell it: json, yaml, sql, json-schema or xcdatamodeld.")
  var to: ModelForm?

  func run() throws {
    let source = try ModelArgument(input)
    Notes.write(source.remarks)
    try write(source.usable())
  }

  private func write(_ model: Model) throws {
    guard let form = to ?? ModelForm(path: output) else {
      return try model.write(to: URL(fileURLWithPath: output))
    }
    switch form {
    case .json: try write(model.json(), as: .json)
    case .yaml: try write(model.yaml(), as: .csv)
    case .sql: try write(model.sql(), as: .csv)
    case .jsonSchema: try write(model.jsonSchema(), as: .json)
    case .xcdatamodeld:
      let url = URL(fileURLWithPath: output)
      guard ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension.lowercased()) else {
        throw ValidationError("The name of such a bundle ends in .xcdatamodeld.")
      }
      try model.write(to: url)
    }
  }

  private func write(_ text: String, as form: Terminal.Form) throws {
    try TextFile.write(text, to: output == "-" ? nil : output, as: form)
  }
}

/// A form that models are written in.
enum ModelForm: String, ExpressibleByArgument, CaseIterable {
  case json
  case yaml
  case sql
  case jsonSchema = "json-schema"
  case xcdatamodeld

  /// The form that the extension of a file's name tells, if the library does not know it.
  init?(path: String) {
    guard URL(fileURLWithPath: path).pathExtension.lowercased() == "sql" else { return nil }
    self = .sql
  }
}
