import ObjectModel
import ObjectStore

/// The key paths of an entity's properties, as a tree.
struct KeyPaths {
  var children: [JSONKeyPath.Step: KeyPaths] = [:]
  var match: KeyMatch?
  /// Whether the keys at this place are matched as those of the object itself.
  var holdsProperties = false
  /// What is taken from all elements of the list at this place.
  var gathers: [Gather] = []

  /// A property that gets its values from all elements of a list.
  struct Gather {
    var match: KeyMatch
    /// The steps from an element on.
    var path: ArraySlice<JSONKeyPath.Step>
  }

  init() {}

  /// Collects the key paths that annotations give, and those of composites.
  ///
  /// - Throws: ``PlanError`` if two properties claim one path or key.
  init(_ entity: SchemaEntity, _ schema: Schema) throws(PlanError) {
    var owners: [JSONKeyPath: String] = [:]
    func claim(_ key: JSONKeyPath, _ name: String) throws(PlanError) {
      if let other = owners.updateValue(name, forKey: key), other != name {
        throw PlanError(
          entity: entity.name, property: name,
          message: "and \(entity.name).\(other) both claim the key \(key.text)")
      }
    }
    for (index, attribute) in entity.attributes.enumerated() {
      let isIgnored = attribute.attribute.annotations.isIgnored
      for (number, key) in Self.paths(Self.keys(of: attribute)) {
        try claim(key, attribute.name)
        insert(key, isIgnored ? .none : .attribute(index), number)
      }
    }
    for (place, index) in entity.relationships.enumerated() {
      let relationship = schema.relationships[index]
      let annotations = relationship.relationship.annotations
      for (number, key) in Self.paths(annotations.keys) {
        try claim(key, relationship.name)
        insert(key, annotations.isIgnored ? .none : .relationship(place), number)
      }
    }
    for rule in entity.ancestry.compactMap({ schema.model.entities[$0].annotations.inside }).prefix(1) {
      for (_, path) in Self.paths([rule.attributes, rule.relationships].compactMap(\.self)) {
        insertHolder(path.steps[...])
      }
    }
    let discriminators = entity.ancestry.compactMap {
      schema.model.entities[$0].annotations.discriminatorPath
    }
    if let path = discriminators.first { tellKind(by: path.steps[...], isFirst: true) }
  }

  /// All keys and key paths that the model gives an attribute.
  static func keys(of attribute: SchemaAttribute) -> [String] {
    let own = attribute.attribute.annotations.keys
    guard !attribute.container.isEmpty else { return own }
    let last = own.isEmpty ? [attribute.attribute.name] : own
    return attribute.container.flatMap { container in last.map { JSONKeyPath.joined(container, $0) } }
  }

  /// Those of some texts that are key paths, each with its place among them. The others are problems of the property.
  static func paths(_ keys: [String]) -> [(Int, JSONKeyPath)] {
    keys.enumerated().compactMap { number, key in (try? JSONKeyPath(key)).map { (number, $0) } }
  }

  /// Adds a key path. A single key is no path.
  private mutating func insert(_ path: JSONKeyPath, _ target: KeyMatch.Target, _ number: Int) {
    guard path.onlyKey == nil else { return }
    insert(path.steps[...], KeyMatch(target: target, rank: .annotation(number)))
  }

  private mutating func insertHolder(_ path: ArraySlice<JSONKeyPath.Step>) {
    guard let first = path.first else {
      holdsProperties = true
      return
    }
    children[first, default: KeyPaths()].insertHolder(path.dropFirst())
  }

  private mutating func insert(_ path: ArraySlice<JSONKeyPath.Step>, _ match: KeyMatch) {
    guard let first = path.first else {
      if self.match == nil || match.target != .none { self.match = match }
      return
    }
    guard first == .elements else {
      return children[first, default: KeyPaths()].insert(path.dropFirst(), match)
    }
    // The whole list is what its elements are, one after another.
    guard path.count > 1 else { return insert(path.dropFirst(), match) }
    gathers.append(Gather(match: match, path: path.dropFirst()))
    // The keys on the way count as known.
    let known = path.dropFirst().prefix { $0 != .elements }
    children[first, default: KeyPaths()].insert(known, KeyMatch(target: .none, rank: .gathered))
  }

  /// Notes that a key path tells the kind of objects. The first of its keys that no other path has counts as known and
  /// belongs to no property. Its very first key is not looked at, since it may be one of the entity's own.
  private mutating func tellKind(by path: ArraySlice<JSONKeyPath.Step>, isFirst: Bool) {
    guard let first = path.first else { return }
    if children[first] != nil {
      children[first]?.tellKind(by: path.dropFirst(), isFirst: false)
    } else if !isFirst {
      children[first] = KeyPaths()
      children[first]?.match = KeyMatch(target: .none, rank: .annotation(0))
    }
  }

  /// The properties at or below this place, and how well their paths fit.
  var matches: [KeyMatch] {
    (match.map { [$0] } ?? []) + gathers.map(\.match) + children.values.flatMap(\.matches)
  }

  var targets: [KeyMatch.Target] { matches.map(\.target) }
}
