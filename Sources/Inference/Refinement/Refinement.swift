import JSONStream
import Mapping
public import ObjectModel

/// Widens a model by another one that was inferred.
struct Refinement {
  var model: Model
  var mapping: JSONMapping
  /// The additions and widenings.
  private(set) var guesses: [Guess] = []
  let inferred: InferredModel
  let keys: EntityKeys
  let names: EntityPairs
  /// The keys that were added, each with the entity before it: several inferred entities may be one of the model.
  var addedKeys: Set<String> = []
  /// The entities whose identities turned out to be none.
  var lostIdentities: Set<String> = []
  /// The keys under which empty texts or lists came before objects did, each with the entity before it.
  private var emptied: Set<String> = []
  /// The attributes of kinds that are added after the entities that they inherit from.
  var ofNewKinds: [(attribute: Attribute, key: String, kind: String, entity: Entity)] = []
  /// Entities whose documents have the same names.
  var rivals: Set<String> = []
  /// The keys of documents that named lists of several of them.
  var rivalKeys: [String: Set<String>] = [:]

  /// A model beside itself: what it says of its own objects, with nothing to widen.
  init(itself inferred: InferredModel) {
    let keys = EntityKeys(inferred.model, inferred.mapping)
    self.init(inferred.model, inferred.mapping, inferred, keys, EntityPairs(itself: inferred))
  }

  /// - Parameters:
  ///   - keys: The keys of the model.
  ///   - pairs: Which inferred entities are which of the model.
  init(
    _ model: Model, _ mapping: JSONMapping, _ inferred: InferredModel, _ keys: EntityKeys,
    _ pairs: EntityPairs
  ) {
    self.model = model
    self.mapping = mapping
    self.inferred = inferred
    self.keys = keys
    names = pairs
  }

  /// The name in the model of an inferred entity.
  func name(of entity: String) -> String { names.name(of: entity) }

  mutating func run() {
    let before = model
    let strangers = strangers()
    for entity in inferred.model.entities where !strangers.contains(entity.name) {
      if let known = names.known[entity.name] {
        refine(known, by: entity)
        noteAdding(known, entity)
      } else {
        add(entity)
      }
    }
    for (attribute, key, kind, entity) in ofNewKinds {
      guard let index = model.entities.firstIndex(where: { $0.name == kind }) else { continue }
      add(attribute, key: key, to: index, from: entity)
    }
    // A new attribute called `id` identifies nothing, and no link names objects by it.
    keepWithoutIdentity(before)
    for entity in inferred.model.entities where !strangers.contains(entity.name) {
      addRelationships(of: entity)
    }
    for link in inferred.laterLinks { follow(link, strangers) }
    keepValuesInLinks(before)
    dropUnreached(before)
    mergePartialLists(before)
    keepWithoutIdentity(before)
    let document = inferred.mapping.document
    if mapping.document == DocumentMapping(), mapping.dialect == nil, model.entities.isEmpty {
      mapping.document = document
      mapping.dialect = inferred.mapping.dialect
    } else {
      giveUpDialect(before, strangers)
      var forms = FormRefinement(
        model, mapping, inferred, self.names, strangers: strangers, rivals: rivals, rivalKeys: rivalKeys)
      forms.run()
      mapping.document = forms.document
    }
  }

  /// Says in key paths what GeoJSON says, if documents came that are none, such as a list of collections: their objects would not be
  /// looked for.
  private mutating func giveUpDialect(_ before: Model, _ strangers: Set<String>) {
    guard mapping.dialect == .geojson, inferred.mapping.dialect == nil,
      inferred.recordEntities.contains(where: { names.known[$0] == nil && !strangers.contains($0) })
    else { return }
    mapping.dialect = nil
    mapping.document.root = "features"
    for entity in before.entities {
      let (rules, identity) = (mapping[entity.name], identity(of: entity.name))
      guard !identity.isEmpty else { continue }
      mapping[entity.name].constants["type"] = "Feature"
      let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
      for name in names
      where rules.keys[name] == nil && !identity.contains(name) && !rules.notExported.contains(name) {
        // In which of the two styles the key came is not known here.
        let styles = [name, Names.snakeCase(name)]
        mapping[entity.name].keys[name] =
          Set(styles).count == 1 ? ["properties.\(name)"] : styles.map { "properties.\($0)" }
      }
    }
  }

  /// Notes that the same objects at the top are added each time they come, since the model gives them no identity.
  private mutating func noteAdding(_ known: String, _ entity: Entity) {
    let identity = inferred.mapping[entity.name].identity ?? []
    guard identity.contains(where: { isAdded(keyPath(of: $0, in: entity)) }),
      let own = model[entity: known], own.parent == nil, !own.isAbstract,
      mapping[known].identity?.isEmpty ?? (own.declaredIdentity == nil)
    else { return }
    note(
      .identity, entity: known, "", "has no identity, so that each import adds its objects",
      "a store that takes its model from the files now has them belong to their file")
  }

  // MARK: - Entities

  mutating func add(_ entity: Entity) {
    let name = name(of: entity.name)
    var added = entity
    added.name = name
    added.relationships = []
    var inherited: [String] = []
    if let parent = entity.parent.map(self.name) {
      added.parent = parent
      inherited = entity.attributes.map(\.name).filter {
        keys.property(for: keyPath(of: $0, in: entity), in: parent) != nil
      }
      added.attributes.removeAll { inherited.contains($0.name) }
    }
    model.entities.append(added)
    var rules = inferred.mapping[entity.name]
    if case .key(let key, var values)? = rules.discriminator {
      for (value, kind) in values.pairs { values[value] = self.name(of: kind) }
      rules.discriminator = .key(key, values: values)
    }
    for attribute in inherited {
      (rules.keys[attribute], rules.dates[attribute], rules.transformers[attribute]) = (nil, nil, nil)
    }
    if rules != EntityMapping() { mapping[name] = withoutRelationships(rules, of: entity) }
    giveUpNames(of: name)
    if name != entity.name { takeNames(of: entity, for: name) }
    note(.entity, entity: name, "", "is new", "no entity of the model has its keys")
  }

  /// The description of an entity without its relationships, which are added later.
  private func withoutRelationships(_ rules: EntityMapping, of entity: Entity) -> EntityMapping {
    var rules = rules
    for link in entity.relationships {
      rules.keys[link.name] = nil
      rules.transformers[link.name] = nil
      rules.dictionaries[link.name] = nil
      rules.only[link.name] = nil
      rules.references[link.name] = nil
      rules.toMany[link.name] = nil
      rules.notExported.removeAll { $0 == link.name }
    }
    return rules
  }

  private mutating func refine(_ name: String, by entity: Entity) {
    guard let index = model.entities.firstIndex(where: { $0.name == name }) else { return }
    var inside: [String: Set<String>] = [:]
    let kinds = addKinds(to: index, by: entity)
    for attribute in entity.attributes {
      let key = keyPath(of: attribute.name, in: entity)
      if let known = keys.property(for: key, in: name) {
        take(attribute, as: known, index, entity)
      } else if isAdded(key) || mapping[name].constants[key] != nil || isValueOfOwners(key, entity, in: name)
      {
        continue
      } else if let kinds, keys.isOfKind(key, of: name) {
        add(attribute, at: key, toKinds: kinds, from: entity)
      } else {
        add(attribute, at: key, to: index, from: entity, &inside)
      }
    }
    for (target, came) in inside { loosen(target, came) }
    noteRenaming(of: name, entity)
    changeIdentity(of: name, for: entity)
    giveUpIdentity(of: name, ifRefutedBy: entity)
    if entity.omitsNulls { omitNulls(inListsOf: name) }
    loosen(index, missing: entity)
    contestNames(of: entity, for: name)
    takeNames(of: entity, for: name)
  }

  /// Whether a value is a null, or an object without members, in place of an object whose members the model has as attributes.
  private func isEmptyObject(
    _ attribute: Attribute, _ key: String, of entity: Entity, in known: String
  ) -> Bool {
    let place = "\(entity.name).\(attribute.name)"
    guard inferred.untyped[place] != nil || inferred.emptyObjects.contains(place) else { return false }
    return !keys.properties(inside: EntityKeys.plain(key), of: known).isEmpty
  }

  /// Widens a property by the values that came under its key.
  private mutating func take(
    _ attribute: Attribute, as known: String, _ index: Int, _ entity: Entity, isInside: Bool = false
  ) {
    let name = model.entities[index].name
    if let place = model.entities[index].attributes.firstIndex(where: { $0.name == known }) {
      widen(index, place, by: attribute, entity, isInside: isInside)
      noteAmbiguity(of: known, name, inferred.ambiguous["\(entity.name).\(attribute.name)"] ?? 0)
    } else if isEmpty(attribute, of: entity), !isUntoldEnd(known, index),
      inferred.emptyTexts.contains("\(entity.name).\(attribute.name)")
        || model.entities[index][relationship: known]?.isToMany == false
    {
      readEmptiness(inPlaceOf: known, index)
    } else if inferred.listsOfNulls.contains("\(entity.name).\(attribute.name)") {
      omitNulls(inListsOf: model.entities[index][relationship: known]?.destination)
    } else if inferred.sharedLists.contains("\(entity.name).\(attribute.name)") {
      // The keys of objects that only the model knows.
      allowSeveralOwners(of: known, index)
    } else if !isInside, isUntoldEnd(known, index) {
      ignore(known, index)
      guard inferred.untyped["\(entity.name).\(attribute.name)"] == nil else { return }
      add(attribute, key: keyPath(of: attribute.name, in: entity), to: index, from: entity)
    }
  }

  /// Whether a relationship is the other end of one that JSON tells of, and was told of by no JSON itself: its name is ours.
  func isUntoldEnd(_ property: String, _ index: Int) -> Bool {
    let rules = mapping[model.entities[index].name]
    guard let link = model.entities[index][relationship: property], rules.keys[property] == nil else {
      return false
    }
    return rules.notExported.contains(property) || leadsToOwner(link, from: index)
  }

  /// Whether a relationship leads from objects without identity to the object that they belong to.
  private func leadsToOwner(_ link: Relationship, from index: Int) -> Bool {
    guard identity(of: model.entities[index].name).isEmpty, let inverse = link.inverse else { return false }
    return model[entity: link.destination]?[relationship: inverse]?.deleteRule == .cascade
  }

  /// Lets a relationship have no key, since what comes under its name is something else, such as a count of its targets.
  private mutating func ignore(_ property: String, _ index: Int) {
    let name = model.entities[index].name
    if !mapping[name].ignored.contains(property) { mapping[name].ignored.append(property) }
  }

  /// Adds what came under a key that is new, unless it stands in an object that the model keeps as JSON, with all that is in it.
  /// Members of the object in a relationship belong to the entity that this leads to.
  ///
  /// - Parameter inside: The properties that came with objects in relationships, by the entities of these.
  mutating func add(
    _ attribute: Attribute, at key: String, to index: Int, from entity: Entity,
    _ inside: inout [String: Set<String>]
  ) {
    let name = model.entities[index].name
    guard !isEmptyObject(attribute, key, of: entity, in: name) else {
      if isEmpty(attribute, of: entity) { readEmptiness(inPlaceOfObjectAt: key, of: name) }
      return
    }
    if isUnlinked(attribute, key, of: entity, index) { return }
    // A connection without objects: `{"edges": []}`.
    let isEmptyList = inferred.untyped["\(entity.name).\(attribute.name)"] == .emptyLists
    if isEmptyList, EntityKeys.beginnings(of: key).contains(where: { isToMany(String($0.outer), index) }) {
      return
    }
    if let (outer, rest) = keys.property(around: key, in: name) {
      if let link = model.entities[index][relationship: outer],
        let target = model.entities.firstIndex(where: { $0.name == link.destination }),
        isIdentified(objectOf: outer, name, link.destination, entity)
      {
        if let known = keys.property(for: rest, in: link.destination) {
          inside[link.destination, default: []].insert(known)
          take(attribute, as: known, target, entity, isInside: !rest.contains("."))
        } else {
          inside[link.destination, default: []].formUnion([])
          add(attribute, at: rest, to: target, from: entity, &inside)
        }
        return
      }
      if let known = model.entities[index][attribute: outer] {
        guard known.untyped != nil else { return }
        giveWay(outer, index, to: key, of: entity)
      }
    }
    for (outer, _) in EntityKeys.beginnings(of: key) {
      guard let known = keys.property(for: String(outer), in: name),
        let scalar = model.entities[index][attribute: known],
        scalar.untyped == nil
      else { continue }
      return keepAsJSON(known, index)
    }
    guard addedKeys.insert("\(name) \(EntityKeys.plain(key))").inserted else { return }
    if let outer = keys.property(beginning: key, in: name), isUntoldEnd(outer, index) { ignore(outer, index) }
    add(attribute, key: key, to: index, from: entity)
  }

  /// Whether nothing came but nulls and empty lists of a resource of JSON:API in place of links that the model knows.
  private func isUnlinked(_ attribute: Attribute, _ key: String, of entity: Entity, _ index: Int) -> Bool {
    let path = key.split(separator: ".").map(String.init)
    guard mapping.dialect == .jsonapi, inferred.untyped["\(entity.name).\(attribute.name)"] != nil,
      path.count == 3, path[0] == "relationships",
      let property = keys.property(for: path[1], in: model.entities[index].name)
    else { return false }
    return model.entities[index][relationship: property] != nil
  }

  /// Whether the relationship that has a key is one to many.
  private func isToMany(_ key: String, _ index: Int) -> Bool {
    keys.property(for: key, in: model.entities[index].name)
      .flatMap { model.entities[index][relationship: $0] }?.isToMany ?? false
  }

  /// Removes an attribute of which no values were known, since objects came under its key whose values have attributes of their own.
  private mutating func giveWay(_ attribute: String, _ index: Int, to key: String, of entity: Entity) {
    let name = model.entities[index].name
    let known = model.entities[index][attribute: attribute]
    if known?.untyped == .emptyLists || mapping[name].transformers[attribute] == [TypeChoice.emptyIsNull] {
      for (outer, _) in EntityKeys.beginnings(of: key)
      where keys.property(for: String(outer), in: name) == attribute {
        emptied.insert("\(name) \(outer)")
      }
    }
    removeAttribute(attribute, index)
    note(
      .attribute, entity: name, attribute, "gives way to the values of an object",
      "only nulls were known of it")
  }

  /// Whether the objects that came in a relationship say which object each is, if those of its entity have an identity. Of others,
  /// the store makes no object.
  func isIdentified(
    objectOf link: String, _ owner: String, _ target: String, _ entity: Entity
  ) -> Bool {
    let identity = identity(of: target)
    // A key inside may have been taken for one that names an object of the store: the very object.
    let properties = entity.attributes.map(\.name) + entity.relationships.map(\.name)
    let came = properties.compactMap { property -> String? in
      guard let (outer, rest) = keys.property(around: keyPath(of: property, in: entity), in: owner),
        outer == link
      else { return nil }
      return keys.property(for: rest, in: target)
    }
    return Set(identity).isSubset(of: came)
  }

  /// Lets nulls among the objects of an entity name nothing.
  private mutating func omitNulls(inListsOf entity: String?) {
    guard let index = model.entities.firstIndex(where: { $0.name == entity }),
      !model.entities[index].omitsNulls
    else { return }
    model.entities[index].omitsNulls = true
    note(
      .entity, entity: model.entities[index].name, "", "leaves out nulls", "nulls came among its objects"
    )
  }

  /// Notes that an identity stays one though some of its values came with different objects, whose values replace each other's.
  private mutating func noteAmbiguity(of attribute: String, _ entity: String, _ count: Int) {
    guard count > 0, identity(of: entity) == [attribute] else { return }
    note(
      .identity, .doubtful, entity: entity, attribute, Self.staysIdentity,
      count == 1
        ? "one of its values came with different objects, which are one in the store"
        : "\(count) of its values came with different objects each, which are one in the store")
  }

  /// Takes back what was noted of an identity that is none any more.
  mutating func forgetNotes(ofIdentityOf entity: String) {
    guesses.removeAll { $0.subject == .identity && $0.entity == entity && $0.choice == Self.staysIdentity }
  }

  /// The choice of an identity that stays one though something speaks against it.
  static let staysIdentity = "is the identity"

  /// Notes that all objects that came again have other names than before, so that they may be others, as those of another service are.
  private mutating func noteRenaming(of name: String, _ entity: Entity) {
    let identity = identity(of: name)
    guard let count = inferred.renamedObjects[entity.name]?[name], identity.count == 1 else { return }
    note(
      .identity, .doubtful, entity: name, identity[0], Self.staysIdentity,
      "\(count) objects of the store get other names: if they are others, import them into another store, or with --entity"
    )
  }

  // MARK: - Attributes

  /// Makes optional what objects came without, all of them.
  private mutating func loosen(_ index: Int, missing entity: Entity) {
    let name = model.entities[index].name
    // Values that came may have turned out to name objects.
    let links = entity.relationships.map(\.name).filter { link in
      !inferred.derived.contains("\(entity.name).\(link)")
        && !(inferred.missing[entity.name]?.contains(link) ?? false)
    }
    let came =
      ((entity.attributes.map(\.name) + links).map { keyPath(of: $0, in: entity) } + keysInLinks(of: entity))
      .compactMap { keys.property(for: $0, in: name) }
    loosen(name, Set(came))
  }

  private mutating func loosen(_ name: String, _ came: Set<String>) {
    guard let index = model.entities.firstIndex(where: { $0.name == name }) else { return }
    for (place, known) in model.entities[index].attributes.enumerated()
    where !known.isOptional && known.defaultValue == nil && !came.contains(known.name)
      && !isIdentity(known.name, name)
    {
      model.entities[index].attributes[place].isOptional = true
      note(.attribute, entity: name, known.name, "becomes optional", "objects came without it")
    }
  }

  /// The key path of a property of an inferred entity.
  func keyPath(of property: String, in entity: Entity) -> String {
    inferred.keyPath(of: property, in: entity.name)
  }

  mutating func add(_ attribute: Attribute, key: String, to index: Int, from entity: Entity) {
    let name = model.entities[index].name
    var added = attribute
    // The objects that are there do not have it.
    added.isOptional = true
    // Objects came under the key, whose values have attributes of their own.
    if !keys.properties(inside: EntityKeys.plain(key), of: name).isEmpty { added.type = .transformable }
    // Members of the object in a relationship were called after it.
    let isInside = key != keyPath(of: attribute.name, in: entity)
    added.name = freeName(isInside ? Words.camelCase(Words.words(key)) : attribute.name, index)
    model.entities[index].attributes.append(added)
    let rules = inferred.mapping[entity.name]
    if added.name != key || line(of: name).contains(where: { Names.isReserved(key, qualifiedBy: $0) }) {
      mapping[name].keys[added.name] = [key]
    }
    if added.type == attribute.type {
      mapping[name].dates[added.name] = rules.dates[attribute.name]
      mapping[name].transformers[added.name] = rules.transformers[attribute.name]
    }
    if EntityKeys.beginnings(of: key).contains(where: { emptied.contains("\(name) \($0.outer)") }) {
      mapping[name].transformers[added.name] =
        [TypeChoice.emptyIsNull]
        + (rules.transformers[attribute.name] ?? []).filter { $0 != TypeChoice.emptyIsNull }
    }
    note(.attribute, entity: name, added.name, "is new: \(added.type.word), optional", "its key is new")
  }

  func freeName(_ name: String, _ index: Int) -> String {
    let line = Set(line(of: model.entities[index].name))
    let taken = Set(
      model.entities.filter { line.contains($0.name) }.flatMap {
        $0.attributes.map(\.name) + $0.relationships.map(\.name)
      }.map { $0.lowercased() })
    var free = name
    var number = 2
    while taken.contains(free.lowercased()) {
      free = "\(name)\(number)"
      number += 1
    }
    return free
  }

  /// An entity, those that it inherits from and those that inherit from it.
  func line(of entity: String) -> [String] {
    var result = Array(family(of: entity))
    var parent = model[entity: entity]?.parent
    while let name = parent, !result.contains(name) {
      result.append(name)
      parent = model[entity: name]?.parent
    }
    return result
  }

  private mutating func widen(
    _ index: Int, _ place: Int, by attribute: Attribute, _ entity: Entity, isInside: Bool
  ) {
    let known = model.entities[index].attributes[place]
    let name = model.entities[index].name
    let came = inferred.untyped["\(entity.name).\(attribute.name)"]
    var attribute = attribute
    if !isIdentity(known.name, name), let type = inferred.valueTypes["\(entity.name).\(attribute.name)"] {
      attribute.type = type
    }
    if let nothing = known.untyped {
      if nothing == .nulls, came == nil { give(index, place, the: attribute, of: entity) }
      if came != .nulls { model.entities[index].attributes[place].untyped = came }
    } else if takesEmptyTexts(index, place, by: attribute, entity) {
      readEmptyTexts(index, place)
    } else if came != .nulls,
      let wider = wider(known.type, attribute, of: entity).map({
        $0 == .transformable && isKeyOfDictionary(known.name, name) ? .string : $0
      }),
      wider == .string || mapping[name].transformers[known.name] == nil,
      // JSON identifies nothing: such values are issues of the import.
      wider != .transformable || !isIdentity(known.name, name)
    {
      model.entities[index].attributes[place].type = wider
      if wider != .date { mapping[name].dates[known.name] = nil }
      note(
        .attribute, entity: name, known.name, "becomes \(wider.word)",
        "values came that \(known.type.word) does not take")
    }
    if known.type == .date, attribute.type == .date { readMoments(known.name, name, attribute, entity) }
    if !known.isOptional, isOftenMissing(attribute, entity, isInside: isInside), !isIdentity(known.name, name)
    {
      model.entities[index].attributes[place].isOptional = true
      note(.attribute, entity: name, known.name, "becomes optional", "objects came without it")
    }
    widenCases(index, place, came: inferred.texts["\(entity.name).\(attribute.name)"] ?? [])
  }

  /// Lets an attribute whose values were numbers of seconds or milliseconds read dates in texts too, now that such came. Numbers are
  /// told by their size then.
  private mutating func readMoments(_ known: String, _ name: String, _ came: Attribute, _ entity: Entity) {
    guard ["seconds", "milliseconds"].contains(mapping[name].dates[known]?.format),
      inferred.mapping[entity.name].dates[came.name]?.format == nil
    else { return }
    mapping[name].dates[known] = nil
    note(.attribute, entity: name, known, "reads dates in texts, and numbers", "texts came beside numbers")
  }

  /// Whether empty texts came under the key of an attribute that has no texts, or that stand for other values: they are none of
  /// these.
  private func takesEmptyTexts(
    _ index: Int, _ place: Int, by attribute: Attribute, _ entity: Entity
  ) -> Bool {
    let known = model.entities[index].attributes[place]
    let name = model.entities[index].name
    guard known.untyped == nil, !isIdentity(known.name, name), mapping[name].transformers[known.name] == nil
    else { return false }
    switch known.type {
    case .string, .binary, .transformable, .undefined, .composite: return false
    default: break
    }
    let came = inferred.mapping[entity.name].transformers[attribute.name] ?? []
    return inferred.emptyTexts.contains("\(entity.name).\(attribute.name)")
      || came == [TypeChoice.emptyIsNull] && wider(known.type, attribute, of: entity) == nil
  }

  /// The type that takes values of a type and those of an inferred attribute; see ``TypeWidening``.
  private func wider(_ known: AttributeType, _ came: Attribute, of entity: Entity) -> AttributeType? {
    let format = inferred.mapping[entity.name].dates[came.name]?.format
    return TypeWidening.wider(
      known, came.type, areNumbers: came.type != .date || ["seconds", "milliseconds"].contains(format),
      haveExponents: inferred.exponents.contains("\(entity.name).\(came.name)"))
  }

  private mutating func readEmptyTexts(_ index: Int, _ place: Int) {
    let name = model.entities[index].name
    let known = model.entities[index].attributes[place].name
    mapping[name].transformers[known] = [TypeChoice.emptyIsNull]
    model.entities[index].attributes[place].isOptional = true
    note(.attribute, entity: name, known, "reads an empty text as null", "empty texts came among its values")
  }

  /// Gives an attribute of which only nulls were known the type of the first values.
  private mutating func give(_ index: Int, _ place: Int, the attribute: Attribute, of entity: Entity) {
    let name = model.entities[index].name
    let known = model.entities[index].attributes[place].name
    let rules = inferred.mapping[entity.name]
    model.entities[index].attributes[place].type = attribute.type
    mapping[name].dates[known] = rules.dates[attribute.name]
    let before = mapping[name].transformers[known] ?? []
    let came = rules.transformers[attribute.name] ?? []
    mapping[name].transformers[known] = came + before.filter { !came.contains($0) }
    if mapping[name].transformers[known]?.isEmpty ?? false { mapping[name].transformers[known] = nil }
    note(
      .attribute, entity: name, known, "becomes \(attribute.type.word)",
      "only nulls were known of it")
  }

  /// Of few objects it is not known that all have an attribute, which does not make one optional that is required.
  ///
  /// - Parameter isInside: Whether it is the attribute of an object inside, which may be missing itself.
  private func isOftenMissing(_ attribute: Attribute, _ entity: Entity, isInside: Bool) -> Bool {
    let missing = isInside ? inferred.missingInside : inferred.missing
    return attribute.isOptional && missing[entity.name]?.contains(attribute.name) ?? false
  }

  /// The properties that identify the objects of an entity of the model; empty if none do.
  func identity(of entity: String) -> [String] {
    mapping[entity].identity ?? model[entity: entity]?.declaredIdentity?.properties ?? []
  }

  func isIdentity(_ attribute: String, _ entity: String) -> Bool {
    identity(of: entity).contains(attribute)
  }

  /// An enumeration that gets values which are none of its cases becomes a text like any other.
  private mutating func widenCases(_ index: Int, _ place: Int, came: [String]) {
    let known = model.entities[index].attributes[place]
    guard let values = known.annotations.values, known.annotations.unknown == nil else { return }
    let new = came.filter { text in !values.contains { $0.stringValue == text } }
    guard !new.isEmpty else { return }
    model.entities[index].attributes[place].userInfo["broker.values"] = nil
    note(
      .attribute, entity: model.entities[index].name, known.name, "may be any text",
      "new values came: \(new.prefix(3).joined(separator: ", "))")
  }

  /// Takes back what was noted of some entities.
  mutating func forget(_ entities: Set<String>) {
    guesses.removeAll { entities.contains($0.entity) }
  }

  mutating func note(
    _ subject: Guess.Subject, _ certainty: Guess.Certainty = .likely, entity: String, _ property: String,
    _ choice: String, _ evidence: String
  ) {
    guesses.append(
      Guess(subject, certainty, entity: entity, property: property, choice: choice, evidence: evidence))
  }
}

extension InferredModel {
  /// A model that is there, widened by what was inferred.
  ///
  /// The model stays, names and all: a person may have changed it. What JSON has beyond it is added, and always
  /// optional. A type becomes a wider one only if values came that do not fit, and what was required becomes optional only
  /// if it was missing.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - mapping: The mapping that goes with it.
  public func refining(_ model: Model, mapping: JSONMapping = JSONMapping()) -> InferredModel {
    var result = refiningOnce(model, mapping)
    let new = result.model.entities.filter { model[entity: $0.name] == nil }.map(\.name)
    guard !new.isEmpty else { return result }
    // Objects of a new entity may stand at two places with other keys at each: a second look finds the entity known.
    let again = refiningOnce(result.model, result.mapping)
    for name in new {
      guard let index = result.model.entities.firstIndex(where: { $0.name == name }),
        let entity = again.model[entity: name]
      else { continue }
      let known = result.model.entities[index]
      let added = entity.attributes.filter { attribute in
        attribute.isOptional && known[attribute: attribute.name] == nil
          && known[relationship: attribute.name] == nil
      }
      result.model.entities[index].attributes += added
      for attribute in added {
        result.mapping[name].keys[attribute.name] = again.mapping[name].keys[attribute.name]
        result.mapping[name].dates[attribute.name] = again.mapping[name].dates[attribute.name]
        result.mapping[name].transformers[attribute.name] = again.mapping[name].transformers[attribute.name]
      }
    }
    return result
  }

  private func refiningOnce(_ model: Model, _ mapping: JSONMapping) -> InferredModel {
    var folding = Folding(sayingProperties(as: mapping), into: model, mapping)
    folding.run()
    let pairs = folding.didFold ? EntityPairs(model, mapping, folding.inferred) : folding.pairs
    var refinement = Refinement(model, mapping, folding.inferred, folding.keys, pairs)
    refinement.run()
    for (entity, key) in folding.emptied { refinement.readEmptiness(inPlaceOfObjectAt: key, of: entity) }
    refinement.letOwnersReplace()
    var result = self
    result.model = refinement.model
    result.mapping = refinement.mapping
    result.guesses = refinement.guesses
    result.lostIdentities = refinement.lostIdentities
    result.possibleParts = refinement.possibleParts()
    // Entities have the names of the model from here on.
    result.knownNamesakes = [:]
    result.references = refinement.references
    result.entity = entity.map { refinement.name(of: $0) }
    return result
  }
}
