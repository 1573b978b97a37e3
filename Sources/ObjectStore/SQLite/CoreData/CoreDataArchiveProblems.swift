/// What is wrong with the archives of a Core Data store, counted by attribute: one issue for all objects.
struct CoreDataArchiveProblems {
  enum Found {
    /// What the value holds instead of an archive of plain values.
    case notPlain(String)
    /// Numbers that are not finite.
    case notFinite
  }

  private struct Counts {
    let entity: String
    let property: String
    /// How many values hold each kind.
    var kinds: [String: Int] = [:]
    /// In how many values there were more kinds than are counted.
    var others = 0
    var notFinite = 0
  }

  /// By entity and property.
  private var counts: [String: Counts] = [:]

  /// How many kinds of an attribute are counted, and how many are named.
  private static let (mostKinds, mostNamed) = (100, 3)

  mutating func add(_ found: Found, entity: String, property: String) {
    let key = "\(entity).\(property)"
    var known = counts[key] ?? Counts(entity: entity, property: property)
    switch found {
    case .notFinite: known.notFinite += 1
    case .notPlain(let kind):
      if known.kinds[kind] != nil || known.kinds.count < Self.mostKinds {
        known.kinds[kind, default: 0] += 1
      } else {
        known.others += 1
      }
    }
    counts[key] = known
  }

  var problems: [SourceProblem] {
    counts.sorted { $0.key < $1.key }.flatMap { Self.problems($0.value) }
  }

  private static func problems(_ counts: Counts) -> [SourceProblem] {
    var problems: [SourceProblem] = []
    if !counts.kinds.isEmpty {
      problems.append(
        SourceProblem(
          object: "", entity: counts.entity, property: counts.property,
          expected: "an archive of plain values", found: text(counts),
          action: "kept as its bytes in Base64"))
    }
    if counts.notFinite > 0 {
      problems.append(
        SourceProblem(
          object: "", entity: counts.entity, property: counts.property, expected: "finite numbers",
          found: "NaN or an infinite number in an archive, \(objects(counts.notFinite))",
          action: "null in its place"))
    }
    return problems
  }

  /// The most frequent kinds with their counts.
  private static func text(_ counts: Counts) -> String {
    let sorted = counts.kinds.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }
    var parts = sorted.prefix(mostNamed).map { "\($0.key), \(objects($0.value))" }
    let rest = sorted.dropFirst(mostNamed).map(\.value).reduce(counts.others, +)
    if rest > 0 { parts.append("others, \(objects(rest))") }
    return parts.joined(separator: "; ")
  }

  private static func objects(_ count: Int) -> String { "in \(count) \(count == 1 ? "object" : "objects")" }
}
