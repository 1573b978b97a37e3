import ObjectStore

/// Keys of objects, each once, and their places.
///
/// As in the store, texts are one if their bytes are. To Swift, `é` and `e` with an accent behind it are one too.
struct DistinctKeys {
  /// A text that equals those with the same bytes.
  private struct Text: Hashable {
    let text: String

    static func == (left: Text, right: Text) -> Bool {
      left.text == right.text && left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
  }

  private struct Key: Hashable {
    let parts: [SQLValue]

    static func == (left: Key, right: Key) -> Bool {
      left.parts.elementsEqual(right.parts) { first, second in
        guard case (.text(let first), .text(let second)) = (first, second) else { return first == second }
        return Text(text: first) == Text(text: second)
      }
    }

    func hash(into hasher: inout Hasher) {
      for part in parts { hasher.combine(part) }
    }
  }

  private(set) var list: [[SQLValue]] = []
  // The commonest types of identities have tables of their own: theirs are compared without a detour.
  private var texts: [Text: Int] = [:]
  private var integers: [Int: Int] = [:]
  private var others: [Key: Int] = [:]

  /// The places of the keys of identities, which get one where they have none.
  mutating func places<Target: Storable>(of ids: [Target.ID?], _ type: Target.Type) -> [Int?] {
    if let ids = ids as? [String?] {
      return ids.map { id in
        guard let id else { return nil }
        if let known = texts[Text(text: id)] { return known }
        texts[Text(text: id)] = list.count
        return add([.text(id)])
      }
    }
    if let ids = ids as? [Int?] {
      return ids.map { id in
        guard let id else { return nil }
        if let known = integers[id] { return known }
        integers[id] = list.count
        return add([.integer(Int64(id))])
      }
    }
    return ids.map { id in
      guard let parts = id.map({ Target.storedParts(of: $0) }) else { return nil }
      if let known = others[Key(parts: parts)] { return known }
      others[Key(parts: parts)] = list.count
      return add(parts)
    }
  }

  private mutating func add(_ parts: [SQLValue]) -> Int {
    list.append(parts)
    return list.count - 1
  }
}
