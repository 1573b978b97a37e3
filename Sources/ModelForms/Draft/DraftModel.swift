import ObjectModel

/// Makes a model of what a schema says, and infers what it does not say: identities, links by key, inverses.
struct DraftModel {
  private(set) var model = Model()
  /// Each inference, with its reason.
  private(set) var remarks: [Remark] = []
  /// The place of each entity in the model.
  private var indices: [String: Int] = [:]
  /// By what types call them, the names of entities.
  private var entityNames: [String: String] = [:]

  init(_ types: [DraftType]) {
    var taken: Set<String> = []
    for type in types where entityNames[type.name] == nil {
      entityNames[type.name] = DraftNames.free(DraftNames.entity(type.name), &taken)
    }
    var known: Set<String> = []
    for type in types where known.insert(type.name).inserted { add(type) }
    inferIdentities(types)
    inferLinks()
    inferInverses()
  }

  // MARK: - What is said

  private mutating func add(_ type: DraftType) {
    var entity = Entity(name: entityNames[type.name] ?? type.name)
    entity.parent = type.parent.flatMap { entityNames[$0] }
    entity.isAbstract = type.isAbstract
    entity.userInfo[Model.documentationKey] = type.documentation
    entity.userInfo["broker.discriminator"] = type.discriminator.map(DraftNames.path)
    if entity.parent != nil, !type.kinds.isEmpty {
      entity.userInfo["broker.kind"] = type.kinds.joined(separator: ",")
    }
    var taken: Set<String> = []
    for property in type.properties {
      let name = DraftNames.free(DraftNames.property(property.key), &taken)
      add(property, named: name, to: &entity)
    }
    indices[entity.name] = model.entities.count
    model.entities.append(entity)
  }

  private func add(_ property: DraftProperty, named name: String, to entity: inout Entity) {
    var userInfo: [String: String] = [:]
    userInfo[Model.documentationKey] = property.documentation
    userInfo["broker.key"] = property.path ?? (name == property.key ? nil : DraftNames.path(property.key))
    switch property.value {
    case .attribute(let type):
      var attribute = Attribute(name: name, type: type, isOptional: property.isOptional)
      userInfo["broker.values"] = property.values
      if property.isIdentity { userInfo["broker.identity"] = "true" }
      attribute.defaultValue = property.defaultValue
      attribute.minimum = property.minimum
      attribute.maximum = property.maximum
      attribute.pattern = property.pattern
      attribute.userInfo = userInfo
      entity.attributes.append(attribute)
    case .object(let target), .list(let target):
      var relationship = Relationship(name: name, destination: entityNames[target] ?? target)
      if case .list = property.value { relationship.isToMany = true }
      // A list may be empty, whether it is required or not.
      relationship.isOptional = property.isOptional || relationship.isToMany
      relationship.userInfo = userInfo
      entity.relationships.append(relationship)
    }
  }

  // MARK: - Identities

  private mutating func inferIdentities(_ types: [DraftType]) {
    let parents = Set(model.entities.compactMap(\.parent))
    for index in model.entities.indices where model.entities[index].parent == nil {
      var entity = model.entities[index]
      if let said = entity.attributes.firstIndex(where: { $0.userInfo["broker.identity"] != nil }) {
        entity.attributes[said].isOptional = false
        model.entities[index] = entity
        continue
      }
      let usual = entity.declaredIdentity?.properties.first
      let found = usual ?? entity.attributes.first { Self.isOtherIdentity($0) }?.name
      guard let found, let place = entity.attributes.firstIndex(where: { $0.name == found }) else {
        if !parents.contains(entity.name) {
          remarks.append(
            Remark(entity.name, "no name says what identifies it: others own its objects"))
        }
        continue
      }
      entity.attributes[place].isOptional = false
      if usual == nil { entity.attributes[place].userInfo["broker.identity"] = "true" }
      remarks.append(Remark(entity.name, "\(found) identifies it, because of its name"))
      model.entities[index] = entity
    }
  }

  private static func isOtherIdentity(_ attribute: Attribute) -> Bool {
    let name = attribute.name.lowercased().filter { $0 != "_" }
    let types: [AttributeType] = [.string, .uuid, .integer16, .integer32, .integer64, .uri]
    return ["uuid", "guid", "identifier", "nodeid", "pk"].contains(name) && types.contains(attribute.type)
  }

  private func identity(of entity: String) -> Attribute? {
    var entity = entity
    var steps = 0
    while let index = indices[entity], steps < 64 {
      let found = model.entities[index]
      if let name = found.declaredIdentity?.properties.first { return found[attribute: name] }
      guard let parent = found.parent else { return nil }
      (entity, steps) = (parent, steps + 1)
    }
    return nil
  }

  // MARK: - Links by key

  /// `ownerId: 7` is a link to an owner, where there are owners with such an identity.
  private mutating func inferLinks() {
    let byName = Dictionary(
      model.entities.map { ($0.name.lowercased(), $0.name) }, uniquingKeysWith: { first, _ in first })
    for index in model.entities.indices {
      let entity = model.entities[index]
      let identity = entity.declaredIdentity?.properties ?? []
      for attribute in entity.attributes where !identity.contains(attribute.name) {
        guard let stem = Self.stem(attribute.name),
          let target = byName[stem.lowercased().filter { $0 != "_" }],
          let key = self.identity(of: target), Self.isAlike(key.type, attribute.type),
          !entity.attributes.contains(where: { $0.name.lowercased() == stem.lowercased() }),
          !entity.relationships.contains(where: { $0.name.lowercased() == stem.lowercased() })
        else { continue }
        var link = Relationship(name: stem, destination: target, isOptional: attribute.isOptional)
        link.userInfo = attribute.userInfo
        if link.userInfo["broker.key"] == nil {
          link.userInfo["broker.key"] = DraftNames.path(attribute.name)
        }
        model.entities[index].attributes.removeAll { $0.name == attribute.name }
        model.entities[index].relationships.append(link)
        remarks.append(
          Remark(
            "\(entity.name).\(stem)",
            "\(attribute.name) has the name of \(target) and the type of its \(key.name)"))
      }
    }
  }

  /// `owner` for `ownerId`, `owner_id` and `ownerID`.
  private static func stem(_ name: String) -> String? {
    for ending in ["_id", "Id", "ID"] where name.hasSuffix(ending) && name.count > ending.count {
      return String(name.dropLast(ending.count))
    }
    return nil
  }

  private static func isAlike(_ one: AttributeType, _ other: AttributeType) -> Bool {
    let integers: [AttributeType] = [.integer16, .integer32, .integer64]
    return one == other || (integers.contains(one) && integers.contains(other))
  }

  // MARK: - Inverses

  private struct Link {
    var entity: Int
    var place: Int
  }

  private mutating func inferInverses() {
    var between: [Set<String>: [Link]] = [:]
    for (entity, type) in model.entities.enumerated() {
      for (place, relationship) in type.relationships.enumerated() {
        between[[type.name, relationship.destination], default: []].append(Link(entity: entity, place: place))
      }
    }
    for pair in between.values.sorted(by: { ($0[0].entity, $0[0].place) < ($1[0].entity, $1[0].place) }) {
      if pair.count == 2, pair[0].entity != pair[1].entity { join(pair[0], pair[1]) }
    }
    var names = propertyNames()
    for entity in model.entities.indices {
      for place in model.entities[entity].relationships.indices {
        addInverse(to: Link(entity: entity, place: place), &names)
      }
    }
  }

  private mutating func join(_ one: Link, _ other: Link) {
    let ends = [one, other].map { model.entities[$0.entity].relationships[$0.place] }
    let names = [one, other].map { model.entities[$0.entity].name }
    setInverse(one, ends[1].name, names[1])
    setInverse(other, ends[0].name, names[0])
    remarks.append(
      Remark(
        "\(names[0]).\(ends[0].name)",
        "it and \(names[1]).\(ends[1].name) are taken for inverses, since no others lead from one to the other"
      ))
  }

  private mutating func setInverse(_ link: Link, _ name: String, _ entity: String) {
    model.entities[link.entity].relationships[link.place].inverse = name
    model.entities[link.entity].relationships[link.place].inverseEntity = entity
  }

  /// Gives a list without an inverse one that JSON does not have.
  private mutating func addInverse(to link: Link, _ names: inout [String: Set<String>]) {
    let owner = model.entities[link.entity]
    let list = owner.relationships[link.place]
    guard list.isToMany, list.inverse == nil, let target = indices[list.destination] else { return }
    // An object with an identity may stand in several lists.
    let isShared = identity(of: list.destination) != nil
    let stem = owner.name.lowerCamelCased
    let name = DraftNames.free(
      isShared ? DraftNames.plural(stem) : stem, &names[root(of: list.destination), default: []])
    var inverse = Relationship(
      name: name, destination: owner.name, inverse: list.name, inverseEntity: owner.name, isToMany: isShared)
    inverse.userInfo["broker.exported"] = "false"
    model.entities[target].relationships.append(inverse)
    setInverse(link, name, list.destination)
    let reason =
      isShared ? "several may have the same, which has an identity" : "each has its own, without an identity"
    remarks.append(
      Remark("\(owner.name).\(list.name)", "\(list.destination).\(name) is added as its inverse: \(reason)"))
  }

  /// The entity at the top of the hierarchy that an entity belongs to.
  private func root(of name: String) -> String {
    var name = name
    var steps = 0
    while let parent = indices[name].flatMap({ model.entities[$0].parent }), steps < 64 {
      (name, steps) = (parent, steps + 1)
    }
    return name
  }

  /// By the root of a hierarchy, the names of all properties in it, in lower case.
  private func propertyNames() -> [String: Set<String>] {
    var result: [String: Set<String>] = [:]
    for entity in model.entities {
      let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
      result[root(of: entity.name), default: []].formUnion(names.map { $0.lowercased() })
    }
    return result
  }
}

/// The type of a schema of another language, before anything is inferred from it.
struct DraftType {
  var name: String
  var documentation: String?
  /// The name of the type that it extends.
  var parent: String?
  var isAbstract = false
  var properties: [DraftProperty] = []
  /// The key that tells the kind of an object.
  var discriminator: String?
  /// The values of that key that stand for this type.
  var kinds: [String] = []

  init(_ name: String) {
    self.name = name
  }
}

struct DraftProperty {
  enum Value: Equatable {
    case attribute(AttributeType)
    case object(String)
    case list(of: String)
  }

  /// The key in JSON.
  var key: String
  /// The key path, where the value lies deeper: `edges[].node`.
  var path: String?
  var value: Value
  var isOptional = true
  var documentation: String?
  /// The values that it may have, as a JSON list.
  var values: String?
  var defaultValue: String?
  var minimum: String?
  var maximum: String?
  var pattern: String?
  /// Whether the schema says that it identifies the object.
  var isIdentity = false

  init(_ key: String, _ value: Value) {
    self.key = key
    self.value = value
  }
}

/// Names of a schema as names of a model.
enum DraftNames {
  /// `PetItem` for `pet-item`.
  static func entity(_ name: String) -> String {
    let text = joined(name) ?? "Unnamed"
    let upper = text.prefix(1).uppercased() + text.dropFirst()
    return upper.lowercased().hasPrefix("sqlite") ? "A\(upper)" : upper
  }

  /// The key itself if it is a name, else its pieces: `schemaVersion` for `schema-version`.
  static func property(_ key: String) -> String { joined(key) ?? "unnamed" }

  private static func joined(_ name: String) -> String? {
    let pieces = name.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    guard let first = pieces.first else { return nil }
    let text = first + pieces.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return text.first?.isNumber ?? false ? "_\(text)" : String(text)
  }

  /// A name that no other has, whatever the case.
  static func free(_ name: String, _ taken: inout Set<String>) -> String {
    var result = name
    var number = 2
    while !taken.insert(result.lowercased()).inserted {
      result = "\(name)\(number)"
      number += 1
    }
    return result
  }

  /// A key as a key path.
  static func path(_ key: String) -> String {
    let isPlain = key.allSatisfy { $0.isLetter || $0.isNumber || "_-@$:/ ".contains($0) }
    if isPlain, !key.isEmpty { return key }
    let escaped = key.map { "\"\\".contains($0) ? "\\\($0)" : String($0) }.joined()
    return "[\"\(escaped)\"]"
  }

  /// One of many: `pet` for `pets`.
  static func singular(_ name: String) -> String {
    let lower = name.lowercased()
    if lower.hasSuffix("ies"), name.count > 4 { return name.dropLast(3) + "y" }
    for ending in ["sses", "shes", "ches", "xes"] where lower.hasSuffix(ending) {
      return String(name.dropLast(2))
    }
    return lower.hasSuffix("s") && !lower.hasSuffix("ss") && name.count > 2 ? String(name.dropLast()) : name
  }

  static func plural(_ name: String) -> String {
    let lower = name.lowercased()
    if lower.hasSuffix("s"), singular(name) != name { return name }
    if lower.hasSuffix("y"), !["ay", "ey", "oy", "uy"].contains(String(lower.suffix(2))) {
      return name.dropLast() + "ies"
    }
    return name + (["s", "x", "ch", "sh"].contains { lower.hasSuffix($0) } ? "es" : "s")
  }
}
