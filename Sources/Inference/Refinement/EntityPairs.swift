import Mapping
import ObjectModel

/// Which inferred entities are which of a model: by their names, by what names them in JSON, by what leads to them, and by
/// their keys.
struct EntityPairs {
  /// The model's names by the inferred ones.
  private(set) var known = PairedNames()
  /// The names of entities that the model does not have, and has another one of the same name.
  private var renamed: [String: String] = [:]
  private let owned: OwnedObjects
  private let model: Model
  private let mapping: JSONMapping
  private let inferred: InferredModel
  private let keys: EntityKeys

  /// The pairs of a model with itself.
  init(itself inferred: InferredModel) {
    (model, mapping, self.inferred) = (inferred.model, inferred.mapping, inferred)
    owned = OwnedObjects(model, mapping, inferred)
    keys = EntityKeys(model, mapping)
    for entity in model.entities { known[entity.name] = entity.name }
  }

  init(_ model: Model, _ mapping: JSONMapping, _ inferred: InferredModel) {
    owned = OwnedObjects(model, mapping, inferred)
    keys = EntityKeys(model, mapping)
    (self.model, self.mapping, self.inferred) = (model, mapping, inferred)
    let names = Dictionary(
      model.entities.map { (Names.folded($0.name), $0) }, uniquingKeysWith: { first, _ in first })
    for isRecord in [true, false] {
      for entity in inferred.model.entities
      where !Self.saysNothing(entity.name) && inferred.recordEntities.contains(entity.name) == isRecord {
        known[entity.name] = names[Names.folded(entity.name)].flatMap {
          mayBe(entity, $0) && !areNamesakes(entity, $0) && !isPlace(of: $0, notOf: entity) ? $0.name : nil
        }
      }
    }
    pairByNames(model)
    pairByLinks(model)
    pairByObjects(model)
    pairByKinds(model)
    pairByKeys(model)
    for entity in inferred.model.entities where Self.saysNothing(entity.name) && known[entity.name] == nil {
      guard let other = names[Names.folded(entity.name)], !known.areTaken(other.name), mayBe(entity, other),
        !areNamesakes(entity, other)
      else { continue }
      known[entity.name] = other.name
    }
    pairByLinks(model)
    pairKinds(model)
    pairByLinks(model, ofAnyType: true)
    rename(model, inferred)
  }

  /// Whether a name stands where nothing names the objects: `Record`, `Record2`.
  private static func saysNothing(_ name: String) -> Bool {
    name.hasPrefix(EntityNamer.unnamed) && name.dropFirst(EntityNamer.unnamed.count).allSatisfy(\.isNumber)
  }

  /// Whether objects of an inferred entity may be of one of the model, whatever names say: they have what identifies its
  /// objects, and say of themselves that they are of its type. Objects that came under its name and have none of its keys are told
  /// as such, see ``Refinement``.
  ///
  /// - Parameters:
  ///   - isOfAnyType: Whether what they say of their type does not matter.
  ///   - isInPlace: Whether they stand in the list where the model has its objects.
  private func mayBe(
    _ entity: Entity, _ other: Entity, ofAnyType isOfAnyType: Bool = false, inPlace isInPlace: Bool = false
  ) -> Bool {
    // Objects inside of others belong to no source.
    if !inferred.recordEntities.contains(entity.name), owned.isOfSource(other.name) { return false }
    guard owned.belongAlike(entity.name, other.name), (entity.parent == nil) == (other.parent == nil),
      !inferred.recordEntities.contains(entity.name) || !owned.isOwned(other.name)
        || !isIdentified(entity, inferred.mapping)
    else { return false }
    // Most objects that came again with the identity were others: they are parts, or seasons, of what it identifies. In its own place
    // they show that it identifies nothing.
    if !isInPlace, let refuted = inferred.refutedKeys[entity.name],
      let identity = mapping[other.name].identity ?? other.declaredIdentity?.properties, identity.count == 1,
      refuted.contains(where: { keys.property(for: $0, in: other.name) == identity[0] })
    {
      return false
    }
    if hasMixedKeys(entity, for: other) || holdsUnidentified(entity, for: other)
      || repeatsIdentity(entity, of: other)
    {
      return false
    }
    let own = Self.keys(of: entity, inferred)
    // Objects that say which each is are none of those that only their source identifies, if they have nothing else in common.
    if owned.isOfSource(other.name), !owned.areOfSources(entity.name, other.name),
      isIdentified(entity, inferred.mapping), own.isDisjoint(with: keys.keys(of: other.name))
    {
      return false
    }
    // Of the objects of two sources, the name of a file says that they are of one entity, and no key does.
    let areOnlyCalledAlike =
      owned.areOfSources(entity.name, other.name) && likeness(entity, other).shared == 0
      && Set(own.map(Self.firstKey(of:))).isDisjoint(
        with: keys.toldKeys(of: other.name).map(Self.firstKey(of:)))
    if !areOnlyCalledAlike,
      identify(own, other) || isIdentifiedByKeys(entity, own, other)
        || inferred.otherIdentity(of: other, for: entity, model, mapping) != nil
    {
      return isOfAnyType || isOfOneType(entity, other)
    }
    return inferred.recordEntities.contains(entity.name) && saysLittle(own) && !holdsObjects(entity)
      && own.isDisjoint(with: keys.keys(of: other.name))
  }

  /// Whether objects stand in a dictionary at the top, whose keys are what identifies those of an entity of the model, though they have an
  /// identity of another name.
  private func isIdentifiedByKeys(_ entity: Entity, _ own: Set<String>, _ other: Entity) -> Bool {
    guard inferred.keyedEntities.contains(entity.name), !owned.isOfSource(other.name) else { return false }
    let identity = self.identity(of: other)
    return identity.count == 1 && !own.isDisjoint(with: keys.keys(of: other.name))
  }

  /// The properties that identify the objects of an entity of the model; empty if none do.
  private func identity(of entity: Entity) -> [String] {
    mapping[entity.name].identity ?? entity.declaredIdentity?.properties ?? []
  }

  /// Whether values of several types or objects stand where an entity of the model has its identity, which no identity can take.
  private func hasMixedKeys(_ entity: Entity, for other: Entity) -> Bool {
    let identity = self.identity(of: other)
    guard identity.count == 1, other[attribute: identity[0]] != nil, !isIdentified(entity, inferred.mapping)
    else { return false }
    let links = entity.relationships.filter { link in
      inferred.references["\(entity.name).\(link.name)"] == nil
        && !inferred.derived.contains("\(entity.name).\(link.name)")
    }
    let holdsObjects = links.contains {
      keys.property(for: inferred.keyPath(of: $0.name, in: entity.name), in: other.name) == identity[0]
    }
    return holdsObjects
      || entity.attributes.contains { attribute in
        let key = inferred.mapping[entity.name].keys[attribute.name]?.first ?? attribute.name
        return attribute.type == .transformable && attribute.untyped == nil
          && keys.property(for: key, in: other.name) == identity[0]
      }
  }

  /// Of fewer objects, one with the identity of another may be a mistake, which is told.
  private static let fewRecords = 8

  /// Whether different objects at the top came with one value of what identifies an entity's objects, so that only
  /// their source tells them apart: the counts of one counter, of which a page with one count said nothing.
  private func repeatsIdentity(_ entity: Entity, of other: Entity) -> Bool {
    let identity = self.identity(of: other)
    guard identity.count == 1, owned.isInferredOfSource(entity.name), inferred.records >= Self.fewRecords
    else {
      return false
    }
    return entity.attributes.contains { attribute in
      inferred.ambiguous["\(entity.name).\(attribute.name)"] ?? 0 > 0
        && keys.property(for: inferred.keyPath(of: attribute.name, in: entity.name), in: other.name)
          == identity[0]
    }
  }

  /// Whether objects inside of others have one under a key where an entity of the model has another one, without what identifies that: the
  /// author of a commit by name and address of mail, where there is a user in full.
  private func holdsUnidentified(_ entity: Entity, for other: Entity) -> Bool {
    guard !inferred.recordEntities.contains(entity.name) else { return false }
    let paths = entity.attributes.map {
      EntityKeys.plain(inferred.mapping[entity.name].keys[$0.name]?.first ?? $0.name)
    }
    return other.relationships.contains { link in
      guard !link.isToMany, let target = model[entity: link.destination],
        case let identity = self.identity(of: target), identity.count == 1
      else { return false }
      let outer = EntityKeys.plain(mapping[other.name].keys[link.name]?.first ?? link.name) + "."
      let inner = paths.filter { $0.hasPrefix(outer) }.map { String($0.dropFirst(outer.count)) }
      return !inner.isEmpty
        && !inner.contains { keys.property(for: $0, in: target.name) == identity[0] }
    }
  }

  /// Whether keys are such as messages have, so that what came may stand in place of objects.
  private func saysLittle(_ own: Set<String>) -> Bool {
    !GenericNames.mayBeOfObject(own)
      && own.allSatisfy { GenericNames.isMeta($0, isStrict: false) || GenericNames.isOfMessages($0) }
  }

  /// Whether objects stand in those of an entity, or are named by them.
  private func holdsObjects(_ entity: Entity) -> Bool {
    entity.relationships.contains { !inferred.derived.contains("\(entity.name).\($0.name)") }
  }

  /// Whether objects have keys in common with those of an entity that a file of theirs is called like.
  private func isAlike(_ entity: Entity, _ other: Entity) -> Bool {
    let likeness = likeness(entity, other)
    let shared = likeness.shared
    return shared == 0 || shared * 5 >= (likeness.own + likeness.other - shared) * 2
      || shared * 5 >= likeness.smaller * 4
  }

  private func likeness(_ entity: Entity, _ other: Entity) -> KeyLikeness {
    let own = Self.keys(of: entity, inferred)
    let open = entity.attributes.filter { $0.type == .transformable }.map(\.name)
    let rules = inferred.mapping[entity.name]
    return keys.likeness(
      of: own, Set(open.map { EntityKeys.plain(rules.keys[$0]?.first ?? $0) }), to: other.name)
  }

  /// Whether objects say of themselves what those of the store do, where both say it.
  private func isOfOneType(_ entity: Entity, _ other: Entity) -> Bool {
    guard let types = inferred.knownTypes[other.name] else { return true }
    return entity.attributes.allSatisfy { attribute in
      let key = inferred.mapping[entity.name].keys[attribute.name]?.first ?? attribute.name
      guard let known = keys.property(for: key, in: other.name).flatMap({ types[$0] }),
        let came = inferred.texts["\(entity.name).\(attribute.name)"]
      else { return true }
      // A word such as `Scripted` for a show says of what sort it is, and not that it is something else.
      guard saysWhat(key, known, of: other.name) || saysWhat(key, Set(came), of: entity.name) else {
        return true
      }
      return ShapeMatcher.mayBeOfOneType(Array(known), came)
    }
  }

  /// Whether words under a key say what objects are: they are called like the entity, or the key says nothing else.
  private func saysWhat(_ key: String, _ words: Set<String>, of entity: String) -> Bool {
    if key != "type", key != "kind" { return true }
    return words.contains { word in
      Names.singulars(Names.folded(ShapeMatcher.withoutReference(word))).contains { name in
        Names.folded(entity).hasSuffix(name) || name.hasSuffix(Names.folded(entity))
      }
    }
  }

  /// The name of an inferred entity in the model, present or future.
  func name(of entity: String) -> String { known[entity] ?? renamed[entity] ?? entity }

  /// The name of objects at the top where objects inside of others have the plain one.
  private static func recordName(_ name: String) -> String { "\(name)Record" }

  /// Gives new entities other names than those that the model has.
  private mutating func rename(_ model: Model, _ inferred: InferredModel) {
    var taken = Set((model.entities + inferred.model.entities).map { $0.name.lowercased() })
    let present = Set(model.entities.map { $0.name.lowercased() })
    for entity in inferred.model.entities
    where known[entity.name] == nil && present.contains(entity.name.lowercased()) {
      let owner = inferred.model.entities.first { owner in
        owner.name != entity.name && owner.relationships.contains { $0.destination == entity.name }
      }
      let isRecord = inferred.recordEntities.contains(entity.name)
      let plain =
        if let parent = entity.parent {
          entity.name + name(of: parent)
        } else {
          isRecord ? Self.recordName(entity.name) : name(of: owner?.name ?? "") + entity.name
        }
      var free = plain
      var number = 2
      while !taken.insert(free.lowercased()).inserted {
        free = "\(plain)\(number)"
        number += 1
      }
      renamed[entity.name] = free
    }
  }

  /// Whether objects of another inferred entity stand where the model has those of one, and those that are called like these do not: the
  /// ingredients of an ingredient are none of a product.
  private func isPlace(of other: Entity, notOf entity: Entity) -> Bool {
    guard !inferred.recordEntities.contains(entity.name) else { return false }
    let found = inferred.model.entities.flatMap { owner -> [String] in
      guard let name = known[owner.name], let way = model[entity: name] else { return [] }
      return owner.relationships.filter { link in
        !inferred.derived.contains("\(owner.name).\(link.name)")
          && keys.property(for: inferred.keyPath(of: link.name, in: owner.name), in: name)
            .flatMap { way[relationship: $0]?.destination } == other.name
      }.map(\.destination)
    }
    return !found.isEmpty && !found.contains(entity.name)
  }

  /// Pairs kinds by the values that stand for them, and parts those of one entity from those of another that are called so.
  private mutating func pairKinds(_ model: Model) {
    for entity in inferred.model.entities {
      guard let name = known[entity.name],
        case .key(_, let came)? = inferred.mapping[entity.name].discriminator,
        case .key(_, let values)? = mapping[name].discriminator
      else { continue }
      for (value, kind) in came.pairs { if let other = values[value] { known[kind] = other } }
    }
    for entity in inferred.model.entities {
      guard let parent = entity.parent, let name = known[entity.name] else { continue }
      if known[parent] == nil || model[entity: name]?.parent != known[parent] { known[entity.name] = nil }
    }
  }

  /// Pairs objects that all say to be of kinds which the model tells apart by the same key, and that have what identifies these.
  private mutating func pairByKinds(_ model: Model) {
    for entity in inferred.model.entities
    where known[entity.name] == nil && entity.parent == nil
      && inferred.mapping[entity.name].discriminator == nil
    {
      let rules = inferred.mapping[entity.name]
      let own = Self.keys(of: entity, inferred)
      let found = model.entities.filter { other in
        guard other.parent == nil, case .key(let key, let values)? = mapping[other.name].discriminator,
          let attribute = entity.attributes.first(where: { (rules.keys[$0.name]?.first ?? $0.name) == key }),
          let words = inferred.texts["\(entity.name).\(attribute.name)"], !words.isEmpty
        else { return false }
        return words.allSatisfy { values[$0] != nil } && identify(own, other) && mayBe(entity, other)
      }
      if found.count == 1 { known[entity.name] = found[0].name }
    }
  }

  private mutating func pairByNames(_ model: Model) {
    let called = model.entities.map { CalledEntity($0, files: mapping[$0.name].names) }
    for entity in inferred.model.entities where known[entity.name] == nil {
      // `items.json` and `page-1.json` may be of anything, in another folder.
      let own = Self.saysNothing(entity.name) ? [] : [entity.name]
      let files = Set(inferred.mapping[entity.name].names.filter(FileNames.saysSomething) + own)
      let names = Set(
        files.map(Names.folded)
          // The key that they stand under in documents is its name.
          + inferred.documentKeys[entity.name, default: []].flatMap { Names.singulars(Names.folded($0)) })
      let (record, folded) = (Self.recordName(entity.name), Names.folded(entity.name))
      known[entity.name] =
        called.first { other in
          !known.areTaken(other.entity.name)
            && (other.entity.name == record || names.contains(other.folded)
              || other.isOf(files: files, called: folded))
            && mayBe(entity, other.entity) && !areNamesakes(entity, other.entity)
            && !isPlace(of: other.entity, notOf: entity) && isAlike(entity, other.entity)
        }?.entity.name
    }
  }

  /// An entity of the model, and what its objects are called.
  private struct CalledEntity {
    let entity: Entity
    let folded: String
    let files: [String]

    init(_ entity: Entity, files: [String]) {
      (self.entity, self.files) = (entity, files)
      folded = Names.folded(entity.name)
    }

    /// Whether its files are called like others, or like the entity of these.
    func isOf(files names: Set<String>, called entity: String) -> Bool {
      files.contains { name in
        names.contains(name) || names.contains { EntityPairs.differInParts($0, name) }
          || Names.singulars(Names.folded(name)).contains(entity)
      }
    }
  }

  /// Whether names of files differ in nothing but which part of a whole is in each: `popular_page1`, `popular_page2`.
  private static func differInParts(_ name: String, _ other: String) -> Bool {
    func whole(_ name: String) -> [String] { Words.words(name).filter { !FileNames.isPart($0) } }
    let words = whole(name)
    return !words.isEmpty && words.count < Words.words(name).count && words == whole(other)
  }

  /// Pairs what came under a key of objects with what stands there in the model. The object of an event, which may be anything, is of
  /// one entity whatever it says of its type: another one would not be found under its key.
  private mutating func pairByLinks(_ model: Model, ofAnyType isOfAnyType: Bool = false) {
    var didPair = true
    while didPair {
      didPair = false
      for entity in inferred.model.entities {
        guard let name = known[entity.name], let owner = model[entity: name] else { continue }
        for link in entity.relationships where known[link.destination] == nil {
          let key = inferred.mapping[entity.name].keys[link.name]?.first ?? link.name
          if isTree(link, under: key, of: owner) {
            known[link.destination] = name
            didPair = true
            continue
          }
          guard let property = keys.property(for: key, in: name),
            let destination = owner[relationship: property]?.destination,
            let target = inferred.model[entity: link.destination], let other = model[entity: destination],
            isOfAnyType || !known.areTaken(destination), !link.isToMany || !isOfAnyType,
            mayBe(target, other, ofAnyType: isOfAnyType, inPlace: link.isToMany), target.parent == nil
          else { continue }
          known[link.destination] = destination
          didPair = true
        }
      }
    }
  }

  /// Whether a list that no object of an entity had so far holds objects of it: it has the key of the list that these stand in, as the
  /// children of children do.
  private func isTree(_ link: Relationship, under key: String, of owner: Entity) -> Bool {
    guard link.isToMany, keys.property(for: key, in: owner.name) == nil,
      let target = inferred.model[entity: link.destination], target.parent == nil, owner.parent == nil,
      mayBe(target, owner, inPlace: true)
    else { return false }
    return model.entities.contains { other in
      other.relationships.contains {
        $0.isToMany && $0.destination == owner.name && keys.property(for: key, in: other.name) == $0.name
          && keys.tells(of: $0.name, in: other.name)
      }
    }
  }

  /// Pairs objects that came under another name with those of the store that have their identities and their keys: a user who
  /// was the author of a message first. Several inferred entities may be one then.
  private mutating func pairByObjects(_ model: Model) {
    for entity in inferred.model.entities where known[entity.name] == nil && !saysItsKind(entity) {
      let own = Self.keys(of: entity, inferred)
      let alike = (inferred.knownObjects[entity.name] ?? []).compactMap { model[entity: $0] }.filter {
        other in
        let likeness = likeness(entity, other)
        return likeness.shared >= 2 && likeness.shared * 10 >= likeness.smaller * 7 && identify(own, other)
          && mayBe(entity, other) && shareFirstKeys(entity, other, mayBeLonger: true)
      }
      if alike.count == 1 { known[entity.name] = alike[0].name }
    }
  }

  /// Pairs what is most alike in its keys, the best pairs first. Objects that came at two places, too few to show that they are
  /// of one entity, may be of one of the model.
  private mutating func pairByKeys(_ model: Model) {
    var likely: [(likeness: Double, inferred: String, known: String)] = []
    for entity in inferred.model.entities where known[entity.name] == nil && !saysItsKind(entity) {
      let own = Self.keys(of: entity, inferred)
      for other in model.entities {
        let likeness = likeness(entity, other)
        let isOfSource = owned.areOfSources(entity.name, other.name)
        guard likeness.shared >= 2, identify(own, other), mayBe(entity, other), !isNamed(entity, by: other),
          !names(entity, other),
          !(inferred.knownOthers[entity.name]?.contains(other.name) ?? false), !areNamesakes(entity, other),
          shareFirstKeys(entity, other),
          isLikely(likeness, entity, isOfSource: isOfSource)
            || isOfSource && likeness.share == 1 && holdTheSame(entity, other),
          isOfSource || mayBeShort(entity, of: other),
          !known.areTaken(other.name) || isAlmostEqual(likeness) && isIdentified(other, mapping)
        else { continue }
        likely.append((likeness.share, entity.name, other.name))
      }
    }
    likely.sort { ($1.likeness, $0.inferred, $0.known) < ($0.likeness, $1.inferred, $1.known) }
    let before = known
    for pair in likely where known[pair.inferred] == nil {
      guard before.areTaken(pair.known) || !known.areTaken(pair.known) else { continue }
      known[pair.inferred] = pair.known
    }
  }

  /// Whether documents say themselves of what kind the objects of an entity are, as the dialects do that have one list for all:
  /// objects of another kind are others, however alike.
  private func saysItsKind(_ entity: Entity) -> Bool {
    inferred.recordEntities.contains(entity.name)
      && (inferred.mapping.dialect == .jsonapi || inferred.mapping.dialect == .fhir
        || inferred.mapping.document.kind != nil)
  }

  /// Whether what the store has of an entity says that objects which came are none of it, though they are called so. What stands where
  /// its objects stood is of it all the same.
  private func areNamesakes(_ entity: Entity, _ other: Entity) -> Bool {
    inferred.knownNamesakes[entity.name]?.contains(other.name) ?? false
      || inferred.knownElsewhere[entity.name]?.contains(other.name) ?? false
  }

  /// Whether objects of an entity of the model name those of an inferred one by a key that is called like these, as cards name
  /// their list: they are others then.
  private func isNamed(_ entity: Entity, by other: Entity) -> Bool {
    inferred.laterLinks.contains { link in
      link.entity == other.name && link.target == entity.name
        && Names.singulars(Names.folded(link.name)).contains(Names.folded(entity.name))
    }
  }

  /// Whether objects of an inferred entity name those of one of the model by a key that these do not have, as the lists of a board name
  /// it: they are others then.
  private func names(_ entity: Entity, _ other: Entity) -> Bool {
    guard inferred.recordEntities.contains(entity.name) else { return false }
    let rules = inferred.mapping[entity.name]
    let links = entity.relationships.filter { !$0.isToMany }.map(\.name)
    return (entity.attributes.map(\.name) + links).contains { property in
      let key = rules.keys[property]?.first ?? property
      let name = LinkName(key)
      return name.hasEnding && name.score(for: EntityName(other.name), isSelf: false) >= 3
        && keys.property(for: key, in: other.name) == nil
    }
  }

  private func isAlmostEqual(_ likeness: KeyLikeness) -> Bool {
    likeness.share >= 0.8 && likeness.shared >= 5
  }

  private func isIdentified(_ entity: Entity, _ mapping: JSONMapping) -> Bool {
    !(mapping[entity.name].identity ?? entity.declaredIdentity?.properties ?? []).isEmpty
  }

  /// Whether keys are enough for a pair. Objects that have a name of their own are something else, unless they have many
  /// keys and most of the entity's.
  ///
  /// - Parameter isOfSource: Whether nothing but their source identifies the objects of both.
  private func isLikely(_ likeness: KeyLikeness, _ entity: Entity, isOfSource: Bool) -> Bool {
    if GenericNames.isWrapper(entity.name) { return likeness.shared * 10 >= likeness.own * 6 }
    if isAlmostEqual(likeness) { return true }
    if isOfSource {
      // Wrappers around other objects are alike whatever these are.
      let isWrapper = holdsObjects(entity)
      return
        (likeness.share >= 0.7 && likeness.shared >= 3
        || likeness.shared >= 4 && likeness.shared == likeness.smaller) && !isWrapper
    }
    return likeness.shared == likeness.own && likeness.shared >= 3
      && !inferred.recordEntities.contains(entity.name)
  }

  /// Whether objects have at least half of their own keys in common with those of an entity. However much an object inside of them has,
  /// such as an `image`, it is one key.
  ///
  /// - Parameter isLonger: Whether those of the model may have some of their keys and no others, as what came inside of others first has.
  private func shareFirstKeys(_ entity: Entity, _ other: Entity, mayBeLonger isLonger: Bool = false) -> Bool {
    // A common identity says nothing.
    let identity = Set(
      self.identity(of: other).map { Self.firstKey(of: mapping[other.name].keys[$0]?.first ?? $0) })
    let own = Set(Self.keys(of: entity, inferred).map(Self.firstKey(of:))).subtracting(identity)
    let others = Set(keys.toldKeys(of: other.name).map(Self.firstKey(of:))).subtracting(identity)
    let shared = own.intersection(others).count
    if isLonger, !others.isEmpty, others.isSubset(of: own) { return true }
    return own.isSubset(of: others) || shared * 2 >= max(own.count, others.count)
  }

  /// The first key of a path, plain.
  private static func firstKey(of path: String) -> String {
    EntityKeys.plain(EntityKeys.beginnings(of: path).first.map { String($0.outer) } ?? path)
  }

  /// Whether objects stand in those of an entity that are, key by key, those of an entity of the model.
  private func holdTheSame(_ entity: Entity, _ other: Entity) -> Bool {
    let links = entity.relationships.filter { !inferred.derived.contains("\(entity.name).\($0.name)") }
    return !links.isEmpty
      && links.allSatisfy { link in
        let key = inferred.mapping[entity.name].keys[link.name]?.first ?? link.name
        let property = keys.property(for: key, in: other.name)
        return property.flatMap { other[relationship: $0]?.destination }.map { $0 == known[link.destination] }
          ?? false
      }
  }

  /// Whether objects with few keys of an entity are its objects: they have keys that not any object has, or the names and addresses
  /// that objects of the store have.
  private func mayBeShort(_ entity: Entity, of other: Entity) -> Bool {
    !Self.keys(of: entity, inferred).allSatisfy(GenericNames.isOfAnyObject)
      || inferred.knownLabels[entity.name]?.contains(other.name) ?? false
  }

  /// Whether keys of objects say which object of an entity each is, if the entity has an identity.
  private func identify(_ own: Set<String>, _ entity: Entity) -> Bool {
    let identity = self.identity(of: entity)
    return identity.allSatisfy { property in
      let path = mapping[entity.name].keys[property]?.first ?? property
      return mapping.document.added.keys.contains { SourceIdentity.isKey(path, $0) }
        || own.contains { keys.property(forPlain: $0, in: entity.name) == property }
    }
  }

  /// The keys that came with the objects of an inferred entity.
  private static func keys(of entity: Entity, _ inferred: InferredModel) -> Set<String> {
    let rules = inferred.mapping[entity.name]
    let links = entity.relationships.map(\.name).filter { !inferred.derived.contains("\(entity.name).\($0)") }
    let paths = (entity.attributes.map(\.name) + links).map { rules.keys[$0]?.first ?? $0 }
    let added = inferred.mapping.document.added.keys
    return Set(
      paths.filter { path in !added.contains { SourceIdentity.isKey(path, $0) } }.map(EntityKeys.plain))
  }
}

/// The names in a model of inferred entities.
struct PairedNames {
  private var names: [String: String] = [:]
  /// How many inferred entities are one of the model.
  private var uses: [String: Int] = [:]

  subscript(entity: String) -> String? {
    get { names[entity] }
    set {
      if let old = names[entity] { uses[old, default: 1] -= 1 }
      if let newValue { uses[newValue, default: 0] += 1 }
      names[entity] = newValue
    }
  }

  /// Whether inferred entities are one of the model.
  func areTaken(_ known: String) -> Bool { uses[known, default: 0] > 0 }
}
