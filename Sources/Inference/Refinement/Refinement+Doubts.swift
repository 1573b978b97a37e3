package import Mapping
import ObjectModel

/// The evidence of an import against a model that was taken from data.
extension InferredModel {
  /// The model without what spoke against it when objects were imported by it.
  ///
  /// Objects of one list that came in the list of another owner too have several owners. Where most of them came with other values
  /// there, what tells them apart does so in one list only: they have no identity then, and belong to their owners. Objects that
  /// are others than those of the store with the same identity have another one, of two properties.
  ///
  /// - Complexity: O(*d* · *r*), with the number of doubts and that of the model's relationships.
  package func heeding(_ doubts: [ImportDoubt]) -> InferredModel {
    guard !doubts.isEmpty else { return self }
    var refinement = Refinement(itself: self)
    // Objects that lose their identity have one owner, whatever other lists name them.
    let refuting = doubts.filter { if case .owners(let doubt) = $0 { doubt.changed > 0 } else { false } }
    let others = doubts.filter { if case .owners(let doubt) = $0 { doubt.changed == 0 } else { true } }
    for doubt in refuting + others {
      switch doubt {
      case .owners(let doubt): refinement.heed(doubt)
      case .identity(let doubt): refinement.heed(doubt)
      case .key(let doubt): refinement.heed(doubt)
      case .value(let doubt): refinement.heed(doubt)
      }
    }
    refinement.letOwnersReplace()
    var result = self
    result.model = refinement.model
    result.mapping = refinement.mapping
    // A note of evidence against an identity is settled by the longer one.
    for case .identity(let doubt) in doubts where !doubt.isRefused {
      result.guesses.removeAll { $0.entity == doubt.entity && $0.choice == Refinement.staysIdentity }
    }
    result.guesses += refinement.guesses
    result.lostIdentities.formUnion(refinement.lostIdentities)
    return result
  }
}

extension Refinement {
  /// Has an attribute keep what came under a key that nothing else takes, as JSON.
  mutating func heed(_ doubt: KeyDoubt) {
    guard let index = model.entities.firstIndex(where: { $0.name == doubt.entity }) else { return }
    let name = freeName(Words.camelCase(Words.words(doubt.key)), index)
    let added = Attribute(name: name, type: .transformable, isOptional: true)
    model.entities[index].attributes.append(added)
    // try?: a key that is no path is one step of one.
    let isPath = (try? JSONKeyPath(doubt.key)) != nil
    mapping[doubt.entity].keys[name] = [isPath ? doubt.key : JSONKeyPath.text(of: [.key(doubt.key)])]
    note(
      .attribute, .doubtful, entity: doubt.entity, added.name, "is new: \(added.type.word), optional",
      "no other property takes “\(doubt.key)”")
  }

  /// Has an attribute take the values that came under its key: by a wider type, or as JSON.
  mutating func heed(_ doubt: ValueDoubt) {
    let known = EntityKeys(model, mapping).property(for: doubt.key, in: doubt.entity)
    let line = line(of: doubt.entity)
    guard let known, !isIdentity(known, doubt.entity),
      let index = model.entities.firstIndex(where: { line.contains($0.name) && $0[attribute: known] != nil }),
      let place = model.entities[index].attributes.firstIndex(where: { $0.name == known })
    else { return }
    let name = model.entities[index].name
    if doubt.found.contains(.nothing), !model.entities[index].attributes[place].isOptional {
      model.entities[index].attributes[place].isOptional = true
      note(.attribute, entity: name, known, "becomes optional", "objects came without it")
    }
    let type = model.entities[index].attributes[place].type
    guard let wider = doubt.found.type(beside: type), !isKeyOfDictionary(known, name) else { return }
    model.entities[index].attributes[place].type = wider
    model.entities[index].attributes[place].userInfo["broker.values"] = nil
    mapping[name].dates[known] = nil
    mapping[name].transformers[known] = nil
    note(
      .attribute, entity: name, known, "becomes \(wider.word)", "values came that \(type.word) does not take")
  }

  mutating func heed(_ doubt: OwnerDoubt) {
    guard let index = model.entities.firstIndex(where: { $0.name == doubt.entity }),
      let link = model.entities[index][relationship: doubt.relationship], link.isToMany
    else { return }
    // Of the objects in another document around a list some may have changed since the first one, and not all.
    let isOfSource = isOfSource(identity(of: doubt.entity), doubt.entity)
    let areOthers = isOfSource ? doubt.changed == doubt.objects : doubt.changed * 2 >= doubt.objects
    // Two objects do not both change in all that they say, whatever identifies them.
    let areSurelyOthers =
      doubt.areOthers && doubt.changed == doubt.objects && doubt.objects > 1
      && doubt.replaced >= doubt.changed * 2
    if areOthers, mayGiveUpIdentity(of: link.destination, though: areSurelyOthers) {
      giveUpIdentity(
        of: link.destination,
        "\(doubt.objects) objects came in lists of several owners with other values each time")
    } else if !doubt.isOfOthers {
      allowSeveralOwners(of: doubt.relationship, index)
    }
  }

  /// Lets the objects of an entity have no identity if some came without what was taken for it, or several with one value of it.
  mutating func giveUpIdentity(of name: String, ifRefutedBy entity: Entity) {
    let identity = identity(of: name)
    guard identity.count == 1, mayGiveUpIdentity(of: name), !entity.isAbstract else { return }
    func isIdentity(_ property: String) -> Bool {
      keys.property(for: keyPath(of: property, in: entity), in: name) == identity[0]
    }
    if let link = entity.relationships.first(where: { isIdentity($0.name) }) {
      // Keys of other objects may come several times in one document.
      guard inferred.repeatedIdentities.contains("\(entity.name).\(link.name)") else { return }
      return giveUpIdentity(of: name, "different objects came with the same one")
    }
    let attribute = entity.attributes.first { isIdentity($0.name) }
    if attribute.map({ inferred.missing[entity.name]?.contains($0.name) ?? false }) ?? true {
      giveUpIdentity(of: name, "objects came without it")
    } else if let attribute, case let place = "\(entity.name).\(attribute.name)",
      (inferred.ambiguous[place] ?? 0) > 0 || inferred.repeatedIdentities.contains(place)
    {
      giveUpIdentity(of: name, "different objects came with the same one")
    }
  }

  /// Whether nothing but lists that hold its objects leads to an entity, so that these can belong to their owners.
  ///
  /// - Parameter isSurelyNone: Whether a program may have made what was taken for its identity all the same: it names others.
  func mayGiveUpIdentity(of entity: String, though isSurelyNone: Bool = false) -> Bool {
    guard let known = model[entity: entity], known.parent == nil, mapping[entity].names.isEmpty,
      !inferred.recordEntities.contains(where: { name(of: $0) == entity }),
      isSurelyNone || !inferred.surelyIdentified.contains(where: { name(of: $0) == entity })
    else { return false }
    guard identity(of: entity).count == 1, !known.identityIsSaid else { return false }
    let family = family(of: entity)
    guard comesInFull(entity, family) else { return false }
    let links = model.entities.flatMap { owner in
      owner.relationships.filter { link in
        family.contains(link.destination) && !mapping[owner.name].notExported.contains(link.name)
          && link.annotations.isExported && !isNamedByKeys(link, of: owner)
          // An object of an owner leads to it, which says nothing of more owners.
          && (link.inverse == nil || hasIdentity(mapping, model, owner.name) || link.isToMany)
      }
    }
    return !links.isEmpty
      && links.allSatisfy { link in
        let back = link.inverse.flatMap { model[entity: link.destination]?[relationship: $0] }
        return link.isToMany && !(back?.isToMany ?? true)
      }
  }

  /// Whether the key of a link to one object is called like those whose values name objects: it can be a value again.
  private func isNamedByKeys(_ link: Relationship, of owner: Entity) -> Bool {
    !link.isToMany && LinkName(mapping[owner.name].keys[link.name]?.first ?? link.name).hasEnding
  }

  /// Whether objects came with most of what an entity has. Those that stand elsewhere in full have less inside of others.
  private func comesInFull(_ entity: String, _ family: Set<String>) -> Bool {
    let own = model[entity: entity]?.attributes.map(\.name) ?? []
    let came = inferred.model.entities.filter { family.contains(name(of: $0.name)) }.flatMap { other in
      other.attributes.compactMap { keys.property(for: keyPath(of: $0.name, in: other), in: entity) }
    }
    return Set(came).intersection(own).count * 2 >= own.count
  }

  /// Lets the objects of an entity belong to those whose lists they stand in.
  mutating func giveUpIdentity(of entity: String, _ evidence: String) {
    guard let index = model.entities.firstIndex(where: { $0.name == entity }) else { return }
    let identity = identity(of: entity)
    if mapping[entity].identity != nil { mapping[entity].identity = [] }
    model.entities[index].userInfo["broker.identity"] = "none"
    for place in model.entities[index].attributes.indices
    where identity.contains(model.entities[index].attributes[place].name) {
      model.entities[index].attributes[place].isOptional = true
    }
    lostIdentities.insert(entity)
    forgetNotes(ofIdentityOf: entity)
    giveUpReferences(to: entity, identifiedBy: identity)
    let family = family(of: entity)
    for owner in model.entities.indices {
      for place in model.entities[owner].relationships.indices {
        let link = model.entities[owner].relationships[place]
        guard link.isToMany, family.contains(link.destination) else { continue }
        model.entities[owner].relationships[place].deleteRule = .cascade
      }
    }
    note(
      .identity, .likely, entity: entity, identity.joined(separator: ", "),
      "is no identity any more: its objects belong to"
        + " their owners", evidence)
  }

  /// Takes back that objects which nothing identifies are put in only where they are missing: their owners replace them as a whole.
  mutating func letOwnersReplace() {
    for owner in model.entities {
      for link in owner.relationships
      where mapping[owner.name].only[link.name] != nil
        && !hasIdentity(mapping, model, rootName(of: link.destination))
      {
        mapping[owner.name].only[link.name] = nil
      }
    }
  }

  /// The entity above all of which an entity is a kind, or itself.
  private func rootName(of entity: String) -> String {
    var name = entity
    while let parent = model[entity: name]?.parent { name = parent }
    return name
  }

  /// The links that keys tell of, by their names in the model, each as the attribute that it would be without.
  var references: [String: Attribute] {
    var result: [String: Attribute] = [:]
    for (place, attribute) in inferred.references {
      let parts = place.split(separator: ".", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { continue }
      let owner = name(of: parts[0])
      let known = keys.property(for: inferred.keyPath(of: parts[1], in: parts[0]), in: owner)
      result["\(owner).\(known ?? parts[1])"] = attribute
    }
    // Where a file shows that keys name nothing, they come as values.
    for entity in inferred.model.entities {
      let owner = name(of: entity.name)
      guard let known = model[entity: owner] else { continue }
      for attribute in entity.attributes where attribute.type != .transformable && attribute.untyped == nil {
        guard let link = keys.property(for: keyPath(of: attribute.name, in: entity), in: owner),
          known[relationship: link]?.isToMany == false
        else { continue }
        result["\(owner).\(link)"] = result["\(owner).\(link)"] ?? attribute
      }
    }
    return result
  }

  /// Has keys that named objects of an entity be values, since nothing identifies these any more.
  ///
  /// - Parameter identity: What identified them.
  private mutating func giveUpReferences(to entity: String, identifiedBy identity: [String]) {
    let references = references
    // The keys that files before named objects by have the type of the identity.
    let key = identity.count == 1 ? model[entity: entity]?[attribute: identity[0]] : nil
    for owner in model.entities.indices {
      let name = model.entities[owner].name
      let links = model.entities[owner].relationships.filter { $0.destination == entity }
      for known in links {
        let link = known.name
        let ofKeys =
          isNamedByKeys(known, of: model.entities[owner])
          ? key.map { Attribute(name: link, type: $0.type) } : nil
        guard var value = references["\(name).\(link)"] ?? ofKeys else { continue }
        remove(link, of: owner)
        (value.name, value.isOptional) = (link, true)
        model.entities[owner].attributes.append(value)
        note(
          .attribute, entity: name, link, "is a value, and names no \(entity)",
          "nothing identifies \(Words.plural(ofEntity: entity)) any more")
      }
    }
  }

  /// Removes a relationship, its other end, and what the mapping says of both but for the key.
  private mutating func remove(_ link: String, of owner: Int) {
    let name = model.entities[owner].name
    guard let known = model.entities[owner][relationship: link] else { return }
    model.entities[owner].relationships.removeAll { $0.name == link }
    let key = mapping[name].keys[link]
    forgetRules(of: link, name)
    mapping[name].keys[link] = key
    guard let back = known.inverse,
      let target = model.entities.firstIndex(where: { $0.name == known.destination })
    else { return }
    model.entities[target].relationships.removeAll { $0.name == back }
    forgetRules(of: back, known.destination)
  }

  /// Removes all that the mapping says of a relationship.
  mutating func forgetRules(of link: String, _ owner: String) {
    mapping[owner].keys[link] = nil
    mapping[owner].transformers[link] = nil
    mapping[owner].dictionaries[link] = nil
    mapping[owner].only[link] = nil
    mapping[owner].references[link] = nil
    mapping[owner].toMany[link] = nil
    mapping[owner].notExported.removeAll { $0 == link }
  }

  /// An entity and all that inherit from it.
  func family(of entity: String) -> Set<String> {
    var result: Set<String> = [entity]
    var count = 0
    while result.count > count {
      count = result.count
      for other in model.entities where other.parent.map(result.contains) ?? false {
        result.insert(other.name)
      }
    }
    return result
  }
}

extension ValueDoubt.Found {
  /// The type that takes such values beside those of a type; nil if there are none.
  fileprivate func type(beside known: AttributeType) -> AttributeType? {
    let came = subtracting(.nothing)
    let type: AttributeType
    switch came {
    case []: return nil
    case .wholeNumbers: type = .integer64
    case .numbers, [.numbers, .wholeNumbers]: type = .double
    case .texts: type = .string
    default: return .transformable
    }
    // A value of its kind that a type does not take is too large or too exact for it, or no case of an enumeration.
    if known == type { return type == .string ? .string : .transformable }
    return TypeWidening.wider(known, type, areNumbers: true, haveExponents: true) ?? .transformable
  }
}
