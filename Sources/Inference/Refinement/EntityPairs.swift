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
    pairByKeys(model, keys, inferred)
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

  private mutating func pairByKeys(_ model: Model, _ keys: EntityKeys, _ inferred: InferredModel) {
    for entity in inferred.model.entities where known[entity.name] == nil {
      let rules = inferred.mapping[entity.name]
      let own = Set(
        (entity.attributes.map(\.name) + entity.relationships.map(\.name)).map {
          EntityKeys.plain(rules.keys[$0]?.first ?? $0)
        })
      let best = model.entities.filter { !taken.contains($0.name) }
        .map { ($0.name, own.intersection(keys.keys(of: $0.name)).count) }.max { $0.1 < $1.1 }
      if let best, best.1 >= 2, best.1 * 10 >= own.count * 6 { known[entity.name] = best.0 }
    }
  }
}
