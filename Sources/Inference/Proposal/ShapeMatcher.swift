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

  init(_ shapes: Shapes) {
    self.shapes = shapes
  }

  /// - Throws: ``ImportError`` if the caller cancels.
  mutating func run() throws {
    collapseDictionaries()
    collapsePiecesOfDictionaries()
    try joinKinds()
    joinVariants { $0 > 1 }
    try joinKinds()
    joinVariants { _ in true }
    joinLoneObjects()
    noteReferences()
    try joinAddressed()
    joinFiles()
    joinTwins()
    // What was joined may make others alike.
    for _ in 0..<4 {
      guard try joinAlike() else { break }
      collapseDictionaries()
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
      if DictionaryEvidence(index, shapes.tree).isDictionary, !shapes.tree.holdsItself(index) {
        shapes.tree.collapse(index)
      }
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
      if !shapes.keptApart.contains(index), !KindEvidence(index, shapes).areKinds {
        shapes.tree.unsplit(index)
      }
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
        !shapes.tree.children(of: index).contains(where: { shapes.tree.stands(element, in: $0) })
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
        if areOthers(group.places[0], index, collection) { return false }
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
    if let collection, let other = shapes.collection(of: first)?.prefix, other != collection { return true }
    guard let one = strongIdentity(of: first), let other = strongIdentity(of: second) else { return false }
    return contradict(candidate(first), candidate(second), one, other)
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
    var keys: Set<Int32>
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
      guard shapes.find(other.index) != shapes.find(index), areAlike(other, candidate) else { continue }
      shapes.tree.join(other.index, index)
    }
  }

  // MARK: - Places

  func candidate(_ index: Int32) -> Candidate {
    Candidate(
      index: index, name: Words.folded(Words.withoutNumber(name(of: index))),
      keys: tellingKeys(of: index), identity: strongIdentity(of: index), kinds: kinds(of: index),
      namesSeveralTypes: referenceTypes(of: index).count > 1,
      collection: shapes.collection(of: index)?.prefix)
  }

  /// The nearest key above objects that says what they are, or else the name of their files.
  private func name(of index: Int32) -> String {
    let name = shapes.tree.meaningfulName(of: index)
    guard name.isEmpty else { return name }
    var outer = index
    while shapes.tree[outer].parent >= 0 { outer = shapes.tree[outer].parent }
    return shapes.rootNames[outer] ?? ""
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

  /// A place with objects, and what it is compared by.
  struct Candidate {
    var index: Int32
    var name: String
    var keys: Set<Int32>
    var identity: Int32?
    /// The words that all objects say of their kind, by the key that says it.
    var kinds: [String: String]
    /// Whether the objects name others of several types: as one with any of these, all would be of one type.
    var namesSeveralTypes: Bool
    /// The beginning of the addresses by which others name the objects.
    var collection: String?
  }

  /// Joins what is alike. True if anything was.
  private func joinAlike() throws -> Bool {
    let places = shapes.objectPlaces().prefix(Self.mostPlaces)
    var candidates = places.map(candidate)
    candidates.removeAll { $0.keys.isEmpty || isPart($0) }
    var didJoin = false
    for (place, first) in candidates.enumerated() {
      try shapes.checkCancellation()
      for second in candidates[(place + 1)...] {
        // What a key like `type` tells apart stays apart.
        guard !isVariant(first), !isVariant(second), shapes.find(first.index) != shapes.find(second.index),
          areAlike(first, second)
        else { continue }
        noteShortForm(first, second)
        noteEmptyForm(first, second)
        noteEmptyForm(second, first)
        let unique = uniqueApart(first.index, second.index)
        shapes.tree.join(first.index, second.index)
        shapes.uniqueApart.formUnion(unique.map(shapes.find))
        didJoin = true
      }
    }
    return didJoin
  }

  /// Whether objects are no objects of the model, however much they are like others.
  func isPart(_ candidate: Candidate) -> Bool {
    isLink(candidate) || isScalar(candidate) || isAddress(candidate)
      || FlatObject.tellsOfOwner(candidate.index, shapes)
  }

  /// Whether objects only name others by a type and an identity.
  private func isLink(_ candidate: Candidate) -> Bool {
    guard shapes.dialect == .jsonapi, shapes.tree.ownerName(of: candidate.index) == "data" else {
      return false
    }
    return candidate.keys.count <= 3
  }

  /// Whether objects hold a list under a key that says nothing: pages are alike whatever is on them.
  private func isWrapper(_ candidate: Candidate) -> Bool {
    shapes.children(of: candidate.index).contains { child in
      let key = shapes.key(of: child)
      return GenericNames.isWrapper(key) && key != "children" && shapes.listedObjects(child) != nil
    }
  }

  /// The place of the values that identify objects by the name of their key; nil if objects lack them, or if
  /// several objects have one.
  func strongIdentity(of index: Int32) -> Int32? {
    let node = shapes[index]
    guard node.identity >= 0, node.identityRank <= IdentityNames.strongest else {
      return identityByFileName(of: index)
    }
    let identity = shapes[node.identity]
    guard identity.total >= node.objects, identity.nulls == 0, identity.emptyTexts == 0 else { return nil }
    return isRefuted(node) ? nil : shapes.find(node.identity)
  }

  /// The place of the values that identify objects at the top by the name of their files, as `answer_id` in `answers.json`: while
  /// they were read, only the keys around them had a say.
  private func identityByFileName(of index: Int32) -> Int32? {
    let objects = shapes[index].objects
    guard isAtTop(index), shapes.tree.meaningfulName(of: index).isEmpty, !shapes.isSplit(index) else {
      return nil
    }
    let owner = name(of: index)
    let child = shapes.children(of: index).first { child in
      IdentityNames.rank(of: shapes.key(of: child), owner: owner).map { $0 <= IdentityNames.strongest }
        ?? false
    }
    guard !owner.isEmpty, let child else { return nil }
    let identity = shapes[child]
    guard identity.integers + identity.strings == objects, identity.total == objects,
      identity.emptyTexts == 0,
      identity.values.areUnique
    else { return nil }
    return shapes.find(child)
  }

  /// Whether values of the identity came again with something else: then they identify nothing.
  private func isRefuted(_ node: ShapeNode) -> Bool {
    let (repeats, conflicts) = node.knownRepetitions
    return conflicts * 10 >= max(1, repeats)
  }

  /// Whether lists of several objects say different things of most objects that they share.
  private func isRefutedInLists(_ node: ShapeNode) -> Bool {
    let listed = node.listed.firsts
    return listed.withPartners > 0
      && listed.withPartners * 2 >= (node.repetitions.repeats >> node.listed.level)
  }

  func isVariant(_ candidate: Candidate) -> Bool {
    shapes[candidate.index].flags.contains(.variant)
  }

  private func contains(_ outer: Int32, _ inner: Int32) -> Bool {
    var index = inner
    for _ in 0..<600 where index >= 0 {
      if index == outer { return true }
      index = shapes[index].parent
    }
    return false
  }

  private func areAlike(_ first: Candidate, _ second: Candidate) -> Bool {
    // Objects inside of others are compared last, since it takes long.
    mayBeAlike(first, second)
      && !(first.identity == nil && second.identity == nil && holdOthers(first.index, second.index))
  }

  private func mayBeAlike(_ first: Candidate, _ second: Candidate) -> Bool {
    guard mayMix(first, second) else { return false }
    if let one = first.collection, let other = second.collection, one != other { return false }
    if areOfOtherTypes(first, second) { return false }
    // An object and what is in its envelope have the envelope's keys both.
    let isNested = isNested(first.index, second.index)
    let keys = isNested ? shapes.keys(of: first.index) : first.keys
    let others = isNested ? shapes.keys(of: second.index) : second.keys
    let shared = keys.intersection(others).count
    guard shared > 0 else { return false }
    // Around objects with the keys of others stand objects of their own: `{"move": {"name", "url"}}` is none of these.
    if shapes.keys(of: first.index).isDisjoint(with: shapes.keys(of: second.index)) { return false }
    let smaller = Double(shared) / Double(min(keys.count, others.count))
    let all = Double(shared) / Double(keys.count + others.count - shared)
    // A list with keys of its own, such as `kind` and `metadata`, is none of its items.
    if isNested, first.identity == nil, second.identity == nil, isWrapper(first) || isWrapper(second),
      !isTree(first.index, second.index)
    {
      return false
    }
    let sameName = !first.name.isEmpty && first.name == second.name
    // A name such as `records` says nothing of types.
    if !sameName || GenericNames.isWrapper(first.name), !areOfOneType(first, second, all, shared) {
      return false
    }
    if sameName, shared >= 2 || all == 1 {
      if let one = first.identity, let other = second.identity {
        return smaller >= 0.6 && !contradict(first, second, one, other) && mayBeSame(one, other)
          && (all < 1 || areOfOneType(first, second, all, shared)
            || shapes[one].values.overlap(with: shapes[other].values).found == 0)
      }
      // Objects without identity belong to the object around them, or at the top to their source. As one with objects that
      // have an identity, they would take it from those.
      let belongs =
        first.identity == nil && second.identity == nil && isAtTop(first.index) == isAtTop(second.index)
      if all >= 0.5, isInList(first.index) == isInList(second.index), belongs { return true }
    }
    if let one = first.identity, let other = second.identity {
      if sameName, isTold(twice: one, other) { return true }
      if contradict(first, second, one, other) || all >= 0.8 && areNeverTheSame(first, second, one, other) {
        return false
      }
      if shared >= 2, smaller >= 0.7, haveSameObjects(first.index, second.index) { return true }
      if shared < 10, areNamedApart(first, second, one, other, isNested: isNested) { return false }
      if all >= 0.8, shared >= 5 { return true }
      if shared >= 2, smaller == 1, areWords(one),
        shapes[one].values.overlap(with: shapes[other].values).found > 0
      {
        return true
      }
      if shared >= 3, all >= 0.8, isNested { return true }
      if smaller == 1, shapes.areLong(one), shapes.areLong(other), haveSameLabels(first, second, one, other) {
        return true
      }
      guard shared >= 4, smaller >= 0.7 else { return false }
      // Small numbers are the same in any two kinds of objects.
      guard
        areWords(one) || shapes[one].minimum > Self.smallNumbers
          || isNested && haveSameObjects(first.index, second.index)
      else { return false }
      return shapes[one].values.overlap(with: shapes[other].values).found > 0
    }
    if shared >= 2, smaller >= 0.7, haveSameNames(first.index, second.index) { return true }
    if shared >= 3, smaller >= 0.7, isAmong(first, second) || isAmong(second, first) { return true }
    guard first.identity == nil, second.identity == nil else { return false }
    return isNested && isTree(first.index, second.index) && all >= 0.6 && shared >= 3 && !isWrapper(first)
      && !isWrapper(second)
  }

  /// Whether objects, too few to show what identifies them, are among those of another place: they have the same identities, which
  /// nothing has by chance, and the same names.
  private func isAmong(_ few: Candidate, _ many: Candidate) -> Bool {
    guard few.identity == nil, shapes[few.index].objects < shapes[many.index].objects,
      let identity = many.identity ?? shapes.children(of: many.index).first,
      LinkName(shapes.key(of: identity)).hasEnding, shapes.areMadeByProgram(identity),
      shapes[identity].values.areUnique, shapes[identity].scalars == shapes[many.index].objects,
      let twin = shapes.child(of: few.index, named: shapes.key(of: identity)),
      shapes[twin].scalars == shapes[few.index].objects
    else { return false }
    return shapes[twin].values.overlap(with: shapes[identity].values).found > 0
      && shareLabels(few.index, many.index)
  }

  /// Whether identities of two places may be those of one entity: they have one key, or values in common. Where objects have an `id`
  /// at one place only, none would be left for all.
  private func mayBeSame(_ one: Int32, _ other: Int32) -> Bool {
    shapes.keyNumber(of: one) == shapes.keyNumber(of: other)
      || shapes[one].values.overlap(with: shapes[other].values).found > 0
  }

  /// Whether the scalars that came beside objects at one of two places, if any did, are identities of objects at the other. As one
  /// place, all would be kept as JSON otherwise.
  private func mayMix(_ first: Candidate, _ second: Candidate) -> Bool {
    let mixed = [first, second].filter { shapes[$0.index].scalars > 0 }
    guard mixed.count == 1 else { return true }
    let whole = mixed[0].index == first.index ? second : first
    guard let identity = whole.identity else { return false }
    let (found, compared) = shapes[mixed[0].index].values.overlap(with: shapes[identity].values)
    return found > 0 && found * 2 >= compared
  }

  /// Whether objects stand in others under a key that they have themselves, as the nodes of a tree do.
  private func isTree(_ first: Int32, _ second: Int32) -> Bool {
    let (outer, inner) = contains(first, second) ? (first, second) : (second, first)
    var (index, step) = (inner, inner)
    for _ in 0..<600 where index >= 0 && index != outer {
      if shapes.tree[index].key >= 0 { step = index }
      index = shapes[index].parent
    }
    return shapes.keys(of: inner).contains(shapes.keyNumber(of: step))
  }

  /// Whether objects stand for scalars, as `{"$oid": "5f43"}` does, or have nothing but what tells of them, as `{"sys": {…}}`: those
  /// of any two keys are alike.
  private func isScalar(_ candidate: Candidate) -> Bool {
    let keys = shapes.keys(of: candidate.index).map { shapes.tree.text(ofKey: $0) }
    return keys.count == 1 && (keys[0].hasPrefix("$") || FlatObject.isHeader(keys[0]))
  }

  /// Whether objects are the addresses in `_links`, or these as a whole: those of all objects are alike.
  private func isAddress(_ candidate: Candidate) -> Bool {
    let places = [candidate.index, shapes.tree[candidate.index].parent]
    return places.contains { $0 >= 0 && shapes.tree[$0].key >= 0 && shapes.key(of: $0) == "_links" }
  }

  /// Whether objects without identity hold, under the same keys, objects with the same identities that say to be of different types,
  /// as the associations of contacts and of deals do.
  private func holdOthers(_ first: Int32, _ second: Int32, depth: Int = 0) -> Bool {
    guard depth < 3, !shapes.isSplit(first), !shapes.isSplit(second) else { return false }
    return shapes.children(of: first).contains { child in
      guard let twin = shapes.child(of: second, named: shapes.key(of: child)),
        shapes.find(twin) != shapes.find(child),
        let one = shapes.listedObjects(child) ?? (shapes.isObject(child) ? child : nil),
        let other = shapes.listedObjects(twin) ?? (shapes.isObject(twin) ? twin : nil)
      else { return false }
      let (inner, others) = (candidate(one), candidate(other))
      guard let identity = inner.identity, let twinIdentity = others.identity else {
        return holdOthers(one, other, depth: depth + 1)
      }
      return !areOfOneType(inner, others, 0, 0)
        && shapes[identity].values.overlap(with: shapes[twinIdentity].values).found > 0
    }
  }

  // MARK: - Evidence

  /// The places of values that no two objects have at either of two places.
  private func uniqueApart(_ first: Int32, _ second: Int32) -> [Int32] {
    shapes.children(of: first).filter { child in
      guard LinkName(shapes.key(of: child)).hasEnding,
        let twin = shapes.child(of: second, named: shapes.key(of: child))
      else { return false }
      return [child, twin].allSatisfy {
        shapes[$0].values.areUnique || shapes.uniqueApart.contains(shapes.find($0))
      }
    }
  }

  /// Whether objects under one name have the same identities under the same key, such as `station_id`, and not by chance: each place
  /// tells something else of them.
  private func isTold(twice one: Int32, _ other: Int32) -> Bool {
    guard shapes.keyNumber(of: one) == shapes.keyNumber(of: other) else { return false }
    let (found, compared) = shapes[one].values.overlap(with: shapes[other].values)
    // Numbers are the same by chance, unless all are, and their key has the name of the objects.
    guard areWords(one) && areWords(other) else {
      return found >= 3 && found == compared && shapes[other].values.count == found
        && LinkName(shapes.key(of: one)).stem != Words.words(shapes.key(of: one))
    }
    return found >= 2 && found * 2 >= compared
  }

  /// Whether objects of two places have identities in common, and nothing else: then equal identities mean different
  /// objects.
  private func contradict(_ first: Candidate, _ second: Candidate, _ one: Int32, _ other: Int32) -> Bool {
    guard shapes[one].values.overlap(with: shapes[other].values).found > 0,
      !haveSameObjects(first.index, second.index)
    else { return false }
    var (compared, agreeing) = (0, 0)
    let isAlone = standsAlone(first.index, in: second.index) || standsAlone(second.index, in: first.index)
    for child in shapes.children(of: first.index) where shapes.find(child) != one {
      guard let twin = shapes.child(of: second.index, named: shapes.key(of: child)) else { continue }
      let (own, others) = (shapes[child], shapes[twin])
      // Words that many objects have say nothing, unless each is a word of one object about the other inside it.
      guard own.strings > own.emptyTexts, others.strings > others.emptyTexts,
        isAlone || own.values.count > 1 || own.strings == 1,
        isAlone || others.values.count > 1 || others.strings == 1
      else { continue }
      compared += 1
      if own.values.overlap(with: others.values).found > 0 { agreeing += 1 }
    }
    return compared > 0 && agreeing * 2 < compared
  }

  /// Whether each object of a place stands under a key of an object of another place, in no list.
  private func standsAlone(_ inner: Int32, in outer: Int32) -> Bool {
    let parent = shapes.tree[inner].parent
    return parent >= 0 && shapes.tree[inner].key >= 0 && shapes.find(parent) == shapes.find(outer)
  }

  /// Whether objects of two places have identities in common, and each says something else of the object there.
  private func areNeverTheSame(_ first: Candidate, _ second: Candidate, _ one: Int32, _ other: Int32) -> Bool
  {
    guard shapes.key(of: one) == shapes.key(of: other),
      shapes[one].values.overlap(with: shapes[other].values).found > 0
    else { return false }
    let (listed, others) = (shapes[first.index].listed, shapes[second.index].listed)
    // Lists that say something else of each object they share, such as a role, are of two kinds.
    if listed.count > 0, others.count > 0, listed.overlap(with: others).found == 0 { return true }
    return !haveSameObjects(first.index, second.index) && !shareLabels(first.index, second.index)
  }

  /// Whether objects go by names of which none is a role of the other's, and no identity came at both places though none of these
  /// is another object's by chance: the areas and the labels of artists have the keys of these, and are none.
  private func areNamedApart(
    _ first: Candidate, _ second: Candidate, _ one: Int32, _ other: Int32, isNested: Bool
  ) -> Bool {
    let names = [first, second].map { name(of: $0.index) }
    let folded = [first.name, second.name]
    guard folded.allSatisfy({ !$0.isEmpty && !GenericNames.isWrapper($0) }),
      !folded[0].hasSuffix(folded[1]), !folded[1].hasSuffix(folded[0]),
      !names.contains(where: { LinkName.isRole($0) && !LinkName.isInWork($0) || LinkName.isOfItsKind($0) }),
      !LinkName.arePeople(first.keys.union(second.keys).map { shapes.tree.text(ofKey: $0) }),
      shapes.areLong(one), shapes.areLong(other), haveKeysOfAny(first, second)
    else { return false }
    let fewest = isNested ? 2 : 5
    return shapes[one].values.estimatedCount >= fewest && shapes[other].values.estimatedCount >= fewest
      && shapes[one].values.overlap(with: shapes[other].values).found == 0
  }

  /// Whether most keys that objects of two places share are such as objects of any kind have.
  private func haveKeysOfAny(_ first: Candidate, _ second: Candidate) -> Bool {
    let shared = first.keys.intersection(second.keys).map { shapes.tree.text(ofKey: $0) }
    let general = shared.filter { key in
      GenericNames.isOfAnyObject(key) || ["name", "type"].contains { Words.words(key).contains($0) }
    }
    return general.count * 2 >= shared.count
  }

  /// Whether objects of two places have a name or an address in common. They may have more names at one of them.
  func shareLabels(_ first: Int32, _ second: Int32) -> Bool {
    shapes.children(of: first).contains { child in
      guard !LabelNames.flags(of: shapes.key(of: child)).isDisjoint(with: [.label, .address]),
        let twin = shapes.child(of: second, named: shapes.key(of: child))
      else { return false }
      return shapes[child].values.overlap(with: shapes[twin].values).found > 0
    }
  }

  /// Whether objects of two places have the same names or addresses that tell them apart: the same people under two keys.
  private func haveSameNames(_ first: Int32, _ second: Int32) -> Bool {
    let (one, other) = (shapes[first], shapes[second])
    guard one.identity >= 0, other.identity >= 0, one.identityRank < IdentityNames.weakest,
      shapes.key(of: one.identity) == shapes.key(of: other.identity)
    else { return false }
    // An object's texts change from document to document, but what only may be an identity is none then.
    let isSure = max(one.identityRank, other.identityRank) <= IdentityNames.strongest
    guard isSure || !isRefuted(one) && !isRefuted(other) else { return false }
    // Lists that say something else of an object each time, as of the participants of topics, have objects of their own.
    // Of a few objects it is not known.
    let refuted = [one, other].map(isRefutedInLists)
    guard refuted[0] == refuted[1] || shapes.areLong(one.identity) || (refuted[0] ? other : one).objects < 3
    else {
      return false
    }
    let (found, compared) = overlapOfFewer(one.identity, other.identity)
    return found > 0 && found * 2 >= compared && one.contents.overlap(with: other.contents).found > 0
  }

  /// Whether nearly all objects of the place with fewer came at the other one too, and so did their names and addresses.
  private func haveSameLabels(_ first: Candidate, _ second: Candidate, _ one: Int32, _ other: Int32) -> Bool {
    guard shapes.key(of: one) == shapes.key(of: other), areShared(one, other) else { return false }
    var hasLabel = false
    for child in shapes.children(of: first.index) where shapes.find(child) != shapes.find(one) {
      let flags = LabelNames.flags(of: shapes.key(of: child))
      guard !flags.isDisjoint(with: [.label, .address]) else { continue }
      guard let twin = shapes.child(of: second.index, named: shapes.key(of: child)) else { continue }
      guard shapes[child].strings > 0, shapes[twin].strings > 0, areShared(child, twin) else { return false }
      hasLabel = true
    }
    return hasLabel
  }

  /// Whether several values, and nearly all of the place with fewer, came at two places.
  private func areShared(_ first: Int32, _ second: Int32) -> Bool {
    let (found, compared) = overlapOfFewer(first, second)
    return found >= 2 && found * 10 >= compared * 9
  }

  /// How many values of the place with fewer came at the other one too.
  func overlapOfFewer(_ first: Int32, _ second: Int32) -> (found: Int, compared: Int) {
    let (one, other) = (shapes[first].values, shapes[second].values)
    return one.count <= other.count ? one.overlap(with: other) : other.overlap(with: one)
  }

  /// Whether identities are texts rather than numbers, which any two kinds of objects may have alike.
  private func areWords(_ identity: Int32) -> Bool {
    shapes[identity].strings > 0 && !shapes[identity].forms.contains(.integer)
  }

  /// Whether an object came at both places, with the same texts in it.
  func haveSameObjects(_ first: Int32, _ second: Int32) -> Bool {
    shapes[first].contents.overlap(with: shapes[second].contents).found > 0
  }

  /// Whether objects stand at the root, in a list there, or in a list under a key of the root's object.
  func isAtTop(_ index: Int32) -> Bool {
    var index = index
    while shapes.tree[index].parent >= 0, shapes.tree[index].key < 0 { index = shapes.tree[index].parent }
    let outer = shapes.tree[index].parent
    return outer < 0 || shapes.tree[outer].parent < 0
  }

  func isInList(_ index: Int32) -> Bool { shapes.tree[index].key < 0 }

  private func isNested(_ first: Int32, _ second: Int32) -> Bool {
    contains(first, second) || contains(second, first)
  }
}
