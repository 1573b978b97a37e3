extension ModelChanges {
  // MARK: - Attributes

  /// Compares attributes. A change of an inherited one is told of the entity that declares it only.
  mutating func compareAttributes(_ former: SchemaEntity, _ entity: SchemaEntity) {
    for (index, attribute) in entity.attributes.enumerated() {
      guard let other = pairs.oldAttributes[entity.index][index] else {
        guard isTold(attribute.owner, of: entity) else { continue }
        if let link = pairs.oldLinks[entity.index][index] {
          noteValues(attribute, old.relationships[link], entity)
        } else {
          noteNew(attribute, entity)
        }
        continue
      }
      let before = former.attributes[other]
      guard isTold(attribute.owner, of: entity) || pairs.oldEntity[attribute.owner] == nil else { continue }
      compare(before, attribute, entity)
    }
    let taken = Set(pairs.oldAttributes[entity.index].compactMap(\.self) + pairs.linkedAttributes(entity))
    for (index, attribute) in former.attributes.enumerated() where !taken.contains(index) {
      noteRemoved(attribute, former, entity)
    }
  }

  /// Whether what an entity declares is new, or changes, at an entity that inherits from it, rather than at itself.
  private func isTold(_ owner: Int, of entity: SchemaEntity) -> Bool {
    owner == entity.index || !isStored(owner)
  }

  /// Whether an entity is in the ancestry of others as far as the store is concerned. A parent above the root is not.
  private func isStored(_ owner: Int) -> Bool {
    new.entities[owner].root == owner || pairs.oldEntity[owner] != nil
  }

  private mutating func noteNew(_ attribute: SchemaAttribute, _ entity: SchemaEntity) {
    let hasDefault = attribute.attribute.hasDefault
    let words =
      hasDefault
      ? "is new, with its default for the objects that are there"
      : attribute.isOptional ? "is new" : "is new, and required"
    let detail: ModelChange.Detail =
      attribute.isOptional ? .none : .neededValue(places(of: attribute, in: entity))
    note(entity.name, attribute.name, .added, words, detail: detail)
  }

  private mutating func noteValues(
    _ attribute: SchemaAttribute, _ link: SchemaRelationship, _ entity: SchemaEntity
  ) {
    let name = attribute.name == link.name ? "" : " \(link.name)"
    note(
      entity.name, attribute.name, .changed,
      "is \(attribute.type.words), was the relationship\(name), whose keys are its values",
      detail: attribute.isOptional ? .none : .neededValue(places(of: attribute, in: entity)))
  }

  /// An attribute that entities inherit goes once, where it was declared.
  private mutating func noteRemoved(
    _ attribute: SchemaAttribute, _ former: SchemaEntity, _ entity: SchemaEntity
  ) {
    if attribute.owner != former.index, let owner = pairs.newEntity[attribute.owner],
      !isTaken(attribute.name, of: old.entities[attribute.owner], by: new.entities[owner])
    {
      return
    }
    var places: [ModelChange.Place] = []
    for member in old.family(of: former.index) {
      guard let other = pairs.newEntity[member], let index = old.entities[member].attribute(attribute.name)
      else { continue }
      if !pairs.oldAttributes[other].contains(index),
        !pairs.linkedAttributes(new.entities[other]).contains(index)
      {
        places.append(ModelChange.Place(entity: member, attribute: index))
      }
    }
    note(entity.name, attribute.name, .removed, "is removed", detail: .removedAttribute(places))
  }

  private func isTaken(_ name: String, of former: SchemaEntity, by entity: SchemaEntity) -> Bool {
    guard let index = former.attribute(name) else { return true }
    return pairs.oldAttributes[entity.index].contains(index)
      || pairs.linkedAttributes(entity).contains(index)
  }

  /// An attribute of an entity and of all that inherit it.
  private func places(of attribute: SchemaAttribute, in entity: SchemaEntity) -> [ModelChange.Place] {
    new.family(of: entity.index).compactMap { member in
      new.entities[member].attribute(attribute.name).map { ModelChange.Place(entity: member, attribute: $0) }
    }
  }

  private mutating func compare(
    _ before: SchemaAttribute, _ attribute: SchemaAttribute, _ entity: SchemaEntity
  ) {
    let name = attribute.name
    if before.name != name { note(entity.name, name, .renamed, "was called \(before.name)") }
    let places = places(of: attribute, in: entity)
    if before.type != attribute.type {
      note(
        entity.name, name, .changed, "is \(attribute.type.words), was \(before.type.words)",
        detail: .changedType(places))
    }
    if before.isOptional, !attribute.isOptional {
      let hasDefault = attribute.attribute.hasDefault
      note(
        entity.name, name, .changed,
        hasDefault ? "is required, and has its default where it was empty" : "is required",
        detail: .neededValue(places))
    } else if !before.isOptional, attribute.isOptional {
      note(entity.name, name, .changed, "may be empty")
    }
    compareIndexing(before.attribute, attribute.attribute, name, entity)
    compareRules(before.attribute, attribute.attribute, name, entity, places)
  }

  private mutating func compareRules(
    _ before: Attribute, _ attribute: Attribute, _ name: String, _ entity: SchemaEntity,
    _ places: [ModelChange.Place]
  ) {
    let (is_, was) = (attribute.boundsInWords, before.boundsInWords)
    if is_ != was {
      note(
        entity.name, name, .changed, "is \(is_ ?? "of any size"), was \(was ?? "of any size")",
        detail: .valueRule(places, .bounds))
    }
    if (before.pattern ?? "") != (attribute.pattern ?? "") {
      let words = attribute.pattern.map { "matches \($0)" } ?? "need not match a pattern"
      note(
        entity.name, name, .changed, words + (before.pattern.map { ", matched \($0)" } ?? ""),
        detail: .valueRule(places, .pattern))
    }
    let (value, former) = (attribute.defaultInWords, before.defaultInWords)
    if value != former, before.type == attribute.type {
      note(
        entity.name, name, .changed, "has the default \(value ?? "none"), had \(former ?? "none")",
        detail: .rule)
    }
    compareAnnotations(before.userInfo, attribute.userInfo, name, entity)
  }

  /// Annotations that are not told otherwise: keys, dates, transformers.
  mutating func compareAnnotations(
    _ before: [String: String], _ after: [String: String], _ name: String?, _ entity: SchemaEntity
  ) {
    let told = ["broker.identity", "broker.search", "broker.default", "identityAttributes"]
    let names = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] && !told.contains($0) }
    for key in names.sorted() {
      let words = after[key].map { "has \(key) = \($0)" } ?? "has no \(key) any more"
      note(entity.name, name, .changed, words + (before[key].map { ", had \($0)" } ?? ""), detail: .rule)
    }
  }

  private mutating func compareIndexing(
    _ before: Attribute, _ attribute: Attribute, _ name: String, _ entity: SchemaEntity
  ) {
    if before.isSearched != attribute.isSearched {
      note(entity.name, name, .changed, attribute.isSearched ? "is searched now" : "is searched no more")
    }
    if before.isIndexed != attribute.isIndexed {
      note(entity.name, name, .changed, attribute.isIndexed ? "has an index" : "has no index any more")
    }
  }

  // MARK: - Relationships

  mutating func compareRelationships(_ former: SchemaEntity, _ entity: SchemaEntity) {
    for index in entity.relationships {
      let relationship = new.relationships[index]
      guard relationship.owner == entity.index else { continue }
      guard let other = pairs.oldRelationships[entity.index][index] else {
        if let key = pairs.oldKeys[entity.index][index] {
          noteKey(former.attributes[key], relationship, entity)
          continue
        }
        if let lists = pairs.oldKeyLists[entity.index][index] {
          noteKeyLists(former.attributes[lists], relationship, entity)
          continue
        }
        let isInverse = relationship.inverse.map { source(of: new.relationships[$0]) != nil } ?? false
        let isNeeded = !relationship.isOptional && !relationship.isToMany && !relationship.isIdentity
        note(
          entity.name, relationship.name, .added,
          isInverse
            ? "is new, as the inverse of what is there" : isNeeded ? "is new, and required" : "is new",
          detail: isNeeded ? .neededTarget(relationship.index) : .none)
        continue
      }
      compare(old.relationships[other], relationship, entity)
    }
    let taken = Set(pairs.oldRelationships[entity.index].values)
    for index in former.relationships where !taken.contains(index) {
      noteRemoved(old.relationships[index], former, entity)
    }
  }

  private mutating func noteKey(
    _ attribute: SchemaAttribute, _ relationship: SchemaRelationship, _ entity: SchemaEntity
  ) {
    let name = attribute.name == relationship.name ? "" : " \(attribute.name)"
    note(
      entity.name, relationship.name, .changed,
      "leads to \(new.entities[relationship.destination].name), was the attribute\(name), whose values are its keys",
      detail: relationship.isOptional ? .none : .neededTarget(relationship.index))
  }

  private mutating func noteKeyLists(
    _ attribute: SchemaAttribute, _ relationship: SchemaRelationship, _ entity: SchemaEntity
  ) {
    let name = attribute.name == relationship.name ? "" : " \(attribute.name)"
    note(
      entity.name, relationship.name, .changed,
      "leads to \(new.entities[relationship.destination].name), was the attribute\(name), whose lists have its keys",
      detail: .keyLists(relationship.index))
  }

  /// The relationship of the old version that one of the new version is.
  private func source(of relationship: SchemaRelationship) -> Int? {
    for member in new.family(of: relationship.owner) {
      if let index = pairs.oldRelationships[member][relationship.index] { return index }
    }
    return nil
  }

  private mutating func noteRemoved(
    _ relationship: SchemaRelationship, _ former: SchemaEntity, _ entity: SchemaEntity
  ) {
    guard relationship.owner == former.index else { return }
    let isKept = old.family(of: former.index).contains { member in
      pairs.newEntity[member].map { pairs.oldRelationships[$0].values.contains(relationship.index) } ?? false
    }
    guard !isKept else { return }
    if pairs.isAttributeNow(relationship) {
      // The relationship itself is told as the attribute.
      guard relationship.isToMany else { return }
      return note(entity.name, relationship.name, .removed, "is removed; an attribute keeps the keys")
    }
    // The links stay where the inverse keeps them.
    let inverse = relationship.inverse.map { back in
      new.entities.contains { pairs.oldRelationships[$0.index].values.contains(back) }
    }
    note(
      entity.name, relationship.name, .removed,
      inverse == true ? "is removed; its inverse keeps the links" : "is removed",
      detail: inverse == true ? .none : .removedRelationship(relationship.index))
  }

  private mutating func compare(
    _ before: SchemaRelationship, _ relationship: SchemaRelationship, _ entity: SchemaEntity
  ) {
    let name = relationship.name
    if before.name != name { note(entity.name, name, .renamed, "was called \(before.name)") }
    let detail = ModelChange.Detail.changedRelationship(relationship.index)
    if before.isToMany != relationship.isToMany {
      note(
        entity.name, name, .changed,
        relationship.isToMany ? "leads to many objects, led to one" : "leads to one object, led to many",
        detail: detail)
    } else if before.isOrdered != relationship.isOrdered {
      note(entity.name, name, .changed, relationship.isOrdered ? "has an order" : "has no order any more")
    }
    if pairs.newEntity[before.destination] != relationship.destination {
      let (is_, was) = (new.entities[relationship.destination].name, old.entities[before.destination].name)
      note(entity.name, name, .changed, "leads to \(is_), led to \(was)", detail: detail)
    }
    if before.isOptional, !relationship.isOptional {
      note(
        entity.name, name, .changed, "is required",
        detail: relationship.isToMany ? needed(before, relationship) : .neededTarget(relationship.index))
    }
    if !before.isOptional, relationship.isOptional { note(entity.name, name, .changed, "may be empty") }
    compareInverses(before, relationship, entity, detail)
    compareRules(before.relationship, relationship, entity)
  }

  /// The detail of a list that is required now: lists that are empty have to be counted, unless other numbers are told too.
  private func needed(
    _ before: SchemaRelationship, _ list: SchemaRelationship
  ) -> ModelChange.Detail {
    let isTold = before.relationship.countInWords != list.relationship.countInWords
    return list.relationship.requiresTarget && !isTold ? .listRule(list.index) : .none
  }

  private mutating func compareRules(
    _ before: Relationship, _ described: SchemaRelationship, _ entity: SchemaEntity
  ) {
    let relationship = described.relationship
    if before.deleteRule != relationship.deleteRule {
      note(
        entity.name, relationship.name, .changed,
        "has the delete rule \(relationship.deleteRule.rawValue), had \(before.deleteRule.rawValue)",
        detail: .rule)
    }
    let (is_, was) = (relationship.countInWords, before.countInWords)
    if relationship.isToMany, before.isToMany, is_ != was {
      note(
        entity.name, relationship.name, .changed, "leads to \(is_), led to \(was)",
        detail: .listRule(described.index))
    }
    compareAnnotations(before.userInfo, relationship.userInfo, relationship.name, entity)
  }

  private mutating func compareInverses(
    _ before: SchemaRelationship, _ relationship: SchemaRelationship, _ entity: SchemaEntity,
    _ detail: ModelChange.Detail
  ) {
    let is_ = relationship.inverse.map { new.relationships[$0] }
    let was = before.inverse.map { old.relationships[$0] }
    switch (was, is_) {
    case (nil, nil): return
    case (let was?, nil):
      note(entity.name, relationship.name, .changed, "has no inverse, had \(was.name)", detail: detail)
    case (nil, let is_?):
      note(entity.name, relationship.name, .changed, "has the inverse \(is_.name)", detail: detail)
    case (let was?, let is_?):
      if source(of: is_) != was.index {
        note(
          entity.name, relationship.name, .changed, "has the inverse \(is_.name), had \(was.name)",
          detail: detail)
      } else if was.isToMany != is_.isToMany {
        // Told at the inverse itself; here only the links are counted.
        return
      }
    }
  }
}

extension Relationship {
  /// The number of objects that a list may have: `from 1 to 10 objects`.
  fileprivate var countInWords: String {
    let (least, most) = (leastCount, maximumCount ?? 0)
    return switch (least > 0, most > 0) {
    case (true, true): "from \(least) to \(most) objects"
    case (true, false): "at least \(least) object\(least == 1 ? "" : "s")"
    case (false, true): "at most \(most) object\(most == 1 ? "" : "s")"
    case (false, false): "any number of objects"
    }
  }
}

extension Attribute {
  /// Its bounds: `from 0 to 10`; nil if it has none.
  fileprivate var boundsInWords: String? {
    let unit = type == .string || type == .uri ? " characters long" : ""
    let bounds = (minimum.flatMap { $0.isEmpty ? nil : $0 }, maximum.flatMap { $0.isEmpty ? nil : $0 })
    switch bounds {
    case (let least?, let most?): return "from \(least) to \(most)\(unit)"
    case (let least?, nil): return "at least \(least)\(unit)"
    case (nil, let most?): return "at most \(most)\(unit)"
    case (nil, nil): return nil
    }
  }

  fileprivate var defaultInWords: String? {
    hasDefault ? annotations.defaultValue.map { "\($0)" } ?? defaultValue ?? defaultDate.map { "\($0)" } : nil
  }

  /// Whether objects that have no value for it get one.
  package var hasDefault: Bool {
    if annotations.defaultValue != nil { return true }
    return type == .date
      ? defaultDate != nil : !(defaultValue ?? "").isEmpty || (type == .string && defaultValue != nil)
  }
}

extension AttributeType {
  /// The name in messages.
  package var words: String {
    switch self {
    case .composite(let name): "the composite \(name)"
    case .undefined: "of no type"
    default: "\(self)"
    }
  }
}
