/// The name among `candidates` that `name` most likely was meant to be, if one is near enough to suggest.
///
///     nearestName(to: "albms", in: ["albums", "members"])   // "albums"
///     nearestName(to: "Integer64", in: ["Integer 64"])      // "Integer 64"
///
/// Names that differ only by case, spaces or underscores are always near; otherwise a third of the letters
/// may be wrong. Of several equally near, the first wins.
package func nearestName(to name: String, in candidates: some Sequence<String>) -> String? {
  let wanted = folded(name)
  guard !wanted.isEmpty, wanted.count <= longestNameCompared else { return nil }
  let limit = max(1, wanted.count / 3)
  var best: (name: String, distance: Int)?
  for candidate in candidates where candidate != name {
    let other = folded(candidate)
    guard !other.isEmpty, abs(other.count - wanted.count) <= limit else { continue }
    let distance = editDistance(wanted, other)
    if distance <= limit, distance < min(best?.distance ?? .max, max(wanted.count, other.count)) {
      best = (candidate, distance)
    }
  }
  return best?.name
}

/// Comparing takes time proportional to the product of the lengths: nobody mistypes a longer name.
private let longestNameCompared = 100

private func folded(_ name: String) -> [Character] {
  name.lowercased().filter { $0 != " " && $0 != "_" && $0 != "-" }
}

/// How many letters must be added, removed, replaced or swapped with their neighbour to come from `a` to `b`.
private func editDistance(_ a: [Character], _ b: [Character]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var cost = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
      row.append(cost)
    }
    beforeLast = last
    last = row
  }
  return last[b.count]
}

extension String {
  /// The name with small letters at its beginning: `url` for `URL`, `urlPath` for `URLPath`.
  package var lowerCamelCased: String {
    let capitals = prefix { $0.isUppercase }
    if capitals.count == count { return lowercased() }
    let count = max(1, capitals.count - 1)
    return prefix(count).lowercased() + dropFirst(count)
  }
}

extension Unicode.GeneralCategory {
  /// Whether characters of it end a line, turn the direction of writing or are not seen.
  package var isUnseen: Bool {
    switch self {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
