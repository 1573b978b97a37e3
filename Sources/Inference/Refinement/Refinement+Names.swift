import Mapping
import ObjectModel

/// The keys of documents and the names of files that name the entities of a model that is widened.
extension Refinement {
  /// Lets the names that keys of documents and files gave the objects be names of the entity from now on.
  mutating func takeNames(of entity: Entity, for name: String) {
    var names = inferred.namesInData[entity.name] ?? []
    if names.isEmpty, inferred.recordEntities.contains(entity.name) { names = [entity.name] }
    for key in names + inferred.mapping[entity.name].names
    where !isCalled(name, key)
      && !mapping[name].names.contains(key)
      // Where forms tell entities, a name that says nothing may be that of several.
      && (mapping.document.forms.isEmpty || FileNames.saysSomething(key))
      && (!isClaimed(key, by: name) || isKeyOfDocuments(key, of: entity))
    {
      mapping[name].names.append(key)
      // Documents of the entity that is called so are told apart by what is in them.
      let others = model.entities.map(\.name).filter { $0 != name && isCalled($0, key) }
      if !others.isEmpty { rivalKeys[key, default: []].formUnion(others) }
      rivals.formUnion(others)
    }
  }

  private func isCalled(_ entity: String, _ key: String) -> Bool {
    Names.singulars(Names.folded(key)).contains(Names.folded(entity))
  }

  /// Whether the objects of a new entity came under a key of documents of several lists, which is another entity's name and no more.
  private func isKeyOfDocuments(_ key: String, of entity: Entity) -> Bool {
    names.known[entity.name] == nil && inferred.documentKeys[entity.name]?.contains(key) ?? false
      && inferred.documentKeys.values.joined().count > 1
      && !model.entities.contains { mapping[$0.name].names.contains(key) }
  }

  /// Lets a name that the files of a new entity share with those of another one, in another folder, name neither; and neither
  /// do those that say nothing, which come next, such as `page-2`.
  mutating func giveUpNames(of entity: String) {
    let isNamedByFile = inferred.recordEntities.contains {
      name(of: $0) == entity && inferred.documentKeys[$0]?.isEmpty ?? true
    }
    if isNamedByFile {
      // `page1` may be the name of files with any objects, now that there are others.
      for other in model.entities.map(\.name) where mapping[other].names.contains(where: FileNames.isPart) {
        mapping[other].names.removeAll(where: FileNames.isPart)
        rivals.formUnion([other, entity])
      }
    }
    let ofDocuments = inferred.documentKeys.filter { name(of: $0.key) == entity }.flatMap(\.value)
    for key in mapping[entity].names where isClaimed(key, by: entity) {
      let claimants = model.entities.map(\.name).filter { mapping[$0].names.contains(key) }
      giveUp(key, claimants + [entity], isOfDocuments: ofDocuments.contains(key) && claimants.count > 1)
    }
  }

  /// Lets a key of documents that says nothing, as `results`, name no entity any more, if objects of one came under it that was another's.
  mutating func contestNames(of entity: Entity, for name: String) {
    for key in inferred.documentKeys[entity.name] ?? [] where GenericNames.isWrapper(key) {
      let others = model.entities.map(\.name).filter { $0 != name && mapping[$0].names.contains(key) }
      guard !others.isEmpty else { continue }
      giveUp(key, others + [name], isOfDocuments: true)
    }
  }

  private mutating func giveUp(_ key: String, _ claimants: [String], isOfDocuments: Bool) {
    if isOfDocuments { rivalKeys[key, default: []].formUnion(claimants) }
    for claimant in claimants {
      mapping[claimant].names.removeAll { $0 == key || !FileNames.saysSomething($0) }
      rivals.insert(claimant)
    }
  }

  /// Whether another entity than this one goes by a name already.
  private func isClaimed(_ name: String, by entity: String) -> Bool {
    model.hasEntity(calledLike: name, besides: entity)
      || model.entities.contains { $0.name != entity && mapping[$0.name].names.contains(name) }
  }
}
