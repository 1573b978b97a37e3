/// Names of a schema as names of a model.
enum DraftNames {
  /// `PetItem` for `pet-item`.
  static func entity(_ name: String) -> String {
    let text = joined(name) ?? "Unnamed"
    let upper = text.prefix(1).uppercased() + text.dropFirst()
    return upper.lowercased().hasPrefix("sqlite") ? "A\(upper)" : upper
  }

  /// The key itself if it is a name, else its pieces: `schemaVersion` for `schema-version`.
  static func property(_ key: String) -> String { joined(key) ?? "unnamed" }

  private static func joined(_ name: String) -> String? {
    let pieces = name.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    guard let first = pieces.first else { return nil }
    let text = first + pieces.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return text.first?.isNumber ?? false ? "_\(text)" : String(text)
  }

  /// A name that no other has, whatever the case.
  static func free(_ name: String, _ taken: inout Set<String>) -> String {
    var result = name
    var number = 2
    while !taken.insert(result.lowercased()).inserted {
      result = "\(name)\(number)"
      number += 1
    }
    return result
  }

  /// A key as a key path.
  static func path(_ key: String) -> String {
    let isPlain = key.allSatisfy { $0.isLetter || $0.isNumber || "_-@$:/ ".contains($0) }
    if isPlain, !key.isEmpty { return key }
    let escaped = key.map { "\"\\".contains($0) ? "\\\($0)" : String($0) }.joined()
    return "[\"\(escaped)\"]"
  }

  /// One of many: `pet` for `pets`.
  static func singular(_ name: String) -> String {
    let lower = name.lowercased()
    if lower.hasSuffix("ies"), name.count > 4 { return name.dropLast(3) + "y" }
    for ending in ["sses", "shes", "ches", "xes"] where lower.hasSuffix(ending) {
      return String(name.dropLast(2))
    }
    return lower.hasSuffix("s") && !lower.hasSuffix("ss") && name.count > 2 ? String(name.dropLast()) : name
  }

  static func plural(_ name: String) -> String {
    let lower = name.lowercased()
    if lower.hasSuffix("s"), singular(name) != name { return name }
    if lower.hasSuffix("y"), !["ay", "ey", "oy", "uy"].contains(String(lower.suffix(2))) {
      return name.dropLast() + "ies"
    }
    return name + (["s", "x", "ch", "sh"].contains { lower.hasSuffix($0) } ? "es" : "s")
  }

  static func lower(_ name: String) -> String { SwiftNames.lowerCased(name) }
}
