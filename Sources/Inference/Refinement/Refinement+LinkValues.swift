import Mapping
import ObjectModel

/// Values in the objects of a relationship that are those of the object around, as ``LinkValues`` finds them: in the model, or in what
/// came.
extension Refinement {
  /// Whether objects that came under keys of others have a value which these others take for their own: the goals of the teams of a match
  /// are the match's. What a list says of its objects is theirs.
  func isValueOfOwners(_ key: String, _ entity: Entity, in name: String) -> Bool {
    let links = inferred.model.entities.flatMap { owner in
      owner.relationships.filter {
        $0.destination == entity.name && !inferred.derived.contains("\(owner.name).\($0.name)")
      }
    }
    guard !inferred.recordEntities.contains(entity.name), !links.contains(where: \.isToMany) else {
      return false
    }
    let family = Set(line(of: name))
    return model.entities.contains { owner in
      let links = owner.relationships.filter { family.contains($0.destination) }.map {
        path(of: $0.name, in: owner.name)
      }
      return owner.attributes.contains { value in
        links.contains { path(of: value.name, in: owner.name) == "\($0).\(key)" }
      }
    }
  }

  /// The first key path of a property of the model.
  private func path(of property: String, in entity: String) -> String {
    mapping[entity].keys[property]?.first ?? property
  }

  /// The paths to values of the objects in an entity's relationships: the model may have them as values of the entity.
  func keysInLinks(of entity: Entity) -> [String] {
    entity.relationships.filter { !$0.isToMany && !inferred.derived.contains("\(entity.name).\($0.name)") }
      .flatMap { link in
        let target = inferred.model[entity: link.destination]
        return (target?.attributes ?? []).filter { !$0.isOptional }.map { value in
          "\(keyPath(of: link.name, in: entity)).\(inferred.keyPath(of: value.name, in: link.destination))"
        }
      }
  }

  /// Lets objects in a relationship change none of the store's, where a value of theirs turned out to be one of the object around:
  /// each owner would overwrite it.
  mutating func keepValuesInLinks(_ before: Model) {
    for index in model.entities.indices {
      let owner = model.entities[index]
      let former = before[entity: owner.name]
      for value in owner.attributes {
        let key = path(of: value.name, in: owner.name)
        for link in owner.relationships where !link.isToMany && mapping[owner.name].only[link.name] == nil {
          // A person may have meant it so where the model had both.
          guard former?[attribute: value.name] == nil || former?[relationship: link.name] == nil else {
            continue
          }
          let outer = path(of: link.name, in: owner.name) + "."
          guard key.hasPrefix(outer),
            let known = keys.property(for: String(key.dropFirst(outer.count)), in: link.destination)
          else { continue }
          mapping[owner.name].only[link.name] = .insert
          note(
            .relationship, .doubtful, entity: owner.name, link.name, "changes no \(link.destination)",
            "“\(known)” is another value under each key, which \(value.name) has now")
        }
      }
    }
  }
}
