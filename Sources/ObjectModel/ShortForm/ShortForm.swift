/// Models whose entities are an object, by their names, with a short form for each property.
///
///     entities:
///       Band: {id: int!, name: string, formed: int = 1970, albums: [Album, cascade]}
///       Album: {id: int!, title: string!, band: Band}
///
/// It becomes the long form here, which ``FormReader`` reads. What is written in the long form stays as it is.
struct ShortForm {
  private let value: FormValue
  /// Whether the entities may stand at the top of the document, as in YAML.
  private let allowsEntitiesAtTop: Bool

  init(_ value: FormValue, allowsEntitiesAtTop: Bool = false) {
    self.value = value
    self.allowsEntitiesAtTop = allowsEntitiesAtTop
  }

  /// The model in the long form.
  func expanded() throws -> FormValue {
    guard var members = value.members else { return value }
    if allowsEntitiesAtTop, !members.isEmpty, members.allSatisfy(Self.isEntity) {
      members = [FormValue.Member("entities", value)]
    }
    guard let index = members.firstIndex(where: { $0.key == "entities" }),
      let entities = members[index].value.members
    else { return value }
    var composites: Set<String> = []
    if let place = members.firstIndex(where: { $0.key == "composites" }) {
      let list = members[place].value
      composites.formUnion(list.members?.map(\.key) ?? list.elements?.compactMap { $0["name"]?.text } ?? [])
      if let short = list.members {
        members[place].value = .array(try short.map { try composite($0, composites) })
      }
    }
    members[index].value = .array(try expanded(entities, composites))
    return .object(members)
  }

  private static func isEntity(_ member: FormValue.Member) -> Bool {
    guard member.key != "entities" else { return false }
    return member.value == .null || member.value.members != nil
  }

  private func expanded(_ members: [FormValue.Member], _ composites: Set<String>) throws -> [FormValue] {
    let heads = members.map { ShortEntity.Head($0.key) }
    let names = Set(heads.map(\.name))
    var entities = try zip(heads, members).map { head, member in
      try ModelError.locating(entity: head.name) {
        try ShortEntity(head, member.value, ShortNames(entities: names, composites: composites))
      }
    }
    var inverses = ShortInverses(entities)
    try inverses.find()
    for entity in entities.indices { entities[entity].take(inverses) }
    return entities.map(\.long)
  }

  private func composite(_ member: FormValue.Member, _ composites: Set<String>) throws -> FormValue {
    let names = ShortNames(entities: [], composites: composites)
    let head = ShortEntity.Head(name: member.key, parent: nil, isAbstract: false)
    let entity = try ModelError.locating(entity: member.key) { try ShortEntity(head, member.value, names) }
    let members = (entity.long.members ?? []).filter { $0.key != "relationships" }
    return .object(members)
  }
}

/// The names that a short form can mean.
struct ShortNames {
  let entities: Set<String>
  let composites: Set<String>
}

/// An entity in the short form: its properties by their names, and what is said of the entity itself after a `$`.
struct ShortEntity {
  /// `LiveAlbum < Album`, `abstract Media`
  struct Head {
    var name: String
    var parent: String?
    var isAbstract: Bool

    init(name: String, parent: String?, isAbstract: Bool) {
      (self.name, self.parent, self.isAbstract) = (name, parent, isAbstract)
    }

    init(_ text: String) {
      let word = "abstract "
      isAbstract = text.hasPrefix(word)
      let rest = isAbstract ? text.dropFirst(word.count) : text[...]
      if let sign = rest.firstIndex(of: "<") {
        parent = ShortType.trimmed(rest[rest.index(after: sign)...])
        name = ShortType.trimmed(rest[..<sign])
      } else {
        name = isAbstract ? ShortType.trimmed(rest) : text
      }
    }
  }

  let name: String
  let parent: String?
  private(set) var properties: [ShortProperty] = []
  private var members: [FormValue.Member] = []
  private var userInfo: [FormValue.Member] = []

  private static let keys = [
    "abstract", "class", "fetchedProperties", "identity", "indexes", "other", "parent", "renamingIdentifier",
    "unique", "userInfo", "versionHashModifier",
  ]

  init(_ head: Head, _ value: FormValue, _ names: ShortNames) throws {
    name = head.name
    let said = value.members ?? []
    let written = said.last { $0.key == "$parent" }?.value
    parent = written?.text ?? head.parent
    guard value == .null || value.members != nil else {
      throw ModelError(
        .unexpected(value: value.summary, of: name, expected: "an object of properties", nearest: nil))
    }
    if let written, written.text == nil { throw unexpected(written, of: "parent", "the name of an entity") }
    if head.isAbstract { members.append(FormValue.Member("abstract", .bool(true))) }
    for member in said where member.key != "$parent" {
      if member.key.hasPrefix("$") {
        try readOption(String(member.key.dropFirst()), member.value)
      } else {
        let property = try ModelError.locating(property: member.key) {
          try ShortProperty(member.key, member.value, names)
        }
        properties.append(property)
      }
    }
    if let parent { members.append(FormValue.Member("parent", .string(parent))) }
    identify()
  }

  private mutating func readOption(_ key: String, _ value: FormValue) throws {
    switch key {
    case "identity":
      let names = value.elements?.compactMap(\.text) ?? [value.text].compactMap(\.self)
      guard !names.isEmpty, names.count == value.elements?.count ?? 1 else {
        throw unexpected(value, of: key, "the name of a property, or a list of names")
      }
      userInfo.append(FormValue.Member("broker.identity", .string(names.joined(separator: ","))))
    case "userInfo":
      guard let members = value.members else { throw unexpected(value, of: key, "an object") }
      userInfo += members
    case _ where Self.keys.contains(key): members.append(FormValue.Member(key, value))
    default:
      let known = Self.keys.map { "$\($0)" }
      throw ModelError(.unknownKey("$\(key)", known: known, nearest: nearestName(to: "$\(key)", in: known)))
    }
  }

  private func unexpected(_ value: FormValue, of key: String, _ expected: String) -> ModelError {
    ModelError(.unexpected(value: value.summary, of: "$\(key)", expected: expected, nearest: nil))
  }

  // MARK: - Identity

  private mutating func identify() {
    let marked = properties.indices.filter { properties[$0].isIdentity }
    if marked.count == 1, let only = marked.first, !properties[only].isRelationship {
      properties[only].annotate("broker.identity", "true")
    } else if !marked.isEmpty {
      let names = marked.map { properties[$0].name }.joined(separator: ",")
      userInfo.append(FormValue.Member("broker.identity", .string(names)))
    }
    let isSaid = !marked.isEmpty || parent != nil || userInfo.contains { $0.key == "broker.identity" }
    guard !isSaid else { return }
    for wanted in Self.usualIdentities(of: name) {
      guard let index = properties.firstIndex(where: { Self.folded($0.name) == wanted && !$0.isRelationship })
      else {
        continue
      }
      // Objects are known by it, so each has one.
      if !properties[index].saysOptional { properties[index].makeRequired() }
      return
    }
  }

  /// The names that say by themselves that an attribute is the identity of an entity.
  static func usualIdentities(of entity: String) -> [String] { ["id", "remoteid", folded(entity) + "id"] }

  static func folded(_ name: String) -> String { name.lowercased().filter { $0 != "_" } }

  // MARK: - The long form

  mutating func take(_ inverses: ShortInverses) {
    for index in properties.indices where properties[index].isRelationship {
      if let inverse = inverses[name, properties[index].name] { properties[index].setInverse(inverse) }
    }
  }

  var long: FormValue {
    var result = [FormValue.Member("name", .string(name))] + members
    let attributes = properties.filter { !$0.isRelationship }.map(\.long)
    let relationships = properties.filter(\.isRelationship).map(\.long)
    if !attributes.isEmpty { result.append(FormValue.Member("attributes", .array(attributes))) }
    if !relationships.isEmpty { result.append(FormValue.Member("relationships", .array(relationships))) }
    if !userInfo.isEmpty { result.append(FormValue.Member("userInfo", .object(userInfo))) }
    return .object(result)
  }
}

/// Finds the inverses that short forms leave out: those that are named at the other end, and those that are the only
/// ones possible.
struct ShortInverses {
  private struct Key: Hashable {
    var entity: String
    var name: String
    var text: String { "\(entity).\(name)" }
  }

  private struct Link {
    var key: Key
    var target: String
    var isOpen: Bool
  }

  private var found: [Key: String] = [:]
  private var links: [Link] = []
  /// By entity, the places in ``links`` of the relationships that lead to it.
  private var leading: [String: [Int]] = [:]
  /// By entity, itself and those that it inherits from.
  private var ancestry: [String: [String]] = [:]
  private var named: [(from: Key, to: Key)] = []

  init(_ entities: [ShortEntity]) {
    let parents = Dictionary(entities.map { ($0.name, $0.parent) }, uniquingKeysWith: { first, _ in first })
    for entity in entities {
      var line = [entity.name]
      while let last = line.last, let parent = parents[last] ?? nil, !line.contains(parent) {
        line.append(parent)
      }
      ancestry[entity.name] = line
      for property in entity.properties {
        guard let target = property.destination else { continue }
        let key = Key(entity: entity.name, name: property.name)
        if let inverse = property.inverse { named.append((key, Key(entity: target, name: inverse))) }
        leading[target, default: []].append(links.count)
        links.append(Link(key: key, target: target, isOpen: property.isOpen))
      }
    }
  }

  subscript(entity: String, name: String) -> String? { found[Key(entity: entity, name: name)] }

  mutating func find() throws {
    for (from, to) in named {
      found[from] = to.name
      let place = links.firstIndex {
        $0.key.name == to.name && ancestry[to.entity]?.contains($0.key.entity) ?? false
      }
      if let place, links[place].isOpen {
        if let other = found[links[place].key], links[place].key != from, other != from.name {
          throw ambiguity(links[place].key, [other, from.name])
        }
        found[links[place].key] = from.name
      }
    }
    for link in links { try pair(link) }
  }

  private func isOpen(_ link: Link) -> Bool { link.isOpen && found[link.key] == nil }

  /// Pairs a relationship with the only one that leads back.
  private mutating func pair(_ link: Link) throws {
    guard isOpen(link) else { return }
    let around = (ancestry[link.key.entity] ?? []).flatMap { leading[$0] ?? [] }.map { links[$0] }
    let candidates = around.filter { isOpen($0) && $0.key != link.key && leads(link, to: $0.key.entity) }
    guard let first = candidates.first else { return }
    let rivals = (leading[link.target] ?? []).map { links[$0] }.filter {
      isOpen($0) && $0.key.entity == link.key.entity && $0.key != link.key
    }
    // Both ends of a pair within one entity lead to the same one.
    let others = rivals.filter { $0.key != first.key }
    guard candidates.count == 1, others.isEmpty else {
      throw ambiguity(link.key, (candidates + others).map(\.key.text))
    }
    found[link.key] = first.key.name
    found[first.key] = link.key.name
  }

  private func leads(_ link: Link, to entity: String) -> Bool {
    ancestry[entity]?.contains(link.target) ?? false
  }

  private func ambiguity(_ key: Key, _ names: [String]) -> ModelError {
    let list = Set(names).sorted().joined(separator: ", ")
    return ModelError(
      .message(
        "its inverse is not clear among \(list): name it, as \(ModelError.shortened(key.entity)).… in the type at one"
          + " end, or write {type: …, inverse: null} where there is none"),
      entity: key.entity, property: key.name)
  }
}
