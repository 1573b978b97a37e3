import Mapping
import ObjectModel

/// Lists of the store's objects that need not have all of them, as ``PartialLists`` finds them in JSON that comes at once.
extension Refinement {
  /// Lets lists add to what is there where their objects also name their owners with a key: where lists came after such objects, or
  /// such objects after lists, without the other.
  ///
  /// - Parameter before: The model as it was.
  mutating func mergePartialLists(_ before: Model) {
    for entity in model.entities {
      // The other end of a link has no order.
      for link in entity.relationships
      where link.isToMany && link.isOrdered && mapping[entity.name].toMany[link.name] == nil {
        guard link.annotations.toMany == nil, let back = keyOfOwner(link, entity),
          isSaid(link, entity) || cameAfterKeys(link, entity, back, before)
            || cameWithKeysOnly(link, entity)
        else { continue }
        mapping[entity.name].toMany[link.name] = .merge
        note(
          .relationship, entity: entity.name, link.name, "adds to what is there",
          "\(link.destination).\(back.name) names their owners, of objects outside of the lists too")
      }
    }
  }

  /// The relationship by which the objects of a list name their owner with a key; nil if there is none, or the JSON has no such list.
  private func keyOfOwner(_ link: Relationship, _ entity: Entity) -> Relationship? {
    guard let name = link.inverse, let back = model[entity: link.destination]?[relationship: name],
      !back.isToMany, hasIdentity(mapping, model, link.destination),
      !mapping[entity.name].notExported.contains(link.name),
      !mapping[link.destination].notExported.contains(name)
    else { return nil }
    return back
  }

  /// Whether the JSON that came now has such lists.
  private func isSaid(_ link: Relationship, _ entity: Entity) -> Bool {
    lists(like: link, entity).contains { inferred.mapping[$0.owner.name].toMany[$0.link.name] == .merge }
  }

  /// Whether the lists are new, and objects of the store named their owners before.
  private func cameAfterKeys(
    _ link: Relationship, _ entity: Entity, _ back: Relationship, _ before: Model
  ) -> Bool {
    guard let target = before[entity: link.destination] else { return false }
    let name = back.renamingIdentifier ?? back.name
    return (target[relationship: back.name] != nil || target[attribute: name] != nil)
      && (before[entity: entity.name]?[relationship: link.name] == nil
        || !keys.tells(of: link.name, in: entity.name))
  }

  /// Whether objects came at the top, and no such lists.
  private func cameWithKeysOnly(_ link: Relationship, _ entity: Entity) -> Bool {
    lists(like: link, entity).isEmpty
      && inferred.recordEntities.contains { name(of: $0) == link.destination }
  }

  /// The lists in the JSON that came now that are those of a relationship of the model.
  private func lists(like link: Relationship, _ entity: Entity) -> [(owner: Entity, link: Relationship)] {
    inferred.model.entities.filter { name(of: $0.name) == entity.name }.flatMap { owner in
      owner.relationships.filter {
        $0.isToMany && !inferred.derived.contains("\(owner.name).\($0.name)")
          && (keys.property(for: keyPath(of: $0.name, in: owner), in: entity.name) ?? $0.name) == link.name
      }.map { (owner, $0) }
    }
  }
}
