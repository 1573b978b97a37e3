import Foundation
import Mapping

/// A report for people.
struct ReportText {
  private let report: Report
  private let isDryRun: Bool
  /// Past this many lines of one kind, the rest is counted.
  private static let most = 20

  init(_ report: Report, isDryRun: Bool) {
    self.report = report
    self.isDryRun = isDryRun
  }

  var text: String {
    var lines: [String] = []
    lines.append(summary)
    lines += table
    lines += section(
      "Issues", report.issueCount,
      report.issues.prefix(Self.most).map { issue in
        let object = issue.identity.map { "\(issue.entity) \($0)" } ?? issue.entity
        return "\(issue.path)  expected \(issue.expected), found \(issue.found): \(issue.action) (\(object))"
      })
    lines += section(
      "Pending references", report.pendingCount,
      report.pending.prefix(Self.most).map { reference in
        "\(reference.entity) \(reference.identity).\(reference.relationship) waits for"
          + " \(reference.target) \(reference.key)"
      })
    lines += deleted
    lines += unmatched
    if isDryRun { lines.append("This was a dry run: nothing was changed.") }
    return lines.joined(separator: "\n") + "\n"
  }

  private var summary: String {
    let rate = report.seconds > 0 ? Int(Double(report.bytes) / report.seconds) : 0
    return "\(isDryRun ? "Would import" : "Imported") \(Quantity.count(report.objectCount, "object"))"
      + " from \(Quantity.bytes(report.bytes)) in \(Quantity.duration(report.seconds))"
      + (report.bytes > 1_000_000 ? " (\(Quantity.bytes(rate))/s)" : "") + "."
  }

  // MARK: - Counts

  private var table: [String] {
    let columns: [(name: String, counts: [String: Int])] = [
      ("inserted", report.inserted), ("updated", report.updated), ("unchanged", report.unchanged),
      ("deleted", report.deleted), ("skipped", report.skipped), ("outdated", report.outdated),
      ("excluded", report.excluded), ("kept local", report.keptLocal),
    ].filter { !$0.1.isEmpty }
    let entities = Set(columns.flatMap(\.counts.keys)).sorted()
    guard !entities.isEmpty else { return [] }
    let width = entities.map(\.count).max() ?? 0
    var lines = [
      "", "  " + String(repeating: " ", count: width) + columns.map { padded($0.name, 11) }.joined(),
    ]
    for entity in entities {
      let name = entity + String(repeating: " ", count: width - entity.count)
      lines.append(
        "  " + name
          + columns.map { padded($0.counts[entity].map(Quantity.grouped) ?? "", 11) }.joined())
    }
    if report.duplicates > 0 {
      lines += ["", "\(Quantity.count(report.duplicates, "object")) came more than once."]
    }
    return lines
  }

  private func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count)) + text
  }

  // MARK: - Lists

  private func section(_ title: String, _ count: Int, _ lines: [String]) -> [String] {
    guard count > 0 else { return [] }
    let rest = count - lines.count
    return ["", "\(title) (\(Quantity.grouped(count))):"] + lines.map { "  " + VisibleText.onOneLine($0) }
      + (rest > 0 ? ["  … and \(Quantity.grouped(rest)) more"] : [])
  }

  private var deleted: [String] {
    section(
      isDryRun ? "Would delete" : "Deleted", report.deletedObjects.count,
      report.deletedObjects.prefix(Self.most).map { "\($0.entity) \($0.identity)" })
  }

  private var unmatched: [String] {
    var keys: [(line: String, count: Int)] = []
    for (entity, counts) in report.unmatchedKeys {
      for (key, count) in counts {
        let owner = entity == "$" ? "the document" : entity
        let nearest = report.nearMisses[entity]?[key].map { "; did you mean \($0)?" } ?? ""
        keys.append(("\(key) in \(owner), \(Quantity.count(count, "time"))\(nearest)", count))
      }
    }
    keys.sort { ($1.count, $0.line) < ($0.count, $1.line) }
    return section("Keys that match nothing", keys.count, keys.prefix(Self.most).map(\.line))
  }

  // MARK: - JSON

  /// The report for programs.
  static func json(_ report: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    return String(decoding: try encoder.encode(report), as: UTF8.self)
  }
}
