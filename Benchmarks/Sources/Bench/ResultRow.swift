/// One contender's line in a Markdown table.
struct ResultRow {
  let results: Results
  let index: Int

  private var contender: Contender { results.contenders[index] }

  static func table(_ rows: [ResultRow], _ subject: Subject) -> String {
    let columns = columns(subject)
    let lines = rows.map { row in
      [row.contender.name] + (row.failure.map { [$0] } ?? columns.map { $0.cell(row) })
    }
    let heads = [""] + columns.map(\.head)
    let rule = ["---"] + columns.map { _ in "---:" }
    return ([heads, rule] + lines).map { "| " + $0.joined(separator: " | ") + " |" }
      .joined(separator: "\n")
  }

  private typealias Column = (head: String, cell: (ResultRow) -> String)

  private static func columns(_ subject: Subject) -> [Column] {
    let ends: [Column] = [("peak MiB", \.peak), ("goal", \.goal)]
    switch subject {
    case .flat, .departments:
      return [("seconds", \.seconds), ("range", \.range), ("× floor", \.ratio), ("MB/s", \.rate)] + ends
    case .inferred, .inferredDepartments, .export:
      return [("seconds", \.seconds), ("range", \.range), ("MB/s", \.rate)] + ends
    case .server, .serverDepartments:
      return [("seconds", \.seconds), ("range", \.range), ("× by hand", \.ratio), ("log MB", \.log)] + ends
    case .parts, .commands:
      return [("ms", \.milliseconds), ("ms as reported", \.inside)] + ends
    }
  }

  private var failure: String? {
    results.failures[index].map { "failed: \($0)" }
  }

  private var median: Double? { results.median(index, \.seconds) }

  private var seconds: String { median.map { Self.seconds($0) } ?? "" }

  private var milliseconds: String { median.map { "\(Fixed($0 * 1000, digits: 1))" } ?? "" }

  private var inside: String {
    results.median(index, \.inside).map { "\(Fixed($0 * 1000, digits: 2))" } ?? ""
  }

  private var range: String {
    let all = results.measurements[index].map(\.seconds)
    guard let least = all.min(), let most = all.max() else { return "" }
    return "\(Self.seconds(least))–\(Self.seconds(most))"
  }

  private static func seconds(_ value: Double) -> String {
    "\(Fixed(value, digits: value < 1 ? 3 : 2))"
  }

  private var ratio: String {
    guard let median, let floor = results.seconds(contender.floor, contender.subject) else { return "" }
    return "\(Fixed(median / floor, digits: 2))"
  }

  private var bytesPerSecond: Double? {
    let bytes = results.median(index) { $0.bytes.map(Double.init) } ?? contender.bytes.map(Double.init)
    guard let median, let bytes else { return nil }
    return bytes / median
  }

  private var rate: String { bytesPerSecond.map { "\(Fixed($0 / 1e6, digits: 0))" } ?? "" }

  private var log: String {
    results.median(index) { $0.logBytes.map(Double.init) }.map { "\(Fixed($0 / 1e6, digits: 1))" } ?? ""
  }

  private var peak: String {
    results.median(index) { $0.peakBytes.map(Double.init) }
      .map { "\(Fixed($0 / 1_048_576, digits: 0))" } ?? "–"
  }

  /// The goal in words, and whether the median misses it.
  private var goal: String {
    guard let goal = contender.goal else { return "" }
    switch goal {
    case .times(let factor, let name):
      let other = results.seconds(name, contender.subject)
      return reached("≤ \(Fixed(factor, digits: 1)) × \(Self.words(for: name))") {
        guard let median, let other else { return nil }
        return median <= factor * other
      }
    case .seconds(let limit):
      return reached("≤ \(Fixed(limit * 1000, digits: 0)) ms") { median.map { $0 <= limit } }
    case .inside(let limit):
      return reached("≤ \(Fixed(limit * 1000, digits: 0)) ms as reported") {
        results.median(index, \.inside).map { $0 <= limit }
      }
    case .rate(let limit):
      return reached("≥ \(Fixed(limit / 1e6, digits: 0)) MB/s") { bytesPerSecond.map { $0 >= limit } }
    }
  }

  private static func words(for name: String) -> String {
    switch name {
    case Names.floor: "floor"
    case Names.broker: "new store"
    case Names.handNew, Names.handAgain, Names.handFew, Names.handAll: "by hand"
    default: "the small store"
    }
  }

  private func reached(_ words: String, _ isReached: () -> Bool?) -> String {
    isReached().map { $0 ? words : "\(words): missed" } ?? words
  }
}
