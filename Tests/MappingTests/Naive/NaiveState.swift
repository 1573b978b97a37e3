/// An object's name: the root of its entity and its identity. A part has a number that the store makes up.
struct NaiveKey: Hashable {
  var root: Int
  var parts: [String]

  var text: String { parts.joined(separator: ",") }
}

struct NaiveObject: Hashable {
  var kind: Int
  /// Without those that are null.
  var values: [String: String] = [:]
}

/// All that a store holds: objects, and the lists of both ends of each relationship. A key in a list whose
/// object is not there is a pending reference.
struct NaiveState {
  let sketch: NaiveModel
  var objects: [NaiveKey: NaiveObject] = [:]
  /// By end, the objects that each object leads to.
  var lists: [[NaiveKey: [NaiveKey]]]

  /// The objects that an ordered list has and that nothing gave a place: they say themselves whose they are.
  var unplaced: [[NaiveKey: Set<NaiveKey>]]

  /// How many parts were made, to number them.
  var made = 0

  init(_ sketch: NaiveModel) {
    unplaced = Array(repeating: [:], count: sketch.ends.count)
    self.sketch = sketch
    lists = Array(repeating: [:], count: sketch.ends.count)
  }

  func list(_ end: Int, _ owner: NaiveKey) -> [NaiveKey] { lists[end][owner] ?? [] }

  func isPart(_ key: NaiveKey) -> Bool { sketch.isPart(key.root) }

  /// Whether an end leads to an object that is there, and of the end's entity.
  func isThere(_ end: Int, _ key: NaiveKey) -> Bool {
    objects[key].map { sketch.isKind($0.kind, of: sketch.ends[end].target) } ?? false
  }

  /// Both ends of a link are kept, each in its own list.
  mutating func connect(_ end: Int, _ owner: NaiveKey, _ target: NaiveKey) {
    append(end, owner, target)
    append(sketch.ends[end].inverse, target, owner)
  }

  private mutating func append(_ end: Int, _ owner: NaiveKey, _ target: NaiveKey) {
    if !list(end, owner).contains(target) { lists[end][owner, default: []].append(target) }
  }

  mutating func disconnect(_ end: Int, _ owner: NaiveKey, _ target: NaiveKey) {
    unplaced[end][owner]?.remove(target)
    unplaced[sketch.ends[end].inverse][target]?.remove(owner)
    lists[end][owner]?.removeAll { $0 == target }
    lists[sketch.ends[end].inverse][target]?.removeAll { $0 == owner }
  }

  // MARK: - As text

  /// Everything, in an order of its own, to compare.
  var lines: [String] {
    let owners = objects.keys.filter { !isPart($0) }
    return
      (owners.map(line) + owners.flatMap { key in links(key) }
      + objects.keys.filter(isPart).map { "part \(description($0, from: nil))" }).sorted()
  }

  private func line(_ key: NaiveKey) -> String {
    let kind = objects[key].map { sketch.kinds[$0.kind].name } ?? "?"
    return "\(sketch.kinds[key.root].name) \(key.text) is \(kind) \(values(key))"
  }

  private func values(_ key: NaiveKey) -> String {
    let values = objects[key]?.values ?? [:]
    return values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
  }

  private func links(_ key: NaiveKey) -> [String] {
    guard let kind = objects[key]?.kind else { return [] }
    return sketch.namedEnds(of: kind).compactMap { end in
      let targets = targets(end, key)
      if targets.isEmpty { return nil }
      return "\(sketch.kinds[key.root].name) \(key.text) \(sketch.name(end)) -> \(targets)"
    }
  }

  /// A list as it is read: what has no place comes last, by its key.
  func shown(_ list: [NaiveKey], _ end: Int, _ owner: NaiveKey) -> [NaiveKey] {
    let unplaced = unplaced[end][owner] ?? []
    let last = list.filter(unplaced.contains).sorted { first, second in
      if let one = Int(first.text), let other = Int(second.text) { return one < other }
      return first.text < second.text
    }
    return list.filter { !unplaced.contains($0) } + last
  }

  private func targets(_ end: Int, _ owner: NaiveKey) -> String {
    let targets = shown(list(end, owner), end, owner).map { target in
      isPart(target)
        ? description(target, from: sketch.ends[end].inverse)
        : target.text + (isThere(end, target) ? "" : "?")
    }
    return (sketch.ends[end].isOrdered ? targets : targets.sorted()).joined(separator: " ")
  }

  /// A part by what it says, since its number is the store's own affair.
  private func description(_ part: NaiveKey, from way: Int?) -> String {
    guard let kind = objects[part]?.kind else { return "{gone}" }
    let links = sketch.namedEnds(of: kind).compactMap { end -> String? in
      if end == way || (way == nil && sketch.isPart(sketch.ends[end].target)) { return nil }
      let targets = targets(end, part)
      return targets.isEmpty ? nil : "\(sketch.name(end)) -> \(targets)"
    }
    return "{\(([values(part)] + links).joined(separator: "; "))}"
  }
}
