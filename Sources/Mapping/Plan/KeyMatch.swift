import ObjectModel
import ObjectStore

/// The purpose of a key of a JSON object.
struct KeyMatch: Hashable {
  enum Target: Hashable {
    /// No property; if it has a rank, the mapping says to ignore the key.
    case none
    /// The attribute with this index.
    case attribute(Int)
    /// The relationship at this place among the entity's.
    case relationship(Int)
    /// The object itself, wrapped in its entity's name.
    case wrapper
    /// Objects of any of several entities: the entity's polymorphic key at this place.
    case polymorphic(Int)
    /// The discriminator of those objects, and the attribute that has the value as well.
    case linkKind(attribute: Int?)
  }

  /// How well a key fits. Less is better.
  struct Rank: RawRepresentable, Hashable, Comparable {
    let rawValue: UInt8

    /// A key that the model or a mapping gives the property, by its place among all that they give.
    static func annotation(_ place: Int) -> Rank { Rank(rawValue: UInt8(clamping: min(place, 199) + 1)) }
    /// Whether the model or a mapping gives the key.
    var isAnnotation: Bool { self < .exactName }

    static let exactName = Rank(rawValue: 201)
    static let foldedName = Rank(rawValue: 202)
    static let reservedWord = Rank(rawValue: 203)
    static let identity = Rank(rawValue: 204)
    static let reference = Rank(rawValue: 205)
    /// Properties take their values from it by going through all elements of a list.
    static let gathered = Rank(rawValue: 206)
    /// A key that says nothing about the object: an identity beside it is a reference all the same.
    static let meaningless = Rank(rawValue: 207)
    static let none = Rank(rawValue: 255)

    static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
  }

  var target: Target
  var rank: Rank

  static let none = KeyMatch(target: .none, rank: .none)
}

/// Finds out what the keys of one entity's objects are for.
struct KeyMatcher {
  private let entity: SchemaEntity
  private let style: KeyStyle
  private var annotated: [String: KeyMatch] = [:]
  private var exact: [String: KeyMatch.Target] = [:]
  private var folded: [String: KeyMatch.Target] = [:]
  private var references: [String: KeyMatch.Target] = [:]
  /// The folded names of the entity and its ancestors, which reserved words are qualified with.
  private let entityNames: [String]
  /// The keys that objects of the entity may be wrapped in.
  private let kinds: [String]
  /// The first key of the path to the value that tells the kind of objects; nil if there is none.
  private let discriminator: String?
  /// Whether common keys, such as `type`, may tell the kind.
  private let hasRelatives: Bool

  /// Keys that are no property's and are known: those with fixed values, the one that tells the entity, and those that
  /// mean nothing to the model.
  private let known: Set<String>
  private let ignored: [String]
  private let polymorphic: [PolymorphicPlan]
  private let linkKindKeys: LinkKindKeys?

  init(_ entity: SchemaEntity, _ schema: Schema, _ conventions: Conventions, _ forms: ValueForms) {
    self.entity = entity
    polymorphic = forms.polymorphic[entity.index]
    linkKindKeys = forms.linkKindKeys[entity.index]
    style = conventions.keys
    ignored = conventions.ignored
    let fixed = entity.ancestry.flatMap { schema.model.entities[$0].annotations.constants.map(\.key) }
    known = Set(fixed + [conventions.kindKey].compactMap(\.self))
    let annotations = entity.ancestry.map { schema.model.entities[$0].annotations }
    discriminator = annotations.compactMap(\.discriminatorPath).first?.firstKey
    hasRelatives = schema.family(of: entity.root).count > 1
    kinds = schema.model.entities[entity.index].annotations.kinds
    entityNames = entity.ancestry.map { Names.folded(schema.entities[$0].name) }
    for (index, attribute) in entity.attributes.enumerated() where attribute.container.isEmpty {
      add(attribute.name, attribute.attribute.annotations, .attribute(index))
    }
    for (place, index) in entity.relationships.enumerated() {
      let relationship = schema.relationships[index]
      add(relationship.name, relationship.relationship.annotations, .relationship(place))
    }
    for (place, index) in entity.relationships.enumerated() {
      addReferences(to: schema.relationships[index], at: place, schema)
    }
    for (place, plan) in polymorphic.enumerated() { add(plan, .polymorphic(place)) }
  }

  private mutating func add(_ plan: PolymorphicPlan, _ target: KeyMatch.Target) {
    for (place, key) in [plan.name, plan.rule.key].compactMap(\.self).enumerated() {
      annotated[key] = KeyMatch(target: target, rank: .annotation(place))
    }
    guard style != .exact else { return }
    folded[Names.folded(plan.name)] = target
    for stem in Names.singulars(Names.folded(plan.name)) {
      references[plan.isToMany ? stem + "ids" : stem + "id"] = target
    }
  }

  private mutating func add(_ name: String, _ annotations: Annotations, _ target: KeyMatch.Target) {
    let target = annotations.isIgnored ? .none : target
    for (place, path) in KeyPaths.paths(annotations.keys) {
      guard let key = path.onlyKey else { continue }
      annotated[key] = KeyMatch(target: target, rank: .annotation(place))
    }
    exact[name] = target
    switch style {
    case .auto: add(Names.folded(name), target)
    case .snake: add(Names.snakeCase(name), target)
    case .camel:
      add(name, target)
      add(Names.camelCase(name), target)
    case .exact: break
    }
  }

  private mutating func add(_ name: String, _ target: KeyMatch.Target) {
    // If names differ only in style, each has its exact form. All other forms are for the first.
    if folded[name] == nil { folded[name] = target }
  }

  /// `band_id` for `band`, `album_ids` for `albums`, and the same with the name of the target's identity. Nested
  /// objects may have Rails' `albums_attributes`.
  private mutating func addReferences(to relationship: SchemaRelationship, at place: Int, _ schema: Schema) {
    guard style != .exact, !relationship.relationship.annotations.isIgnored else { return }
    for name in [relationship.name] + relationship.relationship.annotations.keys {
      let key = Names.folded(name) + "attributes"
      if references[key] == nil { references[key] = .relationship(place) }
    }
    let target = schema.entities[relationship.destination]
    var suffixes = ["id"]
    if target.identity.count == 1, let only = target.identity[0].attribute {
      let name = Names.folded(target.attributes[only].name)
      if name != "id" { suffixes.append(name) }
    }
    for stem in Names.singulars(Names.folded(relationship.name)) {
      for suffix in suffixes {
        let key = relationship.isToMany ? stem + suffix + "s" : stem + suffix
        if references[key] == nil { references[key] = .relationship(place) }
      }
    }
  }

  /// Whether a key is for a property that the model or a mapping gives no key; a key that is given counts too.
  func isKeyless(_ match: KeyMatch) -> Bool {
    match.rank.isAnnotation || match.target == .none
      || !annotated.values.contains { $0.target == match.target }
  }

  /// The purpose of a key. The first rule that knows it decides.
  func match(_ key: String) -> KeyMatch {
    let match = propertyMatch(key)
    if !polymorphic.isEmpty, let match = linkKind(key, match) { return match }
    guard match == .none else { return match }
    if known.contains(key) || isIgnored(key) || linkKindKeys?.contains(key) ?? false {
      return KeyMatch(target: .none, rank: .meaningless)
    }
    guard tellsKind(key) else { return match }
    // It is no property's, but not unknown either.
    return KeyMatch(target: .none, rank: .annotation(0))
  }

  /// A key that tells the kind of a link may be an attribute's as well.
  private func linkKind(_ key: String, _ match: KeyMatch) -> KeyMatch? {
    guard polymorphic.contains(where: { $0.tellsKindBeside(key) }) else { return nil }
    if case .attribute(let index) = match.target {
      return KeyMatch(target: .linkKind(attribute: index), rank: match.rank)
    }
    return match.target == .none ? KeyMatch(target: .linkKind(attribute: nil), rank: .meaningless) : nil
  }

  private func tellsKind(_ key: String) -> Bool {
    key == discriminator || (hasRelatives && discriminator == nil && KindPlan.isCommon(key))
  }

  private func isIgnored(_ key: String) -> Bool {
    guard !ignored.isEmpty else { return false }
    return Array(key.utf8).withUnsafeBufferPointer { text in
      ignored.contains { pattern in
        Array(pattern.utf8).withUnsafeBufferPointer { Wildcards.match(text, $0) }
      }
    }
  }

  private func propertyMatch(_ key: String) -> KeyMatch {
    if let match = annotated[key] { return match }
    if let target = exact[key] { return KeyMatch(target: target, rank: .exactName) }
    if kinds.contains(key) { return KeyMatch(target: .wrapper, rank: .none) }
    guard style != .exact else { return wrapper(Names.folded(key)) }
    let name = style == .auto ? Names.folded(key) : key
    if let target = folded[name] { return KeyMatch(target: target, rank: .foldedName) }
    let plain = Names.folded(key)
    if let target = reservedWord(plain) { return KeyMatch(target: target, rank: .reservedWord) }
    if plain == "id", entity.identity.count == 1, let only = entity.identity[0].attribute {
      return KeyMatch(target: .attribute(only), rank: .identity)
    }
    if let target = references[plain] { return KeyMatch(target: target, rank: .reference) }
    return wrapper(plain)
  }

  /// `description` for `bandDescription`.
  private func reservedWord(_ key: String) -> KeyMatch.Target? {
    guard Names.reserved.contains(key) else { return nil }
    for name in entityNames {
      let qualified = name + key
      for (index, attribute) in entity.attributes.enumerated()
      where Names.folded(attribute.name) == qualified {
        return attribute.attribute.annotations.isIgnored ? KeyMatch.Target.none : .attribute(index)
      }
    }
    return nil
  }

  private func wrapper(_ key: String) -> KeyMatch {
    key == entityNames.first ? KeyMatch(target: .wrapper, rank: .none) : .none
  }
}

/// The key paths of an entity's properties, as a tree.
struct KeyPaths {
  var children: [JSONKeyPath.Step: KeyPaths] = [:]
  var match: KeyMatch?
  /// Whether the keys at this place are matched as those of the object itself.
  var holdsProperties = false
  /// The values that are taken from all elements of the list at this place.
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

  /// The texts that are key paths, each with its place among all. The others are problems of the property.
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

/// The style of keys that fill a property to which no annotation gives a key.
public enum KeyStyle: String, Sendable, Hashable, CaseIterable {
  /// The name in any style: `listImageURL`, `list_image_url`, `ListImageUrl`.
  case auto
  /// The name in snake case: `list_image_url`.
  case snake
  /// The name in camel case: `listImageURL` or `listImageUrl`.
  case camel
  /// The name as it is.
  case exact
}

/// The paths from the value of a relationship's key to its targets: `data`, `edges[].node`, `reference`.
final class TargetPaths: Sendable {
  let paths: [JSONKeyPath]
  /// Whether the targets are lists of owned objects, so that a path without elements has to end at a list: `nodes`.
  let areOwnedLists: Bool

  private init?(_ paths: [JSONKeyPath], areOwnedLists: Bool = false) {
    if paths.isEmpty { return nil }
    self.paths = paths
    self.areOwnedLists = areOwnedLists
  }

  /// The paths of an entity's relationships.
  struct OfEntity: Sendable {
    /// Relationships to objects that one value identifies.
    let all: TargetPaths?
    /// Relationships to one owned object.
    fileprivate let ofParts: TargetPaths?
    /// Relationships to several owned objects.
    fileprivate let ofPartLists: TargetPaths?
    /// Relationships to objects that several values identify.
    fileprivate let ofComposites: TargetPaths?

    /// The paths to objects of an entity.
    func paths(to target: SchemaEntity, isToMany: Bool) -> TargetPaths? {
      switch target.identity.count {
      case 0: isToMany ? ofPartLists : ofParts
      case 1: all
      default: ofComposites
      }
    }
  }

  /// Nil if the targets are the values themselves.
  static func of(_ entity: SchemaEntity, _ schema: Schema) -> OfEntity? {
    let rules = entity.ancestry.compactMap { schema.model.entities[$0].annotations.inside }
    let paths = KeyPaths.paths(rules.first?.targets ?? []).map(\.1)
    if paths.isEmpty { return nil }
    func those(to values: Int) -> TargetPaths? {
      TargetPaths(paths.filter { leads($0, toObjectsWithIdentityOf: values) })
    }
    return OfEntity(
      all: those(to: 1), ofParts: those(to: 0),
      ofPartLists: TargetPaths(paths.filter { $0.steps.first != .elements }, areOwnedLists: true),
      ofComposites: those(to: 2))
  }

  /// Whether a path may lead to objects that so many values identify. A value where an owned object is expected is the object itself, no
  /// reference to it; and what several values identify is named by no text, as FHIR's `reference` is.
  static func leads(_ path: JSONKeyPath, toObjectsWithIdentityOf values: Int) -> Bool {
    switch values {
    case 0: isOfParts(path)
    case 1: true
    default: path.steps.last != .key("reference")
    }
  }

  /// Whether a path may lead to objects without identity: not to the one value of a reference.
  private static func isOfParts(_ path: JSONKeyPath) -> Bool {
    path.hasElements && path.steps.first != .elements
  }
}
