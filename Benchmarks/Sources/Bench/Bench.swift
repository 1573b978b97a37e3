import ArgumentParser

/// Runs all contenders in turn, several times over, and prints what it took.
@main
struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench", abstract: "Compare broker with SQLite itself and with its peers.",
    discussion: "bench --broker .build/release/broker --scale 0.01 --runs 3")

  @Option(help: "How often each contender runs.")
  var runs = 5

  @Option(help: "How much data, as a part of the whole.")
  var scale = 1.0

  @Option(help: "The broker command to measure.")
  var broker = ".build/release/broker"

  @Option(help: "The root of the repository.")
  var root = "."

  @Option(help: "A folder for data and stores; data found there is used again.")
  var data = "Benchmarks/.build-data"

  @Option(help: "Only these tables: \(Subject.allCases.map(\.rawValue).joined(separator: ", ")).")
  var only: [Subject] = []

  @Flag(help: "Write docs/BENCHMARKS.md as well.")
  var write = false

  func validate() throws {
    guard runs > 0 else { throw ValidationError("--runs must be at least 1") }
    guard scale > 0 else { throw ValidationError("--scale must be more than 0") }
  }

  func run() throws {
    defer { Files.removeTemporaryFolder() }
    let subjects = only.isEmpty ? Subject.allCases : only
    let bench = Workbench(root: root, data: data, broker: broker, scale: scale)
    try bench.makeData()
    try bench.removeStores()
    let contenders = bench.contenders.filter { subjects.contains($0.subject) }
    var results = Results(contenders: contenders)
    results.measure(runs: runs)

    let report = Report(bench: bench, results: results, runs: runs)
    print(report.tables)
    if write {
      try Files.makeFolder("\(root)/docs")
      let page = "\(root)/docs/BENCHMARKS.md"
      let old = Files.size(page) == nil ? "" : try Files.read(page)
      try Files.save(report.document(replacing: old), to: page)
    }
    if results.hasFailures { throw ExitCode.failure }
  }
}
