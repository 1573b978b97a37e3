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

  @OptionGroup var source: ModelSource

  @Option(help: "The form of the output: text or json.")
  var format: ReportFormat = .text

  func run() throws {
    let argument = try ModelArgument(source.path, mapping: source.mapping)
    argument.noteSchema()
    let result = Result(problems: argument.problems + Self.problems(of: argument))
    switch format {
    case .text: try Terminal.write(result.text + "\n")
    case .json:
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      try Terminal.write(String(decoding: try encoder.encode(result), as: UTF8.self) + "\n", as: .json)
    }
    if result.errors > 0 { throw ExitCode.failure }
  }

  /// The problems of the model, and those of the mapping where the model is right without it.
  private static func problems(of argument: ModelArgument) -> [ModelProblem] {
    let model = argument.model
    let problems = model.problems()
    guard let mapping = argument.mapping, !problems.contains(where: { $0.severity == .error }) else {
      return problems + model.mappingProblems()
    }
    do throws(MappingError) {
      let mapped = try mapping.applied(to: model)
      return mapped.problems() + mapped.mappingProblems(mapping.functions)
    } catch {
      return problems + model.mappingProblems()
        + error.problems.map { problem in
          ModelProblem(
            severity: .error, entity: problem.entity, property: problem.property,
            message: (problem.place.map { "\($0): " } ?? "") + problem.message, advice: problem.advice)
        }
    }
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
