import ArgumentParser
import Foundation
import ModelForms
import ObjectModel
import SwiftForm

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

/// `broker model diagram`
struct ModelDiagramCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diagram",
    abstract: "Draw a model.",
    discussion: """
      Example: broker model diagram Music.xcdatamodeld --output music.svg

      Without --format, the extension of the output names the form: .svg, .mmd, .dot or .dbml.
      """)

  @OptionGroup var source: ModelSource

  @Option(help: "The form: svg, mermaid, dot or dbml. It is svg unless the output's name says another.")
  var format: ModelDiagram.Form?

  @Option(
    help: ArgumentHelp("The file to write to, in place of standard output.", valueName: "path"),
    completion: .file())
  var output: String?

  @Option(help: "What stands above the diagram, if it is not the name of the model's file.")
  var title: String?

  func run() throws {
    let name = URL(fileURLWithPath: source.path).deletingPathExtension().lastPathComponent
    let diagram = try ModelDiagram(
      Model(usableAt: source.path, mapping: source.mapping), title: title ?? name)
    try TextFile.write(diagram.text(format ?? formOfOutput), to: output, as: .csv)
  }

  private var formOfOutput: ModelDiagram.Form {
    switch output.map({ URL(fileURLWithPath: $0).pathExtension.lowercased() }) {
    case "mmd", "mermaid": .mermaid
    case "dot", "gv": .dot
    case "dbml": .dbml
    default: .svg
    }
  }
}

extension ModelDiagram.Form: ExpressibleByArgument {}

/// `broker model swift`
struct ModelSwiftCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swift",
    abstract: "Write a model as Swift types marked @Entity.",
    discussion: """
      Example: broker model swift Music.xcdatamodeld --output Sources/Music/

      A folder gets a file for each type. What Swift cannot say stands in a comment of its type and is listed on \
      standard error.
      """)

  @OptionGroup var source: ModelSource

  @Option(
    help: ArgumentHelp(
      "The file, or the folder, to write to; without it, the types go to standard output.", valueName: "path"),
    completion: .file())
  var output: String?

  @Flag(help: "Declare the types public, so that other modules can use them.")
  var `public` = false

  func run() throws {
    let code = try SwiftCode(Model(usableAt: source.path, mapping: source.mapping), isPublic: `public`)
    if let output {
      try write(code, to: output)
    } else {
      try Terminal.write(code.text)
    }
    Notes.write(code.remarks)
  }

  private func write(_ code: SwiftCode, to output: String) throws {
    var isDirectory: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: output, isDirectory: &isDirectory)
    let isFolder = exists ? isDirectory.boolValue : output.hasSuffix("/")
    guard isFolder else { return try TextFile.write(code.text, to: output) }
    if !exists { try Self.makeFolder(output) }
    for file in code.files {
      try TextFile.write(file.text, to: URL(fileURLWithPath: output).appendingPathComponent(file.name).path)
    }
  }

  private static func makeFolder(_ path: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw CleanError("\(path) cannot be written: \(error.localizedDescription).")
    }
  }
}

/// `broker model diff`
struct ModelDiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "List in what a version of a model differs from an earlier one.",
    discussion: """
      Example: broker model diff Music.xcdatamodeld/Music.xcdatamodel "Music.xcdatamodeld/Music 2.xcdatamodel"

      What that means for a store, broker migrate --dry-run tells.
      """)

  @Argument(help: "The earlier version.", completion: .file())
  var old: String

  @Argument(help: "The later version.", completion: .file())
  var new: String

  @Option(help: "The form of the output: text or json.")
  var format: ReportFormat = .text

  func run() throws {
    let changes = try Model.changes(from: try Model(usableAt: old), to: try Model(usableAt: new))
    let lines = changes.isEmpty ? ["No difference."] : changes.map { VisibleText.onOneLine($0.description) }
    try format.write(changes.map(Line.init), text: lines.joined(separator: "\n") + "\n")
  }

  /// A change as it is printed.
  private struct Line: Encodable {
    let entity: String
    let property: String?
    let action: String
    let summary: String

    init(_ change: ModelChange) {
      entity = change.entity
      property = change.property
      action = change.action.rawValue
      summary = change.summary
    }
  }
}
