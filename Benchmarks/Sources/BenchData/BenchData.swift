import ArgumentParser
import BenchmarkData

/// Writes the JSON that all contenders read.
@main
struct BenchData: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench-data", abstract: "Write benchmark data.",
    discussion: "bench-data flat 500000 flat.json")

  enum Shape: String, ExpressibleByArgument, CaseIterable {
    case flat, departments
  }

  @Argument(help: "flat: persons. departments: employees nested in departments, skills in employees.")
  var shape: Shape

  @Argument(help: "How many objects at the top.")
  var count: Int

  @Argument(help: "The file to write.")
  var path: String

  func run() throws {
    switch shape {
    case .flat: try People(count: count).write(to: path)
    case .departments: try Departments(count: count).write(to: path)
    }
  }
}
