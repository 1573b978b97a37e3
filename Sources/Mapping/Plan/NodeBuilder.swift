import ObjectModel

/// Makes the nodes of an entity's keys from the tree of its key paths.
struct NodeBuilder {
  private(set) var nodes: [KeyNode] = []
  private(set) var lists: [ListNode?] = []
  private(set) var propertiesBelow: [[KeyMatch]] = []
  private let matcher: KeyMatcher

  init(matcher: KeyMatcher, paths: KeyPaths) {
    self.matcher = matcher
    _ = add(paths, at: [])
  }

  /// Adds the node for what stands at a path: the keys of an object, the places of a list, or both.
  private mutating func add(_ paths: KeyPaths, at path: [JSONKeyPath.Step]) -> Int32 {
    let place = nodes.count
    // The indices of the nodes below are known before the node itself is made.
    nodes.append(KeyNode(prefix: "") { _ in KeyNode.Entry(start: 0, count: 0) })
    lists.append(nil)
    propertiesBelow.append(paths.matches)
    var below: [JSONKeyPath.Step: Int32] = [:]
    let deeper = paths.children.filter {
      !$0.value.children.isEmpty || !$0.value.gathers.isEmpty || $0.value.holdsProperties
    }
    for (step, child) in deeper.sorted(by: { $0.key.text < $1.key.text }) {
      below[step] = add(child, at: path + [step])
    }
    nodes[place] = keys(paths, at: path, below)
    lists[place] = list(paths, at: path, below)
    return Int32(place)
  }

  private func keys(
    _ paths: KeyPaths, at path: [JSONKeyPath.Step], _ below: [JSONKeyPath.Step: Int32]
  ) -> KeyNode {
    let matcher = path.isEmpty || paths.holdsProperties ? self.matcher : nil
    let children = paths.children
    let prefix = path.isEmpty ? "" : JSONKeyPath.text(of: path[...]) + "."
    return KeyNode(prefix: prefix) { key in
      let step = JSONKeyPath.Step.key(key)
      if let match = children[step]?.match { return Self.entry(for: match, node: below[step] ?? -1) }
      let match = matcher?.match(key) ?? KeyMatch.none
      // A path may begin with its own property's name. Then the value of that key is not the property's.
      let isOnTheWay = children[step]?.targets.contains(match.target) ?? false
      return Self.entry(for: isOnTheWay ? .none : match, node: below[step] ?? -1)
    }
  }

  private mutating func list(
    _ paths: KeyPaths, at path: [JSONKeyPath.Step], _ below: [JSONKeyPath.Step: Int32]
  ) -> ListNode? {
    var entries: [(step: JSONKeyPath.Step, entry: KeyNode.Entry)] = []
    for (step, child) in paths.children.sorted(by: { $0.key.text < $1.key.text }) {
      if case .key = step { continue }
      entries.append((step, Self.entry(for: child.match ?? .none, node: below[step] ?? -1)))
    }
    guard !entries.isEmpty || !paths.gathers.isEmpty else { return nil }
    let prefix = JSONKeyPath.text(of: path[...])
    let gathers = paths.gathers.map { Gathering($0, prefix: prefix) }
    let takesKeys = paths.children.keys.contains { if case .key = $0 { true } else { false } }
    let list = ListNode(prefix: prefix, entries, gathers, takesKeys: takesKeys)
    // What explains keys and counts them goes through all nodes.
    for node in list.allKeys {
      nodes.append(node)
      lists.append(nil)
      propertiesBelow.append([])
    }
    return list
  }

  private static func entry(for match: KeyMatch, node: Int32) -> KeyNode.Entry {
    var entry = KeyNode.Entry(start: 0, count: 0)
    entry.rank = match.rank.rawValue
    entry.node = node
    switch match.target {
    case .none: entry.action = node >= 0 ? .descend : .ignore
    case .wrapper: entry.action = node >= 0 ? .descend : .wrapper
    case .attribute(let index):
      entry.action = .attribute
      entry.index = Int32(index)
    case .relationship(let place):
      entry.action = .relationship
      entry.index = Int32(place)
    case .polymorphic(let place):
      entry.action = .polymorphic
      entry.index = Int32(place)
    case .linkKind(let attribute):
      entry.action = .linkKind
      entry.index = Int32(attribute ?? -1)
    }
    return entry
  }
}
