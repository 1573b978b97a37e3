import Mapping
import ObjectModel

/// The keys by which JSON fills the properties of a model.
struct EntityKeys {
  private var properties: [String: [String: String]] = [:]
  /// The same by the keys as they are: `_x` and `x` are two.
  private var exact: [String: [String: String]] = [:]

  init(_ model: Model, _ mapping: JSONMapping) {
    let mapped = (try? mapping.applied(to: model)) ?? model
    let hierarchy = EntityHierarchy(mapped)
    for entity in mapped.entities {
      var known: [String: String] = [:]
      let attributes = hierarchy.attributes(of: entity).map { ($0.name, $0.annotations.keys) }
      let links = hierarchy.relationships(of: entity).map { ($0.name, $0.annotations.keys) }
      var own: [String: String] = [:]
      for (name, keys) in links + attributes {
        for key in [name] + keys { known[Self.plain(key)] = name }
        for key in keys.isEmpty ? [name] : keys { own[key] = name }
      }
      properties[entity.name] = known
      exact[entity.name] = own
    }
  }

  /// Keys in any style, as imports take them.
  static func plain(_ key: String) -> String {
    key.contains(".") || key.contains("[") ? key : Names.folded(key)
  }

  /// The property that a key fills; nil if none does.
  func property(for key: String, in entity: String) -> String? {
    exact[entity]?[key] ?? properties[entity]?[Self.plain(key)]
  }

  func keys(of entity: String) -> Set<String> { Set((properties[entity] ?? [:]).keys) }
}

/// Which inferred entities are which of a model: by their names, by what names them in JSON, by what leads to them, and by
/// their keys.
struct EntityPairs {
  /// The model's names by the inferred ones.
  private(set) var known: [String: String] = [:]

  init(_ model: Model, _ mapping: JSONMapping, _ inferred: InferredModel) {
    let names = Dictionary(
      model.entities.map { (Names.folded($0.name), $0.name) }, uniquingKeysWith: { first, _ in first })
    for entity in inferred.model.entities { known[entity.name] = names[Names.folded(entity.name)] }
    pairByNames(model, mapping, inferred)
    let keys = EntityKeys(model, mapping)
    pairByLinks(model, keys, inferred)
    pairByKeys(model, mapping, inferred)
  }

  private var taken: Set<String> { Set(known.values) }

  private mutating func pairByNames(_ model: Model, _ mapping: JSONMapping, _ inferred: InferredModel) {
    for entity in inferred.model.entities where known[entity.name] == nil {
      let names = Set(inferred.mapping[entity.name].names + [entity.name])
      let found = model.entities.first { other in
        !taken.contains(other.name)
          && mapping[other.name].names.contains { name in
            names.contains(name) || Names.singulars(Names.folded(name)).contains(Names.folded(entity.name))
          }
      }
      known[entity.name] = found?.name
    }
  }

  private mutating func pairByLinks(_ model: Model, _ keys: EntityKeys, _ inferred: InferredModel) {
    var didPair = true
    while didPair {
      didPair = false
      for entity in inferred.model.entities {
        guard let name = known[entity.name], let owner = model[entity: name] else { continue }
        for link in entity.relationships where known[link.destination] == nil {
          let key = inferred.mapping[entity.name].keys[link.name]?.first ?? link.name
          guard let property = keys.property(for: key, in: name), let other = owner[relationship: property],
            !taken.contains(other.destination)
          else { continue }
          known[link.destination] = other.destination
          didPair = true
        }
      }
    }
  }

  /// Pairs what is most alike in its keys, the best pairs first.
  private mutating func pairByKeys(_ model: Model, _ mapping: JSONMapping, _ inferred: InferredModel) {
    let keys = EntityKeys(model, mapping)
    var likely: [(likeness: Double, inferred: String, known: String)] = []
    for entity in inferred.model.entities where known[entity.name] == nil {
      let own = Self.keys(of: entity, inferred)
      for other in model.entities where !taken.contains(other.name) {
        let others = keys.keys(of: other.name)
        let shared = own.intersection(others).count
        let likeness = Double(shared) / Double(max(1, own.union(others).count))
        guard shared >= 2, identify(own, other, mapping, keys),
          isLikely(likeness, shared, entity, own.count, inferred)
        else { continue }
        likely.append((likeness, entity.name, other.name))
      }
    }
    likely.sort { ($1.likeness, $0.inferred, $0.known) < ($0.likeness, $1.inferred, $1.known) }
    for pair in likely where known[pair.inferred] == nil && !taken.contains(pair.known) {
      known[pair.inferred] = pair.known
    }
  }

  /// Whether keys are enough for a pair. Objects that have a name of their own are something else, unless they have many
  /// keys and most of the entity's.
  private func isLikely(
    _ likeness: Double, _ shared: Int, _ entity: Entity, _ count: Int, _ inferred: InferredModel
  ) -> Bool {
    if GenericNames.isWrapper(entity.name) { return shared * 10 >= count * 6 }
    if likeness >= 0.8, shared >= 5 { return true }
    return shared == count && shared >= 3 && !inferred.recordEntities.contains(entity.name)
  }

  /// Whether keys of objects say which object of an entity each is, if the entity has an identity.
  private func identify(_ own: Set<String>, _ entity: Entity, _ mapping: JSONMapping, _ keys: EntityKeys)
    -> Bool
  {
    let identity = mapping[entity.name].identity ?? entity.declaredIdentity?.properties ?? []
    return identity.allSatisfy { property in
      let path = mapping[entity.name].keys[property]?.first ?? property
      return mapping.document.added.keys.contains { SourceIdentity.isKey(path, $0) }
        || own.contains { keys.property(for: $0, in: entity.name) == property }
    }
  }

  /// The keys that came with the objects of an inferred entity.
  private static func keys(of entity: Entity, _ inferred: InferredModel) -> Set<String> {
    let rules = inferred.mapping[entity.name]
    let links = entity.relationships.map(\.name).filter { !inferred.derived.contains("\(entity.name).\($0)") }
    let paths = (entity.attributes.map(\.name) + links).map { rules.keys[$0]?.first ?? $0 }
    let added = inferred.mapping.document.added.keys
    return Set(
      paths.filter { path in !added.contains { SourceIdentity.isKey(path, $0) } }.map(EntityKeys.plain))
  }
}
