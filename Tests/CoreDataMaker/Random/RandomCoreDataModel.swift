import Foundation
package import ObjectModel
import TestSettings

/// Random models that Core Data could have: every type, inheritance of up to three steps with properties of the same
/// names in siblings, and every kind of relationship.
package struct RandomCoreDataModel {
  private var random: Seeded
  private var model = Model()
  private let forStores: Bool
  private let hasDerived: Bool

  /// - Parameters:
  ///   - forStores: Without what only models have: composites, fetch requests, configurations.
  ///   - hasDerived: Whether some attributes are derived; so unless it is for stores.
  package static func model(seed: UInt64, forStores: Bool = false, hasDerived: Bool? = nil) -> Model {
    var maker = RandomCoreDataModel(
      random: Seeded(state: seed), forStores: forStores, hasDerived: hasDerived ?? !forStores)
    maker.make()
    return maker.model
  }

  private static let names = [
    "Band", "Album", "Person", "Category", "Note", "Order", "Straße", "Venue", "group", "Écrivain",
  ]

  private mutating func make() {
    let count = 2 + random.below(4)
    for name in Self.names.shuffled(using: &random).prefix(count) {
      model.entities.append(entity(named: name, parent: nil))
      if random.one(in: 2) { addSubEntities(of: name, depth: 1) }
    }
    for _ in 0..<(2 + random.below(8)) { relate() }
    if !forStores { addParts() }
    for index in model.entities.indices { addConstraint(to: index) }
  }

  private mutating func entity(named name: String, parent: String?) -> Entity {
    var entity = Entity(name: name, parent: parent)
    entity.isAbstract = random.one(in: 5)
    entity.className = random.one(in: 2) ? "App.\(name)" : nil
    entity.userInfo = userInfo()
    if random.one(in: 4) { entity.renamingIdentifier = "Old\(name)" }
    if random.one(in: 4) { entity.versionHashModifier = "2" }
    let own = parent == nil ? [] : ["shared", "title"]
    for attributeName in own + ["attribute\(name)A", "attribute\(name)B", "attribute\(name)C"] {
      entity.attributes.append(attribute(named: attributeName))
    }
    return entity
  }

  private mutating func addSubEntities(of parent: String, depth: Int) {
    for suffix in ["Live", "Studio", "Draft"].prefix(1 + random.below(3)) {
      let name = parent + suffix
      var entity = entity(named: name, parent: parent)
      // What is inherited has one name only once.
      if depth > 1 { entity.attributes.removeAll { $0.name == "shared" || $0.name == "title" } }
      if depth > 1 { entity.attributes.append(attribute(named: "deep\(depth)")) }
      model.entities.append(entity)
      if depth < 3, random.one(in: 2) { addSubEntities(of: name, depth: depth + 1) }
    }
  }

  private mutating func userInfo() -> [String: String] {
    random.one(in: 3) ? ["note": "text \(random.below(9))", "ключ": "значение"] : [:]
  }

  // MARK: - Attributes

  private static let types: [AttributeType] = [
    .boolean, .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .date, .binary, .uuid,
    .uri,
    .transformable,
  ]

  private mutating func attribute(named name: String) -> Attribute {
    var attribute = Attribute(name: name, type: random.pick(Self.types))
    attribute.isOptional = !random.one(in: 3)
    attribute.isIndexed = random.one(in: 8)
    attribute.userInfo = userInfo()
    if random.one(in: 12) {
      attribute.isTransient = true
      attribute.isOptional = true
    }
    if random.one(in: 8) { attribute.renamingIdentifier = "old_\(name)" }
    if random.one(in: 8) { attribute.versionHashModifier = "m" }
    if random.one(in: 2) { addDefault(to: &attribute) }
    if random.one(in: 4) { addBounds(to: &attribute) }
    addFlags(to: &attribute)
    return attribute
  }

  private mutating func addDefault(to attribute: inout Attribute) {
    switch attribute.type {
    case .boolean: attribute.defaultValue = random.pick(["YES", "NO"])
    case .integer16, .integer32: attribute.defaultValue = String(random.below(30_000) - 15_000)
    case .integer64: attribute.defaultValue = random.pick(["0", "-1", "9223372036854775807"])
    case .decimal: attribute.defaultValue = random.pick(["0.1", "-12345678901234567890.12345", "0", "3"])
    case .double: attribute.defaultValue = random.pick(["0.0", "1e-07", "-2.5"])
    case .float: attribute.defaultValue = random.pick(["0.0", "0.1", "-2.5"])
    case .string: attribute.defaultValue = random.pick(["", "text", "smörgås \u{1F41F}", "a\nb"])
    case .date: attribute.defaultDate = Double(random.below(1_000_000_000)) / 4
    case .binary: attribute.defaultValue = "AAECAw=="
    case .uuid: attribute.defaultValue = "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"
    case .uri: attribute.defaultValue = "https://example.com/a?b=c"
    case .transformable, .composite, .undefined: break
    }
  }

  private mutating func addBounds(to attribute: inout Attribute) {
    switch attribute.type {
    case .integer16, .integer32, .integer64:
      attribute.minimum = "-30000"
      attribute.maximum = "30000"
    case .double: attribute.minimum = "-10.5"
    case .decimal: attribute.maximum = "99999999999999999999.5"
    case .string:
      attribute.maximum = "80"
      attribute.pattern = random.one(in: 2) ? "[a-z]*" : nil
    default: break
    }
  }

  private mutating func addFlags(to attribute: inout Attribute) {
    switch attribute.type {
    case .binary where random.one(in: 2): attribute.other["allowsExternalBinaryDataStorage"] = "YES"
    case .transformable where random.one(in: 2):
      attribute.other["valueTransformerName"] = "NSSecureUnarchiveFromData"
      attribute.other["customClassName"] = "NSArray"
    case .string where random.one(in: 8) && hasDerived:
      attribute.derivation = random.pick(["canonical:(title)", "albums.name", "now()"])
    default: break
    }
  }

  // MARK: - Relationships

  private mutating func relate() {
    let from = random.below(model.entities.count)
    let to = random.one(in: 5) ? from : random.below(model.entities.count)
    let number = model.entities.reduce(0) { $0 + $1.relationships.count }
    let name = "link\(number)"
    var relationship = Relationship(name: name, destination: model.entities[to].name)
    relationship.deleteRule = random.pick([.nullify, .cascade, .deny, .noAction])
    relationship.isOptional = true
    relationship.userInfo = userInfo()
    // A list needs something to be read by, so what has no inverse is to one.
    guard !random.one(in: 5) else {
      model.entities[from].relationships.append(relationship)
      return
    }
    relationship.isToMany = random.one(in: 2)
    relationship.isOrdered = relationship.isToMany && random.one(in: 2)
    if from == to, random.one(in: 3) {
      relationship.inverse = name
      relationship.inverseEntity = relationship.destination
      relationship.isOrdered = false
      model.entities[from].relationships.append(relationship)
      return
    }
    var back = Relationship(name: "back\(number)", destination: model.entities[from].name)
    back.isToMany = random.one(in: 2)
    back.isOrdered = back.isToMany && random.one(in: 2)
    if back.isToMany, random.one(in: 4) { back.maximumCount = 5 }
    (relationship.inverse, relationship.inverseEntity) = (back.name, relationship.destination)
    (back.inverse, back.inverseEntity) = (name, back.destination)
    model.entities[from].relationships.append(relationship)
    model.entities[to].relationships.append(back)
  }

  // MARK: - The rest

  private mutating func addParts() {
    model.versionIdentifier = random.one(in: 2) ? "v2" : nil
    if random.one(in: 2) {
      var part = attribute(named: "street")
      part.derivation = nil
      model.composites = [Composite(name: "Home", attributes: [part])]
      model.entities[0].attributes.append(
        Attribute(name: "home", type: .composite("Home"), isOptional: true))
    }
    if random.one(in: 2) {
      model.fetchRequests = [
        FetchRequest(name: "All", entity: model.entities[0].name, predicate: "TRUEPREDICATE")
      ]
      model.entities[0].fetchedProperties = [
        FetchedProperty(
          name: "recent",
          fetchRequest: FetchRequest(
            name: "fetchedPropertyFetchRequest", entity: model.entities[0].name, predicate: "TRUEPREDICATE"))
      ]
    }
    if random.one(in: 2) {
      model.configurations = [Configuration(name: "Cloud", entities: [model.entities[0].name])]
    }
  }

  private mutating func addConstraint(to index: Int) {
    guard random.one(in: 4) else { return }
    let attributes = model.entities[index].attributes.filter {
      !$0.isTransient && [.string, .integer32, .uuid].contains($0.type) && $0.derivation == nil
    }
    guard let first = attributes.first else { return }
    model.entities[index].uniquenessConstraints = [[first.name]]
  }
}
