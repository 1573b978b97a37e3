/// Identifies an object: the root of its entity and its identity. A part has a number that the store gives it.
struct NaiveKey: Hashable {
  var root: Int
  var parts: [String]

  /// Of several parts, each has a backslash before its commas and backslashes.
  var text: String {
    guard parts.count > 1 else { return parts.joined() }
    return parts.map { $0.replacing("\\", with: "\\\\").replacing(",", with: "\\,") }.joined(separator: ",")
  }

  /// The parts of a key as ``text`` has them.
  static func parts(_ text: String, count: Int) -> [String] {
    guard count > 1 else { return [text] }
    var parts = [""]
    var isEscaped = false
    for character in text {
      switch character {
      case "\\" where !isEscaped: isEscaped = true
      case "," where !isEscaped: parts.append("")
      default:
        parts[parts.count - 1].append(character)
        isEscaped = false
      }
    }
    return parts
  }
}

struct NaiveObject: Hashable {
  var kind: Int
  /// The values that are not null.
  var values: [String: String] = [:]
}

/// All that a store holds: objects, and the lists of both ends of each relationship. A key without an object in a
/// list is a pending reference.
struct NaiveState {
  let model: NaiveModel
  var objects: [NaiveKey: NaiveObject] = [:]
  /// For each end, the list of each owner.
  var lists: [[NaiveKey: [NaiveKey]]]

  /// For each end, the objects of an ordered list without a place: they were linked from their own end.
  var unplaced: [[NaiveKey: Set<NaiveKey>]]

  /// How many parts were made, to number them.
  var made = 0

  init(_ model: NaiveModel) {
    unplaced = Array(repeating: [:], count: model.ends.count)
    self.model = model
    lists = Array(repeating: [:], count: model.ends.count)
  }

  func list(_ end: Int, _ owner: NaiveKey) -> [NaiveKey] { lists[end][owner] ?? [] }

  func isPart(_ key: NaiveKey) -> Bool { model.isPart(key.root) }

  /// Whether an object exists and is of the entity that an end leads to.
  func isThere(_ end: Int, _ key: NaiveKey) -> Bool {
    objects[key].map { model.isKind($0.kind, of: model.ends[end].target) } ?? false
  }

  /// Adds a link to the lists of both ends.
  mutating func connect(_ end: Int, _ owner: NaiveKey, _ target: NaiveKey) {
    append(end, owner, target)
    append(model.ends[end].inverse, target, owner)
  }

  private mutating func append(_ end: Int, _ owner: NaiveKey, _ target: NaiveKey) {
    if !list(end, owner).contains(target) { lists[end][owner, default: []].append(target) }
  }

  mutating func disconnect(_ end: Int, _ owner: NaiveKey, _ target: NaiveKey) {
    unplaced[end][owner]?.remove(target)
    unplaced[model.ends[end].inverse][target]?.remove(owner)
    lists[end][owner]?.removeAll { $0 == target }
    lists[model.ends[end].inverse][target]?.removeAll { $0 == owner }
  }

  // MARK: - As text

  /// Everything as sorted lines, to compare.
  var lines: [String] {
    let owners = objects.keys.filter { !isPart($0) }
    return
      (owners.map(line) + owners.flatMap { key in links(key) }
      + objects.keys.filter(isPart).map { "part \(description($0, from: nil))" }).sorted()
  }

  private func line(_ key: NaiveKey) -> String {
    let kind = objects[key].map { model.kinds[$0.kind].name } ?? "?"
    return "\(model.kinds[key.root].name) \(key.text) is \(kind) \(values(key))"
  }

  private func values(_ key: NaiveKey) -> String {
    let values = objects[key]?.values ?? [:]
    return values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
  }

  private func links(_ key: NaiveKey) -> [String] {
    guard let kind = objects[key]?.kind else { return [] }
    return model.namedEnds(of: kind).compactMap { end in
      let targets = targets(end, key)
      if targets.isEmpty { return nil }
      return "\(model.kinds[key.root].name) \(key.text) \(model.name(end)) -> \(targets)"
    }
  }

  /// A list as the store reads it: objects without a place come last, in the order of their keys.
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
        ? description(target, from: model.ends[end].inverse)
        : target.text + (isThere(end, target) ? "" : "?")
    }
    return (model.ends[end].isOrdered ? targets : targets.sorted()).joined(separator: " ")
  }

  /// A part described by its values, since its number is not compared.
  private func description(_ part: NaiveKey, from way: Int?) -> String {
    guard let kind = objects[part]?.kind else { return "{gone}" }
    let links = model.namedEnds(of: kind).compactMap { end -> String? in
      if end == way || (way == nil && model.isPart(model.ends[end].target)) { return nil }
      let targets = targets(end, part)
      return targets.isEmpty ? nil : "\(model.name(end)) -> \(targets)"
    }
    return "{\(([values(part)] + links).joined(separator: "; "))}"
  }
}
