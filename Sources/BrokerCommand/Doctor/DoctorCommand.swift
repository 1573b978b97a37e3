import ArgumentParser
import ObjectStore
import Stores

/// `broker doctor`: tries what a server offers of what a store needs.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Try whether a server that speaks PostgreSQL's protocol can keep stores.",
    discussion: """
      Two connections try, in a schema of their own that is removed in the end, what a store needs: binary COPY, advisory \
      locks, LISTEN, temporary tables, savepoints, tables made in a transaction, one transaction of 50 MB and others. For \
      each it says whether it works, or what it means. Nothing is decided by the server's version.

      Example:
        broker doctor 'postgresql://db.example.com/music'
        broker doctor 'postgresql://db.example.com/music?schema=bands' --format json

      Exit status: 0 stores can be kept there; 1 they cannot, or the server cannot be reached; 64 wrong usage; 130 \
      interrupted.
      """)

  @Argument(help: ArgumentHelp("The database: postgresql://HOST/DATABASE.", valueName: "url"))
  var url: String

  @Option(help: "The form of the report: text or json.")
  var format = ReportFormat.text

  func run() throws {
    Interruption.watch()
    let place = StorePlace(url)
    let report = try place.examined { Interruption.isRequested }
    try format.write(report, text: DoctorText(report, place: place.shown).text)
    if !report.isUsable { throw ExitCode.failure }
  }
}

/// The report of `broker doctor`, for people.
struct DoctorText {
  let text: String

  init(_ report: ServerReport, place: String) {
    var lines = ["\(VisibleText.onOneLine(place)): \(VisibleText.onOneLine(report.server))", ""]
    for trial in report.trials {
      lines.append("  \(Self.word(trial.outcome))  \(trial.name)")
      if let meaning = trial.meaning { lines.append("         \(VisibleText.onOneLine(meaning))") }
    }
    let failed = report.trials.filter { $0.outcome == .fails }.count
    lines.append("")
    lines.append(
      failed == 0
        ? "Stores can be kept there."
        : "No store can be kept there: \(Quantity.count(failed, "trial")) failed.")
    text = lines.joined(separator: "\n") + "\n"
  }

  private static func word(_ outcome: ServerReport.Outcome) -> String {
    switch outcome {
    case .works: "works  "
    case .missing: "missing"
    case .fails: "FAILS  "
    case .untried: "untried"
    }
  }
}
