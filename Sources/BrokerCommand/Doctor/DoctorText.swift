import ObjectStore

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
    }
  }
}
