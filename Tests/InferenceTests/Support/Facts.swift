import Inference
import JSONStream
import ObjectModel

/// A value under a key: what is compared to find the entity that the objects of a place went to.
struct Fact: Hashable {
  let key: String
  let value: String

  /// Nil for what says little of its object: nulls and empty texts.
  init?(_ key: String, _ value: JSONValue) {
    switch value {
    case .string(let text) where !text.isEmpty: self.value = Self.comparable(text)
    case .number(let digits): self.value = Self.comparable(digits)
    case .bool(let flag): self.value = flag ? "true" : "false"
    default: return nil
    }
    self.key = normalized(key)
  }

  /// A number without the form in which it is written, and a date without its time.
  private static func comparable(_ text: String) -> String {
    if let number = Double(text) { return number.description }
    let start = text.prefix(10)
    let isDate = start.allSatisfy { $0.isNumber || $0 == "-" } && start.dropFirst(4).first == "-"
    return isDate && start.count == 10 ? String(start) : text
  }
}

/// The facts of the entities of an expert's model, taken from the documents.
struct ExpertFacts {
  private(set) var facts: [Set<Fact>]
  private let expert: ExpertModel

  init(_ expert: ExpertModel, _ documents: [String: JSONValue]) {
    self.expert = expert
    facts = Array(repeating: [], count: expert.entities.count)
    for (file, value) in documents { walk(value, [], in: file, of: nil) }
  }

  private mutating func walk(_ value: JSONValue, _ path: [PathPart], in file: String, of owner: Int?) {
    switch value {
    case .object(let members):
      let entity = expert.entity(at: path, in: file) ?? owner
      for (key, member) in members {
        if let entity, let fact = Fact(key, member) { facts[entity].insert(fact) }
        walk(member, path + [.key(key)], in: file, of: entity)
      }
    case .array(let elements):
      // What a list holds is not of the object that has the list, unless it is a place of its own.
      for (index, element) in elements.enumerated() {
        walk(element, path + [.element(index)], in: file, of: nil)
      }
    default: break
    }
  }
}

/// The facts of the entities of an inferred model, taken from the export of its store.
struct StoredFacts {
  private(set) var facts: [String: Set<Fact>] = [:]
  /// The relationships that the export tells of, as `Entity.relationship`.
  private(set) var told: Set<String> = []
  private let model: InferredEntities

  init(_ model: InferredEntities, export: JSONValue) {
    self.model = model
    read(export)
  }

  /// Walks the lists of entities, which may stand in the objects in which the documents had theirs.
  private mutating func read(_ value: JSONValue) {
    if case .array(let elements) = value { for element in elements { read(element) } }
    guard case .object(let members) = value else { return }
    for (key, member) in members {
      if model.names.contains(key), case .array(let objects) = member {
        for object in objects { walk(object, [], of: model.root(of: key)) }
      } else {
        read(member)
      }
    }
  }

  private mutating func walk(_ value: JSONValue, _ path: [String], of entity: String) {
    guard case .object(let members) = value else { return }
    for (key, member) in members {
      let path = path + [key]
      if let relationship = model.relationship(of: entity, at: path) {
        told.insert("\(entity).\(relationship.name)")
        let levels = model.levels(of: relationship, entity)
        descend(member, levels, to: model.root(of: relationship.destination))
      } else {
        if let fact = Fact(key, member) { facts[entity, default: []].insert(fact) }
        walk(member, path, of: entity)
      }
    }
  }

  /// Walks the objects under a relationship's key: one, a list, or a dictionary in which they stand by keys.
  private mutating func descend(_ value: JSONValue, _ levels: Int, to entity: String) {
    switch value {
    case .array(let elements): for element in elements { descend(element, levels, to: entity) }
    case .object(let members) where levels > 0:
      for (_, member) in members { descend(member, levels - 1, to: entity) }
    case .object: walk(value, [], of: entity)
    default: break
    }
  }
}

/// The entities of an inferred model with their relationships, where sub-entities count as their root.
struct InferredEntities {
  let names: [String]
  private var roots: [String: String] = [:]
  private var links: [String: [Relationship]] = [:]
  private let inferred: InferredModel
  /// What identifies the objects of each entity. Not there where nothing but the place in a file does.
  private(set) var identities: [String: InferredIdentity] = [:]

  init(_ inferred: InferredModel) throws {
    self.inferred = inferred
    let schema = try Schema(inferred.mapping.applied(to: inferred.model))
    var parents: [String: String] = [:]
    for entity in inferred.model.entities { parents[entity.name] = entity.parent }
    for entity in inferred.model.entities {
      var root = entity.name
      while let parent = parents[root] { root = parent }
      roots[entity.name] = root
      links[root, default: []] += entity.relationships
    }
    names = inferred.model.entities.map(\.name)
    for entity in inferred.model.entities where entity.parent == nil {
      guard let known = schema.entity(entity.name) else { continue }
      let parts = schema.identityNames(of: known)
      guard !parts.isEmpty, !parts.contains("position") else { continue }
      identities[entity.name] = InferredIdentity(
        parts: parts.map { part in
          let key = normalized(lastKey(key(of: part, entity.name)))
          return entity[relationship: part] == nil ? [key] : [key, "^"]
        })
    }
  }

  func root(of entity: String) -> String { roots[entity] ?? entity }

  func relationships(of root: String) -> [Relationship] { links[root] ?? [] }

  /// The key or path of a property in JSON.
  func key(of property: String, _ entity: String) -> String {
    for (name, root) in roots where root == self.root(of: entity) {
      if let key = inferred.mapping[name].keys[property]?.first { return key }
    }
    return property
  }

  func relationship(of entity: String, at path: [String]) -> Relationship? {
    let wanted = normalized(path.joined())
    return relationships(of: root(of: entity)).first { normalized(key(of: $0.name, entity)) == wanted }
  }

  /// How many dictionaries in one another hold a relationship's objects.
  func levels(of relationship: Relationship, _ entity: String) -> Int {
    inferred.mapping[entity].dictionaries[relationship.name]?.keys.count ?? 0
  }
}

/// The identity of an inferred entity: for each part its key in JSON, and for a relationship `^` as well.
struct InferredIdentity: CustomStringConvertible {
  let parts: [Set<String>]

  var description: String { parts.map { $0.sorted().joined(separator: "/") }.sorted().joined(separator: ",") }

  /// Whether it has all these keys, and maybe others, which make it wider.
  func covers(_ keys: Set<String>) -> Bool { keys.allSatisfy { key in parts.contains { $0.contains(key) } } }

  /// Whether it is of these keys.
  func consists(of keys: Set<String>) -> Bool { parts.count == keys.count && covers(keys) }
}
