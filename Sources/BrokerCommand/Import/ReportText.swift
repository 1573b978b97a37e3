import Foundation
import Mapping

/// A report for people.
struct ReportText {
  private let report: Report
  private let isDryRun: Bool
  /// Past this many lines of one kind, the rest is counted.
  private static let most = 20
  private static let keysOfALine = 5

  init(_ report: Report, isDryRun: Bool) {
    self.report = report
    self.isDryRun = isDryRun
  }

  var text: String {
    var lines: [String] = []
    lines.append(summary)
    lines += table
    lines += section("Notes", report.notes.count, Array(report.notes.prefix(Self.most)))
    lines += section(
      "Issues", report.issueCount,
      report.issues.prefix(Self.most).map { issue in
        let object = issue.identity.map { "\(issue.entity) \($0)" } ?? issue.entity
        return "\(issue.path)  expected \(issue.expected), found \(issue.found): \(issue.action)"
          + (object.isEmpty ? "" : " (\(object))")
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
    let width = entities.map(TextWidth.of).max() ?? 0
    let isWide = 2 + width + 11 * columns.count <= Terminal.columns ?? .max
    var lines = [""]
    if isWide {
      lines.append("  " + String(repeating: " ", count: width) + columns.map { padded($0.name, 11) }.joined())
    }
    for entity in entities {
      let counts = columns.map { $0.counts[entity].map(Quantity.grouped) ?? "" }
      if isWide {
        lines.append("  " + TextWidth.padded(entity, to: width) + counts.map { padded($0, 11) }.joined())
      } else {
        let words = zip(columns, counts).filter { !$1.isEmpty }.map { "\($1) \($0.name)" }
        lines += Listing.wrapped("\(entity): \(words.joined(separator: ", "))", indent: 2)
      }
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

  /// - Parameter isWhole: Whether the lines tell of all, though they are fewer.
  private func section(
    _ title: String, _ count: Int, _ lines: [String], isWhole: Bool = false
  ) -> [String] {
    guard count > 0 else { return [] }
    let rest = isWhole ? 0 : count - lines.count
    return ["", "\(title) (\(Quantity.grouped(count))):"] + lines.map { "  " + VisibleText.onOneLine($0) }
      + (rest > 0 ? ["  … and \(Quantity.grouped(rest)) more"] : [])
  }

  private var deleted: [String] {
    section(
      isDryRun ? "Would delete" : "Deleted", report.deletedObjects.count,
      report.deletedObjects.prefix(Self.most).map { "\($0.entity) \($0.identity)" })
  }

  /// A line an entity, those first of which nothing matched; then, as in the lines, what came most often.
  private var unmatched: [String] {
    let count = report.unmatchedKeys.values.map(\.count).reduce(0, +)
    let groups = report.unmatchedKeys.sorted { first, second in
      let strange = (report.strangers.contains(first.key), report.strangers.contains(second.key))
      if strange.0 != strange.1 { return strange.0 }
      let counts = (first.value.values.max() ?? 0, second.value.values.max() ?? 0)
      return (counts.1, first.key) < (counts.0, second.key)
    }
    let rest = groups.count - Self.most
    return section("Keys that match nothing", count, groups.prefix(Self.most).map(line), isWhole: true)
      + (rest > 0 ? ["  … and those of \(Quantity.count(rest, "more entity", plural: "more entities"))"] : [])
  }

  /// The keys of one entity that matched nothing, those first that come near to a property.
  private func line(_ entity: String, _ counts: [String: Int]) -> String {
    let nearest = report.nearMisses[entity] ?? [:]
    let keys = counts.sorted { first, second in
      let isNear = (nearest[first.key] != nil, nearest[second.key] != nil)
      return isNear.0 != isNear.1 ? isNear.0 : (second.value, first.key) < (first.value, second.key)
    }
    let owner = entity == "$" ? "The document" : entity
    let said = keys.prefix(Self.keysOfALine).map { key, count in
      "\(key.isEmpty ? "\"\"" : key), \(Quantity.count(count, "time"))"
        + (nearest[key].map { ", did you mean \($0)?" } ?? "")
    }
    let rest = keys.count - said.count
    return owner + (report.strangers.contains(entity) ? ", of which no key matches: " : ": ")
      + said.joined(separator: "; ") + (rest > 0 ? "; and \(Quantity.grouped(rest)) more" : "")
  }

  // MARK: - JSON

  /// The report for programs.
  static func json(_ report: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    return String(decoding: try encoder.encode(report), as: UTF8.self)
  }
}
