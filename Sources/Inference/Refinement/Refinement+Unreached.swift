import Mapping
import ObjectModel

/// Entities of JSON that is read by what the model had: nothing leads to them.
extension Refinement {
  /// Takes back entities that were added, but whose objects stand where the model has those of others, so that none would ever be of
  /// them: each import of the same JSON would add them anew.
  ///
  /// - Parameter before: The model as it was.
  mutating func dropUnreached(_ before: Model) {
    let known = Set(before.entities.map(\.name))
    // A kind of what the model has is told by a key of its objects.
    var unreached = Set(model.entities.map(\.name).filter { wholeFamily(of: $0).isDisjoint(with: known) })
    guard !unreached.isEmpty else { return }
    for entity in inferred.model.entities where inferred.recordEntities.contains(entity.name) {
      unreached.subtract(wholeFamily(of: name(of: entity.name)))
    }
    // An attribute of the store became a relationship to these.
    for link in inferred.laterLinks { unreached.subtract(wholeFamily(of: name(of: link.target))) }
    var isComplete = false
    while !isComplete, !unreached.isEmpty {
      let left = unreached
      for entity in inferred.model.entities where !unreached.contains(name(of: entity.name)) {
        for destination in told(entity) where unreached.contains(destination) {
          unreached.subtract(wholeFamily(of: destination))
        }
      }
      isComplete = left == unreached
    }
    guard !unreached.isEmpty else { return }
    model.entities.removeAll { unreached.contains($0.name) }
    for index in model.entities.indices {
      let gone = model.entities[index].relationships.filter { unreached.contains($0.destination) }.map(\.name)
      guard !gone.isEmpty else { continue }
      model.entities[index].relationships.removeAll { gone.contains($0.name) }
      let owner = model.entities[index].name
      for name in gone { forgetRules(of: name, owner) }
    }
    for name in unreached { mapping.entities[name] = nil }
    forget(unreached)
  }

  /// The entities that the keys of an entity's objects lead to in the model.
  private func told(_ entity: Entity) -> [String] {
    let told = entity.relationships.filter { !inferred.derived.contains("\(entity.name).\($0.name)") }
    let owners = wholeFamily(of: name(of: entity.name))
    return told.flatMap { link -> [String] in
      let targets = wholeFamily(of: name(of: link.destination))
      return model.entities.filter { owners.contains($0.name) }.flatMap(\.relationships)
        .map(\.destination).filter(targets.contains)
    }
  }

  /// An entity, those above it, and those below any of them.
  private func wholeFamily(of entity: String) -> Set<String> {
    var root = entity
    while let parent = model[entity: root]?.parent { root = parent }
    return family(of: root)
  }
}
