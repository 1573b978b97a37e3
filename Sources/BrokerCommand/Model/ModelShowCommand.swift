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

      With --format json, prints the model in Broker's JSON form.
      """)

  @Argument(help: "The model.", completion: .file())
  var path: String

  @Option(help: "The form of the output: text or json.")
  var format: ReportFormat = .text

  func run() throws {
    let model = try Model(usableAt: path)
    switch format {
    case .text: try Terminal.write(ModelOverview(model).text)
    case .json: try Terminal.write(model.json(), as: .json)
    }
  }
}
