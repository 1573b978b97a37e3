import Mapping
import ObjectModel
import ObjectStore

/// Finds places whose objects are of one entity, and makes one place of them.
struct ShapeMatcher {
  let shapes: Shapes
  private(set) var guesses: [Guess] = []

  /// Any two kinds of objects may have numbers up to this one.
  static let smallNumbers: Int64 = 100_000

  /// So many places are compared with each other.
  static let mostPlaces = 2_000

  /// So many objects around one another are looked at.
  static let deepest = 600

  init(_ shapes: Shapes) {
    self.shapes = shapes
  }

  /// - Throws: ``ImportError`` if the caller cancels.
  mutating func run() throws {
    collapseDictionaries()
    collapseWhatListsName()
    collapsePiecesOfDictionaries()
    try joinKinds()
    joinVariants { $0 > 1 }
    try joinKinds()
    joinVariants { _ in true }
    LinkValues(shapes).run()
    joinLoneObjects()
    noteReferences()
    try joinAddressed()
    joinFiles()
    joinTwins()
    // What was joined may make others alike.
    for _ in 0..<4 {
      guard try joinAlike() else { break }
      collapseDictionaries()
      joinLoneObjects()
    }
    try joinReferences()
  }

  // MARK: - Dictionaries

  /// Objects that turned out to be dictionaries now that all is read, the innermost first.
  private func collapseDictionaries() {
    for index in shapes.objectPlaces().reversed() {
      let index = shapes.find(index)
      guard !shapes.isDictionary(index), !shapes.isSplit(index), shapes[index].childCount > 0 else {
        continue
      }
      let isKnown =
        !shapes.tree.dictionaryPaths.isEmpty && shapes.tree.dictionaryPaths.contains(shapes.path(of: index))
      if isKnown
        || !DictionaryEvidence.isKnownObject(index, shapes.tree)
          && DictionaryEvidence(index, shapes.tree).isDictionary,
        !shapes.tree.holdsItself(index)
      {
        shapes.tree.collapse(index)
      }
    }
  }

  /// Objects whose keys lists name: the networks of a project are a dictionary where its services have lists of their names.
  private func collapseWhatListsName() {
    var names: [Int32: Set<String>] = [:]
    for index in 0..<Int32(shapes.tree.count) {
      let node = shapes.tree[index]
      guard node.key < 0, node.parent >= 0, node.strings > 0, node.strings == node.present,
        !node.flags.contains(.longTexts), shapes.tree[node.parent].key >= 0
      else { continue }
      names[shapes.tree[node.parent].key, default: []].formUnion(shapes.tree.samples[index] ?? [])
    }
    let lists = names.values.filter { $0.count >= 2 }
    guard !lists.isEmpty else { return }
    for index in shapes.objectPlaces().reversed() where shapes.find(index) == index {
      let members = shapes.children(of: index)
      guard members.count >= 2, !shapes.isDictionary(index), !shapes.isSplit(index),
        members.allSatisfy({ shapes[$0].objects > 0 && shapes[$0].objects == shapes[$0].present }),
        !DictionaryEvidence.isKnownObject(index, shapes.tree), !shapes.tree.holdsItself(index)
      else { continue }
      let keys = Set(members.map(shapes.key))
      if lists.contains(where: { keys.isSuperset(of: $0) }) { shapes.tree.collapse(index) }
    }
  }

  /// Objects under the key of a dictionary that are a piece of it, as an answer about one of its keys is: what they hold is
  /// what the dictionary holds.
  private func collapsePiecesOfDictionaries() {
    var dictionaries: [Int32: Int32] = [:]
    for index in 0..<Int32(shapes.tree.count) {
      let node = shapes.tree[index]
      guard node.key >= 0, node.keys >= 0, node.flags.contains(.dictionary),
        node.flags.isDisjoint(with: [.merged]),
        let element = shapes.element(of: index), shapes.isObject(element), !shapes.isSplit(element)
      else { continue }
      dictionaries[node.key] = dictionaries[node.key] ?? index
    }
    guard !dictionaries.isEmpty else { return }
    for index in shapes.objectPlaces().reversed() where shapes.find(index) == index {
      guard !shapes.isDictionary(index), !shapes.isSplit(index) else { continue }
      let isPiece = dictionaries[shapes.tree[index].key].map {
        areApart($0, index) && self.isPiece(index, of: $0)
      }
      guard isPiece ?? false || hasKeysOfAny(dictionaries.values, index), !shapes.tree.holdsItself(index)
      else {
        continue
      }
      shapes.tree.collapse(index)
    }
  }

  /// Whether neither of two places stands in the other.
  private func areApart(_ first: Int32, _ second: Int32) -> Bool {
    shapes.find(first) != second && !shapes.tree.stands(first, in: second)
      && !shapes.tree.stands(second, in: first)
  }

  /// Whether all keys of objects, several, are those of a dictionary elsewhere, and lead to objects or lists: `{"OnDemand": {"SKU1":
  /// {…}}}` beside `{"products": {"SKU1": {…}}}`.
  private func hasKeysOfAny(_ dictionaries: some Sequence<Int32>, _ index: Int32) -> Bool {
    let members = shapes.children(of: index)
    // Of keys that are names, what stands under each may be of another kind.
    guard members.count >= 2,
      members.allSatisfy({ shapes[$0].scalars == 0 && shapes[$0].present > 0 }),
      DictionaryEvidence.areData(members, shapes.tree)
    else { return false }
    let hashes = members.map { Hashing.hash(shapes.tree.bytes(ofKey: shapes.tree[$0].key)) }
    return dictionaries.contains { whole in
      let keys = shapes[shapes[whole].keys].values
      return keys.count >= 3 && hashes.allSatisfy { keys.contains($0) == true } && areApart(whole, index)
    }
  }

  /// Whether all that objects hold is like what a dictionary holds, and some of it stands under one of its keys.
  private func isPiece(_ index: Int32, of whole: Int32) -> Bool {
    let members = shapes.children(of: index)
    guard let element = shapes.element(of: whole), !members.isEmpty else { return false }
    let known = shapes.keys(of: element)
    let keys = shapes[shapes[whole].keys].values
    return members.contains {
      keys.contains(Hashing.hash(shapes.tree.bytes(ofKey: shapes.tree[$0].key))) == true
    }
      && members.allSatisfy { member in
        guard shapes.isObject(member), !shapes.isSplit(member) else { return false }
        let own = shapes.keys(of: member)
        return own.count >= 2 && own.intersection(known).count * 5 >= own.union(known).count * 4
      }
  }

  // MARK: - Variants

  /// Joins objects that a key like `type` told apart, if they are alike otherwise. The outermost come first: what stands in
  /// objects of one entity is told apart by all that stand there.
  ///
  /// - Parameter isMeant: Whether places with so many kinds are meant.
  private func joinVariants(_ isMeant: (Int32) -> Bool) {
    for index in 0..<Int32(shapes.tree.count) {
      let node = shapes.tree[index]
      guard !node.flags.contains(.merged), node.flags.contains(.split), isMeant(node.childCount) else {
        continue
      }
      guard !shapes.keptApart.contains(index) else { continue }
      if !KindEvidence(index, shapes).areKinds || tellsOfOwner(index) { shapes.tree.unsplit(index) }
    }
  }

  /// Objects of more keys may be kinds of something, though they tell of the objects around them.
  private static let mostKeysOfOwner = 10

  /// Whether each object tells of the one around it, in few words, whatever it says that it is: the `location` of an event, which has an
  /// address or a link to a call.
  private func tellsOfOwner(_ index: Int32) -> Bool {
    let node = shapes.tree[index]
    let kinds = shapes.children(of: index)
    guard node.parent >= 0, node.key >= 0, node.objects == node.objectsOfItsOwn,
      kinds.allSatisfy({ strongIdentity(of: $0) == nil }),
      Set(kinds.flatMap(shapes.keys)).count <= Self.mostKeysOfOwner
    else { return false }
    return kinds.flatMap(shapes.children).allSatisfy {
      shapes[$0].scalars == shapes[$0].present && !shapes.isDictionary($0)
    }
  }

  // MARK: - Lone objects

  /// Where one object stood for a list of one, it is of the same place as those in lists.
  private func joinLoneObjects() {
    for index in 0..<Int32(shapes.tree.count) {
      let node = shapes.tree[index]
      guard !node.flags.contains(.merged), node.lists > 0, node.objects > 0, node.scalars == 0,
        node.flags.isDisjoint(with: [.dictionary, .split]), let element = shapes.element(of: index),
        shapes.isObject(element), !shapes.isSplit(element),
        !shapes.tree.isInside(element, objectsOf: index)
      else { continue }
      shapes.tree.moveObjects(of: index, to: element)
    }
  }

  // MARK: - Files

  /// So many files with one object each, all with the same keys, are of one entity.
  private static let fewestFiles = 3

  /// Joins the objects of files that hold one each, as a folder with a file for each object has them.
  private func joinFiles() {
    var groups: [(keys: Set<Int32>, places: [Int32])] = []
    for index in 0..<Int32(shapes.tree.count) {
      let node = shapes.tree[index]
      guard node.parent == -1, node.objects >= 1, node.lists == 0, isAnObject(index), shapes.isObject(index),
        !shapes.isSplit(index)
      else { continue }
      let keys = shapes.keys(of: index)
      guard keys.count >= 2 else { continue }
      let collection = shapes.collection(of: index)?.prefix
      let known = groups.firstIndex { group in
        if areOthers(group.places[0], index, collection) || holdOtherBodies(group.places[0], index) {
          return false
        }
        let shared = group.keys.intersection(keys).count
        return shared * 5 >= (group.keys.count + keys.count - shared) * 4
      }
      if let known { groups[known].places.append(index) } else { groups.append((keys, [index])) }
    }
    for group in groups where group.places.count >= Self.fewestFiles {
      for other in group.places.dropFirst() { shapes.tree.merge(group.places[0], other) }
    }
  }

  /// Whether objects of two places go by addresses that begin differently, or by names of which none is one of the others, though
  /// their identities are.
  private func areOthers(_ first: Int32, _ second: Int32, _ collection: String?) -> Bool {
    if sayOtherKinds(first, second) { return true }
    if let collection, let other = shapes.collection(of: first)?.prefix, other != collection { return true }
    guard let one = strongIdentity(of: first), let other = strongIdentity(of: second) else { return false }
    return contradict(candidate(first), candidate(second), one, other)
  }

  /// Whether documents have a dictionary and an object under one key that says nothing of them, or objects without a key in common: the
  /// `body` of an answer.
  private func holdOtherBodies(_ first: Int32, _ second: Int32) -> Bool {
    shapes.children(of: first).contains { child in
      guard GenericNames.isWrapper(shapes.key(of: child)), shapes.isObject(child),
        let twin = shapes.child(of: second, named: shapes.key(of: child)), shapes.isObject(twin)
      else { return false }
      if shapes.isDictionary(child) || shapes.isDictionary(twin) {
        return shapes.isDictionary(child) != shapes.isDictionary(twin)
      }
      let (keys, others) = (shapes.keys(of: child), shapes.keys(of: twin))
      return !keys.isEmpty && !others.isEmpty && keys.isDisjoint(with: others)
    }
  }

  /// Whether an object at a root is more than a wrapper around a list.
  private func isAnObject(_ index: Int32) -> Bool {
    strongIdentity(of: index) != nil
      || !shapes.children(of: index).contains { shapes.listedObjects($0) != nil || shapes[$0].objects > 0 }
  }

  // MARK: - Twins

  /// A feature by which objects at several places are most likely of one entity.
  private struct Twin: Hashable {
    var name: String
    var keys: KeySet
  }

  /// Joins places with one name, the same keys and identities, before all places are compared with each other.
  private func joinTwins() {
    var known: [Twin: Candidate] = [:]
    for index in shapes.objectPlaces() where shapes.find(index) == index {
      let candidate = candidate(index)
      guard candidate.identity != nil, !candidate.name.isEmpty, !isVariant(candidate), !isPart(candidate)
      else {
        continue
      }
      let twin = Twin(name: candidate.name, keys: candidate.keys)
      guard let other = known[twin] else {
        known[twin] = candidate
        continue
      }
      guard shapes.find(other.index) != shapes.find(index), other.sharesKeys(with: candidate),
        areAlike(other, candidate, isNested: isNested(other.index, candidate.index))
      else { continue }
      shapes.tree.join(other.index, index)
    }
  }

  // MARK: - Places

  func candidate(_ index: Int32) -> Candidate {
    Candidate(
      index: index, name: Words.folded(Words.withoutNumber(name(of: index))),
      keys: KeySet(tellingKeys(of: index)), ownKeys: KeySet(shapes.keys(of: index)),
      memberCount: shapes.memberCount(of: index), identity: strongIdentity(of: index),
      kinds: kinds(of: index),
      namesSeveralTypes: referenceTypes(of: index).count > 1,
      collection: shapes.collection(of: index)?.prefix)
  }

  /// The nearest key above objects that says what they are, or else the name of their files.
  func name(of index: Int32) -> String {
    let name = shapes.tree.meaningfulName(of: index)
    return name.isEmpty ? shapes.rootName(of: index) : name
  }

  /// The keys of objects, and those in an envelope such as `fields`, which are what tells one kind of object from another.
  private func tellingKeys(of index: Int32) -> Set<Int32> {
    let keys = shapes.keys(of: index)
    guard !shapes.isSplit(index) else { return keys }
    let children = shapes.children(of: index)
    // Without a value of its own, an object is what its parts are.
    let hasParts = children.count > 1 && children.allSatisfy { shapes[$0].scalars == 0 }
    let inner = children.filter { child in
      (hasParts || FlatObject.isEnvelopeKey(shapes.key(of: child))) && shapes.isObject(child)
        && !shapes.isSplit(child)
    }
    return inner.reduce(into: keys) { $0.formUnion(shapes.keys(of: $1)) }
  }

  /// A place with objects, and what it is compared by. Thousands are compared with each other, so that none is copied.
  final class Candidate {
    let index: Int32
    let name: String
    let keys: KeySet
    /// The keys of the objects alone.
    var ownKeys: KeySet
    /// How many places stood under the keys of the objects when these were noted.
    var memberCount: Int32
    let identity: Int32?
    /// The words that all objects say of their kind, by the key that says it.
    let kinds: [String: String]
    /// Whether the objects name others of several types: as one with any of these, all would be of one type.
    let namesSeveralTypes: Bool
    /// The beginning of the addresses by which others name the objects.
    let collection: String?
    /// The place of the identities that a program made, if there is one; nil while nobody asked.
    var programmedIdentity: Int32??

    init(
      index: Int32, name: String, keys: KeySet, ownKeys: KeySet, memberCount: Int32, identity: Int32?,
      kinds: [String: String], namesSeveralTypes: Bool, collection: String?
    ) {
      self.index = index
      self.name = name
      self.keys = keys
      self.ownKeys = ownKeys
      self.memberCount = memberCount
      self.identity = identity
      self.kinds = kinds
      self.namesSeveralTypes = namesSeveralTypes
      self.collection = collection
    }

    /// Whether objects have keys of their own in common. Around objects with the keys of others stand objects of their own:
    /// `{"move": {"name", "url"}}` is none of these.
    func sharesKeys(with other: Candidate) -> Bool { !ownKeys.isDisjoint(with: other.ownKeys) }
  }
}
