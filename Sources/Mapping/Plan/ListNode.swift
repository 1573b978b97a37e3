import ObjectModel

/// The places of a list that key paths lead to.
final class ListNode {
  /// The places, `[0]`, `[-1]` and `[]`, as if they were keys.
  let keys: KeyNode
  /// What takes its values from all elements.
  let gathers: [Gathering]
  /// Whether key paths also lead on where the value is an object.
  let takesKeys: Bool
  /// Whether the number of elements has to be known before the first is read.
  let countsFromEnd: Bool
  private let places: [(position: Int, index: Int)]
  /// The entry of all elements; nil if paths do not lead through all.
  private let all: Int?

  init(
    prefix: String, _ entries: [(step: JSONKeyPath.Step, entry: KeyNode.Entry)], _ gathers: [Gathering],
    takesKeys: Bool
  ) {
    self.gathers = gathers
    self.takesKeys = takesKeys
    let known = Dictionary(
      entries.map { ($0.step.text, $0.entry) }, uniquingKeysWith: { first, _ in first })
    keys = KeyNode(prefix: prefix, isList: true) { known[$0] ?? KeyNode.Entry(start: 0, count: 0) }
    var places: [(position: Int, index: Int)] = []
    var all: Int?
    for (step, _) in entries {
      let index = keys.index(of: step.text)
      if case .position(let position) = step { places.append((position, index)) } else { all = index }
    }
    self.places = places
    self.all = all
    countsFromEnd = places.contains { $0.position < 0 }
  }

  /// Whether the list is only gone through for ``gathers``.
  var hasPlaces: Bool { !places.isEmpty || all != nil }

  /// The keys of the places, and those of what takes its values from all elements.
  var allKeys: [KeyNode] { [keys] + gathers.map(\.keys) }

  /// The entries of the element at a position. The count matters where places are counted from the end.
  func entries(at position: Int, of count: Int) -> [Int] {
    var result = all.map { [$0] } ?? []
    for place in places
    where place.position == position || (place.position < 0 && place.position + count == position) {
      result.append(place.index)
    }
    return result
  }
}

/// A property that takes its values from all elements of a list.
final class Gathering {
  /// The key path, as if it were a key.
  let keys: KeyNode
  let index: Int
  /// The steps from an element to the value.
  let path: [JSONKeyPath.Step]

  init(_ gather: KeyPaths.Gather, prefix: String) {
    path = Array(gather.path)
    var entry = KeyNode.Entry(start: 0, count: 0)
    entry.rank = gather.match.rank.rawValue
    switch gather.match.target {
    case .attribute(let attribute): (entry.action, entry.index) = (.attribute, Int32(attribute))
    case .relationship(let place): (entry.action, entry.index) = (.relationship, Int32(place))
    case .none, .wrapper, .polymorphic, .linkKind: break
    }
    let found = entry
    keys = KeyNode(prefix: prefix, isList: true) { _ in found }
    index = keys.index(of: "[]" + path.map(\.text).joined())
  }
}
