import Mapping
import ObjectModel

/// Messages that came in place of objects, and objects of which only the name of their file says what they are.
extension Refinement {
  /// The entities of what came in place of objects, and of what stands inside of that only.
  func strangers() -> Set<String> {
    var result = Set(
      inferred.model.entities.filter { entity in
        guard let known = names.known[entity.name] else { return isMessage(entity) }
        return sharesNothing(entity, with: known)
      }.map(\.name))
    guard !result.isEmpty else { return [] }
    var isComplete = false
    while !isComplete {
      isComplete = true
      for entity in inferred.model.entities
      where !result.contains(entity.name) && names.known[entity.name] == nil
        && !inferred.recordEntities.contains(entity.name)
      {
        let owners = inferred.model.entities.filter { owner in
          owner.name != entity.name
            && owner.relationships.contains {
              $0.destination == entity.name && !inferred.derived.contains("\(owner.name).\($0.name)")
            }
        }
        guard !owners.isEmpty, owners.allSatisfy({ result.contains($0.name) }) else { continue }
        result.insert(entity.name)
        isComplete = false
      }
    }
    return result
  }

  /// Whether objects at the top have no key of the entity that only the name of their file says them to be of.
  private func sharesNothing(_ entity: Entity, with known: String) -> Bool {
    guard inferred.recordEntities.contains(entity.name), entity.parent == nil, !entity.isAbstract,
      !(model[entity: known]?.isAbstract ?? true), model[entity: known]?.parent == nil
    else { return false }
    let own = entity.attributes.map(\.name).filter { !isAdded(keyPath(of: $0, in: entity)) }
    let links = entity.relationships.map(\.name).filter {
      !inferred.derived.contains("\(entity.name).\($0)")
    }
    guard !(own + links).isEmpty else { return false }
    return (own + links).allSatisfy { property in
      let key = keyPath(of: property, in: entity)
      let first = EntityKeys.beginnings(of: key).first.map { String($0.outer) } ?? key
      return keys.property(for: key, in: known) == nil && keys.property(around: key, in: known) == nil
        && keys.properties(inside: EntityKeys.plain(first), of: known).isEmpty
    }
  }

  /// Whether objects get a key from outside.
  func isAdded(_ path: String) -> Bool {
    inferred.mapping.document.added.keys.contains { SourceIdentity.isKey(path, $0) }
  }

  /// Whether an entity is that of a message, such as an error, in place of objects: it has only what is said around them.
  private func isMessage(_ entity: Entity) -> Bool {
    let own = entity.attributes.filter { !isAdded(keyPath(of: $0.name, in: entity)) }
    let isObject = GenericNames.mayBeOfObject(own.map { keyPath(of: $0.name, in: entity) })
    let hasMessageKeys =
      !isObject
      && own.allSatisfy { attribute in
        let key = keyPath(of: attribute.name, in: entity)
        return key.split(separator: ".").allSatisfy {
          GenericNames.isMeta(String($0), isStrict: false)
            || GenericNames.isWrapper(String($0)) && !holdsValues(attribute, of: entity)
        }
      }
    if inferred.messageEntities.contains(entity.name),
      inferred.recordEntities.isSubset(of: inferred.messageEntities)
    {
      return true
    }
    return (hasMessageKeys && entity.relationships.isEmpty || isFailure(entity))
      && inferred.loneEntities.contains(entity.name) && !hasOwnIdentity(entity)
  }

  /// Whether all that documents say is why there is no answer: `{"error": true, "reason": "Too many requests"}`.
  private func isFailure(_ entity: Entity) -> Bool {
    // A null in place of objects says nothing.
    let own = entity.attributes.filter {
      !isAdded(keyPath(of: $0.name, in: entity)) && inferred.untyped["\(entity.name).\($0.name)"] != .nulls
    }
    let links = entity.relationships.filter { !inferred.derived.contains("\(entity.name).\($0.name)") }
    var types: [String: AttributeType] = [:]
    for (name, type) in own.map({ ($0.name, $0.type) })
      + links.map({ ($0.name, AttributeType.transformable) })
    {
      let path = keyPath(of: name, in: entity).split(separator: ".").map(String.init)
      guard isOfFailure(path) else { return false }
      types[EntityKeys.plain(path[0])] = path.count == 1 ? type : .transformable
    }
    let lists = links.compactMap {
      keyPath(of: $0.name, in: entity).split(separator: ".").last.map(String.init)
    }
    return GenericNames.sayFailure(types)
      && lists.allSatisfy { GenericNames.areMessages(under: $0, with: []) }
  }

  /// Whether a key path is one of what an answer without objects says.
  private func isOfFailure(_ path: [String]) -> Bool {
    path.allSatisfy {
      GenericNames.isMeta($0, isStrict: false) || GenericNames.isOfMessages($0)
        || path.count > 1 && GenericNames.isWrapper($0)
    }
  }

  /// Whether lists of values came under a key, as names of objects do.
  private func holdsValues(_ attribute: Attribute, of entity: Entity) -> Bool {
    let place = "\(entity.name).\(attribute.name)"
    return attribute.type == .transformable && inferred.untyped[place] == nil
      && !inferred.emptyObjects.contains(place)
      && !inferred.listsOfNulls.contains(place)
  }

  /// Whether a key identifies objects by its very name.
  private func hasOwnIdentity(_ entity: Entity) -> Bool {
    entity.attributes.contains {
      (IdentityNames.rank(of: keyPath(of: $0.name, in: entity), owner: "") ?? .max) <= IdentityNames.strongest
    }
  }
}
