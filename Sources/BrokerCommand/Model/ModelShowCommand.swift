import ArgumentParser
import Foundation
import ObjectModel

/// `broker model show`
struct ModelShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show a model's entities, attributes and relationships.",
    discussion: """
      Example: broker model show Music.xcdatamodeld

      With --format json, prints the model in Broker's JSON form. Identities and keys are shown as --mapping says them; \
      of a store, as the mapping says that it remembers.
      """)

  @OptionGroup var source: ModelSource

  @Option(help: "The form of the output: text or json.")
  var format: ReportFormat = .text

  func run() throws {
    let argument = try ModelArgument(source.path, mapping: source.mapping)
    argument.noteSchema()
    let model = try argument.usable()
    switch format {
    case .text: try Terminal.write(ModelOverview(model, argument.mapping).text)
    case .json: try Terminal.write(model.json(), as: .json)
    }
  }
}
