import TestSettings

/// A random model, and random objects of it as JSON.
///
/// Hidden behind the names is every kind of attribute and relationship: identities of each type, of several parts
/// or none, inheritance, key paths, date formats, transformers, parts of parts, both kinds of lists, relationships
/// to itself and without inverse.
struct RandomModel {
  /// The model in the notation of ``model(_:)``.
  private(set) var notation = ""
  /// A document with the objects of all entities that have an identity.
  private(set) var json = ""
  /// The entities of the objects, in some order.
  private(set) var roots: [String] = []
  /// Relationships of each entity by name.
  private(set) var relationships: [String: [String]] = [:]

  /// What the models must not have, since not every form of JSON can hold it.
  struct Limits: OptionSet {
    let rawValue: Int
    /// No default values, which would take the place of nulls that are left out.
    static let noDefaults = Limits(rawValue: 1)
    /// No relationships to abstract entities, since nested objects do not have their sub-entity.
    static let noAbstractTargets = Limits(rawValue: 2)
    /// No attributes with the name of a relationship's key.
    static let noMirrors = Limits(rawValue: 4)
  }

  private struct Entity {
    var name: String
    var parent: String?
    var isAbstract = false
    var settings: [String] = []
    var identity: [RandomProperty] = []
    var attributes: [RandomProperty] = []
    var relationships: [Link] = []
    var hasIdentity = true
    /// The relationship whose object is a part of the identity.
    var owner: (name: String, target: String)?
    /// The identities of its objects, the values of each, the owner's first.
    var keys: [[String]] = []
  }

  private struct Link {
    var name: String
    var target: String
    var isToMany: Bool
    var settings: [String]
    var inverse: String?
    /// Whether the JSON of the objects has it. Of two inverses, one is enough.
    var isWritten: Bool
    var path: String
    /// Whether an object may be in one list of it only.
    var isExclusive = false
  }

  private var entities: [Entity] = []
  /// The objects that are in a list already, where they may be in one only. A list that another takes an object
  /// from has a gap, which the next import closes.
  private var listed: [String: Set<[String]>] = [:]
  private let limits: Limits

  init(_ random: inout Seeded, _ limits: Limits) {
    self.limits = limits
    makeEntities(&random)
    makeParts(&random)
    for _ in 0..<(1 + random.below(4)) { relate(&random) }
    notation = entities.map(lines).joined(separator: "\n")
    roots = random.shuffled(entities.filter { $0.hasIdentity && !$0.isAbstract }.map(\.name))
    for entity in entities {
      relationships[entity.name] = family(entity).flatMap { $0.relationships.map(\.name) }
    }
    json = document(&random)
  }

  // MARK: - Entities

  private mutating func makeEntities(_ random: inout Seeded) {
    for name in random.shuffled(["Band", "Album", "Person", "Category"]).prefix(1 + random.below(3)) {
      var entity = Entity(name: name)
      entity.identity = RandomProperty.identity(&random)
      let owner = owner(&random)
      entity.owner = owner.map { ("holder", $0.name) }
      if entity.identity.count > 1 || owner != nil || random.flip() {
        let names = (owner == nil ? [] : ["holder"]) + entity.identity.map(\.name)
        entity.settings = ["identityAttributes=" + names.joined(separator: ",")]
      } else {
        entity.identity[0].settings.append("broker.identity=true")
      }
      entity.keys = keys(of: entity, &random).map { key in (owner.map { random.pick($0.keys) } ?? []) + key }
      // An object with nothing but a key of several values would be a reference to it.
      repeat {
        entity.attributes = attributes(of: name, &random)
      } while entity.attributes.isEmpty && (entity.identity.count > 1 || owner != nil)
      entities.append(entity)
      if let owner { addOwner(owner.name, to: name, &random) }
      if random.below(3) == 0 { addSubEntities(of: entities.count - 1, &random) }
    }
  }

  /// An entity whose objects are to be a part of the next one's identity; nil if there is to be none.
  private func owner(_ random: inout Seeded) -> Entity? {
    let candidates = entities.filter {
      $0.parent == nil && !(limits.contains(.noAbstractTargets) && $0.isAbstract)
    }
    return candidates.isEmpty || random.below(3) > 0 ? nil : random.pick(candidates)
  }

  private mutating func addOwner(_ owner: String, to entity: String, _ random: inout Seeded) {
    var link = Link(
      name: "holder", target: owner, isToMany: false, settings: [], isWritten: false, path: "holder")
    if random.below(4) == 0 {
      link.path = "links.holder"
      link.settings.append("broker.key=links.holder")
    }
    if random.flip() {
      link.inverse = "held\(entity)"
      append(
        Link(
          name: "held\(entity)", target: entity, isToMany: true, settings: [], inverse: "holder",
          isWritten: false, path: "held\(entity)"), to: owner)
    }
    append(link, to: entity)
  }

  /// Adds sub-entities, and makes the entity abstract, since the JSON could not distinguish its own objects.
  private mutating func addSubEntities(of index: Int, _ random: inout Seeded) {
    entities[index].isAbstract = true
    let keys = entities[index].keys
    for (place, name) in ["Live", "Studio"].enumerated() {
      var entity = Entity(name: name + entities[index].name, parent: entities[index].name)
      entity.keys = keys.enumerated().filter { $0.offset % 2 == place }.map(\.element)
      entity.attributes = [RandomProperty.any(named: "own\(name)", &random, limits)]
      entities.append(entity)
    }
  }

  private func attributes(of entity: String, _ random: inout Seeded) -> [RandomProperty] {
    var names = [
      "title", "imageURL", "isActive", "sort_order", "URLString", "y2", "\(entity.lowercased())Description",
    ]
    if !limits.contains(.noMirrors) { names.append("ownerID") }
    return random.some(names, atMost: 5).map { RandomProperty.any(named: $0, &random, limits) }
  }

  /// Entities without identity that belong to others.
  private mutating func makeParts(_ random: inout Seeded) {
    guard random.flip() else { return }
    var owner = random.pick(entities.filter { $0.parent == nil }.map(\.name))
    for name in random.flip() ? ["Note"] : ["Note", "Line"] {
      var part = Entity(name: name)
      part.hasIdentity = false
      part.attributes = [
        RandomProperty.any(named: "text", &random, limits),
        RandomProperty.any(named: "extra", &random, limits),
      ]
      entities.append(part)
      let isToMany = random.flip()
      addLink(
        from: owner, to: name, isToMany: isToMany, isOrdered: isToMany && random.flip(),
        inverse: random.flip() ? false : nil, &random)
      owner = name
    }
    if random.flip() { addIdentifiedPart(&random) }
  }

  /// A sub-entity of what has no identity that has one.
  private mutating func addIdentifiedPart(_ random: inout Seeded) {
    var entity = Entity(name: "Scan", parent: "Note")
    entity.identity = RandomProperty.identity(&random)
    entity.settings = ["identityAttributes=" + entity.identity.map(\.name).joined(separator: ",")]
    entity.keys = keys(of: entity, &random)
    entity.attributes = [RandomProperty.any(named: "ownScan", &random, limits)]
    entities.append(entity)
  }

  // MARK: - Relationships

  private mutating func relate(_ random: inout Seeded) {
    let targets = entities.filter { entity in
      entity.hasIdentity && !(limits.contains(.noAbstractTargets) && entity.isAbstract)
    }
    // A sub-entity shares its parent's names, so only one side of a family is given more.
    let owners = entities.filter { $0.parent == nil && ($0.hasIdentity || random.below(4) == 0) }
    guard !targets.isEmpty, !owners.isEmpty else { return }
    let owner = random.pick(owners)
    let target = random.pick(targets)
    // The inverse leads to the owner, which then is nested as well.
    let mayLeadBack =
      owner.hasIdentity && !(limits.contains(.noAbstractTargets) && owner.isAbstract) && target.parent == nil
    let inverse = mayLeadBack && random.below(3) > 0 ? random.flip() : nil
    addLink(
      from: owner.name, to: target.name, isToMany: random.flip(), isOrdered: random.flip(), inverse: inverse,
      &random)
  }

  /// - Parameter inverse: Whether the inverse is to many; nil if there is none. It is not ordered, since the JSON
  ///   has one end only.
  private mutating func addLink(
    from owner: String, to target: String, isToMany: Bool, isOrdered: Bool,
    inverse: Bool?, _ random: inout Seeded
  ) {
    guard let name = freeName(in: owner, isToMany, &random) else { return }
    var link = Link(
      name: name, target: target, isToMany: isToMany, settings: isToMany && isOrdered ? ["ordered"] : [],
      isWritten: true, path: name)
    if random.below(5) == 0 {
      link.path = "links.\(name)"
      link.settings.append("broker.key=links.\(name)")
    }
    guard let isToManyBack = inverse else { return append(link, to: owner) }
    link.isExclusive = isToMany && !isToManyBack
    // See RoundTripTests.aListThatLeadsToItsOwnerKeepsItsOrder.
    if owner == target, isToMany, isToManyBack { link.settings.removeAll { $0 == "ordered" } }
    if owner == target, isToMany == isToManyBack, random.below(3) == 0 {
      link.inverse = name
      link.settings.removeAll { $0 == "ordered" }
      return append(link, to: owner)
    }
    append(link, to: owner)
    guard let back = freeName(in: target, isToManyBack, &random) else { return }
    append(
      Link(
        name: back, target: owner, isToMany: isToManyBack,
        settings: [], inverse: name, isWritten: false,
        path: back), to: target)
    for index in entities.indices where entities[index].name == owner {
      for place in entities[index].relationships.indices
      where entities[index].relationships[place].name == name {
        entities[index].relationships[place].inverse = back
      }
    }
  }

  private mutating func append(_ link: Link, to owner: String) {
    for index in entities.indices where entities[index].name == owner {
      entities[index].relationships.append(link)
    }
  }

  private func freeName(in entity: String, _ isToMany: Bool, _ random: inout Seeded) -> String? {
    let taken = Set(entities.filter { $0.name == entity }.flatMap { $0.relationships.map(\.name) })
    let names =
      isToMany
      ? ["members", "categories", "boxes", "likedAlbums", "children", "others"]
      : ["owner", "parentItem", "bestFriend", "next", "first_one"]
    let free = names.filter { !taken.contains($0) }
    return free.isEmpty ? nil : random.pick(free)
  }

  // MARK: - The notation

  private func lines(of entity: Entity) -> String {
    let head = entity.name + (entity.parent.map { " : \($0)" } ?? "")
    let settings = entity.settings + (entity.isAbstract ? ["abstract"] : [])
    let properties =
      (entity.identity + entity.attributes).map { property in
        ([property.name + ": " + property.type] + property.settings).joined(separator: " | ")
      }
      + entity.relationships.map { link in
        let type = link.isToMany ? "[\(link.target)]" : link.target
        return (["\(link.name): \(type)" + (link.inverse.map { " <- \($0)" } ?? "")] + link.settings)
          .joined(separator: " | ")
      }
    return ([([head] + settings).joined(separator: " | ")] + properties.map { "  " + $0 }).joined(
      separator: "\n")
  }

  // MARK: - Objects

  /// Up to five identities.
  private func keys(of entity: Entity, _ random: inout Seeded) -> [[String]] {
    let count = entity.identity.map(\.values.count).min() ?? 0
    return random.shuffled(Array(0..<count)).prefix(1 + random.below(5)).map { place in
      entity.identity.map { $0.values[place] }
    }
  }

  /// A reference to an object.
  private func reference(to entity: Entity, _ key: [String]) -> String {
    if key.count == 1 { return key[0] }
    let identity = family(entity).flatMap(\.identity)
    var members = zip(identity, key.suffix(identity.count)).map { "\"\($0.name)\": \($1)" }
    if let owner = ownerReference(entity, key) { members.insert("\"holder\": \(owner)", at: 0) }
    return "{" + members.joined(separator: ", ") + "}"
  }

  /// A reference to the object that is a part of an entity's key.
  private func ownerReference(_ entity: Entity, _ key: [String]) -> String? {
    let family = family(entity)
    guard let owner = family.compactMap(\.owner).first,
      let target = entities.first(where: { $0.name == owner.target })
    else { return nil }
    return reference(to: target, Array(key.dropLast(family.flatMap(\.identity).count)))
  }

  /// An entity and those it inherits from.
  private func family(_ entity: Entity) -> [Entity] {
    entities.filter { $0.name == entity.parent } + [entity]
  }

  private mutating func document(_ random: inout Seeded) -> String {
    var lists: [String] = []
    for entity in roots.compactMap({ name in entities.first { $0.name == name } }) {
      var objects: [String] = []
      // Some objects are only referred to.
      for key in entity.keys where random.below(8) > 0 {
        objects.append(object(of: entity, key: key, &random, depth: 0))
      }
      lists.append("\"\(entity.name)\": [\(objects.joined(separator: ",\n"))]")
    }
    return "{\(lists.joined(separator: ",\n"))}"
  }

  private mutating func object(of entity: Entity, key: [String], _ random: inout Seeded, depth: Int) -> String
  {
    var tree = MemberTree()
    let family = family(entity)
    let identity = family.flatMap(\.identity)
    for (property, value) in zip(identity, key.suffix(identity.count)) { tree.add(property.path, value) }
    if let owner = ownerReference(entity, key) {
      tree.add(family.flatMap(\.relationships).first { $0.name == "holder" }?.path ?? "holder", owner)
    }
    for attribute in family.flatMap(\.attributes) where attribute.isRequired || random.below(5) > 0 {
      tree.add(attribute.path, random.pick(attribute.values))
    }
    for link in family.flatMap(\.relationships) where link.isWritten && random.below(5) > 0 {
      tree.add(link.path, value(of: link, &random, depth))
    }
    return tree.text
  }

  private mutating func value(of link: Link, _ random: inout Seeded, _ depth: Int) -> String {
    guard let target = entities.first(where: { $0.name == link.target }) else { return "null" }
    guard target.hasIdentity else {
      var parts: [String] = []
      for _ in 0..<(link.isToMany ? random.below(4) : 1) {
        parts.append(object(of: target, key: [], &random, depth: depth + 1))
      }
      return link.isToMany ? "[\(parts.joined(separator: ", "))]" : random.below(4) == 0 ? "null" : parts[0]
    }
    if !link.isToMany {
      return target.keys.isEmpty || random.below(4) == 0
        ? "null" : reference(to: target, random.pick(target.keys))
    }
    var keys = random.some(target.keys, atMost: 4)
    if link.isExclusive {
      let list = "\(link.target) \(link.name) \(link.inverse ?? "")"
      keys.removeAll { !listed[list, default: []].insert($0).inserted }
    }
    return "[\(keys.map { reference(to: target, $0) }.joined(separator: ", "))]"
  }
}

/// Members of an object by key paths.
private struct MemberTree {
  private var members: [(key: String, value: MemberTree)] = []
  private var value: String?

  mutating func add(_ path: String, _ value: String) {
    add(path.split(separator: ".")[...], value)
  }

  private mutating func add(_ path: ArraySlice<Substring>, _ value: String) {
    guard let first = path.first else {
      self.value = value
      return
    }
    let index = members.firstIndex { $0.key == first } ?? members.count
    if index == members.count { members.append((String(first), MemberTree())) }
    members[index].value.add(path.dropFirst(), value)
  }

  var text: String {
    value ?? "{" + members.map { "\"\($0.key)\": \($0.value.text)" }.joined(separator: ", ") + "}"
  }
}
