import ArgumentParser
import Foundation
import ModelForms
import ObjectModel

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
