import Mapping
public import ObjectModel

/// An entity of a store that JSON is to go into: keys in the JSON may name its objects, and values of its attributes objects of
/// the JSON.
public struct KnownEntity: Sendable {
  public let name: String
  /// Whether it inherits from another one.
  let isKind: Bool
  /// The identities, of some as JSON writes them, that objects of the store have; nil if not one value identifies its objects.
  let stored: (@Sendable (_ identities: [String]) throws -> Set<String>)?
  /// Its attributes that may name objects, each with its key path in JSON.
  let attributes: [(attribute: Attribute, path: [JSONKeyPath.Step])]
  /// The key path of the attribute that identifies its objects, in any style; nil if not one does.
  private let identityKey: String?
  /// Whether nothing but their source identifies its objects.
  let isOfSource: Bool
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
  ///   - stored: The identities, of some, that objects of the store have. What it throws ends the inference.
  public init(name: String, stored: @escaping @Sendable (_ identities: [String]) throws -> Set<String>) {
    self.name = name
    isKind = false
    isOfSource = false
    self.stored = stored
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
  ///   - stored: The identities, of some, that objects of the store have; nil if not one value identifies its objects.
  ///   - values: Some values of an attribute of numbers or texts, as JSON writes them. Of an attribute of JSON, so many that all
  ///     elements of lists are known, or some that are no keys. What the functions throw ends the inference.
  public init(
    _ entity: Entity, mapping: EntityMapping, isSnakeCase: Bool = false,
    stored: (@Sendable (_ identities: [String]) throws -> Set<String>)?,
    values: @escaping @Sendable (_ attribute: String) throws -> [String]
  ) {
    name = entity.name
    isKind = entity.parent != nil
    self.stored = stored
    self.values = values
    value = nil
    let identity = mapping.identity ?? entity.declaredIdentity?.properties ?? []
    isOfSource = identity.contains { mapping.keys[$0]?.first == SourceIdentity.source }
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
  func has(_ objects: ReadObjects) throws -> Bool {
    let (draft, shapes) = (objects.draft, objects.shapes)
    guard let keys, let stored, draft.parent == nil, let identity = identity(of: draft), identity.node >= 0
    else { return false }
    let shared = objects.count(in: keys)
    guard shared >= 2 else { return false }
    let node = shapes[identity.node]
    let isSmall =
      node.integers > 0
      ? node.minimum <= ShapeMatcher.smallNumbers : node.forms.contains(.integer) && node.shortest < 6
    guard let samples = shapes.tree.samples[shapes.find(identity.node)], !samples.isEmpty,
      case let found = try identity.node == objects.identity?.node
        ? objects.found(in: self) : stored(samples),
      !found.isEmpty, try !areOthers(objects),
      try !areNamesakes(objects, isOfNew: false)
    else { return false }
    let isOwn = draft.identityAttribute != nil
    guard isSmall || !isOwn && !shapes.areMadeByProgram(identity.node) else { return true }
    if try saysTheSame(as: objects, found, of: samples) { return true }
    // Other keys of an object inside of others may be about these: how much somebody wrote there.
    guard draft.isRecord || shared == objects.paths.count else { return false }
    // One name may be that of two objects with one number by chance, three are not.
    guard shared >= 4 || found.count >= 3 else { return false }
    return try haveLabels(of: objects, found)
  }

  /// Whether the stored objects with all identities that came have the texts of those that came, under two keys at least.
  private func saysTheSame(as objects: ReadObjects, _ found: Set<String>, of identities: [String]) throws
    -> Bool
  {
    guard let value, found.count == Set(identities).count else { return false }
    var same = 0
    for (attribute, path) in attributes where attribute.type == .string {
      guard let place = objects.texts(at: path) else { continue }
      for identity in found {
        guard var text = try value(identity, attribute.name),
          text.withUTF8({ objects.shapes[place].values.contains(Hashing.hash($0)) == true })
        else { return false }
      }
      same += 1
    }
    return same >= 2
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
  private func haveLabels(of objects: ReadObjects, _ identities: Set<String>) throws -> Bool {
    guard let value else { return false }
    return try labels(of: objects).contains { attribute, samples in
      try identities.allSatisfy { try value($0, attribute).map(samples.contains) ?? false }
    }
  }

  /// The attributes that are names or addresses, with such values of the objects that came.
  private func labels(of objects: ReadObjects) -> [(attribute: String, samples: [String])] {
    attributes.compactMap { attribute, path in
      guard attribute.type == .string || attribute.type == .uri, path.count == 1,
        case .key(let key) = path[0],
        let samples = objects.labels[key]
      else { return nil }
      return (attribute.name, samples)
    }
  }

  /// Whether the store has objects with names or addresses that objects inside of others have, of those that it is asked for.
  ///
  /// - Throws: What the store throws that is asked for values.
  func hasLabels(of objects: ReadObjects) throws -> Bool {
    guard !objects.draft.isRecord, objects.draft.parent == nil else { return false }
    return try labels(of: objects).contains { attribute, samples in
      try !Set(samples).isDisjoint(with: values(attribute))
    }
  }

  /// Whether objects are none of the entity, though identities say so or nothing speaks against it: their own addresses are of another
  /// kind, or they have identities that objects of the store have, which nothing has by chance only, and none of their names and
  /// addresses: the language `DE` is not the country `DE`.
  ///
  /// - Throws: What the store throws that is asked for objects.
  func areOthers(_ objects: ReadObjects) throws -> Bool {
    if try haveOtherAddresses(objects) { return true }
    guard stored != nil, let identity = objects.identity, !objects.shapes.areMadeByProgram(identity.node),
      case let labels = labels(of: objects), !labels.isEmpty, try !objects.found(in: self).isEmpty
    else { return false }
    var isCompared = false
    for (attribute, samples) in labels {
      let values = try values(attribute)
      guard !values.isEmpty else { continue }
      isCompared = true
      if !Set(samples).isDisjoint(with: values) { return false }
    }
    return isCompared
  }

  /// Whether the addresses that objects say to be their own lead to another kind of object than those of the store's do:
  /// `issues/comments/3`, `pulls/12`.
  ///
  /// - Throws: What the store throws that is asked for values.
  func haveOtherAddresses(_ objects: ReadObjects) throws -> Bool {
    for (attribute, path) in attributes {
      guard attribute.type == .string || attribute.type == .uri, path.count == 1,
        case .key(let key) = path[0],
        GenericNames.isAddress(key), let samples = objects.labels[key],
        case let came = Self.kinds(of: samples), came.count == 1
      else { continue }
      let known = Self.kinds(of: try values(attribute.name))
      if known.count == 1, came != known { return true }
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

  /// Whether objects that are called like the store's are others: those of which a third is said under other keys, with identities of
  /// stored objects and another name than each of these (`app0` in a list of what is in a network, and `/app0`), and those at the top that
  /// have nothing in common with the stored ones but small numbers, such as the users of two services. In objects of a new entity, as in
  /// posts where products were known, small numbers with other names are those of others too: each may have categories of its own.
  ///
  /// - Parameter isOfNew: Whether they stand in objects of entities that the store does not have.
  /// - Throws: What the store throws that is asked for objects.
  func areNamesakes(_ objects: ReadObjects, isOfNew: Bool) throws -> Bool {
    if objects.draft.isRecord || isOfNew, try shareNumbersOnly(objects) { return true }
    if isOfNew, let identity = objects.identity, objects.areSmallNumbers(identity.node),
      try renamed(objects) > 0
    {
      return true
    }
    guard let keys, objects.keys.intersection(keys).count * 3 <= objects.keys.count * 2 else { return false }
    return try renamed(objects) >= Self.fewObjects
  }

  private static func isLabel(_ path: [JSONKeyPath.Step]) -> Bool {
    guard path.count == 1, case .key(let key) = path[0] else { return false }
    return LabelNames.flags(of: key).contains(.label)
  }

  /// How many objects of those that are looked at came with an identity that an object of the store has, if none has a name of these: all
  /// that came again may be others.
  ///
  /// - Throws: What the store throws that is asked for objects.
  func renamed(_ objects: ReadObjects) throws -> Int {
    guard stored != nil, let value, objects.identity != nil, case let labels = labels(of: objects),
      !labels.isEmpty
    else { return 0 }
    let known = try objects.found(in: self)
    let counts = try labels.map { attribute, samples in
      let stored = try known.compactMap { try value($0, attribute) }
      return Set(stored).isDisjoint(with: samples) ? stored.count : 0
    }
    return counts.min() ?? 0
  }

  /// Whether small numbers are all that objects and those of the store have in common, where both have names, under other
  /// keys. Objects without a name say more of stored ones.
  private func shareNumbersOnly(_ objects: ReadObjects) throws -> Bool {
    guard let keys, let identityKey, keys.count > 1, objects.keys.count > 1,
      objects.keys.intersection(keys) == [identityKey], let identity = objects.identity,
      objects.areSmallNumbers(identity.node), objects.hasLabel,
      attributes.contains(where: { Self.isLabel($0.path) })
    else { return false }
    return try !objects.found(in: self).isEmpty
  }

  /// The attribute that may identify the store's objects as well: others name them by it, all have it, and no two the same.
  ///
  /// - Throws: What the store throws that is asked for values.
  func otherIdentity(namedBy objects: ReadObjects) throws -> String? {
    guard let attribute = try label(namedBy: objects), let areAllDifferent,
      try areAllDifferent(attribute)
    else { return nil }
    return attribute
  }

  /// The attribute that identifies the store's objects in place of the one that does, since objects came with the same identity and another
  /// value of it, which a program made for one object only: `uuid` in place of an `id` that several servers, or all occurrences of a
  /// meeting, have. All stored objects have it, and no two the same.
  ///
  /// - Throws: What the store throws that is asked for values.
  func otherIdentity(refutedBy objects: ReadObjects) throws -> String? {
    guard let areAllDifferent, let own = objects.attribute(under: identityKey), !isKind else { return nil }
    for (attribute, path) in attributes where Self.isMadeForOne(path) {
      guard let place = objects.texts(at: path), objects.shapes.areMadeByProgram(place),
        objects.shapes[place].values.areUnique
      else { continue }
      let isRefuted =
        try !objects.shapes[own].values.areUnique
        || hasOthers(than: place, under: attribute.name, ofIdentitiesAt: own, objects)
      if isRefuted, try areAllDifferent(attribute.name) { return attribute.name }
    }
    return nil
  }

  /// The attribute that identifies objects which came, and which all of the store have too, no two the same, though nothing but their
  /// source identified these so far, or a key that objects came without. A name is none: the next file may have another object of it.
  ///
  /// - Throws: What the store throws that is asked for values.
  func identity(takenUpFrom objects: ReadObjects) throws -> String? {
    guard isOfSource || objects.mayLack(identityKey), !isKind, objects.draft.isRecord, let areAllDifferent
    else { return nil }
    let keys = objects.draft.identityAttribute.map { [$0.path] } ?? (isOfSource ? [] : objects.ownKeys)
    let found = try attributes.filter { attribute, path in
      guard keys.contains(path), attribute.type.mayIdentify, case .key(let key)? = path.last else {
        return false
      }
      return try !LabelNames.flags(of: key).contains(.label) && areAllDifferent(attribute.name)
    }
    return found.count == 1 ? found[0].attribute.name : nil
  }

  private static func isMadeForOne(_ path: [JSONKeyPath.Step]) -> Bool {
    guard case .key(let key)? = path.last else { return false }
    return Words.words(key).last.map { ["uuid", "uid", "guid"].contains($0) } ?? false
  }

  /// Whether stored objects have texts under an attribute that are none of those that came.
  private func hasOthers(
    than place: Int32, under attribute: String, ofIdentitiesAt own: Int32, _ objects: ReadObjects
  ) throws -> Bool {
    guard let stored, let value, let samples = objects.shapes.tree.samples[objects.shapes.find(own)] else {
      return false
    }
    return try stored(samples).contains { identity in
      guard var text = try value(identity, attribute) else { return false }
      return text.withUTF8 { objects.shapes[place].values.contains(Hashing.hash($0)) == false }
    }
  }

  /// Whether objects with identities of stored ones say another text than these: they are no short form of them.
  ///
  /// - Throws: What the store throws that is asked for values.
  func saysOtherwise(_ objects: ReadObjects) throws -> Bool {
    guard let own = objects.attribute(under: identityKey) else { return false }
    return try attributes.contains { attribute, path in
      guard attribute.type == .string, let place = objects.texts(at: path) else { return false }
      return try hasOthers(than: place, under: attribute.name, ofIdentitiesAt: own, objects)
    }
  }

  /// The attribute of the store's objects by which objects inside of others name them, with addresses that
  /// end with the identities of these: of `{"name": "cut", "url": "…/move/15/"}`, the name. Nil if they name others.
  ///
  /// - Throws: What the store throws that is asked for values.
  private func label(namedBy objects: ReadObjects) throws -> String? {
    let (draft, shapes) = (objects.draft, objects.shapes)
    guard let collection = shapes.collection(of: draft.node),
      AddressCollection.isCalled(name, collection.word),
      let stored, let value, !isKind, draft.parent == nil, !draft.isRecord,
      let own = draft.identityAttribute, own.path != [], let names = objects.identity?.samples,
      let attribute = attributes.first(where: { $0.path == own.path })?.attribute, attribute.type == .string,
      let ends = collection.ends(of: draft, shapes)
    else { return nil }
    let found = try stored(ends)
    for end in found {
      guard let known = try value(end, attribute.name), names.contains(known) else { return nil }
    }
    let known = Set(try values(attribute.name))
    guard names.count(where: known.contains) <= found.count, known.allSatisfy(ShapeMatcher.isSlug) else {
      return nil
    }
    return attribute.name
  }

  /// Whether objects inside of others are none of the entity, though they stand under its name: they have an identity that no
  /// object of the store has, and most of their keys are none of the entity's.
  ///
  /// - Throws: What the store throws that is asked for objects.
  func isStranger(_ objects: ReadObjects) throws -> Bool {
    let draft = objects.draft
    guard let keys, stored != nil, !draft.isRecord, draft.kindKey == nil, draft.parent == nil,
      objects.identity != nil,
      objects.keys.intersection(keys).count * 2 <= objects.keys.count, try label(namedBy: objects) == nil
    else { return false }
    return try objects.found(in: self).isEmpty
  }
}

/// The objects of a draft as they came, to be compared with those that a store has. The store is asked once for those of each entity.
final class ReadObjects {
  let draft: EntityDraft
  let shapes: Shapes
  /// The key paths that fill properties.
  let paths: [String]
  /// The same in any style, each once.
  let keys: Set<String>
  /// The place of the one value that identifies them, with some of its values; nil if there is none.
  let identity: (node: Int32, samples: [String])?
  /// Some values of each key that says a name or an address of them.
  let labels: [String: [String]]
  /// Their identities that objects of entities of the store have, by the entity.
  private var found: [String: Set<String>] = [:]

  init(_ draft: EntityDraft, _ shapes: Shapes) {
    self.draft = draft
    self.shapes = shapes
    paths = (draft.attributes.map(\.path) + draft.relationships.map(\.path)).filter { !$0.isEmpty }
      .map { EntityKeys.plain(JSONKeyPath.text(of: $0[...])) }
    keys = Set(paths)
    identity = draft.identityAttribute.flatMap { attribute in
      guard attribute.node >= 0, let samples = shapes.tree.samples[shapes.find(attribute.node)],
        !samples.isEmpty
      else { return nil }
      return (attribute.node, samples)
    }
    var labels: [String: [String]] = [:]
    for attribute in draft.attributes where attribute.path.count == 1 && attribute.node >= 0 {
      guard case .key(let key) = attribute.path[0], labels[key] == nil,
        !LabelNames.flags(of: key).isDisjoint(with: [.label, .address]),
        let samples = shapes.tree.samples[shapes.find(attribute.node)], !samples.isEmpty
      else { continue }
      labels[key] = samples
    }
    self.labels = labels
  }

  /// Their identities, of those that are known, that objects of an entity of the store have.
  ///
  /// - Throws: What the store throws that is asked for objects.
  func found(in entity: KnownEntity) throws -> Set<String> {
    if let known = found[entity.name] { return known }
    guard let stored = entity.stored, let identity else { return [] }
    let known = try stored(identity.samples)
    found[entity.name] = known
    return known
  }

  /// The paths of the keys that end as identities do, of which all objects have one, and no two the same.
  var ownKeys: [[JSONKeyPath.Step]] {
    guard draft.node >= 0 else { return [] }
    return draft.attributes.filter { attribute in
      guard attribute.path.count == 1, case .key(let key) = attribute.path[0], attribute.node >= 0 else {
        return false
      }
      let node = shapes[attribute.node]
      return LinkName.isKeyOfObjects(key) && node.integers + node.strings == shapes[draft.node].objects
        && node.emptyTexts == 0 && node.values.areUnique
    }.map(\.path)
  }

  /// Whether objects came without a value under a key in any style.
  func mayLack(_ key: String?) -> Bool {
    guard let key else { return false }
    return draft.attributes.contains {
      !$0.path.isEmpty && EntityKeys.plain(JSONKeyPath.text(of: $0.path[...])) == key && $0.isMissing
    }
  }

  /// The place of the values under a key in any style.
  func attribute(under key: String?) -> Int32? {
    draft.attributes.first { attribute in
      attribute.node >= 0 && !attribute.path.isEmpty
        && EntityKeys.plain(JSONKeyPath.text(of: attribute.path[...])) == key
        && attribute.type.type.mayIdentify
    }?.node
  }

  /// The place of the values at a path, if all objects have a text there.
  func texts(at path: [JSONKeyPath.Step]) -> Int32? {
    guard draft.node >= 0, let place = draft.attributes.first(where: { $0.path == path })?.node, place >= 0,
      shapes[place].strings == shapes[draft.node].objects
    else { return nil }
    return place
  }

  /// Whether a list of theirs never had elements.
  var haveEmptyLists: Bool {
    draft.attributes.contains {
      $0.node >= 0 && shapes[$0.node].lists > 0 && shapes[$0.node].mostElements == 0
    }
  }

  /// Whether they have a name.
  var hasLabel: Bool { labels.keys.contains { LabelNames.flags(of: $0).contains(.label) } }

  /// Whether the values of a place are numbers that objects of any kind have.
  func areSmallNumbers(_ place: Int32) -> Bool {
    shapes[place].integers > 0 && shapes[place].maximum <= ShapeMatcher.smallNumbers
  }

  /// How many of the key paths are among some in any style.
  func count(in others: Set<String>) -> Int { paths.count(where: others.contains) }
}
