import TestSettings
import Foundation

/// A model that changes at random from version to version, with random objects.
///
/// What is renamed keeps its key in JSON, so that an export of one version can be imported into the next.
struct RandomVersion {
  struct Attribute {
    var name: String
    var key: String
    var type: String
    var isRequired = false
    var isIndexed = false
    var was: String?
  }

  struct Relationship {
    var name: String
    var key: String
    var target: Int
    var isToMany: Bool
    var isOrdered = false
    var inverse: String?
    var was: String?
    /// Whether its object is a part of the owner's identity.
    var isIdentity = false
  }

  struct Entity {
    var name: String
    var key: String
    var parent: Int?
    var idType: String
    var attributes: [Attribute] = []
    var relationships: [Relationship] = []
    var was: String?
  }

  var entities: [Entity] = []
  private var random: Seeded
  private var nextName = 0

  init(seed: UInt64) {
    random = Seeded(state: seed)
    for index in 0..<(2 + random.below(3)) {
      let name = newName("E")
      entities.append(Entity(name: name, key: name, idType: random.flip() ? "integer64" : "string"))
      if index > 0, random.below(4) == 0 { entities[index].parent = random.below(index) }
      for _ in 0..<(1 + random.below(4)) { addAttribute(to: index) }
    }
    for index in entities.indices.dropFirst() where entities[index].parent == nil && random.below(3) == 0 {
      addOwner(to: index)
    }
    for index in entities.indices { for _ in 0..<random.below(3) { addRelationship(to: index) } }
  }

  /// Makes an object of an entity before it a part of an entity's identity.
  private mutating func addOwner(to entity: Int) {
    let name = newName("o")
    let target = random.below(entity)
    var relationship = Relationship(name: name, key: name, target: target, isToMany: false)
    relationship.isIdentity = true
    if random.flip() {
      let back = newName("r")
      relationship.inverse = back
      entities[target].relationships.append(
        Relationship(name: back, key: back, target: entity, isToMany: true, inverse: name))
    }
    entities[entity].relationships.append(relationship)
  }

  private func owner(_ entity: Int) -> Relationship? {
    entities[entity].relationships.first(where: \.isIdentity)
  }

  private mutating func newName(_ prefix: String) -> String {
    nextName += 1
    return "\(prefix)\(nextName)"
  }

  /// The entity whose identity an entity has.
  private func root(_ index: Int) -> Int { entities[index].parent.map(root) ?? index }

  // MARK: - Growing

  private static let types = [
    "integer16", "integer32", "integer64", "double", "decimal", "string", "boolean", "date", "uuid",
  ]

  private mutating func addAttribute(to entity: Int) {
    let name = newName("a")
    entities[entity].attributes.append(
      Attribute(name: name, key: name, type: random.pick(Self.types), isIndexed: random.below(4) == 0))
  }

  private mutating func addRelationship(to entity: Int) {
    let name = newName("r")
    let target = random.below(entities.count)
    let isToMany = random.flip()
    var relationship = Relationship(name: name, key: name, target: target, isToMany: isToMany)
    relationship.isOrdered = isToMany && random.flip()
    if random.flip(), target != entity {
      let back = newName("r")
      relationship.inverse = back
      entities[target].relationships.append(
        Relationship(
          name: back, key: back, target: entity, isToMany: random.flip(), inverse: name))
    }
    entities[entity].relationships.append(relationship)
  }

  // MARK: - Changing

  private static let widenings = [
    "integer16": ["integer32", "integer64", "decimal", "string"],
    "integer32": ["integer64", "double", "string"],
    "integer64": ["decimal", "string"], "boolean": ["integer16", "string"], "uuid": ["string"],
    "decimal": ["string"],
    "date": ["string"], "double": ["decimal"],
  ]

  /// The next version.
  mutating func change() {
    for entity in entities.indices {
      entities[entity].was = nil
      for index in entities[entity].attributes.indices { entities[entity].attributes[index].was = nil }
      for index in entities[entity].relationships.indices { entities[entity].relationships[index].was = nil }
    }
    for _ in 0..<(1 + random.below(5)) { changeOnce(random.below(entities.count)) }
  }

  private mutating func changeOnce(_ entity: Int) {
    switch random.below(9) {
    case 0: addAttribute(to: entity)
    case 1: addRelationship(to: entity)
    case 2 where entities[entity].was == nil:
      entities[entity].was = entities[entity].name
      entities[entity].name = newName("E")
    case 3:
      changeAttribute(entity) { attribute, random, name in
        guard attribute.was == nil else { return }
        attribute.was = attribute.name
        attribute.name = name
      }
    case 4:
      changeAttribute(entity) { attribute, random, _ in
        attribute.type = Self.widenings[attribute.type].map { random.pick($0) } ?? attribute.type
      }
    case 5: changeAttribute(entity) { attribute, _, _ in attribute.isIndexed.toggle() }
    case 6:
      let name = newName("a")
      entities[entity].attributes.append(
        Attribute(name: name, key: name, type: "integer16", isRequired: true))
    case 7: renameRelationship(of: entity)
    default:
      let name = newName("E")
      entities.append(
        Entity(name: name, key: name, parent: random.flip() ? entity : nil, idType: "integer64"))
      addAttribute(to: entities.count - 1)
    }
  }

  private mutating func changeAttribute(
    _ entity: Int, _ change: (inout Attribute, inout Seeded, String) -> Void
  ) {
    guard !entities[entity].attributes.isEmpty else { return }
    let name = newName("a")
    change(&entities[entity].attributes[random.below(entities[entity].attributes.count)], &random, name)
  }

  private mutating func renameRelationship(of entity: Int) {
    guard !entities[entity].relationships.isEmpty else { return }
    let index = random.below(entities[entity].relationships.count)
    guard entities[entity].relationships[index].was == nil else { return }
    let old = entities[entity].relationships[index].name
    let name = newName("r")
    let target = entities[entity].relationships[index].target
    entities[entity].relationships[index].was = old
    entities[entity].relationships[index].name = name
    for back in entities[target].relationships.indices
    where entities[target].relationships[back].inverse == old {
      entities[target].relationships[back].inverse = name
    }
  }

  // MARK: - Writing

  var notation: String {
    var lines: [String] = []
    for entity in entities {
      var head = entity.name
      if let parent = entity.parent {
        head += " : \(entities[parent].name)"
      } else {
        head +=
          " | broker.identity=\(entity.relationships.first(where: \.isIdentity).map { $0.name + "," } ?? "")id"
      }
      head += " | broker.key=\(entity.key)"
      if let was = entity.was { head += " | was=\(was)" }
      lines.append(head)
      if entity.parent == nil { lines.append("  id: \(entity.idType)") }
      for attribute in entity.attributes {
        var line = "  \(attribute.name): \(attribute.type)\(attribute.isRequired ? "! | default=7" : "")"
        line += " | broker.key=\(attribute.key)"
        if attribute.isIndexed { line += " | indexed" }
        if let was = attribute.was { line += " | was=\(was)" }
        lines.append(line)
      }
      for relationship in entity.relationships {
        let target = entities[relationship.target].name
        var line = "  \(relationship.name): \(relationship.isToMany ? "[\(target)]" : target)"
        if let inverse = relationship.inverse { line += " <- \(inverse)" }
        line += " | broker.key=\(relationship.key)"
        if relationship.isOrdered { line += " | ordered" }
        if let was = relationship.was { line += " | was=\(was)" }
        lines.append(line)
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Random objects of all entities.
  mutating func json() -> String {
    var lists: [String] = []
    for index in entities.indices {
      var objects: [String] = []
      // Entities of one root share their identities.
      for number in 0..<random.below(6) { objects.append(object(index, number * entities.count + index)) }
      lists.append("\"\(entities[index].key)\": [\(objects.joined(separator: ", "))]")
    }
    return "{\(lists.joined(separator: ", "))}"
  }

  private mutating func object(_ entity: Int, _ number: Int) -> String {
    var fields = ["\"id\": \(ownID(entity, number))"]
    if let owner = owner(root(entity)) {
      fields.append("\"\(owner.key)\": \(id(owner.target, ownerNumber(number, owner)))")
    }
    var owner: Int? = entity
    while let current = owner {
      for attribute in entities[current].attributes where attribute.isRequired || random.below(4) > 0 {
        fields.append("\"\(attribute.key)\": \(value(attribute.type))")
      }
      for relationship in entities[current].relationships
      where !relationship.isIdentity && !isOfOwner(relationship) && random.below(3) > 0 {
        let ids = (0..<(relationship.isToMany ? random.below(4) : 1)).map { _ in
          id(relationship.target, random.below(6) * entities.count + relationship.target)
        }
        let isSet = relationship.isToMany
        fields.append(
          "\"\(relationship.key)\": \(isSet ? "[\(Array(Set(ids)).sorted().joined(separator: ", "))]" : ids[0])"
        )
      }
      owner = entities[current].parent
    }
    return "{\(fields.joined(separator: ", "))}"
  }

  /// Whether a relationship is a list of objects that its owner identifies: these say it themselves.
  private func isOfOwner(_ relationship: Relationship) -> Bool {
    owner(relationship.target).map { $0.name == relationship.inverse } ?? false
  }

  private func ownID(_ entity: Int, _ number: Int) -> String {
    entities[root(entity)].idType == "string" ? "\"n\(number)\"" : "\(number)"
  }

  /// The number of the owner of the object with a number.
  private func ownerNumber(_ number: Int, _ owner: Relationship) -> Int {
    number % 3 * entities.count + owner.target
  }

  private func id(_ entity: Int, _ number: Int) -> String {
    let parts = parts(entity, number)
    return parts.count == 1 ? parts[0] : "\"\(parts.joined(separator: ",").replacing("\"", with: ""))\""
  }

  private func parts(_ entity: Int, _ number: Int) -> [String] {
    let owner = owner(root(entity))
    return (owner.map { parts($0.target, ownerNumber(number, $0)) } ?? []) + [ownID(entity, number)]
  }

  private mutating func value(_ type: String) -> String {
    switch type {
    case "boolean": random.flip() ? "true" : "false"
    case "double", "decimal": "\(random.below(1000)).\(1 + random.below(9))"
    case "string": "\"s\(random.below(100))\""
    case "date": "\"19\(10 + random.below(90))-0\(1 + random.below(9))-11T0\(random.below(10)):00:00Z\""
    case "uuid": "\"00000000-0000-4000-8000-0000000000\(10 + random.below(90))\""
    default: "\(random.below(30_000))"
    }
  }
}
