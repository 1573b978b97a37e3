import Mapping
import ObjectModel

/// The relationships of a model that is widened: new ones, attributes that turn out to be some, and their other ends.
extension Refinement {
  mutating func addRelationships(of entity: Entity) {
    let name = name(of: entity.name)
    guard let index = model.entities.firstIndex(where: { $0.name == name }) else { return }
    for link in entity.relationships where !inferred.derived.contains("\(entity.name).\(link.name)") {
      let key = keyPath(of: link.name, in: entity)
      if isNamesake(key, of: link, index) {
        let isNew = addedKeys.insert("\(name) \(EntityKeys.plain(key))").inserted
        if isNew { add(link, key: key, to: index, from: entity) }
        continue
      }
      guard let known = keys.property(for: key, in: name) else {
        // The kind is new, and what it inherits from has the key.
        if let parent = model.entities[index].parent, keys.property(for: key, in: parent) != nil { continue }
        if let outer = keys.property(beginning: key, in: name), isUntoldEnd(outer, index),
          takesEnd(of: link, key: key, index)
        {
          continue
        }
        if let (outer, rest) = keys.property(around: key, in: name),
          let target = model.entities[index][relationship: outer]?.destination,
          isIdentified(objectOf: outer, name, target, entity)
        {
          add(link, inside: target, key: rest, from: entity)
          continue
        }
        guard !keys.isOfKind(key, of: name) else { continue }
        let isNew = addedKeys.insert("\(name) \(EntityKeys.plain(key))").inserted
        if isNew, !hasRelationship(like: link, key, index) {
          removeNothing(inside: key, index)
          if mapping.dialect == .jsonapi { removeNothing(inside: "relationships.\(key)", index) }
          add(link, key: key, to: index, from: entity)
        }
        continue
      }
      if inferred.references["\(entity.name).\(link.name)"] == nil { takeKey(key, for: known, index) }
      if mapping[name].ignored.contains(known), model.entities[index][relationship: known] != nil {
        mapping[name].ignored.removeAll { $0 == known }
      }
      if link.isToMany, isShared(link, of: entity) { allowSeveralOwners(of: known, index) }
      replace(known, index, by: link, key: key, of: entity)
      if link.isToMany { allowSeveralTargets(of: known, index) }
      if inferred.mapping[entity.name].transformers[link.name] == [TypeChoice.emptyIsNull] {
        readEmptiness(inPlaceOf: known, index)
      }
      if let policy = inferred.mapping[entity.name].references[link.name] {
        mapping[name].references[known] = mapping[name].references[known] ?? policy
      }
      if let operations = inferred.mapping[entity.name].only[link.name] ?? (isEmptied(link) ? .insert : nil) {
        limit(known, index, to: operations)
      }
    }
  }

  /// Removes the attributes of what stands inside of the objects of a new relationship, if nothing but nulls and empty lists was known of
  /// them: the `edges` of a connection without objects.
  private mutating func removeNothing(inside key: String, _ index: Int) {
    let name = model.entities[index].name
    for property in keys.properties(inside: EntityKeys.plain(key), of: name) where !isIdentity(property, name)
    {
      guard let nothing = model.entities[index][attribute: property]?.untyped else { continue }
      removeAttribute(property, index)
      note(
        .attribute, entity: name, property, "gives way to the values of objects",
        "only \(nothing == .nulls ? "nulls" : "empty lists") were known of it")
    }
  }

  /// Removes an attribute, and all that the mapping says of it.
  mutating func removeAttribute(_ attribute: String, _ index: Int) {
    let name = model.entities[index].name
    model.entities[index].attributes.removeAll { $0.name == attribute }
    mapping[name].keys[attribute] = nil
    mapping[name].dates[attribute] = nil
    mapping[name].transformers[attribute] = nil
  }

  /// Makes a relationship to one object one to many, since lists came under its key. Its other end is that of many then.
  private mutating func allowSeveralTargets(of property: String, _ index: Int) {
    let name = model.entities[index].name
    guard let place = model.entities[index].relationships.firstIndex(where: { $0.name == property }),
      case let link = model.entities[index].relationships[place], !link.isToMany, !isIdentity(property, name),
      let inverse = link.inverse,
      let target = model.entities.firstIndex(where: { $0.name == link.destination }),
      model.entities[target][relationship: inverse]?.isToMany ?? false
    else { return }
    model.entities[index].relationships[place].isToMany = true
    model.entities[index].relationships[place].isOrdered = true
    model.entities[index].relationships[place].isOptional = true
    note(.relationship, entity: name, property, "is to many", "lists of objects came under its key")
  }

  /// Lets a relationship that was known by keys such as `team_id` take the objects that came under its name.
  private mutating func takeKey(_ key: String, for known: String, _ index: Int) {
    let name = model.entities[index].name
    guard model.entities[index][relationship: known] != nil, !keys.hasKey(key, in: name),
      let others = mapping[name].keys[known], !others.isEmpty, !others.contains(key),
      others.allSatisfy({ LinkName($0).hasEnding }), !key.contains(".")
    else { return }
    mapping[name].keys[known] = others + [key]
    note(.relationship, entity: name, known, "takes “\(key)” too", "objects came under it")
  }

  /// Whether a key is the name of a relationship that has a path of its own and leads to objects of another entity: the `vehicle` of a
  /// feed's entity is none that stands under its `tripUpdate.vehicle`.
  private func isNamesake(_ key: String, of link: Relationship, _ index: Int) -> Bool {
    let owner = model.entities[index].name
    guard let known = keys.property(for: key, in: owner), !keys.hasKey(key, in: owner),
      let other = model.entities[index][relationship: known]?.destination,
      mapping[owner].keys[known]?.allSatisfy({ $0.contains(".") }) ?? false
    else { return false }
    let target = self.name(of: link.destination)
    return !family(of: other).contains(target)
  }

  /// Adds a relationship of the objects that stand in another one.
  mutating func add(_ link: Relationship, inside target: String, key: String, from entity: Entity) {
    guard let index = model.entities.firstIndex(where: { $0.name == target }),
      keys.property(for: key, in: target) == nil, !hasRelationship(like: link, key, index),
      addedKeys.insert("\(target) \(EntityKeys.plain(key))").inserted
    else { return }
    add(link, key: key, to: index, from: entity)
  }

  /// Lets the objects that stand in a relationship change none of the store's, since they turned out to be short forms of these.
  private mutating func limit(_ property: String, _ index: Int, to operations: Operations) {
    let name = model.entities[index].name
    guard let link = model.entities[index][relationship: property], mapping[name].only[property] == nil,
      hasIdentity(mapping, model, link.destination)
    else { return }
    mapping[name].only[property] = operations
    note(
      .relationship, entity: name, property, "changes no \(link.destination)",
      "objects that came in it are a short form of others")
  }

  /// Limits the relationships in which objects of an entity came with nothing but an empty list, now that such lists have elements
  /// elsewhere.
  private mutating func limitShortForms(of entity: String) {
    for (index, owner) in model.entities.enumerated() {
      let came = inferred.model.entities.filter { name(of: $0.name) == owner.name }
      for link in owner.relationships
      where link.destination == entity && keys.tells(of: link.name, in: owner.name)
        && !came.contains(where: { entity in
          entity.relationships.contains {
            keys.property(for: keyPath(of: $0.name, in: entity), in: owner.name) == link.name
          }
        })
      {
        limit(link.name, index, to: .insert)
      }
    }
  }

  /// Whether objects came that several lists hold.
  private func isShared(_ link: Relationship, of entity: Entity) -> Bool {
    inferred.sharedLists.contains("\(entity.name).\(link.name)")
      || link.inverse.flatMap { inferred.model[entity: link.destination]?[relationship: $0] }?.isToMany
        ?? false
  }

  /// Makes a list many-to-many, if objects came that several lists hold.
  mutating func allowSeveralOwners(of property: String, _ index: Int) {
    guard let known = model.entities[index][relationship: property], known.isToMany, let end = known.inverse,
      let target = model.entities.firstIndex(where: { $0.name == known.destination }),
      let place = model.entities[target].relationships.firstIndex(where: { $0.name == end }),
      !model.entities[target].relationships[place].isToMany,
      hasIdentity(mapping, model, known.destination)
    else { return }
    model.entities[target].relationships[place].isToMany = true
    note(
      .relationship, entity: model.entities[index].name, property, "becomes many-to-many",
      "objects came that several lists hold")
  }

  func hasIdentity(_ mapping: JSONMapping, _ model: Model, _ entity: String) -> Bool {
    let declared = mapping[entity].identity ?? model[entity: entity]?.declaredIdentity?.properties
    return !(declared ?? []).isEmpty
  }

  private func hasRelationship(like link: Relationship, _ key: String, _ index: Int) -> Bool {
    model.entities[index].relationships.contains { $0.name == link.name }
  }

  /// Makes an attribute a relationship, if nothing was known of it and it turns out to be one.
  private mutating func replace(
    _ attribute: String, _ index: Int, by link: Relationship, key: String, of entity: Entity
  ) {
    guard let known = model.entities[index][attribute: attribute] else { return }
    guard let nothing = known.untyped else { return keepAsJSON(attribute, index, link, of: entity) }
    guard
      nothing == .nulls || nothing == .emptyLists, !hasRelationship(like: link, key, index),
      !isIdentity(attribute, model.entities[index].name)
    else { return }
    let name = model.entities[index].name
    let wasEmpty =
      mapping[name].transformers[attribute] == [TypeChoice.emptyIsNull]
      || !link.isToMany && nothing == .emptyLists
    removeAttribute(attribute, index)
    let count = model.entities[index].relationships.count
    add(
      link, key: key, to: index, from: entity, as: "becomes a relationship",
      nothing == .nulls ? "only nulls were known of it" : "only empty lists were known of it")
    if nothing == .emptyLists, link.isToMany, link.deleteRule == .cascade { limitShortForms(of: name) }
    guard wasEmpty, model.entities[index].relationships.count > count else { return }
    readEmptiness(inPlaceOf: model.entities[index].relationships[count].name, index)
  }

  /// Makes an attribute of scalars one of any JSON, since objects came under its key.
  private mutating func keepAsJSON(_ attribute: String, _ index: Int, _ link: Relationship, of entity: Entity)
  {
    // Values that name such objects become their keys, see below.
    let types = inferred.identity(of: link.destination).compactMap {
      inferred.model[entity: link.destination]?[attribute: $0]?.type
    }
    let isKey = model.entities[index][attribute: attribute].map { known in
      types.count == 1 && (link.isToMany || known.type.holdsKeys(of: types[0]))
    }
    guard inferred.references["\(entity.name).\(link.name)"] == nil, isKey != true else { return }
    keepAsJSON(attribute, index)
  }

  /// Whether the objects of an entity stand under the values of an attribute in those of another one.
  func isKeyOfDictionary(_ attribute: String, _ entity: String) -> Bool {
    model.entities.contains { owner in
      mapping[owner.name].dictionaries.contains { link, rule in
        rule.keys.contains(attribute)
          && owner[relationship: link].map { family(of: $0.destination).contains(entity) } ?? false
      }
    }
  }

  mutating func keepAsJSON(_ attribute: String, _ index: Int) {
    let name = model.entities[index].name
    guard let place = model.entities[index].attributes.firstIndex(where: { $0.name == attribute }),
      ![.transformable, .undefined].contains(model.entities[index].attributes[place].type),
      !isIdentity(attribute, name), !isKeyOfDictionary(attribute, name)
    else { return }
    model.entities[index].attributes[place].type = .transformable
    mapping[name].dates[attribute] = nil
    mapping[name].transformers[attribute] = nil
    note(.attribute, entity: name, attribute, "becomes JSON", "objects came under its key")
  }

  // MARK: - Emptiness

  /// Whether all objects that came in a relationship have an empty list where those of the model hold others: they stand for these,
  /// of which more came elsewhere.
  private func isEmptied(_ link: Relationship) -> Bool {
    guard let target = inferred.model[entity: link.destination],
      !inferred.recordEntities.contains(target.name),
      let known = model[entity: name(of: target.name)],
      !(inferred.changedObjects[target.name]?.contains(known.name) ?? false)
    else { return false }
    return target.attributes.contains { attribute in
      guard inferred.untyped["\(target.name).\(attribute.name)"] == .emptyLists,
        let property = keys.property(for: keyPath(of: attribute.name, in: target), in: known.name),
        let list = known[relationship: property]
      else { return false }
      return list.isToMany && keys.tells(of: property, in: known.name)
    }
  }

  /// Whether nothing came under a key but empty texts, or empty lists.
  func isEmpty(_ attribute: Attribute, of entity: Entity) -> Bool {
    let place = "\(entity.name).\(attribute.name)"
    return inferred.emptyTexts.contains(place) || inferred.untyped[place] == .emptyLists
  }

  /// Lets a relationship read empty texts, and empty lists in place of one object, as nulls.
  mutating func readEmptiness(inPlaceOf relationship: String, _ index: Int) {
    let name = model.entities[index].name
    guard model.entities[index][relationship: relationship] != nil,
      mapping[name].transformers[relationship] == nil
    else { return }
    mapping[name].transformers[relationship] = [TypeChoice.emptyIsNull]
    note(
      .relationship, entity: name, relationship, "reads what is empty as null",
      "empty texts or lists came in place of objects")
  }

  /// Lets the attributes that have the values of an object read an empty text or list in place of it as nulls.
  mutating func readEmptiness(inPlaceOfObjectAt key: String, of name: String) {
    guard let index = model.entities.firstIndex(where: { $0.name == name }) else { return }
    for inner in keys.properties(inside: EntityKeys.plain(key), of: name) {
      let known = mapping[name].transformers[inner] ?? []
      guard !known.contains(TypeChoice.emptyIsNull) else { continue }
      mapping[name].transformers[inner] = [TypeChoice.emptyIsNull] + known
      if let place = model.entities[index].attributes.firstIndex(where: { $0.name == inner }) {
        model.entities[index].attributes[place].isOptional = true
      }
      note(
        .attribute, entity: name, inner, "reads what is empty as null",
        "empty texts or lists came in place of the object at \(key)")
    }
  }

  /// Makes an attribute the relationship that it turns out to be: its values, or the elements of its lists, are identities of
  /// objects that come now. The store takes them over as the keys of the targets.
  mutating func follow(_ link: LaterLink, _ strangers: Set<String>) {
    let destination = name(of: link.target)
    guard !strangers.contains(link.target),
      let index = model.entities.firstIndex(where: { $0.name == link.entity }),
      let target = model.entities.firstIndex(where: { $0.name == destination }),
      let attribute = model.entities[index][attribute: link.attribute],
      let identity = identityType(of: destination),
      link.isToMany ? identity.isInLists : attribute.type.holdsKeys(of: identity),
      !isIdentity(link.attribute, link.entity), !isDictionaryKey(link.attribute, of: link.entity),
      !isIdentifiedOtherwise(link.target)
    else { return }
    if let place = model.entities[index].relationships.firstIndex(where: { $0.name == link.name }) {
      return tellEnd(place, index, of: link, to: destination)
    }
    model.entities[index].attributes.removeAll { $0.name == link.attribute }
    mapping[link.entity].keys[link.attribute] = nil
    // Where something else has the name, the attribute's stays, as where all came at once.
    let free = freeName(link.name, index) == link.name ? link.name : link.attribute
    var added = Relationship(name: free, destination: destination)
    (added.isToMany, added.isOrdered) = (link.isToMany, link.isToMany)
    added.inverseEntity = destination
    if added.name != link.attribute { added.renamingIdentifier = link.attribute }
    if EntityKeys.plain(link.key) != Names.folded(added.name) {
      mapping[link.entity].keys[added.name] = [link.key]
    }
    added.inverse = addInverse(to: target, of: added, owner: link.entity)
    model.entities[index].relationships.append(added)
    note(
      .relationship, link.certainty, entity: link.entity, added.name,
      "becomes a relationship: \(link.isToMany ? "to many" : "to one"), \(destination)",
      link.evidence)
  }

  /// Whether another key identifies the objects of an entity than those that came.
  private func isIdentifiedOtherwise(_ target: String) -> Bool {
    guard let known = names.known[target], let entity = inferred.model[entity: target] else { return false }
    let came = inferred.mapping[target].identity ?? entity.declaredIdentity?.properties ?? []
    guard came.count == 1, let property = keys.property(for: keyPath(of: came[0], in: entity), in: known)
    else { return false }
    return !isIdentity(property, known)
  }

  /// Has the other end of a relationship of two lists, of which no JSON told before, be told of by keys that came before their targets:
  /// the courses of a student, whom the courses name too.
  private mutating func tellEnd(_ place: Int, _ index: Int, of link: LaterLink, to destination: String) {
    let (end, name) = (model.entities[index].relationships[place], link.entity)
    guard link.isToMany, end.isToMany, end.destination == destination,
      mapping[name].notExported.contains(end.name),
      end.inverse.flatMap({ model[entity: destination]?[relationship: $0] })?.isToMany ?? false
    else { return }
    removeAttribute(link.attribute, index)
    mapping[name].notExported.removeAll { $0 == end.name }
    // One end of a link need not say all that the other one knows.
    mapping[name].toMany[end.name] = .merge
    if let inverse = end.inverse { mapping[destination].toMany[inverse] = .merge }
    model.entities[index].relationships[place].renamingIdentifier = link.attribute
    if EntityKeys.plain(link.key) != Names.folded(end.name) { mapping[name].keys[end.name] = [link.key] }
    note(
      .relationship, link.certainty, entity: name, end.name, "is told of by \(link.key) too", link.evidence)
  }

  /// Whether the keys of dictionaries fill an attribute of their objects.
  private func isDictionaryKey(_ attribute: String, of entity: String) -> Bool {
    model.entities.contains { owner in
      owner.relationships.contains { link in
        link.destination == entity
          && (mapping[owner.name].dictionaries[link.name]?.keys.contains(attribute) ?? false)
      }
    }
  }

  /// Whether the values of an attribute can become the keys of objects.
  private func mayName(_ target: String, _ attribute: Attribute, of entity: String) -> Bool {
    guard let identity = identityType(of: target), attribute.type.holdsKeys(of: identity) else {
      return false
    }
    return !isIdentity(attribute.name, entity) && attribute.untyped == nil && !attribute.namesNoObjects
      && attribute.annotations.values == nil && mapping[entity].transformers[attribute.name] == nil
  }

  /// The type of the only attribute that identifies the objects of an entity of the model.
  private func identityType(of entity: String) -> AttributeType? {
    let identity = identity(of: entity)
    guard identity.count == 1 else { return nil }
    return model[entity: entity]?[attribute: identity[0]]?.type
  }

  mutating func add(
    _ link: Relationship, key: String, to index: Int, from entity: Entity, as choice: String = "is new",
    _ evidence: String = "its key is new"
  ) {
    if takesEnd(of: link, key: key, index) { return }
    if let attribute = inferred.references["\(entity.name).\(link.name)"], !mayName(link) {
      return add(attribute, key: key, to: index, from: entity)
    }
    var added = link
    added.destination = name(of: link.destination)
    added.inverseEntity = added.destination
    added.name = freeName(link.name, index)
    added.isOptional = true
    // Objects that stood alone in their owners have an identity in the model: several owners may have one.
    let isShared =
      !hasIdentity(inferred.mapping, inferred.model, link.destination)
      && hasIdentity(mapping, model, added.destination)
    if isShared { added.deleteRule = .nullify }
    let owner = model.entities[index].name
    let rules = inferred.mapping[entity.name]
    if added.name != key { mapping[owner].keys[added.name] = [key] }
    mapping[owner].transformers[added.name] = rules.transformers[link.name]
    if let rule = rules.dictionaries[link.name] { mapping[owner].dictionaries[added.name] = rule }
    mapping[owner].references[added.name] = rules.references[link.name]
    if hasIdentity(mapping, model, added.destination) {
      mapping[owner].only[added.name] = rules.only[link.name] ?? (isEmptied(link) ? .insert : nil)
      mapping[owner].toMany[added.name] = rules.toMany[link.name]
    }
    addInverse(of: link, as: &added, owner: owner, isShared: isShared)
    model.entities[index].relationships.append(added)
    note(
      .relationship, entity: owner, added.name,
      "\(choice): \(added.isToMany ? "to many" : "to one"), \(added.destination)", evidence)
  }

  /// Whether the store may know the objects that a link names by the keys that came: these are the values of the one property that
  /// identifies its objects.
  private func mayName(_ link: Relationship) -> Bool {
    let known = identity(of: name(of: link.destination))
    guard known.count == 1 else { return false }
    let came = inferred.identity(of: link.destination)
    guard came.count == 1, let entity = inferred.model[entity: link.destination] else { return true }
    let property = keys.property(for: keyPath(of: came[0], in: entity), in: name(of: link.destination))
    return property.map { $0 == known[0] } ?? true
  }

  /// The relationship of an entity's that has the key of a link's other end, which leads back to the owner.
  private func wayBack(of link: Relationship, owner: String) -> Relationship? {
    guard let inverse = link.inverse, let entity = inferred.model[entity: link.destination],
      !inferred.derived.contains("\(link.destination).\(inverse)"),
      let known = keys.property(for: keyPath(of: inverse, in: entity), in: name(of: link.destination)),
      let way = model[entity: name(of: link.destination)]?[relationship: known], way.destination == owner
    else { return nil }
    return way
  }

  /// Gives the key of a link to the other end of a known relationship, if no JSON had told of that end: the link leads back
  /// by a key that is known, or has the name of that end and its targets.
  private mutating func takesEnd(of link: Relationship, key: String, _ index: Int) -> Bool {
    let owner = model.entities[index].name
    let namesake = model.entities[index][relationship: link.name].flatMap {
      $0.destination == name(of: link.destination) ? $0.name : nil
    }
    guard let end = wayBack(of: link, owner: owner)?.inverse ?? namesake, isUntoldEnd(end, index),
      let place = model.entities[index].relationships.firstIndex(where: { $0.name == end }),
      model.entities[index].relationships[place].isToMany == link.isToMany
    else { return false }
    mapping[owner].notExported.removeAll { $0 == end }
    mapping[owner].ignored.removeAll { $0 == end }
    if end != key { mapping[owner].keys[end] = [key] }
    model.entities[index].relationships[place].isOrdered = link.isOrdered
    note(
      .relationship, entity: owner, end, "has the key \(key)",
      "the objects that came under it are those of the relationship")
    return true
  }

  private mutating func addInverse(
    of link: Relationship, as added: inout Relationship, owner: String, isShared: Bool
  ) {
    guard let target = model.entities.firstIndex(where: { $0.name == added.destination }) else {
      added.inverse = nil
      return
    }
    guard let inverseName = link.inverse,
      let other = inferred.model[entity: link.destination]?[relationship: inverseName]
    else {
      // The objects that keys name are those of the store: the JSON has none.
      added.inverse = addInverse(to: target, of: added, owner: owner)
      return
    }
    var inverse = other
    if isShared { (inverse.isToMany, inverse.deleteRule) = (true, .nullify) }
    let isDerived = inferred.derived.contains("\(link.destination).\(other.name)")
    let plain = inverse.isToMany ? Words.plural(ofEntity: owner) : Words.property(ofEntity: owner)
    // One key can lead back by one relationship.
    if wayBack(of: link, owner: owner) != nil {
      added.inverse = addInverse(to: target, of: added, owner: owner, isToMany: inverse.isToMany)
      return
    }
    if !isDerived, let entity = inferred.model[entity: link.destination],
      let known = keys.property(for: keyPath(of: other.name, in: entity), in: added.destination)
    {
      guard let attribute = model.entities[target][attribute: known] else {
        // A relationship has the key, and keeps it.
        added.inverse = addInverse(to: target, of: added, owner: owner)
        return
      }
      guard !inverse.isToMany, mayName(owner, attribute, of: added.destination) else {
        added.inverse = addInverse(to: target, of: added, owner: owner, isToMany: isShared)
        return
      }
      // The store takes the values over as the keys of the owners.
      model.entities[target].attributes.removeAll { $0.name == known }
      mapping[added.destination].keys[known] = nil
      inverse.renamingIdentifier = known
      note(
        .relationship, entity: added.destination, known, "becomes a relationship: to one, \(owner)",
        "its values are identities of the objects that came with it")
    }
    inverse.name = isDerived ? freeInverseName(plain, of: added, target) : freeName(other.name, target)
    inverse.destination = owner
    inverse.inverseEntity = owner
    inverse.inverse = added.name
    inverse.isOptional = true
    if inverse.renamingIdentifier == inverse.name { inverse.renamingIdentifier = nil }
    added.inverse = inverse.name
    let rules = inferred.mapping[link.destination]
    if rules.notExported.contains(other.name) { mapping[added.destination].notExported.append(inverse.name) }
    if let key = rules.keys[other.name] { mapping[added.destination].keys[inverse.name] = key }
    mapping[added.destination].transformers[inverse.name] = rules.transformers[other.name]
    model.entities[target].relationships.append(inverse)
  }

  /// Adds the other end of a link to an entity that the JSON has no object of. Gives its name.
  private mutating func addInverse(
    to target: Int, of added: Relationship, owner: String, isToMany: Bool = true
  ) -> String {
    let plain = isToMany ? Words.plural(ofEntity: owner) : Words.property(ofEntity: owner)
    let name = freeInverseName(plain, of: added, target)
    model.entities[target].relationships.append(
      Relationship(
        name: name, destination: owner, inverse: added.name, inverseEntity: owner, isToMany: isToMany))
    mapping[added.destination].notExported.append(name)
    return name
  }

  /// Whether a key of the objects that a link leads to, be it one on the way to values, would come to a property of a name.
  private func hasKey(like name: String, _ target: Int) -> Bool {
    let known = model.entities[target]
    let came = inferred.model.entities.filter { self.name(of: $0.name) == known.name }
    let paths =
      (known.attributes.map(\.name) + known.relationships.map(\.name)).map {
        mapping[known.name].keys[$0]?.first ?? $0
      }
      + came.flatMap { entity in
        (entity.attributes.map(\.name) + entity.relationships.map(\.name)).filter {
          !inferred.derived.contains("\(entity.name).\($0)")
        }.map { keyPath(of: $0, in: entity) }
      }
    return paths.contains { path in
      path.split(separator: ".").first.map { Names.folded(String($0)) == Names.folded(name) } ?? false
    }
  }

  /// A name for the other end of a link: that of the owners, or with the link's behind it where that is taken.
  private func freeInverseName(_ plain: String, of link: Relationship, _ target: Int) -> String {
    let isTaken = freeName(plain, target) != plain || hasKey(like: plain, target)
    return freeName(isTaken ? "\(plain)By\(Names.capitalized(link.name))" : plain, target)
  }
}
