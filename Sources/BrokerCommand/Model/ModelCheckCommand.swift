import ArgumentParser
import Foundation
import Mapping
import ObjectModel

/// `broker model check`
struct ModelCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "List everything in a model that does not make sense.",
    discussion: """
      Example: broker model check Music.xcdatamodeld

      Exits with 1 if there are errors, with 0 if there are only warnings or nothing at all.
      """)

  @Argument(help: "The model.", completion: .file())
  var path: String

  @Option(help: "The form of the output: text or json.")
  var format: ReportFormat = .text

  func run() throws {
    let loaded = try LoadedModel(argument: path)
    let model = loaded.model
    let result = Result(problems: loaded.remarks + model.problems() + model.mappingProblems())
    switch format {
    case .text: try Terminal.write(result.text + "\n")
    case .json:
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      try Terminal.write(String(decoding: try encoder.encode(result), as: UTF8.self) + "\n", as: .json)
    }
    if result.errors > 0 { throw ExitCode.failure }
  }

  /// What is printed.
  struct Result: Encodable {
    let errors: Int
    let warnings: Int
    let problems: [ModelProblem]

    init(problems: [ModelProblem]) {
      self.problems = problems
      errors = problems.count { $0.severity == .error }
      warnings = problems.count - errors
    }

    var text: String {
      if problems.isEmpty { return "No problems." }
      let count = "\(errors) error\(errors == 1 ? "" : "s"), \(warnings) warning\(warnings == 1 ? "" : "s")"
      return (problems.map { VisibleText.onOneLine($0.description) } + [count]).joined(separator: "\n")
    }
  }
}
