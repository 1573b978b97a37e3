import Mapping
import ObjectModel

/// Objects inside of others that are no objects of their own in the model: `{"address": {"city": …}}` fills `addressCity` there,
/// since nothing but scalars came in addresses at first.
struct Folding {
  private(set) var inferred: InferredModel
  /// The keys of such objects in whose place empty texts or lists came, each with the entity of the model.
  private(set) var emptied: [(entity: String, key: String)] = []
  private(set) var didFold = false
  let keys: EntityKeys
  /// Which inferred entities are which of the model, before any was folded.
  let pairs: EntityPairs

  init(_ inferred: InferredModel, into model: Model, _ mapping: JSONMapping) {
    self.inferred = inferred
    keys = EntityKeys(model, mapping)
    pairs = EntityPairs(model, mapping, inferred)
  }

  /// Gives the values of such objects to the objects around them.
  mutating func run() {
    while let (owner, link) = next() {
      fold(link, of: owner)
      didFold = true
    }
  }

  private func next() -> (owner: Int, link: Relationship)? {
    for (index, owner) in inferred.model.entities.enumerated() {
      guard let known = pairs.known[owner.name] else { continue }
      let link = owner.relationships.first { isPart($0, of: owner) && isInside($0, of: owner, known) }
      if let link { return (index, link) }
    }
    return nil
  }

  /// Whether the model has what stands in a relationship as values of the object around it.
  private func isInside(_ link: Relationship, of owner: Entity, _ known: String) -> Bool {
    let key = inferred.keyPath(of: link.name, in: owner.name)
    return keys.property(for: key, in: known) == nil
      && !keys.properties(inside: EntityKeys.plain(key), of: known).isEmpty
  }

  /// Whether a relationship leads to objects that nothing surely identifies, or that stand in an envelope such as `properties`, and that
  /// stand there only, or in others whose values the model has as well.
  private func isPart(_ link: Relationship, of owner: Entity) -> Bool {
    guard !link.isToMany, !isDerived(link, of: owner), pairs.known[link.destination] == nil,
      let target = inferred.model[entity: link.destination], target.parent == nil,
      !inferred.recordEntities.contains(target.name),
      isHardlyIdentified(target)
        || FlatObject.isHeaderKey(EntityKeys.plain(inferred.keyPath(of: link.name, in: owner.name)))
    else { return false }
    return inferred.model.entities.allSatisfy { other in
      other.parent != target.name
        && other.relationships.allSatisfy {
          $0.destination != target.name || isDerived($0, of: other)
            || (other.name, $0.name) == (owner.name, link.name)
            || !$0.isToMany
              && pairs.known[other.name].map { [link = $0] in isInside(link, of: other, $0) } ?? false
        }
    }
  }

  /// Whether nothing identifies the objects of an entity, or what is hardly called an identity, such as an address.
  private func isHardlyIdentified(_ entity: Entity) -> Bool {
    inferred.identity(of: entity.name).allSatisfy { property in
      let key = inferred.keyPath(of: property, in: entity.name)
      return LabelNames.flags(of: key).contains(.address)
        || (IdentityNames.rank(of: key, owner: "") ?? .max) > IdentityNames.strongest
          && !LinkName(key).hasEnding
    }
  }

  private func isDerived(_ link: Relationship, of entity: Entity) -> Bool {
    inferred.derived.contains("\(entity.name).\(link.name)")
  }

  private mutating func fold(_ link: Relationship, of index: Int) {
    let owner = inferred.model.entities[index].name
    guard let target = inferred.model[entity: link.destination] else { return }
    let (key, rules) = (inferred.keyPath(of: link.name, in: owner), inferred.mapping[target.name])
    let emptiness = inferred.mapping[owner].transformers[link.name] ?? []
    if !emptiness.isEmpty, let known = pairs.known[owner] { emptied.append((known, key)) }
    let isMissing = inferred.missing[owner]?.contains(link.name) ?? false
    /// The name that a property gets in the owner, with the same rules.
    func take(_ property: String) -> String {
      let inner = inferred.keyPath(of: property, in: target.name)
      let name = freeName(Words.camelCase(Words.words(key) + Words.words(inner)), index)
      inferred.mapping[owner].keys[name] = [inner.hasPrefix("[") ? key + inner : "\(key).\(inner)"]
      let transformers = emptiness + (rules.transformers[property] ?? []).filter { !emptiness.contains($0) }
      inferred.mapping[owner].transformers[name] = transformers.isEmpty ? nil : transformers
      inferred.mapping[owner].dates[name] = rules.dates[property]
      inferred.mapping[owner].dictionaries[name] = rules.dictionaries[property]
      inferred.mapping[owner].only[name] = rules.only[property]
      inferred.mapping[owner].references[name] = rules.references[property]
      inferred.move("\(target.name).\(property)", to: "\(owner).\(name)")
      if isMissing || inferred.missing[target.name]?.contains(property) ?? false {
        inferred.missing[owner, default: []].insert(name)
      }
      return name
    }
    for var attribute in target.attributes {
      attribute.name = take(attribute.name)
      attribute.isOptional = true
      inferred.model.entities[index].attributes.append(attribute)
    }
    for var inner in target.relationships where !isDerived(inner, of: target) {
      let before = inner.name
      inner.name = take(before)
      inferred.model.entities[index].relationships.append(inner)
      for (place, other) in inferred.model.entities.enumerated() where other.name == inner.destination {
        for (number, end) in other.relationships.enumerated()
        where end.destination == target.name && end.inverse == before {
          inferred.model.entities[place].relationships[number].destination = owner
          inferred.model.entities[place].relationships[number].inverseEntity = owner
          inferred.model.entities[place].relationships[number].inverse = inner.name
        }
      }
    }
    inferred.model.entities[index].relationships.removeAll { $0.name == link.name }
    inferred.mapping[owner].keys[link.name] = nil
    inferred.mapping[owner].transformers[link.name] = nil
    let isElsewhere = inferred.model.entities.contains { other in
      other.relationships.contains { $0.destination == target.name && !isDerived($0, of: other) }
    }
    guard !isElsewhere else { return }
    inferred.model.entities.removeAll { $0.name == target.name }
    inferred.mapping[target.name] = EntityMapping()
  }

  private func freeName(_ name: String, _ index: Int) -> String {
    let entity = inferred.model.entities[index]
    let taken = Set(
      (entity.attributes.map(\.name) + entity.relationships.map(\.name)).map { $0.lowercased() })
    var (free, number) = (name, 2)
    while taken.contains(free.lowercased()) {
      free = "\(name)\(number)"
      number += 1
    }
    return free
  }
}

extension InferredModel {
  /// The key path of a property of an entity.
  func keyPath(of property: String, in entity: String) -> String {
    mapping[entity].keys[property]?.first ?? property
  }

  /// The properties that identify the objects of an entity; empty if none do.
  func identity(of entity: String) -> [String] {
    mapping[entity].identity ?? model[entity: entity]?.declaredIdentity?.properties ?? []
  }

  /// The same with key paths as a mapping has them: where the features of GeoJSON have an identity, the dialect looks into their
  /// `properties` by itself, and no path says it.
  func sayingProperties(as known: JSONMapping) -> InferredModel {
    guard mapping.dialect == .geojson, known.dialect == .geojson else { return self }
    let prefix = "properties."
    // Features have these themselves, so that a path says of properties of the same names where they are.
    let own: Set<String> = ["type", "id", "bbox", "geometry"]
    func plain(_ path: String) -> String? {
      guard path.hasPrefix(prefix), case let plain = path.dropFirst(prefix.count),
        !own.contains(String(plain.prefix { $0 != "." }))
      else { return nil }
      return String(plain)
    }
    func isSaid(_ mapping: JSONMapping, _ entity: String) -> Bool {
      mapping[entity].keys.values.contains { $0.contains { plain($0) != nil } }
    }
    let areSaid = known.entities.keys.contains { isSaid(known, $0) }
    var result = self
    // Objects inside of features have no properties.
    for entity in model.entities where areFeatures(entity) && isSaid(mapping, entity.name) != areSaid {
      for property in entity.attributes.map(\.name) + entity.relationships.map(\.name) {
        let path = keyPath(of: property, in: entity.name)
        if areSaid {
          let isOutside = own.contains(String(path.prefix { $0 != "." })) || path.hasPrefix(prefix)
          guard !isOutside, !derived.contains("\(entity.name).\(property)"), !path.hasPrefix("@") else {
            continue
          }
          result.mapping[entity.name].keys[property] = [prefix + path]
        } else if let plain = plain(path) {
          result.mapping[entity.name].keys[property] = plain == property ? nil : [plain]
        }
      }
    }
    return result
  }

  private func areFeatures(_ entity: Entity) -> Bool {
    sequence(first: entity) { $0.parent.flatMap { model[entity: $0] } }.contains {
      recordEntities.contains($0.name)
    }
  }

  /// Gives what is known of a property, `Entity.property`, to another one.
  mutating func move(_ property: String, to other: String) {
    for set in [
      \InferredModel.derived, \.sharedLists, \.listsOfNulls, \.emptyObjects, \.emptyTexts,
    ] where self[keyPath: set].remove(property) != nil {
      self[keyPath: set].insert(other)
    }
    if let count = ambiguous.removeValue(forKey: property) { ambiguous[other] = count }
    if let kind = untyped.removeValue(forKey: property) { untyped[other] = kind }
    if let known = texts.removeValue(forKey: property) { texts[other] = known }
    if let attribute = references.removeValue(forKey: property) { references[other] = attribute }
  }
}
