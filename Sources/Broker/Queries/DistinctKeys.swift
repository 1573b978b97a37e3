import ObjectStore

/// Keys of objects, each once, and their places.
///
/// As in the store, texts are one if their bytes are. To Swift, `é` and `e` with an accent behind it are one too.
struct DistinctKeys {
  private struct Key: Hashable {
    let parts: [SQLValue]

    static func == (left: Key, right: Key) -> Bool {
      left.parts.elementsEqual(right.parts) { first, second in
        guard case (.text(let first), .text(let second)) = (first, second) else { return first == second }
        return first.utf8.elementsEqual(second.utf8)
      }
    }

    func hash(into hasher: inout Hasher) {
      for part in parts { hasher.combine(part) }
    }
  }

  private(set) var list: [[SQLValue]] = []
  private var places: [Key: Int] = [:]

  /// The place of a key, which gets one if it has none.
  mutating func place(of parts: [SQLValue]) -> Int {
    let key = Key(parts: parts)
    if let known = places[key] { return known }
    places[key] = list.count
    list.append(parts)
    return list.count - 1
  }

  /// The place of a key that has one.
  func known(_ parts: [SQLValue]) -> Int? { places[Key(parts: parts)] }
}
