import Mapping
import ObjectModel

/// Kinds of objects: sub-entities of an entity that a key tells apart.
extension Refinement {
  /// The kinds of an entity of which objects came.
  struct CameKinds {
    /// The key that tells them apart.
    let key: String
    /// The names of their entities in the model.
    var entities: [String] = []
  }

  /// Adds the kinds of which objects came and that an entity of the model does not have, if a key tells its kinds apart. Objects
  /// that do not say what they are, or in too many words, are of a kind for others.
  ///
  /// - Returns: The kinds that came; nil if the entity has none.
  mutating func addKinds(to index: Int, by entity: Entity) -> CameKinds? {
    let name = model.entities[index].name
    guard case .key(let key, var values)? = mapping[name].discriminator else {
      takeKinds(of: entity, for: name)
      return nil
    }
    var came = CameKinds(key: key)
    if case .key(let other, let kinds)? = inferred.mapping[entity.name].discriminator {
      guard other == key else { return came }
      for (value, kind) in kinds.pairs {
        if values[value] == nil { values[value] = self.name(of: kind) }
        came.entities.append(values[value] ?? kind)
      }
    } else if inferred.model.entities.allSatisfy({ $0.parent != entity.name }), entity.parent == nil {
      let attribute = entity.attributes.first { keyPath(of: $0.name, in: entity) == key }
      let texts = attribute.flatMap { inferred.texts["\(entity.name).\($0.name)"] } ?? []
      let isMissing = attribute.map { inferred.missing[entity.name]?.contains($0.name) ?? false } ?? true
      for text in texts.sorted().prefix(Self.mostKinds) where !text.isEmpty && !text.contains(",") {
        if values[text] == nil { values[text] = addKind(Words.entityName(text), to: name, text) }
        came.entities.append(values[text] ?? name)
      }
      if isMissing || texts.count > Self.mostKinds, mapping[name].defaultKind == nil {
        let other = addKind("Other\(name)", to: name, nil)
        (mapping[name].defaultKind, mapping[name].unknownKind) = (other, other)
      }
      came.entities += [isMissing ? mapping[name].defaultKind : nil].compactMap(\.self)
    }
    mapping[name].discriminator = .key(key, values: values)
    return came
  }

  /// Lets a key tell the kinds of an entity of which the model knew none: those that came are new.
  private mutating func takeKinds(of entity: Entity, for name: String) {
    guard mapping[name].discriminator == nil, model.entities.allSatisfy({ $0.parent != name }),
      case .key(let key, var values)? = inferred.mapping[entity.name].discriminator
    else { return }
    for (value, kind) in values.pairs { values[value] = self.name(of: kind) }
    mapping[name].discriminator = .key(key, values: values)
    // The objects that the store has said something else, and stay what they are.
    guard model[entity: name]?.isAbstract == false, mapping[name].defaultKind == nil else { return }
    (mapping[name].defaultKind, mapping[name].unknownKind) = (name, name)
  }

  /// So many kinds may come in a file of which nothing tells that they are kinds.
  private static let mostKinds = 12

  /// Adds a sub-entity, and gives its name.
  private mutating func addKind(_ plain: String, to parent: String, _ value: String?) -> String {
    let taken = Set((model.entities + inferred.model.entities).map { $0.name.lowercased() })
    var name = taken.contains(plain.lowercased()) ? plain + parent : plain
    var number = 2
    while taken.contains(name.lowercased()) {
      name = "\(plain)\(parent)\(number)"
      number += 1
    }
    var kind = Entity(name: name)
    kind.parent = parent
    model.entities.append(kind)
    if !hasIdentity(mapping, model, parent) { mapping[name].identity = [] }
    note(
      .entity, entity: name, "", "is new, a kind of \(parent)",
      value.map { "objects with “\($0)” came" } ?? "objects came that do not say which kind they are")
    return name
  }

  /// Adds an attribute that other kinds of an entity have to those of which objects came with it.
  mutating func add(_ attribute: Attribute, at key: String, toKinds kinds: CameKinds, from entity: Entity) {
    guard EntityKeys.plain(key) != EntityKeys.plain(kinds.key) else { return }
    for kind in kinds.entities {
      guard keys.property(for: key, in: kind) == nil,
        addedKeys.insert("\(kind) \(EntityKeys.plain(key))").inserted
      else { continue }
      guard let index = model.entities.firstIndex(where: { $0.name == kind }) else {
        ofNewKinds.append((attribute, key, kind, entity))
        continue
      }
      add(attribute, key: key, to: index, from: entity)
    }
  }
}
