import Mapping
import ObjectModel

/// Places whose objects are alike, and the evidence that they are of one entity.
extension ShapeMatcher {
  /// Joins what is alike. True if anything was.
  func joinAlike() throws -> Bool {
    let places = shapes.objectPlaces().prefix(Self.mostPlaces)
    var candidates = places.map(candidate)
    candidates.removeAll { $0.keys.isEmpty || isPart($0) }
    var nesting = Nesting(candidates.map(\.index), shapes)
    var wholes = candidates.map { shapes.find($0.index) }
    var didJoin = false
    for place in candidates.indices where !isVariant(candidates[place]) {
      try shapes.checkCancellation()
      for other in candidates.indices.dropFirst(place + 1) where wholes[place] != wholes[other] {
        guard candidates[place].sharesKeys(with: candidates[other]),
          join(candidates[place], candidates[other], isNested: nesting.isOneInTheOther(place, other))
        else { continue }
        didJoin = true
        for index in candidates.indices { wholes[index] = shapes.find(wholes[index]) }
        noteOwnKeys(of: candidates, wholes)
        nesting.update()
      }
    }
    return didJoin
  }

  /// Joins two places if they are alike. True if they were two, and are one now.
  private func join(_ first: Candidate, _ second: Candidate, isNested: Bool) -> Bool {
    // Kinds that a key like `type` tells apart stay apart.
    guard !isVariant(second), shapes.find(first.index) != shapes.find(second.index),
      areAlike(first, second, isNested: isNested), !holdShortForms(first, second)
    else { return false }
    noteShortForm(first, second)
    noteEmptyForm(first, second)
    noteEmptyForm(second, first)
    let unique = uniqueApart(first.index, second.index)
    shapes.tree.join(first.index, second.index)
    shapes.uniqueApart.formUnion(unique.map(shapes.find))
    return true
  }

  /// Notes the keys that objects have since other places became one with theirs.
  private func noteOwnKeys(of candidates: [Candidate], _ wholes: [Int32]) {
    var keys: [Int32: KeySet] = [:]
    for (candidate, whole) in zip(candidates, wholes) {
      let count = shapes.memberCount(of: whole)
      guard count != candidate.memberCount else { continue }
      let own = keys[whole] ?? KeySet(shapes.keys(of: whole))
      keys[whole] = own
      candidate.ownKeys = own
      candidate.memberCount = count
    }
  }

  /// Whether objects are no objects of the model, however much they are like others.
  func isPart(_ candidate: Candidate) -> Bool {
    isLink(candidate) || isScalar(candidate) || isAddress(candidate)
      || FlatObject.tellsOfOwner(candidate.index, shapes)
      || FlatObject.isOfSeveralKinds(candidate.index, shapes) || FlatObject.isState(candidate.index, shapes)
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
      return shapes.identityAmong(identitiesOf: index) ?? identityByFileName(of: index)
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

  /// Whether values of the identity came again with something else in one document.
  private func isRefutedWithin(_ node: ShapeNode) -> Bool {
    let conflicts = node.conflictsWithin
    return conflicts > 0 && conflicts * 10 >= node.knownRepetitions.repeats
  }

  /// Whether lists of several objects say different things of most objects that they share.
  private func isRefutedInLists(_ node: ShapeNode) -> Bool {
    let listed = node.listed.firsts
    return listed.withPartners > 0
      && listed.withPartners * 2 >= (node.repetitions.repeats >> node.listed.level)
  }

  func isVariant(_ candidate: Candidate) -> Bool {
    shapes.flags(of: candidate.index).contains(.variant)
  }

  private func contains(_ outer: Int32, _ inner: Int32) -> Bool {
    var index = inner
    for _ in 0..<Self.deepest where index >= 0 {
      if index == outer { return true }
      index = shapes[index].parent
    }
    return false
  }

  /// Whether objects of two places, which share keys, are of one entity.
  ///
  /// - Parameter isNested: Whether one of them stands in the other.
  func areAlike(_ first: Candidate, _ second: Candidate, isNested: Bool) -> Bool {
    // Objects inside of others are compared last, since it takes long.
    mayBeAlike(first, second, isNested: isNested)
      && !(first.identity == nil && second.identity == nil && holdOthers(first.index, second.index))
      && !holdStrangers(first.index, second.index)
  }

  /// Whether objects hold under one key objects with an identity and others that have neither this nor other keys of theirs: the author of a
  /// commit is an account at one place, and a name with an address at the other. As one place, the accounts would lose their identity.
  private func holdStrangers(_ first: Int32, _ second: Int32) -> Bool {
    guard !shapes.isSplit(first), !shapes.isSplit(second) else { return false }
    return shapes.children(of: first).contains { child in
      guard shapes.isObject(child), !shapes.isSplit(child),
        let twin = shapes.child(of: second, named: shapes.key(of: child)), shapes.isObject(twin),
        !shapes.isSplit(twin),
        shapes.find(twin) != shapes.find(child)
      else { return false }
      let (one, other) = (candidate(child), candidate(twin))
      guard let identity = one.identity ?? other.identity, (one.identity == nil) != (other.identity == nil)
      else { return false }
      let others = one.identity == nil ? one : other
      return !others.ownKeys.numbers.contains(shapes.keyNumber(of: identity)) && others.ownKeys.count > 1
        && one.ownKeys.sharedCount(with: other.ownKeys) == 0
    }
  }

  private func mayBeAlike(_ first: Candidate, _ second: Candidate, isNested: Bool) -> Bool {
    guard mayMix(first, second) else { return false }
    if let one = first.collection, let other = second.collection, one != other { return false }
    if areInTwoKinds(first.index, second.index) { return false }
    if areOfOtherTypes(first, second) || haveOtherAddresses(first.index, second.index)
      || haveKeysOfTheirFiles(first, second)
    {
      return false
    }
    // An object and what is in its envelope have the envelope's keys both.
    let keys = isNested ? first.ownKeys : first.keys
    let others = isNested ? second.ownKeys : second.keys
    let shared = keys.sharedCount(with: others)
    guard shared > 0 else { return false }
    let smaller = Double(shared) / Double(min(keys.count, others.count))
    let all = Double(shared) / Double(keys.count + others.count - shared)
    // A list with keys of its own, such as `kind` and `metadata`, is none of its items.
    if isNested, first.identity == nil, second.identity == nil, isWrapper(first) || isWrapper(second),
      !isTree(first.index, second.index)
    {
      return false
    }
    let sameName = !first.name.isEmpty && first.name == second.name
    // Lists under `results` in two files may be of two kinds.
    let isNamed =
      sameName
      && (!GenericNames.isWrapper(first.name) || all >= 0.5 && !areOfOtherFiles(first.index, second.index))
    // A name such as `records` says nothing of types.
    if !sameName || GenericNames.isWrapper(first.name), !areOfOneType(first, second, all, shared) {
      return false
    }
    if sameName, shared >= 2 || all == 1 {
      if isNamed, let one = first.identity, let other = second.identity {
        return smaller >= 0.6 && !contradict(first, second, one, other) && mayBeSame(one, other)
          && (all < 1 || areOfOneType(first, second, all, shared)
            || shapes[one].values.overlap(with: shapes[other].values).found == 0)
      }
      // Objects without identity belong to the object around them, or at the top to their source. As one with objects that
      // have an identity, they would take it from those.
      let belongs =
        first.identity == nil && second.identity == nil && isAtTop(first.index) == isAtTop(second.index)
      if all >= 0.5, belongs,
        isInList(first.index) == isInList(second.index) || all >= 0.8 && areListAndOne(first, second),
        !areValuesOfOthers(first.index, second.index)
      {
        return true
      }
    }
    if shared >= 4, smaller == 1, saysNoMore(first, second) || saysNoMore(second, first) { return true }
    if shared >= 3, smaller == 1, areOneObject(first, second) || areOneObject(second, first) { return true }
    if let one = first.identity, let other = second.identity {
      if isNamed, isTold(twice: one, other) { return true }
      if contradict(first, second, one, other) || all >= 0.8 && areNeverTheSame(first, second, one, other)
        || isNested && repeatsIdentity(first, second, one, other)
      {
        return false
      }
      if shared >= 2, smaller >= 0.7, haveSameObjects(first.index, second.index) {
        return !mayBeSameByChance(first, second, one, other)
      }
      if all == 1, shared >= 2, areSidesOfOne(first, second) { return true }
      if smaller == 1, standFor(first, second, one, other) || standFor(second, first, other, one) {
        return true
      }
      if shared < 10, areNamedApart(first, second, one, other, isNested: isNested) { return false }
      if all >= 0.8, shared >= 5 { return true }
      if shared >= 2, smaller == 1, areWords(one),
        shapes[one].values.overlap(with: shapes[other].values).found > 0
      {
        return true
      }
      if shared >= 3, all >= 0.8, isNested { return true }
      if smaller == 1, shapes.areLong(one), shapes.areLong(other),
        haveSameLabels(first, second, one, other)
      {
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
    // The source identifies the objects at its top, and no others.
    guard first.identity == nil, second.identity == nil, isAtTop(first.index) == isAtTop(second.index) else {
      return false
    }
    if shared >= 8, all >= 0.8, areListsOfOne(first.index, second.index) { return true }
    if shared >= 3, all == 1, areRolesOfPeople(first, second) { return true }
    guard isNested, shared >= 3, all >= 0.6, isTree(first.index, second.index) else { return false }
    return !isWrapper(first) && !isWrapper(second) || smaller == 1
  }

  /// Whether objects are all that two kinds of objects have, besides the word that tells these apart: `{"type": "domain", "data": {…}}` and
  /// `{"type": "volume", "data": {…}}`.
  private func areInTwoKinds(_ first: Int32, _ second: Int32) -> Bool {
    let kinds = [first, second].map { shapes.tree[$0].parent }
    return shapes.tree[first].key >= 0 && shapes.tree[first].key == shapes.tree[second].key
      && kinds[0] != kinds[1]
      && FlatObject.isEnvelopeKey(shapes.key(of: first))
      && kinds.allSatisfy { $0 >= 0 && shapes.flags(of: $0).contains(.variant) }
      && shapes.tree[kinds[0]].parent == shapes.tree[kinds[1]].parent
  }

  /// Whether objects stand at the top of files that are called something else: `disks.json` and `firewalls.json`.
  private func areOfOtherFiles(_ first: Int32, _ second: Int32) -> Bool {
    let names = [first, second].map { Words.entityName(shapes.rootName(of: $0)) }
    return isAtTop(first) && isAtTop(second) && root(of: first) != root(of: second)
      && names.allSatisfy { !$0.isEmpty }
      && names[0] != names[1]
  }

  /// Whether the objects of two places with the same names have addresses of their own that begin in other ways, each with one word more
  /// than the identity: `…/sites/21/` and `…/roles/21/`.
  private func haveOtherAddresses(_ first: Int32, _ second: Int32) -> Bool {
    guard let one = ownAddresses(of: first), let other = ownAddresses(of: second) else { return false }
    return one != other
  }

  /// Whether objects at the top of two files are identified by keys that are called like these, and that the others lack: the customers
  /// by `CustomerID`, the suppliers by `SupplierID`.
  private func haveKeysOfTheirFiles(_ first: Candidate, _ second: Candidate) -> Bool {
    guard let one = first.identity, let other = second.identity, isAtTop(first.index), isAtTop(second.index),
      root(of: first.index) != root(of: second.index),
      shapes.keyNumber(of: one) != shapes.keyNumber(of: other)
    else { return false }
    return [(first, one, second), (second, other, first)].allSatisfy { own, identity, others in
      Words.words(shapes.key(of: identity)).count > 1
        && !others.keys.numbers.contains(shapes.keyNumber(of: identity))
        && IdentityNames.rank(of: shapes.key(of: identity), owner: name(of: own.index)) != nil
    }
  }

  /// The beginning that the addresses of all objects share, if they end with the identities; nil if there is none.
  private func ownAddresses(of index: Int32) -> String? {
    guard let identity = shapes[index].identity >= 0 ? shapes[index].identity : nil else { return nil }
    let links = ["links", "_links"].compactMap { shapes.child(of: index, named: $0) }.filter(shapes.isObject)
    let selves = links.compactMap { shapes.child(of: $0, named: "self") }
    let addresses =
      ["url", "href", "self", "selfLink"].compactMap { shapes.child(of: index, named: $0) } + selves
      + selves.filter(shapes.isObject).compactMap { shapes.child(of: $0, named: "href") }
    return addresses.lazy.compactMap { child -> String? in
      let node = shapes[child]
      guard node.strings == shapes[index].objects, node.flags.contains(.slashes),
        !node.flags.contains(.mixedPrefixes)
      else { return nil }
      let (found, compared) = node.tails.overlap(with: shapes[identity].values)
      return compared > 0 && found == compared ? shapes.tree.prefixes[shapes.find(child)] : nil
    }.first
  }

  /// Whether objects, too few to show what identifies them, or inside of others, as the parents of commits are, are among those of another
  /// place: they have the same identities, which nothing has by chance, and the same names.
  private func isAmong(_ few: Candidate, _ many: Candidate) -> Bool {
    guard few.identity == nil, let identity = programmedIdentity(of: many),
      shapes[few.index].objects < shapes[many.index].objects || contains(many.index, few.index),
      shapes[identity].values.areUnique, shapes[identity].scalars == shapes[many.index].objects,
      let twin = shapes.child(of: few.index, named: shapes.key(of: identity)),
      shapes[twin].scalars == shapes[few.index].objects
    else { return false }
    return shapes[twin].values.overlap(with: shapes[identity].values).found > 0
      && shareLabels(few.index, many.index)
  }

  /// The place of the values that identify objects, or of the first ones in them, if these are called like identities and a program made
  /// them.
  private func programmedIdentity(of candidate: Candidate) -> Int32? {
    if let known = candidate.programmedIdentity { return known }
    let identity = candidate.identity ?? shapes.children(of: candidate.index).first
    let found = identity.flatMap { identity in
      let key = shapes.key(of: identity)
      return (LinkName(key).hasEnding || IdentityNames.isHash(key)) && shapes.areMadeByProgram(identity)
        ? identity : nil
    }
    candidate.programmedIdentity = .some(found)
    return found
  }

  /// Whether identities of two places may be those of one entity: they have one key, or values in common. Where objects have an `id`
  /// at one place only, none would be left for all.
  private func mayBeSame(_ one: Int32, _ other: Int32) -> Bool {
    shapes.keyNumber(of: one) == shapes.keyNumber(of: other)
      || shapes[one].values.overlap(with: shapes[other].values).found > 0
  }

  /// Whether no lists came beside the objects of one of two places alone, and the scalars that did, if any, are identities of objects
  /// at the other. As one place, all would be kept as JSON otherwise.
  private func mayMix(_ first: Candidate, _ second: Candidate) -> Bool {
    let (one, other) = (shapes.pointer(first.index), shapes.pointer(second.index))
    // Where lists stand beside objects, the objects are one place with those in the lists first.
    if (one.pointee.lists > 0) != (other.pointee.lists > 0) { return false }
    let areMixed = (one.pointee.scalars > 0, other.pointee.scalars > 0)
    guard areMixed.0 != areMixed.1 else { return true }
    let (mixed, whole) = areMixed.0 ? (one, second) : (other, first)
    guard let identity = whole.identity else { return false }
    let (found, compared) = mixed.pointee.values.overlap(with: shapes[identity].values)
    return found > 0 && found * 2 >= compared
  }

  /// Whether objects stand in others under a key that they have themselves, as the nodes of a tree do, or that some of the others
  /// lack which are like them otherwise: its leaves.
  private func isTree(_ first: Int32, _ second: Int32) -> Bool {
    let (outer, inner) = contains(first, second) ? (first, second) : (second, first)
    var (index, step) = (inner, inner)
    for _ in 0..<Self.deepest where index >= 0 && index != outer {
      if shapes.tree[index].key >= 0 { step = index }
      index = shapes[index].parent
    }
    let key = shapes.keyNumber(of: step)
    if shapes.keys(of: inner).contains(key) { return true }
    let (keys, others) = (shapes.keys(of: inner), shapes.keys(of: outer))
    return shapes[step].parent == outer && shapes[step].total < shapes[outer].objects
      && keys == others.subtracting([key])
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

  /// Whether objects without identity hold others under the same keys: objects with the same identities that say to be of different
  /// types, as the associations of contacts and of deals do, or lists of objects with other keys.
  private func holdOthers(_ first: Int32, _ second: Int32, depth: Int = 0) -> Bool {
    guard depth < 3, !shapes.isSplit(first), !shapes.isSplit(second) else { return false }
    return shapes.children(of: first).contains { child in
      guard let twin = shapes.child(of: second, named: shapes.key(of: child)),
        shapes.find(twin) != shapes.find(child),
        let one = shapes.listedObjects(child) ?? (shapes.isObject(child) ? child : nil),
        let other = shapes.listedObjects(twin) ?? (shapes.isObject(twin) ? twin : nil)
      else { return false }
      let (inner, others) = (candidate(one), candidate(other))
      if GenericNames.isWrapper(shapes.key(of: child)), shapes[child].lists > 0, shapes[twin].lists > 0,
        areStrangers(inner, others)
      {
        return true
      }
      guard let identity = inner.identity, let twinIdentity = others.identity else {
        return holdOthers(one, other, depth: depth + 1)
      }
      return !areOfOneType(inner, others, 0, 0)
        && shapes[identity].values.overlap(with: shapes[twinIdentity].values).found > 0
    }
  }

  /// Whether objects have hardly any keys in common: the tracks of a playlist, each with who added it, and those of an answer.
  private func areStrangers(_ first: Candidate, _ second: Candidate) -> Bool {
    let fewest = min(first.ownKeys.count, second.ownKeys.count)
    return fewest >= 2 && first.ownKeys.sharedCount(with: second.ownKeys) * 2 < fewest
  }

  // MARK: - Evidence

  /// The places of values that no two objects have at either of two places, unless they say the same.
  private func uniqueApart(_ first: Int32, _ second: Int32) -> [Int32] {
    shapes.children(of: first).filter { child in
      let key = shapes.key(of: child)
      guard
        LinkName(key).hasEnding || IdentityNames.isHash(key) && shapes.areMadeByProgram(child)
          || mayBeInSeveralFiles(key) && sayTheSame(first, second, besides: child),
        let twin = shapes.child(of: second, named: key)
      else { return false }
      return [(child, first), (twin, second)].allSatisfy { place, objects in
        shapes[place].values.areUnique || shapes.uniqueApart.contains(shapes.find(place))
          || saysTheSame(of: place, objects)
      }
    }
  }

  /// Whether objects of a place that have the same value say the same, as those do that name a parent of several commits.
  private func saysTheSame(of child: Int32, _ index: Int32) -> Bool {
    let node = shapes[index]
    return node.identity >= 0 && shapes.find(node.identity) == shapes.find(child) && node.contents.count > 0
      && node.knownRepetitions.conflicts == 0
  }

  /// Whether a key says which object an object is, wherever that came.
  private func mayBeInSeveralFiles(_ key: String) -> Bool {
    GenericNames.isAddress(key) || IdentityNames.rank(of: key, owner: "") ?? .max < IdentityNames.unsure
  }

  /// Whether all values that objects of the place with fewer have under keys of both came at the other place too.
  func sayTheSame(_ first: Int32, _ second: Int32, besides identity: Int32) -> Bool {
    shapes.children(of: first).allSatisfy { child in
      guard shapes.find(child) != shapes.find(identity), shapes[child].scalars > 0,
        let twin = shapes.child(of: second, named: shapes.key(of: child)), shapes[twin].scalars > 0
      else { return true }
      let (found, compared) = overlapOfFewer(child, twin)
      return found == compared
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
  func contradict(_ first: Candidate, _ second: Candidate, _ one: Int32, _ other: Int32) -> Bool {
    let shared = shapes[one].values.overlap(with: shapes[other].values).found
    if shared > 1, areOthersByNumber(first, second, one, other) { return true }
    guard shared > 0, !haveSameObjects(first.index, second.index),
      shared > 1 || !mayHaveChanged(first, second, one, other)
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

  /// Whether half of the small numbers or more that identify objects of two places, which go by other names, mean other objects: one of two
  /// kinds of objects that is called alike under a number of both, as a vendor and its only platform are, does not make them one.
  private func areOthersByNumber(
    _ first: Candidate, _ second: Candidate, _ one: Int32, _ other: Int32
  ) -> Bool {
    guard name(of: first.index) != name(of: second.index), shapes[one].integers > 0,
      shapes[other].integers > 0,
      min(shapes[one].minimum, shapes[other].minimum) < Self.firstNumbers
    else { return false }
    let (shared, apart) = shapes[first.index].contents.firsts(apartFrom: shapes[second.index].contents)
    guard apart > 0, apart * 2 >= shared else { return false }
    // What one place says besides makes no other object.
    return shapes.children(of: first.index).allSatisfy { child in
      guard shapes.find(child) != shapes.find(one), shapes[child].strings > shapes[child].emptyTexts,
        let twin = shapes.child(of: second.index, named: shapes.key(of: child)),
        shapes[twin].strings > shapes[twin].emptyTexts
      else { return true }
      let (found, compared) = overlapOfFewer(child, twin)
      return found * 2 <= compared
    }
  }

  /// Whether a single object with a small number came in two lists at the top that go by other names and have keys of their own, and all that
  /// both say of objects is what any object says: the first region, the first rack and the first provider are called `Test`.
  private func mayBeSameByChance(
    _ first: Candidate, _ second: Candidate, _ one: Int32, _ other: Int32
  ) -> Bool {
    let names = [first, second].map { Words.words(Words.entityName(name(of: $0.index))).last }
    let shared = first.keys.sharedCount(with: second.keys)
    return names[0] != names[1] && shared < min(first.keys.count, second.keys.count) && isAtTop(first.index)
      && isAtTop(second.index)
      && root(of: first.index) != root(of: second.index)
      && shapes[one].integers > 0 && max(shapes[one].minimum, shapes[other].minimum) < Self.firstNumbers
      && shapes[one].values.overlap(with: shapes[other].values).found == 1 && haveKeysOfAny(first, second)
  }

  /// Whether the only object that came at both of two places under one name, of several, may be the same after a change: all have the
  /// same keys, and no two have one identity by chance as easily as a first one.
  private func mayHaveChanged(_ first: Candidate, _ second: Candidate, _ one: Int32, _ other: Int32) -> Bool {
    let (own, others) = (shapes[one], shapes[other])
    return root(of: first.index) != root(of: second.index) && !first.name.isEmpty && first.name == second.name
      && first.keys.count >= 3
      && first.keys.count == second.keys.count
      && first.keys.sharedCount(with: second.keys) == first.keys.count
      && max(own.values.count, others.values.count) > 1
      && shapes.keyNumber(of: one) == shapes.keyNumber(of: other)
      && (own.integers > 0
        ? min(own.minimum, others.minimum) > Self.firstNumbers
        : shapes.areMadeByProgram(one) && shapes.areMadeByProgram(other))
  }

  private func root(of index: Int32) -> Int32 {
    var outer = index
    while shapes.tree[outer].parent >= 0 { outer = shapes.tree[outer].parent }
    return outer
  }

  /// The numbers that the first objects of any kind have.
  private static let firstNumbers: Int64 = 1_000

  /// Whether each object has an object in it with its own identity that says something else: `{"id": "PJAN", "version": "1.0",
  /// "structure": {"id": "PJAN", "version": "38.0"}}`.
  private func repeatsIdentity(_ first: Candidate, _ second: Candidate, _ one: Int32, _ other: Int32) -> Bool
  {
    guard standsAlone(first.index, in: second.index) || standsAlone(second.index, in: first.index),
      shapes[first.index].objects == shapes[second.index].objects
    else { return false }
    let (found, compared) = shapes[one].values.overlap(with: shapes[other].values)
    guard found > 0, found == compared, shapes[one].values.count == shapes[other].values.count else {
      return false
    }
    return shapes.children(of: first.index).contains { child in
      guard let twin = shapes.child(of: second.index, named: shapes.key(of: child)),
        shapes[child].scalars > shapes[child].emptyTexts, shapes[twin].scalars > shapes[twin].emptyTexts
      else { return false }
      return shapes[child].values.overlap(with: shapes[twin].values).found == 0
    }
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

  /// Whether objects hold nothing but scalars, and stand under a key of objects at the top that say of themselves which they are, of
  /// other ones at either place: they are values of these, as the owner of a light and of a room are.
  private func areValuesOfOthers(_ first: Int32, _ second: Int32) -> Bool {
    let parents = [first, second].map { shapes.tree[$0].parent }
    return [first, second].allSatisfy { place in
      shapes.tree[place].key >= 0 && !shapes.isSplit(place)
        && shapes.children(of: place).allSatisfy { shapes[$0].objects == 0 && shapes[$0].lists == 0 }
    } && parents.allSatisfy { $0 >= 0 && strongIdentity(of: $0) != nil && isAtTop($0) }
      && shapes.find(parents[0]) != shapes.find(parents[1])
  }

  /// Whether objects have nothing but an identity that nothing else has by chance, or that objects of the same name have, and all of them
  /// came at another place too.
  private func standFor(_ first: Candidate, _ second: Candidate, _ one: Int32, _ other: Int32) -> Bool {
    let haveOneName =
      !first.name.isEmpty && first.name == second.name && !GenericNames.isWrapper(first.name)
      && shapes.keyNumber(of: one) == shapes.keyNumber(of: other)
    guard first.keys.count == 1,
      haveOneName
        || shapes.areLong(one) && (shapes.areMadeByProgram(one) || shapes[one].forms.contains(.uuid))
    else { return false }
    let (found, compared) = shapes[one].values.overlap(with: shapes[other].values)
    return found > 0 && found == compared && second.keys.count > 1
  }

  /// Whether objects go by names of which none is a role of the other's, and no identity came at both places though none of these
  /// is another object's by chance: the areas and the labels of artists have the keys of these, and are none.
  private func areNamedApart(
    _ first: Candidate, _ second: Candidate, _ one: Int32, _ other: Int32, isNested: Bool
  ) -> Bool {
    let fewest = isNested ? 2 : 5
    guard shapes[one].values.estimatedCount >= fewest, shapes[other].values.estimatedCount >= fewest,
      shapes[one].values.overlap(with: shapes[other].values).found == 0
    else { return false }
    let names = [first, second].map { name(of: $0.index) }
    let folded = [first.name, second.name]
    return folded.allSatisfy({ !$0.isEmpty && !GenericNames.isWrapper($0) })
      && !folded[0].hasSuffix(folded[1]) && !folded[1].hasSuffix(folded[0])
      && !names.contains(where: { LinkName.isRole($0) && !LinkName.isInWork($0) || LinkName.isOfItsKind($0) })
      && !LinkName.arePeople((first.keys.numbers + second.keys.numbers).map { shapes.tree.text(ofKey: $0) })
      && shapes.areLong(one) && shapes.areLong(other) && haveKeysOfAny(first, second)
  }

  /// Whether most keys that objects of two places share are such as objects of any kind have.
  private func haveKeysOfAny(_ first: Candidate, _ second: Candidate) -> Bool {
    let shared = first.keys.shared(with: second.keys).map { shapes.tree.text(ofKey: $0) }
    let general = shared.filter { key in
      GenericNames.isOfAnyObject(key) || ["name", "type"].contains { Words.words(key).contains($0) }
    }
    return general.count * 2 >= shared.count
  }

  /// Whether two documents have objects of one kind under its name, one of them by itself and one in a list: `{"domain": {…}}` and
  /// `{"domains": […]}`.
  private func areListAndOne(_ first: Candidate, _ second: Candidate) -> Bool {
    let keys = [first, second].compactMap { candidate -> String? in
      let place = isInList(candidate.index) ? shapes.tree[candidate.index].parent : candidate.index
      return place >= 0 && shapes.tree[place].key >= 0 ? shapes.key(of: place) : nil
    }
    return keys.count == 2 && root(of: first.index) != root(of: second.index) && isAtTop(first.index)
      && !keys.contains(where: GenericNames.isWrapper)
      && Words.entityName(keys[0]) == Words.entityName(keys[1])
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
      shapes.key(of: one.identity) == shapes.key(of: other.identity),
      // With objects that have none at times, all would lose it: an emoji that everybody has beside those of a server.
      (shapes[one.identity].nulls > 0) == (shapes[other.identity].nulls > 0)
    else { return false }
    let (found, compared) = overlapOfFewer(one.identity, other.identity)
    guard found > 0, found * 2 >= compared, one.contents.overlap(with: other.contents).found > 0 else {
      return false
    }
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
    // Values that differ in one document are about the object around, as the address of a token on its platform is.
    return isRefutedWithin(one) == isRefutedWithin(other)
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

  /// Whether all that several objects say came at another place too, their names and their addresses among it: they are a short form of the
  /// others, whatever key seems to identify them.
  private func saysNoMore(_ short: Candidate, _ long: Candidate) -> Bool {
    guard short.keys.count < long.keys.count, shapes[short.index].objects > 1 else { return false }
    var (hasName, hasAddress) = (false, false)
    for child in shapes.children(of: short.index) {
      guard shapes[child].scalars == shapes[short.index].objects,
        let twin = shapes.child(of: long.index, named: shapes.key(of: child))
      else { return false }
      let (found, compared) = shapes[child].values.overlap(with: shapes[twin].values)
      guard found == compared else { return false }
      guard compared > 1 else { continue }
      hasName = hasName || LabelNames.flags(of: shapes.key(of: child)) == .label
      hasAddress = hasAddress || shapes[child].forms.contains(.address)
    }
    return hasName && hasAddress
  }

  /// Whether the only object of a place came at another one, where it says more: with a number that no other object has by chance, with its
  /// address, and with all else that it says.
  private func areOneObject(_ short: Candidate, _ long: Candidate) -> Bool {
    guard short.keys.count < long.keys.count,
      let identity = short.identity, let other = long.identity, shapes[identity].values.count == 1,
      shapes.keyNumber(of: identity) == shapes.keyNumber(of: other), shapes.areLong(identity)
    else { return false }
    var hasAddress = false
    for child in shapes.children(of: short.index) {
      guard shapes[child].scalars == shapes[short.index].objects, shapes[child].values.count == 1,
        let twin = shapes.child(of: long.index, named: shapes.key(of: child)),
        shapes[child].values.overlap(with: shapes[twin].values).found == 1
      else { return false }
      hasAddress = hasAddress || shapes[child].forms.contains(.address)
    }
    return hasAddress
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

  /// Whether one of two places stands in the other.
  func isNested(_ first: Int32, _ second: Int32) -> Bool {
    contains(first, second) || contains(second, first)
  }
}
