import ObjectModel
import ObjectStore

/// The key paths of an entity's properties, as a tree.
struct KeyPaths {
  var children: [String: KeyPaths] = [:]
  var match: KeyMatch?

  init() {}

  /// Collects the key paths that annotations give, and those of composites.
  ///
  /// - Throws: ``PlanError`` if two properties claim one path or key.
  init(_ entity: SchemaEntity, _ schema: Schema) throws(PlanError) {
    var owners: [String: String] = [:]
    func claim(_ key: String, _ name: String) throws(PlanError) {
      if let other = owners.updateValue(name, forKey: key), other != name {
        throw PlanError(
          entity: entity.name, property: name,
          message: "and \(entity.name).\(other) both claim the key \(key)")
      }
    }
    for (index, attribute) in entity.attributes.enumerated() {
      let isIgnored = attribute.attribute.annotations.isIgnored
      for (number, key) in Self.keys(of: attribute).enumerated() {
        try claim(key, attribute.name)
        insert(key, isIgnored ? .none : .attribute(index), number)
      }
    }
    for (place, index) in entity.relationships.enumerated() {
      let relationship = schema.relationships[index]
      let annotations = relationship.relationship.annotations
      for (number, key) in annotations.keys.enumerated() {
        try claim(key, relationship.name)
        insert(key, annotations.isIgnored ? .none : .relationship(place), number)
      }
    }
    let discriminators = entity.ancestry.compactMap { schema.model.entities[$0].annotations.discriminatorKey }
    if let path = discriminators.first { tellKind(by: path.split(separator: ".")[...], isFirst: true) }
  }

  /// All keys and key paths that the model gives an attribute.
  static func keys(of attribute: SchemaAttribute) -> [String] {
    let own = attribute.attribute.annotations.keys
    guard !attribute.container.isEmpty else { return own }
    let last = own.isEmpty ? [attribute.attribute.name] : own
    return attribute.container.flatMap { container in last.map { "\(container).\($0)" } }
  }

  /// Adds a key path. A single key is no path.
  private mutating func insert(_ path: String, _ target: KeyMatch.Target, _ number: Int) {
    guard path.contains(".") else { return }
    insert(path.split(separator: ".")[...], KeyMatch(target: target, rank: .annotation(number)))
  }

  private mutating func insert(_ path: ArraySlice<Substring>, _ match: KeyMatch) {
    guard let first = path.first else {
      self.match = match
      return
    }
    children[String(first), default: KeyPaths()].insert(path.dropFirst(), match)
  }

  /// Notes that a key path tells the kind of objects. The first of its keys that no other path has counts as known and
  /// belongs to no property. Its very first key is not looked at, since it may be one of the entity's own.
  private mutating func tellKind(by path: ArraySlice<Substring>, isFirst: Bool) {
    guard let first = path.first else { return }
    if children[String(first)] != nil {
      children[String(first)]?.tellKind(by: path.dropFirst(), isFirst: false)
    } else if !isFirst {
      children[String(first)] = KeyPaths()
      children[String(first)]?.match = KeyMatch(target: .none, rank: .annotation(0))
    }
  }

  /// The properties at or below this place, and how well their paths fit.
  var matches: [KeyMatch] { (match.map { [$0] } ?? []) + children.values.flatMap(\.matches) }

  var targets: [KeyMatch.Target] { matches.map(\.target) }
}

/// Makes the nodes of an entity's keys.
struct NodeBuilder {
  private(set) var nodes: [KeyNode] = []
  private(set) var propertiesBelow: [[KeyMatch]] = []
  private let matcher: KeyMatcher

  init(matcher: KeyMatcher, paths: KeyPaths) {
    self.matcher = matcher
    _ = add(paths, prefix: "")
  }

  private mutating func add(_ paths: KeyPaths, prefix: String) -> Int32 {
    let place = nodes.count
    // The indices of the nodes below are known before the node itself is made.
    nodes.append(KeyNode(prefix: prefix) { _ in KeyNode.Entry(start: 0, count: 0) })
    propertiesBelow.append(paths.matches)
    var below: [String: Int32] = [:]
    for (key, child) in paths.children.sorted(by: { $0.key < $1.key }) where !child.children.isEmpty {
      below[key] = add(child, prefix: "\(prefix)\(key).")
    }
    let matcher = prefix.isEmpty ? self.matcher : nil
    let children = paths.children
    let found = below
    nodes[place] = KeyNode(prefix: prefix) { key in
      if let match = children[key]?.match { return Self.entry(for: match, node: found[key] ?? -1) }
      let match = matcher?.match(key) ?? KeyMatch.none
      // A path may begin with its own property's name. Then the value of that key is not the property's.
      let isOnTheWay = children[key]?.targets.contains(match.target) ?? false
      return Self.entry(for: isOnTheWay ? .none : match, node: found[key] ?? -1)
    }
    return Int32(place)
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
    }
    return entry
  }
}
