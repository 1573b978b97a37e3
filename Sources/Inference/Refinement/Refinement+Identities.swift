package import Mapping
import ObjectModel

extension InferredModel {
  /// The attribute by which objects of the model are identified from now on, since objects of an inferred entity name them by it.
  /// Nil if they are no such objects, or if others name them by the identity that they have.
  func otherIdentity(of known: Entity, for entity: Entity, _ model: Model, _ mapping: JSONMapping) -> String?
  {
    guard let attribute = otherIdentities[entity.name]?[known.name], !known.isAbstract, known.parent == nil,
      !known.identityIsSaid, !model.entities.contains(where: { $0.parent == known.name })
    else { return nil }
    func isTold(_ link: Relationship, of owner: Entity) -> Bool {
      link.annotations.isExported && !mapping[owner.name].notExported.contains(link.name)
    }
    let isNamed = model.entities.contains { owner in
      owner.relationships.contains { link in
        // The other end of a list in the objects themselves names none of them.
        let back = link.inverse.flatMap { known[relationship: $0] }
        return link.destination == known.name && isTold(link, of: owner)
          && !(back.map { isTold($0, of: known) } ?? false)
      }
    }
    return isNamed ? nil : attribute
  }

  /// The properties that may become parts of identities of the model itself, if one import has objects that differ in them.
  package var ownPossibleParts: [PossiblePart] {
    Refinement(itself: self).possibleParts().filter { $0.evidence != .otherObjects }
  }
}

/// Identities that a later file shows to be too short: what tells objects apart among those of one owner, or of one kind.
extension Refinement {
  /// The properties that may become parts of identities, the likeliest first.
  func possibleParts() -> [PossiblePart] {
    inferred.model.entities.flatMap { entity -> [PossiblePart] in
      guard let known = model[entity: name(of: entity.name)], mayGrowIdentity(of: known) else { return [] }
      return companions(of: known, entity) + links(of: known, entity) + kinds(of: known, entity)
        + moments(of: known, entity) + constants(of: known, entity)
    }
  }

  /// Whether an identity may get another part: it was taken from data, and nothing names the objects by it alone.
  private func mayGrowIdentity(of known: Entity) -> Bool {
    let identity = identity(of: known.name)
    guard known.parent == nil, !known.isAbstract, !known.identityIsSaid, identity.count == 1,
      known.attributes.contains(where: { $0.name == identity[0] }), family(of: known.name).count == 1
    else { return false }
    let named = inferred.references.keys.contains { place in
      let parts = place.split(separator: ".", maxSplits: 1).map(String.init)
      let target = inferred.model[entity: parts[0]]?[relationship: parts.last ?? ""]?.destination
      return target.map { name(of: $0) } == known.name
    }
    return !named
      && !model.entities.contains { owner in
        owner.relationships.contains { link in
          link.destination == known.name && isTold(link, of: owner)
            && (mapping[owner.name].keys[link.name] ?? [link.name]).contains { LinkName($0).hasEnding }
        }
      }
  }

  /// Whether JSON tells of a relationship.
  private func isTold(_ link: Relationship, of owner: Entity) -> Bool {
    link.annotations.isExported && !mapping[owner.name].notExported.contains(link.name)
  }

  /// Whether no two objects have one identity by chance.
  private func isSure(_ known: Entity) -> Bool {
    inferred.surelyIdentified.contains { name(of: $0) == known.name }
  }

  /// The property that tells apart the objects of the JSON that came with one identity, and identifies them with it.
  private func companions(of known: Entity, _ entity: Entity) -> [PossiblePart] {
    let came = inferred.mapping[entity.name].identity ?? []
    let identity = identity(of: known.name)
    let known = came.map { keys.property(for: keyPath(of: $0, in: entity), in: known.name) }
    guard came.count == 2, let place = known.firstIndex(of: identity[0]), let part = known[1 - place],
      part != identity[0], let count = inferred.ambiguous["\(entity.name).\(came[place])"]
    else { return [] }
    return [PossiblePart(entity: name(of: entity.name), property: part, evidence: .seen(count))]
  }

  /// The properties that all objects of one file have the same value of, and those of another file another one: the region of offers,
  /// the year of figures. Only an identity that is not called like one gets such a part.
  private func constants(of known: Entity, _ entity: Entity) -> [PossiblePart] {
    let identity = identity(of: known.name)
    let rank = IdentityNames.rank(of: key(of: identity[0], in: known), owner: known.name)
    guard rank.map({ $0 >= IdentityNames.weakest }) ?? true else { return [] }
    return known.attributes.filter { attribute in
      attribute.name != identity[0] && !DateNames.sayChange(key(of: attribute.name, in: known))
        && entity.attributes.contains {
          inferred.constants.contains("\(entity.name).\($0.name)")
            && keys.property(for: keyPath(of: $0.name, in: entity), in: known.name) == attribute.name
        } && came(attribute.name, of: known, entity)
    }.map { PossiblePart(entity: known.name, property: $0.name, evidence: .everyChange) }
  }

  /// The objects that an object belongs to: the chat of a message, the match of a player.
  private func links(of known: Entity, _ entity: Entity) -> [PossiblePart] {
    guard !isSure(known) else { return [] }
    return known.relationships.filter { link in
      !link.isToMany && link.destination != known.name && isTold(link, of: known)
        && identity(of: link.destination).count == 1 && came(link.name, of: known, entity)
    }.map { link in
      let back = link.inverse.flatMap { model[entity: link.destination]?[relationship: $0] }
      let isOwner = back.map { target in
        model[entity: link.destination].map { target.isToMany && isTold(target, of: $0) } ?? false
      }
      // In the lists of two objects, one of the same name may be another.
      return PossiblePart(
        entity: known.name, property: link.name, evidence: .otherObjects,
        labels: isOwner ?? false ? [] : labels(of: known))
    }
  }

  /// The types that objects inside of others say to be of: `{"type": "quoted", "id": 7}`.
  private func kinds(of known: Entity, _ entity: Entity) -> [PossiblePart] {
    guard !inferred.recordEntities.contains(where: { name(of: $0) == known.name }) else { return [] }
    let identity = identity(of: known.name)
    let properties = entity.attributes.map(\.name) + entity.relationships.map(\.name)
    let ambiguous =
      properties.filter { property in
        keys.property(for: keyPath(of: property, in: entity), in: known.name) == identity[0]
      }.compactMap { inferred.ambiguous["\(entity.name).\($0)"] }.first ?? 0
    return known.attributes.filter { attribute in
      attribute.type == .string && Kinds.rank(of: key(of: attribute.name, in: known)) != nil
        && came(attribute.name, of: known, entity)
    }.map {
      PossiblePart(
        entity: known.name, property: $0.name, evidence: ambiguous > 0 ? .seen(ambiguous) : .anyChange,
        labels: labels(of: known))
    }
  }

  /// The moments of what objects tell of, such as those of trades, that are none of their changes.
  private func moments(of known: Entity, _ entity: Entity) -> [PossiblePart] {
    guard !isSure(known) else { return [] }
    return known.attributes.filter { attribute in
      attribute.type == .date && !DateNames.sayChange(key(of: attribute.name, in: known))
        && came(attribute.name, of: known, entity)
    }.map {
      PossiblePart(entity: known.name, property: $0.name, evidence: .otherObjects, labels: labels(of: known))
    }
  }

  /// The names and addresses of objects.
  private func labels(of known: Entity) -> [String] {
    let identity = identity(of: known.name)
    return known.attributes.map(\.name).filter { attribute in
      !identity.contains(attribute)
        && !LabelNames.flags(of: key(of: attribute, in: known)).isDisjoint(with: [.label, .address])
    }
  }

  /// Whether all objects that came have a property of the model.
  private func came(_ property: String, of known: Entity, _ entity: Entity) -> Bool {
    let own = entity.attributes.map(\.name) + entity.relationships.map(\.name)
    return own.contains { came in
      keys.property(for: keyPath(of: came, in: entity), in: known.name) == property
        && !(inferred.missing[entity.name]?.contains(came) ?? false)
    }
  }

  /// The key of a property, without what is around it.
  private func key(of property: String, in known: Entity) -> String {
    let path = mapping[known.name].keys[property]?.first ?? property
    return path.split(separator: ".").last.map(String.init) ?? path
  }

  /// Has objects be identified by what others name them by, which is another one of their attributes than before.
  mutating func changeIdentity(of name: String, for entity: Entity) {
    let before = identity(of: name)
    guard let index = model.entities.firstIndex(where: { $0.name == name }),
      let attribute = inferred.otherIdentity(of: model.entities[index], for: entity, model, mapping),
      before.count == 1 || isOfSource(before, name), before != [attribute],
      let place = model.entities[index].attributes.firstIndex(where: { $0.name == attribute })
    else { return }
    mapping[name].identity = [attribute]
    model.entities[index].attributes[place].isOptional = false
    if isOfSource(before, name) { return forgetSources(of: index, identifiedBy: attribute) }
    for place in model.entities[index].attributes.indices
    where before.contains(model.entities[index].attributes[place].name) {
      model.entities[index].attributes[place].isOptional = true
    }
    note(
      .identity, .likely, entity: name, attribute, "is the identity from now on, was “\(before[0])”",
      inferred.entitiesWithRefutedIdentity.contains(entity.name)
        ? "other objects came with the same “\(before[0])”"
        : lacks(before[0], entity, name)
          ? "objects came without “\(before[0])”"
          : "others name the objects by it, with addresses that end with “\(before[0])”")
  }

  /// Whether some objects that came lack a property of the model.
  private func lacks(_ property: String, _ entity: Entity, _ name: String) -> Bool {
    entity.attributes.contains {
      keys.property(for: keyPath(of: $0.name, in: entity), in: name) == property
        && inferred.missing[entity.name]?.contains($0.name) ?? false
    }
  }

  private func isOfSource(key: String) -> Bool {
    [SourceIdentity.source, SourceIdentity.position, SourceIdentity.file].contains(key)
  }

  /// Whether nothing but their source identifies the objects of an entity.
  func isOfSource(_ identity: [String], _ name: String) -> Bool {
    identity.contains { mapping[name].keys[$0]?.first == SourceIdentity.source }
  }

  /// Has imports say no more which source an object came of, now that a key of its own identifies it: it may come of several. The store's
  /// objects keep what they have.
  private mutating func forgetSources(of index: Int, identifiedBy attribute: String) {
    let name = model.entities[index].name
    for place in model.entities[index].attributes.indices {
      let known = model.entities[index].attributes[place].name
      guard known != attribute, let key = mapping[name].keys[known]?.first, isOfSource(key: key) else {
        continue
      }
      model.entities[index].attributes[place].isOptional = true
      mapping[name].keys[known] = nil
      mapping[name].ignored.append(known)
      mapping[name].notExported.append(known)
    }
    let isUsed = { [mapping, model] (key: String) in
      model.entities.contains { mapping[$0.name].keys.values.contains { $0.contains(key) } }
    }
    for key in mapping.document.added.keys where isOfSource(key: key) && !isUsed(key) {
      mapping.document.added[key] = nil
    }
    note(
      .identity, .likely, entity: name, attribute, "is the identity from now on, was the source",
      "all objects have one, and no two the same")
  }

  /// Keeps entities without identity that had none, since a new key called `id` would be one by its name, which objects of the store
  /// lack.
  mutating func keepWithoutIdentity(_ before: Model) {
    for entity in before.entities where mapping[entity.name].identity == nil && entity.declaredIdentity == nil
    {
      guard let now = model[entity: entity.name]?.declaredIdentity, now.source == .convention,
        entity.parent.map({ identity(of: $0).isEmpty }) ?? true
      else { continue }
      mapping[entity.name].identity = []
    }
  }

  /// Adds a part to an identity: other objects came under its values, which differ in that part.
  mutating func heed(_ doubt: IdentityDoubt) {
    let identity = identity(of: doubt.entity)
    guard !doubt.isRefused, identity.count == 1, !identity.contains(doubt.part) else { return }
    let isLink = model[entity: doubt.entity]?[relationship: doubt.part] != nil
    mapping[doubt.entity].identity = isLink ? [doubt.part] + identity : identity + [doubt.part]
    let count = doubt.changed == doubt.objects ? "all of" : "\(doubt.changed) of"
    note(
      .identity, .likely, entity: doubt.entity,
      (mapping[doubt.entity].identity ?? []).joined(separator: ", "),
      "is the identity from now on, was “\(identity[0])”",
      "\(count) \(doubt.objects) objects that came again under it had another “\(doubt.part)”")
  }
}
