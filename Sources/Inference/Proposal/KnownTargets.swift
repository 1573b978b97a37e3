import Mapping
public import ObjectModel

/// An entity of a store that JSON is to go into: keys in the JSON may name its objects, and values of its attributes objects of
/// the JSON.
public struct KnownEntity: Sendable {
  public let name: String
  /// Whether it inherits from another one.
  let isKind: Bool
  /// Whether the store has an object with an identity, as JSON writes it; nil if not one value identifies its objects.
  let hasObject: (@Sendable (_ identity: String) throws -> Bool)?
  /// Its attributes that may name objects, each with its key path in JSON.
  let attributes: [(attribute: Attribute, path: [JSONKeyPath.Step])]
  /// The key path of the attribute that identifies its objects, in any style; nil if not one does.
  private let identityKey: String?
  /// The keys of its objects in any style, as imports take them; nil if they are not known.
  let keys: Set<String>?
  /// Some values of an attribute, as JSON writes them.
  let values: @Sendable (_ attribute: String) throws -> [String]
  /// The value of an attribute of the object with an identity, as JSON writes both; nil if that is not known.
  package var value: (@Sendable (_ identity: String, _ attribute: String) throws -> String?)?
  /// Whether all objects have a value of an attribute, and no two the same; nil if that is not known.
  package var areAllDifferent: (@Sendable (_ attribute: String) throws -> Bool)?

  /// - Parameters:
  ///   - name: The name of the entity in the model that is refined.
  ///   - hasObject: Whether the store has an object with an identity. What it throws ends the inference.
  public init(name: String, hasObject: @escaping @Sendable (_ identity: String) throws -> Bool) {
    self.name = name
    isKind = false
    self.hasObject = hasObject
    value = nil
    identityKey = nil
    attributes = []
    keys = nil
    values = { _ in [] }
  }

  /// An entity whose attributes may name objects of the JSON.
  ///
  /// - Parameters:
  ///   - entity: The entity in the model that is refined.
  ///   - mapping: What the mapping that is refined says of it.
  ///   - isSnakeCase: Whether its keys came in snake case, where the mapping does not say them.
  ///   - hasObject: Whether the store has an object with an identity; nil if not one value identifies its objects.
  ///   - values: Some values of an attribute of numbers or texts, as JSON writes them. Of an attribute of JSON, so many that all
  ///     elements of lists are known, or some that are no keys. What the functions throw ends the inference.
  public init(
    _ entity: Entity, mapping: EntityMapping, isSnakeCase: Bool = false,
    hasObject: (@Sendable (_ identity: String) throws -> Bool)?,
    values: @escaping @Sendable (_ attribute: String) throws -> [String]
  ) {
    name = entity.name
    isKind = entity.parent != nil
    self.hasObject = hasObject
    self.values = values
    value = nil
    let identity = mapping.identity ?? entity.declaredIdentity?.properties ?? []
    identityKey =
      identity.count == 1 ? EntityKeys.plain(mapping.keys[identity[0]]?.first ?? identity[0]) : nil
    let properties = entity.attributes.map(\.name) + entity.relationships.map(\.name)
    keys = Set(
      properties.flatMap { [$0] + (mapping.keys[$0] ?? []) }.map(EntityKeys.plain))
    attributes = entity.attributes.compactMap { attribute in
      guard !identity.contains(attribute.name), attribute.untyped == nil, !attribute.namesNoObjects,
        attribute.annotations.values == nil, mapping.transformers[attribute.name] == nil,
        attribute.type.isWholeNumber || attribute.type.isText || attribute.type == .transformable
      else { return nil }
      let name = isSnakeCase ? Names.snakeCase(attribute.name) : attribute.name
      let key = mapping.keys[attribute.name]?.first ?? name
      // try?: a path that cannot be read is that of no attribute that was taken from JSON.
      guard let path = try? JSONKeyPath(key) else { return nil }
      return (attribute, path.steps)
    }
  }
}

extension AttributeType {
  var isWholeNumber: Bool {
    switch self {
    case .integer16, .integer32, .integer64: true
    default: false
    }
  }

  var mayIdentify: Bool { isWholeNumber || isText }

  var isText: Bool {
    switch self {
    case .string, .uuid, .uri: true
    default: false
    }
  }
}

extension KnownEntity {
  /// The words with which its objects say what they are, by attribute.
  ///
  /// - Throws: What the store throws that is asked for values.
  func types() throws -> [String: Set<String>] {
    var result: [String: Set<String>] = [:]
    for (attribute, path) in attributes where attribute.type == .string {
      guard path.count == 1, case .key(let key) = path[0], ShapeMatcher.kindKeys.contains(key) else {
        continue
      }
      result[attribute.name] = Set(try values(attribute.name))
    }
    return result
  }

  /// Whether the store has objects of a draft, as far as it is known: objects with their identities, and some of their keys. Small
  /// numbers may be identities of anything, unless the stored objects have the names of those that came, too.
  ///
  /// - Throws: What the store throws that is asked for objects.
  func hasObjects(of draft: EntityDraft, _ shapes: Shapes) throws -> Bool {
    guard let keys, let hasObject, draft.parent == nil, let identity = identity(of: draft), identity.node >= 0
    else { return false }
    let node = shapes[identity.node]
    let isSmall =
      node.integers > 0
      ? node.minimum <= ShapeMatcher.smallNumbers : node.forms.contains(.integer) && node.shortest < 6
    guard let samples = shapes.tree.samples[shapes.find(identity.node)], !samples.isEmpty,
      try !areOthers(draft, shapes)
    else { return false }
    let own = (draft.attributes.map(\.path) + draft.relationships.map(\.path)).filter { !$0.isEmpty }
    let shared = own.count { keys.contains(EntityKeys.plain(JSONKeyPath.text(of: $0[...]))) }
    guard shared >= 2, try !areNamesakes(draft, shapes) else { return false }
    let isOwn = draft.identityAttribute != nil
    guard isSmall || !isOwn && !shapes.areMadeByProgram(identity.node) else {
      return try samples.contains { try hasObject($0) }
    }
    // Other keys of an object inside of others may be about these: how much somebody wrote there.
    guard draft.isRecord || shared == own.count else { return false }
    let found = try samples.filter { try hasObject($0) }
    // One name may be that of two objects with one number by chance, three are not.
    guard !found.isEmpty, shared >= 4 || found.count >= 3 else { return false }
    return try haveLabels(of: draft, found, shapes)
  }

  /// The attribute that identifies a draft's objects: that of the stored ones where an object by itself does not show which does.
  private func identity(of draft: EntityDraft) -> AttributeDraft? {
    if let own = draft.identityAttribute, own.node >= 0 { return own }
    guard draft.isRecord, let identityKey else { return nil }
    return draft.attributes.first { attribute in
      !attribute.path.isEmpty && EntityKeys.plain(JSONKeyPath.text(of: attribute.path[...])) == identityKey
        && attribute.type.type.mayIdentify && !attribute.isMissing
    }
  }

  /// Whether the stored objects with some identities have names or addresses that a draft's objects have.
  private func haveLabels(of draft: EntityDraft, _ identities: [String], _ shapes: Shapes) throws -> Bool {
    guard let value else { return false }
    return try labels(of: draft, shapes).contains { attribute, samples in
      try identities.allSatisfy { try value($0, attribute).map(samples.contains) ?? false }
    }
  }

  /// The attributes that are names or addresses, with such values of a draft's objects.
  private func labels(of draft: EntityDraft, _ shapes: Shapes) -> [(attribute: String, samples: [String])] {
    attributes.compactMap { attribute, path in
      guard attribute.type == .string || attribute.type == .uri, path.count == 1,
        case .key(let key) = path[0],
        !LabelNames.flags(of: key).isDisjoint(with: [.label, .address]),
        let own = draft.attributes.first(where: { $0.path == path }), own.node >= 0,
        let samples = shapes.tree.samples[shapes.find(own.node)], !samples.isEmpty
      else { return nil }
      return (attribute.name, samples)
    }
  }

  /// Whether the store has objects with names or addresses that objects inside of others have, of those that it is asked for.
  ///
  /// - Throws: What the store throws that is asked for values.
  func hasLabels(of draft: EntityDraft, _ shapes: Shapes) throws -> Bool {
    guard !draft.isRecord, draft.parent == nil else { return false }
    return try labels(of: draft, shapes).contains { attribute, samples in
      try !Set(samples).isDisjoint(with: values(attribute))
    }
  }

  /// Whether objects are none of the entity, though identities say so or nothing speaks against it: their own addresses are of another
  /// kind, or they have identities that objects of the store have, which nothing has by chance only, and none of their names and
  /// addresses: the language `DE` is not the country `DE`.
  ///
  /// - Throws: What the store throws that is asked for objects.
  func areOthers(_ draft: EntityDraft, _ shapes: Shapes) throws -> Bool {
    if try haveOtherAddresses(draft, shapes) { return true }
    guard let hasObject, let identity = draft.identityAttribute, identity.node >= 0,
      let samples = shapes.tree.samples[shapes.find(identity.node)],
      !shapes.areMadeByProgram(identity.node)
    else { return false }
    let labels = try labels(of: draft, shapes).map { (Set($0.samples), try values($0.attribute)) }.filter {
      !$1.isEmpty
    }
    return try !labels.isEmpty && samples.contains(where: hasObject)
      && labels.allSatisfy { $0.isDisjoint(with: $1) }
  }

  /// Whether the addresses that objects say to be their own lead to another kind of object than those of the store's do:
  /// `issues/comments/3`, `pulls/12`.
  private func haveOtherAddresses(_ draft: EntityDraft, _ shapes: Shapes) throws -> Bool {
    for (attribute, samples) in labels(of: draft, shapes) {
      guard let path = attributes.first(where: { $0.attribute.name == attribute })?.path,
        case .key(let key)? = path.last, GenericNames.isAddress(key)
      else { continue }
      let (came, known) = (Self.kinds(of: samples), Self.kinds(of: try values(attribute)))
      if came.count == 1, known.count == 1, came != known { return true }
    }
    return false
  }

  /// The words before the ends of addresses; empty if one has none.
  private static func kinds(of addresses: [String]) -> Set<String> {
    var kinds: Set<String> = []
    for address in addresses {
      let steps = address.split(separator: "/")
      guard address.contains("://"), steps.count >= 4, let word = steps.dropLast().last,
        word.allSatisfy({ $0.isLetter || $0 == "_" || $0 == "-" })
      else { return [] }
      kinds.insert(word.lowercased())
    }
    return kinds
  }

  /// Of fewer objects it is not known whether they just got another name.
  private static let fewObjects = 3

  /// Whether objects of which a third is said under other keys have identities that objects of the store have, and
  /// each another name than that one: `app0` in a list of what is in a network, and `/app0`.
  ///
  /// - Throws: What the store throws that is asked for objects.
  func areNamesakes(_ draft: EntityDraft, _ shapes: Shapes) throws -> Bool {
    guard let hasObject, let value, let keys, let identity = draft.identityAttribute, identity.node >= 0,
      Self.own(draft).intersection(keys).count * 3 <= Self.own(draft).count * 2,
      let ids = shapes.tree.samples[shapes.find(identity.node)]
    else { return false }
    let known = try ids.filter(hasObject)
    guard known.count >= Self.fewObjects else { return false }
    let labels = labels(of: draft, shapes)
    return try !labels.isEmpty
      && labels.allSatisfy { attribute, samples in
        let stored = Set(try known.compactMap { try value($0, attribute) })
        return stored.count >= Self.fewObjects && stored.isDisjoint(with: samples)
      }
  }

  /// The attribute that may identify the store's objects as well: others name them by it, all have it, and no two the same.
  ///
  /// - Throws: What the store throws that is asked for values.
  func otherIdentity(namedBy draft: EntityDraft, _ shapes: Shapes) throws -> String? {
    guard let attribute = try label(namedBy: draft, shapes), let areAllDifferent,
      try areAllDifferent(attribute)
    else { return nil }
    return attribute
  }

  /// The attribute of the store's objects by which objects inside of others name them, with addresses that
  /// end with the identities of these: of `{"name": "cut", "url": "…/move/15/"}`, the name. Nil if they name others.
  ///
  /// - Throws: What the store throws that is asked for values.
  private func label(namedBy draft: EntityDraft, _ shapes: Shapes) throws -> String? {
    guard let collection = shapes.collection(of: draft.node),
      AddressCollection.isCalled(name, collection.word),
      let hasObject, let value, !isKind, draft.parent == nil, !draft.isRecord,
      let own = draft.identityAttribute, own.path != [], own.node >= 0,
      let attribute = attributes.first(where: { $0.path == own.path })?.attribute, attribute.type == .string,
      let names = shapes.tree.samples[shapes.find(own.node)],
      let ends = collection.ends(of: draft, shapes)
    else { return nil }
    var found = 0
    for end in ends where try hasObject(end) {
      guard let known = try value(end, attribute.name), names.contains(known) else { return nil }
      found += 1
    }
    let known = Set(try values(attribute.name))
    guard names.count(where: known.contains) <= found, known.allSatisfy(ShapeMatcher.isSlug) else {
      return nil
    }
    return attribute.name
  }

  /// The keys of a draft's objects in any style.
  private static func own(_ draft: EntityDraft) -> Set<String> {
    let paths = draft.attributes.map(\.path) + draft.relationships.map(\.path)
    return Set(paths.filter { !$0.isEmpty }.map { EntityKeys.plain(JSONKeyPath.text(of: $0[...])) })
  }

  /// Whether objects inside of others are none of the entity, though they stand under its name: they have an identity that no
  /// object of the store has, and most of their keys are none of the entity's.
  ///
  /// - Throws: What the store throws that is asked for objects.
  func isStranger(_ draft: EntityDraft, _ shapes: Shapes) throws -> Bool {
    guard let keys, let hasObject, !draft.isRecord, draft.kindKey == nil, draft.parent == nil,
      let identity = draft.identityAttribute, identity.node >= 0
    else { return false }
    let own = Self.own(draft)
    guard own.intersection(keys).count * 2 <= own.count, try label(namedBy: draft, shapes) == nil,
      let samples = shapes.tree.samples[shapes.find(identity.node)], !samples.isEmpty
    else { return false }
    return try !samples.contains { try hasObject($0) }
  }
}

/// The entities of a store as targets of links: the store itself is asked whether it has objects that keys name.
struct KnownTargets {
  /// The store is asked for so many objects that values of an attribute may name.
  static let mostAsked = 1_000

  let entities: [KnownEntity]
  private let shapes: Shapes
  /// The drafts of the entities: one of the JSON with the same name, or one without objects.
  private let drafts: [String: EntityDraft]

  /// How the values of a place name objects of an entity.
  struct Link {
    var target: EntityDraft
    var score: Double
    var found: Int
    var compared: Int
    var hasPrefix: Bool
  }

  init(_ entities: [KnownEntity], _ shapes: Shapes, _ drafts: [EntityDraft]) {
    self.entities = entities
    self.shapes = shapes
    let known = Dictionary(
      drafts.filter { $0.parent == nil }.map { (Names.folded($0.name), $0) },
      uniquingKeysWith: { first, _ in first })
    self.drafts = Dictionary(
      entities.map { ($0.name, known[Names.folded($0.name)] ?? Self.stand($0.name)) },
      uniquingKeysWith: { first, _ in first })
  }

  static func stand(_ name: String) -> EntityDraft {
    let draft = EntityDraft(node: -1)
    draft.name = name
    draft.identity = ["id"]
    return draft
  }

  /// The entity whose objects the values of a place name; nil if the store lacks most of them, or if it has all, but neither their
  /// name fits nor are they such as nothing else is by chance.
  ///
  /// - Parameters:
  ///   - name: The name that the values stand under.
  ///   - isItself: Whether the values are the identities of the objects that have them, which lead to no other object.
  ///   - isOwnAddress: Whether they are addresses that end with these.
  func link(
    at index: Int32, _ name: LinkName, from draft: EntityDraft, isItself: Bool, isOwnAddress: Bool
  ) throws -> Link? {
    let place = shapes.find(index)
    let samples = shapes.tree.samples[place] ?? []
    let prefix = shapes[index].flags.isDisjoint(with: .mixedPrefixes) ? shapes.tree.prefixes[place] : nil
    var best: Link?
    for entity in entities {
      guard let hasObject = entity.hasObject, let target = drafts[entity.name], target.identity.count == 1
      else {
        continue
      }
      let isSelf = target === draft.root
      var score = name.score(for: entity.name, isSelf: isSelf)
      if isSelf, score < 2 || score >= 3 && isItself { continue }
      // `Patient/1` says itself what it names.
      if let outer = prefix?.split(separator: "/").last, !isOwnAddress {
        score = max(score, LinkName(String(outer)).score(for: entity.name, isSelf: false))
      }
      // Without a name that fits, a few values say nothing.
      guard score >= 1.5 else {
        guard best == nil, areTelling(samples, shapes[index], name),
          try samples.allSatisfy({ try hasObject($0) })
        else { continue }
        best = Link(target: target, score: 0, found: samples.count, compared: samples.count, hasPrefix: false)
        continue
      }
      guard score > best?.score ?? 0 else { continue }
      for (hasPrefix, values) in [(false, samples), (true, Self.tails(samples, prefix))] where !values.isEmpty
      {
        let found = try values.count { try hasObject($0) }
        guard Self.isGood(score, found, values.count, name) else { continue }
        best = Link(target: target, score: score, found: found, compared: values.count, hasPrefix: hasPrefix)
        break
      }
    }
    return best
  }

  /// Whether values that are identities are so by no chance, whatever their name.
  private func areTelling(_ samples: [String], _ node: ShapeNode, _ name: LinkName) -> Bool {
    guard samples.count >= 2 else { return false }
    if node.integers > 0 { return name.hasEnding && samples.count >= 3 && node.minimum >= 1_000 }
    if !node.forms.isDisjoint(with: [.address, .uuid]) || samples.allSatisfy(LinkFinder.isMadeByProgram) {
      return true
    }
    return name.hasEnding && samples.count >= 3 && node.shortest >= 3
  }

  private static func isGood(_ score: Double, _ found: Int, _ compared: Int, _ name: LinkName) -> Bool {
    if score >= 3, name.hasEnding { return found > 0 }
    if score >= 2 { return found * 2 >= compared && (name.hasEnding || compared >= 2) }
    return found == compared && compared >= 2
  }

  /// `1` of `Patient/1`.
  private static func tails(_ samples: [String], _ prefix: String?) -> [String] {
    guard let prefix, samples.allSatisfy({ $0.hasPrefix(prefix) }) else { return [] }
    return samples.map { String($0.dropFirst(prefix.count).split(separator: "/").first ?? "") }.filter {
      !$0.isEmpty
    }
  }
}
